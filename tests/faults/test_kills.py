"""Killed at any moment: old or new output and nothing between, no process, no litter.

Forty moments of each command, spread over its whole run; `make faults` runs them.
"""

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import nbformat
import pytest
from campaigns_made import TIME, iozone, put
from program import PROGRAM, carrying

pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="reads /proc"),
]
MOMENTS = int(os.environ.get("FSVIZ_MOMENTS", "40"))


def begin(words, cwd, mark):
    return subprocess.Popen(
        [PROGRAM, *words],
        cwd=cwd,
        env=os.environ | {"FSVIZ_TEST": mark},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def results(folder, seconds):
    put(folder, {f"nfs/r{n}.txt": TIME.format(seconds + n) for n in range(3)})


def state_of(folder):
    """Every file that is part of the output, by its content."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(".lock")
    }


def whole_pages(folder):
    """Pages that the index may name are whole, and vouched for after they are there."""
    for page in folder.rglob("*.html"):
        assert page.read_text().rstrip().endswith("</html>"), page
    for page in folder.rglob("*.pdf"):
        assert page.read_bytes().rstrip().endswith(b"%%EOF"), page
    for entry in folder.glob("*/*.json"):
        made = json.loads(entry.read_text())["formats"]
        for form in made:
            assert entry.with_suffix(f".{form}").is_file()


def whole_store(folder):
    import fsviz

    for path in folder.glob("*.parquet"):
        assert len(fsviz.load(path).measurements) > 0


def whole_description(folder):
    found = [path.name for path in folder.glob("*") if path.is_file()]
    assert found in ([], ["campaign.toml"])
    for path in folder.glob("campaign.toml"):
        assert "[[system]]" in path.read_text()


COMMANDS = {
    "ingest": (["ingest", "c0", "c1", "-o", "out", "--jobs", "2"], whole_store),
    "report": (["report", "c0", "-o", "out", "--force"], whole_pages),
    "report-pdf": (["report", "c0", "-o", "out", "--to", "pdf"], whole_pages),
    "pages": (["report", "a.ipynb", "-o", "out", "--force"], whole_pages),
    "init": (["init", "out"], whole_description),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_killed_at_forty_moments(tmp_path, command):
    words, is_whole = COMMANDS[command]
    out = tmp_path / "out"
    cells = [nbformat.v4.new_code_cell("print('done')")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "a.ipynb")
    for n in range(2):
        results(tmp_path / f"c{n}", 5 * n + 5)
    if command == "init":
        put(out, {f"s{k}/r{n}.txt": iozone(9 * k + n) for k in (0, 1) for n in (0, 1)})
    began = time.monotonic()
    assert begin(words, tmp_path, "first").wait() == 0
    took = time.monotonic() - began
    is_whole(out)
    draws = random.Random(18)
    for moment in range(MOMENTS):
        if command == "init":
            (out / "campaign.toml").unlink(missing_ok=True)
        else:
            # something is new each time
            results(tmp_path / "c0", 10 + moment)
        mark = f"{tmp_path}-{moment}"
        running = begin(words, tmp_path, mark)
        try:
            running.wait(draws.uniform(0.02, 1) * took)
        except subprocess.TimeoutExpired:
            running.send_signal(signal.SIGKILL)
        running.wait()
        end = time.monotonic() + 60
        while (left := carrying(mark)) and time.monotonic() < end:
            time.sleep(0.05)
        assert left == []
        is_whole(out)
    (out / "campaign.toml").unlink(missing_ok=True)
    assert begin(words, tmp_path, "last").wait() == 0
    is_whole(out)
    litter = [p for p in tmp_path.rglob(".*") if not p.name.endswith(".lock")]
    assert litter == []


def test_two_reports_into_one_folder(tmp_path):
    results(tmp_path / "c0", 5)
    results(tmp_path / "c1", 7)
    out = tmp_path / "out"
    several = [
        begin(["report", name, "-o", "out"], tmp_path, "two") for name in ("c0", "c1")
    ]
    assert [one.wait() for one in several] == [0, 0]
    assert (out / "c0/rsync.html").is_file()
    assert (out / "c1/rsync.html").is_file()
    whole_pages(out)
    assert not list(out.rglob(".*"))


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_told_to_stop(tmp_path, name):
    results(tmp_path / "c0", 5)
    before = begin(["report", "c0", "-o", "out"], tmp_path, "before")
    assert before.wait() == 0
    old = state_of(tmp_path / "out")
    mark = f"{tmp_path}-{name}"
    running = begin(["report", "c0", "-o", "out", "--force"], tmp_path, mark)
    end = time.monotonic() + 120
    while not list((tmp_path / "out").glob("*/.making.*")):
        assert time.monotonic() < end
        assert running.poll() is None
        time.sleep(0.01)
    running.send_signal(getattr(signal, name))
    assert running.wait() == 128 + getattr(signal, name)
    while (left := carrying(mark)) and time.monotonic() < end:
        time.sleep(0.05)
    assert left == []
    assert state_of(tmp_path / "out") == old
