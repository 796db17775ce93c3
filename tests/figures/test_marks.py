"""Findings in figures: corners of cells, words at them, lines below."""

import html
import json
import re

import pandas as pd
import plotly.graph_objects as go
import pytest
from browsing import browsing, write_page
from frames import KIB, measurements, run

from fsviz.figures.export import to_html
from fsviz.figures.kinds.explorer import CAPTION, explorer
from fsviz.figures.kinds.versus import versus
from fsviz.figures.panels.marks import LEGEND
from fsviz.figures.plot import plot
from fsviz.model.campaign import Campaign

MIB = 2**20
ROWS = [(o, f, r, (f + r) * MIB) for o in ("write", "read") for f in (64, 128)
        for r in (4, 64)]  # fmt: skip
NAMES = ("old <b>", "new")
TABLE = measurements({n: [run(n + k, ROWS) for k in "xyz"] for n in NAMES})


def mark(rule, severity, system, file=None, record=None, **more):
    row = dict.fromkeys(
        ("finding", "against", "tool", "operation", "threads", "setting", "metric"),
        pd.NA,
    )
    sizes = {
        "file_size_bytes": pd.NA if file is None else file * KIB,
        "record_size_bytes": pd.NA if record is None else record * KIB,
    }
    given = {"rule": rule, "severity": severity, "system": system, "against": ""}
    return row | sizes | {"cell": True} | given | more


def marks(*rows):
    frame = pd.DataFrame(rows)
    return frame.astype({"file_size_bytes": "Int64", "record_size_bytes": "Int64"})


SOME = marks(
    mark("too-short", "error", "new", 64, 4),
    mark("unstable-cell", "warning", "new", 64, 4),
    mark("unstable-cell", "warning", "new", 128, 64, operation="write"),
    mark("cpu-bound", "warning", "new", 128, 4, operation="read"),
    mark("too-few-runs", "error", "new"),
    mark("incomplete-run", "error", "new", tool="bonnie++"),
    mark("cache-regime", "warning", "old <b>", 64, 4, cell=False),
    mark("durability-differs", "error", "new", against="old <b>"),
)


def corners(figure, severity, panel="x"):
    """Which cells [log2 B] are marked: each lies left of and below its mark."""
    (trace,) = [
        t
        for t in figure.data
        if t.name == f"{severity} of fsviz check" and (t.xaxis or "x") == panel and t.x
    ]
    # records of 4 and 64 KiB meet half-way, at 14
    places = zip(trace.x, trace.y, strict=True)
    return [(12 if x < 14 else 16, int(y)) for x, y in places]


def notes(figure):
    found = figure.layout.meta["findings"]
    return [(n["where"], n["rule"], n["severity"], n["of"]) for n in found]


def test_the_gravest_finding_of_a_cell_is_its_corner():
    figure = explorer(TABLE, operation="write", marks=SOME)
    assert corners(figure, "error") == [(12, 16)]
    # where most cells have a warning, corners would hide what differs
    assert not [t for t in figure.data if (t.name or "").startswith("warning")]
    old, new = figure.layout.meta["cells"]["systems"]
    rules = figure.layout.meta["cells"]["rules"]
    assert "found" not in old
    assert {k: rules[n] for k, n in new["found"].items()} == {
        0: "error: too-short; warning: unstable-cell",
        3: "warning: unstable-cell",
    }
    maps = [t for t in figure.data if isinstance(t, go.Heatmap)]
    assert maps[0].customdata is None
    texts = maps[1].customdata
    assert list(texts[0]) == ["error: too-short; warning: unstable-cell", ""]
    assert maps[1].hovertemplate.endswith("<br>%{customdata}<extra></extra>")


