from pathlib import Path

import pytest
from iozone_second_route import read_numbers, sheet_numbers

from fsviz.errors import (
    InconsistentDataError,
    ParseError,
    TruncatedInputError,
    UnknownFormatError,
)
from fsviz.readers.document import decode
from fsviz.readers.iozone import read_iozone
from fsviz.readers.workbook import read_workbook

DATA = Path(__file__).parents[1] / "data" / "iozone"
SHEETS = [
    path
    for path in (
        *sorted(DATA.glob("*/*.xls")),
        *sorted(Path("data/raw").glob("*/iozone/*/*.xls")),
    )
    if b"Writer Report" in path.read_bytes()
]
# -+x and several -r: rows longer than the header. -E with -i: pread shows pwrite.
REFUSED = {"auto_x4", "multi_r_s_R_b"}
SHIFTED = {"auto_E_i0910", "v507_auto_E_i0910", "v510_auto_E_i0910"}
GOOD = [path for path in SHEETS if path.stem not in REFUSED | SHIFTED]


def read(path):
    return read_workbook(str(path), path.read_bytes())


def name(path):
    return f"{path.parent.name}-{path.stem}"


@pytest.mark.parametrize("path", GOOD, ids=name)
def test_every_number_of_the_sheet_with_its_cell(path):
    expected = {k: v for k, v in sheet_numbers(path.read_bytes()).items() if v[0]}
    (run,) = read(path).runs
    cells = run.cells
    unit = 1e-6 if "latency" in cells.metric else 1024.0
    measured = [
        i for i, v in enumerate(cells.value) if v == v and cells.metric[i] != "cpu"
    ]
    numbers = {
        (
            cells.operation[i],
            cells.file_size_bytes[i] // 1024,
            cells.record_size_bytes[i] // 1024,
        ): (round(cells.value[i] / unit), cells.locator[i])
        for i in measured
    }
    assert numbers == expected


@pytest.mark.parametrize("path", GOOD, ids=name)
def test_the_workbook_of_a_run_agrees_with_its_text(path):
    (sheet,) = read(path).runs
    text = path.with_suffix(".txt")
    (run,) = read_iozone(decode(str(text), text.read_bytes())).runs
    rates = [i for i, metric in enumerate(sheet.cells.metric) if metric != "cpu"]

    def keyed(cells, places):
        return {
            (
                cells.operation[i],
                cells.file_size_bytes[i],
                cells.record_size_bytes[i],
                cells.metric[i],
                str(cells.value[i]),
                cells.low[i],
                str(cells.high[i]),
            )
            for i in places
        }

    assert keyed(sheet.cells, rates) == keyed(
        run.cells, [i for i, m in enumerate(run.cells.metric) if m != "cpu"]
    )
    assert sheet.complete == run.complete
    if "cut short" not in sheet.note or not sheet.complete:
        assert sheet.configuration == run.configuration
        assert sheet.command_line == run.command_line


@pytest.mark.parametrize("stem", sorted(REFUSED))
def test_rows_longer_than_the_header_are_refused(stem):
    with pytest.raises(InconsistentDataError, match="Sheet 1!A4: expected rows"):
        read(DATA / "3.489" / f"{stem}.xls")


def test_the_numbers_of_pwrite_are_not_taken_for_pread():
    reading = read(DATA / "3.510" / "v510_auto_E_i0910.xls")
    assert set(reading.runs[0].cells.operation) == {"write", "rewrite"}
    assert [p.line for p in reading.problems] == ["Sheet 1!A28", "Sheet 1!A34"]


def test_cpu_percentages_have_full_precision():
    (run,) = read(DATA / "3.489" / "auto_cpu_R_b.xls").runs
    place = run.cells.locator.index("Sheet 1!B283")
    assert run.cells.metric[place] == "cpu"
    assert run.cells.value[place] == pytest.approx(43.99619674682617, abs=1e-12)
    assert run.cells.operation[place] == "freread"


def test_a_command_line_that_is_cut_is_noted():
    (run,) = read(DATA / "3.489" / "xls_long_cmd.xls").runs
    assert "cut short" in run.note
    assert run.facts["output_unit"] != "kBytes/sec"


def test_microseconds_below_one_are_bounds():
    (run,) = read(DATA / "3.489" / "auto_N.xls").runs
    (text,) = read_iozone(
        decode("t", (DATA / "3.489" / "auto_N.txt").read_bytes())
    ).runs
    below = [v != v for v in run.cells.value]
    assert sum(below) == sum(v != v for v in text.cells.value) > 100


@pytest.mark.parametrize("length", [5, 30, 300, 2001, 5000])
def test_a_workbook_that_is_cut_is_refused_or_marked(length):
    data = (DATA / "3.489" / "auto_i02.xls").read_bytes()[:length]
    with pytest.raises(ParseError) as caught:
        read_workbook("cut.xls", data)
    assert isinstance(caught.value, TruncatedInputError | UnknownFormatError)


def test_a_workbook_of_something_else_is_refused():
    with pytest.raises(UnknownFormatError, match=r"odd\.xls:1: expected"):
        read_workbook("odd.xls", b"\x09\x00\x04\x00\x02\x00\x10\x00\x0a\x00\x00\x00")


def test_the_numbers_are_those_of_the_text():
    (run,) = read(DATA / "3.489" / "single_r4k_s1m_R_b.xls").runs
    numbers = read_numbers(run.cells)
    line = next(
        row.split()
        for row in (DATA / "3.489" / "single_r4k_s1m_R_b.txt").read_text().splitlines()
        if row.split()[:2] == ["1024", "4"]
    )
    assert sorted(numbers.values()) == sorted(int(word) for word in line[2:])
