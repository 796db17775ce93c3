"""elbencho's tables, in the shapes of its versions."""

import csv
import json
import shutil
from pathlib import Path

import pytest

import fsviz
from fsviz.model.errors import MalformedRowError
from fsviz.readers.document import decode
from fsviz.readers.formats import read_document, read_file

MIB = 2**20
COMMAND = "$ elbencho -w --direct --rand -b 1m -s 16g -t 96 /mnt/{}/file[1-256]\n"
TABLE = """\
OPERATION   RESULT TYPE         FIRST DONE   LAST DONE
=========== ================    ==========   =========
DROPCACHE   Elapsed ms       :       2776       3128
---
MKDIRS      Elapsed ms       :          0          1
            Dirs/s           :      41269      28397
            Total dirs       :         26         56
---
WRITE       Elapsed time     :    2m3.241s    2m5.755s
            Files/s          :       2087       2084
            IOPS             :      33395      33352
            Throughput MiB/s :      33395      33351
            Total files      :        251        256
            Total MiB        :    4115703    4194304
---
RMFILES     Elapsed ms       :       4408      13712
            Files/s          :      72023      76473
---
"""


def read(text):
    return read_document(decode("t.txt", text.encode()))


def test_what_was_done_in_all_the_time_is_read():
    reading = read(COMMAND.format("nfs") + TABLE)
    assert (reading.problems, reading.notes) == ((), ())
    (run,) = reading.runs
    c = run.cells
    columns = (c.operation, c.metric, c.value, c.locator, c.record_size_bytes)
    assert list(zip(*columns, strict=True)) == [
        ("directory_creation", "rate", 28397, "line 7", None),
        ("random_write", "rate", 33352, "line 12", MIB),
        ("random_write", "throughput", 33351 * MIB, "line 13", MIB),
        ("file_removal", "rate", 76473, "line 18", None),
    ]
    assert (c.low[2], c.high[2]) == (33351 * MIB, 33352 * MIB)  # it cuts digits off
    assert set(c.threads) == {96}
    assert set(c.file_size_bytes) == {16 * 2**30}
    assert run.configuration == "-w --direct --rand"


RESFILE = (
    "ISO DATE: 2022-03-09T10:48:34-0800\n"
    'COMMAND LINE: "/opt/bin/elbencho" "--host{}" "--threads" "8" "--size" "1t" '
    '"--block" "1m" "--blockvaralgo" "fast" "--write" "--rand" "/mnt/nfs/file" \n\n'
)


@pytest.mark.parametrize(
    "hosts, threads",
    [("s a1,a2,a3,", 24), ("s a1", 8), ("s a[1-3]", None), ("sfile h", None)],
)
def test_a_file_of_results_has_its_command_in_quotation_marks(hosts, threads):
    reading = read(RESFILE.format(hosts.replace(" ", '" "')) + TABLE)
    assert (reading.problems, reading.notes) == ((), ())
    (run,) = reading.runs
    c = run.cells
    assert c.operation[1:3] == ["random_write", "random_write"]
    assert set(c.threads) == {threads}
    assert (c.file_size_bytes[1], c.record_size_bytes[1]) == (2**40, MIB)


def test_a_phase_without_numbers_begins_no_run(tmp_path):
    data = Path(__file__).parents[1] / "data/elbencho/3.1/machine_files.csv"
    header, first, *rest = data.read_text().splitlines()
    names = header.split(",", header.count(","))
    cells = first.split(",", header.count(","))
    for at, name in enumerate(names):
        if name.startswith(("entries", "IOPS", "MiB", "Ent", "IO lat", "rwmix")):
            cells[at] = ""
    cells[names.index("operation")] = "SYNC"
    sync = ",".join(cells)
    path = tmp_path / "synced.csv"
    path.write_text("\n".join([header, sync, first, sync, *rest, sync, ""]))
    assert len(read_file(str(path)).runs) == len(read_file(str(data)).runs)


def test_each_header_begins_a_run_and_folders_name_systems():
    text = "".join(COMMAND.format(name) + TABLE for name in ("nfs", "smb"))
    assert [run.system for run in read(text).runs] == ["/mnt/nfs", "/mnt/smb"]


