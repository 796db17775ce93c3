"""Hints on paths, command lines and orders of runs that learners write."""

from __future__ import annotations

import posixpath
import shlex
from collections import Counter
from itertools import pairwise
from pathlib import Path

from typer.main import get_group

from fsviz.analysis.tests import FEWEST
from fsviz.cli.shared import app
from fsviz.model.errors import printable
from fsviz.model.units import parse_duration
from fsviz.readers.iozone.options import Options, parse_options

TWO_HOURS = 7200


def read_command(answer: object) -> Options | str:
    """Read a command line of IOzone, or say why it cannot be one.

    >>> read_command("sudo iozone -a")
    'Begin the command line with iozone; no sudo is needed here.'
    >>> read_command("iozone -a -f /mnt/t").values["f"]
    ('/mnt/t',)
    """
    words = _words(answer)
    if isinstance(words, str):
        return words
    first = posixpath.basename(words[0]) if words else ""
    if first == "sudo":
        return "Begin the command line with iozone; no sudo is needed here."
    if first == "cd":
        return (
            "Changing the folder would work, but the output would not show it. Begin "
            "with iozone, and name the file."
        )
    if first != "iozone":
        return "Begin the command line with iozone."
    options = parse_options(" ".join(words))
    return _hint_on_numbers(options) or options


def _words(answer: object) -> list[str] | str:
    if not isinstance(answer, str):
        return "Give the whole command line as one text in quotes."
    try:
        return shlex.split(answer)
    except ValueError:
        return "A quotation mark in the command line is not closed."


def _hint_on_numbers(options: Options) -> str:
    for option in "sngr":
        try:
            options.sizes(option)
        except ValueError:
            return f"-{option} needs a size, such as 64k or 1g."
    if not set(options.values.get("i", ())) <= set(map(str, range(13))):
        return "-i needs the number of a test: 0 writes, 1 reads."
    return ""


def hint_on_file(options: Options, mount: str) -> str:
    """Say why the test file of a command is not on a mount; nothing if it is.

    >>> hint_on_file(parse_options("iozone -a -f /mnt/new"), "/mnt/new")
    '/mnt/new is the folder itself. Name a file in it.'
    """
    if "F" in options and "f" not in options:
        return "-F is for several processes (-t). For one process, use -f."
    if options.operands:
        return f"{options.operands[0]} belongs to no option, so IOzone ignores it."
    if "f" not in options:
        return "Where is the test file? Without -f, it is in the working directory."
    file = options.values["f"][-1]
    if not file or file.startswith("-"):
        return "-f needs the name of a file after it."
    if file.startswith("="):
        return "Write a blank between -f and the name, not an equals sign."
    if not file.startswith("/"):
        return f"{file} is relative to the working directory. Give a full path."
    file = posixpath.normpath(file)
    if file == mount:
        return f"{mount} is the folder itself. Name a file in it."
    if not file.startswith(f"{mount}/"):
        return f"{file} is not on {mount}."
    return ""


def hint_on_run(answer: object) -> str:
    """Say what is wrong with a ``fsviz run`` of two mounts; nothing if it is right.

    >>> hint_on_run("fsviz run lab smb=/mnt/smb nfs=/mnt/nfs --within 2h")
    'The first system is the baseline, so nfs=/mnt/nfs comes first.'
    >>> hint_on_run("fsviz run --within=120m lab nfs=/mnt/nfs/ smb=/mnt/smb")
    ''
    """
    words = _words(answer)
    if isinstance(words, str):
        return words
    if words[:2] != ["fsviz", "run"]:
        return "Begin the command line with fsviz run."
    try:
        # what fsviz itself takes is right, in whatever order it is written
        given = get_group(app).commands["run"].make_context("run", words[2:]).params
        seconds = parse_duration(given["within"])
    except Exception as error:  # typer's own have no public name
        return f"fsviz run does not take this: {printable(str(error))}"
    if given["folder"] != Path("lab"):
        return "The first word after run is the folder for the results: lab."
    mounts = [word.rstrip("/") for word in given["mounts"]]
    if sorted(mounts) != ["nfs=/mnt/nfs", "smb=/mnt/smb"]:
        return "Name each system and its mount: nfs=/mnt/nfs and smb=/mnt/smb."
    if mounts[0] != "nfs=/mnt/nfs":
        return "The first system is the baseline, so nfs=/mnt/nfs comes first."
    return "" if seconds == TWO_HOURS else "How long may it take? Use --within 2h."


def hint_on_order(answer: object) -> str:
    """Say what is wrong with an order of runs; nothing if it is good.

    >>> hint_on_order(["first", "second"])
    'Each system needs 3 runs or more for a test.'
    >>> hint_on_order(["first", "third"])
    'Use only first and second; found third.'
    """
    if not isinstance(answer, list | tuple):
        return 'Give a list such as ["first", "second"].'
    names = tuple(str(name).strip().lower() for name in answer)
    if strange := [name for name in names if name not in ("first", "second")]:
        return f"Use only first and second; found {printable(strange[0])}."
    counts = Counter(names)
    if len(counts) < 2:
        return "Both first and second have to run."
    if min(counts.values()) < FEWEST:
        return f"Each system needs {FEWEST} runs or more for a test."
    if len(set(counts.values())) > 1:
        return "Give both systems the same number of runs."
    changes = sum(a != b for a, b in pairwise(names))
    if changes == 1:
        return (
            "One system runs first and the other later, so any drift over time will "
            "look like a difference. Let the systems take turns."
        )
    if changes == len(names) - 1:
        return (
            f"{names[-1]} always runs after {names[0]}, so any drift affects "
            f"{names[-1]} more. In some pairs, let {names[-1]} begin."
        )
    place = {n: sum(k for k, m in enumerate(names) if m == n) for n in counts}
    if abs(place["first"] - place["second"]) > len(names) / 2:
        return "One system runs mainly early. Spread both over the whole time."
    return ""


def hint_on_path(answer: object, right: str, given: str) -> str:
    """Judge a path: here capitals and slashes count, unlike in other names."""
    if not isinstance(answer, str):
        return "Give one path in quotes."
    path = answer.strip()
    folder, name = posixpath.split(right)
    hints = {
        right: "",
        given: "That was the intention, but IOzone ignores a path without an option.",
        folder: "The folder is right. What is the file's name?",
        posixpath.join(folder, "testfile"): (
            "That is the file of the other system's command, which has -f."
        ),
        name: "The name is right. Give the full path: in which folder?",
    }
    plain = posixpath.normpath(path)
    if plain in hints and path != f"{right}/":
        return hints[plain]
    if path.lower() == right.lower():
        return "Capitals count in a path."
    if "\\" in path:
        return "Here the parts of a path are joined by /."
    if not path.startswith("/"):
        return "A full path begins with /."
    if posixpath.basename(path) == name:
        return "The name is right. But in which folder were all commands started?"
    return (
        "Which option names the test file? Is this option on the command line? Without "
        "it, the file is iozone.tmp in the working directory."
    )


def hint_on_repair(answer: object, before: Options, mount: str) -> str:
    """Say why a command does not measure what the first one meant to."""
    after = read_command(answer)
    if isinstance(after, str):
        return after
    if hint := hint_on_file(after, mount):
        return hint
    if lost := [f"-{n}" for n in before.values if n not in after]:
        return f"{' '.join(lost)} got lost, so this is another benchmark."
    if after.configuration != before.configuration:
        return (
            f"That asks for {after.configuration}, but the first command asked for "
            f"{before.configuration}. That is another benchmark."
        )
    return ""
