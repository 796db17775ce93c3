"""All forms of one run give the same table, but for IOzone's own bugs.

A run may be there as text table, as the Excel section of the same text, as the workbook
of ``-b`` and as what LibreOffice saved. The bugs are listed here one by one.
"""

import math
from itertools import combinations
from pathlib import Path

import pytest
from iozone_goldens import excel_reports, plain_text

from fsviz.model.errors import InconsistentDataError
from fsviz.readers.formats import read_file

DATA = Path(__file__).parents[1] / "data" / "iozone"
RAW = Path(__file__).parents[2] / "data" / "raw"
SUFFIXES = (".xls", ".libreoffice.xlsx", ".libreoffice.csv")

# The header stops at the last -r, or -+x writes too many zeros: it is refused.
TOO_LONG = {"auto_x4", "multi_r_s_R_b"}
# -E and -i without -i 8: it shows pwrite as pread, and lacks all four.
SHIFTED = {"auto_E_i0910", "v507_auto_E_i0910", "v510_auto_E_i0910"}
LOST = {"pwrite", "repwrite", "pread", "repread"}


def forms_of(text):
    base = text.name.removesuffix(".txt")
    found = [text.with_name(base + suffix) for suffix in SUFFIXES]
    return [text, *(path for path in found if path.exists())]


TEXTS = [*sorted(DATA.glob("3.*/*.txt")), *sorted(RAW.glob("*/iozone/*/*.txt"))]
SEVERAL = [path for path in TEXTS if len(forms_of(path)) > 1]


def name_of(path):
    return f"{path.parent.name}-{path.stem}"


def table_of(path):
    """{cell: (low, value, high)} without what only a text states."""
    (run,) = read_file(path).runs
    cells = run.cells
    keys = zip(
        cells.operation,
        cells.file_size_bytes,
        cells.record_size_bytes,
        cells.threads,
        cells.metric,
        strict=True,
    )
    numbers = zip(cells.low, cells.value, cells.high, strict=True)
    return {
        key: number
        for key, number, child in zip(keys, numbers, cells.child, strict=True)
        if child is None and "child" not in key[-1] and "parent" not in key[-1]
    }


def same(one, other):
    """Tell whether two printings can be of one number: to the digits of the coarser."""
    # LibreOffice saves 15 digits of what -b wrote with 17
    if math.isclose(one[1], other[1], rel_tol=1e-14) or str(one) == str(other):
        return True
    return one[0] <= other[2] and other[0] <= one[2]


@pytest.mark.parametrize("text", SEVERAL, ids=name_of)
def test_all_forms_of_a_run_give_the_same_table(text):
    forms = forms_of(text)
    if text.stem in TOO_LONG:
        with pytest.raises(InconsistentDataError, match="longer rows"):
            read_file(forms[1])
        return
    tables = {path.name: table_of(path) for path in forms}
    for first, second in combinations(tables, 2):
        one, other = tables[first], tables[second]
        missing = {key[0] for key in one.keys() - other.keys()}
        assert missing == (LOST if text.stem in SHIFTED else set())
        assert not other.keys() - one.keys()
        differing = [k for k in other if not same(one[k], other[k])]
        assert differing == []


def test_the_bugs_are_in_the_samples():
    stems = {path.stem for path in SEVERAL}
    assert stems >= TOO_LONG | SHIFTED
    assert len(SEVERAL) > 80


# Excel sections that show IOzone's bugs; the same runs as above, and without -b.
SECTION_BUGS = {
    "multi_r_s_R_b": "rows longer than the header",
    "auto_x4": "rows longer than the header",
    "auto_E_i0910": "pread shows pwrite",
    "v507_auto_E_i0910": "pread shows pwrite",
    "v510_auto_E_i0910": "pread shows pwrite",
    "v414_auto_E_i067910": "pread shows pwrite",
    "v507_multi_r": "rows longer than the header",
    "v510_multi_r": "rows longer than the header",
}
SECTIONS = [
    path
    for path in TEXTS
    if " reclen " in (text := path.read_text(errors="replace"))
    and ' report"\n' in text
    and not path.stem.startswith("auto_async")
]


@pytest.mark.parametrize("path", SECTIONS, ids=name_of)
def test_the_excel_section_agrees_with_the_table(path):
    table = table_of(path)
    unit = {"throughput": 1024, "rate": 1, "latency": 1e-6}
    metrics = {key[-1] for key in table} - {"cpu"}
    (metric,) = metrics
    numbers = {
        (operation, file * 1024, record * 1024): number * unit[metric]
        for operation, file, record, number, _ in excel_reports(
            plain_text(path.read_bytes())
        )
    }
    printed = {
        key[:3]: number[1]
        for key, number in table.items()
        if key[-1] == metric and number[1] == number[1]
    }
    assert (printed == pytest.approx(numbers, rel=1e-12)) == (
        path.stem not in SECTION_BUGS
    )
