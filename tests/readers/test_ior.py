"""IOR's and mdtest's tables, in the shapes of their versions."""

import re
from pathlib import Path

import pytest

from fsviz.model.errors import MalformedRowError
from fsviz.readers.document import decode
from fsviz.readers.formats import read_document, read_file

DATA = Path(__file__).parents[1] / "data/ior"
MIB = 2**20
OLD = """\
IOR-2.10.3: MPI Coordinated Test of Parallel I/O

Run began: Tue Feb  8 21:50:51 2011
Command line used: ./IOR -a POSIX -F -b 256M -i 2 -o /gpfs/me/out -r -w -t 4m
Machine: Linux node1

Summary:
	api                = POSIX
	test filename      = /gpfs/me/out
	access             = file-per-process
	ordering           = random offsets
	clients            = 24 (12 per node)
	repetitions        = 2
	xfersize           = 4 MiB
	blocksize          = 256 MiB
	aggregate filesize = 6 GiB

access    bw(MiB/s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   iter
------    ---------  ---------- ---------  --------   --------   --------   ----
write     1853.28    262144     4096       6.46       276.33     0.104290   0
Commencing read performance test.
read      1568       262144     4096       6.39       327.85     0.128561   0
write     1860.19    262144     4096       6.68       275.05     0.108472   1
read      1497.59    262144     4096       6.39       343.58     0.120167   1

Max Write: 1860.19 MiB/sec (1950.55 MB/sec)
Max Read:  1568.00 MiB/sec (1644.17 MB/sec)
"""
NEW = """\
IOR-4.0.0: MPI Coordinated Test of Parallel I/O
Began               : Sat Apr 24 00:33:59 2021
Command line        : ./ior -t 16m -b 128m -o /mnt/{}/testfile
api                 : POSIX
test filename       : /mnt/{}/testfile
access              : single-shared-file
type                : independent
ordering in a file  : sequential
tasks               : 48
xfersize            : 16 MiB
blocksize           : 128 MiB
aggregate filesize  : 6 GiB

Results:

access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)    iter
------    ---------  ----       ----------  ---------- ---------  --------   ----
write     170.54     10.66      0.685945    131072     16384      0.013389   0
remove    -          -          -           -          -          -          0
Max Write: 170.54 MiB/sec (178.83 MB/sec)

Summary of all tests:
Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)
write         170.54     170.54     170.54       0.00      10.66
Finished            : Sat Apr 24 00:35:39 2021
"""
MDTEST = """\
-- started at 11/09/2018 19:51:49 --

mdtest-1.9.3 was launched with 64 total task(s) on 4 node(s)
Command line used: /opt/bin/mdtest -C -F -d /mnt/{}/easy -n 33800 -u
Path: /mnt/{}
64 tasks, 2163200 files

SUMMARY{}: (of {} iterations)
   Operation                      Max            Min           Mean        Std Dev
   ---------                      ---            ---           ----        -------
   File creation     :       4570.893       4550.893       4560.893         10.000
   File stat         :          0.000          0.000          0.000          0.000
   File create (stonewall)   :             NA             NA             NA         NA
V-1: Entering timestamp...
   Tree creation     :          4.316          4.316          4.316          0.000

-- finished at 11/09/2018 19:59:44 --
"""


def read(text):
    return read_document(decode("t.txt", text.encode()))


def numbers(run):
    c = run.cells
    rows = zip(c.operation, c.metric, c.threads, c.value, c.locator, strict=True)
    return list(rows)


