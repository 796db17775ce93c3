"""Repeats of one measurement as a group, and what its command line asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from fsviz.model.facts import System
from fsviz.model.units import KIB, MIB
from fsviz.readers.iozone.options import Options, parse_options

if TYPE_CHECKING:
    import pandas as pd

READS = (
    *("read", "reread", "random_read", "backward_read", "stride_read"),
    *("fread", "freread", "pread", "repread", "preadv", "repreadv"),
)
"""IOzone's tests that only read."""

WRITES = (
    *("write", "rewrite", "random_write", "record_rewrite", "fwrite", "frewrite"),
    *("pwrite", "repwrite", "pwritev", "repwritev"),
)
"""IOzone's tests that only write."""

_LARGEST_AUTO, _SINGLE = 512 * MIB, 512 * KIB
"""Largest file of IOzone's automatic mode, and its only file otherwise."""

_TESTS = {
    0: ("write", "rewrite"),
    1: ("read", "reread"),
    2: ("random_read", "random_write"),
}

_options = lru_cache(maxsize=1024)(parse_options)


@dataclass(frozen=True)
class Group:
    """The runs of one system, tool and configuration: repeats of one another.

    Parameters
    ----------
    system : System
    tool : str
    runs : DataFrame
        Rows of `Case.runs`.
    number : int
        As in the column ``group`` of `Case.cells`.
    """

    system: System
    tool: str
    runs: pd.DataFrame
    number: int

    @cached_property
    def command_line(self) -> str:
        """The first command line that is known, else empty."""
        lines = self.runs["command_line"].tolist()
        return next((line for line in lines if isinstance(line, str)), "")

    @cached_property
    def options(self) -> Options | None:
        """IOzone's options; None if the command line is not known."""
        return _options(self.command_line) if self.command_line else None

    def has(self, *flags: str) -> bool:
        """Say whether IOzone ran with any of some options, such as ``c`` or ``+r``."""
        return self.options is not None and any(f in self.options for f in flags)

    @property
    def whole(self) -> bool:
        """Whether all of its runs are complete outputs, not excerpts or quotations."""
        complete, notes = self.runs["complete"].tolist(), self.runs["note"].tolist()
        return False not in complete and not any(isinstance(n, str) for n in notes)

    @property
    def asked_bytes(self) -> float:
        """Largest data set that IOzone's options ask for [B]; 0 if not known."""
        if self.tool != "iozone" or self.options is None:
            return 0.0
        default = _LARGEST_AUTO if "a" in self.options else _SINGLE
        try:
            sizes = self.options.sizes("s") or self.options.sizes("g") or (default,)
        except ValueError:
            return 0.0
        return float(max(sizes) * max(self.options.threads, default=1))

    @property
    def asked_operations(self) -> tuple[str, ...]:
        """The tests among the first three that IOzone's options ask for."""
        if self.tool != "iozone" or self.options is None:
            return ()
        tests = self.options.tests
        chosen = [names for n, names in _TESTS.items() if tests is None or n in tests]
        return tuple(name for names in chosen for name in names)

    @cached_property
    def place(self) -> tuple[str, str]:
        """Where its first run is."""
        return str(self.runs["source"].iloc[0]).split(", ")[0], "line 1"
