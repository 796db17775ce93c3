"""Tables rendered as iozone.c renders them read back exactly; damage never misleads."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from fsviz.model.errors import AmbiguousColumnsError
from fsviz.readers.document import decode
from fsviz.readers.iozone.text import read_iozone

DATA = Path(__file__).parents[1] / "data" / "iozone"
NAMES = {
    0: ("write", "rewrite"),
    1: ("read", "reread"),
    2: ("random_read", "random_write"),
    3: ("backward_read",),
    4: ("record_rewrite",),
    5: ("stride_read",),
    6: ("fwrite", "frewrite"),
    7: ("fread", "freread"),
    9: ("pwrite", "repwrite"),
    10: ("pread", "repread"),
}
# iozone.c of four ages: header, formats of the numbers, blanks of a skipped test.
HEADERS = {
    name: next(
        line
        for line in next(DATA.glob(f"3.*/{stem}.txt")).read_text().splitlines()
        if " reclen " in line
    )
    for name, stem in (
        ("8", "v414_auto_E_i067910"),
        ("9", "auto_E"),
        ("10", "v510_auto_E"),
    )
}
NUMBERS = {
    "8": "8 8,9 9,8 8,8,9,9,9 9,8 9,8 9,8 9",
    "9": "9 9,9 9,9 9,9,10,10,9 9,9 9,9 9,8 9",
    "10": "10 10,10 10,10 10,10,11,11,10 10,10 10,10 10,10 10",
}
OLD = (16, 18, 16, 8, 8, 8, 18, 16, 17, 19)
NEW = (18, 18, 18, 9, 10, 10, 18, 17, 18, 18)
AGES = {"8": ("8", OLD), "9a": ("9", OLD), "9b": ("9", NEW), "10": ("10", NEW)}


def render(age, chosen, rows):
    """The table as printf writes it; trailing blanks included."""
    layout, blanks = AGES[age]
    formats = [text.split() for text in NUMBERS[layout].split(",")]
    lines = [HEADERS[layout]]
    for file, record, values in rows:
        line, remaining = f"{file:16d}{record:8d}", iter(values)
        for place, test in enumerate(NAMES):
            if test in chosen:
                line += "".join(f"{next(remaining):{w}d}" for w in formats[place])
            else:
                line += " " * blanks[place]
        lines.append(line)
    return "\n".join(lines) + "\n\niozone test complete.\n"


def widths(age, chosen):
    formats = NUMBERS[AGES[age][0]].split(",")
    return [
        int(w)
        for place, test in enumerate(NAMES)
        if test in chosen
        for w in formats[place].split()
    ]


@st.composite
def tables(draw, largest):
    """An age, a selection of tests, and rows; numbers of at most `largest` digits."""
    age = draw(st.sampled_from(sorted(AGES)))
    chosen = draw(st.sets(st.sampled_from(sorted(NAMES)), min_size=1))
    fields = widths(age, chosen)
    sizes = [(64 << f, 4 << r) for f in range(14) for r in range(13) if r <= f + 4]
    pairs = draw(st.lists(st.sampled_from(sizes), min_size=1, max_size=6, unique=True))
    rows = []
    for file, record in pairs:
        # A first number as wide as its field touches the record size as well.
        digits = [min(largest, fields[0] - 1), *(min(largest, w) for w in fields[1:])]
        values = [draw(st.integers(1, 10**count - 1)) for count in digits]
        rows.append((file, record, values))
    return age, chosen, rows


def expected_of(chosen, rows):
    names = [name for test in NAMES if test in chosen for name in NAMES[test]]
    return {
        (name, file * 1024, record * 1024): value * 1024.0
        for file, record, values in rows
        for name, value in zip(names, values, strict=True)
    }


def table_of(run):
    cells = run.cells
    keys = zip(
        cells.operation, cells.file_size_bytes, cells.record_size_bytes, strict=True
    )
    return dict(zip(keys, cells.value, strict=True))


def read(text):
    return read_iozone(decode("t.txt", text.encode()))


@settings(deadline=None)
@given(tables(largest=7), st.sampled_from(["", "    ", "\t"]), st.booleans())
def test_a_table_reads_back_exactly(table, indent, trimmed):
    age, chosen, rows = table
    lines = [indent + line for line in render(age, chosen, rows).splitlines()]
    if trimmed:
        lines = [line.rstrip() for line in lines]
    reading = read("\n".join(lines) + "\n")
    assert table_of(reading.runs[0]) == expected_of(chosen, rows)
    assert reading.problems == ()


@settings(deadline=None)
@given(tables(largest=11))
def test_numbers_that_touch_read_back_exactly_if_the_tests_are_known(table):
    age, chosen, rows = table
    tests = " ".join(f"-i {test}" for test in sorted(chosen))
    banner = f"\tCommand line used: iozone -a -E {tests}\n"
    reading = read(banner + render(age, chosen, rows))
    assert table_of(reading.runs[0]) == expected_of(chosen, rows)


@settings(deadline=None)
@given(tables(largest=11))
def test_numbers_that_touch_are_never_put_into_another_column(table):
    age, chosen, rows = table
    expected = expected_of(chosen, rows)
    try:
        reading = read(render(age, chosen, rows))
    except AmbiguousColumnsError:
        return
    found = table_of(reading.runs[0])
    assert found == {key: expected[key] for key in found}
    assert found == expected or reading.problems
