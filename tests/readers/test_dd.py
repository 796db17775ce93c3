"""dd's results: real ones of this machine, and the shapes of other systems."""

import json
import os
import re
import subprocess

import pytest
from program import run

from fsviz.model.errors import InconsistentDataError, MalformedRowError
from fsviz.readers.document import decode
from fsviz.readers.formats import read_document, read_file

RECORDS = "4+0 records in\n4+0 records out\n"
GNU = "4194304 bytes (4.2 MB, 4.0 MiB) copied, 0.016 s, 262 MB/s\n"


def read(text):
    return read_document(decode("t.txt", text.encode()))


def only(text):
    (one,) = read(text).runs
    (value,) = one.cells.value
    return one, value


def test_this_machines_dd_with_its_command(tmp_path):
    log = tmp_path / "log.txt"
    for target, source, count in (("a", "/dev/zero", 3), ("/dev/null", "a", 2)):
        command = ["dd", f"if={source}", f"of={target}", "bs=64K", f"count={count}"]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"LC_ALL": "C"},
        )
        with log.open("a") as file:
            file.write(f"$ {' '.join(command)}\n{done.stderr}")
    rows = json.loads(run("read", log, "--format", "json").stdout)
    found = re.findall(r"(\d+) bytes .*copied, ([\d.e-]+) s", log.read_text())
    assert [row["value"] for row in rows] == [int(b) / float(s) for b, s in found]
    assert [row["operation"] for row in rows] == ["write", "read"]
    assert {row["record_size_bytes"] for row in rows} == {65536}
    assert [row["file_size_bytes"] for row in rows] == [196608, 131072]


@pytest.mark.parametrize(
    "line, rate",
    [
        (GNU, 4194304 / 0.016),
        ("131072000 bytes (131 MB) copied, 0.5 seconds, 262 MB/s\n", 262144000),
        ("4194304 bytes transferred in 0.016 secs (262144000 bytes/sec)\n", 262144000),
        ("104857600 bytes (100.0MB) copied, 0.5 seconds, 200.0MB/s\n", 209715200),
        ("4194304 Bytes (4,2 MB, 4,0 MiB) kopiert, 0,016 s, 262 MB/s\n", 262144000),
        ("4194304 octets (4,2 MB, 4,0 MiB) copiés, 0,016 s, 262 MB/s\n", 262144000),
        ("4194304字节(4.2 MB，4.0 MiB)已复制，0.016 s，262 MB/s\n", 262144000),
        ("512 bytes copied, 0.000125 s, 4.1 MB/s\n", 4096000),
        ("1024 bytes (1.0 kB, 1.0 KiB) copied, 8e-05 s, 12.8 MB/s\n", 12800000),
        ("1 byte copied, 0.00625 s, 0.2 kB/s\n", 160),
        ("1 byte (1 B) copied, 0.025 s, 0.0 kB/s\n", 40),
    ],
)
def test_the_shapes_of_other_systems(line, rate):
    one, value = only(RECORDS + line)
    assert value == pytest.approx(rate, rel=1e-12)
    assert one.cells.low[0] <= value <= one.cells.high[0]


def test_without_the_command_nobody_says_what_was_done():
    reading = read(RECORDS + GNU)
    assert reading.runs[0].cells.operation == ["transfer"]
    assert [(note.line, note.text[:6]) for note in reading.notes] == [(3, "no dd ")]


def test_headings_or_folders_name_systems_and_options_tell_runs_apart():
    command = "$ dd if=/dev/zero of={}/t bs=1MB count=4 conv=fdatasync oflag=direct\n"
    text = "".join(
        command.format(folder) + RECORDS + GNU for folder in ("/m/nfs", "/m/smb")
    )
    runs = read(text).runs
    assert [one.system for one in runs] == ["/m/nfs", "/m/smb"]
    assert {one.configuration for one in runs} == {"conv=fdatasync oflag=direct"}
    assert {one.cells.record_size_bytes[0] for one in runs} == {10**6}
    same = command.format("here").replace("/t", "t")
    text = f"plain:\n{same}{RECORDS}{GNU}\ncrypted:\n{same}{RECORDS}{GNU}"
    assert [one.system for one in read(text).runs] == ["plain", "crypted"]


def test_progress_is_no_result():
    state = "2097152 bytes (2.1 MB, 2.0 MiB) copied, 0.008 s, 262 MB/s"
    one, _ = only(f"{state}\r{state}\n{RECORDS}{GNU}")
    assert one.cells.file_size_bytes == [4194304]


def test_a_result_without_its_records_counts_beside_one_with_them():
    command = "$ dd if=/dev/zero of=/mnt/{}/f bs=1M\n"
    short = "2097152 bytes (2.1 MB, 2.0 MiB) copied, 0.008 s, 262 MB/s\n"
    text = command.format("a") + RECORDS + GNU + command.format("b") + short
    runs = read(text).runs
    assert [run.cells.file_size_bytes for run in runs] == [[4194304], [2097152]]
    assert runs[1].command_line == "dd if=/dev/zero of=/mnt/b/f bs=1M"


def test_a_pipe_s_target_is_what_was_written():
    text = "".join(
        f"$ dd if=/dev/zero bs=100M count=2 | pv {quiet} > {place}/abc 2> log\n{GNU}"
        for place, quiet in (("nfs", ""), ("iscsi", "2>/dev/null"))
    )
    reading = read(text)
    assert [run.system for run in reading.runs] == ["nfs", "iscsi"]
    assert [run.cells.operation for run in reading.runs] == [["write"]] * 2


def test_a_result_behind_a_name_is_refused_with_its_line():
    reading = read(f"{RECORDS}{GNU}host1: {GNU}")
    (problem,) = reading.problems
    assert problem.line == 4
    assert len(reading.runs) == 1


def test_a_copy_that_failed_is_incomplete():
    one, _ = only(f"dd: error writing 't': No space left on device\n{RECORDS}{GNU}")
    assert not one.complete
    assert "No space" in one.note


@pytest.mark.parametrize(
    "old, new, error",
    [
        ("262 MB/s", "300 MB/s", InconsistentDataError),
        ("262 MB/s", "0.2 MB/s", InconsistentDataError),
        ("262 MB/s", "Infinity B/s", InconsistentDataError),
        ("0.016 s, 262 MB/s", "0 s, Infinity B/s", MalformedRowError),
    ],
)
def test_what_contradicts_itself_is_refused_with_its_line(old, new, error):
    with pytest.raises(error, match=r"^t\.txt:3: expected"):
        read(RECORDS + GNU.replace(old, new))


def test_a_time_right_below_dd_is_its_own_and_others_are_copies(tmp_path):
    path = tmp_path / "notes.md"
    path.write_text(
        "local copy:\nreal    0m3.618s\nuser    0m0.040s\nsys     0m0.998s\n\n"
        "a file of 100 MB by dd:\n"
        "104857600 bytes (105 MB) copied, 0.291707 s, 359 MB/s\n\n"
        "real    0m0.296s\nuser    0m0.002s\nsys     0m0.140s\n"
    )
    reading = read_file(path)
    elapsed = [
        cells.value[i]
        for run in reading.runs
        for cells in [run.cells]
        for i, metric in enumerate(cells.metric)
        if metric == "elapsed"
    ]
    assert elapsed == [3.618]
    assert any("not used" in note.text and note.line == 9 for note in reading.notes)
