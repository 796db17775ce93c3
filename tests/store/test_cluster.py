"""Work on a real Dask cluster: the same store and pages as by one process."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from campaigns_made import TIME, iozone, put
from test_store import contents

from fsviz.model.errors import UsageError
from fsviz.report.plan import report
from fsviz.store.executor import pool_of
from fsviz.store.ingest import ingest
from fsviz.store.stored import campaigns_of

pytestmark = pytest.mark.slow


def test_nobody_answers():
    nobody = pool_of(1, "tcp://127.0.0.1:9")
    with pytest.raises(UsageError, match="expected a Dask scheduler, found"), nobody:
        pass


@pytest.fixture
def cluster(tmp_path):
    """A scheduler and two workers, as a person starts them; and the workers."""
    file = tmp_path / "scheduler.json"
    program = [sys.executable, "-P", "-m", "distributed.cli.dask_"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    common = ["--scheduler-file", str(file)]
    own = tmp_path / "dask"
    own.mkdir()
    scheduler = [*program[:-1], "distributed.cli.dask_scheduler", *common]
    scheduler += ["--port", "0", "--no-dashboard", "--host", "127.0.0.1"]
    worker = [*program[:-1], "distributed.cli.dask_worker", *common, "--nthreads", "1"]
    worker += ["--no-dashboard", "--no-nanny", "--local-directory", str(own)]
    running = [subprocess.Popen(scheduler, cwd=own, **quiet)]
    running += [subprocess.Popen(worker, cwd=own, **quiet) for _ in range(2)]
    while not file.is_file() or not file.read_text():
        time.sleep(0.05)
    yield json.loads(file.read_text())["address"], running[1:]
    for process in reversed(running):
        process.kill()
        process.wait()


def page_of(out):
    """The page without the names that a kernel gives anew to each figure."""
    text = (out / "camp" / "rsync.html").read_text()
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9]+ms|made [^<]*", "", text)


def test_reports_are_rendered_where_the_command_is(cluster, tmp_path, monkeypatch):
    """The workers' folder is another one, and the source is named from here."""
    address, _ = cluster
    monkeypatch.chdir(tmp_path)
    files = {f"{s}/r{n}.txt": TIME.format(8 + n) for s in "ab" for n in range(3)}
    put(tmp_path / "camp", files)
    local = report(["camp"], Path("local"), templates=["rsync"])
    there = report(["camp"], Path("there"), templates=["rsync"], scheduler=address)
    assert [o.pages for o in there.outcomes] == [("camp/rsync.html",)]
    assert [o.error for o in (*local.outcomes, *there.outcomes)] == ["", ""]
    assert page_of(Path("there")) == page_of(Path("local"))


def test_a_folder_that_workers_cannot_reach(cluster, tmp_path, monkeypatch):
    address, _ = cluster
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    with pool_of(1, address) as pool:
        gone.rmdir()
        with pytest.raises(UsageError, match="expected workers that reach"):
            pool.submit(str, 1).result()


def test_two_workers_of_which_one_dies_make_the_same_store(cluster, tmp_path):
    address, (first, _) = cluster
    campaigns = [
        str(put(tmp_path / f"c{n}", {f"s{k}/r.txt": iozone(9 * n + k) for k in (1, 2)}))
        for n in range(30)
    ]
    ingest(campaigns, tmp_path / "local")
    done = []

    def killing(outcome):
        done.append(outcome)
        if len(done) == 5:
            os.kill(first.pid, signal.SIGKILL)

    with pool_of(1, address) as pool:
        ingest(campaigns, tmp_path / "cluster", pool=pool, progress=killing)
    assert len(done) == 30
    assert set(campaigns_of(str(tmp_path / "cluster"))) == {f"c{n}" for n in range(30)}
    assert contents(tmp_path / "cluster") == contents(tmp_path / "local")