def test_without_its_command_a_table_lacks_threads_and_sizes():
    reading = read(TABLE)
    cells = reading.runs[0].cells
    assert cells.threads[1] is None
    assert set(cells.file_size_bytes) == {4194304 * MIB // 256}
    assert [note.line for note in reading.notes] == [1]


def test_what_services_print_below_one_header_is_no_run():
    """Slurm writes what every node prints into one file; which is the total?"""
    phases = "".join(TABLE.partition("---\n")[::2])
    with pytest.raises(MalformedRowError, match="expected MKDIRS once below a header"):
        read(phases + TABLE.partition("---\n")[2])
    whole = COMMAND.format("nfs") + TABLE
    reading = read(whole + phases + TABLE.partition("---\n")[2])
    assert [run.cells.value[2] for run in reading.runs] == [33351 * MIB]
    assert len(reading.problems) == 1


def test_damage_is_named():
    (problem,) = read(TABLE.replace("33351", "333x1")).problems
    assert (problem.line, type(problem)) == (12, MalformedRowError)
    with pytest.raises(MalformedRowError, match=r"^t\.txt:1: expected a phase"):
        read(TABLE[:160])


DATA = "tests/data/elbencho/3.1"


def keyed(path):
    """Every number of a file with its bounds, by run and cell."""
    return {
        (number, *key): (cells.value[at], cells.low[at], cells.high[at])
        for number, run in enumerate(read_file(path).runs)
        for cells in [run.cells]
        for at, key in enumerate(cells.keys())
    }


def test_text_csv_and_json_say_the_same(root):
    text, table, lines = (
        keyed(root / DATA / f"machine.{form}") for form in ("txt", "csv", "json")
    )
    assert set(table) == set(lines)
    # the text has no latency that is read
    assert {key for key in table if key[-1] != "latency"} == set(text)
    for key, (value, low, high) in table.items():
        assert low <= lines[key][0] < high
        assert text.get(key, (value,))[0] == value
    depths = {key[5] for key in table if key[1] == "random_read"}
    assert depths == {"", "iodepth=4"}


def test_json_says_bytes_and_csv_microseconds(root):
    path = root / DATA / "machine.json"
    printed = [json.loads(line) for line in path.read_text().splitlines()]
    runs = read_file(path).runs
    found = [
        (c.metric[at], c.value[at])
        for c in (run.cells for run in runs)
        for at in range(len(c))
    ]
    done = [phase["last_done"] for phase in printed]
    speeds = [float(phase["bytes/s"]) for phase in done]
    assert [value for metric, value in found if metric == "throughput"] == speeds
    with (root / DATA / "machine.csv").open() as file:
        rows = list(csv.DictReader(file))
    means = [int(row["IO lat us [avg]"]) * 1e-6 for row in rows]
    assert [v for metric, v in found if metric == "latency"] == pytest.approx(means)
    assert [run.started for run in runs] == [
        printed[at]["iso_start_date"][:19] for at in (0, 2, 3)
    ]


def test_the_three_forms_of_one_run_count_once(root, tmp_path):
    for form in ("txt", "csv", "json"):
        shutil.copy(root / DATA / f"machine.{form}", tmp_path)
    runs = fsviz.load(tmp_path).runs
    assert len(runs) == len(read_file(root / DATA / "machine.txt").runs)


def test_a_queue_depth_of_the_text_is_a_setting_and_no_repeat():
    depths = (f"{COMMAND.format('nfs').strip()} --iodepth {n}\n" for n in (1, 8, 32))
    runs = read("".join(depth + TABLE for depth in depths)).runs
    assert [run.cells.setting[1] for run in runs] == ["", "iodepth=8", "iodepth=32"]
    assert [run.cells.setting[0] for run in runs] == ["", "", ""]


def test_labels_name_systems_and_repeats_are_runs(root):
    text = (root / DATA / "machine.csv").read_text()
    head, *rows = text.splitlines(keepends=True)
    a, b = ("".join(row.replace(",,", f",{n},", 1) for row in rows) for n in "ab")
    assert [run.system for run in read(head + a + b).runs] == ["a"] * 3 + ["b"] * 3
    again = read(head + "".join(rows[:2]) * 2).runs
    assert [set(run.cells.operation) for run in again] == [{"write", "read"}] * 2


@pytest.mark.parametrize(
    "old, new, message",
    [
        (",17362,", ",17.362,", "2: expected a whole number, found '17.362'"),
        (",WRITE,", ",RWMIX70,", "2: expected a phase of a known kind"),
    ],
)
def test_a_damaged_phase_is_named_and_the_others_are_read(root, old, new, message):
    text = (root / DATA / "machine.csv").read_text()
    assert old in text
    reading = read(text.replace(old, new))
    assert message in str(reading.problems[0])
    assert "read" in reading.runs[0].cells.operation


def test_a_cut_line_of_json_is_named_and_the_others_are_read(root):
    first, second, *_ = (root / DATA / "machine.json").read_text().splitlines()
    reading = read(f"{first}\n{second[:200]}\n")
    (problem,) = reading.problems
    assert (problem.line, problem.expected) == (2, "JSON of a phase")
    assert set(reading.runs[0].cells.operation) == {"write"}
