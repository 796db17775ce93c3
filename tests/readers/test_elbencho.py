"""elbencho's tables, in the shapes of its versions."""

import pytest

from fsviz.model.errors import MalformedRowError
from fsviz.readers.document import decode
from fsviz.readers.formats import read_document

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


def test_each_header_begins_a_run_and_folders_name_systems():
    text = "".join(COMMAND.format(name) + TABLE for name in ("nfs", "smb"))
    assert [run.system for run in read(text).runs] == ["/mnt/nfs", "/mnt/smb"]


def test_without_its_command_a_table_lacks_threads_and_sizes():
    reading = read(TABLE)
    cells = reading.runs[0].cells
    assert cells.threads[1] is None
    assert set(cells.file_size_bytes) == {4194304 * MIB // 256}
    assert [note.line for note in reading.notes] == [1]


def test_damage_is_named():
    (problem,) = read(TABLE.replace("33351", "333x1")).problems
    assert (problem.line, type(problem)) == (12, MalformedRowError)
    with pytest.raises(MalformedRowError, match=r"^t\.txt:1: expected a phase"):
        read(TABLE[:160])
