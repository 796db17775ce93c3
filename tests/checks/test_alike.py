"""Which settings are known to differ."""

import pytest

from fsviz.checks.rules.design import alike


@pytest.mark.parametrize(
    "setting,tool,one,other,expected",
    [
        ("version", "bonnie++", "1.03", "1.03e", True),
        ("version", "bonnie++", "1.03c", "1.03e", False),
        ("version", "bonnie++", "1.03", "1.96", False),
        ("version", "iozone", "3.489", "3.48", False),
        ("options", "bonnie++", "size=1 chunk=unknown", "size=1 chunk=8192", True),
        ("options", "bonnie++", "size=1 chunk=4096", "size=1 chunk=8192", False),
        ("options", "bonnie++", "size=2 chunk=unknown", "size=1 chunk=8192", False),
        (
            "options",
            "bonnie++",
            "size=1 files=16384 threads=1",
            "size=1 threads=1",
            True,
        ),
        ("options", "bonnie++", "size=1 files=16384", "size=1 files=8192", False),
        ("options", "bonnie++", "size=1 without=random_seeks", "size=1", True),
        ("options", "iozone", "-a", "unknown options: write", True),
        ("options", "iozone", "-a", "-a -c", False),
        ("options", "rsync", "rsync -a", "rsync -a; 9 B, speedup about 1", True),
        ("options", "rsync", "rsync -a", "rsync -az; 9 B, speedup about 1", False),
        ("options", "rsync", "9 B, speedup about 1", "8 B, speedup about 1", False),
        ("threads", "iozone", "1", "2", False),
    ],
)
def test_alike_both_ways_round(setting, tool, one, other, expected):
    assert alike(setting, tool, one, other) is expected
    assert alike(setting, tool, other, one) is expected
