"""The recipes of docs/SCALING.md are run."""

import re

import numpy as np
import pytest

import fsviz
from fsviz.store.ingest import ingest


def test_the_recipes_of_the_page_answer(root, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ingest([str(root / "data/raw/onehost-2026")], "STORE")
    page = (root / "docs/SCALING.md").read_text(encoding="utf-8")
    load, query = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict = {}
    exec(load, names)
    assert set(names["rows"]["system"].to_pylist()) == {"xfs"}
    exec(query, names)
    rows = fsviz.load("STORE").measurements.query(
        "operation == 'write' and metric == 'throughput'"
    )
    expected = np.exp(np.log(rows["value"]).groupby(rows["system"]).mean())
    found = {system: (n, mean) for _, system, n, mean in names["answer"]}
    assert found.keys() == set(expected.index)
    for system, (n, mean) in found.items():
        assert n == (rows["system"] == system).sum()
        assert mean == pytest.approx(expected[system])
