"""bonnie++ CSV rows against hand-read literals and a count of fields from the end."""

import math
from pathlib import Path

import pytest
from compared import compare
from each import each

import fsviz
from fsviz.model.errors import (
    MalformedRowError,
    ParseError,
    TruncatedInputError,
    UnsupportedVersionError,
)
from fsviz.readers.bonnie.merge import read_bonnie
from fsviz.readers.document import decode
from fsviz.readers.formats import read_file

DATA = Path(__file__).parents[1] / "data" / "bonnie"
RAW = Path(__file__).parents[2] / "data" / "raw"
SAMPLES = [
    *(*DATA.rglob("*.out.txt"), *DATA.rglob("merged.txt")),
    *RAW.glob("*/bonnie++/**/*.csv"),
]
IO = [
    *(f"sequential_output_{way}" for way in ("per_char", "block", "rewrite")),
    *("sequential_input_per_char", "sequential_input_block", "random_seeks"),
]
FILES = [
    f"{order}_{what}"
    for order in ("sequential", "random")
    for what in ("create", "stat", "delete")
]


def read_text(text):
    return read_bonnie(decode("b.csv", text.encode()))


def cells_of(run):
    cells = run.cells
    return {
        (cells.operation[i], cells.metric[i]): (
            cells.value[i],
            cells.low[i],
            cells.high[i],
        )
        for i in range(len(cells))
    }


def rows_of(path):
    """The CSV rows of a sample: the lines with 26 commas or more, headers aside."""
    lines = path.read_text().splitlines()
    return [
        line for line in lines if line.count(",") >= 26 and "seq_create" not in line
    ]


def second_route(row):
    """What a row says, counted from its end, which no comma in a label can move."""
    f = row.split(",")
    latency = 12 if f[0].startswith("1.9") else 0
    gap = {0: 1, 12: 5}[latency]
    tests = len(f) - latency - 12
    io = tests - gap - 12
    texts = {}
    for start, names in ((io, IO), (tests, FILES)):
        for k, name in enumerate(names):
            rate, cpu = f[start + 2 * k], f[start + 2 * k + 1]
            is_throughput = name in IO[:5]
            factor = 1024 if is_throughput else 1
            if rate.startswith("+"):
                texts[name, "throughput" if is_throughput else "rate"] = math.nan
            elif rate:
                kind = "throughput" if is_throughput else "rate"
                texts[name, kind] = float(rate) * factor
            if cpu and not cpu.startswith("+"):
                texts[name, "cpu"] = float(cpu)
    for k, name in enumerate(IO + FILES if latency else []):
        text = f[len(f) - 12 + k]
        if text:
            digits = text.rstrip("mus")
            unit = {"us": 1e-6, "ms": 1e-3, "s": 1.0}[text[len(digits) :]]
            texts[name, "latency"] = int(digits) * unit
    return texts


def assert_agrees(reading, path):
    rows = rows_of(path)
    assert len(reading.runs) == len(rows) > 0
    for run, row in zip(reading.runs, rows, strict=True):
        found = {key: value for key, (value, _, _) in cells_of(run).items()}
        assert found == pytest.approx(second_route(row), rel=1e-12, nan_ok=True)


@each(SAMPLES)
def test_every_row_of_every_sample(path):
    reading = read_file(path)
    assert not reading.problems
    assert_agrees(reading, path)


def test_values_of_2_00a_by_hand():
    (run,) = read_file(DATA / "2.00a" / "s2048_putc.out.txt").runs
    cells = cells_of(run)
    block = cells["sequential_output_block", "throughput"]
    assert block == (849823 * 1024, 849823 * 1024, 849824 * 1024)
    assert cells["sequential_output_block", "cpu"] == (78, 78, 79)
    value, low, high = cells["sequential_create", "latency"]
    assert value == low
    assert value == pytest.approx(0.034878)
    assert high == pytest.approx(0.034879)
    # of all rates, only seeks are rounded
    assert cells["random_seeks", "rate"] == (7514, 7513.5, 7514.5)
    # The console table beside it claims 20480, which is the number of files
    assert cells["sequential_create", "rate"][0] == 16850
    assert (run.tool_version, run.host) == ("2.00a", "a-very-long-machine-name-over-20")
    assert set(run.cells.locator) == {"line 11"}


def test_a_run_that_was_too_fast_is_not_left_out_of_a_comparison(tmp_path):
    """1.97 does not say how many seeks it made, so there is hardly a bound."""
    sample = DATA / "1.97.3" / "v1973_s2g.out.txt"
    row = next(r for r in sample.read_text().splitlines() if r.startswith("1.97,"))
    fields = row.split(",")
    for system, factor in (("a", 1), ("b", 2)):
        for k in range(3):
            seeks = "+++++" if system == "b" and k == 2 else f"{800 * factor + k}.0"
            fields[4], fields[17:19] = str(10**9 + k), [seeks, "+++"]
            path = tmp_path / system / f"{k}.csv"
            path.parent.mkdir(exist_ok=True)
            path.write_text(",".join(fields) + "\n")
    compared = compare(fsviz.load(tmp_path), operation=["random_seeks"])
    (row,) = compared.query("metric == 'rate'").to_dict("records")
    assert (row["n_baseline"], row["n_candidate"]) == (3, 3)
    assert math.isnan(row["ratio"])
    assert row["answer"] == "inconclusive"


