"""Rules about which cells stand against which."""

import re

from tests.checks.outputs import ONEHOST, findings, iozone, loaded, two


def test_unmatched_cells(tmp_path):
    lines = iozone(repeat=2).splitlines()
    # in the table, and in the section that repeats it
    gone = re.compile(r'\s+8192\s+\d+\s|"8192"')
    text = "\n".join(x for x in lines if not gone.match(x)) + "\n"
    found = findings(two(tmp_path, iozone(), text, "[facts]\n"), "unmatched-cells")
    # 12 records, 6 tests
    assert "72 only on a" in found[0]["evidence"]


def test_unmatched_cells_sees_the_crossover():
    found = findings(loaded(ONEHOST), "unmatched-cells")
    assert any("without -z" in row["message"] for row in found)


def test_unmatched_cells_is_silent_on_equal_grids(tmp_path):
    campaign = two(tmp_path, iozone(repeat=1), iozone(repeat=2), "[facts]\n")
    assert findings(campaign, "unmatched-cells") == []
