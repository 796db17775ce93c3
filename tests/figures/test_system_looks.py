"""A system has one colour and one shape in every figure of a campaign."""

import re

import pytest
from samples import loaded

import fsviz
from fsviz.figures.looks import looks
from tests.checks.outputs import LOOPBACK

KINDS = {
    "buckets": {"operation": "write"},
    "lines": {"operation": "write"},
    "ratios": {},
}
SHAPES = re.compile(r"(?!line|arrow|triangle-right|triangle-left|x-thin)")


def inks(figure, name):
    """Colours and symbols of the markers of a system, without those of bounds."""
    found = set()
    for trace in figure.data:
        of = {trace.name, trace.legendgroup}
        if (
            trace.mode is None
            or "markers" not in trace.mode
            or not of & {name, f"of {name}"}
        ):
            continue
        mark = trace.marker
        shapes = [mark.symbol] if isinstance(mark.symbol, str) else mark.symbol
        ink = mark.color if isinstance(mark.color, str) else None
        # what is not decided is hollow
        ink = None if ink == "#fff" else ink
        ink = ink or mark.line.color or trace.line.color
        found |= {(ink, one) for one in shapes or () if SHAPES.match(one)}
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(KINDS))
def test_a_part_of_the_campaign_has_the_colours_of_the_whole(kind):
    campaign = loaded(LOOPBACK)
    whole = looks(campaign)
    # neither the first nor all: a figure that counts its own systems would start anew
    some = ["nfs-v4.2", "smb-3.1.1", "nfs-v3"]
    what = KINDS[kind] | ({"baseline": "nfs-v4.0"} if kind == "ratios" else {})
    names = ["nfs-v4.0", *some] if kind == "ratios" else some
    figure = fsviz.plot(campaign, kind, system=names, **what)
    drawn = {name: inks(figure, name) for name in some}
    assert any(drawn.values())
    for name, found in drawn.items():
        assert found <= {whole[name], (whole[name].colour, "circle")}, name
        assert {ink for ink, _ in found} <= {whole[name].colour}


def test_dots_of_runs_are_of_their_system():
    campaign = loaded(LOOPBACK)
    whole = looks(campaign)
    figure = fsviz.plot(campaign, "lines", "transfer", system=["smb-3.0"], x="none")
    dots = [t.marker.color for t in figure.data if t.name == "runs of smb-3.0"]
    assert dots == [whole["smb-3.0"].pale(0.45)]


def test_systems_of_a_protocol_share_a_hue_and_no_two_look_alike():
    whole = looks(loaded(LOOPBACK))
    assert len(set(whole.values())) == len(whole)
    nfs = {look.colour for name, look in whole.items() if name.startswith("nfs")}
    smb = {look.colour for name, look in whole.items() if name.startswith("smb")}
    assert len(nfs) == len(smb) == 1
    assert nfs != smb


def test_shapes_alone_tell_systems_apart_as_long_as_there_are_enough():
    """In grey, or for somebody who sees no hue."""
    iozone = fsviz.select(loaded(LOOPBACK), tool=["iozone"]).systems["system"]
    whole = looks(loaded(LOOPBACK))
    shapes = [whole[name].symbol for name in iozone]
    assert len(set(shapes[:8])) == 8
    assert max(map(shapes.count, shapes)) <= 2
