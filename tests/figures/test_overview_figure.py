"""The overview as a figure: the frame's numbers, words and inks."""

import math

import pandas as pd
import pytest

from fsviz.answers.matrix import COLUMNS
from fsviz.figures.kinds.overview import draw_overview

SAID = "Against base, <b>IOzone</b>: a 2.0× faster."


def row(candidate, operation, verdict, speed=math.nan, **more):
    usual = dict.fromkeys(COLUMNS, math.nan)
    usual |= {"tool": "iozone", "threads": 1, "setting": "", "metric": "throughput"}
    usual |= {"baseline": "base", "scope": [], "disqualified_by": []}
    usual |= dict.fromkeys(("faster_in", "slower_in", "classes", "caveats"), ())
    usual |= {"class_speeds": (), "class_q": ()}
    usual |= dict.fromkeys(("files", "records"), ())
    usual |= {
        "other_metric": "",
        "torn": None,
        "lone_cell": None,
        "rare": (),
        "lacking": "",
        "alone": "",
    }
    usual |= {"advice": (), "no_single_winner": False, "is_apart": False}
    usual |= {"cells": 5, "n_baseline": 5, "n_candidate": 4}
    usual |= {"numbers": True, "is_apart": False}
    said = {"candidate": candidate, "operation": operation, "verdict": verdict}
    return usual | said | {"speed": speed} | more


FRAME = pd.DataFrame(
    [
        row("a", "write", "faster", 2.0, scope=["cache", "sync against async"]),
        row("<i>b</i>", "write", "slower", 1 / 64),
        row("a", "read", "unclear", 1.3),
        row("<i>b</i>", "read", "disqualified", 3.0, disqualified_by=["invalid-mode"]),
        row("absent", "read", "untested", n_candidate=0, cells=0),
        row("a", "all", "faster", 1.5),
        row("a", "transfer", "slower", speed_low=0, speed_high=0.25, tool="rsync"),
    ]
)


@pytest.fixture(scope="module")
def figure():
    return draw_overview(FRAME, SAID)


def test_colours_are_the_logarithms_of_speeds_where_there_is_an_answer(figure):
    cells = figure.data[0]
    assert [list(line) for line in cells.z] == [
        [1.0, 0.0, pytest.approx(math.log2(1.5), rel=1e-4)],
        [pytest.approx(-figure.layout.coloraxis.cmax), 0.0, None],
    ]
    # only a bound is known: 4 times slower at least
    assert [list(line) for line in figure.data[2].z] == [[-2.0]]
    assert figure.layout.coloraxis.cmin == -figure.layout.coloraxis.cmax


def test_texts_say_the_same_as_the_cells(figure):
    written = dict(
        zip(
            zip(figure.data[1].x, figure.data[1].y, strict=True),
            figure.data[1].text,
            strict=True,
        )
    )
    assert written == {
        (0, 0): "▲ 2.0×ca",
        (1, 0): "? ▲1.3×",
        (2, 0): "▲ 1.5×",
        (0, 1): "▼ 64×",
        (1, 1): "✗ ▲3.0×",
        (3, 0): "1 / 0",
        (3, 1): "0 / 1",
    }
    (bound,) = figure.data[3].text
    assert bound == "▼ &gt;4.0×"


def test_ink_is_light_on_dark_cells_and_dark_on_light_ones(figure):
    inks = dict(zip(figure.data[1].text, figure.data[1].textfont.color, strict=True))
    assert inks["▼ 64×"] == "#fff"
    assert inks["? ▲1.3×"] == "#000"


def test_hover_says_in_words_what_is_known(figure):
    first = figure.data[0].customdata[0][0]
    assert "2.0× faster" in first
    assert "about: cache, sync against async" in first
    assert "5 cells, runs 5 + 4" in first
    assert "because of invalid-mode" in figure.data[0].customdata[1][1]
    assert figure.data[0].customdata[1][2] == "not measured"


def test_the_alternative_text_is_the_finding_and_names_are_escaped(figure):
    alt = figure.layout.meta["alt"]
    assert alt.startswith("Against base, &lt;b&gt;IOzone&lt;/b&gt;: a 2.0× faster.")
    assert "<i>" not in figure.to_json().replace("\\u003c", "<")
    # who was not measured with a tool has no row there
    assert figure.layout.yaxis.ticktext == ("a", "&lt;i&gt;b&lt;/i&gt;")
    assert figure.layout.yaxis2.ticktext == ("a",)