def test_each_iteration_of_an_old_table_is_a_run():
    reading = read(OLD)
    assert not reading.problems
    rows = [numbers(run) for run in reading.runs]
    assert rows == [
        [
            ("random_write", "throughput", 24, 1853.28 * MIB, "line 20"),
            ("random_read", "throughput", 24, 1568.0 * MIB, "line 22"),
        ],
        [
            ("random_write", "throughput", 24, 1860.19 * MIB, "line 23"),
            ("random_read", "throughput", 24, 1497.59 * MIB, "line 24"),
        ],
    ]
    first = reading.runs[0]
    assert first.cells.low[1] == pytest.approx(1567.5 * MIB)
    assert first.cells.file_size_bytes[0] == 6 * 2**30
    assert first.cells.record_size_bytes[0] == 4 * MIB
    assert (first.started, first.tool_version) == ("2011-02-08T21:50:51", "2.10.3")
    assert first.configuration == "POSIX; file-per-process; 256 MiB"


def test_the_tests_of_a_script_have_one_header():
    another = "\n".join(
        line
        for line in OLD.splitlines()
        if not line.startswith(("access  ", "------", "Commencing"))
    )
    another = another.replace("random offsets", "sequential offsets")
    reading = read(f"{OLD}\n{another}\n")
    assert not reading.problems
    rows = [numbers(run) for run in reading.runs]
    assert [len(row) for row in rows] == [2, 2, 2, 2]
    assert rows[2][0] == ("write", "throughput", 24, 1853.28 * MIB, "line 46")


def test_a_summary_of_other_columns_is_no_row():
    summary = "write  1853.28 1853.28 1853.28 0.00 463.3 463.3 0.0 9.9\n"
    assert len(read(OLD + OLD.split("access ", maxsplit=1)[0] + summary).runs) == 2


def test_tables_of_two_systems_are_named_after_their_folders():
    runs = read(NEW.format("nfs", "nfs") + NEW.format("smb", "smb")).runs
    assert [run.system for run in runs] == ["/mnt/nfs", "/mnt/smb"]
    assert [run.cells.operation for run in runs] == [["write"], ["write"]]


@pytest.mark.parametrize(
    "old, new, line",
    [
        ("write     170.54 ", "write     17x.54 ", 18),
        ("tasks               : 48\n", "", 17),
        (": sequential", ": sideways", 18),
    ],
)
def test_what_cannot_be_used_is_named_with_its_line(old, new, line):
    with pytest.raises(MalformedRowError, match=rf"^t\.txt:{line}: expected"):
        read(NEW.format("a", "a").replace(old, new))


@pytest.mark.parametrize("rate", ["", " rate", " rate (in ops/sec)"])
def test_a_phase_that_was_not_run_is_missing(rate):
    reading = read(MDTEST.format("nfs", "nfs", rate, 1))
    assert not reading.problems
    (run,) = reading.runs
    assert numbers(run) == [
        ("file_creation", "rate", 64, 4560.893, "line 11"),
        ("tree_creation", "rate", 64, 4.316, "line 15"),
    ]
    assert (run.started, run.configuration) == (
        "2018-11-09T19:51:49",
        "-C -F -d -n 33800 -u",
    )


def test_a_fence_of_markdown_ends_a_table():
    text = MDTEST.format("nfs", "nfs", "", 1).rstrip()
    reading = read(f"```\n{text}\n```\nand so on\n")
    assert (len(reading.runs), reading.problems) == (1, ())


def test_means_of_iterations_are_no_runs():
    (run,) = read(MDTEST.format("nfs", "nfs", "", 3)).runs
    assert (run.facts["stands_for"], run.facts["n"]) == ("mean", "3")


def test_a_mean_outside_its_extremes_is_refused():
    text = MDTEST.format("nfs", "nfs", "", 3).replace("4560.893 ", "4580.893 ")
    (problem,) = read(text).problems
    assert problem.line == 11
    assert "between minimum and maximum" in problem.expected


def test_a_log_of_both_is_read_part_by_part():
    reading = read(NEW.format("a", "a") + MDTEST.format("a", "a", "", 1))
    assert [run.tool for run in reading.runs] == ["ior", "mdtest"]


