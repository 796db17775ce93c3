"""Names of folders and of systems that are markup: pages show them and do nothing."""

import json
import re
import shutil

import pytest
from browser import opened, turn_to

from fsviz.report.plan import report
from tests.checks.outputs import commanded
from tests.hostile import FOLDERS, NAMES

# the quick ones are in answers/test_displays.py and model/test_escaping.py
pytestmark = [pytest.mark.browser, pytest.mark.slow]
TIMES = "\nreal\t0m{}.{}00s\nuser\t0m1.000s\nsys\t0m0.100s\n"
PAGES = ("iozone", "bonnie", "rsync", "fio", "compare")
JOBS = ("read.json", "randrw.json")


def fill(root, folder, n):
    """A little of every tool: what is in common to all, and what only some have."""
    folder.mkdir(parents=True)
    for run in (1, 2, 3):
        (folder / f"r{run}.txt").write_text(TIMES.format(n + 3, run))
    if n < 3:
        one = root / "data/raw/loopback-2026/bonnie++/local-ext4/rep1.csv"
        shutil.copy(one, folder / "bonnie.csv")
        shutil.copy(root / "data/raw/onehost-2026/iozone/ext4/rep1.txt", folder)
    if n < 2:
        shutil.copy(root / "tests/data/fio/3.33" / JOBS[n], folder)


def by_folder(root, campaign):
    for n, name in enumerate(FOLDERS):
        fill(root, campaign / name, n)


def by_file(root, campaign):
    """Systems of campaign.toml may have any name, and any facts."""
    lines = [f"title = {json.dumps(NAMES[0])}", f"baseline = {json.dumps(NAMES[1])}"]
    for n, name in enumerate(NAMES):
        fill(root, campaign / f"s{n}", n)
        lines += ["[[system]]", f"name = {json.dumps(name)}"]
        lines += [f'files = ["s{n}/*"]', f"operating_system = {json.dumps(name)}"]
        lines += [f"mount_options = {json.dumps(name + ' ' + 'x' * 40)}"]
    (campaign / "campaign.toml").write_text("\n".join(lines))


def by_contents(root, campaign):
    """What the tools print of names that others gave: machine, command line, job."""
    bonnie = (root / "data/raw/loopback-2026/bonnie++/local-ext4/rep1.csv").read_text()
    began, machine = bonnie.split(",")[4], bonnie.split(",")[2]
    samples = root / "tests/data/fio/3.33"
    jobs = [(samples / f).read_text() for f in JOBS]
    for n, name in enumerate(NAMES):
        folder = campaign / f"s{n}"
        folder.mkdir(exist_ok=True)
        one = bonnie.replace(machine, name.replace(",", " "))
        one = one.replace(began, str(int(began) + n)).replace(
            ",8192,5,", f",{8192 + n},5,"
        )
        (folder / f"{n}.csv").write_text(one)
        if n < 5:
            log = root / f"data/raw/onehost-2026/iozone/ext4/rep{n + 1}.txt"
            command = f"iozone -Rac -n 64k -g 1g -i 0 -i 1 -i 2 -f '{name}'"
            (folder / f"{n}.log").write_text(commanded(log.read_text(), command))
        if n < 2:
            job = re.sub(r'(?<="jobname" : ).*', json.dumps(name) + ",", jobs[n])
            (folder / f"{n}.fio.json").write_text(job)
        if n % 2:
            (folder / f"{n}.json").write_text(json.dumps(hyperfine(name, n)))
        else:
            (folder / f"{n}.txt").write_text(TIMES.format(n % 9, n))
    (campaign / "campaign.toml").write_text(f"title = {json.dumps(NAMES[0])}\n")


def hyperfine(name, n):
    times = [1.5 + n / 100, 1.625, 1.75]
    told = {"command": f"rsync -a {name} dst/", "times": times, "median": 1.625}
    told |= {"mean": sum(times) / 3, "min": min(times), "max": max(times)}
    told |= {"stddev": 0.1, "user": 0.5, "system": 0.5, "exit_codes": [0, 0, 0]}
    return {"results": [told]}


@pytest.fixture(scope="module", params=[by_folder, by_file, by_contents])
def rendered_hostile(request, root, tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    campaign = folder / "<b onclick>campaign"  # with = it were a label
    campaign.mkdir()
    request.param(root, campaign)
    batch = report([str(campaign)], folder / "out", formats=("html",))
    assert [o.error for o in batch.outcomes if o.error] == []
    assert {o.job.name for o in batch.outcomes} == set(PAGES)
    return folder / "out"


TAGS = "iframe, form, object, embed, base, img[src=x], svg a, [onerror], "
TAGS += "input:not(.fsviz-panels input, #search)"


@pytest.mark.parametrize("name", [*PAGES, "index"])
def test_nothing_runs_is_asked_for_or_linked(rendered_hostile, chromium, name):
    found = rendered_hostile.rglob(f"{name}.html")
    (page_file,) = found
    dialogs = []
    with opened(chromium, page_file) as watched:
        page = watched.page
        page.on("dialog", lambda d: dialogs.append(d.message))
        page.reload()
        for figure in page.locator(".fsviz-plot").all():
            turn_to(page, f"#{figure.get_attribute('id')}")
            page.wait_for_timeout(100)
        for menu in page.locator(".tab-bar select:visible").all():
            for option in menu.locator("option").all():
                menu.select_option(option.get_attribute("value"))
        assert page.title() != "owned"  # what every script of these names sets
        assert page.url.partition("#")[0] == page_file.resolve().as_uri()
        links = page.eval_on_selector_all(
            "a[*|href]", "a => a.map(x => x.href.baseVal ?? x.href)"
        )
        assert [x for x in links if not x.startswith("file:")] == []
        assert page.locator(TAGS).count() == 0
        assert page.locator("meta[http-equiv=refresh]").count() == 0
        # what the name says stands there as text; on a card only the ends of it
        said = "<img src=x o" if name == "index" else "onerror="
        assert said in page.locator("main").inner_text()
        assert not dialogs
        assert not watched.requests
        assert not watched.errors
