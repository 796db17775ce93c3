"""What is faster with small records and slower with large ones is no average."""

import numpy as np
import pytest

import fsviz
from fsviz.answers.headline import headline
from fsviz.answers.matrix import overview
from fsviz.answers.notes import notes_of
from fsviz.answers.statement import statements

RECORDS = (4, 64, 1024)
FILES = (64, 1024, 16384, 4194304)


@pytest.fixture
def folder(tmp_path):
    """Return a function that writes an own table and gives its folder."""

    def write(truth, files=("8 GiB",), operations=("read",), runs=5):
        rng = np.random.default_rng(1)
        rows = ["system,repeat,operation,file size,record size,value,unit"]
        for system, run in ((s, r) for s in "ab" for r in range(runs)):
            for operation in operations:
                for file, record in ((f, r) for f in files for r in RECORDS):
                    factor = truth(operation, record) if system == "b" else 1.0
                    value = 100 * record**0.5 * factor * np.exp(rng.normal(0, 0.01))
                    place = f"{operation},{file},{record} KiB"
                    rows.append(f"{system},{run + 1},{place},{value:.4f},MiB/s")
        (tmp_path / "own.csv").write_text("\n".join(rows) + "\n")
        return tmp_path / "own.csv"

    return write


def crossing(_operation, record):
    return {4: 1.5, 64: 1.0, 1024: 1 / 1.6}[record]


def test_one_file_size_depends_on_the_record_size(folder):
    data = fsviz.load(folder(crossing))
    frame = overview(data)
    assert headline(frame) == (
        "Against a, own table: b depends: 1.5× faster up to 4-KiB records, 1.6× slower "
        "from 1 MiB."
    )
    row, _ = statements(frame)
    assert (row.depends_on, row.faster_in, row.slower_in) == (
        *("record_size", (4 * 1024,), (1024**2,)),
    )
    assert row.speed == pytest.approx((1.5 / 1.6) ** (1 / 3), rel=0.02)
    # a cold reader took the interval of the mean, near 1, for the answer
    assert row.interval is None
    for by in ("operation", "bucket", "file_size"):
        (told,) = fsviz.compare(data, by=by).to_dict("records")
        assert (told["verdict"], told["depends_on"]) == ("depends", "record_size"), by
    records = fsviz.compare(data, by="record_size")
    assert [*records["verdict"]] == ["faster", "same", "slower"]


def test_file_sizes_that_agree_hide_no_record_size(folder):
    """Each file size is 1.02 times slower on average; the records are not."""
    data = fsviz.load(folder(crossing, files=("8 GiB", "64 MiB", "64 KiB")))
    rows = fsviz.compare(data, by="operation")
    assert [*rows["verdict"]] == ["depends"]
    assert headline(overview(data)).endswith(
        "b depends: 1.5× faster up to 4-KiB records, 1.6× slower from 1 MiB."
    )
    # what is known of a record size is of all files, not of these
    assert {*fsviz.compare(data, by="file_size")["depends_on"]} == {""}


def test_operations_that_depend_on_records_are_said_together(folder):
    data = fsviz.load(folder(crossing, operations=("read", "write")))
    assert headline(overview(data)).endswith(
        "b depends: 1.5× faster up to 4-KiB records, 1.6× slower from 1 MiB."
    )


def test_records_that_differ_one_way_do_not_depend(folder):
    data = fsviz.load(folder(lambda _o, record: 1.5 if record == 4 else 1.2))
    assert [*fsviz.compare(data, by="operation")["verdict"]] == ["faster"]


def test_two_runs_are_not_tested(folder):
    data = fsviz.load(folder(crossing, runs=2))
    (row,) = fsviz.compare(data, by="operation").to_dict("records")
    assert (row["verdict"], row["depends_on"]) == ("untested", "record_size")
    assert [row["faster_in"], row["slower_in"]] == [[4096], [1 << 20]]
    ratios = row["faster_ratio"], row["slower_ratio"]
    assert ratios == pytest.approx((1.5, 1 / 1.6), rel=0.01)
    assert headline(overview(data)) == (
        "Under 3 runs each, so no verdict. Against a, own table: b 1.5× faster up to "
        "4-KiB records, 1.6× slower from 1 MiB."
    )
    note, *_ = notes_of(statements(overview(data)))
    assert note == "· b: read 1.5× faster up to 4-KiB records, 1.6× slower from 1 MiB."


