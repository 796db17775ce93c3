"""The explorer of notebooks: controls, and the figures that follow them."""

import asyncio
import json
from dataclasses import replace

import pytest

import fsviz
from fsviz.figures import _explore_notebook as explored
from fsviz.figures import widget
from fsviz.figures.widget import PENDING, explore

SOURCE = "data/raw/onehost-2026"


@pytest.fixture(scope="module", autouse=True)
def no_loop_of_others():
    """Hide the loop that Playwright leaves running in a thread with a browser."""
    before = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(before)


@pytest.fixture(scope="module")
def board(root):
    return explore([str(root / SOURCE)])


def controls(board):
    return {c.description: c for c in board.children[0].children}


def title(board):
    return json.loads(board.children[-1].figures[0])["layout"]["title"]["text"]


def test_controls_offer_what_the_campaign_has(board):
    offered = controls(board)
    names = ["Campaign", "Systems", "Operation", "Metric", "Buckets"]
    names += ["Regime", "Against", "Scale", "Several"]
    assert list(offered) == names
    assert set(offered["Systems"].value) == {"btrfs", "ext4", "xfs"}
    assert "random_read" in offered["Operation"].options
    assert "Ctrl" in offered["Several"].value


@pytest.mark.slow
def test_the_figures_follow_the_controls(board):
    controls(board)["Operation"].value = "random_read"
    assert "random read: " in title(board)
    controls(board)["Systems"].value = ("xfs",)
    assert "xfs" in title(board)
    controls(board)["Buckets"].value = ("small",)
    cells = json.loads(board.children[-1].figures[0])["layout"]["meta"]["cells"]
    assert max(cells["files"]) == 512 * 1024


@pytest.mark.slow
def test_the_scale_is_chosen_and_never_changes_in_silence(board):
    scale = controls(board)["Scale"]
    axes = set()
    for kind in ("log", "linear"):
        scale.value = kind
        for operation in ("random_read", "write"):
            controls(board)["Operation"].value = operation
            layout = json.loads(board.children[-1].figures[0])["layout"]
            axes.add((kind, layout["yaxis3"].get("type", "linear")))
            assert scale.value == kind
    assert axes == {("log", "log"), ("linear", "linear")}


def test_what_can_be_shown_is_shown_before_the_rest(board):
    seen = []
    figures = board.children[-1]
    figures.observe(lambda change: seen.append(change["new"]), names="figures")
    controls(board)["Operation"].value = "reread"
    figures.unobserve_all("figures")
    first, last = seen
    assert "reread: " in first[0]
    assert first == [last[0], *[PENDING] * (len(last) - 1)]
    assert PENDING not in last


@pytest.mark.slow
def test_what_is_likely_chosen_next_is_drawn_before(root, monkeypatch):
    """In a kernel, where something runs while the reader looks."""
    monkeypatch.setattr(widget, "_REST", 0)
    drawn = []
    for name in ("explorer", "buckets"):
        real = getattr(explored, name)

        def counted(*args, real=real, **kwargs):
            drawn.append((real.__name__, kwargs["operation"]))
            return real(*args, **kwargs)

        monkeypatch.setattr(explored, name, counted)
    logs = root / "tests/data/iozone/3.489"
    source = f"a={logs}/auto_E_i0_11_12.txt b={logs}/auto_E_i0910.xls"
    chosen = {
        "Against": ("b", "a"),
        "Buckets": (("medium", "very_large"), ("small", "medium")),
        "Operation": ("rewrite",),
    }

    async def read():
        board = explore([source])
        async with asyncio.timeout(300):
            await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})
        drawn.clear()
        for name, values in chosen.items():
            for value in values:
                controls(board)[name].value = value
        return board, list(drawn)

    board, again = asyncio.run(read())
    assert not again
    alone = explore([source])
    controls(alone)["Operation"].value = "rewrite"
    assert board.children[-1].figures == alone.children[-1].figures


@pytest.mark.slow
def test_the_other_campaigns_are_read_and_drawn_before_they_are_chosen(
    root, tmp_path, monkeypatch
):
    monkeypatch.setattr(widget, "_REST", 0)
    read, drawn = [], []

    class Counted(explored.Explored):
        def __init__(self, source, campaign):
            super().__init__(source, campaign)
            self.source = source

        def buckets(self, chosen):
            drawn.append((self.source, chosen.operation))
            return super().buckets(chosen)

    monkeypatch.setattr(widget, "load", lambda one: read.append(one) or fsviz.load(one))
    monkeypatch.setattr(widget, "Explored", Counted)
    logs = root / "tests/data/iozone/3.489"
    good = f"a={logs}/auto_E_i0_11_12.txt b={logs}/auto_E_i0910.xls"
    turned = f"b={logs}/auto_E_i0910.xls a={logs}/auto_E_i0_11_12.txt"
    empty = str(tmp_path)

    async def looked():
        board = explore([good, empty, turned])
        controls(board)["Operation"].value = "rewrite"
        async with asyncio.timeout(300):
            while (turned, "rewrite") not in drawn:
                await asyncio.sleep(0.05)
        return board

    board = asyncio.run(looked())
    assert read == [good, empty, turned]
    controls(board)["Campaign"].value = turned
    assert read == [good, empty, turned]
    followed = board.children[-1].figures
    controls(board)["Campaign"].value = empty
    assert "expected" in board.children[1].value
    assert not board.children[-1].figures
    alone = explore([turned])
    controls(alone)["Operation"].value = "rewrite"
    assert followed == alone.children[-1].figures


