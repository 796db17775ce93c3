"""The first sight of a comparison: the judged rows, turned, counted and told."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from checks.outputs import LOOPBACK, ONEHOST, loaded

import fsviz
from fsviz.answers.about import place_scopes
from fsviz.answers.headline import (
    WORDS,
    answer,
    headline,
    most_different,
    peers,
    shown_first,
)
from fsviz.answers.matrix import overview, won_and_lost
from fsviz.answers.sections import names_words
from fsviz.answers.statement import statements
from fsviz.text.first_sight import overview_text


def row(candidate, verdict="unclear", speed=math.nan, **more):
    usual = {
        "tool": "iozone",
        "threads": 1,
        "setting": "",
        "operation": "all",
        "metric": "throughput",
        "baseline": "base",
        "scope": [],
        "disqualified_by": [],
        "speed_low": math.nan,
        "speed_high": math.nan,
        "bound_low": math.nan,
        "bound_high": math.nan,
        "n_baseline": 5,
        "numbers": True,
        "n_candidate": 5,
        "cells": 1,
        "no_single_winner": False,
        **dict.fromkeys(("faster_in", "slower_in", "classes", "caveats", "advice"), ()),
        **dict.fromkeys(("total_speed", "mean_speed"), math.nan),
    }
    return usual | {"candidate": candidate, "verdict": verdict, "speed": speed} | more


def told(*rows):
    return headline(pd.DataFrame(list(rows)))


def said_of(one):
    (made,) = statements(pd.DataFrame([one]))
    return made


@pytest.fixture(scope="module")
def loopback():
    campaign = loaded(LOOPBACK)
    return campaign, overview(campaign, "nfs-v3")


@pytest.mark.slow
def test_verdict_and_scope_are_those_of_the_comparison(loopback):
    campaign, frame = loopback
    keys = ["tool", "operation", "metric", "candidate"]
    for by in ("operation", "tool"):
        judged = fsviz.compare(campaign, baseline="nfs-v3", by=by).set_index(keys)
        own = frame.loc[(frame["operation"] == "all") == (by == "tool")]
        assert len(own) > 30
        for line in own.to_dict("records"):
            known = judged.loc[tuple(line[k] for k in keys)]
            for name in ("verdict", "scope", "disqualified_by", "cells"):
                assert line[name] == known[name]


@pytest.mark.slow
def test_a_cell_about_sizes_of_several_regimes_names_none_of_them():
    frame = overview(loaded(ONEHOST))
    rows = statements(frame.query("tool == 'iozone'"))
    mixed = [one for one in rows if one.scope == ("cache", "transition", "storage")]
    single = [one for one in rows if one.scope == ("storage",)]
    assert len(mixed) >= 8
    assert len(single) >= 6
    assert {one.about for one in mixed} == {()}
    assert {one.about for one in single} == {("storage",)}
    # what a whole column is about stands in its head, and in no cell
    scopes = place_scopes(rows)
    assert {column[1] for column in scopes.columns} == {"read", "reread", "random_read"}
    assert not any(map(scopes.letters, rows))
    # and of a whole tool, with its name
    whole = place_scopes(statements(frame))
    assert whole.tools == {"bonnie++": ("storage",)}


def test_the_words_of_a_scope_stand_where_all_cells_share_them():
    """Letters had to be looked up, and "d also differs" did not say what."""
    facts, waits = ["also differs: kernel"], ["cache", "sync against async"]
    frame = pd.DataFrame(
        [
            single("a", "faster", 2, "read", scope=["cache", *facts]),
            single("a", "faster", 2, "write", scope=[*waits, *facts]),
            single("a", "faster", 2, "rewrite", scope=facts),
            single("b", "slower", 0.5, "read", scope=["cache"]),
            single("b", "slower", 0.5, "write", scope=["one after another"]),
            single("b", "slower", 0.5, "rewrite", scope=["storage"]),
            single("c", "untested", 2, "read"),
            single("c", "same", 1, "write", scope=["sync against async"]),
        ]
    )
    said = statements(frame)
    scopes = place_scopes(said)
    assert scopes.tools == {}
    assert scopes.columns == {("iozone", "read", "throughput"): ("cache",)}
    assert scopes.systems == {
        "a": ("also differs: kernel",),
        "b": ("one after another (part of iozone)",),
        "c": ("sync against async",),
    }
    letters = {(s.candidate, s.operation): scopes.letters(s) for s in said}
    assert {key: text for key, text in letters.items() if text} == {
        ("a", "write"): "ca",
        ("b", "rewrite"): "s",
    }
    text = overview_text(frame, "")
    assert "Small c: cache. Small s: storage. Small a: sync against async" in " ".join(
        text.split()
    )
    assert re.search(r"^a +.* also differs: kernel$", text, re.MULTILINE)
    assert "d also" not in text


def test_less_time_is_a_higher_speed(loopback):
    _, frame = loopback
    times = frame.query("metric == 'elapsed' and ratio == ratio")
    assert len(times) > 10
    assert np.allclose(times["speed"] * times["ratio"], 1)
    surely = times.query("speed_low == speed_low")
    assert (surely["speed_low"] <= surely["speed"]).all()
    assert (surely["speed"] <= surely["speed_high"]).all()
    rates = frame.query("metric == 'throughput' and ratio == ratio")
    assert (rates["speed"] == rates["ratio"]).all()
    decided = frame.query("verdict in ('faster', 'slower') and speed == speed")
    assert ((decided["speed"] > 1) == (decided["verdict"] == "faster")).all()


def test_each_operation_is_answered_once_by_its_main_metric(loopback):
    _, frame = loopback
    single = frame.query("operation != 'all'")
    assert not single.duplicated(["tool", "threads", "operation", "candidate"]).any()
    metrics = single.drop_duplicates(["tool", "operation"]).set_index("operation")
    assert metrics.loc["random_seeks", "metric"] == "rate"
    assert metrics.loc["transfer", "metric"] == "elapsed"
    assert "latency" not in set(frame["metric"])


def test_wins_are_the_operations_with_that_verdict(loopback):
    _, frame = loopback
    most = 0
    for _, own in frame.groupby(["tool", "candidate"], observed=True):
        single = own.query("operation != 'all'")
        # a ratio within the band is no win, however sure it is
        ratio = single["ratio"].fillna(0)
        beyond = (ratio <= 1 / 1.05) | (ratio >= 1.05)
        # nor is one that another mean does not name: its sign is no arrow
        signs = pd.Series([one.mark for one in statements(single)], single.index)
        counts = [int((beyond & (signs == mark)).sum()) for mark in "▲▼"]
        (name,) = own["candidate"].unique()
        assert (won_and_lost(statements(own), name) or (0, 0)) == tuple(counts)
        most = max(most, *counts)
    assert most > 1


def test_a_difference_within_the_band_is_neither_won_nor_lost():
    rows = [
        single("a", "faster", 1.03, "write", ratio=1.03),
        single("a", "faster", 1.2, "read", ratio=1.2),
        single("a", "slower", 0.97, "reread", ratio=0.97),
    ]
    assert won_and_lost(statements(pd.DataFrame(rows)), "a") == (1, 0)


@pytest.mark.slow
def test_what_is_asked_for_is_what_is_answered():
    chosen = overview(loaded(ONEHOST), "xfs", ["btrfs"], ["read", "write"])
    assert set(chosen["operation"]) == {"read", "write", "all"}
    assert set(chosen["candidate"]) == {"btrfs"}
    assert set(chosen["baseline"]) == {"xfs"}


@pytest.mark.slow
def test_the_committed_campaigns_are_told_in_forty_words(loopback):
    campaign, _ = loopback
    for one, starts in (
        (loaded(ONEHOST), "Against ext4, IOzone: btrfs 1.5× slower, 2.0× at random"),
        (campaign, "Against nfs-v3, IOzone"),
    ):
        said = answer(shown_first(one, overview(one)))
        assert said.startswith(starts)
        assert len(said.split()) <= WORDS
        # one baseline, and the worst of the second tool
        assert said.count("Against") == 1
        assert "bonnie++" in said
    said = answer(overview(loaded(ONEHOST)))
    # 1.1× over all would hide that small random writes are slower
    assert "xfs depends: 1.2–1.4× faster at write and rewrite; random write" in said
    assert "xfs inconclusive" in said


def test_candidates_with_one_answer_share_a_clause():
    text = told(
        row("nfs-v4.0", "same", 1.01),
        row("smb-2.1", "slower", 1 / 1.2),
        row("nfs-v4.1", "same", 1.0),
        row("smb-3.0", "slower", 1 / 1.34),
        row("local", "faster", 19.2, scope=["cache"]),
        row("glusterfs", "slower", 1 / 3.04),
        row("xfs", "unclear", 1.2),
    )
    assert text == (
        "Against base, IOzone: local 19× faster (cache); glusterfs 3.0× slower; "
        "smb-2.1 and smb-3.0 1.2–1.3× slower; nfs-v4.0 and nfs-v4.1 about the same; "
        "xfs inconclusive."
    )


def test_what_is_not_about_speed_says_what_it_is_about():
    used = row("a", "same", 1.0, metric="cpu", threads=2)
    assert (
        told(used) == "Against base, IOzone CPU use with 2 threads: a about the same."
    )
    assert told(row("a", "same", 1.0)) == "Against base, IOzone: a about the same."


def test_scope_that_all_share_is_said_once_and_mixed_sizes_name_none():
    both = ["cache", "one after another"]
    sizes = ["cache", "transition", "storage"]
    text = told(row("a", "slower", 0.5, scope=both), row("b", "same", 1, scope=both))
    assert text.startswith("Against base, IOzone (cache, one after another): a 2.0×")
    assert "(" not in told(row("a", "slower", 0.5, scope=sizes))


def test_what_is_not_told_apart_is_about_nothing():
    rows = [row(name, scope=["cache"][:n]) for n, name in enumerate("ab")]
    assert told(*rows) == "Against base, IOzone: a and b inconclusive."


def single(candidate, verdict, speed, operation="read", **more):
    return row(candidate, verdict, speed, operation=operation, **more)


def test_an_operation_that_says_more_than_all_together_is_named():
    slower = [row("a", "slower", 1 / 1.2), row("b", "slower", 1 / 1.1)]
    reads = [single("a", "slower", 1 / 1.8), single("b", "slower", 1 / 1.6)]
    said = "Against base, IOzone: a and b 1.1–1.2× slower"
    assert told(*slower, *reads) == f"{said}, 1.6–1.8× at read."
    # not all of them, not in one direction, or hardly more than all together
    for other in (
        [],
        [single("b", "unclear", 1 / 1.6)],
        [single("b", "slower", 1 / 1.4)],
        [single("b", "disqualified", 1 / 1.6)],
    ):
        assert told(*slower, reads[0], *other) == f"{said}."


def test_who_is_decided_otherwise_somewhere_stands_apart_from_the_group():
    """ "a, b and c slower" hid that c is faster at read, decided by its own q."""
    slower = [row(name, "slower", 1 / 1.2) for name in "abc"]
    assert told(*slower, single("c", "faster", 1.6)) == (
        "Against base, IOzone: a and b 1.2× slower; c 1.2× slower, but 1.6× faster at "
        "read."
    )
    same = [row(name, "same", 1.0) for name in "abc"]
    assert told(*same, single("b", "slower", 0.5)) == (
        "Against base, IOzone: a and c about the same; b about the same on average, "
        "but 2.0× slower at read."
    )


def test_the_numbers_stay_where_names_and_places_find_no_room():
    """ "nfs-v4.1 no single winner." and "depend on the size." had no number left."""
    torn = {"no_single_winner": True, "total_speed": 1.5}
    rows = [row(f"torn {n}", "slower", 1 / 1.3, **torn) for n in range(2)]
    for n in range(3):
        rows += [
            row(f"split {n}", "depends"),
            single(f"split {n}", "faster", 1.4 + n / 10),
            single(f"split {n}", "slower", 1 / 1.8, "write"),
        ]
    rows += [row(f"other {n} {n} {n}", "slower", 0.4**n) for n in range(1, 4)]
    assert told(*rows).endswith(
        "split 0 and 2 more depend: 1.8× slower to 1.6× faster; torn 0 and torn 1 "
        "no single winner: 1.3× slower to 1.5× faster."
    )
    many = told(*(row(f"s{n}", "slower", 0.9**n) for n in range(1, 60)))
    assert many == "Against base, IOzone: s59, s58 and 57 more 1.1–501× slower."


def test_where_not_all_are_named_the_farthest_is():
    """ "sde, sdd and 6 more up to 4.5× slower" was true of one of the six alone."""
    rows = []
    for n, far in enumerate((2.8, 2.6, 4.5, 2.4)):
        worst = single(f"disk {n}", "slower", 1 / far, "random_write")
        rows += [row(f"disk {n}", "depends"), worst]
        rows += [single(f"disk {n}", "faster", 1.1, "read")]
    for n in range(20):
        rows += [row(f"other {n}", "faster", 1.1**n)]
    assert "disk 2, disk 0 and 2 more depend" in told(*rows)


def test_what_has_no_single_winner_is_neither_won_nor_lost_nor_largest():
    """Its sign is ≠, and the count beside it said 0/1."""
    torn = single("a", "slower", 0.5, no_single_winner=True, total_speed=1.5)
    rows = [row("a", "same", 1.0), torn, single("a", "faster", 1.2, "write")]
    assert won_and_lost(statements(pd.DataFrame(rows)), "a") == (1, 0)
    assert told(*rows).endswith("on average, but 1.2× faster at write.")


def test_of_several_operations_the_one_that_differs_most_is_named():
    rows = [row("a", "slower", 1 / 1.2), single("a", "slower", 1 / 1.6)]
    rows += [
        single("a", "slower", 1 / 1.9, "random_read"),
        single("a", "unclear", 1 / 1.3, "write"),
    ]
    assert told(*rows).endswith("a 1.2× slower, 1.9× at random read.")
    bounded = single("a", "slower", math.nan, "reread", speed_low=0, speed_high=1 / 2.5)
    assert told(*rows, bounded).endswith("a 1.2× slower, more than 2.5× at reread.")


def test_an_operation_of_the_other_direction_says_so_and_what_it_is_about():
    read = single("a", "faster", 1.7, scope=["cache", "emulated"])
    about = {"scope": ["emulated"]}
    assert told(row("a", "slower", 0.5, **about), read).endswith(
        "(emulated): a 2.0× slower, but 1.7× faster at read (cache)."
    )
    assert told(row("a", "unclear", 1.1, **about), read) == (
        "Against base, IOzone: a inconclusive on average, but 1.7× faster at read "
        "(cache)."
    )


def test_words_that_do_not_fit_are_left_out_one_kind_after_another():
    few = [row(f"a{n} b c", "slower", 0.5) for n in range(4)]
    few += [single(f"a{n} b c", "slower", 0.2) for n in range(4)]
    alike = [row(f"d{n} e f g", "same", 1) for n in range(4)]
    alike += [single(f"d{n} e f g", "slower", 0.7) for n in range(4)]
    assert told(*alike).endswith("about the same on average, but 1.4× slower at read.")
    # an average is never said alone where a part is decided otherwise
    longer = told(*few, *alike, row("o p q r s t u v w x y z", "faster", 3.0))
    assert longer.endswith(
        "4 systems about the same on average, but up to 1.4× slower."
    )


def test_a_bound_is_rounded_so_that_more_than_stays_true():
    text = told(row("a", "slower", speed_low=0.0, speed_high=1 / 1.69))
    assert "a more than 1.6× slower." in text
    assert "b more than 2.9× faster." in told(row("b", "faster", speed_low=2.96))


def test_what_may_not_be_said_names_the_rule():
    text = told(row("a", "disqualified", 3.0, disqualified_by=["invalid-mode"]))
    assert text == "Against base, IOzone: a disqualified (invalid mode)."


def test_what_was_not_measured_is_not_mentioned():
    nothing = row("a", "untested", n_candidate=0, cells=0)
    assert told(nothing) == ("Nothing to compare: base and a have no number in common.")
    assert told(nothing, row("b", "untested", n_candidate=1)) == (
        "Under 3 runs each, so no verdict. Against base, IOzone: b untested."
    )
    once = row("b", "untested", n_baseline=1, n_candidate=1)
    assert told(once) == (
        "One run each, so no verdict. Against base, IOzone: b untested."
    )


def test_what_is_untested_is_told_as_it_was_measured():
    """One run each: how much the numbers differ, where most, and that it is no test."""
    once = {"n_baseline": 1, "n_candidate": 1}
    found = (
        row("a", "untested", 1.2, **once),
        single("a", "untested", 3.2, "rewrite", **once),
        single("a", "untested", 1 / 1.3, **once),
        row("b", "untested", 1 / 1.5, **once),
        row("c", "untested", 1.001, **once),
    )
    assert told(*found) == (
        "One run each, so no verdict. Against base, IOzone: b 1.5× slower; "
        "a 3.2× faster at rewrite, but 1.3× slower at read; c about as fast."
    )
    # beside a verdict the word stands with those that it is about
    assert told(found[0], row("d", "slower", 0.5, scope=["cache"])) == (
        "Against base, IOzone: d 2.0× slower (cache); a 1.2× faster (untested: "
        "one run each)."
    )


def test_a_tested_mean_names_an_untested_operation_as_one_and_the_other_way_round():
    few = single("a", "untested", 9.0, n_candidate=2)
    assert told(row("a", "faster", 1.2), few) == (
        "Against base, IOzone: a 1.2× faster (untested, 2 runs: 9.0× faster at read)."
    )
    near = single("a", "untested", 1.4, n_candidate=2)
    assert told(row("a", "faster", 1.2), near) == "Against base, IOzone: a 1.2× faster."
    assert told(
        row("a", "untested", 1.2, n_candidate=2), single("a", "faster", 9.0)
    ) == ("Against base, IOzone (untested: under 3 runs): a 1.2× faster.")


@pytest.mark.parametrize(
    "metric, low, high, cell, words",
    [
        # 347 and 2 K/s as bonnie++ prints them: 115.7 to 174 times
        ("throughput", 115.7, 174.0, "·▲>115×", "more than 115× faster"),
        ("latency", 115.7, 174.0, "·▼>115×", "more than 115× slower"),
        ("throughput", 0.2, 0.4, "·▼>2.5×", "more than 2.5× slower"),
        ("throughput", 0.8, 1.4, "·", ""),
        ("throughput", math.nan, math.nan, "·▲174×", "174× faster"),
        ("throughput", 173.0, 174.0, "·▲174×", "174× faster"),
    ],
)
def test_of_few_digits_only_what_they_allow_is_said(metric, low, high, cell, words):
    one = row("a", "untested", 173.5, metric=metric, bound_low=low, bound_high=high)
    assert said_of(one).cell == cell
    measured = f"measured {words}, " if words else ""
    said = f"{measured}untested (under 3 runs known)"
    assert said_of(one).words.replace("  ", " ") == said


@pytest.mark.parametrize(
    "metric, low, high, cell",
    [
        # +++++ of the baseline, and of the candidate: one end is open
        ("rate", math.nan, 0.312897, "·▼>3.1×"),
        ("rate", 2.4, math.nan, "·▲>2.4×"),
        ("latency", 2.4, math.nan, "·▼>2.4×"),
        ("rate", math.nan, 1.5, "·"),
        ("rate", math.nan, math.nan, "·"),
    ],
)
def test_of_bounds_alone_the_end_that_is_known_is_said(metric, low, high, cell):
    one = row("a", "untested", metric=metric, bound_low=low, bound_high=high)
    assert said_of(one).cell == cell


def test_more_than_is_not_said_of_what_is_known_nor_a_number_of_what_is_not():
    known = row("a", "untested", 2.0, n_candidate=2)
    few = row("b", "untested", 2.1, bound_low=1.9, bound_high=2.6, n_candidate=2)
    assert told(known, few) == (
        "Under 3 runs each, so no verdict. Against base, IOzone: a 2.0× faster; "
        "b more than 1.9× faster."
    )


def test_what_is_disqualified_keeps_its_ratio():
    held = row("a", "disqualified", 0.5, scope=["cache"])
    assert said_of(held).cell == "✗▼2.0×"
    assert said_of(held).words == "measured 2.0× slower, disqualified"


def test_of_runs_of_single_tests_each_operation_is_told():
    """IOzone -i 0 and -i 1 in runs of their own: no run has a level over all."""
    apart = row("a", "untested", n_baseline=0, n_candidate=0, cells=16)
    writes = single("a", "slower", 0.5, "write", scope=["cache"])
    assert told(apart, writes, single("a", "faster", 1.3)) == (
        "Against base, IOzone write (cache): a 2.0× slower. IOzone read: a 1.3× faster."
    )
    far = [single(name, "slower", 0.1, "write") for name in "abc"]
    assert peers(pd.DataFrame(far)) == []


@pytest.mark.parametrize("systems", [2, 9, 60])
@pytest.mark.parametrize("name", ["s", "a very long name of many words " * 3])
def test_no_headline_is_longer_than_forty_words(systems, name):
    verdicts = ("faster", "slower", "same", "unclear", "disqualified", "untested")
    rows = [
        row(
            f"{name}{n}",
            verdicts[n % 6],
            1.5 ** (n if n % 6 == 0 else -n),
            scope=["cache", "sync against async"][: n % 3],
            disqualified_by=["invalid-mode"],
        )
        for n in range(systems)
    ]
    text = told(*rows)
    assert len(text.split()) <= WORDS
    assert len(text) < 600


def test_one_system_keeps_its_name_where_groups_are_only_counted():
    assert names_words(["host7"], 0) == "host7"
    assert names_words(["host7", "host8"], 0) == "2 systems"
    # "1 system" is shorter, and forty words are the limit
    assert names_words(["a name of many words"], 0) == "1 system"


def test_peers_far_from_the_reference_are_told_among_themselves():
    far = [row("a", "slower", 0.06), row("b", "slower", 0.05), row("c", "slower", 0.1)]
    assert peers(pd.DataFrame(far)) == ["a", "b", "c"]
    # one that is near, not told apart, or far from its peers is the answer itself
    for other in (
        row("d", "slower", 0.5),
        row("d", "unclear", 0.9),
        row("d", "slower", 0.01),
    ):
        assert peers(pd.DataFrame([*far, other])) == []
    # one that was not tested says nothing
    assert len(peers(pd.DataFrame([*far, row("d", "untested")]))) == 3
    # one baseline a headline: it is about what is shown
    assert told(*far) == ("Against base, IOzone: a and b 17–20× slower; c 10× slower.")


def test_control_characters_of_names_are_shown():
    assert "\x1b" not in told(row("a\x1b[31m", "same", 1.0))
    assert "\x1b" not in told(row("a", "same", 1.0, baseline="b\x1b[31m"))


def test_groups_are_told_by_speed_whatever_they_are_about():
    about = [row("a", "slower", 0.9, scope=["cache"]), row("b", "slower", 0.2)]
    text = told(*about, row("c", "slower", 0.5, scope=["cache"]))
    assert text == (
        "Against base, IOzone: b 5.0× slower; c 2.0× slower (cache); a 1.1× slower "
        "(cache)."
    )


def test_groups_of_speeds_are_ascending_and_close():
    speeds = [1.1, 1.3, 1.7, 2.0, 4.0]
    text = told(*(row(f"s{n}", "faster", s) for n, s in enumerate(speeds)))
    assert "s0 and s1 1.1–1.3× faster; s2 and s3 1.7–2.0× faster; s4 4.0×" in text


@pytest.mark.parametrize(
    "low, high, scatter, said",
    [
        (1e-9, 1e9, 14, False),
        (3e-5, 3220.0, 6, False),
        (0.8, 1.2, 0.14, True),
        (0.8, 1.2, math.nan, False),
    ],
)
def test_runs_that_nobody_makes_are_not_named(low, high, scatter, said):
    """A scatter so wide ended the whole headline: no number of runs finds 1.1 times."""
    ends = {"speed_low": low, "speed_high": high, "scatter": scatter}
    one = said_of(row("a", "unclear", 0.9, **ends))
    assert (one.settled_by > 0) is said
    assert ("would detect 1.1×" in one.words) is said
    assert told(row("a", "unclear", 0.9, **ends)).startswith(
        "Against base, IOzone: a inconclusive ("
    )


def test_who_has_the_runs_already_is_not_told_to_make_them():
    """ "About 4 runs each would detect 1.1×" stood beside five runs a side."""
    ends = {"speed_low": 0.94, "speed_high": 1.04, "scatter": 0.02}
    one = row("a", "unclear", 1.0, **ends)
    assert "detect" not in said_of(one).words
    assert "detect" in said_of(one | {"scatter": 0.2}).words


def test_few_runs_are_said_once_for_all_that_have_few():
    """Eleven disks with one run or two had "11 untested", for each had its bracket."""
    rows = [
        row(f"s{n}", "untested", 1 / (1.5 + n), n_baseline=1, n_candidate=1 + n % 2)
        for n in range(6)
    ]
    assert told(*rows) == (
        "Under 3 runs each, so no verdict. Against base, IOzone: s4 and s5 5.5–6.5× "
        "slower; "
        "s3 4.5× "
        "slower; s2 3.5× slower; s1 2.5× slower; s0 1.5× slower."
    )


def test_where_a_row_depends_no_operation_is_left_out_for_its_speed():
    """One is only known by a limit: a mean of the others would be that of the slow."""
    rows = [
        row("a", "depends"),
        single("a", "faster", 1.4),
        single("a", "faster", math.nan, "random_read", speed_low=5, speed_high=9),
        single("a", "slower", 0.5, "write"),
    ]
    assert told(*rows) == (
        "Against base, IOzone: a depends: 1.4× to at least 5.0× faster at read "
        "and random read, but 2.0× slower at write."
    )


@pytest.mark.slow
def test_the_baseline_s_own_speed_counts_what_was_too_fast_to_time():
    """One of ext4's five runs printed +++++: its bound is above most of the others."""
    frame = overview(loaded(ONEHOST), "ext4")
    (own,) = frame.query(
        "operation == 'sequential_output_block' and candidate == 'xfs'"
    ).to_dict("records")
    table = loaded(ONEHOST).measurements.query(
        "system == 'ext4' and operation == 'sequential_output_block' "
        "and metric == 'throughput'"
    )
    assert table["value"].isna().sum() == 1
    known = table["value"].fillna(table["low"])
    assert own["baseline_value"] == pytest.approx(np.exp(np.log(known).mean()))
    assert own["baseline_is_least"]
    assert own["baseline_value"] > np.exp(np.log(table["value"].dropna()).mean())
    write = frame.query("operation == 'write' and candidate == 'xfs'").iloc[0]
    assert not write["baseline_is_least"]


