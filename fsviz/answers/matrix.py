"""The matrix: one row an operation and one a tool, with what its size classes say."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fsviz.analysis.arrangement import arranged_of
from fsviz.analysis.buckets import ALL, EDGES, By, bucket_of, regime_edges
from fsviz.analysis.cells import present
from fsviz.analysis.verdicts import (
    DEPENDS,
    DIFFERENT,
    directions,
    numbered,
)
from fsviz.answers.other_metrics import other_metrics
from fsviz.answers.single_cells import by_cells
from fsviz.answers.words import (
    BLOCKS,
    CLASSES,
    LETTERS,
    MARKS,
    SIGNS,
    UNSURE,
    SizeAnswer,
)
from fsviz.campaigns.read import BASELINES
from fsviz.checks.engine import run_checks
from fsviz.checks.judged_comparison import compare, compare_each
from fsviz.checks.parts import COLUMNS as PARTS
from fsviz.checks.parts import several_sizes
from fsviz.model.campaign import Campaign, Data, baseline_of
from fsviz.model.errors import UsageError
from fsviz.model.libraries import np, pd
from fsviz.model.names import Names
from fsviz.model.runs import STANDS_FOR, facts_of_run
from fsviz.model.table import (
    MAIN_METRICS,
    METRICS,
    PLACE,
    SECTION,
    measurements_of,
    plain_rows,
)

if TYPE_CHECKING:
    from fsviz.answers.about import Scopes
    from fsviz.answers.statement import Statement
    from fsviz.checks.findings import Examination

_OWN = [*SECTION, "operation", "metric"]
"""What the operations of one part of an overview share."""

COLUMNS = (
    *(*PLACE[:-1], "baseline", "candidate"),
    *("verdict", "scope", "disqualified_by", "advice", "caveats"),
    *("ratio", "ci_low", "ci_high", "bound_low", "bound_high"),
    *("speed", "speed_low", "speed_high"),
    *("n_baseline", "n_candidate", "q_value", "scatter", "paired", "numbers", "cells"),
    *("n_baseline_partial", "n_candidate_partial"),
    "stands_for",
    *("cells_low", "cells_high", "is_apart"),
    *("total_speed", "mean_speed", "no_single_winner"),
    *("classes", "class_speeds", "class_q"),
    *("baseline_value", "baseline_is_least"),
    *("faster_in", "slower_in", "faster_speed", "slower_speed"),
    *("smallest_bytes", "largest_bytes"),
    *("depends_on", "smallest_record_bytes", "largest_record_bytes"),
    *("files", "records"),
    *("other_metric", "other_speed", "other_tested", "torn", "lone_cell", "rare"),
    *("lacking", "alone"),
)


def overview(
    data: Data,
    baseline: str | None = None,
    candidates: Names = None,
    operations: Names = None,
    examination: Examination | None = None,
    metric: Names = None,
) -> pd.DataFrame:
    """Say of each operation, and of each tool, how much faster each candidate is."""
    first = reference(data, baseline)
    asked: dict[str, Any] = {"candidate": candidates, "operation": operations}
    asked["metric"] = metric
    if examination is None and isinstance(data, Campaign):
        examination = run_checks(data, baseline=first)
    asked["examination"] = examination
    table = measurements_of(data)
    sized: dict[By, tuple[By, ...]] = {
        "file_size": ("bucket", "file_size"),
        "record_size": ("record_size",),
    }
    finer = [kind for own in several_sizes(table) for kind in sized[own]]
    kinds: list[By] = ["operation", "tool", *finer]
    frames = compare_each(data, kinds, baseline=first, **asked)
    every, wholes, *_ = frames
    rows = every if metric else every.loc[_is_main(every)]
    tool = [*SECTION, "metric"]
    known = rows[[*tool, "operation"]].drop_duplicates()
    if operations is not None:
        # of one operation that was asked for, its own row is the answer
        known = known.loc[known.duplicated(tool, keep=False)]
    wholes = wholes.merge(known[tool].drop_duplicates(), on=tool)
    frame = _with_speed(pd.concat([rows, wholes], ignore_index=True))
    frame["numbers"] = numbered(frame)
    frame["is_apart"] = _apart(frame)
    frame["stands_for"] = _stands_for(frame, data)
    others = len(present(table, "system")) - 1
    known_of = dict(zip(kinds, frames, strict=True))
    none = rows[:0]
    frame = frame.assign(**_classes(frame, known_of.get("bucket", none), others))
    files = known_of.get("file_size", none)
    records = known_of.get("record_size", none)
    frame = frame.assign(
        files=_sizes(frame, files, others, "largest_bytes"),
        records=_sizes(frame, records, others, "largest_record_bytes"),
    )
    frame = frame.assign(**_values(frame, asked["examination"], data))
    frame = frame.assign(**other_metrics(frame, _with_speed(every)))
    frame = frame.assign(**by_cells(frame, data, {**asked, "baseline": first}, others))
    return frame[list(COLUMNS)]


def _apart(frame: pd.DataFrame) -> pd.Series:
    """Return a mask of rows of which both sides ran, each at sizes of its own."""
    ran = (frame["n_baseline"] > 0) & (frame["n_candidate"] > 0)
    bounds = frame["n_baseline_censored"] + frame["n_candidate_censored"]
    return ran & (frame["cells"] == 0) & (bounds == 0)


def _stands_for(frame: pd.DataFrame, data: Data) -> list[str]:
    """Say of each row what its numbers are where they are no runs."""
    known: dict[tuple[str, str], str] = {}
    runs = data.runs.to_dict("records") if isinstance(data, Campaign) else []
    for run in (run for run in runs if STANDS_FOR in run["facts"]):
        kind = facts_of_run(run["facts"]).get(STANDS_FOR, "")
        known.setdefault((str(run["tool"]), str(run["system"])), str(kind))
    return [
        next(filter(None, (known.get((str(tool), str(n))) for n in names)), "")
        for tool, *names in plain_rows(frame, ["tool", "baseline", "candidate"])
    ]


def _classes(
    frame: pd.DataFrame, buckets: pd.DataFrame, candidates: int
) -> dict[str, list]:
    """List verdict, speed and q of each size class of each operation; empty if none.

    This q is at least that over all candidates of the campaign, on which the choice of
    a headline rests: q is corrected within one, and Bonferroni's bound is over all.
    """
    found = _told(frame, buckets, candidates, "bucket")
    classes = [{name: verdict for name, (verdict, *_) in own.items()} for own in found]
    none = ("", np.nan, np.nan)
    speeds, every_q = (
        [[own.get(name, none)[at] for name in EDGES] for own in found] for at in (1, 2)
    )
    told = [
        own | _decided_sizes(own, faster, slower)
        for own, faster, slower in zip(classes, *_sides(frame), strict=True)
    ]
    verdicts = [[own.get(name, "") for name in EDGES] for own in told]
    return {"classes": verdicts, "class_speeds": speeds, "class_q": every_q}


def _sizes(
    frame: pd.DataFrame, finer: pd.DataFrame, candidates: int, name: str
) -> list[list[SizeAnswer]]:
    """List what is said of each file size, or record size, of each row."""
    found = _told(frame, finer, candidates, name)
    return [[SizeAnswer(int(s), *told) for s, told in own.items()] for own in found]


def _told(
    frame: pd.DataFrame, finer: pd.DataFrame, candidates: int, name: str
) -> list[dict[Any, tuple[str, float, float]]]:
    """Look up verdict, speed and q of the finer rows of each row, by their name."""
    known: dict[tuple, dict[Any, tuple[str, float, float]]] = {}
    measured = _with_speed(finer.loc[numbered(finer) & finer[name].notna()])
    columns = [*PLACE, name, "verdict", "speed", "q_value"]
    for *place, own, verdict, speed, q in plain_rows(measured, columns):
        told = known.setdefault(tuple(map(str, place)), {})
        told[own] = verdict, speed, q * candidates
    places = plain_rows(frame, PLACE)
    return [known.get(tuple(map(str, place)), {}) for place in places]


def _sides(frame: pd.DataFrame) -> list[list[Sequence[int]]]:
    """List the file sizes [B] at which each row is faster, and slower."""
    by_file = frame["depends_on"] == "file_size"
    return [
        [own if so else () for own, so in zip(frame[name], by_file, strict=True)]
        for name in PARTS
    ]


def _decided_sizes(
    classes: Mapping[str, str], faster: Sequence[int], slower: Sequence[int]
) -> dict[str, str]:
    """Say of classes that are undecided what is decided of some of their sizes.

    The headline names such sizes; without them its direction would be in no block.
    """
    if not (faster and slower):
        return {}
    inside = [set(bucket_of(pd.Series(sizes))) for sizes in (faster, slower)]
    found = {}
    for name, verdict in classes.items():
        ways = [way for way, own in zip(DIFFERENT, inside, strict=True) if name in own]
        if verdict == "unclear" and ways:
            found[name] = ways[0] if len(ways) == 1 else DEPENDS
    return found


def _values(
    frame: pd.DataFrame, examination: Examination | None, data: Data
) -> dict[str, list]:
    """Return the baseline's own value of each operation: geometric, over its cells.

    A run that was too fast to time counts with its bound, and then the value is a least
    one: without it the slow runs would make the mean.
    """
    table = arranged_of(data, examination.arranged if examination else None).table
    own = table.loc[table["system"] == frame["baseline"].iloc[0]]
    better = directions(own)
    # of times only the other bound would be one, and no tool prints that alone
    least = own["value"].isna() & (own["low"] > 0) & (better > 0)
    value = own["value"].where(~least, own["low"])
    own = own.assign(log=np.log(value.where(value > 0)), least=least)
    # a run with neither number nor bound leaves its cell out
    cell = own.groupby(
        [*_OWN, "file_size_bytes", "record_size_bytes"], observed=True, dropna=False
    )
    cells = cell.agg(
        log=("log", lambda logs: logs.mean(skipna=False)), least=("least", "any")
    )
    whole = cells.groupby(_OWN, observed=True, dropna=False).agg(
        log=("log", "mean"), least=("least", "any")
    )
    known = {
        tuple(map(str, k)): (np.exp(v), bool(at)) for k, v, at in whole.itertuples()
    }
    found = [
        known.get(tuple(map(str, key)), (np.nan, False))
        for key in plain_rows(frame, _OWN)
    ]
    return {
        "baseline_value": [value for value, _ in found],
        "baseline_is_least": [least for _, least in found],
    }


def beside_itself(overviews: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Put overviews of systems, each against itself at a time, into one: a row each."""
    one_time = all(frame["candidate"].nunique() == 1 for frame in overviews.values())
    times = {str(name) for frame in overviews.values() for name in frame["baseline"]}
    plain = one_time and not times & {*overviews}
    parts = [
        # each has values of its own, for which one row has no room
        frame.assign(
            candidate=name if plain else name + " " + frame["candidate"].astype(str),
            baseline_value=np.nan,
        )
        for name, frame in overviews.items()
    ]
    return pd.concat(parts, ignore_index=True)


