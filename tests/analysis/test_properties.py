"""What must hold of every comparison, whatever was measured."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from compared import compare
from frames import run
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import fsviz
from fsviz.analysis.tests import control
from fsviz.model.campaign import Campaign
from fsviz.model.runs import number_repeats, tabulate

ROOT = Path(__file__).resolve().parents[2]

SIZES = ((64, 4), (64, 64), (1024, 4))
OPERATIONS = ("write", "read")
KEY = ["operation", "metric", "bucket", "candidate"]
TESTED = ["ratio", "ci_low", "ci_high", "p_value", "paired", "scope"]
SAID = ["answer", "scope", "caveats", "rule", "paired"]
SWAPPED = {"faster": "slower", "faster_in_part": "slower_in_part"}
SWAPPED |= {theirs: ours for ours, theirs in SWAPPED.items()}
ORDERS = ("taking turns", "one after another", "no times")
ROUNDS = st.sampled_from(ORDERS)
SEEDS = st.integers(0, 10**6)


def few(examples):
    """As many examples, and more of them in `make test-slow`."""
    times = max(1, settings().max_examples // 100)
    return settings(deadline=None, max_examples=examples * times)


def campaign(systems, order="no times", **changes):
    """Systems by name, each an array of values: runs × operations × sizes."""
    placed = []
    for s, (name, values) in enumerate(systems.items()):
        for k, one in enumerate(values):
            rows = [
                (operation, f, r, float(v))
                for operation, row in zip(OPERATIONS, one, strict=False)
                for (f, r), v in zip(SIZES, row, strict=False)
                if math.isfinite(v)
            ]
            slot = k * 10 + s if order == "taking turns" else s * 10 + k
            began = "" if order == "no times" else f"2026-01-01T{slot // 60:02}:"
            began += f"{slot % 60:02}:00" if began else ""
            placed.append(("", name, replace(run(f"{name}{k}", rows), started=began)))
    table, runs = tabulate(number_repeats(placed))
    listed = pd.DataFrame({"system": list(systems)}, dtype="string")
    return replace(Campaign("c", "", None, table, runs, listed), **changes)


def values(seed, runs=4, shift=0.0, sd=0.05):
    """Log-normal values of one system: runs × operations × sizes [B/s]."""
    rng = np.random.default_rng(seed)
    shape = (len(OPERATIONS), len(SIZES))
    level = 12 + 0.3 * np.arange(math.prod(shape)).reshape(shape) + shift
    return np.exp(level + rng.normal(0, sd, (runs, 1, 1)) + rng.normal(0, sd, shape))


def verdicts(frame):
    return frame.set_index(KEY)["answer"].to_dict()


@pytest.mark.parametrize(
    "order,shift", [(ORDERS[0], 0.04), (ORDERS[1], 0.3), (ORDERS[2], 0.0)]
)
@few(1)
@given(SEEDS)
def test_swapping_two_systems_inverts_ratio_interval_and_verdict(order, shift, seed):
    runs = {"a": values(seed, 6), "b": values(seed + 1, 6, shift)}
    runs["b"][0, 0, 0] = math.nan
    both = campaign(runs, order)
    there = compare(both, baseline="a")
    back = compare(both, baseline="b")
    assert there["paired"].tolist() == [order == "taking turns"] * len(there)
    for one, other in (
        ("ratio", "ratio"),
        ("ci_low", "ci_high"),
        ("bound_low", "bound_high"),
        ("mean_ratio", "mean_ratio"),
        ("total_time_ratio", "total_time_ratio"),
    ):
        np.testing.assert_allclose(there[one], 1 / back[other], rtol=1e-9)
    np.testing.assert_allclose(there["q_value"], back["q_value"], rtol=1e-9)
    swapped = [SWAPPED.get(word, word) for word in back["answer"]]
    assert there["answer"].tolist() == swapped


@few(2)
@given(SEEDS, ROUNDS)
def test_another_system_changes_no_test(seed, order):
    pair = {"a": values(seed), "b": values(seed + 1, shift=0.1)}
    third = values(seed + 2, shift=3.0)
    # q, and so whether a cell is decided, counts all tests of the campaign
    key = ["operation", "metric", "file_size_bytes", "record_size_bytes", "candidate"]
    before, after = (
        compare(campaign(some, order), cells=True).set_index(key)[TESTED]
        for some in (pair, {**pair, "c": third})
    )
    pd.testing.assert_frame_equal(after.loc[before.index], before)


def test_another_system_with_other_sizes_changes_no_row():
    small = {name: values(s)[:, :, :1] for s, name in enumerate("ab")}
    before = compare(campaign(small), by="record_size")
    larger = campaign({**small, "c": values(9)})
    after = compare(larger, by="record_size", candidate=["b"])
    columns = before.columns.drop(["q_value", "answer"])
    pd.testing.assert_frame_equal(before[columns], after[columns])
    cells = compare(campaign(small), cells=True)
    columns = cells.columns.drop(["q_value", "answer", "range_low", "range_high"])
    before = cells[columns]
    after = compare(larger, cells=True, candidate=["b"])[columns]
    pd.testing.assert_frame_equal(before, after)


@few(2)
@given(SEEDS, st.sets(st.sampled_from(OPERATIONS), min_size=1), ROUNDS)
def test_asking_for_some_operations_or_candidates_changes_no_verdict(
    seed, operations, order
):
    systems = {n: values(seed + i, shift=0.06 * i) for i, n in enumerate("abc")}
    whole = campaign(systems, order)
    everything = compare(whole)
    some = compare(whole, operation=sorted(operations), candidate=["c"])
    wanted = everything.loc[everything["operation"].isin(operations)]
    wanted = wanted.loc[wanted["candidate"] == "c"].reset_index(drop=True)
    pd.testing.assert_frame_equal(some, wanted)


def shuffled(whole, chance):
    """The same campaign, its files read in another order."""
    frames = {}
    for name in ("measurements", "runs"):
        frame = getattr(whole, name)
        mixed = list(frame.index)
        chance.shuffle(mixed)
        frames[name] = frame.loc[mixed].reset_index(drop=True)
    return replace(whole, **frames)


@few(2)
@given(st.randoms(use_true_random=False), SEEDS, ROUNDS)
def test_the_order_of_files_changes_no_verdict(chance, seed, order):
    whole = campaign({"a": values(seed), "b": values(seed + 1, shift=0.1)}, order)
    one, other = (compare(c, baseline="a") for c in (whole, shuffled(whole, chance)))
    assert verdicts(one) == verdicts(other)


def said(frame):
    """What a judged comparison says of each row, as text."""
    return frame.set_index(KEY)[SAID].astype(str).to_dict("index")


@pytest.fixture(scope="module", params=ORDERS[:2])
def judged(request):
    """Two systems, when their runs began, and what is said of them."""
    # more than four runs with this scatter leave to drift
    pair = {"a": values(7), "b": values(8, shift=1.0)}
    frame = compare(campaign(pair, request.param), baseline="a")
    assert frame["paired"].tolist() == [request.param == "taking turns"] * len(frame)
    assert "faster" in set(frame["answer"])
    alone = request.param == "one after another"
    assert all(("one after another" in words) == alone for words in frame["scope"])
    return pair, request.param, said(frame)


@pytest.mark.slow
def test_another_system_and_order_of_files_change_nothing_judged(judged):
    pair, order, before = judged
    more = campaign({**pair, "c": values(9, shift=3.0)}, order)
    after = said(compare(shuffled(more, random.Random(1)), baseline="a"))
    assert {key: after[key] for key in before} == before


@pytest.mark.slow
def test_asking_for_less_and_swapping_swap_the_verdict_and_nothing_judged(judged):
    pair, order, before = judged
    asked = {"operation": ["read"], "candidate": ["a"]}
    after = said(compare(campaign(pair, order), baseline="b", **asked))
    assert len(after) == len(before) / len(OPERATIONS)
    for (*place, _), row in after.items():
        verdict = SWAPPED.get(row["answer"], row["answer"])
        assert before[(*place, "b")] == row | {"answer": verdict}


@pytest.mark.parametrize("order", ["taking turns", "no times"])
def test_an_interval_holds_its_own_ratio_and_what_the_digits_allow(order):
    systems = {"a": np.floor(values(1) / 3e4), "b": np.floor(values(2) / 3e4)}
    frame = compare(campaign(systems, order), cells=True)
    assert (frame["ci_low"] <= frame["bound_low"]).all()
    assert (frame["bound_low"] <= frame["ratio"]).all()
    assert (frame["ratio"] <= frame["bound_high"]).all()
    assert (frame["bound_high"] <= frame["ci_high"]).all()


def test_one_run_has_bounds_and_no_interval():
    frame = compare(campaign({"a": values(1, 1), "b": values(2, 5)}))
    assert frame["ci_low"].isna().all()
    assert frame["ci_high"].isna().all()
    assert (frame["bound_low"] <= frame["ratio"]).all()


@pytest.mark.slow
def test_a_copy_of_a_run_changes_nothing_but_a_note(tmp_path):
    """A file saved again with other line ends under another name is the same run."""
    raw = ROOT / "data/raw/onehost-2026/iozone"
    for system in ("ext4", "xfs"):
        (tmp_path / system).mkdir()
        for repeat in (1, 2, 3):
            name = f"rep{repeat}.txt"
            (tmp_path / system / name).write_bytes((raw / system / name).read_bytes())
    before = fsviz.load(tmp_path)
    again = (tmp_path / "xfs/rep2.txt").read_text().replace("\n", "\r\n")
    (tmp_path / "xfs/saved-again.txt").write_text(again, newline="")
    after = fsviz.load(tmp_path)
    pd.testing.assert_frame_equal(
        compare(before, by="operation"), compare(after, by="operation")
    )
    assert len(after.runs) == len(before.runs)
    assert not before.notes
    assert any("saved-again.txt" in str(note) for note in after.notes)


@few(100)
@given(st.lists(st.one_of(st.floats(0, 1), st.just(math.nan)), max_size=30))
def test_q_is_what_scipy_says_of_the_tests_that_were_made(found):
    p = np.array(found, dtype=float)
    made = np.isfinite(p)
    q = control(p)
    assert np.isnan(q[~made]).all()
    if made.any():
        expected = stats.false_discovery_control(p[made], method="bh")
        np.testing.assert_allclose(q[made], expected, rtol=1e-13)
