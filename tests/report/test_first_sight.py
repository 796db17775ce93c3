"""What a page and the index say first."""

import base64
import gzip
import json
import math
import re

import nbformat
import pytest
from browser import opened
from samples import loaded
from simulated import campaign as made
from simulated import usual

import fsviz
from fsviz.answers.about import place_scopes
from fsviz.answers.headline import answer, shown_first
from fsviz.answers.matrix import overview
from fsviz.answers.statement import statements
from fsviz.answers.words import in_two_lines
from fsviz.checks.engine import Examiner
from fsviz.model.tools import TOOLS
from fsviz.report.first_sight import card_of, describe_measured, first_sight
from fsviz.report.index import write_index
from fsviz.report.matrix import card_lines
from fsviz.report.plan import plan


def test_many_settings_have_a_row_each_and_cells_name_their_system(tmp_path):
    rows = ["system,operation,iodepth,sync,repeat,value"]
    for k, noise in enumerate((0.99, 1.01, 1.0, 1.005, 0.995)):
        for depth in (1, 2, 4, 8):
            for op in ("read", "write"):
                rows.append(f"a,{op},{depth},1,{k},{100 * noise * depth} MiB/s")
                rows.append(f"b&c,{op},{depth},1,{k},{200 * noise} MiB/s")
    (tmp_path / "a.csv").write_text("\n".join(rows))
    campaign = fsviz.load(tmp_path)
    assert not card_lines(overview(campaign, "a"))
    told = describe_measured(campaign, ["a", "b&c"])
    assert told.startswith("2 systems · 4 settings · 10 runs · ")
    sight = first_sight(campaign, baseline="a", candidates=["b&c"])
    table, *_ = re.findall("<table.*?</table>", sight.matrix.data)
    heads, *body = re.findall("<tr>.*?</tr>", table)[1:]
    assert re.findall(">([a-z]+)</th>", heads) == ["write", "read", "write", "read"]
    assert "<small>sync=1</small>" in table
    found = [re.findall(r"<t[hd][^>]*>([^<]*)", row) for row in body]
    assert [own for own, *_ in found] == [f"iodepth={d}" for d in (1, 2, 4, 8)]
    assert [cells[1:] for cells in found] == [
        # of a mean there is no value
        ["100 MiB/s"] * 2 + [""] + ["▲2.0×"] * 3,
        ["200 MiB/s"] * 2 + [""] + ["="] * 3,
        ["400 MiB/s"] * 2 + [""] + ["▼2.0×"] * 3,
        ["800 MiB/s"] * 2 + [""] + ["▼4.0×"] * 3,
    ]
    assert table.count('data-system="b&amp;c"') == 12


@pytest.mark.slow
def test_the_headline_is_bold_and_its_names_mean_nothing(tmp_path):
    for system, seconds in (("nfs", 8), ("<b>*smb*", 17)):
        (tmp_path / "c" / system).mkdir(parents=True)
        for n in (1, 2, 3):
            text = f"\nreal\t0m{seconds}.{n}00s\nuser\t0m1.000s\nsys\t0m0.100s\n"
            (tmp_path / "c" / system / f"r{n}.txt").write_text(text)
    campaign = fsviz.load(tmp_path / "c")
    sight = first_sight(campaign, baseline="nfs", candidates=["<b>*smb*"])
    text, matrix = sight.headline, sight.matrix
    assert text.startswith("**Against nfs, rsync")
    assert "&lt;b&gt;&#42;smb&#42; 2.1× slower" in text
    assert '<th scope="row">&lt;b&gt;*smb*</th>' in matrix.data
    assert "<b>*" not in matrix.data
    (entry, *_) = [job.entry for job in plan((str(tmp_path / "c"),))]
    # kept as it was found: the index escapes it
    assert entry.card.headline.startswith("Against <b>*smb*, rsync")
    assert "nfs 2.1× faster" in entry.card.headline


