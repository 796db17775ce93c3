"""PDF: printed by a real Chromium, read back by poppler."""

import re
import subprocess

import pytest
from campaigns_made import iozone, put
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from fsviz import load
from fsviz.report._file_list import describe_files
from fsviz.report.html import FsvizPDFExporter
from fsviz.report.plan import report

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def text_of(path, how="-layout"):
    done = subprocess.run(
        ["pdftotext", how, path, "-"], capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.fixture(scope="module")
def printed(root, chromium, tmp_path_factory):
    out = tmp_path_factory.mktemp("pdf")
    source = str(root / "data/raw/onehost-2026")
    # its comparison is printed by the commands of docs/howto/publish.md
    told = {"formats": ("pdf",), "templates": ("iozone", "bonnie")}
    batch = report([source], out, **told, jobs=2)
    assert [o.error for o in batch.outcomes if o.error] == []
    return out / "onehost-2026"


def test_text_can_be_selected_and_pages_are_numbered(printed):
    pages = text_of(printed / "iozone.pdf").split("\f")
    assert "One host 2026" in pages[0]
    # which is faster, whether to believe it and by how much, then where
    assert "Against ext4" in pages[0]
    assert re.search(r"^ *btrfs +slower in \d of 6 tests", pages[0], re.MULTILINE)
    assert len(re.findall(r"[!✓✗] \w+ \w+(?: \w+)?\?", pages[0])) == 4
    assert re.search(r"xfs [\d.]+× faster\s+btrfs [\d.]+× slower", pages[0])
    # each operation has its picture
    pictures = [
        page
        for page in pages
        if "btrfs against ext4" in page or "xfs against ext4" in page
    ]
    assert len(pictures) >= 3
    assert "write: btrfs 1.83× slower" in "".join(pages)
    assert "By how much" in "".join(pages)
    assert re.search(rf"1 ?/ ?{len(pages) - 1}\b", pages[0])
    assert len(pages) - 1 <= 12
    # words inside a figure are text too
    assert "random read: " in "".join(pages)
    assert "ext4 [GiB/s]" in "".join(pages)


def test_fonts_are_embedded(printed):
    done = subprocess.run(
        ["pdffonts", printed / "iozone.pdf"], capture_output=True, text=True, check=True
    )
    fonts = done.stdout.splitlines()[2:]
    assert fonts
    assert all(" yes " in line for line in fonts)


def test_every_operation_has_its_picture_with_all_systems(printed):
    pages = text_of(printed / "iozone.pdf").split("\f")
    title = re.compile(r"^\s*write: btrfs ", re.MULTILINE)
    (write,) = (page for page in pages if title.search(page))
    for name in ("ext4 [GiB/s]", "xfs", "btrfs"):
        assert name in write
    # what only a screen can use is left out
    for word in ("drag", "Point at", "Slices"):
        assert word not in "".join(pages)
    # a heading with its counts stands over its picture
    (rewrite,) = (page for page in pages if "rewrite: btrfs" in page)
    assert re.search(r"^Rewrite\s+xfs .* faster\s+btrfs .* slower", rewrite.strip())


def test_headings_are_bookmarks(printed):
    raw = (printed / "iozone.pdf").read_bytes()
    assert b"/Outlines" in raw


def test_markup_in_names_is_text(timings, chromium, tmp_path):
    label = "<b>{{7*7}}</b>]]>"
    out = tmp_path / "out"
    (outcome,) = report(
        [f"{label}={timings}/nfs/r1.txt"], out, formats=("pdf",)
    ).outcomes
    assert not outcome.error
    assert label in text_of(out / outcome.pages[0])


def test_the_same_input_prints_the_same_bytes_but_for_the_date(timings, tmp_path):
    copies = []
    for name in ("once", "again"):
        batch = report([str(timings)], tmp_path / name, formats=("pdf",))
        assert [o.error for o in batch.outcomes if o.error] == []
        raw = (tmp_path / name / "timings/rsync.pdf").read_bytes()
        # Chromium numbers the elements of a tagged PDF by the nodes that ever were
        raw = re.sub(rb"\(node\d+\)", b"(node)", raw)
        copies.append(re.sub(rb"/(CreationDate|ModDate) ?\(D:[^)]*\)", b"", raw))
        assert len(copies[-1]) < len(raw)
    assert copies[0] == copies[1]


def block(number):
    """More filling in each, so that page ends fall everywhere into what follows."""
    filling = "\n\n".join(["Filling."] * number)
    items = "\n".join(f"- item{number} of five" for _ in range(5))
    rows = "".join(f"<tr><td>row{number}</td></tr>" for _ in range(6))
    table = f"<table><thead><tr><th>head</th></tr></thead><tbody>{rows}</tbody></table>"
    cell = new_code_cell("", outputs=[new_output("display_data", {"text/html": table})])
    return [new_markdown_cell(f"{filling}\n\nlabel{number}\n\n{items}"), cell]


def test_what_is_short_is_on_one_page(chromium, tmp_path):
    """A list of five with what announces it, and a table of six rows."""
    cells = [cell for number in range(10, 34) for cell in block(number)]
    pages, _ = FsvizPDFExporter().from_notebook_node(new_notebook(cells=cells))
    (tmp_path / "short.pdf").write_bytes(pages)
    pages = text_of(tmp_path / "short.pdf").split("\f")
    assert len(pages) > 6
    for number in range(10, 34):
        for word, times in (("label", 1), ("item", 5), ("row", 6)):
            found = [page.count(f"{word}{number}") for page in pages]
            assert sorted(found)[-2:] == [0, times], (word, number, found)
        labelled = next(page for page in pages if f"label{number}" in page)
        assert f"item{number}" in labelled


def test_a_small_table_stays_with_what_is_before_it(chromium, tmp_path):
    """What follows is a heading that its list, too long for the rest, draws along."""
    rows = "<tr><td>first</td></tr><tr><td>last</td></tr>"
    table = f"<table><tbody>{rows}</tbody></table>"
    outputs = [new_output("display_data", {"text/html": table})]
    items = "\n".join(["- one of five " + "with much to say " * 60] * 5)
    cells = [
        new_markdown_cell("\n\n".join(["Filling."] * 14)),
        new_code_cell("", outputs=outputs),
        new_markdown_cell(f"## Heading\n\nWhat follows:\n\n{items}"),
    ]
    pages, _ = FsvizPDFExporter().from_notebook_node(new_notebook(cells=cells))
    (tmp_path / "small.pdf").write_bytes(pages)
    first, second, *_ = text_of(tmp_path / "small.pdf").split("\f")
    assert "first" in first
    assert "last" in first
    assert "Heading" in second


def test_paper_counts_the_files_that_a_screen_lists(chromium, tmp_path):
    files = {f"a/run{n}.txt": iozone(n) for n in range(45)} | {"a/odd.txt": "hello"}
    told = describe_files(load(put(tmp_path / "camp", files))).data
    cell = new_code_cell("", outputs=[new_output("display_data", {"text/html": told})])
    page, _ = FsvizPDFExporter().from_notebook_node(new_notebook(cells=[cell]))
    (tmp_path / "files.pdf").write_bytes(page)
    text = text_of(tmp_path / "files.pdf")
    assert re.search(r"^ *\. +a +iozone +iozone +45 ", text, re.MULTILINE)
    assert "odd.txt" in text
    assert "run7.txt" not in text


def test_a_long_line_does_not_make_the_print_smaller(tmp_path, chromium):
    # Chromium shrinks all pages until the widest line fits
    told = "- nfs-v3: /exports/data " + "x" * 400
    text = new_output("display_data", {"text/markdown": told})
    heights = []
    for outputs in ([], [text]):
        cells = [new_markdown_cell("# Yardstick"), new_code_cell("", outputs=outputs)]
        page, _ = FsvizPDFExporter().from_notebook_node(new_notebook(cells=cells))
        path = tmp_path / "page.pdf"
        path.write_bytes(page)
        boxes = text_of(path, "-bbox")
        found = re.search(r'yMin="(.+?)".*yMax="(.+?)">Yardstick', boxes)
        heights.append(float(found[2]) - float(found[1]))
    assert heights[1] == pytest.approx(heights[0], rel=0.01)
