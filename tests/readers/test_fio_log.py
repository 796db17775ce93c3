"""fio's time logs against what fio's JSON of the same run says."""

import json
import shutil

import pytest
from program import run

import fsviz
from fsviz.model.errors import ParseError, UnknownFormatError, UnsupportedVersionError
from fsviz.readers.document import decode
from fsviz.readers.fio_log import read_rows
from fsviz.readers.formats import read_file

LOGS = "tests/data/fio_logs/3.33"


def rows(text, name):
    return read_rows(decode(name, text.encode()))


def test_the_windows_of_a_log_average_to_what_the_json_says(root):
    for system in ("ext4", "xfs"):
        logs = fsviz.time_logs(root / LOGS / system).query("stem == 'seq'")
        job = json.loads((root / LOGS / system / "seq.json").read_text())["jobs"][0]
        said = job["write"]
        means = logs.groupby("log")["value"].mean()
        # the last window is not whole and has no line
        assert means["bw"] == pytest.approx(said["bw_bytes"], rel=0.02)
        assert means["iops"] == pytest.approx(said["iops"], rel=0.02)
        # windows weigh alike, whatever they hold
        assert means["lat"] == pytest.approx(said["lat_ns"]["mean"] * 1e-9, rel=0.05)
        assert set(logs["operation"]) == {"write"}
        assert set(logs["bytes"]) == {0}


def test_single_ios_add_up_to_what_the_json_says(root):
    logs = fsviz.time_logs(root / LOGS / "ext4").query("stem == 'each'")
    jobs = json.loads((root / LOGS / "ext4/each.json").read_text())["jobs"]
    for number, job in enumerate(jobs, 1):
        for way in ("read", "write"):
            own = logs[(logs["job"] == number) & (logs["operation"] == way)]
            said = job[way]
            bandwidth = own[own["log"] == "bw"]
            assert bandwidth["bytes"].sum() == said["io_bytes"]
            assert own[own["log"] == "iops"]["value"].sum() == said["total_ios"]
            latency = own[own["log"] == "lat"]["value"]
            assert latency.mean() == pytest.approx(said["lat_ns"]["mean"] * 1e-9)


def test_logs_are_no_runs_and_no_fault(root):
    alone = run("summary", root / LOGS, "--format", "json")
    assert alone.returncode == 0
    notes = [line for line in alone.stderr.splitlines() if "time logs of fio" in line]
    # 6 of each I/O, 3 and 3 of windows; two more are empty
    assert len(notes) == 1
    assert "time logs of fio (12) are no runs" in notes[0]
    assert {r["system"] for r in json.loads(alone.stdout)} == {"ext4", "xfs"}


def test_logs_alone_are_nothing_to_summarise(root, tmp_path):
    shutil.copy(root / LOGS / "xfs/seq_bw.1.log", tmp_path)
    refused = run("summary", tmp_path)
    assert refused.returncode == 1
    assert (
        "seq_bw.1.log:1: expected results of runs, found a time log" in refused.stderr
    )


def test_the_name_says_what_a_log_is_of(root, tmp_path):
    place = tmp_path / "values.csv"
    shutil.copy(root / LOGS / "xfs/seq_bw.1.log", place)
    with pytest.raises(UnknownFormatError, match="name that fio gives a time log"):
        read_file(place)
    shutil.copy(place, tmp_path / "x_clat_hist.1.log")
    (note,) = read_file(tmp_path / "x_clat_hist.1.log").notes
    assert "histogram" in note.text


def test_units_are_those_of_a_log():
    assert list(rows("500, 3, 0, 0, 0\n", "x_bw.1.log")["value"]) == [3 * 1024]
    assert list(rows("500, 3, 0, 0, 0\n", "x_iops.log")["value"]) == [3]
    times = rows("500, 3000, 1, 4096, 8192, 0x0004, 77\n", "a_b_clat.12.log")
    (row,) = times.to_dict("records")
    assert (row["time_s"], row["value"], row["bytes"]) == (0.5, 3e-6, 4096)
    assert (row["operation"], row["metric"]) == ("write", "latency")
    assert (row["log"], row["stem"], row["job"]) == ("clat", "a_b", 12)


def test_a_log_of_the_clock_begins_at_its_first_line():
    text = "1700000000500, 3, 0, 0, 0\n1700000001000, 3, 0, 0, 0\n"
    assert list(rows(text, "x_bw.1.log")["time_s"]) == [0, 0.5]


def test_latencies_without_a_priority_may_be_microseconds():
    with pytest.raises(UnsupportedVersionError, match="ns or in µs"):
        rows("500, 3000, 1, 4096\n", "x_lat.1.log")
    # here the fifth number is an offset: fio before 3.18 with log_offset
    with pytest.raises(UnsupportedVersionError, match="ns or in µs"):
        rows("500, 3000, 1, 4096, 8192\n", "x_lat.1.log")
    assert len(rows("500, 3000, 1, 4096\n", "x_bw.1.log")) == 1


@pytest.mark.parametrize("line", ["500, 3", "x", "500, -3, 0, 0, 0", "500, 3, 9, 0, 0"])
def test_a_damaged_line_is_named(line):
    with pytest.raises(ParseError, match=r"x_bw.1.log:2: expected a time, a value"):
        rows(f"250, 3, 0, 0, 0\n{line}\n", "x_bw.1.log")


def test_a_damaged_log_leaves_the_others(root, tmp_path):
    shutil.copytree(root / LOGS / "xfs", tmp_path / "xfs")
    (tmp_path / "xfs/seq_lat.1.log").write_text("250, 3, 0, 0, 0\nnone\n")
    picture = tmp_path / "x.json"
    drawn = run("plot", tmp_path / "xfs", "--x", "time", "-o", picture)
    assert drawn.returncode == 1
    assert "seq_lat.1.log:2: expected" in drawn.stderr
    assert "Throughput" in picture.read_text()