@pytest.mark.parametrize("slow, said", [(1.2, "1.1× faster"), (1.3, "1.3× slower")])
def test_single_runs_are_said_by_size_only_if_far_from_one_both_ways(
    folder, slow, said
):
    def factor(_operation, record):
        return {4: 1.6, 64: 1.0, 1024: 1 / slow}[record]

    frame = overview(fsviz.load(folder(factor, runs=1)))
    assert said in headline(frame)
    assert [one.is_mixed for one in statements(frame)] == [slow > 1.25] * len(frame)


def one_record(size, factor):
    return lambda _operation, record: factor if record == size else 1.0


@pytest.mark.parametrize(
    "truth, said",
    [
        (one_record(1024, 1.6), "b 1.6× faster at 1-MiB records, near 1× elsewhere."),
        (
            lambda _o, record: {4: 1.5, 64: 1.0, 1024: 1.6}[record],
            "b 1.5–1.6× faster at records of 4 KiB and 1 MiB, near 1× elsewhere.",
        ),
        (
            one_record(4, 1.11),
            "b about the same on average, but 1.1× faster at 4-KiB records.",
        ),
    ],
)
def test_a_mean_that_some_record_sizes_make_says_which(folder, truth, said):
    frame = overview(fsviz.load(folder(truth)))
    assert headline(frame) == f"Against a, own table: {said}"


@pytest.mark.slow
def test_of_operations_it_says_which_records_of_which(folder):
    def truth(operation, record):
        return 1.12 if (operation, record) == ("write", 64) else 1.0

    frame = overview(fsviz.load(folder(truth, operations=("read", "write"))))
    assert headline(frame).endswith(
        "b about the same on average, but 1.1× faster at write of 64-KiB records."
    )


def table(folder, rows):
    head = "system,repeat,operation,file size,record size,value,unit\n"
    (folder / "own.csv").write_text(head + "".join(f"{row}\n" for row in rows))
    return fsviz.load(folder / "own.csv")


def of_records(truth, files=FILES, operations=("read",), noise=0.01, runs=5, seed=1):
    """Rows of two systems; files have no records that are larger than they are."""
    rng = np.random.default_rng(seed)
    for system, run in ((s, r) for s in "ab" for r in range(runs)):
        whole = rng.normal(0, noise)
        for operation in operations:
            for file, record in ((f, r) for f in files for r in RECORDS if r <= f):
                factor = truth(operation, file, record) if system == "b" else 1.0
                value = 100 * record**0.5 * factor * np.exp(whole + rng.normal(0, 0.01))
                place = f"{operation},{file} KiB,{record} KiB"
                yield f"{system},{run},{place},{value:.4f},MiB/s"


@pytest.mark.slow
def test_what_depends_on_records_is_not_said_of_files_that_lack_them(tmp_path):
    """Files of 64 KiB have no record of 1 MiB, where it is slower."""
    data = table(tmp_path, of_records(lambda _o, _f, r: crossing(_o, r)))
    (row,) = fsviz.compare(data, by="operation").to_dict("records")
    assert row["depends_on"] == "record_size"
    assert row["slower_in"] == [1024**2]
    data = table(tmp_path, of_records(lambda _o, f, _r: 1.5 if f < 2000 else 0.7))
    (row,) = fsviz.compare(data, by="operation").to_dict("records")
    assert row["depends_on"] == "file_size"


@pytest.mark.slow
def test_one_record_size_of_one_operation_is_named(tmp_path):
    def truth(operation, _file, record):
        return 0.25 if (operation, record) == ("random_write", 4) else 1.0

    operations = ("read", "write", "random_write")
    data = table(tmp_path, of_records(truth, operations=operations))
    assert headline(overview(data)) == (
        "Against a, own table: b 4.0× slower at random write of 4-KiB records, near 1× "
        "elsewhere."
    )


