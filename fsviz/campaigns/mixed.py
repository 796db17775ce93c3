"""What a campaign must leave out: operations whose cells mix runs that are no repeats.

One such cell would stop every answer. So each operation of a system and tool that has
one is left out where the campaign is loaded, and named among its problems; every table,
figure, page and exit status follows from that. Stores keep all numbers, and ``whole``
keeps them for the rules of ``fsviz check``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fsviz.analysis.cells import describe_cell, first_mixed, mixed_rows, performance
from fsviz.model.errors import InconsistentDataError, printable
from fsviz.model.libraries import pd

if TYPE_CHECKING:
    from fsviz.model.campaign import Campaign

_OPERATION = ["system", "tool", "operation"]
_RUN = ["system", "tool", "run"]
_FILE = ["source", "run"]


def without_mixed(campaign: Campaign) -> Campaign:
    """Leave out the operations that mix runs, and say so among the problems."""
    mixed = _mixed(campaign)
    if mixed.empty:
        return campaign
    measurements = campaign.measurements
    out = _among(measurements, mixed, _OPERATION)
    usable, dropped = measurements.loc[~out], measurements.loc[out]
    if performance(usable).empty:
        return campaign
    runs = campaign.runs
    gone = _among(runs, dropped, _RUN) & ~_among(runs, usable, _RUN)
    return replace(
        campaign,
        measurements=usable.reset_index(drop=True),
        runs=runs.loc[~gone].reset_index(drop=True),
        problems=(*campaign.problems, *_problems(mixed)),
        files=_files(campaign.files, dropped),
        whole=campaign,
    )


def mixed_problems(campaign: Campaign) -> list[InconsistentDataError]:
    """Say what mixes runs, also where nothing else would be left."""
    return _problems(_mixed(campaign))


def _mixed(campaign: Campaign) -> pd.DataFrame:
    """Find the numbers that are no repeats of one another."""
    # quick, and enough for nearly all: two runs must have one number to be mixed
    if not campaign.runs.duplicated(["system", "tool", "repeat"]).any():
        return campaign.measurements.iloc[:0]
    return mixed_rows(performance(campaign.measurements))


def _among(rows: pd.DataFrame, among: pd.DataFrame, columns: list[str]) -> pd.Series:
    """Say which rows have names that are also together in a row of the others."""
    names = rows[columns].astype(str)
    keys = among[columns].astype(str).drop_duplicates()
    mask = pd.MultiIndex.from_frame(names).isin(pd.MultiIndex.from_frame(keys))
    return pd.Series(mask, index=rows.index)


def _problems(mixed: pd.DataFrame) -> list[InconsistentDataError]:
    """Name each system and tool once, at the first number that is no repeat."""
    groups = mixed.groupby(["system", "tool"], observed=True, sort=False)
    return [_problem(rows) for _, rows in groups]


def _problem(rows: pd.DataFrame) -> InconsistentDataError:
    first, second, varies = first_mixed(rows)
    operations = ", ".join(map(str, rows["operation"].unique()))
    return InconsistentDataError(
        str(second["source"]),
        str(second["locator"]).removeprefix("line "),
        f"a repeat of {printable(str(first['source']))} ({describe_cell(first)})",
        f"a run that differs in {varies}; left out of {first['tool']} on "
        f"{printable(str(first['system']))}: {operations}; give each its own label "
        "(label=path) or [[system]] in campaign.toml",
    )


def _files(files: pd.DataFrame | None, dropped: pd.DataFrame) -> pd.DataFrame | None:
    """Count what is used of each file, and remark what is left out."""
    if files is None:
        return None
    lost = dropped.groupby(_FILE, observed=True).size().rename("lost").reset_index()
    counts = files[_FILE].merge(lost, on=_FILE, how="left")["lost"].fillna(0)
    counts = counts.astype("int64").set_axis(files.index)
    remark = counts.astype("string") + " numbers left out: their operation mixes runs"
    both = (files["remark"] + "; " + remark).where(files["remark"] != "", remark)
    return files.assign(
        numbers=files["numbers"] - counts,
        remark=files["remark"].where(counts == 0, both),
    )
