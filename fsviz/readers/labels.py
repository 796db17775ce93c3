"""What stands above results and names them: headings, paths, prompts, commands.

::

    ## NFS                              a heading, until the next of its level
    == hostA : nfs rsync cold 1 ==      a heading, and the number of a repeat
    Testing /mnt/nfs/backups            a path
    Copy over NFS, one tar file:        a label
    $ cp -a src/ /mnt/nfs/              a command

`systems_above` is the one owner of which of these names a system, for every reader:
what does not differ, and the numbers of repeats, name none. A number at the end is that
of a repeat if it counts from 0 or 1 and what stands before it does not name an amount,
as ``threads 2`` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

_LONGEST, _LONGEST_HEADING = 80, 200
_LABEL = re.compile(
    r"\s*(?:(?P<frame>[=*~+-]{2,})\s*(?P<framed>[^\s=*~+-].*?)\s*(?P=frame)?[=*~+-]*:?"
    r"|(?P<hashes>#+)\s+(?P<comment>[^\s#].*?)\s*#*"
    r"|(?:[A-Z][\w ]{0,40} (?:on|of|in|at)?\s*)?(?P<path>/[\w.+-]+/[\w./+-]+):?"
    r"|.{0,60}?<h(?P<rank>[1-6])[^<>]*>(?:<a[^<>]*>)?(?P<page>[^<>]+)<.*"
    r"|(?:\[\w[^\[\]]*\]|[*_]){1,4}(?P<marked>[^\[\]*_]+)(?:\[/\w+\]|[*_]){1,4}:?"
    r"|\d{1,2}[.)]\s+(?P<item>[^\W\d_][\w +-]*)"
    r"|\[(?P<bracket>[A-Za-z][^\]]*)\]"
    r"|(?P<colon>[^\W\d_][^:|<>]*[^\s:|<>]):)\s*"
)
_LEVELS = {"framed": 7, "path": 8, **dict.fromkeys(("marked", "item"), 9)}
_LEVELS |= {"bracket": 9, "colon": 9}
"""Of what is no heading of Markdown, whose levels are 1 to 6."""
_LOWEST = 9
_UNDERLINE = re.compile(r"([=*^~#+-])\1{2,}\s*")
_PRINTED = re.compile(
    # IOzone, its -+m, nfsstat, and fio: lines that end as a label does
    r"Excel output is below|Test running|usage|(?:I/O error|performance by) .*"
    r"|(?:Server|Client) (?:rpc|nfs|packet) .*"
    r"|[sc]?lat percentiles .*|Run status group .*|Disk stats .*",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"(?:(?:sudo|time|\./)\s*)*(?:\S*/)?(?:iozone|bonnie\+\+|dd|rsync|cp|fio|ior|mdtest"
    r"|sync|echo|cd|mount|umount|mkdir|rm|ls|for|while)\s.*"
)
"""What stands behind the # of a root's prompt."""
_TYPED = re.compile(r"[a-z][\w.+-]*(?: .{0,150})? (?:-\w|[/|>]).*")
"""What else may stand there, where some of these do."""
_PROMPT = re.compile(
    r"\s*(?:[\w.~:/@\[\] -]{0,60}?[$%]|[\w.-]+@[\w.:~/-]+\s*[#>])\s+(\S.*)"
)
_HOST = re.compile(
    r"\s*\[?(?:[\w.-]+@)?(?P<host>[\w.-]+)[: ](?P<folder>[\w./~-]+)\]?\s*[#$%>]"
)
_NUMBERED = re.compile(
    r"(?P<base>.*?)(?:(?P<word>\b(?:run|rep|repeat|pass|iteration|iter|try|round|trial"
    r"|test|take|attempt)s?)[\s#:._-]{0,20}|[\s#:]{1,20})(?:n[or]\.? ?)?"
    r"(?P<number>\d{1,4})"
    r"(?:\s*(?:of|/)\s*\d+)?",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    r"(?:the )?(first|second|third|fourth|fifth|\d{1,3}(?=st|nd|rd|th))(?:st|nd|rd|th)?"
    r" (run|pass|try|time|round|test|attempt)\b",
    re.IGNORECASE,
)
_ORDINALS = ("zeroth", "first", "second", "third", "fourth", "fifth")
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
_OUTPUT = re.compile(r"-[A-Za-z]*b|-\+m|--output\S*|\d?>>?|&>|tee")
"""What stands before the name of a file that is written beside the test."""
_TOOLS = ("iozone", "iozone3", "bonnie++", "ior", "mdtest", "elbencho", "fio", "dd")


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
    counted: dict[tuple[str, bool], set[int]] = {}
    keys: list[tuple[str, bool] | None] = []
    labels = [_ORDINAL.sub(_in_digits, label) for label in labels]
    for match in map(_NUMBERED.fullmatch, labels):
        key = None
        if match is not None:
            key = (match["base"].rstrip(" #:._-"), match["word"] is not None)
            counted.setdefault(key, set()).add(int(match["number"]))
        keys.append(key)
    from_one = {
        key: max(numbers) - min(numbers) < len(numbers) and min(numbers) < 2
        for key, numbers in counted.items()
    }
    shorter = []
    for label, key in zip(labels, keys, strict=True):
        base, has_word = key or ("", False)
        is_amount = _AMOUNTS.fullmatch(base.rpartition(" ")[2])
        counts = key and base and from_one[key] and not is_amount
        shorter.append(base if has_word or counts else label)
    return shorter


