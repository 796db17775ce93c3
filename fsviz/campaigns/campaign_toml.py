"""``campaign.toml``: what the person who measured knows and no tool prints."""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from fsviz.campaigns._globs import parts_of
from fsviz.campaigns.folders import leads_out
from fsviz.model.errors import CampaignError, quoted
from fsviz.model.facts import CHECKED
from fsviz.model.names import normalised_name
from fsviz.model.thresholds import THRESHOLDS

NAME = "campaign.toml"


def _text_of_date(value: object) -> object:
    """Take a date or time as TOML has it, without quotation marks, as its text."""
    return value.isoformat() if isinstance(value, dt.date | dt.time) else value


def _key(meaning: str, example: object, default: Any = None, **limits: Any) -> Any:
    """Declare a key: what it means, how it looks, and what holds where it is absent."""
    return Field(default, description=meaning, examples=[example], **limits)


Date = Annotated[str | None, BeforeValidator(_text_of_date)]
"""Text, or a date or time without quotation marks."""


def _sorts_by_time(text: str | None) -> str | None:
    """Refuse what a history could not put in order."""
    if text is not None and not re.fullmatch(r"\d{4}(-\d\d)?", text):
        try:
            dt.datetime.fromisoformat(text)
        except ValueError:
            raise ValueError("a date such as 2026-11-21") from None
    return text


Moment = Annotated[Date, AfterValidator(_sorts_by_time)]
"""When a campaign began or ended, as ISO 8601 has it."""


def _name(text: str) -> str:
    if not text.strip():
        raise ValueError("a name")
    return normalised_name(text)


Name = Annotated[str, AfterValidator(_name)]
"""Of a system."""


def _inside(pattern: str) -> str:
    parts_of(pattern)
    return pattern


Glob = Annotated[str, AfterValidator(_inside)]
"""Pattern of files of the campaign."""


class Facts(BaseModel):
    """Facts about a system, or about all systems of a campaign; all optional."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    protocol: str | None = _key("local, nfs, smb, or another name", "nfs")
    protocol_version: str | None = _key("of the protocol", "4.2")
    file_system: str | None = _key("below it, where the data lie", "ext4")
    server: str | None = _key("machine and program that serve", "Debian 12, knfsd")
    client: str | None = _key("machine that ran the benchmark", "desktop, 4 cores")
    operating_system: str | None = _key("of the client", "Debian 12")
    kernel: str | None = _key("of the client", "Linux 6.1.0")
    cpu: str | None = _key("of the client", "4 CPUs, Intel Xeon E-2224")
    cpu_cache: str | None = _key("largest cache of the client's CPU", "8 MiB")
    client_ram: str | None = _key("memory that can cache files there", "16 GiB")
    server_ram: str | None = _key("the same of the server", "32 GiB")
    link: str | None = _key("rate of the network", "1 Gbit/s")
    mtu: str | None = _key("largest packet of the network in bytes", "1500")
    round_trip: str | None = _key("time of a packet to the server and back", "0.2 ms")
    mount_point: str | None = _key("absolute path where it is mounted", "/mnt/nfs")
    mount_options: str | None = _key("as /proc/mounts has them", "rw,vers=4.2,hard")
    export_options: str | None = _key("of the server's export or share", "rw,sync")
    durability: str | None = _key("sync if a write is on disk, else async", "sync")
    storage: str | None = _key("the device below all of it", "SATA SSD, 480 GB")
    firmware: str | None = _key("of the device, controller or NAS", "2B2QEXM7")
    emulated: str | None = _key("what software imitates", "link of a guest")
    tool_versions: str | None = _key("of the benchmarks", "iozone 3.489; fio 3.33")
    date: Date = _key("when it was measured", dt.date(2026, 11, 21))
    notes: str | None = _key("what else a reader should know", "server was idle")

    @field_validator(*CHECKED)
    @classmethod
    def _states_a_number(cls, text: str | None, info: ValidationInfo) -> str | None:
        if text is not None:
            expected, parse = CHECKED[str(info.field_name)]
            try:
                parse(text)
            except ValueError:
                raise ValueError(expected) from None
        return text


class SystemEntry(Facts):
    """One ``[[system]]``: what is compared, and the files that measured it."""

    name: Name = _key("what it is called everywhere", "nfs", ...)
    title: str | None = _key("a longer name", "NFS 4.2 over 1 Gbit/s")
    files: list[Glob] | None = _key(
        "patterns of its results in the folder; else all below NAME/", ["*/nfs/*"]
    )
    heading: str | None = _key(
        "pattern of what stands above its results, or of its sheet or column, in files "
        "that several systems share",
        "NFS*",
    )


SETTINGS = ("options", "version", "word_size", "file_sizes", "record_sizes", "threads")
"""Settings of a tool that a campaign may compare on purpose, besides facts."""


Count = Annotated[int, Field(ge=1, le=100)]


Sizes = Annotated[list[Annotated[int, Field(ge=1024)]], Field(min_length=1)]


class Measured(BaseModel):
    """``[measured]``: the design of ``fsviz run``, and when it looked at the answers.

    ``fsviz run`` writes it and goes on from it; nobody else should.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    tools: list[str] = _key("that measure", ["iozone"], ...)
    question: str = _key("of --question", "throughput", ...)
    within_s: float = _key("budget [s]", 1800.0, ..., gt=0)
    used_s: float = _key("of it [s]", 412.5, 0.0, ge=0)
    seed: int = _key("of the order in each round", 20261125, ...)
    memory: int = _key("sizes are made for [B]", 67108864, ..., gt=0)
    limited: bool = _key("whether that is a control group's", True, False)
    file_sizes: Sizes = _key("[B]", [16777216, 201326592], ...)
    record_sizes: Sizes = _key("[B]", [65536, 1048576], ...)
    files: int = _key("small ones, in 1024", 16, 16, ge=0)
    rounds: Count = _key("planned", 10, ...)
    looks: list[Count] = _key("rounds after which it looked", [3, 4], [])
    closed: bool = _key("whether the budget made that the last look", False, False)
    ended: str = _key("why it stopped", "decided", "")
    seconds_a_round: float = _key("expected", 24.0, 0.0, ge=0)

    @field_validator("looks")
    @classmethod
    def _ascends(cls, looks: list[int]) -> list[int]:
        if any(a >= b for a, b in pairwise(looks)):
            raise ValueError("rounds that ascend")
        return looks


