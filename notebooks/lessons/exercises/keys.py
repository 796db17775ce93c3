"""The exercises by name, and the one function that notebooks call."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from exercises import (
    caches,
    calls,
    disks,
    files,
    means,
    plans,
    queues,
    repeats,
    samples,
    surfaces,
    tails,
    watching,
)
from exercises.slips import failed_before
from exercises.verdicts import Exercise, Verdict, judge
from fsviz.model.errors import FsvizError, UsageError, printable
from fsviz.model.names import unknown

if TYPE_CHECKING:
    from fsviz.model.campaign import Campaign

EXERCISES: dict[str, Callable[[Campaign], Exercise]] = {
    "highest-cell": surfaces.highest_cell,
    "dip": surfaces.dip,
    "fall": surfaces.fall,
    "left-out": surfaces.left_out,
    "last-size-in-cache": caches.last_size_in_cache,
    "who-falls": caches.who_falls,
    "first-storage-size": caches.first_storage_size,
    "payload": caches.payload,
    "over-the-wire": caches.over_the_wire,
    "scatter": repeats.scatter,
    "half-width": repeats.half_width,
    "by-chance": repeats.by_chance,
    "survivors": repeats.survivors,
    "runs-lacking": repeats.runs_lacking,
    "two-cells": means.two_cells,
    "first-to-finish": means.first_to_finish,
    "cells-won": means.cells_won,
    "without-memory": means.without_memory,
    "which-mean": means.which_mean,
    "too-alike": disks.too_alike,
    "where-it-wrote": disks.where_it_wrote,
    "which-rule": disks.which_rule,
    "repair": disks.repair,
    "damage": disks.damage,
    "large-enough": plans.large_enough,
    "good-order": plans.good_order,
    "honest-command": plans.honest_command,
    "differences": plans.differences,
    "run-command": plans.run_command,
    "disk-read": watching.disk_read,
    "of-the-disk": watching.of_the_disk,
    "while-the-clock-ran": watching.seconds_idle,
    "data-of-a-write": calls.data_of_a_write,
    "scatter-of-runs": samples.scatter_of_runs,
    "runs-for-five": samples.runs_for_five,
    "half-the-difference": samples.half_the_difference,
    "runs-in-a-picture": samples.runs_in_a_picture,
    "mean-and-median": tails.mean_and_median,
    "share-of-misses": tails.share_of_misses,
    "gain-at-the-tail": tails.gain_at_the_tail,
    "one-of-many": tails.one_of_many,
    "what-shows-it": tails.what_shows_it,
    "time-by-count": queues.time_by_count,
    "worth-of-four": queues.worth_of_four,
    "price-of-depth": queues.price_of_depth,
    "depth-that-is-enough": queues.depth_that_is_enough,
    "depth-in-time": queues.depth_in_time,
    "time-of-a-file": files.time_of_a_file,
    "same-data": files.same_data,
    "share-of-flush": files.share_of_flush,
    "at-least": files.at_least,
    "whole-job": files.whole_job,
}
"""Name of an exercise → function that computes its key from the lesson's campaign."""

_OF_MODULE = {
    surfaces: ("xfs",),
    caches: ("xfs",),
    repeats: (repeats.SYSTEM, repeats.BASELINE, repeats.OLDER, repeats.ONCE),
    means: (means.BASELINE, means.CANDIDATE),
    disks: ("disk", disks.MEANT, disks.REPAIRED),
    plans: (),
    watching: watching.SYSTEMS,
    calls: calls.SYSTEMS,
    samples: (),
    tails: tails.SYSTEMS,
    queues: (queues.SYSTEM,),
    files: files.SYSTEMS,
}
_OTHERS = {
    "who-falls": (),
    "payload": ("nfs-v4.1",),
    "over-the-wire": ("nfs-v4.1",),
}
NEEDED: dict[str, tuple[str, ...]] = {
    name: _OTHERS.get(name, _OF_MODULE[sys.modules[key.__module__]])
    for name, key in EXERCISES.items()
}
"""Systems that an exercise asks about by name; without any, any campaign will do."""

_ANY = "Lessons 6 and 8 work with any campaign."
_NAMED = 8
"""Systems of a campaign that a message names."""

_WRONG: dict[str, set[str]] = {}
"""Wrong answers that were given to each exercise since Python started."""

_KEYS: dict[str, tuple[Campaign, Exercise]] = {}
"""The campaign that an exercise was last asked about, and its key: a second try is
answered at once."""


def check_answer(exercise: str, answer: object, campaign: Campaign) -> Verdict:
    """Check a learner's answer."""
    key = _key(exercise, campaign)
    if hint := failed_before():
        return Verdict("wrong", hint, key.solution)
    before = _WRONG.setdefault(exercise, set())
    verdict = judge(key, answer, len(before - {repr(answer)}))
    if verdict.outcome == "wrong":
        before.add(repr(answer))
    return verdict


def solved(exercise: str, campaign: Campaign) -> object:
    """Return a right answer, for a teacher's copy of a lesson."""
    key = _key(exercise, campaign)
    if isinstance(key.right, frozenset):
        return sorted(key.right)
    return key.example if callable(key.right) else key.right


def expect(campaign: Campaign, *exercises: str) -> None:
    """Stop a lesson here unless a campaign suits its exercises."""
    for exercise in exercises:
        _key(exercise, campaign)


def _key(exercise: str, campaign: Campaign) -> Exercise:
    asked, key = _KEYS.get(exercise, (None, None))
    if key is None or asked is not campaign:
        key = _computed(exercise, campaign)
        _KEYS[exercise] = (campaign, key)
    return key


def _computed(exercise: str, campaign: Campaign) -> Exercise:
    if exercise not in EXERCISES:
        raise unknown("exercise", exercise, EXERCISES)
    known = list(map(str, campaign.systems["system"]))
    if absent := [name for name in NEEDED[exercise] if name not in known]:
        found = list(map(printable, known[:_NAMED]))
        more = ["…"] if len(known) > _NAMED else []
        raise UsageError(
            f"{exercise} asks about {', '.join(absent)}: expected a campaign with "
            f"that, found {', '.join(found + more)}. {_ANY}"
        )
    if not NEEDED[exercise]:
        return EXERCISES[exercise](campaign)
    try:
        key = EXERCISES[exercise](campaign)
    except (FsvizError, LookupError, ValueError, ArithmeticError) as error:
        raise _unsuited(exercise) from error
    if isinstance(key.right, float) and not math.isfinite(key.right):
        raise _unsuited(exercise)
    return key


def _unsuited(exercise: str) -> UsageError:
    return UsageError(
        f"{exercise}: expected the campaign that the lesson was written for, found "
        f"{' and '.join(NEEDED[exercise])} without the cells or runs that it asks "
        f"about. {_ANY}"
    )
