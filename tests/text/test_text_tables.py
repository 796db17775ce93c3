"""Frames as CSV and JSON: what is written reads back as the same numbers."""

import csv
import io
import json

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from fsviz.text.tables import render, table_html

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


def test_a_table_of_a_page_is_one_line_a_row() -> None:
    frame = pd.DataFrame({"a": ["x <td>", "<td>"], "b": ["1 2", None]})
    text = table_html(frame).data
    assert text.splitlines()[-4:] == [
        "<tr><td>x &lt;td&gt;</td><td>1 2</td></tr>",
        "<tr><td>&lt;td&gt;</td><td>–</td></tr>",
        "</tbody>",
        "</table>",
    ]
