"""``REP.counters.json``: what the kernel counted during a run, beside its output.

``fsviz run`` writes it (`fsviz.measuring._counters`). It also says when the run began,
for few tools do.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fsviz.campaigns.merge_files import COUNTED, stem
from fsviz.model.errors import ParseError
from fsviz.model.runs import COUNTERS, Reading
from fsviz.readers.formats import shown_path


class Counters(BaseModel):
    """What happened on the machine while a run went on."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    started: str = Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$")
    seconds: float = Field(ge=0)
    round: int = Field(ge=0)
    place: int = Field(ge=1)
    through: Literal["mount", "device", ""] = ""
    read: int = Field(0, ge=0)
    written: int = Field(0, ge=0)
    others_cpu: float = Field(0.0, ge=0)
    throttled: int = Field(0, ge=0)
    served_read: int = Field(0, ge=0)
    served_written: int = Field(0, ge=0)


def with_counters(reading: Reading, path: str) -> Reading:
    """Add to the runs of an output what was counted during them."""
    file = Path(stem(path) + COUNTED)
    try:
        counted = Counters.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        problem = ParseError(shown_path(str(file)), 1, "counters of fsviz run", "none")
        return replace(reading, problems=(*reading.problems, problem))
    facts = {COUNTERS: counted.model_dump(exclude_defaults=True)}
    runs = tuple(
        replace(run, started=counted.started, facts={**run.facts, **facts})
        for run in reading.runs
    )
    return replace(reading, runs=runs)
