"""The drawing faults that case notebooks show on purpose."""

import numpy as np
from claims.as_drawn import CAPTION, as_drawn
from samples import loaded


def test_the_faults_are_there(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    figure = as_drawn(campaign, "write", ["xfs", "btrfs"])
    for sheet in figure.data:
        values = np.array(sheet.z, float)
        records, files = np.meshgrid(sheet.x, sheet.y)
        assert (values[records > files] == 0).all()
        assert (values[records > files]).size > 0
    tops = [figure.layout[name].zaxis.range[1] for name in ("scene", "scene2")]
    assert tops[0] != tops[1]
    assert figure.layout.meta["caption"] == CAPTION
    assert "no values" in figure.layout.meta["alt"]
