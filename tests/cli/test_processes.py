"""Started as people start it, the program answers as it does in a test's own process.

Most tests run commands in their own process; here each command is a real one.
"""

import pytest
from program import run, start

ONEHOST = "data/raw/onehost-2026"
IOZONE = "data/raw/loopback-2026/iozone"
LOG = f"{IOZONE}/nfs-v3/rep1.txt"
TWO = f"nfs={LOG} smb={IOZONE}/smb-3.0/rep1.txt"


@pytest.mark.slow
@pytest.mark.parametrize(
    "status,words",
    [
        (0, "--version"),
        (0, "formats"),
        (0, f"read {LOG} --format csv"),
        (0, f"summary {TWO} --operation read"),
        (0, f"compare {TWO} --operation read"),
        (0, f"check {TWO}"),
        (1, f"check {ONEHOST} --strict --format json"),
        (1, f"read {LOG} Makefile --format csv"),
        (2, "pages no/such/folder"),
        (2, "report no/such/folder"),
        (2, "ingest"),
        (2, "nonsense"),
    ],
)
def test_a_process_answers_the_same(root, status, words):
    words = words.split()
    process = start(*words, cwd=root)
    assert process.returncode == status, process.stderr
    assert "Traceback" not in process.stderr
    within = run(*words, cwd=root)
    assert (within.returncode, within.stdout, within.stderr) == (
        process.returncode,
        process.stdout,
        process.stderr,
    )
