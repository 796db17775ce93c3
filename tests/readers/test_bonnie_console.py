"""Console tables of bonnie++ against the CSV rows of the same runs."""

import math
from contextlib import suppress
from pathlib import Path

import pytest
from each import each

from fsviz.model.errors import (
    AmbiguousColumnsError,
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    ToolFailureError,
    TruncatedInputError,
    UnsupportedVersionError,
)
from fsviz.readers.bonnie.merge import read_bonnie
from fsviz.readers.document import decode
from fsviz.readers.formats import read_document, read_file

DATA = Path(__file__).parents[1] / "data" / "bonnie"
RAW = Path(__file__).parents[2] / "data" / "raw"
IO = ("sequential_output_", "sequential_input_", "random_seeks")
HEADER = """\
Version  1.97       ------Sequential Output------ --Sequential Input- --Random-
Concurrency   1     -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--
Machine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec %CP
"""


def read_text(text):
    return read_bonnie(decode("b.txt", text.encode()))


def cells_of(run, io_only=False):
    c = run.cells
    return {
        (c.operation[i], c.metric[i]): (c.value[i], c.low[i], c.high[i])
        for i in range(len(c))
        if not io_only or c.operation[i].startswith(IO)
    }


def flat(run):
    return {
        (*key, bound): number
        for key, numbers in cells_of(run).items()
        for bound, number in zip(("value", "low", "high"), numbers, strict=True)
    }


def assert_same(run, other):
    assert flat(run) == pytest.approx(flat(other), nan_ok=True)


def without_csv(path):
    lines = path.read_text().splitlines()
    return "\n".join(line for line in lines if line.count(",") < 26)


def assert_rounds(console, exact):
    """Each number of the table may be that of the CSV row, which cuts digits off."""
    assert console.keys() == exact.keys()
    for key, (value, low, high) in console.items():
        _, least, most = exact[key]
        assert math.isnan(value) == math.isnan(exact[key][0]), key
        assert math.isnan(value) or (low < most and least <= high), key
        assert not math.isnan(value) or low == exact[key][1] or math.isnan(low), key


@pytest.mark.parametrize(
    "name",
    [
        "1.03e/v103e_chunk",
        "1.03e/v103e_s0",
        "1.96/v196_chunk",
        "1.96/v196_s0",
        "1.97.3/v1973_chunk",
        "1.97.3/v1973_s0",
    ],
)
def test_tables_up_to_1_97_say_what_the_row_says(name):
    table = read_file(DATA / f"{name}.err.txt")
    row = read_file(DATA / f"{name}.out.txt")
    assert not table.problems
    assert_same(table.runs[0], row.runs[0])
    assert table.runs[0].configuration == row.runs[0].configuration
    assert table.runs[0].host == row.runs[0].host


@each(sorted(RAW.glob("*/bonnie++/**/*.txt")))
def test_tables_of_the_campaigns_round_their_rows(path):
    table = read_file(path).runs[0]
    row = read_file(path.with_suffix(".csv")).runs[0]
    assert_rounds(cells_of(table), cells_of(row, io_only=True))
    assert table.configuration == row.configuration


@pytest.mark.parametrize("name", ["s64_q", "s2g_D"])
def test_tables_of_2_00a(name):
    reading = read_file(DATA / "2.00a" / f"{name}.err.txt")
    row = read_file(DATA / "2.00a" / f"{name}.out.txt").runs[0]
    assert_rounds(cells_of(reading.runs[0]), cells_of(row, io_only=True))


def test_k_is_cut_off_on_the_console_and_m_is_rounded():
    (run,) = read_file(DATA / "2.00a" / "s64_q.err.txt").runs
    found = cells_of(run)["sequential_output_per_char", "throughput"]
    assert found == (4612 * 1024, 4612 * 1024, 4613 * 1024)
    (run,) = read_file(DATA / "2.00a" / "s2g_D.err.txt").runs
    found = cells_of(run)["sequential_output_rewrite", "throughput"]
    assert found == (930 * 1024**2, 929.5 * 1024**2, 930.5 * 1024**2)


def test_file_rates_of_2_00a_are_garbage_on_the_console():
    reading = read_file(DATA / "2.00a" / "s64_q.err.txt")
    (problem,) = reading.problems
    assert isinstance(problem, UnsupportedVersionError)
    assert problem.line == 9
    for name in ("s0_n2", "nlink", "n_maxonly"):
        with pytest.raises(UnsupportedVersionError, match="number of files"):
            read_file(DATA / "2.00a" / f"{name}.err.txt")


