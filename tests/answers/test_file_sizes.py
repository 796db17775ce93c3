"""A size that alone differs is named, not the size class that averages it away."""

import numpy as np
import pytest
from frames import campaign, run

from fsviz.answers.headline import headline
from fsviz.answers.matrix import overview

MIB = 1024
FILES = (64 * MIB, 128 * MIB, 256 * MIB, 512 * MIB)
"""All of them large files."""
RECORDS = (4, 1024)


def said(factors, operations=("write", "read")):
    rng = np.random.default_rng(1)

    def speed(system, operation, file):
        own = factors(operation, file) if system == "b" else 1.0
        return 1e6 * own * np.exp(rng.normal(0, 0.002))

    places = [(o, f, r) for o in operations for f in FILES for r in RECORDS]
    runs = {
        system: [
            run(f"{system}{k}", [(o, f, r, speed(system, o, f)) for o, f, r in places])
            for k in range(5)
        ]
        for system in "ab"
    }
    return headline(overview(campaign(runs)))


@pytest.mark.parametrize(
    "factors, words",
    [
        (
            lambda _, file: 1 / 8 if file == FILES[3] else 1.0,
            "8.0× slower at 512-MiB files, near 1× elsewhere",
        ),
        (
            lambda _, file: 6.0 if file == FILES[0] else 1.0,
            "6.0× faster at 64-MiB files, near 1× elsewhere",
        ),
        (
            lambda operation, file: (
                1 / 8 if (operation, file) == ("read", FILES[3]) else 1.0
            ),
            "8.0× slower at read of 512-MiB files, near 1× elsewhere",
        ),
        (
            lambda _, file: {FILES[0]: 1.0, FILES[1]: 1 / 2}.get(file, 1 / 4),
            "2.0–4.0× slower at files of 128 MiB to 512 MiB, near 1× elsewhere",
        ),
        (
            lambda _, file: 6.0 if file == FILES[3] else 1.2,
            "1.2–6.0× faster, most at 512-MiB files",
        ),
        (
            lambda operation, file: (
                (2.0 if operation == "read" else 0.5) ** (1 if file < 256 * MIB else -1)
            ),
            (
                "depends: write 2.0× faster from 256-MiB files, 2.0× slower up to 128 "
                "MiB; 1 more operation depends on size, 1 the other way round"
            ),
        ),
        (lambda _operation, _file: 1.5, "1.5× faster"),
    ],
)
def test_the_size_that_differs_is_named(factors, words):
    assert said(factors) == f"Against a, IOzone: b {words}."
