"""The same input gives the same bytes, whatever is around it."""

import re
import shutil
from pathlib import Path

import pytest
from program import python, start

pytestmark = pytest.mark.slow
TESTS = str(Path(__file__).resolve().parents[1])
SAMPLE = "data/raw/onehost-2026"
COMMANDS = (
    "read c/iozone/ext4/rep1.txt c/bonnie++/xfs/rep1.csv --format csv",
    "summary c --format json",
    "summary c",
    "compare c --format json",
    "compare c --format markdown",
    "check c --format json",
    "check c --format csv",
    "plot c --operation write -o figure.html",
    "plot c --kind ratios -o figure.json",
)
AROUND = (
    {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C.UTF-8"},
    {"PYTHONHASHSEED": "4242", "TZ": "America/St_Johns", "LANG": "tr_TR.UTF-8"},
    {"PYTHONHASHSEED": "7", "TZ": "", "LC_ALL": "POSIX", "COLUMNS": "200"},
)


# one process an environment: to start it and to read the campaign takes longer than
# most commands
RUN = """
import os, sys
from pathlib import Path
import samples
from fsviz.cli import main

samples.DATA = Path.cwd()
folder, *lines = sys.argv[1:]
with samples.read_once():
    for line in lines:
        number, _, words = line.partition(" ")
        place = Path(folder, number)
        with place.open("wb") as said:
            os.dup2(said.fileno(), 1)
        sys.argv = ["fsviz", *words.split()]
        try:
            main()
        except SystemExit as ended:
            assert ended.code in (0, 1), line
        if " -o " in words:
            Path(words.rpartition(" ")[2]).replace(place)
"""


def outputs(cwd, place, environment, first):
    """Contents that the commands write, by command; another one begins each time."""
    place.mkdir()
    lines = [f"{number} {words}" for number, words in enumerate(COMMANDS)]
    words = ("-P", "-c", RUN, place, *lines[first:], *lines[:first])
    done = python(*words, cwd=cwd.resolve(), PYTHONPATH=TESTS, **environment)
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 0, done.stderr
    return {w: (place / str(n)).read_bytes() for n, w in enumerate(COMMANDS)}


@pytest.fixture(scope="module")
def copies(root, tmp_path_factory):
    """The same files, made in two orders."""
    files = sorted(p for p in (root / SAMPLE).rglob("*") if p.is_file())
    made = []
    for order in (files, files[::-1]):
        folder = tmp_path_factory.mktemp("same")
        for path in order:
            place = folder / "c" / path.relative_to(root / SAMPLE)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)
        made.append(folder)
    return made


@pytest.fixture(scope="module")
def made(copies, tmp_path_factory):
    """What every command writes, plainly and then in each environment."""
    place = tmp_path_factory.mktemp("written")
    environments = ({"PYTHONHASHSEED": "0", "TZ": "UTC"}, *AROUND)
    copy = (0, *(number % 2 for number in range(len(AROUND))))
    return [
        outputs(copies[copy[n]], place / str(n), around, 3 * n)
        for n, around in enumerate(environments)
    ]


@pytest.mark.parametrize("words", COMMANDS)
def test_tables_figures_and_findings(made, words):
    first, *others = (written[words] for written in made)
    assert len(first) > 300
    assert len(others) == len(AROUND)
    for other in others:
        assert other == first


def contents(folder, pattern):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob(pattern))
    }


def test_pages_but_for_their_date(one_system_twice, tmp_path):
    made = []
    for number, (cwd, around) in enumerate(
        zip(one_system_twice, AROUND[:2], strict=True)
    ):
        out = tmp_path / str(number)
        words = ("report", "c", "-o", out, "--jobs", number + 1)
        assert start(*words, cwd=cwd, **around).returncode == 0
        pages = contents(out, "*.html")
        made.append({name: without_date(page) for name, page in pages.items()})
    assert sorted(made[0]) == ["c/compare.html", "c/rsync.html", "index.html"]
    assert made[0] == made[1]


def without_date(page):
    return re.sub(rb"20\d\d-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?", b"DATE", page)


@pytest.fixture
def one_system_twice(tmp_path):
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        for system, seconds in (("nfs", 8), ("smb", 17)):
            (folder / "c" / system).mkdir(parents=True)
            for n in (1, 2, 3):
                text = f"\nreal\t0m{seconds}.{n}00s\nuser\t0m1.000s\nsys\t0m0.100s\n"
                (folder / f"c/{system}/r{n}.txt").write_text(text)
    return folders
