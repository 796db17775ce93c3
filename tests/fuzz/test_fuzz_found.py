"""What fuzzing found, and the outputs it begins with: nothing but an `FsvizError`."""

import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER))
from targets import TARGETS, seeds  # noqa: E402


@pytest.mark.parametrize("name", TARGETS)
def test_every_seed_is_read_or_refused(tmp_path, name):
    found = list(seeds(name))
    assert found
    for seed in found:
        TARGETS[name](seed, tmp_path)
        # cut in its middle, and twice
        TARGETS[name](seed[: len(seed) // 2], tmp_path)
        TARGETS[name](seed + seed, tmp_path)