def by_size(
    data: Data,
    baseline: str | None = None,
    candidates: Names = None,
    operations: Names = None,
    examination: Examination | None = None,
    most: float = math.inf,
) -> pd.DataFrame:
    """Say of each operation and size class how much faster each candidate is.

    Of one file size it is record sizes, unless there are more than ``most`` candidates.
    """
    asked: dict[str, Any] = {"candidate": candidates, "operation": operations}
    asked |= {"baseline": reference(data, baseline), "examination": examination}
    table = measurements_of(data)
    number = len(present(table, "system")) - 1
    if several_sizes(table) == ["record_size"] and number <= most:
        rows = compare(data, by="record_size", **asked)
        named = rows["bucket"].where(rows["bucket"] == ALL, rows["bucket"] + " records")
        rows = rows.assign(bucket=named)
        return _with_speed(rows.loc[_is_main(rows)])
    try:
        edges = regime_edges(data)
    except UsageError:  # not stated, or not the same
        edges = dict(EDGES)
    rows = compare(data, by="bucket", edges=edges, **asked)
    return _with_speed(rows.loc[_is_main(rows)])


def reference(data: Data, baseline: str | None = None) -> str | None:
    """Name the system to compare with: the one asked for, the campaign's, the first."""
    named = baseline or baseline_of(data)
    return named or next(iter(present(measurements_of(data), "system")), None)


