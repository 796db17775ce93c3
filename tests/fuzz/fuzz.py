"""Coverage-guided fuzzing of one reader: ``make fuzz`` runs this for each of them.

Needs atheris (https://github.com/google/atheris), which is not among the locked
packages: ``.venv/bin/pip install atheris``. Anything but an ``FsvizError``, more than
5 s or 500 MB for an input below 10 MB is a bug; its input is written to ``fuzz-found``.
A small form of it belongs into ``tests/fuzz/found``, which `test_fuzz_found.py` reads.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
import tempfile
from pathlib import Path


def _instrumented() -> None:
    """Import what is fuzzed so that atheris sees which lines an input reaches."""
    import atheris

    with atheris.instrument_imports(include=["fsviz"]):
        for name in ("fsviz.readers", "fsviz.campaigns"):
            room = importlib.import_module(name)
            for module in pkgutil.walk_packages(room.__path__, f"{name}."):
                importlib.import_module(module.name)


def main() -> None:
    """Fuzz the target that is named first, for the seconds that are named second."""
    import atheris

    name, seconds = sys.argv[1], int(sys.argv[2])
    os.environ["FSVIZ_RAISE"] = "1"
    _instrumented()
    from targets import TARGETS, seeds

    found = Path(__file__).parents[2] / "fuzz-found" / name
    found.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        corpus, place = Path(made) / "corpus", Path(made) / "place"
        corpus.mkdir()
        place.mkdir()
        for number, seed in enumerate(seeds(name)):
            (corpus / str(number)).write_bytes(seed)
        options = [
            f"-max_total_time={seconds}",
            # of the wall's clock, and instrumented: 5 s on a machine that is idle
            "-timeout=15",
            "-rss_limit_mb=2000",
            "-malloc_limit_mb=500",
            "-max_len=200000",
            f"-artifact_prefix={found}/",
            "-print_final_stats=1",
            "-verbosity=0",
        ]
        atheris.Setup(
            [sys.argv[0], *options, str(corpus)],
            lambda data: TARGETS[name](data, place),
        )
        atheris.Fuzz()


if __name__ == "__main__":
    main()