def test_too_fast_is_a_bound_and_never_a_value():
    (run,) = read_file(DATA / "2.00a" / "s64_n1.out.txt").runs
    cells = cells_of(run)
    bounds = {
        ("sequential_output_block", "throughput"): 64 * 1024**2 / 0.5,
        ("random_seeks", "rate"): 8192 / 0.5,
        ("random_delete", "rate"): 1024 / 0.5,
        # how many characters it reads is not known; it was one at least
        ("sequential_input_per_char", "throughput"): 1 / 0.5,
    }
    for key, bound in bounds.items():
        value, low, high = cells[key]
        assert math.isnan(value)
        assert math.isnan(high)
        assert low == bound
        assert (key[0], "cpu") not in cells


def test_rows_of_one_invocation_are_repeats():
    runs = read_file(DATA / "2.00a" / "s64_x3.out.txt").runs
    assert len({run.configuration for run in runs}) == 1
    assert [run.identity.split("-")[1] for run in runs] == ["1", "2", "3"]


def test_a_label_may_hold_commas_and_quotes():
    (run,) = read_file(DATA / "2.00a" / "s256_16k.out.txt").runs
    assert run.host == 'lab,host "q" 1'
    (run,) = read_file(DATA / "1.03e" / "v103e_chunk.out.txt").runs
    assert run.host == "a,b"
    row = (DATA / "1.96" / "v196_s0.out.txt").read_text().replace("host", "a,b")
    (run,) = read_text(row).runs
    assert run.host == "a,b"
    assert cells_of(run)["sequential_create", "rate"][0] == 4574


@pytest.mark.parametrize(
    "old,new",
    [
        (",96M,", ",97M,"),
        (",8192,5,", ",8192,6,"),
        (",1,8192,512,,4,", ",2,8192,512,,4,"),
        (",1,8192,512,,4,", ",1,8192,511,,4,"),
        (",1,8192,512,,4,", ",1,8192,512,,5,"),
        ("host,1,", "host,2,"),
        (",,,300,1", ",200,1,300,1"),
    ],
)
def test_other_settings_are_another_configuration(old, new):
    io = ",,,300,1,200,1,,,+++++,+++,100.5,2"
    row = f"1.98,2.00a,host,1,17,96M,,8192,5{io},1,8192,512,,4{',7,1' * 6}{',' * 12}"
    assert old in row

    def configuration(text):
        return read_text(text).runs[0].configuration

    assert configuration(row.replace(old, new, 1)) != configuration(row)
    for same in (row.replace("host", "other"), row.replace(",17,", ",18,")):
        assert configuration(same) == configuration(row)


@pytest.mark.parametrize(
    "old,new,error",
    [
        ("1.98,", "1.99,", UnsupportedVersionError),
        (",849823,", ",849 823,", MalformedRowError),
        (",849823,", ",-849823,", MalformedRowError),
        (",849823,", ",849823.5,", MalformedRowError),
        (",849823,", f",{10**18},", MalformedRowError),
        (",849823,", ",++++,", MalformedRowError),
        (",2506us,", ",2506xs,", MalformedRowError),
        (",2G,", ",2X,", MalformedRowError),
        (",1637us", "", TruncatedInputError),
    ],
)
def test_what_is_refused(old, new, error):
    (row,) = rows_of(DATA / "2.00a" / "s2048_putc.out.txt")
    assert old in row
    with pytest.raises(error, match=r"b\.csv:1: expected") as caught:
        read_text(row.replace(old, new))
    assert caught.value.line == 1


def test_a_bad_row_does_not_take_the_good_ones_with_it():
    lines = (DATA / "2.00a" / "s64_x3.out.txt").read_text().splitlines()
    lines[2] = lines[2].replace("10184us", "fast")
    lines[2] = lines[2].replace(",46us", ",soon")
    reading = read_text("\n".join(lines))
    assert len(reading.runs) == 2
    (problem,) = reading.problems
    assert isinstance(problem, ParseError)
    assert problem.line == 3


def test_an_empty_run_is_refused():
    with pytest.raises(MalformedRowError, match="a test that ran"):
        read_text("1.98,2.00a,h,1,1,64M,,8192,5" + "," * 41)


def test_commands_on_other_directories_are_other_systems():
    row = (DATA / "1.96" / "v196_chunk.out.txt").read_text().splitlines()
    row = next(line for line in row if line.startswith("1.96,"))
    shown = [
        f"$ bonnie++ -q -d /mnt/{name}\n{row}\n" for name in ("nfs/", "smb", "smb")
    ]
    runs = read_bonnie(decode("b.txt", "".join(shown).encode())).runs
    assert [run.system for run in runs] == ["/mnt/nfs", "/mnt/smb", "/mnt/smb"]
    repeats = "".join(shown[:1] * 2)
    runs = read_bonnie(decode("b.txt", repeats.encode())).runs
    assert [run.system for run in runs] == ["", ""]


@pytest.mark.parametrize(
    "seed, started",
    [
        ("1795238057", "2026-11-21T05:14:17"),  # date -u -d @1795238057
        ("1000000000", "2001-09-09T01:46:40"),
        ("123456", ""),  # bonnie++ -z 123456
        ("4294967295", ""),
        ("numbers.txt", ""),  # bonnie++ -Z numbers.txt
        ("", ""),
        ("9" * 400, ""),
    ],
)
def test_the_seed_of_a_row_is_the_time_of_the_start(root, seed, started):
    path = root / "data/raw/onehost-2026/bonnie++/ext4/rep1.csv"
    row = path.read_text()
    assert row.count(",1795238057,") == 1
    text = row.replace(",1795238057,", f",{seed},")
    (run,) = read_bonnie(decode("r.csv", text.encode())).runs
    assert run.started == started


def test_rows_of_one_invocation_have_one_start():
    """``-x 3`` prints three rows with the seed of the first."""
    runs = read_file(DATA / "2.00a" / "s64_x3.out.txt").runs
    assert [bool(run.started) for run in runs] == [True, False, False]
    assert len({run.facts["seed"] for run in runs}) == 1
