"""The command that was timed: whether it is rsync, and what it was asked to do."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise

from fsviz.readers.document import LONGEST_TEXT

_PROMPTED = re.compile(
    r"(?:(?P<prompt>.{0,200}?[$#%>+])\s+)?(?:\S*/)?time\s+(?:-\S+\s+)*(?P<command>\S.*)"
)
_SCRIPT = re.compile(r"\S*(?:\.(?:sh|bash|zsh|py|pl)|sync\S*)$")
_RSYNC = re.compile(r"[\w-]*rsync[\d.]*")
_WITH_VALUE = (
    *("-e", "--rsh", "-B", "--block-size", "--bwlimit", "--compress-level", "-f"),
    *("--exclude", "--include", "--filter", "--max-size", "--min-size", "--timeout"),
    *("--checksum-choice", "--cc", "--compress-choice", "--zc", "--zl", "--chmod"),
)
"""Options of rsync whose value may stand in the next word."""
_COPYING = (
    *("cp", "gcp", "scp", "tar", "gtar", "bsdtar", "star", "cpio", "pax", "mv"),
    *("ditto", "rclone", "robocopy", "xcopy", "unzip", "zip", "unrar", "7z"),
    *("smbclient", "fpsync", "pv", "mbuffer", "untar"),
)
"""Programs that copy files, besides rsync."""
_WRAPPERS = ("sudo", "env", "nice", "ionice", "time", "bash", "sh", "exec")


def prompted_command(line: str) -> str:
    """Take the timed command from a line of a terminal session, or nothing.

    >>> prompted_command("user@host:~$ time rsync -a src/ dst/")
    'rsync -a src/ dst/'
    >>> prompted_command("time flies")
    ''
    """
    match = _PROMPTED.fullmatch(line.strip())
    if match is None or not (match["prompt"] or "rsync" in match["command"]):
        return ""
    return match["command"]


def is_rsync(command: str) -> bool:
    """Tell whether a command is rsync, or a script that may run it.

    >>> is_rsync("rsync -a src/ dst/"), is_rsync("./copy.sh 1"), is_rsync("rm -fr x")
    (True, True, False)
    """
    return "rsync" in command or _SCRIPT.fullmatch(_program(command)) is not None


def _program(command: str) -> str:
    words = (w for w in command.split() if w not in _WRAPPERS and w[0] != "-")
    return next(words, "")


def is_copy(command: str) -> bool:
    """Tell whether a command copies files: rsync, or another program that does.

    >>> [is_copy(c) for c in ("sudo cp -a a b", "tar xf a.tar", "rm -fr a")]
    [True, True, False]
    """
    program = _program(command).rsplit("/", 1)[-1]
    is_known = is_rsync(command) or program in _COPYING
    return is_known and len(command) <= LONGEST_TEXT


def tool_of(command: str) -> str:
    """Name the tool of a timed copy; one whose command is not known is taken for rsync.

    >>> tool_of("cp -a a b"), tool_of("rsync -a a b"), tool_of("")
    ('time', 'rsync', 'rsync')
    """
    return "time" if command and not is_rsync(command) else "rsync"


def configuration_of(command: str) -> str:
    """Reduce a command to its program and options: two repeats have this in common.

    >>> configuration_of("/usr/bin/rsync -a --log-file=/tmp/l --bwlimit=500 s/ d/")
    'rsync -a --log-file --bwlimit=500'
    >>> configuration_of("sudo -u me rsync -a --bwlimit 500 s/ d/")
    'rsync -a --bwlimit=500'
    """
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    words = [word for word in words if word not in _WRAPPERS]
    if not words:
        return ""
    names = [word.rsplit("/", 1)[-1] for word in words]
    start = next((i for i, name in enumerate(names) if _RSYNC.fullmatch(name)), 0)
    words = words[start:]
    options: list[str] = []
    for before, word in pairwise(words):
        if word.startswith("-"):
            name, _, value = word.partition("=")
            options.append(name if "/" in value or not value else word)
        elif before in _WITH_VALUE and "/" not in word:
            options[-1] += f"={word}"
    return " ".join([words[0].rsplit("/", 1)[-1], *options])
