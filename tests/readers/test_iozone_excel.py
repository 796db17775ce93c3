import re
from pathlib import Path

import pytest
from iozone_second_route import excel_numbers, read_numbers

from fsviz.model.errors import InconsistentDataError, MalformedRowError
from fsviz.readers.document import decode
from fsviz.readers.iozone.text import read_iozone

DATA = Path(__file__).parents[1] / "data" / "iozone"


def text_of(stem):
    return next(DATA.glob(f"3.*/{stem}.txt")).read_text()


def read_text(text):
    return read_iozone(decode("t.txt", text.encode()))


def line_of(text, word):
    return text[: text.index(word)].count("\n") + 1


@pytest.mark.parametrize("stem", ["auto_Ra", "auto_i02", "v510_auto_Ra", "auto_O"])
def test_the_section_alone_gives_the_same_numbers(stem):
    text = text_of(stem)
    (alone,) = read_text(text[text.index('"Writer report"') :]).runs
    (whole,) = read_text(text).runs
    unit = 1.0 if stem == "auto_O" else 1024.0
    assert read_numbers(alone.cells) == read_numbers(whole.cells, unit)
    assert not alone.complete
    assert alone.cells.metric[0] == "throughput"
    assert "assumed" in alone.facts["output_unit"]


def test_a_number_that_disagrees_is_named():
    text = text_of("auto_i02")
    excel = text.index('"Random read report"')
    place = text.index('"64"   ', excel) + 7
    changed = text[:place] + str((int(text[place]) + 1) % 10) + text[place + 1 :]
    reading = read_text(changed)
    (problem,) = reading.problems
    assert isinstance(problem, InconsistentDataError)
    assert problem.line == text[:place].count("\n") + 1
    whole = read_text(text).runs[0]
    assert reading.runs[0].cells.value == whole.cells.value


DAMAGE = {
    "none": ("", ""),
    "a digit": (r'(?m)^("256" .*)\d(\d *)$', r"\g<1>7\2"),
    "a number less": (r'(?m)^("256" .*?)\d+ *$', r"\1"),
    "no last row": (r'\n"\d+" [\d ]*\s*\Z', "\n"),
    "a row behind a blank line": (r"\Z", '\n\n"1024"   1 2 3\n'),
    "zeros": (r'(?m)^("256" +)\d[\d ]*$', r"\g<1>0 0 0"),
    "another label": ('"Random write report"', '"Fread report"'),
    "another header": (r'(?s)(Random read report"\s+)"4" ', r'\1"2" '),
    "two rows in a line": (r'(?m)^("64" [\d ]*)\n("128")', r"\1\2"),
    "a row in two lines": (r'(?m)^("256" +\d+ )', r"\1\n"),
    "a tab": (r'(?m)^("256" .*?\d) ', r"\1\t"),
    "rows in another order": (r'(?m)^("64" .*\n)("128" .*\n)', r"\2\1"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_section_is_read_as_one_that_is_compared_cell_by_cell(damage, monkeypatch):
    text = text_of("auto_i02")
    begin = text.index('"Writer report"')
    pattern, instead = DAMAGE[damage]
    excel = re.sub(pattern, instead, text[begin:]) if pattern else text[begin:]
    assert (excel != text[begin:]) == bool(pattern)
    reading = read_text(text[:begin] + excel)
    (run,) = reading.runs
    monkeypatch.setattr(
        "fsviz.readers.iozone.text.behind_repeated", lambda _, first, *rest: first
    )
    other = read_text(text[:begin] + excel)
    assert [*map(str, reading.problems)] == [*map(str, other.problems)]
    assert run.cells == other.runs[0].cells
    silent = ("none", "a number less", "no last row", "another label")
    silent = (*silent, "rows in another order", "a row in two lines")
    assert (reading.problems == ()) == (damage in silent)


@pytest.mark.parametrize("stem", ["auto_x4", "multi_r_s_R_b"])
def test_the_bugs_are_refused_where_the_section_is_all(stem):
    text = text_of(stem)
    with pytest.raises(InconsistentDataError, match=r"t\.txt:1: expected rows no"):
        read_text(text[text.index('"Writer report"') :])


def test_pread_is_refused_where_the_section_is_all():
    text = text_of("v510_auto_E_i0910")
    excel = text[text.index('"Writer report"') :]
    reading = read_text(excel)
    assert set(reading.runs[0].cells.operation) == {"write", "rewrite"}
    assert [p.line for p in reading.problems] == [
        line_of(excel, '"Pread report"'),
        line_of(excel, '"Re-Pread report"'),
    ]


def test_a_row_that_the_table_lost_comes_from_the_section():
    text = text_of("auto_i02")
    rows = [
        line for line in text.splitlines() if re.fullmatch(r" +\d+ +\d+ [\d ]+", line)
    ]
    reading = read_text(
        text.replace(rows[3], rows[3][:40] + "[1.0] usb" + rows[3][40:])
    )
    assert [p.line for p in reading.problems] == [line_of(text, rows[3])]
    expected = {k: v for k, v in excel_numbers(text).items() if v}
    assert read_numbers(reading.runs[0].cells) == expected


def excel_of(stem):
    text = text_of(stem)
    return text[text.index('"Writer report"') :]


def test_rows_below_a_damaged_label_belong_to_no_report():
    excel = excel_of("auto_i02")
    line = line_of(excel, '"Re-writer report"')
    reading = read_text(excel.replace('"Re-writer report"', '"Re-w riter report"'))
    (problem,) = reading.problems
    assert problem.line == line
    (whole,) = read_text(excel).runs
    expected = {k: v for k, v in read_numbers(whole.cells).items() if k[0] != "rewrite"}
    assert read_numbers(reading.runs[0].cells) == expected


@pytest.mark.parametrize(
    "stem, pattern, instead, error, line, lost",
    [
        ("auto_i02", r'"128"   (\d)', r'"128"   x\1', MalformedRowError, 4, 128),
        ("auto_i02", r'("128" [\d ]*\d) +\d+ *\n', r"\1\n", MalformedRowError, 4, 128),
        (
            *("auto_i02", r'("128"   )(.*\n)', r"\1\2\g<1>1\2"),
            *(InconsistentDataError, 5, 128),
        ),
        ("auto_i0345", r'"16"', '"17"', InconsistentDataError, 1, None),
    ],
    ids=["no number", "a number less", "twice", "other records"],
)
def test_damage_of_the_section_alone_is_not_used(
    stem, pattern, instead, error, line, lost
):
    reading = read_text(re.sub(pattern, instead, excel_of(stem), count=1))
    (problem,) = reading.problems
    assert isinstance(problem, error)
    assert problem.line == line
    cells = reading.runs[0].cells
    sizes = zip(cells.operation, cells.file_size_bytes, strict=True)
    written = {size // 1024 for operation, size in sizes if operation == "write"}
    assert written == set() if lost is None else lost not in written
    assert written or lost is None