@pytest.mark.slow
def test_what_is_shared_stands_in_words_below_names(root):
    campaign = loaded(root / "data/raw/loopback-2026")
    names = ["nfs-v4.1", "nfs-v4.2-async", "sshfs"]
    shown = first_sight(campaign, baseline="nfs-v3", candidates=names).matrix.data
    words = "also differs: export options"
    assert f'<th scope="row">nfs-v4.2-async<small>{words}</small></th>' in shown
    assert '<th scope="col">read<small>(cache)</small></th>' in shown
    # one run decides nothing, and no count beside it says so twice
    assert "0 / 0" not in shown
    assert "Won and lost count operations beyond 5 %" in shown
    some = first_sight(
        loaded(root / "data/raw/onehost-2026"), baseline="ext4", candidates=["xfs"]
    )
    assert 'colspan="4">bonnie++ <small>(storage)</small></th>' in some.matrix.data
    assert "Empty: nothing to compare." in shown
    assert "Empty: nothing to compare." not in some.matrix.data
    assert "Checks below count cells (one test, system and size)." in some.matrix.data


@pytest.mark.slow
def test_where_nothing_is_decided_no_column_waits_for_what_was_won(tmp_path):
    """An empty column under "won / lost", and its explanation, stood beside one run."""
    for runs, shown in ((1, False), (5, True)):
        folder = made(tmp_path / str(runs), {"a": usual, "b": lambda *_: 2.0}, runs)
        sight = first_sight(fsviz.load(folder), baseline="a", candidates=["b"])
        for words in ("won /<br>lost", "Won and lost"):
            assert (words in sight.matrix.data) == shown


def test_one_system_is_said_and_not_drawn(root):
    campaign = fsviz.select(loaded(root / "data/raw/onehost-2026"), system=["xfs"])
    sight = first_sight(campaign, baseline="xfs", candidates=[])
    assert sight.headline.startswith("**xfs, IOzone: write ")
    assert "in memory" in sight.headline
    # in a notebook an empty text would be shown, in quotes
    assert sight.matrix.data == ""
    assert describe_measured(campaign, ["xfs"], "iozone").startswith(
        "1 system · 5 runs"
    )
    assert "reference" not in describe_measured(campaign, ["xfs"])
    assert sight.cells is None
    (_, said) = sight.headline.split("xfs", 1)
    card = card_of(campaign, Examiner(campaign)).headline
    assert card.split(",")[:2] == ["xfs", said.split(",")[1]]


