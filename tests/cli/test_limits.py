"""Little memory, few files, signals: one line and a status, whatever a library does."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from program import PROGRAM, start

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
DATA = "data/lessons/same-twice-2026"


def limited(limit, *words, root):
    """Run the program under a limit of bash's ``ulimit``."""
    quoted = " ".join(map(str, words))
    script = f"ulimit {limit} && exec timeout 100 {PROGRAM} {quoted}"
    return start("-c", script, cwd=root, program="bash")


@pytest.mark.parametrize("kibibytes", [30_000, 240_000, 420_000, 524_287])
def test_too_little_memory_is_one_line(root, kibibytes):
    """OpenBLAS spun at 420,000, and at 240,000; the others were tracebacks."""
    done = limited(f"-v {kibibytes}", "compare", DATA, root=root)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "memory: expected an address space of 512 MiB or more (ulimit -v 524288), "
        f"found {kibibytes // 1024} MiB\n"
    )


@pytest.mark.slow
def test_enough_memory_is_used_with_care(root):
    """Threads of OpenBLAS alone took the rest, and it spun for ever."""
    done = limited("-v 600000", "compare", DATA, root=root)
    assert (done.returncode, done.stderr) == (0, "")
    assert "first" in done.stdout


FEW = "files: expected 256 or more that may be open at once (ulimit -n), found 20"
LITTLE = (
    "memory: expected an address space of 1280 MiB or more (ulimit -v 1310720), "
    "found 585 MiB"
)


@pytest.mark.slow
@pytest.mark.parametrize("limit,said", [("-n 20", FEW), ("-v 600000", LITTLE)])
@pytest.mark.parametrize("words", [("report", DATA), ("report", "notebooks/lessons")])
def test_no_room_for_kernels_is_one_line(root, tmp_path, words, limit, said):
    """With 20 files zmq aborted."""
    done = limited(limit, *words, "-o", tmp_path / "out", root=root)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{said}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_few_files_are_enough_for_an_answer(root):
    assert limited("-n 8", "summary", DATA, root=root).returncode == 0


@pytest.mark.slow
def test_a_soft_limit_is_raised(root, tmp_path):
    notebook = "notebooks/lessons/lab-3-small-files.ipynb"
    words = ("report", notebook, "-o", tmp_path / "out")
    done = limited("-S -n 20", *words, root=root)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("error", ["MemoryError()", "OSError(24, 'Too many')"])
def test_what_runs_out_later_is_one_line(root, tmp_path, error):
    put_in_place_of_scipy(tmp_path, f"raise {error}")
    done = start("compare", DATA, cwd=root, PYTHONPATH=str(tmp_path))
    what = "memory" if "Memory" in error else "files"
    assert done.returncode == 1
    assert done.stderr.startswith(f"{what}: expected more than ")
    assert done.stderr.count("\n") == 1


def put_in_place_of_scipy(folder, code):
    (folder / "scipy").mkdir()
    (folder / "scipy/__init__.py").write_text(code)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_signal_ends_what_hangs_in_a_library(root, tmp_path, name):
    """A loop in C that never looks for signals, as OpenBLAS was in."""
    flag = tmp_path / "hangs"
    put_in_place_of_scipy(
        tmp_path,
        "import itertools, pathlib\n"
        f"pathlib.Path({str(flag)!r}).touch()\n"
        "sum(itertools.repeat(0))\n",
    )
    hanging = subprocess.Popen(
        [PROGRAM, "compare", DATA],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_for(flag)
        hanging.send_signal(getattr(signal, name))
        assert hanging.wait(timeout=60) == -getattr(signal, name)
    finally:
        hanging.kill()


def wait_for(path: Path) -> None:
    end = time.monotonic() + 100
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_who_ignores_a_signal_still_does(root, tmp_path):
    """``nohup`` has SIGHUP ignored, a script's background SIGINT."""
    code = (
        "import signal; from fsviz.model.ending import clean_up_first, signals_end\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "with signals_end():\n"
        "    print(signal.getsignal(signal.SIGHUP), signal.getsignal(signal.SIGINT))\n"
        "    clean_up_first()\n"
        "    print(signal.getsignal(signal.SIGHUP), signal.getsignal(signal.SIGTERM))\n"
        "print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)\n"
    )
    said = subprocess.check_output([sys.executable, "-c", code], text=True).splitlines()
    assert said[0] == "1 0"
    assert said[1].startswith("1 <function _stop")
    assert said[2] == "True"
