"""Input that once ended in a traceback: each is one clear line and the right status."""

import json
import os
import re
import subprocess
import tracemalloc
from pathlib import Path

import pytest
from program import PROGRAM, run

import fsviz

LOG = "data/raw/loopback-2026/iozone/nfs-v3/rep1.txt"
FIO = "tests/data/fio/3.33/libaio_buffered.json"
NINES = "9" * 5000
LONG = "a" * 5000


@pytest.fixture(scope="module")
def log(root):
    return (root / LOG).read_bytes()


@pytest.fixture(scope="module")
def fio(root):
    return (root / FIO).read_text()


def with_option(text, **options):
    output = json.loads(text)
    output["jobs"][0].setdefault("job options", {}).update(options)
    return json.dumps(output)


def refused(*arguments, status=1):
    done = run(*arguments)
    assert done.returncode == status, done.stderr
    line = done.stderr.splitlines()[0]
    assert re.search(r": expected .*, found ", line), done.stderr
    assert all(len(part) < 400 for part in done.stderr.splitlines())
    return done


@pytest.fixture
def strange(tmp_path, root, log):
    """Two systems, the name of one not UTF-8."""
    other = (root / LOG.replace("nfs-v3", "smb-3.0")).read_bytes()
    for name, content in ((b"a\xff", log), (b"b", other)):
        place = tmp_path / os.fsdecode(name)
        place.mkdir()
        (place / "rep1.txt").write_bytes(content)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("summary", "{}"),
        ("summary", "{}", "--format", "json"),
        ("compare", "{}", "--format", "markdown"),
        ("check", "{}", "--format", "csv"),
        ("files", "{}"),
        ("plot", "{}", "--operation", "write", "-o", "{}/x.html"),
    ],
)
def test_a_name_that_is_not_utf_8(strange, words):
    done = run(*(word.format(strange) for word in words))
    assert done.returncode == 0, done.stderr
    written = strange / "x.html"
    shown = done.stdout or written.read_text(encoding="utf-8")
    assert "udcff" in shown
    shown.encode("utf-8")


def test_a_label_with_half_a_character(tmp_path, log):
    (tmp_path / "a.txt").write_bytes(log)
    done = run("summary", f"a\ud800={tmp_path}/a.txt")
    assert done.returncode == 0
    done.stdout.encode("utf-8")


def nested(count):
    return "[" * count + "]" * count


def test_a_file_that_is_refused_costs_no_other(tmp_path, log, fio):
    for name, text in (
        ("nfs/rep1.txt", log),
        ("bad/1.json", with_option(fio, size="9" * 20).encode()),
        ("bad/2.json", b'{"results":[{"command":"rsync a b","times":[1e999]}]}'),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(text)
    done = refused("summary", tmp_path)
    assert "nfs" in done.stdout


def test_a_year_that_no_calendar_has(tmp_path, log):
    path = tmp_path / "a.txt"
    path.write_bytes(re.sub(rb"(Run began: .*) \d{4}\n", rb"\1 20260000000\n", log))
    table = fsviz.load(path).runs
    assert table["started"].isna().all()


def test_a_long_field_of_a_table(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("system,time [s]\n" + "x" * 200_000 + ",5\n")
    assert fsviz.read(path)["value"].tolist() == [5.0]


def test_many_counts_of_processes_take_no_memory(tmp_path, log):
    command = b"Command line used: iozone"
    path = tmp_path / "a.txt"
    path.write_bytes(log.replace(command, command + b" -l 1 -u 999999999"))
    tracemalloc.start()
    fsviz.check(fsviz.load(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6


@pytest.mark.parametrize(
    "text",
    [
        "a=" + nested(3000),
        "a=" + "{a=" * 2000 + "1" + "}" * 2000,
        "baseline=" + NINES,
        f'[facts]\nclient_ram="{NINES} GiB"',
        f'[facts]\nlink="{"9" * 300} Gbit/s"\nclient_ram="1 GiB"',
        '[facts]\nlink="0 Gbit/s"',
        ".".join(["a"] * 20_000) + "=1",
        "#" + "x" * 300_000,
        "#\n" * 200_000,
    ],
    ids=lambda text: text[:24],
)
def test_a_campaign_file_that_cannot_be_followed(tmp_path, log, text):
    (tmp_path / "nfs").mkdir()
    (tmp_path / "nfs/rep1.txt").write_bytes(log)
    (tmp_path / "campaign.toml").write_text(text)
    assert "campaign.toml:" in refused("check", tmp_path).stderr


def cell_of(name, value):
    """Write a notebook of one cell with something that no cell has."""
    cell = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "x"}
    head = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}}
    return json.dumps(head | {"cells": [cell | {name: value}]}).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"all:\n\techo",
        b"[]",
        b"\xff\x00",
        b'{"x": 1}',
        b'{"nbformat": 9, "nbformat_minor": 0, "cells": [], "metadata": {}}',
        b'{"nbformat": 4, "nbformat_minor": 5, "cells": [{}], "metadata": {}}',
        *(cell_of("source", value) for value in (5, None)),
        cell_of("cell_type", "zap"),
        cell_of("metadata", {"tags": "parameters"}),
        nested(100_000).encode(),
    ],
)
def test_pages_of_what_is_no_notebook(tmp_path, content):
    (tmp_path / "a.ipynb").write_bytes(content)
    done = refused("report", tmp_path / "a.ipynb", "-o", tmp_path / "out", status=2)
    assert "expected a Jupyter notebook" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("buckets", ["9" * 400, NINES, "1e999"])