def test_the_metric_whose_means_are_known_stands_for_a_tool():
    """Four hosts were "untested": too fast to time, the mean of their rates is unknown.

    A candidate that has no mean of this metric is told by the one that it has.
    """
    few = {"n_baseline": 1, "n_candidate": 1}
    rate = {**few, "metric": "rate", "cells": 9}
    rows = [row(name, "untested", **rate) for name in "ab"]
    rows += [row("a", "untested", 2.0, **few), single("a", "untested", 1 / 9, **few)]
    rows += [row("c", "disqualified", disqualified_by=["invalid-mode"], **rate)]
    rows += [single("b", "untested", 8.0, "random_seeks", **rate)]
    assert told(*rows) == (
        "One run each, so no verdict. Against base, IOzone: c disqualified "
        "(invalid mode); a 2.0× "
        "faster, but 9.0× slower at read; b untested, but 8.0× faster at random seeks."
    )


def test_where_a_tool_depends_is_said_of_all_that_it_measured():
    """Rates decided what was named; 2.6 times at throughput was not said."""
    rate = {"metric": "rate", "cells": 9}
    rows = [row("a", "depends", **rate), row("a", "depends", cells=2)]
    rows += [single("a", "faster", 2.6), single("a", "slower", 1 / 2, "write")]
    rows += [single("a", "faster", 1.6, "random_delete", **rate)]
    rows += [single("a", "slower", 1 / 2, "random_create", **rate)]
    assert told(*rows) == (
        "Against base, IOzone: a depends: 1.6–2.6× faster at read and random delete, "
        "but 2.0× slower at write and random create."
    )


