"""What a killed run leaves is in one folder, which the next removes, and no other."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from program import PROGRAM

pytestmark = pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
MAKE = "from fsviz.model.run_folder import run_folder; print(run_folder(), flush=True)"
ME = os.geteuid()


@pytest.fixture
def place():
    """A folder for temporary files; sockets in it must have short names."""
    folder = Path(tempfile.mkdtemp(prefix="t"))
    yield folder
    shutil.rmtree(folder)


def run(place, code=MAKE, **more):
    program = [sys.executable, "-c", code]
    env = os.environ | {"TMPDIR": str(place)}
    return subprocess.Popen(program, stdout=subprocess.PIPE, text=True, env=env, **more)


def killed(place):
    """The folder of a run that was killed."""
    with run(place, f"{MAKE}; input()", stdin=subprocess.PIPE) as process:
        folder = Path(process.stdout.readline().strip())
        process.kill()
    return folder


def test_the_next_run_removes_what_a_killed_one_left(place):
    folder = killed(place)
    (folder / "kernel.json").write_text("{}")
    assert folder.parent == place
    assert folder.stat().st_mode & 0o777 == 0o700
    said, _ = run(place).communicate()
    assert Path(said.strip()) != folder
    assert list(place.iterdir()) == []


def test_a_run_that_lives_keeps_its_folder(place):
    living = run(place, f"{MAKE}; input()", stdin=subprocess.PIPE)
    folder = Path(living.stdout.readline().strip())
    run(place).communicate()
    assert list(place.iterdir()) == [folder]
    living.communicate("\n")
    assert list(place.iterdir()) == []


def test_a_run_removes_what_is_killed_while_it_runs(place):
    """And what a killed run's kernels wrote after the next run had looked."""
    killed_late, living = (
        run(place, f"{MAKE}; input()", stdin=subprocess.PIPE) for _ in range(2)
    )
    with killed_late:
        folder = Path(killed_late.stdout.readline().strip())
        living.stdout.readline()
        killed_late.kill()
    (folder / "kernel.json").write_text("{}")
    living.communicate("\n")
    assert list(place.iterdir()) == []


def planted(place):
    """What others put where a dead run's folder would be; their names, as they stay."""
    mine = place / "mine"
    mine.mkdir()
    (mine / "precious").write_text("x")
    (place / f"fsviz-{ME}-99999999-link").symlink_to(mine)
    (place / f"fsviz-{ME}-99999999-file").write_text("x")
    os.mkfifo(place / f"fsviz-{ME}-99999999-pipe")
    open_to_all = place / f"fsviz-{ME}-99999999-open"
    open_to_all.mkdir()
    open_to_all.chmod(0o755)
    (place / f"fsviz-{ME + 1}-99999999-another").mkdir(mode=0o700)
    return {path.name for path in place.iterdir()}


def test_nothing_but_a_dead_runs_folder_is_removed(place):
    before = planted(place)
    folder = killed(place)
    (folder / "link").symlink_to(place / "mine")
    run(place).communicate()
    assert {path.name for path in place.iterdir()} == before
    assert (place / "mine/precious").read_text() == "x"


@pytest.mark.skipif(ME != 0, reason="only root gives folders away")
def test_a_folder_of_another_owner_stays(place):
    """Root's next run must not remove what a user planted, nor trust it."""
    folder = killed(place)
    os.chown(folder, 12345, 12345)
    run(place).communicate()
    assert list(place.iterdir()) == [folder]


def test_workers_share_the_folder_of_their_command(place):
    code = (
        "from fsviz.model.processes import worker_pool\n"
        "from fsviz.model.run_folder import run_folder\n"
        "if __name__ == '__main__':\n"
        "    with worker_pool(2) as pool:\n"
        "        print(pool.submit(run_folder).result() == run_folder())\n"
    )
    (place / "s.py").write_text(code)
    run_it = (
        f"import runpy; runpy.run_path({str(place / 's.py')!r}, run_name='__main__')"
    )
    said, _ = run(place, run_it).communicate()
    assert said == "True\n"
    assert [path.name for path in place.iterdir()] == ["s.py"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", ""])
def test_a_rendering_leaves_nothing_behind(root, place, tmp_path, name):
    """Kernels' connection files, sockets, the browser's profile, a trial's results."""
    env = os.environ | {"TMPDIR": str(place)}
    notebook = "notebooks/lessons/lab-3-small-files.ipynb"
    words = [PROGRAM, "report", notebook, "-o", tmp_path / "out"]
    words += [] if name else ["--to", "html,pdf"]  # with a browser too
    running = subprocess.Popen(words, env=env, cwd=root, stdout=subprocess.DEVNULL)
    if name:
        end = time.monotonic() + 100
        while not list(place.glob("fsviz-*/*.json")):  # of a kernel
            assert time.monotonic() < end
            time.sleep(0.01)
        assert [path.name[:6] for path in place.iterdir()] == ["fsviz-"]
        running.send_signal(getattr(signal, name))
    status = running.wait()
    if name == "SIGKILL":
        assert list(place.iterdir()) != []
        assert subprocess.run(words, env=env, cwd=root, check=False).returncode == 0
    else:
        assert status == (128 + signal.SIGTERM if name else 0)
    assert list(place.iterdir()) == []
    assert not list((tmp_path / "out").rglob(".*"))
