r"""What IOzone prints before its numbers: version, command line, settings.

::

    \tIozone: Performance Test of File I/O
    \t        Version $Revision: 3.489 $
    \tRun began: Sat Nov 21 09:07:37 2026
    \tInclude close in write timing
    \tCommand line used: iozone -Racz -i 0 -i 1 -n 64k -g 64m -f t.tmp -b x.xls
    \tOutput is in kBytes/sec
    \tTime Resolution = 0.000001 seconds.

The lines about options come in the order of the options. A long ``uname`` line (``-M``)
overruns its buffer, so that a following line may be printed twice or glued to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from fsviz.model.errors import DeclaredInvalidError
from fsviz.model.units import KIB
from fsviz.readers.document import iso_time
from fsviz.readers.iozone.options import Options, parse_options

UNSTATED = "not stated; kBytes/sec assumed"
"""Fact ``output_unit`` of a table that was published without its banner."""

_FLAG_LINES: Mapping[str, str] = {
    "Using mmap files": "mmap",
    "No retest option selected": "no_retest",
    "Performance measurements may be invalid in this mode.": "may_be_invalid",
}
"""Facts by the line that IOzone prints for them."""

_FLAG_OPTIONS: Mapping[str, str] = {
    "B": "mmap",
    "H": "asynchronous",
    "k": "asynchronous",
    "+n": "no_retest",
    "+Z": "may_be_invalid",
}

_STATED_FACTS: Mapping[str, Callable[[str], object]] = {
    "uname": str,
    "word_size_bits": int,
    "cache_size_bytes": lambda text: int(text) * KIB,
    "time_resolution_s": float,
}
_INVALID_OPTIONS = ("V", "+d", "+X")
_INVALID = "Performance measurements are invalid in this mode."

_VALUE_LINE = re.compile(
    r"^\s*(?:"
    r"Version \$Revision: (?P<version>[\w.]+)"
    r"|Compiled for (?P<word_size_bits>\d{1,3}) bit mode"
    r"|Run began: \w+ +(?P<started>\w+ +\d+ [\d:]+ \d+)"
    r"|Machine = (?P<uname>.*)"
    r"|Hostname = (?P<hostname>\S+)"
    r"|Command line used: *(?P<command_line>.*)"
    r"|Output is in (?P<output_unit>[kK][bB]ytes/sec)"
    r"|(?P<ops_mode>OPS Mode)"
    r"|(?P<microseconds_mode>Microseconds/op Mode)"
    r"|Time Resolution = (?P<time_resolution_s>\d{1,9}\.\d{1,9}) seconds"
    r"|Processor cache size set to (?P<cache_size_bytes>\d{1,12}) kBytes"
    r")",
    re.IGNORECASE,
)
# What people paste with a table: a shell's prompt and the command, and where its output
# goes, which is no word of the command.
_PROMPT = re.compile(
    r"(?:[\w@~:/.\[\]()\\ -]*[$#>%] *)?(?:sudo +|time +)*"
    r"((?:\S*[/\\])?iozone3?(?:\.exe)? +-[^;|`<>&]*)(?P<target>[|<>&][^;`]*)?"
)
_DESCRIPTOR = re.compile(r"\s\d$")


@dataclass(slots=True)
class Banner:
    """The facts of one run."""

    stated: dict[str, str] = field(default_factory=dict)
    options: Options = field(default_factory=Options)
    facts: dict[str, object] = field(default_factory=dict)
    invalid: int | None = None
    pasted: str = ""

    @property
    def metric(self) -> str:
        """Metric of the numbers: throughput, rate (``-O``) or latency (``-N``)."""
        if "microseconds_mode" in self.stated or "N" in self.options:
            return "latency"
        if "ops_mode" in self.stated or "O" in self.options:
            return "rate"
        return "throughput"

    @property
    def started(self) -> str:
        """When the run began, ISO 8601 in the local time of the machine."""
        return iso_time(self.stated.get("started", ""), "%b %d %H:%M:%S %Y")

    @property
    def host(self) -> str:
        """Name of the machine, from ``uname`` (``-M``) or ``-+h``."""
        words = self.stated.get("uname", "").split()
        return words[1] if len(words) > 1 else self.stated.get("hostname", "")

    @property
    def time_resolution(self) -> float:
        """Resolution of the clock [s]."""
        return float(self.stated.get("time_resolution_s") or 0) or 1e-6


def read_banner(lines: Iterable[str], first_line: int) -> Banner:
    """Read the lines before the numbers."""
    banner = Banner()
    for number, line in enumerate(lines, first_line):
        text = line.strip()
        if fact := _FLAG_LINES.get(text):
            banner.facts[fact] = True
        elif text.endswith(_INVALID):
            banner.invalid = number
        elif match := _VALUE_LINE.match(text):
            name = str(match.lastgroup)
            banner.stated[name] = match[name].strip()
        elif command := pasted_command(text):
            banner.pasted = command
    if banner.pasted and "command_line" not in banner.stated:
        banner.stated["command_line"] = banner.pasted
    _add_facts(banner)
    return banner


def pasted_command(line: str) -> str:
    """Find the command of IOzone that a line is, behind a prompt or not, or nothing.

    >>> pasted_command("me@host:~$ sudo iozone -a 2>&1 | tee log"), pasted_command("io")
    ('iozone -a', '')
    """
    match = _PROMPT.fullmatch(line.strip()) if "iozone" in line else None
    target = (match["target"] or "") if match else ""
    if match is None or "iozone -" in target:
        return ""
    command = _DESCRIPTOR.sub("", match[1]) if target.startswith(">") else match[1]
    return command.strip()


def refuse_invalid(path: str, place: int | str, banner: Banner) -> None:
    """Refuse measurements that the tool itself calls invalid."""
    if banner.invalid is not None:
        expected = "measurements that IOzone itself calls valid"
        mode = "verify or diagnostic mode (-V, -+d, -+X)"
        raise DeclaredInvalidError(path, banner.invalid or place, expected, mode)


def banner_of_command(command_line: str) -> Banner:
    """Make the banner of a run of which only the command line is known.

    >>> banner = banner_of_command("iozone -a -O -B")
    >>> banner.metric, banner.facts["mmap"]
    ('rate', True)
    """
    banner = Banner({"command_line": command_line} if command_line else {})
    _add_facts(banner)
    return banner


def _add_facts(banner: Banner) -> None:
    stated, facts = banner.stated, banner.facts
    banner.options = parse_options(stated.get("command_line", ""))
    for option, name in _FLAG_OPTIONS.items():
        if option in banner.options:
            facts[name] = True
    if banner.invalid is None and any(o in banner.options for o in _INVALID_OPTIONS):
        banner.invalid = 0
    for name, parse in _STATED_FACTS.items():
        if name in stated:
            facts[name] = parse(stated[name])
    is_stated = "command_line" in stated or "output_unit" in stated
    units = {"rate": "operations/sec", "latency": "microseconds/op"}
    unit = "kBytes/sec" if is_stated else UNSTATED
    facts["output_unit"] = units.get(banner.metric, unit)