def test_near_1_elsewhere_is_said_of_all_that_a_tool_measured():
    rate = {"metric": "rate", "cells": 9}
    rows = [row("a", "faster", 1.5, **rate), row("a", "same", 1.0)]
    rows += [single("a", "faster", 2.2, "random_create", **rate)]
    rows += [single("a", "same", 1.0, "random_stat", **rate)]
    near = told(*rows, single("a", "same", 1.0))
    assert near == (
        "Against base, IOzone: a 2.2× faster at random create, near 1× elsewhere."
    )
    both = told(*rows, single("a", "faster", 1.4))
    assert both.endswith("at read and random create, near 1× elsewhere.")
    assert "elsewhere" not in told(*rows, single("a", "slower", 1 / 1.4))


@pytest.mark.parametrize(
    "kind, said",
    [
        ("", "One run each"),
        ("mean", "Means alone"),
        ("published", "Published figures alone"),
    ],
)
def test_a_mean_of_many_runs_is_not_called_one_run(kind, said):
    few = {"n_baseline": 1, "n_candidate": 1, "stands_for": kind}
    text = told(row("a", "untested", 2.0, **few))
    assert text == f"{said}, so no verdict. Against base, IOzone: a 2.0× faster."


def test_without_a_mean_the_range_of_its_operations_is_said():
    """ "CLIENT untested, but 26× slower at random create": it was slower at all."""
    few = {"n_baseline": 1, "n_candidate": 1}
    rows = [row("a", "untested", **few), single("a", "untested", 1 / 4.7, **few)]
    rows += [single("a", "untested", 1 / 26, "write", **few)]
    assert told(*rows) == (
        "One run each, so no verdict. Against base, IOzone: a 4.7–26× slower."
    )


