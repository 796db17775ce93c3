import re
from pathlib import Path

import pytest
from each import each
from iozone_second_route import excel_numbers, read_numbers

from fsviz.model.errors import (
    AmbiguousColumnsError,
    InconsistentDataError,
    MalformedRowError,
    ToolFailureError,
    TruncatedInputError,
    UnsupportedVersionError,
)
from fsviz.readers.document import decode
from fsviz.readers.iozone.text import read_iozone

DATA = Path(__file__).parents[1] / "data" / "iozone"
CAMPAIGNS = [
    path
    for path in sorted(Path("data/raw").glob("*/iozone/*/*.txt"))
    if "reclen" in path.read_text()
]
HEADER_9 = (
    "              kB  reclen    write  rewrite    read    reread    read     write  "
    "   read   rewrite      read   fwrite frewrite    fread  freread\n"
)


def read_sample(name):
    path = next(DATA.glob(f"3.*/{name}.txt"))
    return read_iozone(decode(path.name, path.read_bytes()))


def read_text(text):
    return read_iozone(decode("t.txt", text.encode()))


def one_run(name):
    (run,) = read_sample(name).runs
    return run


PAGE_OPERATIONS = [
    *("write", "rewrite", "read", "reread", "random_read", "random_write"),
    *("backward_read", "record_rewrite", "stride_read", "fwrite", "frewrite"),
    *("fread", "freread", "pwrite", "repwrite", "pread", "repread"),
]


@each(CAMPAIGNS)
def test_campaign_runs_by_splitting_their_rows(path):
    text = path.read_text()
    asked = sorted(int(n) for n in re.findall(r" -i (\d+)", text)) or range(8)
    by_test = [PAGE_OPERATIONS[i : i + 2] for i in (0, 2, 4)] + [
        [name] for name in PAGE_OPERATIONS[6:9]
    ]
    by_test += [PAGE_OPERATIONS[9:11], PAGE_OPERATIONS[11:13]]
    operations = [name for test in asked for name in by_test[test]]
    expected = {}
    for line in text.splitlines():
        if re.fullmatch(r" +\d+ +\d+ [\d ]+", line):
            file, record, *numbers = map(int, line.split())
            assert len(numbers) == len(operations)
            for operation, number in zip(operations, numbers, strict=True):
                if number:
                    expected[operation, file, record] = number
    (run,) = read_iozone(decode(str(path), path.read_bytes())).runs
    assert read_numbers(run.cells) == expected
    assert run.complete


def test_the_facts_of_a_run():
    run = one_run("Racz_i012_b")
    assert run.tool_version == "3.489"
    assert run.command_line == (
        "iozone -Racz -i 0 -i 1 -i 2 -n 64k -g 64m -f t.tmp -b x.xls"
    )
    assert run.started == "2026-11-21T09:07:37"
    assert run.configuration == "-a -c -g 65536k -i 0 -i 1 -i 2 -n 64k -z"
    assert run.complete
    assert run.facts["cache_size_bytes"] == 1024 * 1024
    assert run.facts["time_resolution_s"] == 1e-6


@pytest.mark.parametrize(
    "name,rows,line,error",
    [
        ("enospc_auto", 19, 49, ToolFailureError),
        ("sigterm_auto", 48, 78, ToolFailureError),
        ("sigkill_auto_R", 52, 82, TruncatedInputError),
        ("sigint_auto_R_b", 60, 91, ToolFailureError),
    ],
)
def test_a_run_that_stopped_keeps_its_complete_rows(name, rows, line, error):
    reading = read_sample(name)
    (run,) = reading.runs
    (problem,) = reading.problems
    assert len(set(run.cells.locator)) == rows
    assert not run.complete
    assert f"line {line}" in run.note
    assert isinstance(problem, error)
    assert problem.line == line


def test_rows_broken_by_debug_lines_are_replaced_by_the_excel_section():
    reading = read_sample("auto_async_H")
    (run,) = reading.runs
    (problem,) = reading.problems
    assert isinstance(problem, AmbiguousColumnsError)
    assert problem.line == 31
    text = next(DATA.glob("3.*/auto_async_H.txt")).read_text()
    excel_starts = text[: text.index('"Writer report"')].count("\n") + 1
    assert all(int(p.removeprefix("line ")) > excel_starts for p in run.cells.locator)
    expected = {k: v for k, v in excel_numbers(text).items() if v}
    assert read_numbers(run.cells) == expected


ROW = "              64       4  2358717  6421025  9006179 22737791"


def table(*rows, header=HEADER_9):
    return header + "\n".join(rows) + "\n\niozone test complete.\n"


@pytest.mark.parametrize(
    "row,error",
    [
        (
            "              64       8  2,358,717  6421025  9006179 22737791",
            MalformedRowError,
        ),
        ("              64       8  2358717  6421025  9006179", MalformedRowError),
        (
            "              64       8  2358717  6421025   9006179 22737791",
            AmbiguousColumnsError,
        ),
        (
            "              64     128  2358717  6421025  9006179 22737791",
            AmbiguousColumnsError,
        ),
        (
            "              64       8  2358717  [12.5] usb 1-1 9006179 22737791",
            MalformedRowError,
        ),
        (
            "              64       4  2358717  6421025  9006179 22737791",
            InconsistentDataError,
        ),
    ],
)
def test_a_bad_row_is_named_and_the_others_are_kept(row, error):
    last = "             128       4  2358717  6421025  9006179 22737791"
    reading = read_text(table(ROW, row, last))
    (problem,) = reading.problems
    assert isinstance(problem, error)
    assert problem.line == 3
    assert len(reading.runs[0].cells) == 8


def test_an_unknown_header_is_refused():
    with pytest.raises(UnsupportedVersionError, match=r"t\.txt:1: "):
        read_text(table(ROW, header=HEADER_9.replace("fread  freread", "fread")))


COLLAPSED = " ".join(HEADER_9.split()) + "\n"


def test_collapsed_blanks_are_refused_if_a_column_may_be_empty():
    with pytest.raises(AmbiguousColumnsError, match=r"t\.txt:2: "):
        read_text(table(ROW, header=COLLAPSED))


def test_collapsed_blanks_are_no_matter_if_no_column_is_empty():
    row = "64 4 " + " ".join(str(100 + n) for n in range(13))
    (run,) = read_text(table(row, header=COLLAPSED)).runs
    assert run.cells.operation == PAGE_OPERATIONS[:13]
    assert [value / 1024 for value in run.cells.value] == list(range(100, 113))


def test_a_header_whose_blanks_are_changed_is_refused():
    header = HEADER_9.replace("reclen    write", "reclen      write")
    with pytest.raises(AmbiguousColumnsError, match=r"t\.txt:1: "):
        read_text(table(ROW, header=header))


def test_a_header_that_was_cut_off_is_a_header():
    header = HEADER_9[: HEADER_9.index("   read   rewrite")] + "\n"
    (run,) = read_text(table(ROW, header=header)).runs
    assert [value / 1024 for value in run.cells.value] == (
        [2358717, 6421025, 9006179, 22737791]
    )


def test_a_table_without_rows_is_refused():
    with pytest.raises(TruncatedInputError, match="results"):
        read_text(table())
