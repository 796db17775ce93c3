"""What every text format looks like: its signature and an example.

A reader has one entry here, or in another package as an entry point of the group
``fsviz.readers``. `fsviz.readers.formats` recognises files by it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fsviz.model.tools import plugins
from fsviz.readers.document import Document


@dataclass(frozen=True, slots=True)
class Format:
    """A text format: its name, how it is recognised, its reader and a line of it.

    A weak signature counts only where no other is found: people time every tool. A
    signature is only looked for where one of its words is in the text, which is quick:
    lines of digits, dots, blanks and quotation marks alone are passed over. ``results``
    is what begins results, where the signature may also be a line of another tool.
    """

    name: str
    title: str
    signature: re.Pattern[str]
    reader: str
    example: str
    weak: bool = False
    words: tuple[str, ...] = ("",)
    results: re.Pattern[str] | None = None
    titles: re.Pattern[str] | None = None
    """Of a table: titles with a unit. It is looked for in small letters."""

    def matches(self, document: Document) -> bool:
        """Tell whether the signature is in a text."""
        small = bool(self.signature.flags & _SMALL or self.titles)
        if not document.may_hold(self.words, small=small):
            return False
        text = document.separated.lower() if self.titles else document.text
        if self.titles and document.may_hold(_UNITS, small=True):
            return bool(self.titles.search(text) or self.signature.search(text))
        return self.signature.search(text) is not None

    def lines(self, text: str) -> list[int]:
        """Find the lines of a text on which results of this format begin."""
        lines, line, before = [], 1, 0
        for match in (self.results or self.signature).finditer(text):
            line += text.count("\n", before, match.start())
            before = match.start()
            lines.append(line)
        return lines


_SMALL = re.IGNORECASE.value
_UNITS = ("b/s", "bps", "iops")
_TITLE = (
    r"(?:system|fs|protocol|setup|label|share|config|configuration|kernel|mount"
    r"|file[ -]?system|mount[ -]point|operation|op|test|workload|benchmark|phase)"
)
"""Of a column of a table."""

_BONNIE = (
    r"^[ \t>*]*+(?:Version[ \t]{1,40}\S{1,40}[ \t]{1,40})?-++Sequential "
    r"(?:Output-+ --+Sequential |Create-+ -+Random )"
    r"|<title>Bonnie\+\+ Benchmark results</title>"
    r"|^[> ]*(?:\"?1\.9\d\w*\"?[,;\t]\"?[12]\.\d+\w*\"?[,;\t]|2,1\.9\d\w*,)"
)
"""A table, a page, or a row with the format's version."""
_REPORT = (
    r"(?:re-)?(?:writer|reader|[fp]writev?|[fp]readv?|random (?:read|write)"
    r"|backward read|record rewrite|stride read) report"
)

