"""The flat kinds as data, on tables that can be checked by hand."""

import inspect
import math
import re

import pytest
from frames import measurements, repeats
from samples import loaded

import fsviz
from fsviz.figures.panels.references import references
from fsviz.figures.plot import KINDS, function_of, plot
from fsviz.model.errors import UsageError

MIB = 2**20


# the second run is 10 % above the first, the third 10 % below it
VALUES = {"one <i>": (10, 30), "two": (20, 20)}
TABLE = measurements(
    {
        name: repeats(name, values, [(64, 4), (64, 64)], (1.0, 1.1, 0.9))
        for name, values in VALUES.items()
    }
)


def named(figure, name):
    return [t for t in figure.data if t.name == name]


def test_buckets_tell_the_two_spreads_apart():
    figure = plot(TABLE, "buckets", "write")
    cells, runs = named(figure, "std_cells"), named(figure, "interval")
    # one: cell means 10 and 30, s = 14.14; runs' means 20, 22 and 18, s = 2, and
    # t(2; 0.975) = 4.3027: half an interval is 4.3027 · 2 / √3
    assert cells[0].y[1] == pytest.approx(20 + 10 * math.sqrt(2))
    assert (runs[0].y[0], runs[0].y[1]) == (
        pytest.approx(20 - 4.9683, abs=1e-3),
        pytest.approx(20 + 4.9683, abs=1e-3),
    )
    # two: both cells 20
    assert cells[1].y[:2] == pytest.approx((20, 20))
    assert named(figure, "one &lt;i&gt;")[0].y == pytest.approx([20])
    assert cells[0].line.color != runs[0].line.color
    assert figure.layout.xaxis.ticktext == ("small",)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_without_its_numbers_says_so(kind):
    empty = TABLE.iloc[:0]
    with pytest.raises(UsageError):
        plot(empty, kind, "write")


def test_an_unknown_kind_is_named():
    with pytest.raises(
        UsageError, match=r"kind: expected one of explorer, .* found pie"
    ):
        plot(TABLE, "pie")


@pytest.mark.parametrize(
    "kind,more,says",
    [
        ("versus", {"colour": 1}, r"versus: expected one of operation, .* colour$"),
        ("lines", {"baseline": "a"}, r"lines: expected one of .*, found baseline$"),
    ],
)
def test_a_keyword_that_a_kind_does_not_take_is_refused(kind, more, says):
    with pytest.raises(UsageError, match=says):
        plot(TABLE, kind, **more)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["explorer", "maps", "lines", "versus"])
def test_a_caption_asks_for_nothing_that_paper_cannot_do(kind, root):
    campaign = loaded(root / "data/raw/onehost-2026")
    caption = plot(campaign, kind, operation="write").layout.meta["caption"]
    assert len(caption) > 40
    assert not re.search(r"\b(turn|point at|click|drag|hover|press|touch)", caption)


def test_a_figure_needs_an_operation():
    with pytest.raises(UsageError, match="explorer: expected operation=NAME"):
        fsviz.explorer(TABLE)


@pytest.mark.parametrize("kind", KINDS)
def test_help_names_every_keyword_that_a_kind_takes(kind):
    """As ``help`` in Jupyter shows it, and as completion offers it."""
    draw = function_of(kind)
    data, *keywords = inspect.signature(draw).parameters
    assert data == "data"
    assert tuple(keywords) == draw.takes
    text = inspect.getdoc(draw)
    assert "{" not in text.replace("{'", "")
    for name in ("data", *keywords):
        assert re.search(rf"^{name} : .+\n    \w", text, re.MULTILINE)


def test_a_stated_link_becomes_a_line_in_both_slices(root):
    campaign = loaded(root / "data/raw/loopback-2026")
    marks = references(campaign, ["nfs-v3"])
    # 1 Gbit/s at MTU 1500: 125e6 B/s * 0.941; RAM 1536 MiB
    assert [(m.kind, m.value) for m in marks] == [
        ("throughput", pytest.approx(125e6 * 1448 / 1538)),
        ("file size", 1536 * MIB),
        ("file size", 3 * 1536 * MIB),
    ]
    names = ["nfs-v3", "local-ext4"]
    figure = plot(campaign, "explorer", "read", system=names)
    lines = [s for s in figure.layout.shapes if s.line.dash == "dash"]
    assert [(line.xref, line.yref) for line in lines] == [
        ("x3 domain", "y3"),
        ("x4 domain", "y4"),
    ]
    for line in lines:
        assert line.y0 == pytest.approx(125e6 * 1448 / 1538 / MIB, rel=1e-4)
    texts = [note.text for note in figure.layout.annotations]
    assert "╌ link payload 112 MiB/s" in texts
    assert references(campaign, ["local-ext4"]) == marks[1:]


def test_the_memory_s_size_is_a_line_between_rows_that_hides_no_number(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    figure = plot(campaign, "explorer", "write", system=["ext4", "xfs"])
    lines = [s for s in figure.layout.shapes if s.line.dash == "dot"]
    # 256 MiB = 2^28 and three times that; rows stand at whole numbers
    for axis in ("y", "y2"):
        assert [s.y0 for s in lines if s.yref == axis] == [27.5, 29.5]
    upright = [s.x0 for s in lines if s.xref == "x4"]
    assert upright == [28, pytest.approx(28 + 1.585, abs=0.001)]
    texts = [note.text for note in figure.layout.annotations]
    assert any(text.endswith("RAM 256 MiB, 3 × RAM 768 MiB") for text in texts)


def test_a_stated_cpu_cache_becomes_a_mark(tmp_path):
    folder = tmp_path / "c"
    (folder / "a").mkdir(parents=True)
    (folder / "a/t.txt").write_text("\nreal\t0m8.5s\nuser\t0m0.1s\nsys\t0m0.0s\n")
    (folder / "campaign.toml").write_text('[facts]\ncpu_cache = "32 MiB"\n')
    (mark,) = references(fsviz.load(folder), ["a"])
    assert (mark.kind, mark.value) == ("file size", 32 * MIB)


def test_a_bucket_with_runs_too_quick_to_time_says_more_than(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    figure = plot(campaign, "buckets", operation="sequential_output_block")
    dots = {trace.name: trace for trace in figure.data if trace.text}
    assert dots["xfs"].y == (2.0,)
    assert dots["xfs"].marker.symbol == ("triangle-up",)
    assert "more than 2 GiB/s" in dots["xfs"].text[0]
    assert "more than" not in dots["btrfs"].text[0]
    assert "too fast to time" in figure.layout.meta["caption"]
    figure = plot(campaign, "buckets", operation="read")
    assert "too fast to time" not in figure.layout.meta["caption"]


def test_a_lone_name_is_one_system_not_its_letters():
    one, listed = (
        plot(TABLE, "lines", "write", system=systems) for systems in ("two", ["two"])
    )
    assert one.to_json() == listed.to_json()
    with pytest.raises(UsageError, match=r"expected two systems or more, found 1"):
        plot(TABLE, "versus", system="two")
