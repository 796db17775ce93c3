"""fio's JSON against the numbers in it, picked out with regular expressions."""

import json
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from fsviz.model.errors import (
    InconsistentDataError,
    MalformedRowError,
    ToolFailureError,
    UnsupportedVersionError,
)
from fsviz.readers.document import decode
from fsviz.readers.fio import read_fio
from fsviz.readers.formats import read_document, read_file

DATA = Path(__file__).parents[1] / "data" / "fio" / "3.33"


def read_text(text):
    return read_fio(decode("f.json", text.encode()))


def cells_of(run):
    c = run.cells
    return {
        (c.operation[i], c.metric[i], c.record_size_bytes[i], c.child[i]): c.value[i]
        for i in range(len(c))
    }


def printed(text, name):
    """All numbers of that name, in order of the text, without the zeros."""
    numbers = map(float, re.findall(rf'"{name}" : ([\d.]+)', text))
    return [number for number in numbers if number]


def test_one_job_by_hand():
    reading = read_file(DATA / "read.json")
    (run,) = reading.runs
    assert not reading.problems
    found = cells_of(run)
    assert found["read", "throughput", 131072, None] == 493447529
    assert found["read", "rate", 131072, None] == 3764.705882
    assert found["read", "latency", 131072, None] == pytest.approx(256028.9375e-9)
    assert found["read", "completion_latency_p99_9", 131072, None] == pytest.approx(
        10682368e-9
    )
    assert found["read", "cpu", 131072, None] == 6.25
    assert set(run.cells.file_size_bytes) == {8 * 1024**2}
    assert (run.tool, run.tool_version, run.complete) == ("fio", "3.33", True)
    assert run.cells.locator[0] == "jobs[0].read"


def test_whole_milliseconds_bound_the_throughput():
    (run,) = read_file(DATA / "read.json").runs
    # 8 MiB in 17 ms, which may have been 16.5 to 17.5
    index = run.cells.metric.index("throughput")
    assert run.cells.low[index] == pytest.approx(8 * 1024**2 / 0.0175, rel=1e-6)
    assert run.cells.high[index] == pytest.approx(8 * 1024**2 / 0.0165, rel=1e-6)


@pytest.mark.parametrize(
    "name, metric, operations, threads, own",
    [
        (
            "matrix",
            "rate",
            ["write", "write", "random_read", "random_write"],
            1,
            "iops",
        ),
        ("randrw", "throughput", ["mixed_random_read", "mixed_random_write"], 1, ""),
        ("numjobs", "child_throughput", ["write"] * 3, 3, ""),
        ("numjobs_grouped", "throughput", ["write"], 3, ""),
    ],
)
def test_jobs_have_the_numbers_that_are_printed(name, metric, operations, threads, own):
    path = DATA / f"{name}.json"
    (run,) = read_file(path).runs
    c = run.cells
    found = [
        (c.operation[i], c.value[i]) for i in range(len(c)) if c.metric[i] == metric
    ]
    values = printed(path.read_text(), own or "bw_bytes")
    assert found == list(zip(operations, values, strict=True))
    assert set(c.threads) == {threads}
    # both directions share the processor
    assert ("cpu" in c.metric) == (name != "randrw")


def test_percentiles_of_completion_have_its_name():
    path = DATA / "libaio_buffered.json"
    (run,) = read_file(path).runs
    found = cells_of(run)
    # far more than a hundredth of the time is submission, which these lack
    assert found["random_read", "completion_latency_p99", 4096, None] == pytest.approx(
        printed(path.read_text(), "99.000000")[0] * 1e-9
    )
    assert not {m for m in run.cells.metric if m.startswith("latency_")}
    whole = read_file(DATA / "libaio_lat.json").runs[0]
    assert "latency_p99" in whole.cells.metric
    assert "completion_latency_p99" not in whole.cells.metric


def text_alone(name, folder):
    """The file without the JSON in it."""
    whole = (DATA / name).read_text()
    start, end = whole.index("{\n"), whole.rindex("\n}") + 2
    (folder / "normal.txt").write_text(whole[:start] + whole[end:])
    return folder / "normal.txt"


