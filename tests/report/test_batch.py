"""Batches: what is rendered, what fails, what is left behind."""

import json
import shutil

import nbformat
import pytest

from fsviz.errors import UsageError
from fsviz.report import execute as execution
from fsviz.report.batch import report
from fsviz.report.execute import ReportError, execute, template
from fsviz.report.index import write_index


def test_each_report_leaves_page_notebook_and_entry(rendered):
    out, outcomes = rendered
    found = sorted(str(p.relative_to(out)) for p in out.rglob("*") if p.is_file())
    expected = [
        f"{name}/iozone.{suffix}"
        for name in ("loopback-2026", "onehost-2026")
        for suffix in ("html", "ipynb", "json")
    ]
    assert found == ["index.html", *expected]
    assert [o.job.runs for o in outcomes] == [45, 15]


def test_the_notebook_kept_is_the_executed_one(rendered):
    out, _ = rendered
    notebook = nbformat.read(out / "onehost-2026/iozone.ipynb", as_version=4)
    figures = [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if "application/vnd.plotly.v1+json" in output.get("data", {})
    ]
    assert len(figures) == 6
    # the figure is data only; nothing carries plotly.js a second time
    assert all("text/html" not in output["data"] for output in figures)


def test_a_failing_notebook_is_kept_and_does_not_stop_the_rest(
    root, tmp_path, monkeypatch
):
    good = template("iozone")
    broken = nbformat.read(good, as_version=4)
    broken.cells.append(nbformat.v4.new_code_cell("1 / 0"))
    nbformat.write(broken, tmp_path / "broken.ipynb")
    shutil.copytree(root / "data/raw/onehost-2026", tmp_path / "one")
    paths = iter([tmp_path / "broken.ipynb", good])
    monkeypatch.setattr("fsviz.report.batch.template", lambda _: next(paths))
    sources = [str(tmp_path / "one"), str(root / "data/raw/onehost-2026")]
    bad, fine = report(sources, tmp_path / "out")
    assert "ZeroDivisionError" in bad.error
    assert not fine.error
    assert (tmp_path / "out" / "one" / "iozone.ipynb").is_file()
    assert not (tmp_path / "out" / "one" / "iozone.html").exists()
    assert (tmp_path / "out" / fine.page).is_file()


def test_an_unknown_parameter_is_refused_with_the_known_ones(tmp_path):
    with pytest.raises(UsageError, match=r"parameters source, .* found sorce"):
        execute(template("iozone"), tmp_path / "x.ipynb", {"sorce": "x"})


def test_a_cell_that_stops_is_an_error_with_its_reason(tmp_path):
    with pytest.raises(ReportError, match="UsageError"):
        execute(template("iozone"), tmp_path / "x.ipynb", {"source": "nowhere"})
    assert (tmp_path / "x.ipynb").is_file()


def test_labels_with_markup_are_text_in_page_and_index(root, tmp_path):
    evil = "<script>alert(1)</script>{{7*7}}]]>"
    file = root / "data/raw/onehost-2026/iozone/xfs/rep1.txt"
    (outcome,) = report([f"{evil}={file}"], tmp_path)
    assert not outcome.error
    page = (tmp_path / outcome.page).read_text(encoding="utf-8")
    body = page[page.index("<body>") :]
    assert "<script>alert" not in body
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in body
    assert "{{7" in body
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "<script" not in index


def test_the_index_lists_what_earlier_batches_made(tmp_path):
    (tmp_path / "a").mkdir()
    entry = {
        "page": "iozone.html",
        "title": "T",
        "tool": "iozone",
        "systems": ["x"],
        "runs": 1,
        "problems": ["p:1: expected a, found b"],
        "made": "now",
        "sources": ["s"],
    }
    (tmp_path / "a/iozone.json").write_text(json.dumps(entry))
    assert "No reports yet" in write_index(tmp_path).read_text()
    (tmp_path / "a/iozone.html").write_text("x")
    page = write_index(tmp_path).read_text()
    assert 'href="a/iozone.html"' in page
    assert "1 part of the input could not be used" in page


def test_a_tool_without_a_template_is_refused(tmp_path):
    (tmp_path / "t.txt").write_text("\nreal\t0m8.5s\nuser\t0m0.1s\nsys\t0m0.0s\n")
    with pytest.raises(
        UsageError, match="expected results of iozone, found only rsync"
    ):
        report([f"a={tmp_path}/t.txt"], tmp_path / "out")


def test_templates_exist():
    assert all(template(tool).is_file() for tool in execution.TEMPLATES)
