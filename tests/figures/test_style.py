"""Scales, ticks and labels."""

import math
import re

import pytest

from fsviz.answers.words import ANSWER_COLOURS
from fsviz.figures.export import DARK
from fsviz.figures.panels.heatmap import colour_axis
from fsviz.figures.style import _luminance, label, make_scale, size_ticks

MIB = 2**20


def test_a_narrow_range_is_linear_from_zero():
    scale = make_scale([10 * MIB, 40 * MIB, math.nan], "throughput")
    assert (scale.log, scale.low, scale.high) == (False, 0, 40)
    assert scale.title == "throughput [MiB/s]"


def test_a_wide_range_is_logarithmic_and_says_so():
    scale = make_scale([2 * MIB, 100 * MIB], "throughput")
    assert (scale.log, scale.low, scale.high) == (True, 2, 100)
    assert scale.title.endswith("log scale")
    assert scale.ticks() == [2, 5, 10, 20, 50, 100]


def test_a_logarithmic_scale_of_colours_has_two_numbers_at_least():
    whole = colour_axis(make_scale([2 * MIB, 500 * MIB], "throughput"), 0, 0, 1)
    texts = ["2", "5", "10", "20", "50", "100", "200", "500"]
    assert whole["colorbar"]["ticktext"] == texts
    # of one tick alone nobody could read a colour
    narrow = make_scale([82 * MIB, 117 * MIB], "throughput", "log")
    narrow = colour_axis(narrow, 0, 0, 1)
    assert narrow["colorbar"]["ticktext"] == ["82", "100", "117"]
    assert narrow["colorbar"]["tickvals"] == pytest.approx(
        [math.log10(t) for t in (82, 100, 117)]
    )


@pytest.mark.parametrize(
    "top,unit", [(1024, "KiB/s"), (5 * MIB, "MiB/s"), (50 * 2**30, "GiB/s")]
)
def test_the_unit_fits_the_largest_value(top, unit):
    assert make_scale([top], "throughput").unit == unit


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
def test_what_has_no_logarithm_has_no_colour(value):
    assert make_scale([1, 1000], "rate").colour_value(value) is None


def test_nothing_measured_makes_a_scale_all_the_same():
    scale = make_scale([math.nan], "throughput")
    assert scale.low < scale.high


def test_many_sizes_keep_the_largest_labelled():
    sizes = [2**n for n in range(12, 27)]
    ticks = size_ticks(sizes, at_most=5)
    assert ticks["ticktext"][-1] == "64 MiB"
    assert len(ticks["tickvals"]) <= 5


def test_labels_cannot_carry_markup_or_control_characters():
    assert label('<a href="javascript:x">') == "&lt;a href=&quot;javascript:x&quot;&gt;"
    assert "\x1b" not in label("\x1b[31m")
    assert len(label("x" * 500)) < 60


def test_the_legend_of_a_ratio_map_contrasts_with_a_dark_page():
    """Its grey had 3.7 to 1, its blue and red 3.8 (WCAG 2, 1.4.3: 4.5)."""
    pairs = dict(re.findall(r'"(#\w{6})": "(#\w{6})"', DARK))
    ground, *inks = (
        _luminance(bytes.fromhex(pairs[colour][1:]))
        for colour in ("#ffffff", "#6b7682", *ANSWER_COLOURS.values())
    )
    assert min((ink + 0.05) / (ground + 0.05) for ink in inks) >= 4.5