def _in_digits(match: re.Match[str]) -> str:
    """Write ``First run`` as ``run 1``."""
    word = match[1].lower()
    number = _ORDINALS.index(word) if word in _ORDINALS else word
    return f"{match[2]} {number}"


def differing_words(texts: Sequence[str]) -> list[str]:
    """Name things by the words in which their commands differ.

    >>> differing_words(["rsync -a src/ /mnt/nfs/", "rsync -a src/ /mnt/smb/"])
    ['/mnt/nfs/', '/mnt/smb/']
    >>> differing_words(["cp a /mnt/run1", "cp a /mnt/run2"])
    ['', '']
    """
    # many runs may share one long command
    shorter = {text: _PLACE_OF_REPEAT.sub(r"\1", text) for text in set(texts)}
    same = [shorter[text] for text in texts]
    if len(set(same)) < 2:
        return ["" for _ in texts]
    words = [text.split() for text in same]
    if len({len(row) for row in words}) > 1:
        return same
    columns = [set(column) for column in zip(*words, strict=True)]
    differing = [i for i, column in enumerate(columns) if len(column) > 1]
    return [" ".join(row[i] for i in differing) for row in words]


def systems_above(
    lines: Sequence[str], starts: Sequence[int], commands: Sequence[str] = ()
) -> list[str]:
    """Name the systems of results by what stands above them, and by their folders.

    >>> systems_above(["## cold", "1", "1", "## warm", "2"], [2, 3, 5])
    ['cold', 'cold', 'warm']
    >>> systems_above(["BEFORE", "1", "", "AFTER", "2"], [2, 5])
    ['BEFORE', 'AFTER']
    >>> systems_above(["## run 1", "1", "## run 2", "2"], [2, 4])
    ['', '']
    """
    if len(starts) < 2:
        return ["" for _ in starts]
    headings = headings_above(lines, starts)
    folders = folders_named(commands or ["" for _ in starts])
    if not any(folders):
        folders = _places(lines, starts)
    both = list(zip(headings, folders, strict=True))
    if len(set(both)) == len(set(folders)) and any(folders):
        return folders
    if len(set(both)) == len(set(headings)):
        return headings
    return [" ".join(filter(None, pair)) for pair in both]


def headings_above(lines: Sequence[str], starts: Sequence[int]) -> list[str]:
    """Name results by the headings above them that are not those of all."""
    open_headings: dict[int, str] = {}
    above: list[dict[int, str]] = []
    titles: list[str] = []
    before = 0
    is_roots = any(line[:2] == "# " and _COMMAND.fullmatch(line[2:]) for line in lines)
    for start in starts:
        for level, text in _headings(lines[before : start - 1], is_roots):
            open_headings = {n: t for n, t in open_headings.items() if n < level}
            open_headings[level] = text
        above.append(open_headings)
        titles.append(_title(lines[before : start - 1]))
        before = start - 1
    columns = [[texts.get(n, "") for texts in above] for n in range(1, _LOWEST + 1)]
    names = names_of_systems(columns)
    if any(names) or not titles[:1]:
        return names
    return names_of_systems([titles]) if all(titles) else names


