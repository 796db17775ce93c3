"""A clock that goes back between two commands: nothing stored is lost or taken as new.

Needs `faketime`, which `.ci/run` installs.
"""

import os
import shutil
from pathlib import Path

import pytest
from program import PROGRAM, start

import fsviz

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
RUNS = ROOT / "data/raw/onehost-2026/iozone/ext4"


@pytest.fixture(autouse=True)
def faketime():
    if shutil.which("faketime") is None:
        if os.environ.get("FSVIZ_REQUIRE_BROWSER") == "1":
            pytest.fail("faketime is not installed", pytrace=False)
        pytest.skip("faketime is not installed")


def at(moment, *arguments):
    """Run the program at another time."""
    return start(moment, PROGRAM, *arguments, program="faketime")


def test_what_was_stored_before_the_clock_went_back_is_kept(tmp_path):
    later = "1980-01-02 00:00:00"
    lab, store = tmp_path / "lab", tmp_path / "store"
    for n in (1, 2, 3):
        (lab / "ext4").mkdir(parents=True, exist_ok=True)
        shutil.copy(RUNS / f"rep{n}.txt", lab / f"ext4/rep{n}.txt")
    stored = at("+3 days", "ingest", lab, "-o", store)
    assert stored.returncode == 0, stored.stderr
    before = at("+3 days", "summary", store, "--format", "csv").stdout
    # one run's file is lost, another says something else, in as many bytes
    (lab / "ext4/rep3.txt").unlink()
    path = lab / "ext4/rep2.txt"
    text = path.read_text()
    row = next(line for line in text.splitlines() if line.split()[:2] == ["64", "4"])
    number = row.split()[2]
    other = str(int(number) + 1)
    assert len(other) == len(number)
    path.write_text(text.replace(number, other))
    again = at(later, "ingest", lab, "-o", store)
    assert again.returncode == 1
    assert "ext4/rep3.txt" in again.stderr
    assert "kept as stored" in again.stderr
    assert at(later, "summary", store, "--format", "csv").stdout == before
    pruned = at(later, "ingest", lab, "-o", store, "--prune")
    assert pruned.returncode == 0, pruned.stderr
    table = fsviz.load(store).measurements
    assert set(map(Path, table["source"])) == {lab / f"ext4/rep{n}.txt" for n in (1, 2)}
    assert int(other) * 1024 in set(table["value"])
