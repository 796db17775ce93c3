"""The commands: output, messages, exit status."""

import json
import re

import pytest
from program import run as fsviz

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0"


def one_line(done, status):
    """The one line of complaint, after checking that there is no traceback."""
    assert done.returncode == status, done.stderr
    lines = done.stderr.splitlines()
    assert "Traceback" not in done.stderr
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_summary_as_json_has_the_names_of_the_design(root):
    done = fsviz("summary", root / "data/raw/onehost-2026", "--format", "json")
    assert done.returncode == 0
    records = json.loads(done.stdout)
    wanted = (
        "system tool operation metric bucket n_runs n_cells mean std_cells std_runs"
    )
    assert set(f"{wanted} median ci_low ci_high unit".split()) <= set(records[0])
    iozone = [r for r in records if r["tool"] == "iozone"]
    found = {(r["system"], r["operation"], r["bucket"]) for r in iozone}
    assert len(iozone) == len(found) == 3 * 6 * 4


@pytest.mark.parametrize(
    "content,found",
    [
        (b"", "an empty file"),
        (PNG, "a PNG image"),
        (b"hello\nworld\n", "none of their signatures"),
        (b"\xff\xfeh\0e\0l\0l\0o\0", "none of their signatures"),
    ],
    ids=["empty", "picture", "prose", "utf-16"],
)
def test_rubbish_gets_one_line_and_status_1(tmp_path, content, found):
    path = tmp_path / "rubbish.txt"
    path.write_bytes(content)
    for command in ("read", "summary", "report"):
        line = one_line(fsviz(command, path, cwd=tmp_path), 1)
        named = path.name if command == "report" else str(path)
        assert re.fullmatch(rf"{re.escape(named)}:1: expected .*, found .*", line)
        assert found in line
    assert sorted(p.name for p in tmp_path.iterdir()) == ["rubbish.txt"]


@pytest.mark.parametrize("command", ["read", "summary", "ingest", "report"])
def test_a_missing_path(tmp_path, command):
    line = one_line(fsviz(command, tmp_path / "nothing", cwd=tmp_path), 2)
    assert re.match(r"(.*/)?nothing: expected .* found ", line)


def test_good_input_survives_bad_neighbours(root, tmp_path):
    (tmp_path / "bad.txt").write_text("hello\n")
    good = root / "data/raw/loopback-2026/iozone/nfs-v3/rep1.txt"
    done = fsviz("read", tmp_path / "bad.txt", good, "--format", "csv")
    assert "bad.txt:1: expected" in one_line(done, 1)
    assert len(done.stdout.splitlines()) == 1 + 68 * 6


@pytest.mark.parametrize(
    "arguments",
    [("nonsense",), ("read",), ("summary", "x", "--format", "yaml"), ("read", "-X")],
)
def test_wrong_usage_is_status_2(arguments):
    done = fsviz(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
