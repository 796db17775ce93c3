"""Where there is no POSIX: reading, summary, compare and check work; others say so."""

import pytest
from program import python, run

from fsviz.measuring.places import places_of
from fsviz.model.errors import UsageError

WITHOUT = """
import builtins, os, signal, sys

MODULES = {"fcntl", "resource", "pwd", "grp", "termios", "pty"}
usual = builtins.__import__


def imported(name, scope=None, *others, **named):
    if name in MODULES and (scope or {}).get("__name__", "").startswith("fsviz"):
        raise ModuleNotFoundError(name, name=name)
    return usual(name, scope, *others, **named)


builtins.__import__ = imported
for name in ("O_NOFOLLOW", "O_DIRECTORY", "O_CLOEXEC", "O_NONBLOCK"):
    delattr(os, name)
for name in ("SIGHUP", "SIGPIPE", "SIGKILL"):
    delattr(signal, name)
os.supports_dir_fd.clear()
from fsviz.__main__ import start

start()
"""
"""Begins fsviz as if the system were without what only POSIX has."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("summary", "-o", "answer.csv"),
        ("compare", "-o", "answer.md"),
        ("compare", "-o", "answer.xlsx"),
        ("check", "-o", "findings.json"),
        ("read", "-o", "answer.parquet"),
    ],
)
def test_reading_and_comparing_need_no_posix(root, tmp_path, words):
    campaign = root / "data/raw/onehost-2026/iozone"
    files = [
        campaign / f"{name}/rep{n}.txt" for name in ("ext4", "xfs") for n in (1, 2)
    ]
    named = [f"ext4={files[0]},{files[1]}", f"xfs={files[2]},{files[3]}"]
    given = files if words[0] == "read" else named
    (tmp_path / words[-1]).write_text("is replaced")
    done = python("-c", WITHOUT, words[0], *given, *words[1:], cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / words[-1]).read_bytes() != b"is replaced"
    # with POSIX the same
    usual = tmp_path / "usual" / words[-1]
    usual.parent.mkdir()
    assert run(words[0], *given, *words[1:-1], usual).returncode == 0
    if usual.suffix not in (".xlsx", ".parquet"):
        assert (tmp_path / words[-1]).read_text() == usual.read_text()
    assert sorted(path.name for path in tmp_path.glob(".*")) == []


def test_what_needs_it_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.platform", "win32")
    with pytest.raises(UsageError, match="run: expected Linux or macOS, found Windows"):
        places_of({}, "results")
