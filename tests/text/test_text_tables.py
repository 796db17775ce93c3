"""Frames as CSV and JSON: what is written reads back as the same numbers."""

import csv
import io
import json

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from fsviz.text.tables import render

NUMBERS = st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1)


@given(NUMBERS)
def test_numbers_read_back_as_the_same_float(values: list[float]) -> None:
    frame = pd.DataFrame({"q_value": values})
    read = [record["q_value"] for record in json.loads(render(frame, "json"))]
    assert [float(x).hex() for x in read] == [x.hex() for x in values]
    _, *rows = csv.reader(io.StringIO(render(frame, "csv")))
    assert [float(text) for (text,) in rows] == values


def test_what_is_missing_is_null_and_a_list_stays_one() -> None:
    frame = pd.DataFrame(
        {
            "value": [np.nan, np.inf],
            "runs": pd.array([None, 5], dtype="Int64"),
            "scope": [["cache", "one after another"], []],
        }
    )
    assert json.loads(render(frame, "json")) == [
        {"value": None, "runs": None, "scope": ["cache", "one after another"]},
        {"value": None, "runs": 5, "scope": []},
    ]
    assert "cache; one after another" in render(frame, "csv")
    assert "cache; one after another" in render(frame, "text")
