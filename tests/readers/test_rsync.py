"""rsync's reports and the output of time, against numbers copied by hand."""

import math
import re
from pathlib import Path

import pytest

from fsviz.model.errors import (
    AmbiguousValueError,
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    ToolFailureError,
    TruncatedInputError,
)
from fsviz.readers.document import decode
from fsviz.readers.formats import read_file
from fsviz.readers.rsync.commands import configuration_of, is_copy, is_rsync
from fsviz.readers.rsync.text import read_rsync

DATA = Path(__file__).parents[1] / "data"
STATS = DATA / "rsync" / "3.5.0" / "stats.out.txt"
BASH = DATA / "time" / "bash-5.2" / "time_bash.err.txt"
RAW = Path(__file__).parents[2] / "data" / "raw" / "loopback-2026"


def read_text(text):
    return read_rsync(decode("r.txt", text.encode()))


def numbers(run):
    cells = run.cells
    assert set(cells.operation) == {"transfer"}
    triples = zip(cells.value, cells.low, cells.high, strict=True)
    return dict(zip(cells.metric, triples, strict=True))


def test_bash_time_by_hand():
    (run,) = read_file(BASH).runs
    found = numbers(run)
    assert found.keys() == {"elapsed", "cpu"}
    assert found["elapsed"] == pytest.approx((0.137, 0.1365, 0.1375))
    # 100 * (0.023 + 0.044) / 0.137, and the extremes of the rounding
    low, high = 100 * (0.0225 + 0.0435) / 0.1375, 100 * (0.0235 + 0.0445) / 0.1365
    assert found["cpu"] == pytest.approx((100 * 0.067 / 0.137, low, high))
    assert run.facts == {"user_seconds": 0.023, "system_seconds": 0.044}
    assert (run.tool, run.configuration, run.complete) == ("rsync", "", True)
    assert run.cells.locator[0] == "line 2"


@pytest.mark.parametrize(
    "printed,seconds",
    [
        ("0.021u 0.835s 0:31.23 2.7%\t0+0k 1200+40960io 0pf+0w", (31.23, 0.021, 0.835)),
        ("0.02u 0.83s 1:02:31.2 0.0% 0+0k 0+0io 7pf+0w", (3751.2, 0.02, 0.83)),
        ("1.0u 1.2s 0:15 14% 30+39k 33+20io 147pf+0w", (15, 1.0, 1.2)),
        ("    1m3.21s real     0m0.84s user     0m1.12s system", (63.21, 0.84, 1.12)),
    ],
)
def test_times_of_csh_and_ksh(tmp_path, printed, seconds):
    path = tmp_path / "t.txt"
    path.write_text(f"% time cp -a src /mnt/nfs\n{printed}\n")
    (run,) = read_file(path).runs
    elapsed, user, system = seconds
    value, low, high = numbers(run)["elapsed"]
    assert value == pytest.approx(elapsed)
    assert low < value < high
    assert run.facts == {"user_seconds": user, "system_seconds": system}
    assert run.command_line == "cp -a src /mnt/nfs"


@pytest.mark.parametrize(
    "printed,seconds",
    [
        (("real\t1m 3.21s", "user\t0m 0.84s", "sys\t0m 1.12s"), [63.21]),
        (("real\t1h 2m 03s", "user\t0m 0.84s", "sys\t0m 1.12s"), [3723]),
        (("real 3.21", "real 3.31", "real 3.41"), [3.21, 3.31, 3.41]),
    ],
)
def test_times_of_busybox_and_of_a_list(tmp_path, printed, seconds):
    path = tmp_path / "t.txt"
    path.write_text("\n".join([*printed, ""]))
    reading = read_file(path)
    assert not reading.problems
    found = [numbers(run)["elapsed"] for run in reading.runs]
    assert [value for value, *_ in found] == pytest.approx(seconds)
    assert all(low < value < high for value, low, high in found)