def test_marks_keep_the_menu_and_the_linking():
    figure = explorer(TABLE, operation="write", marks=SOME)
    shown = figure.layout.updatemenus[1].buttons[0].args[0]["visible"]
    assert [t.visible for t in figure.data] == shown * (len(figure.data) // 2)
    symbols = [t for t in figure.data if "fsviz check" in (t.name or "")]
    assert {t.hoverinfo for t in symbols} == {"skip"}


def test_what_is_about_all_cells_is_said_once_and_not_drawn():
    figure = explorer(TABLE, operation="write", marks=SOME)
    assert notes(figure) == [
        ("Marked cells", "too-short", "error", "new"),
        ("Marked cells", "unstable-cell", "warning", "new"),
        ("All cells", "too-few-runs", "error", "new"),
        ("Beyond single cells", "cache-regime", "warning", "old <b>"),
    ]
    said = f"{CAPTION} {LEGEND} Warnings (1 cell) are marked on demand."
    assert figure.layout.meta["caption"] == said


@pytest.mark.parametrize("given", [None, SOME.iloc[:0], SOME.iloc[4:5]])
def test_without_marks_in_cells_the_figure_is_as_before(given):
    plain = explorer(TABLE, operation="write")
    figure = explorer(TABLE, operation="write", marks=given)
    assert len(figure.data) == len(plain.data)
    assert figure.layout.meta["caption"] == CAPTION
    assert ("findings" in figure.layout.meta) == (given is not None and len(given) > 0)


def test_a_ratio_has_the_marks_of_both_sides_and_of_the_pair():
    more = marks(mark("over-line-rate", "error", "old <b>", 128, 4))
    both = pd.concat([SOME, more], ignore_index=True)
    figure = versus(TABLE, operation="write", baseline="old <b>", marks=both)
    assert corners(figure, "error") == [(12, 17)]
    assert corners(figure, "error", "x2") == [(12, 16), (12, 17)]
    assert ("All cells", "durability-differs", "error", "new") in notes(figure)
    (ratio,) = [t for t in figure.data if t.name == "ratio"]
    assert ratio.hovertext[1][0].endswith("<br>error: over-line-rate")


def test_a_kind_without_a_map_lists_what_concerns_it():
    figure = plot(TABLE, "lines", "read", marks=SOME)
    assert notes(figure) == [
        ("Findings", "too-short", "error", "new"),
        ("Findings", "too-few-runs", "error", "new"),
        ("Findings", "durability-differs", "error", "new"),
        ("Findings", "cache-regime", "warning", "old <b>"),
        ("Findings", "unstable-cell", "warning", "new"),
        ("Findings", "cpu-bound", "warning", "new"),
    ]


def test_notes_link_to_what_the_page_explains_and_escape_names():
    figure = json.loads(explorer(TABLE, operation="write", marks=SOME).to_json())
    page = to_html(figure, "figure-1", {"too-short"})
    assert '<a href="#finding-too-short">too-short</a> (error: new)' in page
    assert "#finding-too-few-runs" not in page
    assert "cache-regime (warning: old &lt;b&gt;)" in page


def test_a_page_with_marks_and_regimes_stays_small():
    """At most 60 kB an explorer of IOzone's 163 cells, every second one marked."""
    sizes = [(2**f, 2**r) for f in range(6, 22) for r in range(2, min(f, 14) + 1)][:163]
    rows = [("write", f, r, (f + r) * 1234.5) for f, r in sizes]
    runs = [
        run(n, [(o, f, r, v * k) for o, f, r, v in rows])
        for n, k in (("a", 2), ("b", 3))
    ]
    facts = {"system": ["nfs"], "client_ram": "64 MiB", "link": None, "mtu": None}
    systems = pd.DataFrame(facts, dtype="string")
    table = measurements({"nfs": runs})
    whole = Campaign("c", "", None, table, pd.DataFrame({"facts": []}), systems)
    found = [mark("too-short", "error", "nfs", f, r) for f, r in sizes[:50]]
    found += [mark("unstable-cell", "warning", "nfs", f, r) for f, r in sizes[20:82]]
    figure = explorer(whole, operation="write", marks=marks(*found))
    page = to_html(json.loads(figure.to_json()), "figure-1")
    assert len(page.encode()) <= 60_000


@pytest.mark.slow
@pytest.mark.browser
def test_the_readout_names_rule_and_regime(chromium, tmp_path):
    facts = {"system": NAMES, "client_ram": "128 KiB", "link": None, "mtu": None}
    systems = pd.DataFrame(facts, dtype="string")
    campaign = Campaign("c", "", None, TABLE, pd.DataFrame({"facts": []}), systems)
    figure = explorer(campaign, operation="write", system=["new"], marks=SOME)
    page = write_page(tmp_path / "page.html", [figure])
    with browsing(chromium) as browser:
        browser.open(page)
        browser.point_at(*browser.cell_place(4 * KIB, 64 * KIB))
        browser.page.wait_for_selector(".fsviz-found")
        assert browser.said("found") == "error: too-short; warning: unstable-cell"
        assert browser.said("regime") == "regime cache"
        browser.page.focus("#figure-1")
        browser.page.keyboard.press("ArrowUp")
        assert browser.said("regime") == "regime transition"
        assert browser.page.locator(".fsviz-found").count() == 0
        assert browser.complaints == []
        assert browser.requests == []


def test_cells_with_an_error_do_not_set_the_colours():
    """One cell 100 times as fast as all others left them one colour."""
    rows = [("write", f, r, (f + r) * MIB) for f in (64, 128, 256) for r in (4, 8)]
    rows[0] = ("write", 64, 4, 26_400 * MIB)
    table = measurements({"a": [run("a", rows)]})
    asked = {"operation": "write", "scale": "linear"}
    plain = explorer(table, **asked)
    found = marks(mark("too-short", "error", "a", 64, 4))
    shown = explorer(table, **asked, marks=found)
    unit = MIB * 1024 if "GiB" in plain.layout.coloraxis.colorbar.title.text else MIB
    assert plain.layout.coloraxis.cmax == pytest.approx(26_400 * MIB / unit)
    assert shown.layout.coloraxis.cmax == pytest.approx(264 * MIB / unit)
    # only the colours end there: the axes still hold the fast cell
    assert shown.layout.yaxis2 == plain.layout.yaxis2
    (surface,) = (t for t in shown.data if t.type == "surface")
    top = max(v for row in surface.z for v in row if v is not None)
    assert top == pytest.approx(26_400 * MIB / unit)


def figure_of(title, *found):
    notes = [
        {"where": where, "rule": rule, "severity": "error", "of": ""}
        for where, rule in found
    ]
    meta = {"caption": "How to <read> it.", "alt": "a", "findings": notes}
    layout = {"title": {"text": f"<b>{title}</b> – &lt;x&gt;"}, "meta": meta}
    return {"data": [], "layout": layout}


def words(figure, above):
    page = to_html(figure, "figure-2", above=above and above["layout"])
    said = re.search(r"<figcaption>(.*)</figcaption>", page)[1]
    assert "<x>" not in said
    return html.unescape(re.sub("<[^>]+>", "", said))


def test_below_a_figure_that_is_read_alike_stands_what_differs():
    first = figure_of("Write", ("All cells", "a"), ("Marked cells", "b"))
    assert words(first, None) == (
        "How to <read> it.All cells: a (error). Marked cells: b (error)."
    )
    same = figure_of("Read", ("All cells", "a"), ("Marked cells", "b"))
    assert words(same, first) == (
        "Read it as “Write – <x>” above. It has the same findings."
    )
    other = figure_of("Read", ("All cells", "a"), ("Marked cells", "c"))
    assert words(other, first) == (
        "Read it as “Write – <x>” above.All cells: as there. Marked cells: c (error)."
    )
    fewer = figure_of("Read", ("All cells", "a"))
    assert words(fewer, first) == (
        "Read it as “Write – <x>” above.All cells: as there. Marked cells: none."
    )
    without = figure_of("Read")
    assert words(without, figure_of("Write")) == "Read it as “Write – <x>” above."