@pytest.mark.parametrize("name", ["jobs", "grouped", "both", "verify", "fsync"])
def test_the_text_has_the_numbers_of_the_json_beside_it(tmp_path, name):
    name = f"json_normal_{name}.txt"
    (exact,) = read_file(DATA / name).runs
    reading = read_file(text_alone(name, tmp_path))
    (run,) = reading.runs
    assert not reading.problems
    found, wanted = cells_of(run), cells_of(exact)
    assert found.keys() == wanted.keys()
    assert run.cells.threads == exact.cells.threads
    # a text shows that syncs were made, not how often they were asked for
    stated = [text.replace("fsync=4", "fsync=yes") for text in exact.cells.setting]
    assert run.cells.setting == stated
    for key, value in found.items():
        # percentiles are printed in whole µs, and means with two decimals
        off = {"cpu": 0.01, "latency": 5e-9}.get(key[1], 1e-6)
        assert value == pytest.approx(wanted[key], rel=1e-5, abs=off), key
    lines = (tmp_path / "normal.txt").read_text().splitlines()
    places = {int(place.removeprefix("line ")) for place in run.cells.locator}
    assert all("(groupid=" in lines[place - 1] for place in places)


@pytest.mark.parametrize(
    "line",
    ["cpu          : usr=", "issued rwts: total=", "lat (nsec): min=", "write: IOPS="],
)
def test_a_damaged_line_of_numbers_is_said(tmp_path, line):
    path = text_alone("json_normal_fsync.txt", tmp_path)
    text = path.read_text()
    lines = text.splitlines()
    (number,) = (
        k for k, whole in enumerate(lines, 1) if whole.strip().startswith(line)
    )
    lines[number - 1] = f"{lines[number - 1].partition('=')[0]}=x.y.z"
    # another job, so that something is left where the only direction is damaged
    path.write_text("\n".join([*lines, *text.splitlines()]))
    problems = [str(problem) for problem in read_file(path).problems]
    what = f"{path}:{number}: expected a line of numbers as fio prints it"
    job = f"{path}:{number - 1}: expected a job that did I/O"
    assert problems
    assert problems[0].startswith((what, job))


@pytest.mark.parametrize(
    "blocks, size", [("64.0KiB", 65536), ("10.0MiB", 10 * 2**20), ("62.5KiB", 64000)]
)
def test_block_sizes_of_a_text_have_four_digits(tmp_path, blocks, size):
    """As `num2str` of fio's lib/num2str.c prints them."""
    path = text_alone("json_normal_fsync.txt", tmp_path)
    text = path.read_text()
    assert "64.0KiB-64.0KiB" in text
    text = text.replace("64.0KiB-64.0KiB", f"{blocks}-{blocks}")
    path.write_text(text.replace("(2048KiB/", f"({32 * size // 1024}KiB/"))
    (run,) = read_file(path).runs
    assert set(run.cells.record_size_bytes) == {size}


def test_a_text_that_sums_jobs_with_other_blocks_is_refused(tmp_path):
    path = text_alone("json_normal_grouped.txt", tmp_path)
    path.write_text(
        path.read_text().replace("131072B", "4096B").replace("128KiB", "64KiB")
    )
    reading = read_file(path)
    (problem,) = reading.problems
    assert isinstance(problem, InconsistentDataError)
    assert "blocks of 65536 bytes" in problem.expected


def test_version_3_1_counts_what_it_issued_in_other_words(tmp_path):
    text = text_alone("json_normal_jobs.txt", tmp_path).read_text()
    now = r"issued rwts: total=(\d+,\d+),\d+,\d+ .*"
    old = re.sub(now, r"issued rwt: total=\1,0, short=0,0,0, dropped=0,0,0", text)
    assert old != text
    reading = read_text(old)
    assert not reading.problems
    [run], [same] = reading.runs, read_text(text).runs
    assert cells_of(run) == cells_of(same)


def test_states_of_a_text_are_one_run(tmp_path):
    """With --status-interval fio prints a process again and again."""
    path = text_alone("json_normal_jobs.txt", tmp_path)
    once = cells_of(read_file(path).runs[0])
    head, result = path.read_text().split("\nseqw: (groupid=0", 1)
    early = result.split("\nmix: ")[0].replace("total=0,32", "total=0,16")
    path.write_text(f"{head}\nseqw: (groupid=0{early}\nseqw: (groupid=0{result}")
    (run,) = read_file(path).runs
    assert cells_of(run) == once