def names_of_systems(columns: Sequence[Sequence[str]]) -> list[str]:
    """Join the texts that differ, without the numbers of repeats.

    >>> names_of_systems([["all", "all"], ["NFS run 1", "SMB run 1"]])
    ['NFS', 'SMB']
    """
    shorter = [without_repeats(texts) for texts in columns if len(set(texts)) > 1]
    differing = [texts for texts in shorter if len(set(texts)) > 1]
    if not differing:
        return ["" for _ in columns[0]]
    return [" ".join(filter(None, texts)) for texts in zip(*differing, strict=True)]


def _headings(lines: Sequence[str], is_roots: bool) -> Iterator[tuple[int, str]]:
    """List the headings of some lines, each with its level."""
    for line, below in pairwise([*lines, ""]):
        longest = _LONGEST_HEADING if line.startswith("#") else _LONGEST
        if len(line) > longest or not line.strip():
            continue
        if _UNDERLINE.fullmatch(below) and _TITLE.fullmatch(line):
            yield (1 if below[0] == "=" else 2), line.strip()
            continue
        match = _label(line)
        if match is None:
            continue
        kind = str(match.lastgroup)
        # head and tail print ==> file <==
        text = match[kind].strip("<> ")
        # a header of a table, such as bonnie++'s, is no label, nor what tools print
        printed = "--" in text or _PRINTED.fullmatch(text) or _TIME.search(text)
        hashes = min(len(match["hashes"] or ""), 6)
        typed = is_roots and hashes == 1 and _TYPED.fullmatch(text)
        if text and not printed and not typed and not _COMMAND.fullmatch(text):
            yield _LEVELS.get(kind) or hashes or int(match["rank"]), text


@lru_cache(256)
def _label(line: str) -> re.Match[str] | None:
    """Find the label that a line is; rows of many tables are the same."""
    return _LABEL.fullmatch(line)


def _title(above: Sequence[str]) -> str:
    """Take the line right above a table if it is a few words that stand alone."""
    filled = [at for at, line in enumerate(above) if line.strip()]
    if not filled or filled[-1] - 1 in filled[:-1]:
        return ""
    match = _TITLE.fullmatch(above[filled[-1]])
    return match["words"] if match else ""


def _places(lines: Sequence[str], starts: Sequence[int]) -> list[str]:
    """Name results by the hosts and the folders that the prompts above them show."""
    host = folder = ""
    places: list[tuple[str, str]] = []
    before = 0
    for start in starts:
        for line in lines[before : start - 1]:
            command = command_in(line)
            if command and (prompt := _HOST.match(line)):
                host, folder = prompt["host"], prompt["folder"]
            if command.startswith("cd ") and "/" in command:
                folder = command[3:].strip()
        places.append((host, folder))
        before = start - 1
    return names_of_systems([list(column) for column in zip(*places, strict=True)])


def commands_above(
    lines: Sequence[str], starts: Sequence[int], program: str
) -> list[str]:
    """Find the last command of a program behind a prompt above each result.

    >>> commands_above(["$ b++ -d /a", "1", "2", "$ b++ -d /b", "3"], [2, 3, 5], "b++")
    ['b++ -d /a', 'b++ -d /a', 'b++ -d /b']
    """
    commands, command, before = [], "", 0
    for start in starts:
        for line in lines[before : start - 1]:
            typed = command_in(line) if program in line else ""
            command = typed if program in typed else command
        commands.append(command)
        before = start - 1
    return commands


def folders_named(commands: Sequence[str]) -> list[str]:
    """Name results by the folders that their command lines name, if these differ.

    >>> folders_named(["iozone -a -f /mnt/nfs/t", "iozone -a -f /mnt/smb/t"])
    ['/mnt/nfs', '/mnt/smb']
    >>> folders_named(["iozone -F /m/t -Rb res/x.xls", "iozone -F /m/t > a/log"])
    ['', '']
    """
    named = [" ".join(_folders(command.split())) for command in commands]
    named = [_PLACE_OF_REPEAT.sub(r"\1", text) for text in named]
    return named if len(set(named)) > 1 else ["" for _ in commands]


def _folders(words: Sequence[str]) -> list[str]:
    folders = []
    for before, word in pairwise(words):
        file = word.rpartition("/")[2]
        is_place = "/" in word and not word.startswith("-") and file not in _TOOLS
        if is_place and not _OUTPUT.fullmatch(before):
            folders.append(word.rpartition("/")[0] or "/")
    return list(dict.fromkeys(folders))
