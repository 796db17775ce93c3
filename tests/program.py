"""The program, started as people start it, or run in this process, which is quicker."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess
from typing import NoReturn

import pytest
from samples import read_once

from fsviz.cli import main

PROGRAM = Path(sys.executable).with_name("fsviz")


def start(
    *arguments: object,
    cwd: Path | None = None,
    typed: str = "",
    program: str | Path = PROGRAM,
    **more: str,
) -> CompletedProcess[str]:
    """Start a process of its own, with a standard input and more in its environment."""
    return subprocess.run(
        [program, *map(str, arguments)],
        input=typed,
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
        env=os.environ | more,
    )


def python(*arguments: object, **more) -> CompletedProcess[str]:
    """Start this Python in the same way."""
    return start(*arguments, program=sys.executable, **more)


def _status(program: Callable[[], NoReturn]) -> int:
    """Status that a program exits with."""
    try:
        program()
    except SystemExit as ended:
        return int(ended.code or 0)


def run(
    *arguments: object, cwd: Path | None = None, typed: str | bytes = ""
) -> CompletedProcess[str]:
    """Run in this process; ``test_processes.py`` holds that it answers the same."""
    words = ["fsviz", *map(str, arguments)]
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2)]
    with (
        pytest.MonkeyPatch.context() as patch,
        redirect_stdout(streams[0]),
        redirect_stderr(streams[1]),
        read_once(),
    ):
        patch.setattr(sys, "argv", words)
        given = typed if isinstance(typed, bytes) else typed.encode()
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8"))
        # click names the program in its usage line, after the module that runs
        patch.setattr(sys.modules["__main__"], "__package__", None, raising=False)
        if cwd is not None:
            patch.chdir(cwd)
        status = _status(main)
    for stream in streams:
        stream.flush()
    out, err = (stream.buffer.getvalue().decode("utf-8") for stream in streams)
    return CompletedProcess(words, status, out, err)


def carrying(mark: str) -> list[int]:
    """List the processes that have a mark in their environment and still run."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            state = (entry / "stat").read_text().rpartition(") ")[2][0]
            if mark.encode() in (entry / "environ").read_bytes() and state != "Z":
                found.append(int(entry.name))
        except OSError:
            continue
    return found
