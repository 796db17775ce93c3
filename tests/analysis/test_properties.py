"""What must hold of every comparison, whatever was measured."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from frames import run
from hypothesis import given, settings
from hypothesis import strategies as st

import fsviz
from fsviz.analysis.comparison import compare
from fsviz.model.campaign import Campaign
from fsviz.model.runs import number_repeats, tabulate

ROOT = Path(__file__).resolve().parents[2]

SIZES = ((64, 4), (64, 64), (1024, 4), (1024, 1024))
OPERATIONS = ("write", "read", "random_read")
KEY = ["operation", "metric", "bucket", "candidate"]
SWAPPED = {"faster": "slower", "slower": "faster"}
ROUNDS = st.sampled_from(["taking turns", "one after another", "no times"])


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
    level = 12 + 0.3 * np.arange(12).reshape(3, 4) + shift
    return np.exp(level + rng.normal(0, sd, (runs, 1, 1)) + rng.normal(0, sd, (3, 4)))


def verdicts(frame):
    return frame.set_index(KEY)["verdict"].to_dict()


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.04, 0.3]), ROUNDS, st.booleans())
def test_swapping_two_systems_inverts_ratio_interval_and_verdict(
    seed, shift, order, robust
):
    runs = {"a": values(seed, 8), "b": values(seed + 1, 8, shift)}
    runs["b"][0, 0, 0] = math.nan
    both = campaign(runs, order)
    there = compare(both, baseline="a", robust=robust)
    back = compare(both, baseline="b", robust=robust)
    assert there["paired"].tolist() == [order == "taking turns"] * len(there)
    for one, other in (
        ("geomean_ratio", "geomean_ratio"),
        ("ci_low", "ci_high"),
        ("bound_low", "bound_high"),
        ("mean_ratio", "mean_ratio"),
        ("total_time_ratio", "total_time_ratio"),
    ):
        np.testing.assert_allclose(there[one], 1 / back[other], rtol=1e-9)
    np.testing.assert_allclose(there["q_value"], back["q_value"], rtol=1e-9)
    swapped = [SWAPPED.get(word, word) for word in back["verdict"]]
    assert there["verdict"].tolist() == swapped


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6), ROUNDS)
def test_another_system_changes_no_verdict(seed, order):
    pair = {"a": values(seed), "b": values(seed + 1, shift=0.1)}
    third = values(seed + 2, shift=3.0)
    before = verdicts(compare(campaign(pair, order)))
    after = verdicts(compare(campaign({**pair, "c": third}, order)))
    assert {key: after[key] for key in before} == before


def test_another_system_with_other_sizes_changes_no_row():
    small = {name: values(s)[:, :, :2] for s, name in enumerate("ab")}
    before = compare(campaign(small))
    after = compare(campaign({**small, "c": values(9)}), candidates=["b"])
    pd.testing.assert_frame_equal(before, after)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6), st.sets(st.sampled_from(OPERATIONS), min_size=1))
def test_asking_for_some_operations_or_candidates_changes_no_verdict(seed, operations):
    systems = {n: values(seed + i, shift=0.06 * i) for i, n in enumerate("abc")}
    whole = campaign(systems)
    everything = compare(whole)
    some = compare(whole, operations=sorted(operations), candidates=["c"])
    wanted = everything.loc[everything["operation"].isin(operations)]
    wanted = wanted.loc[wanted["candidate"] == "c"].reset_index(drop=True)
    pd.testing.assert_frame_equal(some, wanted)


@settings(deadline=None, max_examples=20)
@given(st.randoms(use_true_random=False), st.integers(0, 10**6), ROUNDS)
def test_the_order_of_files_changes_no_verdict(random, seed, order):
    whole = campaign({"a": values(seed), "b": values(seed + 1, shift=0.1)}, order)
    mixed = list(whole.measurements.index)
    random.shuffle(mixed)
    shuffled = replace(whole, measurements=whole.measurements.loc[mixed])
    one, other = (compare(c, baseline="a") for c in (whole, shuffled))
    assert verdicts(one) == verdicts(other)


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
    assert (frame["bound_low"] <= frame["geomean_ratio"]).all()


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
        fsviz.compare(before, by="operation"), fsviz.compare(after, by="operation")
    )
    assert len(after.runs) == len(before.runs)
    assert not before.notes
    assert any("saved-again.txt" in str(note) for note in after.notes)
