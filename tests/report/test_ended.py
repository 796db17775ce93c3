"""A command that is ended takes everything with it: one line, a status, no litter."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from campaigns_made import iozone, put
from program import carrying, python

LESSONS = ("2-where-from", "4-one-number-and-a-plan")


def until(what, seconds=300):
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        time.sleep(0.05)
    return what()


def test_what_another_batch_is_making_stays(tmp_path):
    from fsviz.report.jobs import _sweep

    other = tmp_path / f"cases/.making.{os.getppid()}.x"
    left = [tmp_path / "cases/.making.99999999.x", tmp_path / ".making.old"]
    for folder in (other, *left):
        folder.mkdir(parents=True)
    _sweep(tmp_path)
    assert other.is_dir()
    assert not any(folder.exists() for folder in left)


def test_a_process_that_ended_unasked_is_not_alive():
    from fsviz.model.processes import is_alive

    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert is_alive(child.pid)
    child.stdin.close()
    assert until(lambda: not is_alive(child.pid))
    # it has left its number until it is asked how it ended
    os.kill(child.pid, 0)
    child.wait()
    assert not is_alive(child.pid)


@pytest.mark.skipif(sys.platform == "win32", reason="has no control-C")
def test_control_c_means_nothing_to_a_worker_from_its_first_line(tmp_path):
    program = """
import signal
from fsviz.model.processes import worker_pool
if __name__ == "__main__":
    with worker_pool(2) as pool:
        print(pool.submit(signal.getsignal, signal.SIGINT).result() == signal.SIG_IGN)
    print(signal.getsignal(signal.SIGINT) == signal.default_int_handler)
"""
    path = tmp_path / "program.py"
    path.write_text(program)
    done = python(path)
    assert (done.stdout, done.stderr) == ("True\nTrue\n", "")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="reads /proc")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_nothing_is_left_of_a_batch_that_is_ended(root, tmp_path, name):
    out, mark = tmp_path / "out", f"FSVIZ_TEST={tmp_path}-{os.getpid()}"
    notebooks = [root / f"notebooks/lessons/{lesson}.ipynb" for lesson in LESSONS]
    batch = subprocess.Popen(
        [sys.executable, "-m", "fsviz", "report", *notebooks, "-o", out, "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=root,
        start_new_session=True,
        env=os.environ | {"FSVIZ_TEST": mark.partition("=")[2]},
    )
    # the command, the tracker of its resources, and two workers; then their kernels
    assert until(lambda: len(list(out.glob("*/.making.*"))) == 2)
    assert until(lambda: len(carrying(mark)) >= 6)
    if name == "SIGINT":
        os.killpg(batch.pid, signal.SIGINT)  # as a terminal sends it
    else:
        os.kill(batch.pid, getattr(signal, name))
    # who holds standard output open keeps this waiting
    said, complaint = batch.communicate(timeout=300)
    left = until(lambda: carrying(mark) == [])
    assert left, carrying(mark)
    assert said == ""
    assert not list(out.glob("*/*.html"))
    if name == "SIGKILL":
        return
    assert batch.returncode == 128 + getattr(signal, name)
    assert re.fullmatch(rf"fsviz: stopped by {name}\n", complaint)
    assert not list(out.rglob(".making.*"))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="reads /proc")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL"])
def test_nothing_is_left_of_an_ingest_that_is_ended(tmp_path, name):
    for n in range(60):
        put(tmp_path / f"c{n}", {f"s/r{k}.txt": iozone(9 * n + k) for k in range(9)})
    store, mark = tmp_path / "store", f"FSVIZ_TEST={tmp_path}-{os.getpid()}"
    program = [sys.executable, "-m", "fsviz", "ingest", *tmp_path.glob("c*")]
    running = subprocess.Popen(
        [*program, "-o", store, "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"FSVIZ_TEST": mark.partition("=")[2]},
    )
    assert until(lambda: list(store.glob("c*.parquet")))
    os.kill(running.pid, getattr(signal, name))
    said, complaint = running.communicate(timeout=300)
    assert until(lambda: carrying(mark) == [])
    assert not (store / "_fsviz.json").exists()
    if name == "SIGTERM":
        assert (said, running.returncode) == ("", 128 + signal.SIGTERM)
        assert complaint == "fsviz: stopped by SIGTERM\n"