OLD_TEXT = """\
C:\\fio> fio --gtod_reduce=1 --name=mix --rw=randrw --bs=4k,8k --iodepth=64
mix: (g=0): rw=randrw, bs=4K-4K/8K-8K/4K-4K, ioengine=windowsaio, iodepth=64
fio-2.1.3
Starting 1 process
mix: (groupid=0, jobs=1): err= 0: pid=27742: Sat Jul 16 12:18:27 2016
  read : io=3000.0MB, bw=30720KB/s, iops=7680, runt=100000msec
  write: io=1500.0MB, bw=15360KB/s, iops=1920, runt=100000msec
  cpu          : usr=15.76%, sys=61.07%, ctx=5766, majf=0, minf=7
     issued    : total=r=768000/w=192000/d=0, short=r=0/w=0/d=0
"""
OLD_TIMES = """\
    slat (usec): min=4, max=322, avg=16.15, stdev= 8.89
     lat (msec): min=1, max=1209.4K, avg=58.13, stdev=65.09
    clat percentiles (msec):
     | 50.00th=[   36], 99.00th=[  310], 99.50th=[  367],
    lat (msec) : 2=0.01%, 4=0.25%, 10=12.33%, 20=19.01%, 50=30.27%
"""


def test_text_of_version_2_without_clocks():
    """With gtod_reduce, which many people use, fio takes no latencies: none is 0."""
    (run,) = read_document(decode("t.txt", OLD_TEXT.encode())).runs
    assert cells_of(run) == {
        ("mixed_random_read", "throughput", 4096, None): 768000 * 4096 / 100,
        ("mixed_random_read", "rate", 4096, None): 7680,
        ("mixed_random_write", "throughput", 8192, None): 192000 * 8192 / 100,
        ("mixed_random_write", "rate", 8192, None): 1920,
    }
    assert set(run.cells.setting) == {"iodepth=64"}


def test_text_of_version_2():
    head, read, _, *rest = OLD_TEXT.replace("randrw", "read").splitlines(keepends=True)[
        -5:
    ]
    above = OLD_TEXT.replace("randrw", "read").partition("mix: (groupid")[0]
    text = above + head + read + OLD_TIMES + "".join(rest).replace("192000", "0")
    (run,) = read_document(decode("t.txt", text.encode())).runs
    assert cells_of(run) == {
        ("read", "throughput", 4096, None): 768000 * 4096 / 100,
        ("read", "rate", 4096, None): 7680,
        ("read", "latency", 4096, None): pytest.approx(0.05813),
        ("read", "completion_latency_p50", 4096, None): pytest.approx(0.036),
        ("read", "completion_latency_p99", 4096, None): pytest.approx(0.310),
        ("read", "cpu", 4096, None): pytest.approx(76.83),
    }


CARRIED = """\
r: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, \
ioengine=libaio, iodepth=64
fio-3.19
r: (groupid=0, jobs=1): err= 0: pid=29: Tue Sep 16 19:45:58 2025
  read: IOPS=326, BW=1305KiB/s (1336kB/s)(50.0MiB/40000msec)
     issued rwts: total=13051,0,0,0 short=0,0,0,0 dropped=0,0,0,0
"""


@pytest.mark.parametrize(
    "printed, operations, is_read",
    [
        ("50.0MiB", 12800, True),  # 50.00
        ("50.0MiB", 13051, True),  # 50.98
        ("50.0MiB", 13057, False),  # 51.004, which is 51.0
        ("50.1MiB", 13051, False),
        ("1.00MiB", 511, True),  # 1.996
        ("1.00MiB", 512, False),
        ("1.00MiB", 513, False),
        ("1MiB", 511, False),
    ],
)
def test_what_fio_lost_when_it_carried_is_no_other_block(printed, operations, is_read):
    """Its issue 1117: until 2021 `num2str` printed 50.98 as 50.0."""
    text = CARRIED.replace("50.0MiB", printed).replace("=13051,", f"={operations},")
    if is_read:
        (run,) = read_text(text).runs
        moved = cells_of(run)["random_read", "throughput", 4096, None] * 40
        assert moved == pytest.approx(operations * 4096, rel=1e-12)
    else:
        with pytest.raises(InconsistentDataError, match="blocks of 4096 bytes"):
            read_text(text)