def test_table_and_row_of_one_run_are_one_run():
    path = DATA / "1.97.3" / "v1973_s2g.out.txt"
    both = read_file(path)
    (alone,) = read_text(without_csv(path)).runs
    (run,) = both.runs
    assert set(run.cells.locator) == {"line 11"}
    assert_same(alone, run)
    assert alone.configuration == run.configuration
    assert alone.tool_version == "1.97"


def test_a_table_whose_row_is_lost_counts():
    path = DATA / "1.97.3" / "v1973_s2g.out.txt"
    reading = read_text(
        path.read_text() + without_csv(path).replace("  3317", "  3327")
    )
    assert len(reading.runs) == 2
    first, second = (
        cells_of(run)["sequential_output_per_char", "throughput"][0] / 1024
        for run in reading.runs
    )
    assert (first, second) == (3317, 3327)


def test_a_table_that_contradicts_its_row():
    text = (DATA / "1.97.3" / "v1973_s2g.out.txt").read_text()
    reading = read_text(text.replace("  3317", "  3327"))
    (problem,) = reading.problems
    assert isinstance(problem, InconsistentDataError)
    assert problem.line == 4
    assert len(reading.runs) == 1


def test_a_cut_row_leaves_its_table():
    text = (DATA / "1.97.3" / "v1973_s2g.out.txt").read_text()
    reading = read_text(text[: text.rindex(",19,20,")])
    (run,) = reading.runs
    assert cells_of(run)["sequential_create", "rate"][0] == 11485
    (problem,) = reading.problems
    assert isinstance(problem, TruncatedInputError)
    assert problem.line == 11


def test_several_machines_under_one_header():
    row = "{:<17}2G 1{}000  77 119674  61 326586  62 28855  62 +++++ +++ 100.5   3\n"
    rows = [row.format(name, k) for k, name in enumerate(("a", "b (c)", "d"))]
    reading = read_text(HEADER.replace(" 1.97", " 1.03") + "".join(rows))
    assert [run.host for run in reading.runs] == ["a", "b (c)", "d"]
    rates = [
        cells_of(r)["sequential_output_per_char", "throughput"][0] for r in reading.runs
    ]
    assert rates == [10000 * 1024, 11000 * 1024, 12000 * 1024]
    assert len({run.configuration for run in reading.runs}) == 1


@pytest.mark.parametrize(
    "row,error",
    [
        ("host             2G  3317  71 67a934  45", MalformedRowError),
        ("host             2G  3317  71 676934  45" + "  1" * 10, MalformedRowError),
        ("host                3317  71 676934  45", MalformedRowError),
        ("averyverylonghost2G  3317  71 676934  45", AmbiguousColumnsError),
        ("host             2G  3317  71 676.5  45", MalformedRowError),
        ("", TruncatedInputError),
    ],
)
def test_what_is_refused(row, error):
    with pytest.raises(error) as caught:
        read_text(HEADER + row + "\n")
    assert caught.value.line == 4


def test_unknown_version():
    with pytest.raises(UnsupportedVersionError, match=r"b\.txt:1: .*'3\.01'"):
        read_text(HEADER.replace(" 1.97", " 3.01") + "h  2G  3317  71\n")


def test_two_numbers_of_concurrency_are_refused():
    row = "host             2G  3317  71 676934  45\n"
    [run] = read_text(HEADER.replace("   1 ", "  16 ") + row).runs
    assert set(run.cells.threads) == {16}
    with pytest.raises(MalformedRowError, match=r":2: .*concurrency.* 4 1 "):
        read_text(HEADER.replace("   1 ", " 4 1 ") + row)


def test_cut_latencies_leave_the_rates():
    path = DATA / "1.97.3" / "v1973_s2g.out.txt"
    text = without_csv(path)
    reading = read_text(text[: text.index("us", text.index("23096us")) + 1])
    (run,) = reading.runs
    assert not run.complete
    assert "line 5" in run.note
    assert set(run.cells.metric) == {"throughput", "rate", "cpu"}
    (problem,) = reading.problems
    assert problem.line == 5


