"""What newcomers typed: each gets one line that says what to do, never a traceback."""

import shutil

import pytest
from program import run

import fsviz
from fsviz.cli.report import seen_from_here


@pytest.fixture
def place(tmp_path, root):
    """A folder with results of two systems, an empty folder and a file."""
    for system in ("ext4", "xfs"):
        (tmp_path / "results" / system).mkdir(parents=True)
        source = root / "data/raw/onehost-2026/iozone" / system / "rep1.txt"
        shutil.copy(source, tmp_path / "results" / system)
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("mine\n")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    "words,status,says",
    [
        ("summary disk=,", 2, "found no path"),
        ("summary empty", 1, "empty: expected result files, found none in this folder"),
        ("summary a=no*.txt", 2, "no*.txt: expected files that match, found none"),
        ("read nothing", 2, "nothing: expected a readable file"),
        ("read results", 2, "found a folder; only `read` takes no folders"),
        ("report results -o file", 2, "file: expected a folder, found the file file"),
        ("ingest results -o file", 2, "file: expected a folder, found the file file"),
        ("ingest results -o file/x", 2, "expected a folder, found the file file"),
        ("summary results -o no/t.csv", 2, "no/t.csv: expected the folder no, found"),
        ("summary results -o no/t.xlsx", 2, "expected the folder no, found none"),
        ("summary results -o /proc/t.xlsx", 2, "t.xlsx: expected a file to write, f"),
        ("compare results -o no/t.parquet", 2, "expected the folder no, found none"),
        ("summary nothing -o no/t.csv", 2, "no/t.csv: expected the folder no, found"),
        ("summary nothing -o file/t.csv", 2, "file: expected a folder, found the file"),
        ("plot nothing -o no/t.svg", 2, "no/t.svg: expected the folder no, found none"),
        ("plot results --system ext5 -o x.json", 2, "found ext5; did you mean ext4?"),
        ("summary results --operation raed", 2, "found raed; did you mean read?"),
        ("compare results --baseline ext3", 2, "found ext3; did you mean ext4?"),
        ("compare results --candidate xs", 2, "candidate: expected one of ext4, xfs"),
        ("check results --select too-shrt", 2, "did you mean too-short?"),
        ("check --explain over-line", 2, "did you mean over-line-rate?"),
        ("report results --template iozon", 2, "did you mean iozone?"),
        ("report results --template rsync", 2, "(iozone, compare), found rsync"),
        ("read file --format-hint fyo", 2, "did you mean fio?"),
    ],
)
def test_one_line_says_what_to_do(place, words, status, says):
    before = {path: path.stat().st_mtime_ns for path in place.rglob("*")}
    done = run(*words.split(), cwd=place)
    assert (done.returncode, done.stdout) == (status, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert ":1:" not in done.stderr
    assert {path: path.stat().st_mtime_ns for path in place.rglob("*")} == before


def test_patterns_behind_a_label_need_no_shell(place):
    done = run("files", "both=results/*/rep1.txt", "--format", "csv", cwd=place)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 3
    assert ",both," in done.stdout


def test_a_file_whose_name_has_an_equals_sign_is_a_file(place):
    (place / "results/ext4/rep1.txt").rename(place / "n=1.txt")
    done = run("summary", "n=1.txt", "file", "--format", "csv", cwd=place)
    assert "n=1" in done.stdout
    assert "file:1: expected output of one of" in done.stderr


def test_commas_where_an_option_can_be_repeated(place):
    def summary(*words):
        return run("summary", "results", "--format", "csv", *words, cwd=place).stdout

    several = summary("--operation", "read,write")
    assert several == summary("--operation", "read", "--operation", "write")
    assert "reread" not in several


def test_a_list_that_papermill_passes_as_a_text_is_a_list(root):
    campaign = root / "data/raw/onehost-2026"
    found = fsviz.load(f'["{campaign}"]')
    assert found.name == "onehost-2026"
    assert fsviz.report.names_of('["a", "b"]') == ["a", "b"]
    table = fsviz.select(found.measurements, system='["xfs"]')
    assert set(table["system"]) == {"xfs"}


def test_a_source_below_here_is_named_without_the_folders_above(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert seen_from_here(f"{tmp_path}/a/b") == "a/b"
    assert seen_from_here(f"x={tmp_path}/1,{tmp_path}/2,/elsewhere/3") == (
        "x=1,2,/elsewhere/3"
    )
    assert seen_from_here("a/b") == "a/b"