def test_a_mean_of_what_lies_far_apart_is_no_answer():
    """12 times was in no cell: of 1.07 to 132 times."""
    few = {"n_baseline": 1, "n_candidate": 1}
    parts = [("read", 1.07), ("write", 9), ("random_write", 132)]
    rows = [row("a", "untested", 1 / 12, **few)]
    rows += [single("a", "untested", 1 / times, op, **few) for op, times in parts]
    assert told(*rows) == (
        "One run each, so no verdict. Against base, IOzone: a 1.07–132× slower, most "
        "at random write."
    )
    near = [rows[0], single("a", "untested", 0.99, "read", **few), *rows[2:]]
    assert told(*near).endswith("a up to 132× slower at random write.")
    # an operation that is faster is said beside them
    other = [rows[0], single("a", "untested", 1.5, "read", **few), *rows[2:]]
    assert told(*other).endswith(
        "a 1.5× faster at read, but 9.0–132× slower at write and random write."
    )
    close = [row("a", "slower", 0.5), single("a", "slower", 0.4)]
    assert "a 2.0× slower, 2.5× at read" in told(*close)


def test_a_page_opens_with_no_disqualified_system():
    rows = [single("a", "slower", 0.5), single("b", "disqualified", 0.01)]
    for frame, first in ((rows, "a"), (rows[1:], "b")):
        assert most_different(statements(pd.DataFrame(frame))) == ("read", first)