def test_nothing_chosen_is_said_and_not_raised(board):
    controls(board)["Buckets"].value = ()
    assert "expected measurements, found none" in board.children[1].value
    controls(board)["Buckets"].value = ("small", "medium")
    assert board.children[1].value == ""


@pytest.mark.slow
def test_a_regime_is_a_choice_like_the_others(board):
    controls(board)["Buckets"].value = ("large", "very_large")
    controls(board)["Regime"].value = "storage"
    cells = json.loads(board.children[-1].figures[0])["layout"]["meta"]["cells"]
    assert cells["files"] == [2**30]
    controls(board)["Buckets"].value = ("small",)
    assert "regime storage: none of" in board.children[1].value
    controls(board)["Regime"].value = ""
    assert board.children[1].value == ""


@pytest.mark.slow
def test_the_answer_says_against_whom_and_the_map_shows_where(root):
    board = explore([str(root / SOURCE)])
    said = board.children[2]
    assert said.value.startswith(
        "Against ext4, all sizes: xfs 1.4× faster, btrfs 1.8× slower"
    )
    controls(board)["Against"].value = "xfs"
    assert "Against xfs" in said.value
    drawn = json.loads(board.children[-1].figures[0])
    assert "against xfs" in drawn["layout"]["annotations"][4]["text"]
    # of what is not chosen nothing is said
    controls(board)["Systems"].value = ("xfs", "btrfs")
    assert "btrfs" in said.value
    assert "ext4" not in said.value
    # with the reference alone there is nothing to compare
    controls(board)["Systems"].value = ("xfs",)
    assert len(board.children[-1].figures) == 2


@pytest.mark.slow
def test_another_campaign_keeps_the_operation(root):
    sources = [str(root / SOURCE), str(root / SOURCE / "iozone")]
    board = explore(sources)
    controls(board)["Operation"].value = "random_read"
    controls(board)["Campaign"].value = sources[1]
    assert controls(board)["Operation"].value == "random_read"
    assert "random read: " in title(board)


@pytest.mark.slow
@pytest.mark.parametrize(
    "source, found",
    [
        (
            "tests/data/bonnie/1.97.3/v1973_s0.out.txt",
            "numbers by file size and record size",
        ),
        ("nowhere", "expected a file or folder"),
    ],
)
def test_of_a_campaign_that_cannot_be_shown_nothing_is(root, source, found):
    log = root / "tests/data/iozone/3.489/auto_E_i0_11_12.txt"
    board = explore([str(root / source), f"a={log}"])
    assert found in board.children[1].value
    controls(board)["Regime"].value = "storage"
    controls(board)["Regime"].value = ""
    controls(board)["Campaign"].value = f"a={log}"
    assert board.children[1].value == ""
    assert "a" in title(board)
    controls(board)["Campaign"].value = str(root / source)
    assert found in board.children[1].value
    controls(board)["Operation"].value = "rewrite"
    assert found in board.children[1].value
    assert not board.children[-1].figures


@pytest.mark.slow
def test_another_reference_changes_the_explorer_alone(root):
    board = explore([str(root / SOURCE)])
    before = list(board.children[-1].figures)
    other = controls(board)["Against"].options[-1]
    controls(board)["Against"].value = other
    after = list(board.children[-1].figures)
    assert [old == new for old, new in zip(before, after, strict=True)] == [False, True]
    controls(board)["Operation"].value = "read"
    controls(board)["Operation"].value = "write"
    assert list(board.children[-1].figures) == after


@pytest.mark.slow
def test_the_explorer_is_that_of_a_comparison_of_its_own(root):
    board = explore([str(root / SOURCE)])
    controls(board)["Against"].value = "xfs"
    operation = controls(board)["Operation"].value
    campaign = fsviz.load(root / SOURCE)
    table = campaign.measurements.dropna(subset=["record_size_bytes", "value"])
    shown = replace(campaign, measurements=table)
    drawn = json.loads(
        fsviz.explorer(shown, operation=operation, baseline="xfs").to_json()
    )
    ours = json.loads(board.children[-1].figures[0])
    for figure in (drawn, ours):
        figure["ratios"] = {
            tuple(map(tuple, trace["z"]))
            for trace in figure["data"]
            if trace.get("name") == "ratio"
        }
    assert drawn["ratios"] == ours["ratios"]
    assert len(ours["ratios"]) == 2
    cells = ours["layout"]["meta"]["cells"]
    assert cells["systems"][0]["name"] == "xfs"
