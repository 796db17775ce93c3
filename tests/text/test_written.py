"""Answers in files: the form by the suffix, and nothing in them that does anything."""

import csv
import io
import json
import shutil
import subprocess
import zipfile
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
from program import run

import fsviz
from fsviz.answers.words import FILLS
from fsviz.model.errors import UsageError
from fsviz.text.forms import FORMS, form_of
from fsviz.text.tables import render
from fsviz.text.workbook import frame_rows, save_workbook

HOSTILE = [
    '=HYPERLINK("x")',
    "+1",
    "-1",
    "@A1",
    "<script>x</script>",
    "a\x1b[31m",
    "\\x",
]


@pytest.fixture
def folder(tmp_path, root):
    for system in ("ext4", "xfs"):
        (tmp_path / "r" / system).mkdir(parents=True)
        for tool, name in (("iozone", "rep1.txt"), ("bonnie++", "rep1.csv")):
            path = root / "data/raw/onehost-2026" / tool / system / name
            shutil.copy(path, tmp_path / "r" / system / f"{tool}.{name}")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    "command,suffix",
    [
        *(("summary", x) for x in ("csv", "json", "md", "xlsx", "parquet")),
        *((x, "xlsx") for x in ("compare", "check", "files", "best", "read")),
    ],
)
def test_every_command_writes_by_suffix(folder, command, suffix):
    source = "r/ext4/iozone.rep1.txt" if command == "read" else "r"
    name = f"out.{suffix}"
    done = run(command, source, "-o", name, cwd=folder)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    found = (folder / name).read_bytes()
    if suffix in ("xlsx", "parquet"):
        assert found[:4] == {"xlsx": b"PK\3\4", "parquet": b"PAR1"}[suffix]
        return
    form = {"md": "markdown"}.get(suffix, suffix)
    assert found.decode() == run(command, source, "--format", form, cwd=folder).stdout


@pytest.mark.parametrize(
    "words,says",
    [
        ("summary nothing -o x.foo", "x.foo: expected a name ending in .csv, .json"),
        ("compare nothing -o x", "found no suffix"),
        ("check nothing -o x.csv --format json", "expected --format csv for this name"),
        ("read nothing --format xlsx", "--format xlsx: expected -o FILE"),
        ("plot nothing -o x.gif", "x.gif: expected a name ending in .html, .png"),
    ],
)
def test_another_name_is_refused_before_anything_is_read(tmp_path, words, says):
    done = run(*words.split(), cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert says in done.stderr


def test_a_form_goes_with_a_suffix_that_says_nothing():
    assert form_of("csv", Path("x.dat")) == "csv"
    assert {form_of(None, Path(f"x.{form}")) for form in FORMS} == set(FORMS)
    with pytest.raises(UsageError, match=r"found \.sarif"):
        form_of(None, Path("x.sarif"))


def test_a_workbook_holds_data_and_notes(folder):
    # without notes there is no sheet of them
    assert run("summary", "r", "-o", "s.xlsx", cwd=folder).returncode == 0
    book = openpyxl.load_workbook(folder / "s.xlsx")
    assert book.sheetnames == ["data"]
    (folder / "r/xfs/notes.txt").write_text("hello\n")
    assert run("summary", "r", "-o", "s.xlsx", cwd=folder).returncode == 1
    book = openpyxl.load_workbook(folder / "s.xlsx")
    assert book.sheetnames == ["data", "notes"]
    head, *rows = book["data"].iter_rows(values_only=True)
    means = [row[head.index("mean")] for row in rows]
    printed = json.loads(run("summary", "r", "--format", "json", cwd=folder).stdout)
    expected = pd.Series([row["mean"] for row in printed], dtype=float)
    pd.testing.assert_series_equal(pd.Series(means, dtype=float), expected, rtol=1e-14)
    [note] = [row[0].value for row in book["notes"].iter_rows()]
    assert "notes.txt:1: expected output" in note


@pytest.fixture
def compared(root, tmp_path):
    """What `compare` writes for a spreadsheet, and what it prints."""
    path = tmp_path / "c.xlsx"
    camp = root / "data/raw/onehost-2026"
    assert run("compare", camp, "-o", path).returncode == 0
    return path, run("compare", camp).stdout


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("soffice"), reason="needs LibreOffice")
def test_libreoffice_shows_the_answer(compared, tmp_path):
    path, printed = compared
    home = f"-env:UserInstallation=file://{tmp_path}/home"
    convert = ["soffice", home, "--headless", "--convert-to", "pdf", path]
    subprocess.run(convert, cwd=tmp_path, check=True, capture_output=True)
    text = ["pdftotext", "-l", "1", "-layout", path.with_suffix(".pdf"), "-"]
    page = subprocess.run(text, check=True, capture_output=True, text=True).stdout
    opening = printed.splitlines()[0]
    assert opening in " ".join(page.split())
    assert "btrfs" in page