def test_doubt_comes_first_only_where_nothing_is_tested():
    few = {"n_baseline": 1, "n_candidate": 1}
    tested, once = row("a", "faster", 2.0), row("b", "untested", 2.0, **few)
    assert told(tested, once).startswith("Against base, IOzone: a 2.0× faster; b")
    barred = row("a", "disqualified", disqualified_by=["invalid-mode"])
    assert "no verdict" not in told(barred)
    assert told(barred, once).startswith("One run each, so no verdict. Against base")


def test_single_runs_both_ways_of_several_share_a_range_where_words_are_few():
    """ "host7 2.0× faster, but up to 141× slower": the average came first."""
    once = {"n_baseline": 1, "n_candidate": 1}
    names = [f"a system with a long name {n}" for n in range(5)]
    rows = [row(name, "untested", 2.0, **once) for name in names]
    rows += [single(name, "untested", 40.0, **once) for name in names]
    rows += [single(name, "untested", 1 / 90, "write", **once) for name in names]
    said = told(*rows)
    assert "2.0×" not in said
    assert "40× faster at read, but 90× slower at write" in said
    # five operations that share no word, and no shorter form
    many = ["random_seeks", "random_create", "fread", "sequential_stat"]
    rows += [single(n, "untested", 40.0, at, **once) for n in names for at in many]
    names = [name.replace("a ", "another ") for name in names]
    rows += [row(name, "same", 1.0, tool="bonnie++", **once) for name in names]
    assert "90× slower to 40× faster" in told(*rows)


