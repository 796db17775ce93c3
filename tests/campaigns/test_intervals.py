"""An interval and the ratio that it belongs to come from the same runs."""

from campaigns_made import iozone, put

import fsviz
from fsviz.campaigns.load import load


def test_no_interval_excludes_its_own_ratio_when_runs_lack_cells(tmp_path):
    def without(text, *rows):
        lines = text.split("\n")
        table = [n for n, line in enumerate(lines) if line[:16].strip().isdigit()]
        return "\n".join(
            x for n, x in enumerate(lines) if n not in [table[r] for r in rows]
        )

    files = {f"a/{n}.txt": iozone(n) for n in range(4)}
    files |= {f"b/{n}.txt": without(iozone(40 + n), n, n + 2) for n in range(4)}
    files |= {
        "c/1.txt": without(iozone(70), 0, 1, 2),
        "c/2.txt": without(iozone(71), 3),
    }
    campaign = load(put(tmp_path, files))
    for cells in (False, True):
        frame = fsviz.compare(campaign, baseline="a", cells=cells)
        name = "ratio" if cells else "geomean_ratio"
        for low, high in (("ci_low", "ci_high"), ("bound_low", "bound_high")):
            known = frame.dropna(subset=[name, low, high])
            assert len(known) > 0 or low == "ci_low"
            assert (known[low] <= known[name] * (1 + 1e-9)).all()
            assert (known[name] <= known[high] * (1 + 1e-9)).all()