def test_rsync_up_to_2_6_2_wrote_and_read():
    text = STATS.read_text()
    old = text.replace("bytes  received", "bytes  read").replace("\nsent", "\nwrote")
    old = old.replace("Total bytes sent", "Total bytes written")
    old = old.replace("Total bytes received", "Total bytes read")
    (run,), (new,) = read_text(old).runs, read_text(text).runs
    assert run.complete
    assert run.facts == new.facts


def test_files_that_vanished_make_a_copy_incomplete():
    warning = (
        "rsync warning: some files vanished (code 24) at main.c(1183) [sender=3.1.3]"
    )
    reading = read_text(f"{warning}\n{BASH.read_text()}")
    assert [run.complete for run in reading.runs] == [False]
    assert isinstance(reading.problems[0], ToolFailureError)


def test_bold_print():
    text = BASH.read_text().replace("0m0.137s", "**0m0.137s**")
    (run,) = read_text(text).runs
    assert numbers(run)["elapsed"][0] == 0.137


def test_bsd_time():
    text = "        6.87 real         0.99 user         0.07 sys\n"
    (run,) = read_text(text).runs
    assert numbers(run)["elapsed"] == pytest.approx((6.87, 6.865, 6.875))
    assert run.facts == {"user_seconds": 0.99, "system_seconds": 0.07}


def test_a_run_too_short_to_bound_its_cpu_use_from_above():
    (run,) = read_text("real 0.00\nuser 0.00\nsys 0.00\n").runs
    assert numbers(run) == {"elapsed": (0.0, 0.0, 0.01)}
    (run,) = read_text("real 0.00\n").runs
    assert numbers(run).keys() == {"elapsed"}


@pytest.mark.parametrize(
    "name",
    [
        "stats.out.txt",
        "stats_noh.out.txt",
        "stats_de.out.txt",
        "stats_fr.out.txt",
        "info_stats2.out.txt",
        "logfile.log",
        "../3.2.7/v327_stats.out.txt",
    ],
)
def test_statistics_in_every_number_style(name):
    reading = read_file(DATA / "rsync" / "3.5.0" / name)
    (run,) = reading.runs
    assert not reading.problems
    assert numbers(run) == {"size": (16546880,) * 3, "count": (1800,) * 3}
    assert run.configuration == "1861 files, 1800 transferred, 16546880 B"
    facts = run.facts
    assert (facts["files"], facts["files_reg"], facts["files_dir"]) == (1861, 1800, 61)
    assert (facts["sent_bytes"], facts["speedup"]) == (16658536, 0.99)
    assert facts["bytes_per_second"] > 1e6
    assert "throughput" not in run.cells.metric


def test_a_copy_and_a_copy_without_changes_are_not_repeats():
    runs = [
        read_file(DATA / "rsync" / "3.5.0" / name).runs[0]
        for name in ("stats.out.txt", "stats_second.out.txt", "stats_de.out.txt")
    ]
    assert runs[0].configuration != runs[1].configuration
    assert runs[0].configuration == runs[2].configuration
    # nothing was transferred: measured, and therefore 0
    assert numbers(runs[1]) == {"size": (0,) * 3, "count": (0,) * 3}


def test_report_and_timing_of_one_file_are_one_run():
    report, timing = STATS.read_text(), BASH.read_text()
    for text in (report + timing, timing + report, (timing + report) * 2):
        runs = read_text(text).runs
        assert len(runs) == text.count("real\t")
        for run in runs:
            assert numbers(run).keys() == {"elapsed", "cpu", "size", "count"}
    runs = read_text(timing * 3 + report).runs
    assert [len(run.cells) for run in runs] == [2, 2, 2, 2]


def test_several_timings_are_several_runs():
    runs = read_text(BASH.read_text() * 3).runs
    assert len({run.identity for run in runs}) == 3
    assert len({run.configuration for run in runs}) == 1