_FORMATS = (
    Format(
        "iozone",
        "IOzone text output",
        re.compile(
            # the banner, or what people publish without it
            r"Iozone: Performance Test of File I/O|\bkB\s+reclen\s+write\b"
            r"|Children see throughput for +\d|\"Throughput report Y-axis"
            rf"|\"{_REPORT}\"(?![,;\t])",
            re.IGNORECASE,
        ),
        "fsviz.readers.iozone.text:read_iozone",
        "          64       4  2358717  6421025  9006179 22737791",
        words=("performance test of", "reclen", "children see", 'report"', "report y"),
    ),
    Format(
        "iozone-csv",
        "IOzone workbook saved as CSV",
        re.compile(rf'^"?{_REPORT}"?[,;\t]', re.IGNORECASE | re.MULTILINE),
        "fsviz.readers.iozone.workbook:read_saved_sheet",
        "Writer Report,,,",
        words=tuple(f"eport{q}{s}" for q in ("", '"') for s in ",;\t"),
    ),
    Format(
        "bonnie++",
        "bonnie++ CSV rows and console tables",
        re.compile(
            _BONNIE
            + r"|^Writing (?:a byte at a time|with putc\(\)|intelligently)\.\.\."
            r"|^Create files in sequential order\.\.\.|^bonnie\+\+ \[-d "
            # the 27 fields of 1.03
            r"|^(?=[^,\n]*,)(?=[^\n]*\d)[> ]*(?:[^,\n]{0,99},){1,4}?"
            r"(?:\d+[MG](?::\d+[km]?)?(?:,[^,\n]{0,20}){12}|(?:,){12})"
            r",[\w:/-]{0,40}(?:,[^,\n]{0,20}){12}$",
            re.MULTILINE,
        ),
        "fsviz.readers.bonnie.merge:read_bonnie",
        "1.98,2.00a,host,1,1763716063,256M,,8192,5,...",
        words=(
            *("M,", "M:", "G,", "G:", ",,,,,,,,,,,,"),
            *("1.9", "-Sequential ", "Writing ", "Create files ", "[-d "),
            "<title>Bonnie",
        ),
        results=re.compile(_BONNIE, re.MULTILINE),
    ),
    Format(
        "rsync",
        "rsync --stats and the output of time",
        re.compile(
            r"^[ \t]*+(?:\d{4}/\d\d/\d\d [\d:]{8} \[\d+\] )?"
            r"(?:Number of files: \d"
            r"|(?:sent|wrote) \d[\d.,]*[KMGTP]? bytes  (?:received|read) )"
            r"|^[ \t*]*+real[\s*]{1,40}+(?:\d{1,9}h ?)?(?:\d{1,9}m ?)?"
            r"(?:\d{0,9}:?\d{1,9}[.,]\d{1,9}s?\b|(?<=m )\d\ds\b)"
            r"|\d[.,]\d+s user [\d.,]+s system \d+% cpu [\d:.,]+ total"
            r"|\d[.,]\d+user [\d.,]+system [\d:.,]+elapsed "
            r"|^rsync error: .*\(code \d+\) at |^[ \t]*+Executed in +\d"
            r"|^[ \t]*+Elapsed \(wall clock\) time "
            r"|% .{0,60}/s .{0,60}\(xfr#\d+, to-chk=0/\d+\)"
            r"|^[ \t]*+\d+[.,]\d+ real\s{1,40}\d+[.,]\d+ user\s{1,40}\d+[.,]\d+ sys"
            r"|\d[.,]\d+s real\s{1,40}\d[\dm]{0,9}[.,]\d+s user "
            r"|\d[.,]\d+u \d+[.,]\d+s [\d:.,]+ [\d.,]+%\s{1,40}\d+\+\d+k .{0,40}pf\+",
            re.MULTILINE,
        ),
        "fsviz.readers.rsync.text:read_rsync",
        "real\t0m3.214s",
        weak=True,
        words=(
            *("Number of files: ", " bytes  re", "real", "user ", "Elapsed ("),
            "to-chk=0/",
            "rsync error: ",
            "Executed in",
            "pf+",
        ),
    ),
    Format(
        "hyperfine",
        "hyperfine's JSON",
        re.compile(
            r'^[ \t]*+\{\s*"results":\s*\[\s*\{\s*"command":'
            r'|^[ \t]*+\{\s*"schema_version":\s*\d{1,3},'
            r"|^command,mean,stddev,median,user,system,min,max"
            r"|^command,(?:\w+,)*time_wall_clock_mean,"
            r"|^[ \t]*+\|?[ \t]*+Command[^|\n]*+\|\s{0,40}+"
            r"Mean (?:Wall Time )?\[\w{1,2}\]\s*+\|"
            r"|^  Wall Time +\d[\d.]* \w{1,2}\b"
            r"|^[ \t]*+Time \((?:mean (?:±|\+/-) \w{1,6}|abs (?:≡|=+))\):",
            re.MULTILINE,
        ),
        "fsviz.readers.rsync.hyperfine:read_hyperfine",
        '{"results": [{"command": "rsync -a src/ dst/", "times": [0.2410, …',
        words=(
            *('"command"', "command,mean", "Mean", "Time (", "wall_clock_mean"),
            "Wall Time ",
        ),
    ),
    Format(
        "fio",
        "fio's output: JSON or text",
        re.compile(
            r'^[ \t]*+\{\s*"fio version"\s*:'
            r"|^.{1,200}: \(groupid=\d+, jobs=\d+\): err="
            r"|^[2345];fio-\d",
            re.MULTILINE,
        ),
        "fsviz.readers.fio:read_fio",
        '{"fio version" : "fio-3.33", ...',
        words=('version"', "(groupid=", ";fio-"),
    ),
    Format(
        "fio-log",
        "fio's time logs, for plot --x time",
        re.compile(r"\A(?:\d{1,20}, ){3,}(?:\d{1,20}|0x[\da-f]{4})$", re.MULTILINE),
        "fsviz.readers.fio_log:read_fio_log",
        "250, 1979392, 1, 0, 0",
    ),
    Format(
        "dd",
        "dd's last line",
        re.compile(
            r"^[ \t]*+\d{1,15} ?[^\W\d]{1,20} ?"
            r"(?:(?:\([^()\n]{1,40}\) ?)?[^\W\d]{1,20} ?[,，] ?[\d.,e+-]{1,20} "
            r"[^\W\d]{1,10}[,，] ?(?:[\d.,]{1,20} ?[kKMGT]?|Infinity )B/s[ \t]*$"
            r"|transferred in [\d.,]{1,20} secs? \(\d{1,15} bytes/sec\))",
            re.MULTILINE,
        ),
        "fsviz.readers.dd:read_dd",
        "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 2.37104 s, 453 MB/s",
        # no B/s alone: IOzone prints kB/sec
        words=("MB/s", "GB/s", "TB/s", "kB/s\n", "copied", "transferred"),
    ),
    Format(
        "ior",
        "IOR's table of tests, or its JSON",
        re.compile(
            r"^access(?: +|,)bw\(MiB/s\)[ ,]"
            r'|^[ \t]*+\{\s*"Version": "\d[^"]{0,20}",\s*"Began":',
            re.MULTILINE,
        ),
        "fsviz.readers.ior:read_ior",
        "write     170.54     10.66      0.685945    131072     16384 ...",
        words=("bw(MiB/s)", '"Began"'),
    ),
    Format(
        "mdtest",
        "mdtest's table of rates",
        re.compile(
            r"^ *SUMMARY(?: rate(?: \(in ops/sec\))?)?: \(of \d+ iterations\)",
            re.MULTILINE,
        ),
        "fsviz.readers.mdtest:read_mdtest",
        "File creation     :       4560.893       4560.893       4560.893 ...",
        words=("SUMMARY",),
    ),
    Format(
        "elbencho",
        "elbencho's table of phases, its CSV and JSON",
        re.compile(
            r"^OPERATION +RESULT TYPE +FIRST DONE +LAST DONE"
            r'|^ISO date,label,path type,|^\{"phase_type":"',
            re.MULTILINE,
        ),
        "fsviz.readers.elbencho:read_elbencho",
        "            Throughput MiB/s :       33395       33352",
        words=("RESULT TYPE", "ISO date,label", '"phase_type"'),
    ),
    Format(
        "diskspd",
        "diskspd's text",
        re.compile(
            r"^thread \| +bytes +\| +I/Os +\| +Mi?B/s +\| +I/O per s"
            r"|^\s*<Results>\s*<System>",
            re.MULTILINE,
        ),
        "fsviz.readers.diskspd:read_diskspd",
        "total:     11123286016 |   1357823 |  176.77 |  22626.65 |  0.409 | ...",
        words=("I/O per s", "<System>"),
    ),
    Format(
        "table",
        "a table of results: CSV, TSV, Markdown, HTML, sheets",
        re.compile(
            # at few places, so that most of a text is passed quickly
            rf"[\n,;\t|><](?:(?<!<)[ \t\"*]{{0,20}}+{_TITLE}[ \t\"*]{{0,20}}"
            r"(?:[,;\t|<]|$)"
            # one column a system, below an empty title or the unit
            r"|(?<=\n)(?:[ \t]*+[|][ \t]*[|]|[,;]\"?\w|\t\"?\w[^\n\t]*+\t\w"
            r"|[ \t|]*+(?:[kmg]?i?b/s|iops|op/s|ms|s)[ \t]*[,;\t|])"
            r"|(?<=<)t[hd][^<>]*>)",
            re.MULTILINE,
        ),
        "fsviz.readers.tables.rows:read_tables",
        "system,operation,file size,record size,value,unit",
        weak=True,
        titles=re.compile(
            r"[\n,;\t|>][^\n,;\t|:=]{0,20}\b(?:read|write)s?\b[^\n,;\t|:=]{0,20}"
            rf"(?:{'|'.join(_UNITS)})"
        ),
        words=("\t", ",", ";", "|", "<t"),
    ),
)

WORKBOOK = Format(
    "workbook",
    "IOzone workbook: BIFF2 of -b, .xls, .xlsx",
    re.compile(r"\A(?:\x09\0\x04\0|PK\x03\x04|\xd0\xcf\x11\xe0)"),
    "fsviz.readers.iozone.workbook:read_workbook",
    "Writer Report  (a cell, with record sizes below)",
)
"""The one format of bytes; it is recognised by the first of them."""

_NAMES = [form.name for form in (*_FORMATS, WORKBOOK)]
FORMATS: tuple[Format, ...] = (
    *_FORMATS,
    *plugins("fsviz.readers", Format, _NAMES).values(),
)
"""Every text format; other packages add theirs as entry points ``fsviz.readers``."""


def formats() -> tuple[Format, ...]:
    """List all formats that can be read.

    >>> [form.name for form in formats()][:3]
    ['iozone', 'iozone-csv', 'workbook']
    """
    return (*FORMATS[:2], WORKBOOK, *FORMATS[2:])