def test_terse_output_says_why_it_is_refused():
    """It has neither rw nor bs, so nobody knows what was measured."""
    text = "hi\n3;fio-3.33;r;0;0;4096;75851;18962;54;0;0;0.000000;0.000000;32;3815\n"
    with pytest.raises(UnsupportedVersionError, match=r"t.txt:2: .*the block size"):
        read_document(decode("t.txt", text.encode()))


def test_terse_lines_beside_normal_text_are_the_same_jobs():
    """``--output-format=terse,normal`` prints both."""
    read = "  read: IOPS=160, BW=1.25MiB/s (1.31MB/s)(12.5MiB/10000msec)\n"
    text = (
        "r: (g=0): rw=read, bs=(R) 8192B-8192B, (W) 8192B-8192B, (T) 8192B-8192B, "
        "ioengine=psync, iodepth=1\nfio-3.28\n3;fio-3.28;r;0;0;4096;75851;18962\n"
        f"r: (groupid=0, jobs=1): err= 0: pid=1: Tue Apr 5 18:48:09 2022\n{read}"
    )
    reading = read_document(decode("t.txt", text.encode()))
    assert len(reading.runs) == 1
    assert reading.problems == ()
    # a job that is there in terse form alone stays unread, and that is said
    for other in ("3;fio-3.28;other;0;0;4096;75851", "3;fio-3.28"):
        document = decode("t.txt", text.replace("3;fio-3.28;r;0", other).encode())
        (problem,) = read_document(document).problems
        assert "terse output" in str(problem)


def test_the_lines_that_people_quote_are_enough():
    """Two lines of a result: the amount has three digits, which are its bounds."""
    text = """\
seq: (g=0): rw=read, bs=(R) 8192B-8192B, (W) 8192B-8192B, (T) 8192B-8192B, \
ioengine=windowsaio, iodepth=1
fio-3.29
seq: (groupid=0, jobs=1): err= 0: pid=8364: Tue Apr 5 18:48:09 2022
  read: IOPS=160, BW=1.25MiB/s (1.31MB/s)(12.5MiB/10000msec)
"""
    (run,) = read_document(decode("t.txt", text.encode())).runs
    moved = 12.5 * 2**20
    assert cells_of(run) == {
        ("read", "throughput", 8192, None): moved / 10,
        ("read", "rate", 8192, None): moved / 8192 / 10,
    }
    assert run.cells.low[0] == pytest.approx(12.45 * 2**20 / 10, rel=1e-4)
    assert run.cells.high[1] == pytest.approx(12.55 * 2**20 / 8192 / 10, rel=1e-4)


def test_a_job_without_the_line_that_says_what_it_did_is_told_so():
    text = OLD_TEXT.replace("\nmix: (g=0)", "\n1 1====mix: (g=0)")
    with pytest.raises(MalformedRowError, match=r"t\.txt:5: .*above with the job's rw"):
        read_document(decode("t.txt", text.encode()))


def test_json_of_a_run_without_clocks_has_no_latency_of_zero():
    own = json.loads((DATA / "libaio_lat.json").read_text())
    for job in own["jobs"]:
        for way in ("read", "write"):
            job[way]["lat_ns"] = {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0}
    runs = read_document(decode("t.json", json.dumps(own).encode())).runs
    assert all(v != 0 for run in runs for k, v in cells_of(run).items())


def test_failed_jobs():
    with pytest.raises(ToolFailureError, match=r"error\.json:jobs\[0\]: .*error 28"):
        read_file(DATA / "error.json")
    text = (DATA / "read.json").read_text()
    reading = read_text(text.replace('"error" : 0', '"error" : 28'))
    assert not reading.runs[0].complete
    assert [type(p) for p in reading.problems] == [ToolFailureError]