def test_summary_with_a_time_is_a_run():
    text = (DATA / "rsync" / "3.2.7" / "v327_time_v.out.txt").read_text()
    (run,) = read_text(text + BASH.read_text()).runs
    assert numbers(run).keys() == {"elapsed", "cpu"}
    assert run.facts["sent_bytes"] == 16658536
    assert run.configuration == "16546880 B, speedup about 0.99"


def test_partial_transfer_is_incomplete():
    folder = DATA / "rsync" / "3.5.0"
    text = "".join(
        (folder / f"err_partial.{stream}.txt").read_text() for stream in ("out", "err")
    )
    reading = read_text(text)
    (run,) = reading.runs
    assert numbers(run)["count"] == (30, 30, 30)
    assert not run.complete
    assert "code 23" in run.note
    (problem,) = reading.problems
    assert isinstance(problem, ToolFailureError)
    assert problem.line == text.split("\n").index(text.splitlines()[-1]) + 1


def test_gnu_time_states_the_exit_status():
    text = (DATA / "time" / "gnu-1.9" / "gnu_time_v.err.txt").read_text()
    (run,) = read_text(text).runs
    assert run.complete
    assert run.command_line == "rsync -a --delete src/ dst/"
    assert run.configuration == "rsync -a --delete"
    (run,) = read_text(text.replace("Exit status: 0", "Exit status: 12")).runs
    assert not run.complete


def test_another_command_is_not_rsync():
    session = "$ time rm -fr old\n{0}\n$ time rsync -a a/ b/\n{0}\n"
    reading = read_text(session.format(BASH.read_text()))
    (run,) = reading.runs
    assert run.command_line == "rsync -a a/ b/"
    (problem,) = reading.problems
    assert "'rm -fr old'" in str(problem)
    assert problem.line == 3


def test_truncated_report():
    text = STATS.read_text()
    reading = read_text(text[: text.index("sent 16,658,536 bytes")])
    (run,) = reading.runs
    assert not run.complete
    assert isinstance(reading.problems[0], TruncatedInputError)
    assert numbers(run)["size"][0] == 16546880


@pytest.mark.parametrize(
    "old,new,error,line",
    [
        ("16,546,880 bytes\nTotal t", "16,54,880 bytes\nTotal t", MalformedRowError, 6),
        ("transferred: 1,800", "transferred: 1,8x0", MalformedRowError, 5),
        ("61)\nNumber of c", "62)\nNumber of c", InconsistentDataError, 2),
        ("is 16,546,880", "is 16,546,881", InconsistentDataError, 17),
        ("sent: 16,658,536", "sent: 16,658,537", InconsistentDataError, 16),
        ("speedup is 0.99", "speedup is 0,99", InconsistentDataError, 2),
        ("bytes  received", "byte  received", MalformedRowError, 16),
    ],
)
def test_what_is_refused_in_a_report(old, new, error, line):
    text = STATS.read_text()
    assert old in text
    with pytest.raises(error) as caught:
        read_text(text.replace(old, new))
    assert caught.value.line == line


def test_grouping_without_a_sign_to_tell_it_from_decimals():
    text = "Number of files: 1.861\nNumber of files transferred: 7\n"
    with pytest.raises(AmbiguousValueError, match=r"r\.txt:1"):
        read_text(text)


@pytest.mark.parametrize(
    "text,line",
    [
        ("real\t0m0.137\nuser\t0m0.023s\nsys\t0m0.044s\n", 1),
        ("\nreal\t0m0.1x7s\nuser\t0m0.023s\nsys\t0m0.044s\n", 2),
        ("user\t0m0.023s\nsys\t0m0.044s\n", 1),
        ("x 0.02s user 0.0s4 system 47% cpu 0.133 total in sys\n", 1),
        ("0.00user 0.08system 0:0x.18elapsed 49%CPU\n", 1),
    ],
)
def test_what_is_refused_in_a_timing(text, line):
    with pytest.raises(ParseError) as caught:
        read_text(text)
    assert caught.value.line == line


