"""Names that would run in a page are text in every kind of picture, too."""

import json
import shutil
import xml.etree.ElementTree as ET

import pytest
from browser import wait_until
from browsing import browsing, write_widget

import fsviz
from fsviz.figures.export import save
from fsviz.figures.kinds import KINDS
from fsviz.figures.widget import explore
from tests.hostile import NAMES

pytestmark = [pytest.mark.browser, pytest.mark.slow]
# plotly takes some markup in texts, links above all
SYSTEMS = [NAMES[0], *(name for name in NAMES if name.startswith(("<a ", "<svg")))]
SYSTEMS += [name for name in NAMES if "onmouseover" in name or "customdata" in name]
RUNS = {"script", "foreignObject", "iframe", "object", "embed", "animate", "set", "a"}


@pytest.fixture(scope="module")
def folder(root, tmp_path_factory):
    """Each system has outputs of its own: the same ones would be copies."""
    folder = tmp_path_factory.mktemp("hostile")
    lines = [f"title = {json.dumps(NAMES[0])}", f"baseline = {json.dumps(SYSTEMS[0])}"]
    for n, name in enumerate(SYSTEMS[:5], 1):
        (folder / f"s{n}").mkdir()
        for output in (
            f"data/raw/onehost-2026/iozone/ext4/rep{n}.txt",
            f"data/raw/onehost-2026/iozone/xfs/rep{n}.txt",
            f"data/raw/loopback-2026/bonnie++/local-ext4/rep{n}.csv",
            f"data/raw/loopback-2026/rsync/nfs-v3/rep{n}.time.txt",
        ):
            name_of = output.replace("/", "-")
            shutil.copy(root / output, folder / f"s{n}" / name_of)
        lines += ["[[system]]", f"name = {json.dumps(name)}", f'files = ["s{n}/*"]']
    (folder / "campaign.toml").write_text("\n".join(lines))
    return folder


@pytest.fixture(scope="module")
def campaign(folder):
    return fsviz.load(folder)


@pytest.fixture
def threads(root, tmp_path):
    (log,) = (root / "tests/data/iozone").glob("3.*/thr_t1t2t4_i02_R_b_cpu.txt")
    (tmp_path / "campaign").mkdir()
    shutil.copy(log, tmp_path / "campaign")
    lines = ["[[system]]", f"name = {json.dumps(NAMES[0])}", 'files = ["*.txt"]']
    (tmp_path / "campaign/campaign.toml").write_text("\n".join(lines))
    return fsviz.load(tmp_path / "campaign")


@pytest.fixture
def requests(root, tmp_path):
    """Requests of fio under a hostile name."""
    direct = root / "data/lessons/tail-2026/direct"
    shutil.copytree(direct, tmp_path / "requests/direct")
    lines = ["[[system]]", f"name = {json.dumps(NAMES[0])}", 'files = ["direct/*"]']
    (tmp_path / "requests/campaign.toml").write_text("\n".join(lines))
    return fsviz.load(tmp_path / "requests")


@pytest.mark.parametrize("kind", [*KINDS, "threads", "percentile", "none"])
def test_nothing_in_a_picture_runs_or_asks(
    campaign, threads, requests, chromium, tmp_path, kind
):
    x, data = {
        "threads": ("threads", threads),
        "percentile": ("percentile", requests),
        "none": ("none", campaign),
    }.get(kind, ("", campaign))
    figure = fsviz.plot(data, "lines", x=x) if x else fsviz.plot(data, kind)
    save(figure, tmp_path / "picture.svg")
    parts = list(ET.parse(tmp_path / "picture.svg").iter())
    assert len(parts) > 20
    assert not {part.tag.rpartition("}")[2] for part in parts} & RUNS
    for part in parts:
        for name, value in part.attrib.items():
            assert not name.lower().startswith("on")
            if name.rpartition("}")[2] == "href":
                assert value.startswith(("#", "data:image/png;base64,"))
            assert "url(http" not in value


def test_nothing_in_the_widget_runs_or_asks(folder, chromium, tmp_path):
    """JupyterLab states no policy for it: here escaping is all there is."""
    _, message, answer, figures = explore([str(folder)]).children
    widget = write_widget(tmp_path / "widget.html", [figures.figures])
    dialogs = []
    with browsing(chromium) as browser:
        page = browser.page
        page.on("dialog", lambda dialog: dialogs.append(dialog.message))
        page.goto(widget.as_uri())
        shown = len(figures.figures)
        assert shown == 2
        drawn = "document.querySelectorAll('.js-plotly-plot .main-svg').length"
        wait_until(page, f"{drawn} >= {shown}")
        page.evaluate(
            "html => document.body.insertAdjacentHTML('beforeend', html)",
            message.value + answer.value,
        )
        page.wait_for_timeout(200)
        assert "onerror=" in page.locator("body").inner_text()
        found = page.locator(
            "iframe, form, img[src=x], details, a, [onerror], [onload]"
        )
        assert found.count() == 0
        assert page.title() != "owned"
        assert (dialogs, browser.requests, browser.complaints) == ([], [], [])