def why_reference(data: Data, shown: str) -> str:
    """Say why a system is the one that the others are compared with."""
    if shown != (named := reference(data)):
        return f"{named} is over 3× from the others"
    if shown and shown.casefold() in BASELINES:
        return "the baseline by its name"
    return "the campaign's baseline" if baseline_of(data) else "the first system"


def _is_main(rows: pd.DataFrame) -> pd.Series:
    """Keep one metric of each operation: a main one if there is any."""
    order = [*MAIN_METRICS, *(name for name in METRICS if name not in MAIN_METRICS)]
    rank = rows["metric"].astype(str).map({name: n for n, name in enumerate(order)})
    keys = [rows["tool"].astype(str), rows["operation"].astype(str)]
    return rank == rank.groupby(keys).transform("min")


def _with_speed(frame: pd.DataFrame) -> pd.DataFrame:
    """Turn ratios so that above 1 means faster."""
    more = directions(frame) > 0
    ratio, low, high, least, most = (
        frame[name].to_numpy(float)
        for name in ("geomean_ratio", "ci_low", "ci_high", "bound_low", "bound_high")
    )
    bounded = np.isnan(ratio)
    low, high = np.where(bounded, least, low), np.where(bounded, most, high)
    with np.errstate(divide="ignore"):
        turned = {
            "speed": np.where(more, ratio, 1 / ratio),
            "speed_low": np.where(more, low, 1 / high),
            "speed_high": np.where(more, high, 1 / low),
        }
        # of the baseline over the candidate: above 1 is faster already
        turned["total_speed"] = frame["total_time_ratio"].to_numpy(float)
        means = frame["mean_ratio"].to_numpy(float)
        turned["mean_speed"] = np.where(more, means, 1 / means)
        for name in DIFFERENT:
            own = frame[f"{name}_ratio"].to_numpy(float)
            turned[f"{name}_speed"] = np.where(more, own, 1 / own)
    return frame.assign(ratio=ratio, **turned)


