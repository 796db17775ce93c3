"""A signature is looked for only where one of its words is; that must not lose any."""

from pathlib import Path

import pytest

from fsviz.model.errors import EncodingError, UnknownFormatError
from fsviz.readers.document import decode
from fsviz.readers.formats import FORMATS, read_document

ROOT = Path(__file__).parents[2]
FOLDERS = [ROOT / "tests" / "data", ROOT / "data" / "raw", ROOT.parent / "shared"]


def texts(folder):
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".txt", ".csv", ".log", ".md", ".out", ".html", ".json"):
            try:
                yield path, decode(str(path), path.read_bytes())
            except EncodingError:
                continue


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_words_of_a_format_are_in_every_text_that_it_recognises(folder):
    lost = [
        (path.name, form.name)
        for path, document in texts(folder)
        for form in FORMATS
        if not form.matches(document) and form.signature.search(document.text)
    ]
    assert lost == []


OF_FIO = "hello\n\nrandread: (g=0): rw=randread, bs=4K-4K, iodepth=1\nfio-3.1\n"
LACKING = "a table 'fs;system;MB/s' without a column operation and value"


@pytest.mark.parametrize(
    "text, line, found, form",
    [
        ("# my disks\nfs;system;MB/s\next4;a;1\n", 2, LACKING, "table"),
        (OF_FIO, 3, "'fio-' and 'iodepth=', as in fio's output: JSON or text", "fio"),
        ('{"runs": [{"speed": 1}]}', 1, "JSON with 'runs', 'speed'", "table"),
    ],
)
def test_a_refused_file_says_what_it_resembles(text, line, found, form):
    with pytest.raises(UnknownFormatError) as error:
        read_document(decode("t.txt", text.encode()))
    assert error.value.line == line
    see = f"see `fsviz formats`, and `fsviz formats --explain {form}`"
    assert error.value.found == f"none of their signatures, but {found}; {see}"


def test_a_refused_file_that_resembles_nothing_says_how_to_write_a_table():
    with pytest.raises(UnknownFormatError, match=r"signatures; see .*--explain table"):
        read_document(decode("t.txt", b"real life\nsuits every user\n"))
