"""Every sample but IOzone's through the front door.

Each file has its expected table beside it, or stands in ``refused.toml`` with the
reason. The numbers of the tables are checked by second routes in the tests of the
readers; here nothing may change unseen. ``FSVIZ_GOLDENS=write`` writes them.
"""

import os
import re
import tomllib
from pathlib import Path

import pytest
from each import each

from fsviz.model import errors
from fsviz.readers.formats import read_file

DATA = Path(__file__).parents[1] / "data"
CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
FOLDERS = ("bonnie", "rsync", "time", "hyperfine", "fio")
NEIGHBOURS = ("dd", "diskspd", "ior", "mdtest", "elbencho")
CORPORA = ("bonnie", "rsync", "fio", "dd", "ior", "mdtest")
LISTED = Path(__file__).with_name("corpus.txt")
REFUSED = tomllib.loads((DATA / "refused.toml").read_text())
EXPECTED = ".expected.csv"


def samples():
    return [
        path
        for folder in (*FOLDERS, *NEIGHBOURS)
        for path in sorted((DATA / folder).rglob("*"))
        if path.is_file() and not path.name.endswith(EXPECTED)
    ]


def rendered(reading):
    """The table of a reading as text, one line a number, then one a problem."""
    lines = ["run,operation,size,record,threads,child,metric,value,low,high,locator"]
    for number, run in enumerate(reading.runs, 1):
        c = run.cells
        lines.append(
            f"# {run.tool} {run.tool_version} {run.complete}: {run.configuration}"
        )
        for i in range(len(c)):
            places = (c.file_size_bytes[i], c.record_size_bytes[i], c.threads[i])
            bounds = (c.value[i], c.low[i], c.high[i])
            texts = ("" if x is None else str(x) for x in (*places, c.child[i]))
            lines.append(
                ",".join(
                    [
                        str(number),
                        " ".join(filter(None, (c.operation[i], c.setting[i]))),
                        *texts,
                        c.metric[i],
                        *(f"{x:.12g}" for x in bounds),
                        c.locator[i],
                    ]
                )
            )
    lines += [f"# {type(p).__name__} at {p.line}" for p in reading.problems]
    return "\n".join(lines) + "\n"


def name_of(path):
    return str(path.relative_to(DATA))


@each(samples(), name_of)
def test_sample(path):
    refused = REFUSED.get(name_of(path))
    if refused is not None:
        with pytest.raises(getattr(errors, refused["error"])) as caught:
            read_file(path)
        assert caught.value.line == refused["line"]
        assert str(caught.value).startswith(f"{path}:{refused['line']}: expected ")
        return
    found, expected = rendered(read_file(path)), path.with_name(path.name + EXPECTED)
    if os.environ.get("FSVIZ_GOLDENS") == "write":
        expected.write_text(found)
    assert found == expected.read_text()


MIB = 2**20
NUMBERS = {
    "dd": (r"^(\d+) bytes .* copied, ([\d.]+) s", lambda b, s: int(b) / float(s)),
    "ior": (
        r'^(?:write|read) +([\d.]+) (?!.*POSIX)|"bwMiB": ([\d.]+)',
        lambda text, json: float(text or json) * MIB,
    ),
    "mdtest": (r"^ {3}[A-Z]\w+ \w+ *:? +[\d.]+ +[\d.]+ +([\d.]+) +[\d.]+$", float),
    "elbencho": (
        # files a second of a phase with a throughput follow from it
        r"(MiB|IOPS|Dirs|Files(?!.*\n +Thr))(?:/s)? *: +\d+ +(\d+)$",
        lambda unit, rate: int(rate) * (MIB if unit == "MiB" else 1),
    ),
}
"""A line with a number of each tool, and the number in it: a second way to read it."""


def second_route(path):
    pattern, number = NUMBERS[path.relative_to(DATA).parts[0]]
    text = path.read_text().replace("Total MiB", "")
    found = re.finditer(pattern, text, re.MULTILINE)
    return sorted(number(*match.groups()) for match in found)


# elbencho's other forms are held against one another in test_elbencho.py
NEIGHBOURS_TEXTS = [
    path
    for path in samples()
    if path.relative_to(DATA).parts[0] in NUMBERS
    and not path.name.startswith("machine")
]


@each(NEIGHBOURS_TEXTS, name_of)
def test_the_numbers_of_the_neighbours_by_a_second_route(path):
    if name_of(path) in REFUSED:
        assert not second_route(path)
        return
    values = sorted(x for run in read_file(path).runs for x in run.cells.value)
    assert values == pytest.approx(second_route(path))


def test_the_list_of_refusals_names_files_and_reasons():
    names = {name_of(path) for path in samples()}
    assert set(REFUSED) <= names
    assert all(len(entry["reason"]) > 10 for entry in REFUSED.values())
    both = [n for n in REFUSED if (DATA / (n + EXPECTED)).exists()]
    assert not both


def outcome(path):
    """Count runs and problems, or name the error that refuses a file, and its place."""
    try:
        reading = read_file(path)
    except errors.ParseError as problem:
        return f"{type(problem).__name__} at {problem.line}"
    assert all(len(run.cells) for run in reading.runs), path
    return f"{len(reading.runs)} runs, {len(reading.problems)} problems"


def test_what_comes_of_other_peoples_files():
    if not CORPUS.exists():
        pytest.skip("the corpus is not here")
    paths = (path for name in CORPORA for path in sorted((CORPUS / name).iterdir()))
    found = "".join(f"{p.relative_to(CORPUS)}: {outcome(p)}\n" for p in paths)
    if os.environ.get("FSVIZ_GOLDENS") == "write":
        LISTED.write_text(found)
    assert found == LISTED.read_text()
