"""Batches: what is rendered, what fails, what is left behind."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import nbformat
import pytest
from browser import opened
from bs4 import BeautifulSoup
from program import start

from fsviz.model.errors import UsageError
from fsviz.report.execute import ReportError, execute, template
from fsviz.report.jobs import describe, is_current
from fsviz.report.plan import plan, report


@pytest.mark.slow
@pytest.mark.parametrize(
    "campaigns", [("small",), ("loopback-2026", "onehost-2026")], ids=" and ".join
)
def test_each_report_leaves_page_notebook_and_entry(reports, campaigns):
    out, batch = reports(*campaigns)
    found = sorted(str(p.relative_to(out)) for p in out.rglob("*") if p.is_file())
    made = {
        "loopback-2026": ["bonnie", "compare", "iozone", "rsync"],
        "onehost-2026": ["bonnie", "compare", "iozone"],
        "small": ["bonnie", "compare", "iozone"],
    }
    expected = [
        f"{campaign}/{name}.{suffix}"
        for campaign in campaigns
        for name in made[campaign]
        for suffix in ("html", "ipynb", "json")
    ]
    assert [n for n in found if not n.startswith("plotly-")] == [
        "index.html",
        *sorted(expected),
    ]
    assert sum(name.startswith("plotly-") for name in found) == 1
    runs = {(o.job.folder, o.job.name): o.job.entry.runs for o in batch.outcomes}
    counted = {
        ("loopback-2026", "iozone"): 45,
        ("loopback-2026", "rsync"): 103,
        ("onehost-2026", "compare"): 30,
        ("small", "compare"): 18,
    }
    for (campaign, name), count in counted.items():
        if campaign in campaigns:
            assert runs[campaign, name] == count


@pytest.mark.slow
def test_the_notebook_kept_is_the_executed_one(reports):
    out, _ = reports("small")
    notebook = nbformat.read(out / "small/iozone.ipynb", as_version=4)
    figures = [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if "application/vnd.plotly.v1+json" in output.get("data", {})
    ]
    # the figure is data only; nothing carries plotly.js a second time
    assert all("text/html" not in output["data"] for output in figures)
    page = (out / "small/iozone.html").read_text()
    tabs, data, words = re.findall(r'data-tab="(\w+)"', page), {}, {}
    for cell in notebook.cells:
        tab = ""
        for output in cell.get("outputs", ()):
            kinds = output.get("data", {})
            if begun := re.search(r'data-tab="(\w+)"', kinds.get("text/html", "")):
                tab = begun[1]
            data[tab] = data.get(tab, 0) + ("application/vnd.plotly.v1+json" in kinds)
            said = "on the page beside this notebook" in kinds.get("text/plain", "")
            words[tab] = words.get(tab, 0) + said
    # every figure is there or named; data is kept of the tab that the page opens
    assert len(tabs) > 1
    opened = re.search(r'data-tab="(\w+)" [^>]*data-opened="[^"]', page)
    first = opened[1] if opened else tabs[0]
    assert [tab for tab in tabs if data[tab]] == [first]
    assert len({data[tab] + words[tab] for tab in tabs}) == 1


@pytest.mark.slow
@pytest.mark.browser
def test_a_tool_without_a_notebook_of_its_own_has_a_page(root, chromium, tmp_path):
    """One system too; what has one scale for all systems offers no other."""
    source, out = str(root / "data/lessons/queue-2026"), tmp_path / "out"
    (outcome,) = report([source], out).outcomes
    assert (outcome.job.name, outcome.error) == ("fio", "")
    page = next(out.glob("*/fio.html"))
    assert "latency over iodepth" in page.read_text()
    with opened(chromium, page) as watched:
        shown = watched.page
        assert shown.locator("h1").inner_text().endswith("– fio")
        assert shown.locator(".tab-bar label:visible").count() == 0


@pytest.mark.slow
def test_an_own_table_of_one_size_has_a_page(tmp_path):
    rows = "".join(
        f"{name},read,1 GiB,64 KiB,{value + n},MiB/s\n"
        for name, value in (("a", 100), ("b", 150))
        for n in range(3)
    )
    head = "system,operation,file size,record size,value,unit\n"
    (tmp_path / "own.csv").write_text(head + rows)
    batch = report([str(tmp_path / "own.csv")], tmp_path / "out", formats="html")
    assert [outcome.error for outcome in batch.outcomes] == ["", ""]
    for page in ("compare", "table"):
        (file,) = (tmp_path / "out").glob(f"*/{page}.html")
        words = BeautifulSoup(file.read_text(), "html.parser").find("main").text
        assert "1.5× faster" in words


@pytest.mark.slow
def test_what_has_no_size_is_drawn_beside_what_has_one(root, tmp_path):
    """dd states no size of some transfers."""
    for log in (root / "tests/data/dd/9.1").glob("*.txt"):
        (tmp_path / "disk").mkdir(exist_ok=True)
        shutil.copy(log, tmp_path / "disk")
    (outcome,) = report([str(tmp_path / "disk")], tmp_path / "out").outcomes
    assert (outcome.job.name, outcome.error) == ("dd", "")
    page = (tmp_path / "out/disk/dd.html").read_text()
    assert "each at its largest size" in page
    assert "of sizes and settings not drawn" in page


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        lambda folder, out: (folder / "nfs/r1.txt").write_text(
            "\nreal\t0m9.999s\nuser\t0m1.000s\nsys\t0m0.100s\n"
        ),
        lambda folder, out: (folder / "campaign.toml").write_text('title = "T"\n'),
        lambda folder, out: (out / "timings/rsync.html").unlink(),
        lambda folder, out: (out / "timings/rsync.json").write_text("{"),
        lambda folder, out: (out / "timings/rsync.failed.html").write_text("failed"),
    ],
    ids=["a number", "a fact", "the page", "the entry", "a later failure"],
)
def test_what_changed_is_rendered_again(timings, tmp_path, change, monkeypatch):
    out = tmp_path / "out"
    (out / "timings").mkdir(parents=True)
    (job,) = [j for j in plan((str(timings),)) if j.name == "rsync"]
    (out / "timings/rsync.html").write_text("page")
    entry = describe(job, ("html",))
    (out / "timings/rsync.json").write_text(entry)
    assert is_current(job, out, ("html",))
    assert not is_current(job, out, ("html", "pdf"))
    change(timings, out)
    (job,) = [j for j in plan((str(timings),)) if j.name == "rsync"]
    assert not is_current(job, out, ("html",))


def test_a_folder_and_a_place_may_be_texts_or_paths(one_system, tmp_path):
    for source, out in (
        (one_system, str(tmp_path / "a")),
        (str(one_system), tmp_path / "b"),
        ([one_system], str(tmp_path / "c")),
    ):
        batch = report(source, out, formats="html", templates="compare")
        assert not batch.outcomes
        (fits,) = batch.unusable
        assert "expected one that fits what was measured (rsync)" in str(fits)


@pytest.mark.slow
def test_a_failing_notebook_is_kept_and_does_not_stop_the_rest(
    timings, tmp_path, monkeypatch
):
    broken = nbformat.read(template("rsync"), as_version=4)
    broken.cells.append(nbformat.v4.new_code_cell("1 / 0"))
    nbformat.write(broken, tmp_path / "broken.ipynb")
    monkeypatch.setattr(
        "fsviz.report.plan.template",
        lambda key: tmp_path / "broken.ipynb" if key == "rsync" else template(key),
    )
    bad, fine = report([str(timings)], tmp_path / "out").outcomes
    assert "ZeroDivisionError" in bad.error
    assert not fine.error
    folder = tmp_path / "out/timings"
    assert (folder / "rsync.ipynb").is_file()
    assert "ZeroDivisionError" in (folder / "rsync.failed.html").read_text()
    assert not (folder / "rsync.html").exists()
    # without sizes there are no maps, and the section says where all the same
    assert "By how much" in (folder / "compare.html").read_text()
    assert (
        'href="timings/rsync.failed.html"' in (tmp_path / "out/index.html").read_text()
    )
    monkeypatch.undo()
    report([str(timings)], tmp_path / "out")
    assert not (folder / "rsync.failed.html").exists()


@pytest.mark.slow
def test_a_killed_batch_leaves_whole_reports_and_the_next_one_finishes(
    one_system, tmp_path
):
    campaigns = []
    for n in range(5):
        shutil.copytree(one_system, tmp_path / f"c{n}")
        campaigns.append(str(tmp_path / f"c{n}"))
    out = tmp_path / "out"
    program = [sys.executable, "-m", "fsviz", "report", *campaigns, "-o", str(out)]
    batch = subprocess.Popen([*program, "--jobs", "2"], start_new_session=True)
    deadline = time.monotonic() + 300
    while not list(out.glob("*/*.html")) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(batch.pid, signal.SIGKILL)
    batch.wait()
    pages = list(out.glob("*/*.html"))
    assert 0 < len(pages) < 5
    assert all(p.read_text().rstrip().endswith("</html>") for p in pages)
    for entry in out.glob("*/*.json"):
        assert json.loads(entry.read_text())["formats"] == ["html"]
    done = report(campaigns, out, jobs=2)
    assert len(done.outcomes) == 5
    assert not any(o.error for o in done.outcomes)
    assert len(list(out.glob("*/*.html"))) == 5
    assert not list(out.rglob(".making.*"))


@pytest.mark.parametrize(
    "parameters,says",
    [
        ({"sorce": "x"}, r"parameters source, baseline, .* found sorce"),
        ({"systems": "nfs"}, "expected list for the parameter systems, found str"),
    ],
)
def test_wrong_parameters_are_refused_before_anything_runs(tmp_path, parameters, says):
    with pytest.raises(UsageError, match=says):
        execute(template("iozone"), tmp_path / "x.ipynb", parameters)
    assert list(tmp_path.iterdir()) == []


def test_a_cell_that_stops_is_an_error_with_its_reason(tmp_path):
    with pytest.raises(ReportError, match="UsageError"):
        execute(template("iozone"), tmp_path / "x.ipynb", {"source": "nowhere"})
    assert (tmp_path / "x.ipynb").is_file()


@pytest.mark.slow
def test_folders_of_one_name_do_not_overwrite_one_another(one_system, tmp_path):
    other = tmp_path / "elsewhere" / "timings"
    shutil.copytree(one_system, other)
    outcomes = report([str(one_system), str(other)], tmp_path / "out").outcomes
    assert len({page for o in outcomes for page in o.pages}) == 2


@pytest.mark.slow
def test_a_source_that_is_unusable_does_not_stop_the_rest(one_system, tmp_path):
    (tmp_path / "empty").mkdir()
    batch = report([str(tmp_path / "empty"), str(one_system)], tmp_path / "out")
    assert "expected result files" in str(batch.unusable[0])
    (outcome,) = batch.outcomes
    assert (tmp_path / "out" / outcome.pages[0]).is_file()


def test_an_unknown_format_is_refused(timings, tmp_path):
    with pytest.raises(UsageError, match="expected html or pdf, found docx"):
        report([str(timings)], tmp_path / "out", formats=("docx",))


@pytest.mark.slow
def test_without_chromium_html_is_made_and_one_line_says_what_to_install(
    timings, tmp_path
):
    words = ("report", timings, "--to", "html,pdf", "-o", tmp_path / "out")
    done = start(*words, BROWSER_PATH="/nowhere/chromium")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "apt install chromium" in line
    assert (tmp_path / "out/timings/rsync.html").is_file()
    assert not (tmp_path / "out/timings/rsync.pdf").exists()


@pytest.mark.slow
def test_a_report_of_one_regime_says_so_and_has_a_folder_of_its_own(root, tmp_path):
    folder = tmp_path / "small"
    (folder / "ext4").mkdir(parents=True)
    one = root / "data/raw/onehost-2026/iozone/ext4/rep1.txt"
    shutil.copy(one, folder / "ext4")
    (folder / "campaign.toml").write_text('[facts]\nclient_ram = "8 MiB"\n')
    out = tmp_path / "out"
    (outcome,) = report([str(folder)], out, regime="transition").outcomes
    assert outcome.job.folder == "small-transition"
    # 8 and 16 MiB by 12 and 13 records, in six tests, of 810 numbers
    said = "regime transition: 150 of 810 numbers kept; left out: "
    assert outcome.job.entry.selection.startswith(said)
    page = (out / "small-transition/iozone.html").read_text()
    assert "<title>small, transition only – IOzone</title>" in page
    assert "files of the regime transition only" in page
    # of each test an explorer: data that the page draws
    assert page.count('<figure class="fsviz-figure"') == 6
    assert plan((str(folder),))[0].folder == "small"
    (folder / "campaign.toml").write_text('[facts]\nclient_ram = "8 GiB"\n')
    with pytest.raises(UsageError, match="small, regime storage: none of"):
        plan((str(folder),), "storage")
