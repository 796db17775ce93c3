import io
import zipfile
from pathlib import Path

import openpyxl
import pytest
from each import each

from fsviz.model.errors import (
    AmbiguousColumnsError,
    InconsistentDataError,
    MalformedRowError,
    TruncatedInputError,
    UnknownFormatError,
)
from fsviz.readers.document import Document, decode, digest
from fsviz.readers.formats import read_document
from fsviz.readers.iozone import workbook
from fsviz.readers.iozone.text import read_iozone
from fsviz.readers.sheets import read_sheets

DATA = Path(__file__).parents[1] / "data" / "iozone"
# -+x and several -r: rows longer than the header
REFUSED = {"auto_x4", "multi_r_s_R_b"}
RAW = sorted(Path("data/raw").glob("*/iozone/*/*.xls"))
WITH_A_TEXT = [
    path
    for path in (*sorted(DATA.glob("3.*/*.xls")), *RAW)
    if path.stem not in REFUSED and path.with_suffix(".txt").exists()
]


def read_workbook(path, data):
    document = Document(path, "", digest(data))
    return workbook.read_workbook(document, read_sheets(path, data))


def read(path):
    return read_workbook(str(path), path.read_bytes())


@each(WITH_A_TEXT)
def test_the_workbook_of_a_run_has_the_settings_of_its_text(path):
    (sheet,) = read(path).runs
    text = path.with_suffix(".txt")
    (run,) = read_iozone(decode(str(text), text.read_bytes())).runs
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


def test_a_command_line_that_is_cut_is_noted():
    (run,) = read(DATA / "3.489" / "xls_long_cmd.xls").runs
    assert "cut short" in run.note
    assert run.facts["output_unit"] != "kBytes/sec"


def test_a_workbook_that_is_cut_is_refused_wherever_it_is_cut():
    data = (DATA / "3.489" / "auto_i02.xls").read_bytes()
    for length in [*range(4, len(data) - 4, 61), len(data) - 4, len(data) - 5]:
        with pytest.raises(TruncatedInputError, match=rf"^cut\.xls:byte {length}: "):
            read_workbook("cut.xls", data[:length])


def test_a_workbook_of_something_else_is_refused():
    with pytest.raises(UnknownFormatError, match=r"odd\.xls:1: expected"):
        read_workbook("odd.xls", b"\x09\x00\x04\x00\x02\x00\x10\x00\x0a\x00\x00\x00")


def test_a_throughput_workbook_without_its_command_line_is_refused():
    rows = [
        ["Throughput report Y-axis is type of test X-axis is number of processes"],
        ["Record size = 16 kBytes"],
        ["Output is in kBytes/sec"],
        ["  Initial write ", None, 4284672.0, 6260544.25],
    ]
    with pytest.raises(AmbiguousColumnsError, match="2 columns, 0 numbers"):
        read_workbook("t.xlsx", xlsx(rows))


def xlsx(rows, *more, at=(1, 1)):
    """Bytes of a workbook with one sheet for each list of rows."""
    book = openpyxl.Workbook()
    for number, content in enumerate((rows, *more)):
        sheet = book.active if number == 0 else book.create_sheet(f"S{number}")
        for r, row in enumerate(content):
            for c, value in enumerate(row):
                sheet.cell(at[0] + r, at[1] + c, value)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


GRID = [["Writer Report"], [None, 4, 8], [64, 100, 200], [128, 300, 400]]
READ = [["Reader Report"], [None, 4, 8], [64, 500, 600]]


@pytest.mark.parametrize(
    "at,place", [((1, 1), "Sheet!B3"), ((7, 3), "Sheet!D9"), ((40, 30), "Sheet!AE42")]
)
def test_reports_are_found_anywhere(at, place):
    (run,) = read_workbook("t.xlsx", xlsx(GRID, at=at)).runs
    assert run.cells.locator[0] == place
    assert [value / 1024 for value in run.cells.value] == [100, 200, 300, 400]
    assert run.cells.file_size_bytes == [65536, 65536, 131072, 131072]


def test_reports_in_several_sheets_are_one_run():
    (run,) = read_workbook("t.xlsx", xlsx(GRID, [], READ)).runs
    assert run.cells.operation == ["write"] * 4 + ["read"] * 2
    assert run.cells.locator[-1] == "S2!C3"


def test_the_same_report_in_two_sheets_is_two_runs():
    runs = read_workbook("t.xlsx", xlsx(GRID, GRID)).runs
    assert [run.identity[-2:] for run in runs] == ["-1", "-2"]


def test_the_same_report_twice_in_a_sheet_is_named():
    reading = read_workbook("t.xlsx", xlsx([*GRID, *GRID]))
    assert len(reading.runs[0].cells) == 4
    assert [p.line for p in reading.problems] == ["Sheet!A5"]


@pytest.mark.parametrize(
    "row", [[64, None, 200], [64, "1,5", 200], [64, "=A1", 200], [0.5, 100, 200]]
)
def test_a_row_with_a_gap_or_a_text_is_named(row):
    reading = read_workbook("t.xlsx", xlsx([*GRID[:2], row, GRID[3]]))
    assert [p.line for p in reading.problems] == ["Sheet!A3"]
    assert isinstance(reading.problems[0], MalformedRowError)
    assert [value / 1024 for value in reading.runs[0].cells.value] == [300, 400]


def test_numbers_stored_as_text_are_numbers():
    rows = [*GRID[:2], ["64", "100", "200"]]
    (run,) = read_workbook("t.xlsx", xlsx(rows)).runs
    assert [value / 1024 for value in run.cells.value] == [100, 200]


def test_a_workbook_without_reports_is_refused():
    with pytest.raises(UnknownFormatError, match="Writer Report"):
        read_workbook("t.xlsx", xlsx([["Umsatz", 3], ["Januar", 4]]))


def archive(**members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for member, content in members.items():
            file.writestr(member, content)
    return stream.getvalue()


@pytest.mark.parametrize(
    "data,found",
    [
        (archive(bomb=bytes(65 * 1024**2)), "68157440 bytes"),
        (
            archive(sheet=b"<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'b'>]>"),
            "DOCTYPE",
        ),
        (archive(a=b"x"), "openpyxl can open"),
        (b"PK\x03\x04 and nothing else", "openpyxl can open"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "xlrd can open"),
    ],
    ids=["bomb", "doctype", "no-workbook", "no-archive", "no-ole"],
)
def test_a_file_that_only_looks_like_a_workbook_is_refused(data, found):
    with pytest.raises(UnknownFormatError, match=found):
        read_workbook("t.xlsx", data)


def test_a_sheet_with_too_many_rows_is_refused():
    book = openpyxl.Workbook()
    book.active.cell(1_000_000, 1, "far away")
    stream = io.BytesIO()
    book.save(stream)
    with pytest.raises(UnknownFormatError, match="at most 20000 rows"):
        read_workbook("t.xlsx", stream.getvalue())


SAVED = "iozone -a -b x.xls ,,,\nWriter Report,,,\n,4,8,16\n64,100,200,300\n"


def test_blanks_around_numbers_of_a_saved_sheet_hide_none():
    text = SAVED.replace("16\n", "16  \n").replace("300\n", " 300 \n")
    one, other = (read_text_sheet(t).runs[0].cells for t in (SAVED, text))
    assert one.value == other.value
    assert len(one.value) == 3


def test_a_record_size_that_is_none_is_named():
    with pytest.raises(MalformedRowError, match=r"s\.csv:3: expected record sizes"):
        read_text_sheet(SAVED.replace("8,16", "8,16 kB"))


def read_text_sheet(text):
    return read_document(decode("s.csv", text.encode()))