def test_the_same_job_twice_is_two_repeats():
    output = json.loads((DATA / "read.json").read_text())
    output["jobs"] += [{**output["jobs"][0], "groupid": 1}]
    runs = read_text("\n" + json.dumps(output)).runs
    assert len(runs) == 2
    assert runs[0].configuration == runs[1].configuration
    assert runs[0].identity != runs[1].identity


def job_of(output, way, **changed):
    """A job as the first one of an output, in which some numbers differ."""
    job = json.loads(json.dumps(output["jobs"][0]))
    job[way].update(changed)
    return job


def in_turn(*names):
    """Read jobs that did the same, one behind the other, in unnamed places."""
    text = (DATA / "read.json").read_text()
    output = json.loads(text.replace('"directory"', '"description"'))
    jobs = [
        job_of(output, "read") | {"jobname": name, "groupid": k}
        for k, name in enumerate(names)
    ]
    return read_text(json.dumps(output | {"jobs": jobs}))


@pytest.mark.parametrize(
    "names, systems",
    [
        # such as a published comparison of two mounts in one job file
        (("ceph-fuse", "ceph-kernel"), ["ceph-fuse", "ceph-kernel"]),
        (("fuse-1", "fuse-2", "kernel-1"), ["fuse", "fuse", "kernel"]),
        (("nfs3", "nfs4"), ["nfs3", "nfs4"]),
        # numbers alone count repeats
        (("job1", "job2", "job3"), ["", "", ""]),
        (("read", "read"), ["", ""]),
        (("run 1", "run 2"), ["", ""]),
        (("", "kernel"), ["", ""]),
    ],
)
def test_jobs_that_did_the_same_are_told_apart_by_their_names(names, systems):
    assert [run.system for run in in_turn(*names).runs] == systems


def test_jobs_that_are_only_numbered_are_repeats_with_a_note():
    [note] = in_turn("fuse-1", "fuse-2", "kernel-1").notes
    assert "fuse-1, fuse-2 count as repeats of one job" in note.text
    assert note.line == "jobs[0].read"
    [note] = in_turn(*(f"erasure_{k}" for k in range(1, 6))).notes
    assert "erasure_1, erasure_2, erasure_3 and 2 more count" in note.text
    assert not in_turn("fuse", "kernel").notes
    assert not in_turn("read", "read").notes


def test_runs_of_several_jobs_have_the_words_that_these_share():
    text = (DATA / "matrix.json").read_text()
    output = json.loads(text.replace('"directory"', '"description"'))
    jobs = [
        {**job, "jobname": f"{mount}-{job['jobname']}", "groupid": at + 10 * turn}
        for turn, mount in enumerate(("fuse", "kernel"))
        for at, job in enumerate(output["jobs"])
    ]
    one, other = read_text(json.dumps(output | {"jobs": jobs})).runs
    assert (one.system, other.system) == ("fuse", "kernel")
    assert list(one.cells.keys()) == list(other.cells.keys())


def test_jobs_of_one_group_ran_at_once_and_are_no_repeats():
    output = json.loads((DATA / "read.json").read_text())
    output["jobs"] += [job_of(output, "read") | {"jobname": "other"}]
    (run,) = read_text(json.dumps(output)).runs
    found = cells_of(run)
    assert set(run.cells.threads) == {2}
    assert found["read", "child_throughput", 131072, 1] == 493447529
    assert found["read", "throughput", 131072, None] == 2 * 493447529
    other = json.loads((DATA / "matrix.json").read_text())["jobs"][0]
    output["jobs"][1] = {**other, "groupid": 0, "jobname": "beside"}
    runs = read_text(json.dumps(output)).runs
    assert all("at_once=read:131072+write:4096" in run.configuration for run in runs)
    assert all("at the same time" in run.note for run in runs)


def amounts(path):
    """Bytes a second in each direction of the entries, from the JSON itself."""
    jobs = json.loads(path.read_text())["jobs"]
    ways = ((way, job[way]) for job in jobs for way in ("read", "write"))
    return [
        (way, n["io_bytes"] * 1000 / n["runtime"]) for way, n in ways if n["runtime"]
    ]


