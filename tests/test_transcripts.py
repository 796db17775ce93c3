"""Whole answers, word for word: each transcript is run again.

A transcript has a command behind ``$``, its standard error behind ``!``, its
status behind ``?`` if that is not 0, and what it printed. After a change that is meant,
``FSVIZ_GOLDENS=write pytest tests/test_transcripts.py`` writes them anew: read the
difference before it is committed. Numbers have twelve digits: the last ones of exp and
log differ from processor to processor.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest
from program import run

FOLDER = Path(__file__).with_name("transcripts")
_LONG = re.compile(r"\b\d+\.\d{12,}(?:e-?\d+)?")


def told(command: str, root: Path) -> str:
    done = run(*shlex.split(command)[1:], cwd=root)
    complaints = "".join(f"! {line}\n" for line in done.stderr.splitlines())
    status = f"? {done.returncode}\n" if done.returncode else ""
    stdout = _LONG.sub(lambda number: f"{float(number[0]):.12g}", done.stdout)
    printed = stdout if stdout.endswith("\n") else f"{stdout}\n"
    return f"$ {command}\n{complaints}{status}{printed if stdout else ''}"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda p: p.stem)
def test_the_program_says_the_same_again(path, root, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    before = path.read_text(encoding="utf-8")
    commands = [line[2:] for line in before.splitlines() if line.startswith("$ ")]
    now = "\n".join(told(command, root) for command in commands)
    if os.environ.get("FSVIZ_GOLDENS") == "write":
        path.write_text(now, encoding="utf-8")
        pytest.skip("written anew")
    assert now == before
