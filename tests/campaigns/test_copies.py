"""One run is counted once, whatever its files are called."""

import json
import shutil

import pytest
from campaigns_made import TIME, iozone, put

import fsviz
from fsviz.store.ingest import ingest
from fsviz.store.load import load

REP = "data/raw/loopback-2026/iozone/nfs-v3/rep1.{}"


def test_text_and_workbook_of_other_names_are_one_run(tmp_path, root):
    shutil.copy(root / REP.format("txt"), tmp_path / "output.txt")
    shutil.copy(root / REP.format("xls"), tmp_path / "sheet.xls")
    campaign = load(tmp_path)
    assert campaign.runs["run"].nunique() == 1
    assert set(campaign.measurements["repeat"]) == {1}
    (note,) = campaign.notes
    assert note.path.endswith("sheet.xls")
    assert "output.txt" in note.text
    assert len(fsviz.read([tmp_path / "output.txt", tmp_path / "sheet.xls"])) == len(
        fsviz.read(tmp_path / "output.txt")
    )


def test_read_counts_twins_of_one_name_once(root):
    both = [str(root / REP.format(s)) for s in ("txt", "xls")]
    assert len(fsviz.read(both)) == len(fsviz.read(both[0]))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_copy_with_other_line_ends_or_encoding_is_one_run(tmp_path, encoding):
    put(tmp_path, {"a.txt": iozone(1)})
    (tmp_path / "b.txt").write_bytes(iozone(1).replace("\n", "\r\n").encode(encoding))
    campaign = load(tmp_path)
    assert campaign.runs["run"].nunique() == 1
    assert "b.txt" in str(campaign.notes[0])


def test_runs_that_began_at_other_times_are_two_whatever_they_print(tmp_path):
    put(tmp_path, {"a.txt": iozone(1, minute=1), "b.txt": iozone(1, minute=2)})
    assert load(tmp_path).runs["run"].nunique() == 2


def test_a_log_that_repeats_single_files_is_not_counted_again(tmp_path):
    put(tmp_path, {f"{n}.txt": iozone(n) for n in (1, 2)})
    put(tmp_path, {"all.txt": iozone(1) + iozone(2) + iozone(3)})
    assert load(tmp_path).runs["run"].nunique() == 3


def hyperfine_forms(folder):
    times = [0.24101234, 0.21791234, 0.29261234, 0.25987654]
    mean = sum(times) / 4
    result = {
        "command": "rsync -a src/ dst/",
        "mean": mean,
        "stddev": 0.0312,
        "user": 0.0136,
        "system": 0.1778,
        "times": times,
    }
    (folder / "bench.json").write_text(json.dumps({"results": [result]}))
    (folder / "export.csv").write_text(
        "command,mean,stddev,median,user,system,min,max\n"
        f"rsync -a src/ dst/,{mean},0.0312,0.25,0.0136,0.1778,0.2179,0.2926\n"
    )
    (folder / "table.md").write_text(
        "| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |\n"
        "|:---|---:|---:|---:|---:|\n"
        f"| `rsync -a src/ dst/` | {mean * 1000:.1f} ± 31.2 | 217.9 | 292.6 | 1.00 |\n"
    )
    (folder / "console.txt").write_text(
        "Benchmark 1: rsync -a src/ dst/\n"
        f"  Time (mean ± σ):     {mean * 1000:.1f} ms ±  31.2 ms"
        "    [User: 13.6 ms, System: 177.8 ms]\n"
        "  Range (min … max):   217.9 ms … 292.6 ms    4 runs\n"
    )


def test_the_forms_of_one_hyperfine_are_its_runs_and_nothing_else(tmp_path):
    hyperfine_forms(tmp_path)
    campaign = load(tmp_path)
    assert campaign.runs["run"].nunique() == 4
    assert {note.path.rpartition("/")[2] for note in campaign.notes} == {
        "export.csv",
        "table.md",
        "console.txt",
    }


def test_where_only_means_are_known_there_is_one(tmp_path):
    hyperfine_forms(tmp_path)
    (tmp_path / "bench.json").unlink()
    assert load(tmp_path).runs["run"].nunique() == 1


@pytest.mark.parametrize("forms", [("csv", "md"), ("csv", "md", "txt"), ("md", "txt")])
def test_forms_of_one_name_are_one_run(forms, tmp_path):
    """As hyperfine --export-csv bench.csv --export-markdown bench.md writes them."""
    hyperfine_forms(tmp_path)
    (tmp_path / "bench.json").unlink()
    for path in tmp_path.iterdir():
        named = path.with_stem("bench")
        path.rename(named) if path.suffix[1:] in forms else path.unlink()
    campaign = load(tmp_path)
    assert campaign.runs["run"].nunique() == 1
    elapsed = campaign.measurements.query("metric == 'elapsed'")
    assert len(elapsed) == 1


def test_two_means_of_one_command_that_differ_are_two(tmp_path):
    for name, mean in (("a", 0.25), ("b", 0.26)):
        (tmp_path / f"{name}.csv").write_text(
            "command,mean,stddev,median,user,system,min,max\n"
            f"rsync -a s/ d/,{mean},0.03,0.25,0.01,0.17,0.21,0.29\n"
        )
    assert load(tmp_path).runs["run"].nunique() == 2


def test_one_run_under_two_systems_is_left_out_of_the_second(tmp_path):
    put(tmp_path, {"a.txt": iozone(1), "b.txt": iozone(1), "c.txt": iozone(2)})
    paths = [f"{x}={tmp_path}/{x}.txt" for x in "abc"]
    campaign = load(paths)
    assert set(campaign.measurements["system"]) == {"a", "c"}
    (problem,) = campaign.problems
    assert problem.path.endswith("b.txt")
    assert "a.txt of a" in problem.found
    assert len(load([f"a={tmp_path}/a.txt", f"b={tmp_path}/a.txt"]).problems) == 1


def test_equal_short_outputs_stay_runs_of_their_own(tmp_path):
    put(tmp_path, {"a/1.txt": TIME.format(3), "a/2.txt": TIME.format(3)})
    put(tmp_path, {"b/1.txt": TIME.format(3)})
    assert load(tmp_path).runs["run"].nunique() == 2
    assert len(load(tmp_path).runs) == 3


def test_a_log_pasted_twice_into_one_file_is_one_run(tmp_path):
    put(tmp_path, {"a.txt": iozone(1) + iozone(2) + iozone(1)})
    campaign = load(tmp_path)
    assert campaign.runs["repeat"].tolist() == [1, 2]
    (note,) = campaign.notes
    assert "counted once" in note.text


def test_the_store_keeps_notes_and_files(tmp_path):
    put(tmp_path / "camp", {"a.txt": iozone(1), "copy.txt": iozone(1)})
    campaign = load(tmp_path / "camp")
    ingest([str(tmp_path / "camp")], tmp_path / "store")
    back = load(tmp_path / "store")
    assert back.notes == campaign.notes
    assert back.files.astype(str).equals(campaign.files.astype(str))
