"""The drawing faults that case notebooks show on purpose."""

import re

import numpy as np
import pytest
from claims.as_drawn import CAPTION, as_drawn
from samples import loaded

from fsviz.figures.export import save


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


@pytest.mark.slow
@pytest.mark.browser
def test_a_picture_has_no_axes_but_those_of_the_surfaces(root, chromium, tmp_path):
    """Each surface becomes an image; flat axes would cross them with ticks."""
    campaign = loaded(root / "data/raw/onehost-2026")
    save(as_drawn(campaign, "write", ["xfs", "btrfs"]), tmp_path / "drawn.svg")
    picture = (tmp_path / "drawn.svg").read_text()
    assert picture.count("<image") == 2
    assert not re.search(r'class="[xy]tick', picture)
