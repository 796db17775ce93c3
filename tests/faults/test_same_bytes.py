"""The same input gives the same bytes, whatever is around it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
PROGRAM = Path(sys.executable).with_name("fsviz")
SAMPLE = "data/raw/onehost-2026"
COMMANDS = (
    "read c/iozone/ext4/rep1.txt c/bonnie++/xfs/rep1.csv --format csv",
    "summary c --format json",
    "summary c",
    "compare c --format json",
    "compare c --format markdown",
    "check c --format json",
    "check c --format sarif",
    "check c -o found.html",
    "plot c --operation write -o figure.html",
    "plot c --kind ratios -o figure.json",
    "compare c -o table.tex",
)
AROUND = (
    {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C.UTF-8"},
    {"PYTHONHASHSEED": "4242", "TZ": "America/St_Johns", "LANG": "tr_TR.UTF-8"},
    {"PYTHONHASHSEED": "7", "TZ": "", "LC_ALL": "POSIX", "COLUMNS": "200"},
)


def fsviz(cwd, words, environment):
    done = subprocess.run(
        [PROGRAM, *words.split()],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    assert b"Traceback" not in done.stderr
    if " -o " not in words:
        return done.stdout
    return (cwd / words.rpartition(" ")[2]).read_bytes()


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


@pytest.mark.parametrize("words", COMMANDS)
def test_tables_figures_and_findings(copies, words):
    first = fsviz(copies[0], words, {"PYTHONHASHSEED": "0", "TZ": "UTC"})
    assert len(first) > 300
    for number, around in enumerate(AROUND):
        assert fsviz(copies[number % 2], words, around) == first


def contents(folder, pattern):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob(pattern))
    }


def test_a_store_of_one_job_or_two(copies, tmp_path):
    stores = []
    for number, jobs in enumerate("12"):
        words = f"ingest c --jobs {jobs} -o {tmp_path / jobs}"
        around = AROUND[number]
        subprocess.run(
            [PROGRAM, *words.split()],
            cwd=copies[0],
            env=os.environ | around,
            check=True,
            capture_output=True,
        )
        tables = contents(tmp_path / jobs, "*.parquet").items()
        stores.append({Path(name).name: content for name, content in tables})
    assert stores[0]
    assert stores[0] == stores[1]


def test_pages_but_for_their_date(one_system_twice, tmp_path):
    made = []
    for number, (cwd, around) in enumerate(
        zip(one_system_twice, AROUND[:2], strict=True)
    ):
        out = tmp_path / str(number)
        subprocess.run(
            [PROGRAM, "report", "c", "-o", out, "--jobs", str(number + 1)],
            cwd=cwd,
            env=os.environ | around,
            check=True,
            capture_output=True,
        )
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
