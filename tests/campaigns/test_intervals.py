"""An interval and the ratio that it belongs to come from the same runs."""

import re

import pytest
from campaigns_made import iozone, put
from compared import compare

from fsviz.store.load import load


def without(text, *rows):
    """Leave rows out of a log's table."""
    lines = text.split("\n")
    table = [n for n, line in enumerate(lines) if line[:16].strip().isdigit()]
    gone = [table[row] for row in rows]
    return "\n".join(line for n, line in enumerate(lines) if n not in gone)


def faster(text):
    """Put a nine in front of every number of a log's table: fifty times as fast."""
    return re.sub(r"  (1\d{6})\b", r" 9\1", text)


HOLES = {
    **{f"b/{n}.txt": without(iozone(40 + n), n, n + 2) for n in range(4)},
    "c/1.txt": without(iozone(70), 0, 1, 2),
    "c/2.txt": without(iozone(71), 3),
}
ODD = {
    **{f"b/{n}.txt": iozone(40 + n) for n in range(3)},
    "b/3.txt": faster(without(iozone(43), 0)),
}


@pytest.mark.parametrize("files", [HOLES, ODD], ids=["holes", "odd"])
@pytest.mark.parametrize("cells", [False, True])
def test_no_interval_excludes_its_own_ratio_when_runs_lack_cells(
    tmp_path, files, cells
):
    files = {f"a/{n}.txt": iozone(n) for n in range(4)} | files
    campaign = load(put(tmp_path, files))
    frame = compare(campaign, baseline="a", cells=cells)
    name = "ratio"
    count = 0
    for low, high in (("ci_low", "ci_high"), ("bound_low", "bound_high")):
        known = frame.dropna(subset=[name, low, high])
        count += len(known)
        assert (known[low] <= known[name] * (1 + 1e-9)).all()
        assert (known[name] <= known[high] * (1 + 1e-9)).all()
    assert count > 0