class CampaignFile(BaseModel):
    """The whole of ``campaign.toml``."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    title: str = _key("of reports", "NFS or SMB, autumn", "")
    question: str = _key("what it is to answer", "Which one is faster?", "")
    baseline: Name | None = _key("system that others are compared with", "nfs")
    started: Moment = _key("first run", dt.date(2026, 11, 21))
    ended: Moment = _key("last run", dt.date(2026, 11, 22))
    ignore: list[Glob] = _key("patterns of files that are no results", ["*.log"], [])
    headings: bool = _key(
        "whether what stands above results in a file names systems", True, True
    )
    compared: list[str] = _key(
        "facts and settings that differ on purpose", ["mount_options"], []
    )
    facts: Facts = _key("true of every system unless it says so", {}, Facts())
    system: list[SystemEntry] = _key("what is compared", [], [])
    measured: Measured | None = _key("written by fsviz run, which goes on from it", {})
    thresholds: dict[str, float] = _key(
        "where the rules of fsviz check draw their lines", {}, {}
    )


_LARGEST = 256 * 1024
_LONGEST_LINE = 8192

FACTS = tuple(Facts.model_fields)
"""Names of the facts, in the order in which they are shown."""


def described_in(folder: Path) -> CampaignFile:
    """Return what a folder's ``campaign.toml`` states, if there is one."""
    path = folder / NAME
    return read_campaign_file(path) if path.is_file() else CampaignFile()


def read_campaign_file(path: Path) -> CampaignFile:
    """Read and check ``campaign.toml``."""
    text = _text(path)
    try:
        parsed = CampaignFile.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise CampaignError(
            str(path), _toml_line(error, text), "TOML", str(error)
        ) from error
    except ValidationError as error:
        raise _explain(path, text, error) from None  # its keys are raw
    except (RecursionError, ValueError) as error:
        # brackets in brackets, or an integer of thousands of digits
        fault = "one that is nested too deeply or too long"
        raise CampaignError(str(path), 1, "a value of TOML", fault) from error
    _check_names(path, text, parsed)
    return parsed


def _text(path: Path) -> str:
    """Read the file, unless it cannot be one that a person wrote.

    tomllib needs time with the square of the parts of a dotted key, so lines are
    bounded as well.
    """
    if leads_out(path, path.parent):
        raise CampaignError(str(path), 1, "a file", "a link out of the campaign")
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise CampaignError(
            str(path), 1, "a readable file", error.strerror or "none"
        ) from error
    if len(data) > _LARGEST:
        raise CampaignError(str(path), 1, f"at most {_LARGEST} bytes", "more")
    text = data.decode("utf-8", errors="replace")
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > _LONGEST_LINE:
            limit = f"lines of at most {_LONGEST_LINE} characters"
            raise CampaignError(str(path), number, limit, f"{len(line)}")
    return text


