"""Frames as CSV and JSON: what is written reads back as the same numbers."""

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from browser import opened
from hypothesis import given
from hypothesis import strategies as st

from fsviz import report
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


SAID = "the figure stands for many runs, and nothing says how far they are apart"
CSS = Path(report.__file__).parent / "templates/fsviz/report.css"


def test_a_table_of_sentences_names_the_column_in_each_cell() -> None:
    frame = pd.DataFrame({'a "b"': ["x", SAID], "b": ["<td>", None]})
    text = table_html(frame).data
    assert ' told"' in text.partition(">")[0]
    titles = re.findall(r'<td data-title="(.*?)">', text)
    assert titles == ["a &quot;b&quot;", "b"] * 2
    assert "told" not in table_html(frame.head(1)).data
    assert "told" not in table_html(pd.DataFrame({"a": ["/folder" * 20]})).data


@pytest.mark.browser
def test_its_cells_are_in_sight_on_a_phone(tmp_path, chromium) -> None:
    frame = pd.DataFrame({name: [f"{SAID} {name}"] for name in "abcd"})
    page = tmp_path / "a.html"
    page.write_text(f"<style>{CSS.read_text()}</style>{table_html(frame).data}")
    ends = """[...document.querySelectorAll("td")].map(
        cell => Math.round(cell.getBoundingClientRect().right))"""
    with opened(chromium, page, (390, 844)) as watched:
        stacked = watched.page.evaluate(ends)
    with opened(chromium, page, (1280, 844)) as watched:
        beside = watched.page.evaluate(ends)
    assert (len(stacked), len(set(stacked)), len(set(beside))) == (4, 1, 4)
    assert max(stacked) <= 390
