"""`fsviz formats` lists what can be read; a hint forces one of them."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import fsviz
from fsviz.cli import app
from fsviz.model.errors import ParseError, UsageError
from fsviz.readers.formats import FORMATS, formats

DATA = Path(__file__).parents[1] / "data"


def invoke(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_every_format_is_listed_with_its_example():
    done = invoke("formats")
    assert done.exit_code == 0
    for form in formats():
        assert re.search(rf"^{re.escape(form.name)} +\S", done.stdout, re.MULTILINE)
        assert form.example.strip() in done.stdout


def test_the_list_for_programs():
    found = json.loads(invoke("formats", "--format", "json").stdout)
    assert [row["format"] for row in found] == [form.name for form in formats()]
    assert {form.name for form in FORMATS} < {row["format"] for row in found}
    assert set(found[0]) == {"format", "title", "example"}


def mixed(tmp_path):
    """A log of two tools; a hint chooses one of them."""
    path = tmp_path / "all.txt"
    iozone = (DATA / "iozone" / "3.489" / "auto_i02.txt").read_text()
    bonnie = (DATA / "bonnie" / "2.00a" / "s256_16k.out.txt").read_text()
    path.write_text(iozone + bonnie)
    return path


@pytest.mark.parametrize(
    "hint,operation",
    [("iozone", "random_write"), ("bonnie++", "sequential_output_block")],
)
def test_a_hint_chooses_the_reader(tmp_path, hint, operation):
    path = mixed(tmp_path)
    assert operation in set(fsviz.read(path)["operation"])
    own = fsviz.read(path, hint=hint)
    assert operation in set(own["operation"])
    assert own["tool"].nunique() == 1
    done = invoke("read", path, "--format-hint", hint, "--format", "csv")
    assert operation in done.stdout


def test_a_wrong_hint_is_a_refusal_and_an_unknown_one_wrong_usage(tmp_path):
    book = DATA / "iozone" / "3.489" / "auto_i02.xls"
    assert len(fsviz.read(book, hint="workbook")) == 224
    for hint in ("iozone", "fio", "ior"):
        with pytest.raises(ParseError, match=re.escape(str(book))):
            fsviz.read(book, hint=hint)
    with pytest.raises(ParseError, match="xlrd can open"):
        fsviz.read(book.with_suffix(".txt"), hint="workbook")
    with pytest.raises(UsageError, match=r"one of iozone, .*, found nope"):
        fsviz.read(book, hint="nope")
