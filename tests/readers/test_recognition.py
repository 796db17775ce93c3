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


def test_a_refused_file_says_how_to_write_a_table():
    with pytest.raises(UnknownFormatError, match=r"signatures; .*--explain table"):
        read_document(decode("t.txt", b"real life\nsuits every user\n"))
