"""What a log itself calls the things that it measured, and which of these are repeats.

::

    == hostA : nfs rsync cold 1 ==      a label, and the number of a repeat
    # warm copy                         a label
    Copy over NFS, one tar file:        a label
    $ cp -a src/ /mnt/nfs/              a command

Two timings of one log are repeats only if they have the same label, or the same command
on the same places. A number at the end is that of a repeat if it counts from 0 or 1 and
what stands before it does not name an amount, as ``threads 2`` does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_LONGEST = 80
_LABEL = re.compile(
    r"\s*(?:(?P<frame>[=*~+-]{2,})\s*(?P<framed>[^\s=*~+-].*?)\s*(?P=frame)?[=*~+-]*:?"
    r"|#+\s+(?P<comment>[^\s#].*?)\s*#*"
    r"|\[(?P<bracket>[A-Za-z][^\]]*)\]"
    r"|(?P<colon>[^\W\d_][^:|<>]*[^\s:|<>]):)\s*"
)
_PRINTED = re.compile(
    # IOzone, its -+m, nfsstat, and fio: lines that end as a label does
    r"Excel output is below|Test running|usage|(?:I/O error|performance by) .*"
    r"|(?:Server|Client) (?:rpc|nfs|packet) .*"
    r"|[sc]?lat percentiles .*|Run status group .*|Disk stats .*",
    re.IGNORECASE,
)
_PROMPT = re.compile(
    r"\s*(?:[\w.~:/@\[\] -]{0,60}?[$%]|[\w.-]+@[\w.:~/-]+\s*[#>])\s+(\S.*)"
)
_NUMBERED = re.compile(
    r"(?P<base>.*?)(?:(?P<word>\b(?:run|rep|repeat|pass|iteration|iter|try|round|trial"
    r"|test|take|attempt)s?)[\s#:._-]{0,20}|[\s#:]{1,20})(?:n[or]\.? ?)?"
    r"(?P<number>\d{1,4})"
    r"(?:\s*(?:of|/)\s*\d+)?",
    re.IGNORECASE,
)
_AMOUNTS = re.compile(
    r"(?:threads?|jobs?|procs?|process(?:es)?|clients?|depth|size|version|level|raid|v"
    r"|nfs|smb|cifs|disks?|hosts?|nodes?|servers?|vers?|port|of|with|by|x|-\w+)\W*",
    re.IGNORECASE,
)
_TITLE = re.compile(
    r"\s*(?P<quote>[\"'*_]{0,2})(?P<words>[^\W\d_][\w+-]*(?:[. -][\w+-]+){0,3})"
    r"(?P=quote)\s*"
)
"""No line that ends as a sentence does; tools print none such right above a table."""
_TIME = re.compile(r"\d\d:\d\d")
_PLACE_OF_REPEAT = re.compile(
    r"((?:^|[/_.-])(?:run|rep|repeat|copy|test|dst|dest|out|tmp|target|try|iter|pass))"
    r"[_-]?\d+(?=/|$)",
    re.IGNORECASE,
)


def label_in(line: str) -> str:
    """Find the label that a line is, or nothing.

    >>> [label_in(t) for t in ("== a : nfs 1 ==", "# warm", "Copy to NFS:", "real 3")]
    ['a : nfs 1', 'warm', 'Copy to NFS', '']
    >>> label_in("**9 files (1 GB)**:")
    '9 files (1 GB)'
    """
    if len(line) > _LONGEST:
        return ""
    match = _LABEL.fullmatch(line)
    if match is None:
        return ""
    label = next(m for m in match.group("framed", "comment", "bracket", "colon") if m)
    # head and tail print ==> file <==
    label = label.strip("<> ") if match["framed"] else label
    # a header of a table, such as bonnie++'s, is no label, nor what tools print
    return "" if "--" in label or _PRINTED.fullmatch(label) else label


def command_in(line: str) -> str:
    """Find the command behind the prompt of a shell, or nothing.

    >>> command_in("me@host:~$ cp -a src/ dst/"), command_in("4 files")
    ('cp -a src/ dst/', '')
    """
    match = _PROMPT.fullmatch(line[:1000])
    return match[1].strip() if match else ""


def without_repeats(labels: Sequence[str]) -> list[str]:
    """Remove the numbers of repeats from labels.

    >>> without_repeats(["nfs cold 1", "nfs cold 2", "threads 1", "threads 2"])
    ['nfs cold', 'nfs cold', 'threads 1', 'threads 2']
    """
    matches = [_NUMBERED.fullmatch(label) for label in labels]
    counted: dict[tuple[str, bool], set[int]] = {}
    for match in matches:
        if match is not None:
            key = (match["base"].rstrip(" #:._-"), match["word"] is not None)
            counted.setdefault(key, set()).add(int(match["number"]))
    from_one = {
        key: max(numbers) - min(numbers) < len(numbers) and min(numbers) < 2
        for key, numbers in counted.items()
    }
    shorter = []
    for label, match in zip(labels, matches, strict=True):
        if match is None:
            shorter.append(label)
            continue
        base, said = match["base"].rstrip(" #:._-"), match["word"] is not None
        last = base.rpartition(" ")[2]
        counts = from_one[base, said] and _AMOUNTS.fullmatch(last) is None and base
        is_repeat = said or counts
        shorter.append(base if is_repeat else label)
    return shorter


def told_apart(texts: Sequence[str]) -> list[str]:
    """Name things by the words in which their commands differ.

    >>> told_apart(["rsync -a src/ /mnt/nfs/", "rsync -a src/ /mnt/smb/"])
    ['/mnt/nfs/', '/mnt/smb/']
    >>> told_apart(["cp a /mnt/run1", "cp a /mnt/run2"])
    ['', '']
    """
    # many runs may share one long command
    shorter = {text: _PLACE_OF_REPEAT.sub(r"\1", text) for text in set(texts)}
    same = [shorter[text] for text in texts]
    if len(set(same)) < 2:
        return ["" for _ in texts]
    words = [text.split() for text in same]
    if len({len(own) for own in words}) > 1:
        return same
    columns = [set(column) for column in zip(*words, strict=True)]
    differing = [i for i, column in enumerate(columns) if len(column) > 1]
    return [" ".join(own[i] for i in differing) for own in words]


def headings(lines: Sequence[str], starts: Sequence[int]) -> list[str]:
    """Name results by the headings above them, if all have one and they differ.

    >>> headings(["## cold", "1", "", "## warm", "2"], [2, 5])
    ['cold', 'warm']
    >>> headings(["BEFORE", "1", "", "AFTER", "2"], [2, 5])
    ['BEFORE', 'AFTER']
    >>> headings(["## run 1", "1", "## run 2", "2"], [2, 4])
    ['', '']
    """
    if len(starts) > 1:
        above = [lines[b : a - 1] for b, a in pairwise([0, *starts])]
        for find in (_nearest_label, _title):
            labels = without_repeats([find(own) for own in above])
            if all(labels) and len(set(labels)) > 1:
                return labels
    return ["" for _ in starts]


def _nearest_label(above: Sequence[str]) -> str:
    labels = map(label_in, reversed(above))
    return next((t for t in labels if t and not _TIME.search(t)), "")


def _title(above: Sequence[str]) -> str:
    """Take the line right above a table if it is a few words that stand alone."""
    filled = [at for at, line in enumerate(above) if line.strip()]
    if not filled or filled[-1] - 1 in filled[:-1]:
        return ""
    match = _TITLE.fullmatch(above[filled[-1]])
    return match["words"] if match else ""


def commands_above(
    lines: Sequence[str], starts: Sequence[int], program: str
) -> list[str]:
    """Find the last command of a program behind a prompt above each result.

    >>> commands_above(["$ b++ -d /a", "1", "2", "$ b++ -d /b", "3"], [2, 3, 5], "b++")
    ['b++ -d /a', 'b++ -d /a', 'b++ -d /b']
    """
    found, command, before = [], "", 0
    for start in starts:
        for line in lines[before : start - 1]:
            own = command_in(line) if program in line else ""
            command = own if program in own else command
        found.append(command)
        before = start - 1
    return found


def folders_named(commands: Sequence[str]) -> list[str]:
    """Name results by the folders that their command lines name, if these differ.

    >>> folders_named(["iozone -a -f /mnt/nfs/t", "iozone -a -f /mnt/smb/t"])
    ['/mnt/nfs', '/mnt/smb']
    """
    named = [" ".join(_folders(command.split())) for command in commands]
    named = [_PLACE_OF_REPEAT.sub(r"\1", text) for text in named]
    return named if len(set(named)) > 1 else ["" for _ in commands]


def places_or_headings(
    lines: Sequence[str], starts: Sequence[int], commands: Sequence[str]
) -> list[str]:
    """Name what one file measured: by folders of test files, else by headings.

    >>> places_or_headings(["## cold", "1", "## warm", "2"], [2, 4], ["dd", "dd"])
    ['cold', 'warm']
    """
    if len(starts) < 2:
        return [""] * len(starts)
    named = folders_named(commands)
    return named if any(named) else headings(lines, starts)


def _folders(words: Sequence[str]) -> list[str]:
    folders = []
    for before, word in pairwise(words):
        if "/" in word and before != "-b" and not word.startswith("-"):
            folders.append(word.rpartition("/")[0] or "/")
    return list(dict.fromkeys(folders))
