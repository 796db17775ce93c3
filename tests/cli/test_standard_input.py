"""`-` is standard input, for every command that reads files once."""

import json
import os
import pty
import subprocess
import time
from contextlib import suppress

import pytest
from campaigns_made import iozone, put
from program import PROGRAM, run, start

NAME = "standard input"
SEE = "`fsviz formats --explain table` shows how to write a table of your own numbers"


@pytest.mark.slow
def test_it_is_read_as_a_file_of_the_same_text(tmp_path):
    put(tmp_path, {"a.txt": iozone(1)})
    piped = json.loads(start("read", "-", "--format", "json", typed=iozone(1)).stdout)
    filed = json.loads(start("read", tmp_path / "a.txt", "--format", "json").stdout)
    assert len(piped) == 36
    named = {"system": NAME, "source": NAME}
    assert piped == [{**row, **named} for row in filed]


def test_it_is_a_system_of_its_own_and_can_be_labelled(tmp_path):
    put(tmp_path, {"b.txt": iozone(2)})
    done = run("summary", "-", "--format", "json", typed=iozone(1))
    assert {row["system"] for row in json.loads(done.stdout)} == {NAME}
    for sources in (["a=-", f"b={tmp_path}/b.txt"], [f"b={tmp_path}/b.txt", "a=-"]):
        done = run("compare", *sources, "--format", "json", typed=iozone(1))
        assert done.returncode == 0, done.stderr
        names = [source.partition("=")[0] for source in sources]
        rows = json.loads(done.stdout)
        assert {(r["baseline"], r["candidate"]) for r in rows} == {tuple(names)}


def test_the_table_of_files_names_it():
    done = run("files", "-", "--format", "json", typed=iozone(1))
    (row,) = json.loads(done.stdout)
    assert (row["source"], row["system"], row["numbers"]) == (NAME, NAME, 36)


def test_a_part_that_cannot_be_used_is_named_and_the_rest_read():
    cut = iozone(1)[:-40]
    done = run("read", "-", "--format", "json", typed=cut)
    assert len(json.loads(done.stdout)) == 32
    assert done.stderr.startswith(f"{NAME}:18: expected ")


@pytest.mark.parametrize(
    "text,found",
    [
        (b"", "nothing"),
        (b"hello\n", f"none of their signatures; {SEE}"),
        (b"\x89PNG", "a PNG image"),
        (b"a\0b", "a NUL byte"),
    ],
)
@pytest.mark.parametrize("command", ["read", "summary"])
def test_what_is_no_result_is_refused_by_name(command, text, found):
    done = run(command, "-", typed=text)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"{NAME}:1: expected ")
    assert done.stderr.endswith(f"found {found}\n")


@pytest.mark.parametrize("words", [("read", "-", "-"), ("compare", "a=-", "b=-")])
def test_it_can_be_read_once_only(words):
    done = run(*words, typed=iozone(1))
    assert done.returncode == 2
    assert done.stderr == f"{NAME}:1: expected it once, found it 2 times\n"


@pytest.mark.parametrize("source", ["-", "a=-"])
def test_reports_refuse_it_for_notebooks_read_again(source, tmp_path):
    done = run("report", source, "-o", tmp_path, typed=iozone(1))
    assert done.returncode == 2
    assert done.stderr == (
        f"{NAME}:1: expected a file or folder, which the notebooks read again, "
        "found a stream\n"
    )


def test_a_closed_one_is_wrong_usage():
    done = start("-c", f"{PROGRAM} read - <&-", program="sh")
    assert done.returncode == 2
    assert done.stderr == f"{NAME}:1: expected it open, found it closed\n"


@pytest.mark.slow
@pytest.mark.parametrize("pause, shown", [(3.5, True), (0.0, False)])
def test_a_terminal_sees_what_is_read_where_it_takes_long(tmp_path, pause, shown):
    # a path longer than a terminal is wide leaves room for the time
    folder = tmp_path / ("n" * 90)
    folder.mkdir()
    pipe = folder / "slow.txt"
    os.mkfifo(pipe)
    ours, its = pty.openpty()
    program = subprocess.Popen(
        [PROGRAM, "read", pipe], stdout=subprocess.DEVNULL, stderr=its, text=True
    )
    os.close(its)
    with pipe.open("w") as file:
        file.write("\nreal\t0m3.214s\n")
        file.flush()
        time.sleep(pause)
        file.write("user\t0m1.000s\nsys\t0m0.100s\n")
    assert program.wait() == 0
    said = ""
    with suppress(OSError):  # how a terminal says that nobody writes to it any more
        while more := os.read(ours, 4096).decode():
            said += more
    os.close(ours)
    assert ("0:00:0" in said) == shown
    # what was shown is gone, and the cursor is back
    assert said.rfind("\x1b[?25h") >= said.rfind("\x1b[?25l")
