"""What a page and the index say first."""

import json
from xml.etree import ElementTree as ET

import nbformat
import pytest
from samples import loaded

import fsviz
from fsviz.checks.headline import answer
from fsviz.checks.overview import overview
from fsviz.report._thumbnail import thumbnail
from fsviz.report.glance import first_sight, headline_of
from fsviz.report.index import write_index
from fsviz.report.plan import plan


def test_the_headline_is_bold_and_its_names_mean_nothing(tmp_path):
    for system, seconds in (("nfs", 8), ("<b>*smb*", 17)):
        (tmp_path / "c" / system).mkdir(parents=True)
        for n in (1, 2, 3):
            text = f"\nreal\t0m{seconds}.{n}00s\nuser\t0m1.000s\nsys\t0m0.100s\n"
            (tmp_path / "c" / system / f"r{n}.txt").write_text(text)
    campaign = fsviz.load(tmp_path / "c")
    text, figure, _ = first_sight(campaign, baseline="nfs", candidates=["<b>*smb*"])
    assert text.startswith("**Against nfs, rsync")
    assert "&lt;b&gt;&#42;smb&#42; 2.1× slower" in text
    assert figure.layout.meta["alt"].startswith("Against nfs, rsync")
    (entry, *_) = [job.entry for job in plan((str(tmp_path / "c"),))]
    # kept as it was found: the index escapes it
    assert entry.headline.startswith("Against <b>*smb*, rsync")
    assert "nfs 2.1× faster" in entry.headline


def test_one_system_is_said_and_not_drawn(root):
    campaign = fsviz.select(loaded(root / "data/raw/onehost-2026"), systems=["xfs"])
    text, figure, _ = first_sight(campaign, baseline="xfs", candidates=[])
    assert text.startswith("*")
    assert not figure
    assert headline_of(campaign, fsviz.run_checks(campaign)) == ""


@pytest.mark.slow
def test_where_all_are_far_away_the_matrix_compares_the_peers(root):
    campaign = loaded(root / "data/raw/loopback-2026")
    others = ["nfs-v3", "nfs-v4.2", "smb-3.0"]
    chosen = {"candidates": others, "operations": ["read"]}
    text, figure, _ = first_sight(campaign, baseline="local-ext4", **chosen)
    assert text.startswith(
        "**Against local-ext4, IOzone &#40;cache, emulated&#41;: 3 systems"
    )
    assert figure.layout.title.text.endswith("against nfs-v3")
    assert figure.layout.yaxis.ticktext == ("local-ext4", "nfs-v4.2", "smb-3.0")


def test_the_picture_of_an_entry_is_an_image(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    for tool in ("iozone", "bonnie++"):
        picture = ET.fromstring(thumbnail(campaign, tool))
        assert picture.tag == "{http://www.w3.org/2000/svg}svg"


def test_every_entry_of_a_campaign_has_its_headline(root):
    source = str(root / "data/raw/onehost-2026")
    campaign = loaded(root / "data/raw/onehost-2026")
    said = answer(campaign, overview(campaign))
    assert {job.entry.headline for job in plan((source,))} == {said}


def test_the_index_shows_it_escaped(tmp_path):
    entry = {
        "kind": "fsviz report",
        "title": "T",
        "template": "compare",
        "headline": "a <b>2.0×</b> faster",
        "sources": ["s"],
        "formats": ["html"],
        "fingerprint": "0" * 64,
        "made": "today",
    }
    folder = tmp_path / "c"
    folder.mkdir()
    (folder / "compare.json").write_text(json.dumps(entry))
    (folder / "compare.html").write_text("page")
    nbformat.write(nbformat.v4.new_notebook(), folder / "compare.ipynb")
    page = write_index(tmp_path).read_text(encoding="utf-8")
    assert '<p class="headline">a &lt;b&gt;2.0×&lt;/b&gt; faster</p>' in page


def test_the_comparison_begins_with_it(root):
    notebook = nbformat.read(root / "notebooks/compare.ipynb", as_version=4)
    shown = [c.source for c in notebook.cells if "display" in c.source]
    first = next(source for source in shown if "first_sight" in source)
    titles = [c.source for c in notebook.cells if c.source.startswith("## ")]
    place = [c.source for c in notebook.cells].index(first)
    assert place < [c.source for c in notebook.cells].index(titles[0])