def test_alike_jobs_beside_another_are_processes_of_one_run():
    """Five writers beside a reader counted as five runs of a fifth of the speed."""
    path = DATA / "reader-and-five-writers.json"
    reading = read_file(path)
    (run,) = reading.runs
    found = cells_of(run)
    (read,) = [speed for way, speed in amounts(path) if way == "read"]
    writes = [speed for way, speed in amounts(path) if way == "write"]
    assert len(writes) == 5
    key = ("random_read", "throughput", 4096, None)
    assert found[key] == pytest.approx(read, rel=1e-6)
    key = ("write", "throughput", 65536, None)
    assert found[key] == pytest.approx(sum(writes), rel=1e-6)
    assert round(found[key] / 2**20) == 757
    threads = dict(zip(run.cells.operation, run.cells.threads, strict=True))
    assert threads == {"random_read": 1, "write": 5}
    assert "at_once=random_read:4096+5*write:65536" in run.configuration


def test_processes_of_two_alike_jobs_are_those_of_one():
    output = json.loads((DATA / "numjobs.json").read_text())
    count = len(output["jobs"])
    output["jobs"] += [{**job, "jobname": "more"} for job in output["jobs"]]
    (run,) = read_text(json.dumps(output)).runs
    assert set(run.cells.threads) == {2 * count}


def test_a_sum_of_readers_and_writers_keeps_both_directions():
    path = DATA / "group-reporting.json"
    (run,) = read_file(path).runs
    found = cells_of(run)
    for way, block in (("read", 4096), ("write", 65536)):
        speed = dict(amounts(path))[way]
        assert found[way, "throughput", block, None] == pytest.approx(speed, rel=1e-6)
    assert set(run.cells.threads) == {None}
    assert "group_reporting" in run.note
    # the same as text, which says of how many processes an entry is the sum
    (run,) = read_file(DATA / "group-reporting.txt").runs
    assert {*run.cells.operation} == {"random_read", "write"}
    assert {*run.cells.record_size_bytes} == {4096, 65536}