def columns_of(said: Sequence[Statement]) -> list[tuple[str, str]]:
    """List the columns of a tool: operations, then means of metrics with several."""
    seen = list(dict.fromkeys((one.operation, one.metric) for one in said))
    single = [key for key in seen if key[0] != ALL]
    metrics = [metric for _, metric in single]
    means = [key for key in seen if key[0] == ALL and metrics.count(key[1]) > 1]
    return [*single, *means]


def runs_words(said: Iterable[Statement]) -> str:
    """Say how many runs of each system the rows rest on; empty where no row has any.

    What stands for several runs is no run.
    """
    own = [one for one in said if one.is_measured and not one.stands_for]
    numbers = [n for one in own for n in (one.n_baseline, one.n_candidate) if n]
    if not numbers:
        return ""
    ends = dict.fromkeys((min(numbers), max(numbers)))
    return f"Runs of each system: {'–'.join(map(str, ends))}."


def candidates_of(said: Iterable[Statement]) -> list[str]:
    """List the candidates as they come."""
    return list(dict.fromkeys(one.candidate for one in said))


def won_and_lost(said: Iterable[Statement], name: str) -> tuple[int, int] | None:
    """Count the operations in which a candidate is faster, and slower, beyond the band.

    None where none is either: operations of one run are not independent of one another,
    and 0 and 0 beside an untested ratio would look like an answer.
    """
    ways = [s.decided for s in said if s.candidate == name and not s.is_mean]
    return (ways.count("faster"), ways.count("slower")) if any(ways) else None


def legend(
    said: Iterable[Statement],
    scopes: Scopes,
    *,
    blocks: bool = False,
    ends: bool = True,
) -> str:
    """Explain the signs of some cells, and what whole rows are about unless they do."""
    shown = [one for one in said if one.is_measured]
    strips = "" if blocks else "".join(one.strip for one in shown)
    marks = {*"".join(one.cell for one in shown), *strips}
    known = {MARKS.get(verdict, verdict): text for verdict, text in SIGNS.items()}
    parts = [f"{mark} {text}" for mark, text in known.items() if mark in marks]
    if any(">" in one.cell or one.baseline_is_least for one in shown):
        parts.append("> more than")
    if any(re.fullmatch(r"[·✗]\d\S*", one.cell) for one in shown):
        parts.append("no arrow: within 5 %")
    if any(one.cell in (MARKS["untested"], UNSURE) for one in shown):
        parts.append("no number: only bounds")
    sentences = ["; ".join(parts) or "nothing was measured on both sides"]
    if blocks:
        sentences += _of_blocks(shown)
    if strips:
        sentences.append(f"Marks behind the first: {CLASSES}")
    used = {*"".join(map(scopes.letters, shown))}
    for word, letter in LETTERS.items():
        if letter in used:
            sentences.append(f"Small {letter}: {word}")
    return ". ".join([*sentences, *(scopes.ends() if ends else [])])


def _of_blocks(shown: Iterable[Statement]) -> list[str]:
    """Explain the colours of blocks that there are."""
    found = {name for one in shown for name in one.blocks}
    alike = {name if name in BLOCKS else "unclear" for name in found}
    colours = [text for name, text in BLOCKS.items() if name in alike]
    return [f"Blocks, {CLASSES}: {', '.join(colours)}"] if colours else []
