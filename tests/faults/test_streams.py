"""Standard streams, environment and folders that are not as they should be.

Each command says one clear line at most, and ends with the right status.
"""

import os
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest
from program import PROGRAM

pytestmark = pytest.mark.slow
LOG = "data/raw/onehost-2026/iozone/ext4/rep1.txt"
FULL = "standard output: expected a place to write, found No space left on device"
CLOSED = "standard output: expected a place to write, found it closed"
REMOVED = ".:1: expected the current folder, found that it has been removed"


def shell(script, cwd, **environment):
    """Run a line of bash in which F is the program and L a log."""
    names = {"F": str(PROGRAM), "L": str(Path.cwd() / LOG)}
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {script}"],
        cwd=cwd,
        env=os.environ | names | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """What a line of bash does when nothing is wrong, found once."""
    return cache(lambda script: shell(script, tmp_path_factory.mktemp("plain")))


@pytest.mark.parametrize(
    "script,status,says",
    [
        ("$F summary $L >&-", 2, CLOSED),
        ("$F --version >&-", 2, CLOSED),
        ("$F read $L --format csv >/dev/full", 2, FULL),
        ("$F check $L --format json >/dev/full", 2, FULL),
        ("$F --help >/dev/full", 2, FULL),
        ("$F read $L --format csv | head -1 >/dev/null", 141, ""),
        ("$F formats | true", 141, ""),
        ("$F read /dev/null 2>&-", 1, ""),
        ("$F read /dev/null 2>/dev/full", 1, ""),
        ("$F summary $L <&- >/dev/null", 0, ""),
        ("mkdir x; cd x; rmdir ../x; $F summary $L", 2, REMOVED),
        ("mkdir x; cd x; rmdir ../x; $F report $L", 2, REMOVED),
    ],
)
def test_one_line_and_a_status(tmp_path, script, status, says):
    done = shell(script, tmp_path)
    assert (done.returncode, done.stderr.strip()) == (status, says)
    assert done.stdout == ""
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_characters_that_an_encoding_lacks_are_escaped(tmp_path, plain, environment):
    script = "$F summary $L --operation write"
    poor = shell(script, tmp_path, **environment)
    assert (poor.returncode, poor.stderr) == (0, "")
    assert poor.stdout.isascii()
    assert not plain(script).stdout.isascii()
    assert poor.stdout.encode().decode("unicode_escape") == plain(script).stdout


@pytest.mark.parametrize(
    "environment",
    [
        {"TZ": "Nowhere/Land"},
        {"TZ": "XYZ-14:59"},
        {"HOME": "/nonexistent"},
        {"HOME": "", "XDG_CACHE_HOME": ""},
        {"TMPDIR": "/nonexistent"},
        {"COLUMNS": "20"},
        {"COLUMNS": "0", "TERM": "dumb"},
    ],
)
def test_the_environment_changes_no_number(tmp_path, plain, environment):
    script = "$F check $L --format json"
    other = shell(script, tmp_path, **environment)
    assert (other.returncode, other.stderr) == (plain(script).returncode, "")
    assert other.stdout == plain(script).stdout


def test_a_pipe_without_a_writer_is_refused_and_one_with_is_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    done = shell("$F read pipe", tmp_path)
    found = "pipe:1: expected a file, found a pipe that no program writes to"
    assert (done.returncode, done.stderr.strip()) == (2, found)
    slow = shell("$F read <(sleep 3; cat $L) --format csv", tmp_path)
    plain = shell("$F read $L --format csv", tmp_path)
    assert slow.stdout.count("\n") == plain.stdout.count("\n") > 100


@pytest.mark.parametrize(
    "script",
    [
        "$F read $L -o big.csv",
        "$F read $L -o big.xlsx",
        "$F read $L -o big.parquet",
        "$F read $L -o big.json",
        "$F plot $L --operation write -o big.html",
    ],
)
def test_a_full_disk_leaves_what_was_there(tmp_path, script):
    """RLIMIT_FSIZE stands for the disk: writing fails in the same place."""
    name = script.rpartition(" ")[2]
    (tmp_path / name).write_text("before")
    # a Python before 3.12.9 would keep the half of its own files that fits, and stop
    # at them ever after: https://github.com/python/cpython/issues/126606
    told = {"PYTHONDONTWRITEBYTECODE": "1"}
    done = shell(f"ulimit -f 1; {script}", tmp_path, **told)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"{name}: expected a file to write, found ")
    assert [p.name for p in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "before"


@pytest.mark.faults
@pytest.mark.parametrize("room", ["3m", "4760k"])
def test_a_disk_that_fills_during_a_report(tmp_path, room):
    """At plotly.js, at the page; on a disk of its own."""
    disk = tmp_path / "disk"
    disk.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={room}", "tmpfs", disk]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("mounting takes root")
    try:
        (tmp_path / "c/nfs").mkdir(parents=True)
        for n in range(3):
            (tmp_path / f"c/nfs/r{n}.txt").write_text(
                f"\nreal\t0m8.{n}00s\nuser\t0m1.000s\n"
            )
        done = shell("$F report c -o disk/out --jobs 1", tmp_path)
        (line,) = done.stderr.splitlines()
        assert done.returncode in (1, 2)
        assert line.startswith(("disk/out/c/rsync.ipynb:1: expected ", "disk/out"))
        assert "No space left on device" in line
        left = [p.name for p in disk.rglob("*") if p.is_file()]
        assert {n.partition("-")[0] for n in left} <= {"index.html", "plotly"}
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_file_that_grows_or_goes_while_it_is_read(tmp_path):
    log = Path(LOG).read_bytes()
    (tmp_path / "s").mkdir()
    for n in range(30):
        (tmp_path / f"s/r{n}.txt").write_bytes(log)
    # copies of one run count once; what goes and grows must not end the command
    script = (
        "$F summary s --format json > said & w=$!; for n in $(seq 0 29); do "
        "if ((n % 2)); then rm s/r$n.txt; else cat $L >> s/r$n.txt; fi; sleep 0.05; "
        "done; wait $w"
    )
    done = shell(script, tmp_path)
    assert done.returncode in (0, 1, 2)
    assert "Traceback" not in done.stderr
    placed = re.compile(r"\S+: (expected|note: )|\.\.\. and |… and ")
    assert [x for x in done.stderr.splitlines() if not placed.match(x)] == []