@pytest.mark.parametrize(
    "rest, line",
    [
        ("sys\t0m0.044s\nuser\t0m0.023s\n", 2),
        ("user\t0m-0.023s\nsys\t0m0.044s\n", 2),
        ("user\t0m0.023s\nsys\t0", 3),
        ("user\t0m0.023s\nsy", 3),
    ],
)
def test_a_bad_line_below_the_clock_is_named_and_the_clock_is_read(rest, line):
    reading = read_text(f"real\t0m0.137s\n{rest}")
    assert [run.cells.value for run in reading.runs] == [[0.137]]
    assert [problem.line for problem in reading.problems] == [line]


def test_a_bad_timing_does_not_take_the_good_ones_with_it():
    good = BASH.read_text()
    reading = read_text(good + good.replace("0m0.137s", "0m0.1.7s") + good)
    assert len(reading.runs) == 2
    (problem,) = reading.problems
    assert problem.line == 6


def test_the_campaign():
    times = sorted(RAW.glob("rsync*/**/*.time.txt"))
    assert len(times) > 60
    for path in times:
        text = path.read_text()
        minutes, seconds = re.search(r"real\t(\d+)m([\d.]+)s", text).groups()
        (run,) = read_file(path).runs
        expected = 60 * int(minutes) + float(seconds)
        assert numbers(run)["elapsed"][0] == pytest.approx(expected, abs=1e-12)
        stats = path.with_name(path.name.replace(".time.", ".stats."))
        moved = re.search(r"transferred file size: ([\d,]+)", stats.read_text())[1]
        reading = read_file(stats)
        (run,) = reading.runs
        assert not reading.problems
        assert numbers(run)["size"][0] == int(moved.replace(",", ""))


def test_progress2_says_how_much():
    path = DATA / "rsync" / "3.5.0" / "progress2.out.txt"
    last = path.read_bytes().decode().replace("\r", "\n").split("\n")[-2]
    assert "16,546,880 100%" in last
    assert "xfr#1800, to-chk=0/1861" in last
    reading = read_file(path)
    assert numbers(reading.runs[0]) == {"size": (16546880,) * 3, "count": (1800,) * 3}
    assert not reading.problems
    text = path.read_bytes().decode()
    cut = read_text(text[: text.index("(xfr#900,") + 28] + "\n")
    assert not cut.runs[0].complete
    assert isinstance(cut.problems[0], TruncatedInputError)


@pytest.mark.parametrize(
    "command, configuration",
    [
        ("sudo -u me nice rsync -a s/ d/", "rsync -a"),
        ("time rsync -a s/ d/", "rsync -a"),
        ("sudo", ""),
        ("", ""),
        ("env rsync --bwlimit 500 s d", "rsync --bwlimit=500"),
        ("rsync --bwlimit /x d", "rsync --bwlimit"),
        ("rsync -a 'unclosed s/ d/", "rsync -a"),
        ("/opt/rsync-3.2.7 -z --log-file=/tmp/x s d", "rsync-3.2.7 -z --log-file"),
        ("cp -a s d", "cp -a"),
    ],
)
def test_what_two_repeats_of_a_command_have_in_common(command, configuration):
    assert configuration_of(command) == configuration


@pytest.mark.parametrize(
    "command, rsync, copy",
    [
        ("rsync -a s d", True, True),
        ("sudo ./backup.sh", True, True),
        ("sudo cp -a s d", False, True),
        ("/bin/cp s d", False, True),
        ("sudo", False, False),
        ("-x", False, False),
        ("sleep 1", False, False),
    ],
)
def test_which_commands_copy(command, rsync, copy):
    assert (is_rsync(command), is_copy(command)) == (rsync, copy)


def test_two_times_are_two_runs_whatever_stands_between():
    time = "real\t0m1.250s\nuser\t0m0.100s\nsys\t0m0.010s\n"
    runs = read_text(f"{time}{time}\n{time}").runs
    assert [run.cells.locator[0] for run in runs] == ["line 1", "line 4", "line 8"]
    assert all(not math.isnan(run.cells.value[0]) for run in runs)
