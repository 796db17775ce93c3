"""What a published IOzone command line does, which is not always what was intended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsviz.model.units import format_size, parse_stated_size, significant
from fsviz.readers.iozone.options import Options, parse_options

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign


def command_table(campaign: Campaign) -> pd.DataFrame:
    """Say what each command line of IOzone measures."""
    import pandas as pd

    systems = campaign.systems.set_index("system")
    lines = campaign.runs.loc[campaign.runs["tool"] == "iozone"]
    rows = []
    for row in lines.dropna(subset=["command_line"]).itertuples():
        options = parse_options(str(row.command_line))
        ram = systems["client_ram"].get(row.system)
        rows.append(
            {
                "system": row.system,
                "command": row.command_line,
                "test file": test_file(options),
                "largest file": largest_file(options, ram),
                "a write is timed until": timed_until(options),
                "the client's cache before a read": cache_before(options),
            }
        )
    return pd.DataFrame(rows, dtype="string")


def test_file(options: Options) -> str:
    r"""Say where IOzone's test file is.

    >>> test_file(parse_options(r"iozone -a \\server\share"))
    'iozone.tmp in the working directory; \\\\server\\share is ignored'
    >>> test_file(parse_options("iozone -a -f /mnt/t"))
    '/mnt/t'
    >>> test_file(parse_options("iozone -t 4"))
    'iozone.DUMMY.0 … iozone.DUMMY.3 in the working directory'
    """
    if options.test_files:
        return ", ".join(options.test_files)
    name = "iozone.tmp"
    if options.threads:
        name = f"iozone.DUMMY.0 … iozone.DUMMY.{max(options.threads) - 1}"
    where = f"{name} in the working directory"
    if options.operands:
        where += f"; {' '.join(options.operands)} is ignored"
    return where


test_file.__test__ = False  # type: ignore[attr-defined]  # pytest must not collect it


def largest_file(options: Options, client_ram: object) -> str:
    """Say how large the data are, and how many times the client's memory.

    >>> largest_file(parse_options("iozone -a -g 2G"), "2 GB")
    "2 GiB, 1 × the client's memory"
    >>> largest_file(parse_options("iozone -t 4"), None)
    '2 MiB (4 × 512 KiB), memory not stated'
    """
    threads = max(options.threads or (1,))
    one = options.largest_file
    size = format_size(one * threads)
    if threads > 1:
        size += f" ({threads} × {format_size(one)})"
    if not isinstance(client_ram, str):
        return f"{size}, memory not stated"
    times = one * threads / parse_stated_size(client_ram)
    return f"{size}, {significant(times, 2)} × the client's memory"


def timed_until(options: Options) -> str:
    """Say at which moment the clock of a write stops.

    >>> timed_until(parse_options("iozone -ac")), timed_until(parse_options("iozone"))
    ('close (-c), not fsync (no -e)', 'the last write call (neither -c nor -e)')
    """
    if options.flushed:
        return "the system says it is stored (-e, -o, -I, -+r or -+D)"
    if "c" in options:
        return "close (-c), not fsync (no -e)"
    return "the last write call (neither -c nor -e)"


def cache_before(options: Options) -> str:
    """Say what the client's cache holds when a read starts.

    >>> cache_before(parse_options("iozone -a -U /mnt"))
    'emptied: -U remounts /mnt'
    >>> cache_before(parse_options("iozone -a"))
    'the file that was just written'
    """
    if "I" in options:
        return "bypassed (-I)"
    if mounts := options.values.get("U"):  # noqa: PD011
        return f"emptied: -U remounts {mounts[0].rstrip('/') or '/'}"
    return "the file that was just written"