def test_what_is_only_bounded_counts_among_what_is_faster_and_slower():
    once = {"n_baseline": 1, "n_candidate": 1}
    seeks = single("a", "untested", 8.1, "random_seeks", metric="rate", **once)
    block = single("a", "untested", 0.5, "sequential_output_block", **once)
    created = [
        single("a", "untested", math.nan, name, metric="rate", bound_high=0.3, **once)
        for name in ("sequential_create", "random_create")
    ]
    mean = row("a", "untested", 1.9, **once)
    assert told(mean, seeks, block, *created) == (
        "One run each, so no verdict. Against base, IOzone: a 8.1× faster at random "
        "seeks, but 2.0× to at least 3.3× slower at sequential output block, "
        "sequential create and random create."
    )


def test_means_of_two_metrics_are_said_as_a_range_or_the_least():
    block = row("a", "slower", 0.4)
    assert told(block, row("a", "slower", 0.2, metric="rate")) == (
        "Against base, IOzone: a 2.5–5.0× slower."
    )
    bound = row("a", "slower", speed_high=0.2, metric="rate")
    assert told(block, bound) == (
        "Against base, IOzone: a 2.5× to at least 5.0× slower."
    )


def test_operations_without_a_common_size_are_counted():
    apart = [
        single("a", "untested", math.nan, name, is_apart=True)
        for name in ("read", "write")
    ]
    known = single("a", "faster", 2.0, "random_read")
    said = told(row("a", "faster", 2.0), known, *apart)
    assert said == (
        "Against base, IOzone: a 2.0× faster; 2 operations not compared: other sizes."
    )
