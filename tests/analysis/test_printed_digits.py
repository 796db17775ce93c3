"""From a printed number to the bounds of a ratio."""

from __future__ import annotations

import pytest
from compared import compare

import fsviz

ROW = "host,256M,,,{},1" + "," * 21 + "\n"


def test_347_against_2_is_116_to_174_times(tmp_path):
    for name, rate in (("afp", 2), ("smb", 347)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bonnie.csv").write_text(ROW.format(rate))
    frame = compare(fsviz.load(tmp_path), baseline="afp")
    (got,) = frame.query("metric == 'throughput'").to_dict("records")
    assert got["ratio"] == pytest.approx(173.5)
    assert got["bound_low"] == pytest.approx(347 / 3)
    assert got["bound_high"] == pytest.approx(348 / 2)
    assert str(got["ci_low"]) == "nan"
