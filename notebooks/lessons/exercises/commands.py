"""Hints on command lines that learners write, shared by the exercises."""

from __future__ import annotations

import posixpath
import shlex

from fsviz.readers.iozone.options import Options, parse_options

_TESTS = range(13)


def read_command(answer: object) -> Options | str:
    """Read a command line of IOzone, or say why it cannot be one.

    >>> read_command("sudo iozone -a")
    'Begin the command line with iozone; no sudo is needed here.'
    >>> read_command("iozone -a -f /mnt/t").values["f"]
    ('/mnt/t',)
    """
    if not isinstance(answer, str):
        return "Give the whole command line as one text in quotes."
    try:
        words = shlex.split(answer)
    except ValueError:
        return "A quotation mark in the command line is not closed."
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


def _hint_on_numbers(options: Options) -> str:
    for option, what in (("s", "size"), ("n", "size"), ("g", "size"), ("r", "size")):
        try:
            options.sizes(option)
        except ValueError:
            return f"-{option} needs a {what}, such as 64k or 1g."
    known = {str(number) for number in _TESTS}
    if not set(options.values.get("i", ())) <= known:
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
    """
    if not isinstance(answer, str):
        return "Give the whole command line as one text in quotes."
    try:
        words = shlex.split(answer)
    except ValueError:
        return "A quotation mark in the command line is not closed."
    if words[:2] != ["fsviz", "run"]:
        return "Begin the command line with fsviz run."
    mounts = [word.rstrip("/") for word in words[2:] if "=/" in word]
    if not words[2:] or "=" in words[2] or words[2].startswith("-"):
        return "The first word after run is the folder for the results."
    if {*mounts} != {"nfs=/mnt/nfs", "smb=/mnt/smb"}:
        return "Name each system and its mount: nfs=/mnt/nfs and smb=/mnt/smb."
    if mounts[0] != "nfs=/mnt/nfs":
        return "The first system is the baseline, so nfs=/mnt/nfs comes first."
    if not {"2h", "120m", "7200s"} & {w.rpartition("=")[2] for w in words}:
        return "How long may it take? Use --within 2h."
    return ""