@pytest.mark.slow
def test_a_workbook_opens_with_what_is_said_first(folder):
    assert run("compare", "r", "-o", "c.xlsx", cwd=folder).returncode == 0
    sheet, *_ = openpyxl.load_workbook(folder / "c.xlsx").worksheets
    cells = {str(cell) for row in sheet.iter_rows(values_only=True) for cell in row}
    comparison = fsviz.compare(folder / "r")
    for line in comparison.first_words.lines:
        assert any(line.words in cell for cell in cells)
    fills = {str(c.value): c.fill.fgColor.rgb[-6:] for row in sheet for c in row}
    for cell in [c for b in comparison.table.blocks for r in b.rows for c in r.cells]:
        assert fills[cell.words] == FILLS.get(cell.answer, "000000")


def test_of_several_campaigns_each_sheet_names_its_own(folder):
    shutil.copytree(folder / "r", folder / "again")
    assert run("compare", "r", "again", "-o", "c.xlsx", cwd=folder).returncode == 0
    book = openpyxl.load_workbook(folder / "c.xlsx")
    assert book.sheetnames[:3] == ["answers", "answers 2", "data"]
    assert [sheet["A1"].value for sheet in book][:2] == ["r", "again"]
    head, *rows = book["data"].iter_rows(values_only=True)
    assert head[0] == "campaign"
    assert {row[0] for row in rows} == {"r", "again"}


def test_nothing_in_a_workbook_is_a_formula(tmp_path):
    frame = pd.DataFrame({"system": HOSTILE, "value": [1.5] * len(HOSTILE)})
    path = tmp_path / "x.xlsx"
    save_workbook([("data", frame_rows(frame)), ("again", frame_rows(frame))], path)
    parts = zipfile.ZipFile(path)
    sheets = [n for n in parts.namelist() if n.startswith("xl/worksheets/sheet")]
    assert len(sheets) == 2
    assert not any(b"<f>" in parts.read(name) for name in sheets)
    book = openpyxl.load_workbook(path)
    for cell in [row[0] for row in book.worksheets[0].iter_rows(2)]:
        assert cell.data_type == "s"
        assert cell.quotePrefix == (cell.value[:1] in "=+-@")


@pytest.mark.parametrize("name", ["=cmd|'/c x'!A1", "+1", "-1", "@SUM(1)", "\t=1"])
def test_csv_holds_names_exactly(name):
    """Programs read it; SECURITY.md says so, and that a workbook is for people."""
    text = render(pd.DataFrame({name: [name]}), "csv")
    assert list(csv.reader(io.StringIO(text))) == [[name], [name]]


@pytest.mark.parametrize("words", [("--width", "50"), ("--height", "100000")])
def test_a_figure_of_no_size_is_refused(folder, words):
    name = "x.json"
    done = run("plot", "r", "--operation", "write", "-o", name, *words, cwd=folder)
    assert done.returncode == 2
    assert "expected 200 to 8000 pixels" in done.stderr


def test_a_figure_has_the_size_that_was_asked_for(folder):
    words = ("--width", "640", "--height", "400", "-o", "x.json")
    assert run("plot", "r", "--operation", "write", *words, cwd=folder).returncode == 0
    layout = json.loads((folder / "x.json").read_text())["layout"]
    assert (layout["width"], layout["height"]) == (640, 400)