def line_of(text: str, *location: str | int) -> int:
    r"""Find the line where a key stands.

    >>> line_of('[[system]]\nname = "a"\ncolour = 1\n', "system", 0, "colour")
    3
    """
    lines = text.split("\n")
    start, end = 0, len(lines)
    for part, following in zip(location, (*location[1:], None), strict=True):
        if isinstance(part, int):
            continue
        # nothing else is a list of tables
        listed = part == "system" and isinstance(following, int)
        occurrence = int(following or 0) if listed else 0
        hits = [
            n
            for n in range(max(start, 1), end + 1)
            if _stands_in(lines[n - 1], part, as_value=following is None)
        ]
        if occurrence < len(hits):
            start = hits[occurrence]
            if _HEADER.match(lines[start - 1]):
                later = range(start + 1, end + 1)
                end = next((n - 1 for n in later if _HEADER.match(lines[n - 1])), end)
    return max(start, 1)


_HEADER = re.compile(r"\s*\[")


def _stands_in(line: str, word: str, *, as_value: bool) -> bool:
    key = re.escape(word)
    table, assigned = rf"\[+\s*{key}\s*\]+", rf"""(?:[\w-]+\.)?["']?{key}["']?\s*[=.]"""
    value = rf"""|["']{key}["']""" if as_value else ""
    return re.search(rf"^\s*(?:{table}|{assigned}){value}", line) is not None


def _toml_line(error: tomllib.TOMLDecodeError, text: str) -> int:
    match = re.search(r"line (\d+)", str(error))
    return int(match[1]) if match else text.count("\n") + 1


def _explain(path: Path, text: str, error: ValidationError) -> CampaignError:
    first = error.errors()[0]
    location = [x for x in first["loc"] if isinstance(x, str | int)]
    keys = [part for part in location if isinstance(part, str)]
    value = [first["input"]] if location[-1:] != keys[-1:] else []
    line = line_of(text, *location, *(v for v in value if isinstance(v, str)))
    key = quoted(keys[-1])
    if first["type"] == "extra_forbidden":
        names = ", ".join(_table(location).model_fields)
        return CampaignError(str(path), line, f"one of the keys {names}", key)
    if location == ["system"] and isinstance(first["input"], dict):
        return CampaignError(str(path), line, "[[system]], one for each", "[system]")
    if first["type"] == "missing":
        return CampaignError(str(path), line, f"the key {key}", "none")
    if first["type"] == "value_error":
        expected = str(first["ctx"]["error"])
    else:
        expected = first["msg"].removeprefix("Input should be ")
    return CampaignError(
        str(path), line, f"{expected} for {key}", quoted(str(first["input"]))
    )


def _table(location: list[str | int]) -> type[BaseModel]:
    if location[0] == "system":
        return SystemEntry
    if location[0] == "measured":
        return Measured
    return Facts if location[0] == "facts" and len(location) > 1 else CampaignFile


def _check_names(path: Path, text: str, parsed: CampaignFile) -> None:
    names = [entry.name for entry in parsed.system]
    for index, name in enumerate(names):
        if name in names[:index]:
            line = line_of(text, "system", index, "name")
            raise CampaignError(
                str(path), line, "each system once", f"{quoted(name)} again"
            )
    if parsed.baseline and names and parsed.baseline not in names:
        raise CampaignError(
            str(path),
            line_of(text, "baseline"),
            "the name of a system as baseline",
            quoted(parsed.baseline),
        )
    _check_words(path, text, "compared", parsed.compared, (*FACTS, *SETTINGS))
    _check_words(path, text, "thresholds", parsed.thresholds, THRESHOLDS)
    for name, value in parsed.thresholds.items():
        if expected := THRESHOLDS[name].refusal(value):
            line = line_of(text, "thresholds", name)
            stated = quoted(f"{name} = {value}")
            raise CampaignError(str(path), line, expected, stated)


def _check_words(
    path: Path, text: str, key: str, words: Iterable[str], allowed: Iterable[str]
) -> None:
    for word in words:
        if word not in allowed:
            line = line_of(text, key, word)
            expected = f"{key} to be of {', '.join(allowed)}"
            raise CampaignError(str(path), line, expected, quoted(word))