@pytest.mark.parametrize("name", ["bonnie_quoted.csv", "bonnie_semicolon.csv"])
def test_rows_that_a_spreadsheet_saved_again(name):
    twin = {"bonnie_quoted.csv": "s2048_putc", "bonnie_semicolon.csv": "s256_16k"}[name]
    saved = read_file(DATA / "2.00a" / name).runs[0]
    original = read_file(DATA / "2.00a" / f"{twin}.out.txt").runs[0]
    assert_same(saved, original)
    assert saved.host == original.host


def bounds_of(run):
    c = run.cells
    keys = zip(c.operation, c.metric, c.file_size_bytes, strict=True)
    return dict(zip(keys, zip(c.low, c.high, strict=True), strict=True))


def test_a_page_agrees_with_the_rows_that_it_was_made_of():
    page = read_file(DATA / "2.00a" / "all.html")
    rows = {}
    for path in (DATA / "2.00a").glob("*.out.txt"):
        with suppress(ParseError):
            for run in read_file(path).runs:
                latencies = [v for k, v in bounds_of(run).items() if "latency" in k]
                rows[str(latencies)] = bounds_of(run)
    assert [run.system for run in page.runs] == ["lnk", "sym", "vm", "big", *["vm"] * 6]
    compared = 0
    for run in page.runs:
        found = bounds_of(run)
        latencies = [v for key, v in found.items() if "latency" in key]
        row = rows.get(str(latencies))
        if row is None:
            continue
        compared += 1
        assert found.keys() == row.keys()
        for key, (low, high) in found.items():
            assert not high < row[key][0], key
            assert not row[key][1] < low, key
    assert compared > 5


def test_a_page_has_units_of_its_own(tmp_path):
    rate = "<td>{}</td><td>{}</td>"
    texts = [("207", "99"), ("45", "7"), ("0", "1"), ("562", "86"), ("0", "+++")]
    row = "".join(rate.format(*pair) for pair in (*texts, ("217.0", "4")))
    titles = "".join(f"<td>{name}</td>" for name in PAGE_TITLES)
    path = tmp_path / "page.html"
    path.write_text(
        f"<title>Bonnie++ Benchmark results</title><table><tr><td>Version 2.00a</td>"
        f"</tr><tr>{titles}</tr><tr><td></td><td>M/sec</td></tr>\n<tr><td>nfs</td>"
        f"<td>4</td><td>2G</td>{row}<td></td>{'<td></td>' * 12}</tr>\n</table></html>"
    )
    (run,) = read_file(path).runs
    c = run.cells
    speeds = [i for i, metric in enumerate(c.metric) if metric == "throughput"]
    assert [c.low[i] for i in speeds[:4]] == [
        *(207 * 1024, 44.5 * 1024**2, 0, 562 * 1024)
    ]
    assert [c.high[i] for i in speeds[1:3]] == [45.5 * 1024**2, 0.5 * 1024**2]
    # faster than half a second for 2 GiB
    assert (c.low[speeds[4]], c.threads[0]) == (2**32, 4)


PAGE_TITLES = ("", "Concurrency", "Size", "Per Char", "Block", "Rewrite", "Per Char")
PAGE_TITLES += ("Block", "Num Files", *("Create", "Read", "Delete") * 2)


def test_a_page_that_is_cut_off_says_so(tmp_path):
    text = (DATA / "2.00a" / "all.html").read_text()
    path = tmp_path / "cut.html"
    path.write_text(text[: len(text) * 2 // 3])
    reading = read_file(path)
    assert 3 < len(reading.runs) < 10
    assert [type(problem) for problem in reading.problems] == [TruncatedInputError]


def test_a_failed_run_beside_a_good_one():
    good = (DATA / "2.00a" / "s64_x1.out.txt").read_text()
    bad = (DATA / "2.00a" / "enospc.err.txt").read_text()
    reading = read_text(good + bad)
    assert len(reading.runs) == 1
    assert [type(p) for p in reading.problems] == [ToolFailureError]


def test_the_table_of_the_first_bonnie_is_refused_and_not_lost():
    table = """
              -------Sequential Output-------- ---Sequential Input-- --Random--
              -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---
Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU  /sec %CPU
host-0   2047 10600 34.3 11900  1.9  1200  0.1 18600 63.4 25500  2.1  80.0  0.1
"""
    copied = "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 2.37104 s, 453 MB/s\n"
    reading = read_document(decode("t.txt", (copied + table).encode()))
    assert [run.tool for run in reading.runs] == ["dd"]
    (problem,) = reading.problems
    assert "bonnie++" in problem.expected