def test_the_time_of_a_text_is_when_it_began(tmp_path):
    path = text_alone("json_normal_jobs.txt", tmp_path)
    ended = re.search(r"pid=\d+: (.+)", path.read_text())[1]
    groups = re.findall(r"groupid=(\d).*?/(\d+)msec", path.read_text(), re.DOTALL)
    most = {group: max(int(t) for g, t in groups if g == group) for group, _ in groups}
    (run,) = read_file(path).runs
    seconds = -(-sum(most.values()) // 1000)
    ended = datetime.strptime(ended, "%a %b %d %H:%M:%S %Y")
    assert run.started == (ended - timedelta(seconds=seconds)).isoformat()


def test_outputs_that_follow_one_another_are_all_read():
    text = (DATA / "read.json").read_text()
    output = json.loads(text)
    later = {**output, "timestamp_ms": output["timestamp_ms"] + 5000}
    later["jobs"] = [job_of(output, "read", runtime=16, bw_bytes=524288000, iops=4000)]
    for between in ("", "\n", "\n$ fio --output-format=json >> f.json\n"):
        reading = read_text(text.rstrip("\n") + between + json.dumps(later))
        places = [run.cells.locator[0] for run in reading.runs]
        assert places == ["jobs[0].read", "outputs[1].jobs[0].read"]
        assert reading.runs[1].cells.value[0] == 524288000
    cut = read_text(text + json.dumps(later)[:-1])
    assert len(cut.runs) == 1
    assert str(cut.problems[0]).startswith("f.json:"), cut.problems


def test_of_the_states_of_one_run_the_last_counts():
    output = json.loads((DATA / "read.json").read_text())
    half = output["jobs"][0]["read"]["io_bytes"] // 2
    early = {**output, "timestamp_ms": output["timestamp_ms"] - 9}
    early["jobs"] = [
        job_of(output, "read", io_bytes=half, total_ios=32, runtime=8, iops=4000)
    ]
    early["jobs"][0]["read"]["bw_bytes"] = half * 125
    text = "\n".join(map(json.dumps, (early, output, output)))
    (run,) = read_text(text).runs
    assert run.cells.locator[0] == "outputs[2].jobs[0].read"
    assert run.cells.value[0] == 493447529
    # the same work again takes as long again
    again = {**output, "timestamp_ms": output["timestamp_ms"] + 17}
    again["jobs"] = [job_of(output, "read", runtime=18, bw_bytes=466033777, iops=3556)]
    assert len(read_text(json.dumps(output) + json.dumps(again)).runs) == 2


def test_a_sum_over_jobs_with_other_blocks_is_refused():
    text = (DATA / "read.json").read_text()
    changed = text.replace('"bs" : "128k"', '"bs" : "64k"')
    assert changed != text
    with pytest.raises(InconsistentDataError, match="found 131072 bytes on average"):
        read_text(changed)


def test_other_settings_are_another_run():
    output = json.loads((DATA / "matrix.json").read_text())
    output["jobs"][0]["job options"]["direct"] = "1"
    runs = read_text(json.dumps(output)).runs
    assert [run.configuration for run in runs] == [
        "direct=1 ioengine=psync",
        "direct=0 ioengine=psync",
    ]


@pytest.mark.parametrize(
    "options,setting",
    [
        ({"iodepth": "8"}, "iodepth=8"),
        ({"sync": "1", "iodepth": "16"}, "iodepth=16; sync=1"),
        ({"fsync": "32", "fdatasync": "4"}, "fdatasync=4; fsync=32"),
        ({"rwmixread": "70"}, "rwmixread=70"),
        # what fio takes without them
        ({"iodepth": "1", "sync": "none", "fsync": "0", "rwmixread": "50"}, ""),
        ({"sync": "0"}, ""),
    ],
)
def test_a_sweep_of_a_setting_is_one_run_of_several_cells(options, setting):
    output = json.loads((DATA / "read.json").read_text())
    (before,) = read_text(json.dumps(output)).runs
    other = job_of(output, "read") | {"groupid": 1}
    other["job options"] |= options
    output["jobs"].append(other)
    runs = read_text(json.dumps(output)).runs
    assert len(runs) == (1 if setting else 2)
    assert {run.configuration for run in runs} == {before.configuration}
    found = [name for run in runs for name in run.cells.setting]
    assert found == [""] * len(before.cells) + [setting] * len(before.cells)


def test_what_fio_writes_down_is_no_setting():
    output = json.loads((DATA / "read.json").read_text())
    (before,) = read_text(json.dumps(output)).runs
    logs = {"write_bw_log": "nfs", "log_avg_msec": "500", "percentile_list": "99"}
    output["jobs"][0]["job options"] |= logs
    (run,) = read_text(json.dumps(output)).runs
    assert run.configuration == before.configuration


@pytest.mark.parametrize(
    "old,new,error",
    [
        ('" : "fio-3.33"', '" : "fio-1.9"', UnsupportedVersionError),
        ('"bw_bytes" : 493447529', '"bw_bytes" : 593447529', InconsistentDataError),
        ('"bw_bytes" : 493447529', '"bw_bytes" : "fast"', MalformedRowError),
        ('"bw_bytes" : 493447529', '"bw_bytes" : -1', MalformedRowError),
        ('"rw" : "read"', '"rw" : "trim"', MalformedRowError),
        ('"jobs" : [', '"jobs" : [,', MalformedRowError),
        ('"jobs" :', '"job" :', MalformedRowError),
    ],
)
def test_what_is_refused(old, new, error):
    text = (DATA / "read.json").read_text()
    assert old in text
    with pytest.raises(error, match=r"^f\.json:"):
        read_text(text.replace(old, new))


def test_a_bad_job_does_not_take_the_good_ones_with_it():
    text = (DATA / "matrix.json").read_text()
    reading = read_text(text.replace('"rw" : "randread"', '"rw" : "randtrim"'))
    assert {op for op, *_ in cells_of(reading.runs[0])} == {"write", "random_write"}
    assert str(reading.problems[0]).startswith("f.json:jobs[2].read")


def old_job(**more):
    """A job as fio 2.x prints it: KiB, KiB/s, microseconds, zeros without a name."""
    times = {"min": 53, "max": 6329, "mean": 255.34, "stddev": 94.4}
    percentiles = {"50.000000": 243, "99.000000": 506}
    return {
        "jobname": "random-read",
        "groupid": 0,
        "error": 0,
        "read": {
            "io_bytes": 7116,
            "bw": 275,
            "iops": 68.99,
            "runtime": 25788,
            "total_ios": 1779,
            "short_ios": 0,
            "slat": {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0},
            "clat": times | {"percentile": percentiles},
            "lat": times | {"mean": 255.56},
        },
        "usr_cpu": 0.96,
        "sys_cpu": 23.82,
        **more,
    }


def test_fio_2_3_to_2_13_is_read_from_its_options():
    options = {"bs": "4k", "rw": "randread", "filename": "/dev/sdb"}
    output = {
        "fio version": "fio-2.10",
        "timestamp": 1480611510,
        "time": "Thu Dec  1 16:58:30 2016",
        "global options": {"ioengine": "libaio", "iodepth": "1", "direct": "1"},
        "jobs": [old_job(**{"job options": options, "elapsed": 36})],
    }
    # three percentiles without a name, as published outputs have them
    zeros = ', "0.00": 0, "0.00": 0, "0.00": 0}'
    text = json.dumps(output).replace('"99.000000": 506}', '"99.000000": 506' + zeros)
    (run,) = read_text(text).runs
    found = cells_of(run)
    assert found["random_read", "throughput", 4096, None] == 275 * 1024
    assert found["random_read", "rate", 4096, None] == 68.99
    mean = found["random_read", "latency", 4096, None]
    assert mean == pytest.approx(255.56e-6)
    tail = found["random_read", "completion_latency_p99", 4096, None]
    assert tail == pytest.approx(506e-6)
    assert run.started == "2016-12-01T16:57:54"


@pytest.mark.parametrize("version", ["2.1.4", "2.2.10"])
def test_older_fio_does_not_say_what_it_did(version):
    output = {"fio version": f"fio-{version}", "jobs": [old_job()]}
    with pytest.raises(MalformedRowError, match=r"which fio prints from 2\.3 on"):
        read_text(json.dumps(output))


def test_a_run_began_when_its_output_was_printed_less_what_it_took():
    text = (DATA / "read.json").read_text()
    ended = re.search(r'"time" : "Sat Nov 21 12:34:(\d\d) 2026"', text)
    elapsed = int(re.search(r'"elapsed" : (\d+)', text)[1])
    (run,) = read_text(text).runs
    assert run.started == f"2026-11-21T12:34:{int(ended[1]) - elapsed:02}"


@pytest.mark.parametrize(
    "old, new",
    [
        ('"elapsed" : 1', '"elapsed" : 0'),
        ('"elapsed" : 1', '"elapsed" : 1e300'),
        ("Sat Nov 21 12:34:51 2026", "21.11.2026"),
    ],
)
def test_a_start_that_is_not_known_is_not_made_up(old, new):
    text = (DATA / "read.json").read_text()
    assert old in text
    (run,) = read_text(text.replace(old, new)).runs
    assert run.started == ""


def test_of_several_runs_in_one_output_nobody_knows_the_start():
    text = (DATA / "read.json").read_text()
    output = json.loads(text)
    output["jobs"] += [json.loads(text)["jobs"][0] | {"groupid": 1}]
    first, second = read_text(json.dumps(output)).runs
    assert (first.started, second.started) == ("", "")


def test_an_excerpt_without_the_line_of_its_job_is_not_lost():
    above = "t: (g=0): rw=randread, bs=(R) 128KiB-128KiB, (W) 128KiB-128KiB, "
    above += "(T) 128KiB-128KiB, ioengine=posixaio, iodepth=32\n"
    way = "  read: IOPS=2893, BW=362MiB/s (379MB/s)(21.2GiB/60021msec)\n"
    full = f"{above}fio-3.25\nt: (groupid=0, jobs=1): err= 0: pid=1: now\n{way}"
    reading = read_fio(decode("t.txt", f"{above}{way}{full}".encode()))
    (problem,) = reading.problems
    assert problem.found == "'none above line 2'"
    assert len(reading.runs) == 1
    with_version = f"fio-3.25\n{above}{way}{full}"
    first, second = read_fio(decode("t.txt", with_version.encode())).runs
    assert first.cells.value == second.cells.value