def test_buckets_without_end(tmp_path, log, buckets):
    (tmp_path / "a.txt").write_bytes(log)
    done = run("summary", tmp_path / "a.txt", "--buckets", buckets)
    assert done.returncode == 2
    assert "expected ascending sizes" in done.stderr


def test_a_folder_that_cannot_be_read_does_not_disappear(tmp_path, log, monkeypatch):
    """Its path is too long for the system; one without permission is told the same."""
    (tmp_path / "good").mkdir()
    (tmp_path / "good/rep1.txt").write_bytes(log)
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")
    for _ in range(22):
        Path("x" * 200).mkdir()
        os.chdir("x" * 200)
    monkeypatch.chdir(tmp_path)
    done = run("read", "deep/" + "/".join(["x" * 200] * 22), "--format", "csv")
    assert done.returncode == 2
    done = run("summary", tmp_path)
    assert done.returncode == 1
    assert "expected a readable file, found File name too long" in done.stderr
    assert "good" in done.stdout


@pytest.fixture
def shut(tmp_path, log):
    """A folder that may not be entered."""
    folder = tmp_path / "shut"
    folder.mkdir()
    (folder / "rep1.txt").write_bytes(log)
    folder.chmod(0o000)
    yield folder
    folder.chmod(0o755)


def as_anybody(*words, cwd, **more):
    """Run the program with the permissions of a user."""
    command = [PROGRAM, *words]
    if os.geteuid() == 0:
        # permissions count for root too, once it cannot override them
        command[:0] = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    given = {"env": os.environ | more, "capture_output": True, "text": True}
    return subprocess.run(command, cwd=cwd, check=False, **given)


@pytest.mark.slow
def test_a_home_that_cannot_be_written_to(tmp_path, log):
    (tmp_path / "c/nfs").mkdir(parents=True)
    (tmp_path / "c/nfs/rep1.txt").write_bytes(log)
    home = tmp_path / "home"
    home.mkdir(mode=0o555)
    done = as_anybody("report", "c", "-o", "out", cwd=tmp_path, HOME=str(home))
    assert (done.returncode, done.stderr) == (0, "")
    assert list(home.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("command", ["summary", "check", "files"])
def test_a_file_that_cannot_be_looked_at_costs_no_other(tmp_path, log, shut, command):
    """As on a mount whose server has gone: the folder lists it, and asking fails."""
    shut.chmod(0o444)
    (tmp_path / "nfs").mkdir()
    (tmp_path / "nfs/rep1.txt").write_bytes(log)
    done = as_anybody(command, tmp_path, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == (
        f"{tmp_path}/shut/rep1.txt:1: expected a readable file, found Permission denied"
        "\n"
    )
    assert "nfs" in done.stdout


@pytest.mark.slow
def test_a_shut_folder_of_a_described_campaign_is_said(tmp_path, log, shut):
    (tmp_path / "nfs").mkdir()
    (tmp_path / "nfs/rep1.txt").write_bytes(log)
    for patterns in ('"*/rep*.txt"', '"nfs/rep*.txt", "shut/rep*.txt"'):
        (tmp_path / "campaign.toml").write_text(
            f'[[system]]\nname = "nfs"\nfiles = [{patterns}]\n'
        )
        done = as_anybody("summary", tmp_path, cwd=tmp_path)
        assert done.returncode == 1
        assert done.stderr == (
            f"{tmp_path}/shut/(files of this folder):1: expected a readable file, "
            "found Permission denied\n"
        )
        assert "nfs" in done.stdout


def test_a_mount_that_may_not_be_written_to_is_not_said_to_be_absent(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    (tmp_path / "a").chmod(0o555)
    words = ("run", "lab", "a=a", "b=b", "--dry-run")
    done = as_anybody(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        "a=a: expected a folder to write to, found one that you may not write to\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize("source", ["shut", "shut/rep1.txt", "nfs=shut/rep1.txt"])
def test_what_may_not_be_read_is_not_said_to_be_absent(shut, source):
    done = as_anybody("summary", source, cwd=shut.parent)
    assert done.returncode == 2
    assert done.stderr == (
        f"{source.removeprefix('nfs=')}: expected a readable file or folder, found "
        "Permission denied\n"
    )


@pytest.mark.parametrize(
    "name", [LONG, f"{LONG}=not-here", f"x={LONG}", f"{LONG}=not-here*"]
)
def test_a_name_longer_than_any_file_may_have(tmp_path, name):
    page, folder = tmp_path / "a.svg", tmp_path / "out"
    for words in (
        ("read", name),
        ("read", name, "-o", tmp_path / LONG),
        ("summary", name),
        ("compare", name),
        ("check", name),
        ("plot", name, "-o", page),
        ("report", name, "-o", folder),
        ("report", tmp_path, "-o", tmp_path / LONG),
        ("ingest", name, "-o", tmp_path / "store"),
        ("ingest", tmp_path, "-o", tmp_path / LONG),
        ("init", name),
        ("history", name, "--operation", "write", "--system", "a"),
        ("report", name, "-o", folder),
    ):
        done = run(*words)
        assert done.returncode == 2, words
        assert re.search(r": expected .*, found ", done.stderr), words[0]
    assert {path.name for path in tmp_path.iterdir()} == {"store"}