@pytest.mark.slow
def test_every_system_is_examined_by_the_rules_that_were_asked(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    asked = {"baseline": "ext4", "ignore": ["clock-quantised"]}
    told = {"baseline": "ext4", "examination": fsviz.run_checks(campaign, **asked)}
    sight = first_sight(campaign, candidates=["xfs"], operations=["write"], **told)
    found = [set(sight.examined(name).findings["rule"]) for name in ("ext4", "xfs")]
    assert "clock-quantised" not in found[0]
    every = fsviz.run_checks(campaign, baseline="xfs").findings["rule"]
    assert set(every) - found[1] == {"clock-quantised"}


@pytest.mark.slow
def test_where_all_are_far_away_the_matrix_compares_the_peers(root):
    campaign = loaded(root / "data/raw/loopback-2026")
    others = ["nfs-v3", "nfs-v4.2", "smb-3.0"]
    chosen = {"candidates": others, "operations": ["read"]}
    sight = first_sight(campaign, baseline="local-ext4", **chosen)
    assert sight.headline.startswith(
        "**Against nfs-v3, IOzone read &#40;cache&#41;: local-ext4 1.1–15× faster,"
        " most at 128-KiB records"
    )
    assert sight.reference == "nfs-v3"
    # what maps show is judged against each reference, the first one first
    assert sight.references == ["nfs-v3", "local-ext4", "nfs-v4.2", "smb-3.0"]
    assert list(sight.cells["baseline"].unique()) == sight.references
    view, *_ = sight.matrix.data.split('class="matrix-view"')[1:]
    rows = re.findall(r'<th scope="row">([^<]*)', view)
    assert rows == ["nfs-v3", "local-ext4", "nfs-v4.2", "smb-3.0"]


def behind(matrix, view=0):
    """What is behind each cell of a view, line by line."""
    (lines,) = re.findall(r'"matrix-lines">(.*?)</script>', matrix.data)
    lines, shown = json.loads(lines), matrix.data
    if view:
        (packed,) = re.findall(r'"matrix-more">(.*?)</script>', matrix.data)
        more = json.loads(gzip.decompress(base64.b64decode(packed)))
        lines, shown = lines + more["lines"], more["views"][view - 1]
    return [
        [lines[int(n)] for n in numbers.split()]
        for numbers in re.findall(r'data-told="(.*?)"', shown)
    ]


@pytest.mark.slow
def test_a_page_of_one_tool_has_the_answers_of_the_comparison(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    told = {"baseline": "ext4", "candidates": ["xfs", "btrfs"]}
    found = {}
    for tool in ("", "bonnie++"):
        cells = behind(first_sight(campaign, tool=tool, **told).matrix)
        found[tool] = [cell for cell in cells if cell[0].startswith("bonnie")]
    assert found[""] == found["bonnie++"]
    # three throughputs and their mean of two systems; every rate there is +++++
    assert len(found[""]) == 8


@pytest.mark.slow
def test_the_menu_offers_every_reference_and_the_sizes(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    told = {"baseline": "ext4", "candidates": ["xfs", "btrfs"]}
    matrix = first_sight(campaign, operations=["write"], **told).matrix
    options = re.findall(r"<option[^>]*>(.*?)</option>", matrix.data)
    sizes = ["ext4, measurable sizes only", "ext4, storage sizes only"]
    assert options == ["ext4", "xfs", "btrfs", *sizes]
    first, second = behind(matrix)[0], behind(matrix, 1)[0]
    assert first[0].endswith("write: xfs against ext4")
    assert second[0].endswith("write: ext4 against xfs")
    # where it was printed: campaign files, with the line
    place = r"xfs: from \S*iozone/xfs/\S*, line \d+, and 4 more files"
    assert any(re.fullmatch(place, line) for line in first)


@pytest.mark.slow
def test_a_cell_too_fast_to_be_timed_says_so_and_where_it_was_printed(root):
    campaign = fsviz.select(loaded(root / "data/raw/onehost-2026"), tool=["bonnie++"])
    cells = behind(first_sight(campaign, baseline="ext4", candidates=["btrfs"]).matrix)
    write, mean = (
        next(
            cell for cell in cells if cell[0] == f"bonnie++ {what}: btrfs against ext4"
        )
        for what in ("sequential output block", "all operations, throughput")
    )
    assert write[1] == "more than 1.5× slower"
    assert mean[1] == "more than 1.2× slower"
    for cell in (write, mean):
        assert any("+++++, only a limit; runs: 5 of btrfs" in line for line in cell)
        assert not any("0 cells" in line for line in cell)
    place = r"btrfs: from \S*bonnie\+\+/btrfs/\S*, line \d+, and 4 more files"
    assert any(re.fullmatch(place, line) for line in write)


@pytest.mark.slow
def test_the_legend_of_a_card_explains_the_marks_of_its_cells(root):
    """sshfs ran rsync alone, so the card shows no cell of the first tool, IOzone."""
    card = card_lines(overview(loaded(root / "data/raw/loopback-2026"), "sshfs"))
    assert card["title"].startswith("rsync")
    texts = {cell.text for line in card["lines"] for cell in line.cells}
    assert {text[:1] for text in texts} == {"·"}
    assert card["legend"] == ("▲ faster; ▼ slower; · measured, but not tested")
    # each sign that it explains stands in a cell, and no other
    signs = {sign for text in texts for sign in text if sign in "▲▼⇅=≈?≠✗·"}
    assert signs == {"▲", "▼", "·"}


@pytest.mark.slow
def test_every_entry_of_a_campaign_has_its_headline(root):
    source = str(root / "data/raw/onehost-2026")
    campaign = loaded(root / "data/raw/onehost-2026")
    frame = overview(campaign)
    said = answer(shown_first(campaign, frame))
    entries = [job.entry for job in plan((source,))]
    assert {entry.card.headline for entry in entries} == {said}
    # 1 error, 8 warnings: the gravest stands first
    assert [list(e.findings) for e in entries] == [["error", "warning", "info"]] * 3


def index_of(folder, card):
    """Write an index of one campaign of which the card is known."""
    entry = {
        "kind": "fsviz report",
        "title": "T",
        "template": "compare",
        "card": card,
        "sources": ["s"],
        "formats": ["html"],
        "fingerprint": "0" * 64,
        "made": "today",
    }
    (folder / "c").mkdir()
    (folder / "c/compare.json").write_text(json.dumps(entry))
    (folder / "c/compare.html").write_text("page")
    nbformat.write(nbformat.v4.new_notebook(), folder / "c/compare.ipynb")
    return write_index(folder)


def test_the_index_shows_it_escaped(tmp_path):
    card = {
        "headline": "a <b>2.0×</b> faster",
        "columns": ["<i>write"],
        "lines": [{"system": "<u>s", "cells": [{"text": "▲<s>"}]}],
    }
    page = index_of(tmp_path, card).read_text(encoding="utf-8")
    assert '<p class="headline">a &lt;b&gt;2.0×&lt;/b&gt; faster</p>' in page
    assert "&lt;i&gt;write</th>" in page
    assert "&lt;u&gt;s</th><td>▲&lt;s&gt;</td>" in page


@pytest.mark.slow
@pytest.mark.browser
def test_all_operations_of_a_tool_are_in_sight_on_the_index(tmp_path, chromium):
    """Even where two cards stand side by side, at 1280 px."""
    names = [name for name in TOOLS["bonnie++"].operations if "per_char" not in name]
    titles = [" ".join(in_two_lines(name)).strip() for name in names]
    columns = [*titles, "mean B/s", "mean op/s"]
    cells = [{"text": "▼>5.9×" if "delete" in name else "▲1.3×"} for name in columns]
    card = {"columns": columns, "lines": [{"system": "nfs", "cells": cells}]}
    page = index_of(tmp_path, card)
    with opened(chromium, page, (1280, 900)) as watched:
        columns, wide, room = watched.page.evaluate(
            """(e => { e.closest(".card").style.width = "608px";
            return [e.querySelectorAll("th[scope=col]").length, e.scrollWidth,
                    e.clientWidth]; })(document.querySelector(".matrix-scroll"))"""
        )
    assert columns == 12
    assert 400 < wide <= room < 608


@pytest.mark.slow
@pytest.mark.browser
def test_a_wide_matrix_has_a_line_of_the_index_to_itself(tmp_path, chromium):
    """Untested cells are the widest: a dot, a mark, and how many times."""
    columns = [f"operation {n}" for n in range(12)]
    cells = [{"text": "·▼>2.3×"}] * 12
    card = {"columns": columns, "lines": [{"system": "a server", "cells": cells}]}
    page = index_of(tmp_path, card)
    with opened(chromium, page, (1280, 900)) as watched:
        wide, room, over = watched.page.evaluate(
            """(card => {
              const other = card.cloneNode(true);
              other.querySelector(".matrix-scroll").remove();
              card.after(other, other.cloneNode(true));
              const inside = card.querySelector(".matrix-scroll");
              return [card.clientWidth, other.clientWidth,
                      inside.scrollWidth - inside.clientWidth];
            })(document.querySelector(".campaigns .card"))"""
        )
    assert over == 0
    assert room < wide / 2


@pytest.mark.slow
@pytest.mark.browser
def test_on_a_phone_a_card_shows_the_means_of_its_operations(tmp_path, chromium, root):
    campaign = loaded(root / "data/raw/onehost-2026")
    card = card_of(campaign, Examiner(campaign)).model_dump(mode="json")
    page = index_of(tmp_path, card)
    shown = ".card .cells th[scope=col]:visible"
    for width, columns in ((1280, card["columns"]), (390, ["mean B/s"])):
        with opened(chromium, page, (width, 844)) as watched:
            assert watched.page.locator(shown).all_inner_texts() == columns
            body = watched.page.locator(".card .cells td:visible")
            assert body.count() == len(columns) * len(card["lines"]) + 1
            assert watched.page.evaluate(
                """(e => e.scrollWidth <= e.clientWidth)
                (document.querySelector(".matrix-scroll"))"""
            )


def test_the_comparison_begins_with_it(root):
    notebook = nbformat.read(root / "notebooks/compare.ipynb", as_version=4)
    shown = [c.source for c in notebook.cells if "display" in c.source]
    first = next(source for source in shown if "first_sight" in source)
    titles = [c.source for c in notebook.cells if c.source.startswith("## ")]
    place = [c.source for c in notebook.cells].index(first)
    assert place < [c.source for c in notebook.cells].index(titles[0])


@pytest.mark.slow
def test_the_letter_of_a_scope_stands_raised_on_the_index_too(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    card = card_of(campaign, Examiner(campaign))
    cells = [cell for line in card.lines for cell in line.cells]
    frame = overview(campaign).query("tool == 'iozone'")
    rows = statements(frame)
    assert {c.text for c in cells} == {one.cell + one.strip for one in rows}
    scopes = place_scopes(rows)
    assert {cell.about for cell in cells} == {*map(scopes.letters, rows)}
    assert card.columns[2] == "read (storage)"
    assert not any(c.text[-1].isalpha() for c in cells if c.text)


@pytest.mark.slow
def test_a_page_about_times_has_seconds_what_was_copied_and_colours_that_rank(root):
    campaign = loaded(root / "data/raw/loopback-2026")
    names = ["local-ext4", "local-xfs", "nfs-v3", "nfs-v4.1", "smb-3.0"]
    said = describe_measured(campaign, names, "rsync")
    assert said.endswith("1,800 files, 18.6 MiB copied")
    told = {"baseline": names[0], "candidates": names[1:], "tool": "rsync"}
    matrix = first_sight(campaign, **told).matrix.data
    shown = matrix.partition("matrix-lines")[0]
    grounds = []
    table = campaign.measurements.query("tool == 'rsync' and metric == 'elapsed'")
    for name in names[2:]:
        row = shown.partition(f'<th scope="row">{name}<')[2].partition("</tr>")[0]
        own = table.query("system == @name")["value"].astype(float)
        seconds = math.exp(own.map(math.log).mean())
        assert f">{seconds:.3g} s<" in row
        grounds.append(re.search("background:([^;]+);", row)[1])
    # 8, 11 and 20 times slower: no two of one colour
    assert len(set(grounds)) == len(grounds)


def test_without_a_shared_number_there_is_no_matrix(tmp_path):
    times = "\nreal\t0m9.15s\nuser\t0m0.010s\nsys\t0m0.010s\n"
    for name, command in (("a", "rsync -a s/ d/"), ("b", "cp -a s d")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "r.txt").write_text(f"$ time {command}{times}")
    sight = first_sight(fsviz.load(tmp_path), baseline="a", candidates=["b"])
    assert sight.headline == (
        "**Nothing to compare: a and b have no number in common.**"
    )
    assert sight.matrix.data == ""


def test_what_contradicts_the_headline_stands_below_it(tmp_path):
    rows = [
        f"{system},{run},{operation},{100 + run},{latency * 10 + run / 100}"
        for system, latency in (("<a>", 1), ("b", 3))
        for operation in ("read", "write", "reread")[: 2 + (system == "b")]
        for run in range(4)
    ]
    head = "system,repeat,operation,throughput (MiB/s),latency (ms)\n"
    (tmp_path / "own.csv").write_text(head + "\n".join(rows) + "\n")
    campaign = fsviz.load(tmp_path / "own.csv")
    sight = first_sight(campaign, baseline="<a>", candidates=["b"], tool="table")
    first, *lines = sight.headline.split("\n\n")
    assert first == "**Against &lt;a&gt;, own table: b about the same.**"
    assert lines == [
        "But b against &lt;a&gt;: latency 3.0× slower at write and 1 more.",
        "own table reread: measured for b, but not for &lt;a&gt;.",
    ]