@pytest.mark.parametrize("path", sorted(DATA.rglob("*.txt")), ids=lambda p: p.name)
def test_sizes_are_those_of_iors_own_summary(path):
    """Sizes above the table are rounded (1.50 GiB), those of the summary exact."""
    lines = path.read_text().splitlines()
    (at,) = (k for k, line in enumerate(lines) if line.startswith("Operation   Max"))
    told = dict(zip(lines[at].split(), lines[at + 1].split(), strict=True))
    block, segments, tasks = (int(told[n]) for n in ("blksiz", "segcnt", "#Tasks"))
    for run in read_file(path).runs:
        assert set(run.cells.file_size_bytes) == {block * segments * tasks}
        assert set(run.cells.record_size_bytes) == {int(told["xsize"])}


def test_a_rate_that_json_cannot_hold_is_named(root, tmp_path):
    text = (root / "tests/data/ior/4.0.0/summary.json").read_text()
    path = tmp_path / "summary.json"
    path.write_text(re.sub(r'"bwMiB": [\d.]+', '"bwMiB": -nan', text, count=1))
    with pytest.raises(MalformedRowError, match="expected JSON of IOR"):
        read_file(path)
    # a test that was killed: the rest of its JSON is missing
    path.write_text(text[: text.index('"Results"')])
    with pytest.raises(MalformedRowError, match="expected JSON of IOR"):
        read_file(path)


def test_a_deadline_leaves_the_size_of_the_file_open():
    row = next(line for line in OLD.splitlines(keepends=True) if "1853.28" in line)
    warned = (
        "WARNING: Expected aggregate file size       = 6442450944\n"
        "WARNING: Stat() of aggregate file size      = 1271343874\n"
        "WARNING: Using actual aggregate bytes moved = 1271343874\n"
    )
    text = OLD.replace(row, warned + row)
    runs = read_document(decode("r.txt", text.encode())).runs
    found = {
        (run.cells.operation[k], n): run.cells.file_size_bytes[k]
        for n, run in enumerate(runs)
        for k in range(len(run.cells))
    }
    assert found == {
        ("random_write", 0): None,
        ("random_read", 0): 6 * 1024**3,
        ("random_write", 1): 6 * 1024**3,
        ("random_read", 1): 6 * 1024**3,
    }


def test_a_file_for_each_task_is_a_setting():
    text = NEW.replace("{}", "beegfs")
    own = text.replace("single-shared-file", "file-per-process")
    settings = [read(one).runs[0].cells.setting for one in (text, own)]
    assert settings == [[""], ["access=file-per-process"]]


@pytest.mark.parametrize(
    "options, size",
    [
        ("", None),
        ("-w 3901", 3901),
        ("-w=4k", 4096),
        ("-w 0", None),
        ("'-w' '3901'", 3901),
        ('"-w" "3901"', 3901),
    ],
)
def test_mdtest_says_how_large_its_files_are(options, size):
    text = MDTEST.format("a", "a", "", 1).replace("-n 33800", f"-n 33800 {options}")
    [run] = read(text).runs
    assert set(run.cells.file_size_bytes) == {size}


def test_a_nodemap_of_mdtest_is_no_number_of_too_many_digits():
    text = MDTEST.format("a", "a", "", 1)
    table = text[text.index("\nSUMMARY") :]
    for tasks, name in ((5000, "Nodemap"), (999, "nodes")):
        mapped = text.replace(table, f"{name}: {'1' * tasks}\n{table}")
        assert read(mapped).runs[0].cells.value == read(text).runs[0].cells.value
    with pytest.raises(MalformedRowError, match="numbers of fewer than 1000 digits"):
        read(text.replace(table, f"nodes: {'1' * 1000}\n{table}"))


def test_the_signature_of_what_mdtest_writes_is_no_option():
    plain = read(MDTEST.format("a", "a", "", 1)).runs[0]
    for signature in ("-G -533650167", "-G=12"):
        text = MDTEST.format("a", "a", "", 1).replace(" -u", f" -u {signature}")
        assert read(text).runs[0].configuration == plain.configuration