@pytest.mark.slow
def test_what_noise_leaves_open_is_no_average(tmp_path):
    """10 times faster at 4 GiB alone; elsewhere noise of 15 % decides nothing."""

    def truth(_operation, file, _record):
        return 10.0 if file == FILES[-1] else 1.0

    data = table(tmp_path, of_records(truth, noise=0.15, seed=3))
    assert headline(overview(data)) == (
        "Against a, own table: b 10× faster at very large files, inconclusive "
        "elsewhere."
    )


def test_who_measured_larger_files_too_is_compared_at_those_of_both(tmp_path):
    """A table holds what its author chose: further sizes disqualify no common one."""
    rows = of_records(lambda *_: 1.3)
    kept = [row for row in rows if row[0] == "b" or str(FILES[-1]) not in row]
    assert headline(overview(table(tmp_path, kept))).endswith("b 1.3× faster.")


@pytest.mark.slow
def test_what_file_and_record_size_decide_together_is_not_alike(tmp_path):
    """Each cell is twice as fast or half; no mean over files or records shows it."""
    files = (1024, 2048, 4096, 8192)

    def truth(_operation, file, record):
        return 2.0 if (files.index(file) % 2 == 0) == (record == 4) else 0.5

    rows = of_records(truth, files=files)
    data = table(tmp_path, (row for row in rows if ",64 KiB," not in row))
    frame = overview(data)
    row, _ = statements(frame)
    assert row.torn[:2] == (4, 4)
    assert headline(frame).endswith(
        "about the same on average, but up to 2.0× slower in 4 of 8 cells and up to "
        "2.0× faster in 4."
    )
    equal = table(tmp_path, of_records(lambda *_: 1.0, files=files))
    assert {statement.torn for statement in statements(overview(equal))} == {None}


@pytest.mark.slow
@pytest.mark.parametrize(
    "fast, slow, said",
    [
        # the mean is 1.5 times faster, and half of the cells are slower
        (3.2, 0.72, "1.5× faster, but up to 1.4× slower in 4 of 8 cells."),
        (
            3.0,
            0.47,
            (
                "no single winner: 1.2× faster cell by cell, 1.5× slower in total "
                "time, up to 2.2× slower in 4 of 8 cells and up to 3.0× faster in 4."
            ),
        ),
    ],
)
def test_cells_that_go_the_other_way_are_counted(tmp_path, fast, slow, said):
    files = (1024, 2048, 4096, 8192)

    def truth(_operation, file, record):
        return fast if (files.index(file) % 2 == 0) == (record == 4) else slow

    rows = of_records(truth, files=files)
    data = table(tmp_path, (row for row in rows if ",64 KiB," not in row))
    assert headline(overview(data)) == f"Against a, own table: b {said}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "where, said",
    [
        (
            {("read", 4): 0.5},
            "b about the same on average, but 2.0× slower at read of 4-KiB records.",
        ),
        (
            {("read", 4): 0.5, ("write", 4): 0.5},
            "b 2.0× slower at write and read of 4-KiB records, near 1× elsewhere.",
        ),
        (
            {("read", 4): 2.0, ("write", 1024): 2.0},
            (
                "b 2.0× faster at write of 1-MiB records and 2.0× faster at read of "
                "4-KiB records, near 1× elsewhere."
            ),
        ),
    ],
)
def test_records_of_several_operations_are_named(tmp_path, where, said):
    """The average of one cell in many lay within the band: '1.04 times slower'."""

    def truth(operation, _file, record):
        return where.get((operation, record), 1.0)

    operations = ("read", "write", "reread", "rewrite", "random_read", "random_write")
    rows = of_records(truth, files=FILES[2:], operations=operations, noise=0.002)
    assert headline(overview(table(tmp_path, rows))).endswith(said)
