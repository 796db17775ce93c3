import re
import shutil
import subprocess

import pandas as pd
import pytest

from fsviz.checks.case import Group
from fsviz.model.facts import System
from fsviz.model.units import GIB, KIB, MIB
from fsviz.readers.iozone.options import parse_options


@pytest.mark.parametrize(
    "command,flags",
    [
        ("iozone -Racz -i 0 -b x.xls", {"R", "a", "c", "z", "i", "b"}),
        ("iozone -azi0 -i1", {"a", "z", "i"}),
        ("iozone -e -I -az -n 16m -g 2g -q 16m -f /x -Rb /y.xls", set("eIazngqfRb")),
        ("iozone -a -+u -+n -+p 50", {"a", "+u", "+n", "+p"}),
        ("iozone -ceIT -i0 -t4 -+m hosts", {"c", "e", "I", "T", "i", "t", "+m"}),
        ("iozone -s4g -r128k", {"s", "r"}),
        ("iozone", set()),
    ],
)
def test_clustered_flags_are_told_from_arguments(command, flags):
    assert set(parse_options(command).values) == flags


def test_a_flag_inside_an_argument_is_not_a_flag():
    options = parse_options("iozone -a -f /mnt/-e/-c -b -o.xls")
    assert "e" not in options
    assert "o" not in options
    assert options.values["b"] == ("-o.xls",)  # noqa: PD011


@pytest.mark.parametrize(
    "option,sizes",
    [
        ("s", (64 * KIB, 4 * MIB)),
        ("r", (4 * KIB,)),
        ("n", (512 * KIB,)),
        ("g", (2 * GIB,)),
        ("q", ()),
    ],
)
def test_a_size_without_suffix_is_in_kilobytes(option, sizes):
    options = parse_options("iozone -s 64 -s 4m -r 4K -n 512 -g 2g")
    assert options.sizes(option) == sizes


@pytest.mark.parametrize(
    "command,tests",
    [
        ("iozone -a", None),
        ("iozone -a -i 0 -i 2", {0, 2}),
        ("iozone -A", {0, 1}),
        ("iozone -a -E -i 0 -i 11 -i 12", {0}),
    ],
)
def test_the_tests_that_run(command, tests):
    assert parse_options(command).tests == tests


@pytest.mark.parametrize(
    "command,threads",
    [
        ("iozone -a", ()),
        ("iozone -t 1 -t 2 -t 4", (1, 2, 4)),
        ("iozone -l 1 -u 3", (1, 2, 3)),
        ("iozone -l 5", (5,)),
        ("iozone -u 2", (1, 2)),
    ],
)
def test_the_thread_counts(command, threads):
    assert parse_options(command).threads == threads


@pytest.mark.parametrize(
    "one,other",
    [
        ("iozone -a -g 4m -f /mnt/a", "./iozone -a -g 4096k -f /mnt/b"),
        ("iozone -Raz -b x.xls", "iozone -z -a"),
        ("iozone -i 1 -i 0", "iozone -i0 -i1"),
        ("iozone -t 2 -F a b", "iozone -t 2 -F c d"),
        ("iozone -U /mnt/a -a", "iozone -a -U /mnt/b"),
    ],
)
def test_the_same_request_has_the_same_configuration(one, other):
    assert parse_options(one).configuration == parse_options(other).configuration


@pytest.mark.parametrize(
    "one,other",
    [
        ("iozone -a", "iozone -a -e"),
        ("iozone -a -g 4m", "iozone -a -g 8m"),
        ("iozone -a -i 0", "iozone -a -i 0 -i 1"),
        ("iozone -r 4k -r 64k", "iozone -r 64k -r 4k"),
        ("iozone -a", "iozone -a -U /mnt/x"),
    ],
)
def test_another_request_has_another_configuration(one, other):
    assert parse_options(one).configuration != parse_options(other).configuration


def test_a_size_that_is_none_is_named():
    with pytest.raises(ValueError, match="found 'abc'"):
        parse_options("iozone -s abc").sizes("s")


@pytest.mark.parametrize(
    "command,largest",
    [
        # each seen in the rows that iozone 3.489 printed, but for the three of 512 MiB
        ("iozone -a", 512 * 1024**2),
        ("iozone -A -i 0", 512 * 1024**2),
        ("iozone -a -n 1m", 512 * 1024**2),
        ("iozone -a -s 1m -g 4m", 4 * 1024**2),
        ("iozone -g 4m -s 1m -a", 4 * 1024**2),
        ("iozone -a -s 1m", 1024**2),
        ("iozone -a -s 1m -s 4m", 4 * 1024**2),
        ("iozone -a -s 1m -s 2m -g 8m", 2 * 1024**2),
        ("iozone -a -s 4m -n 1m", 4 * 1024**2),
        ("iozone -i 0", 512 * 1024),
        ("iozone -i 0 -g 2m", 512 * 1024),
        ("iozone -s 1m -g 4m", 1024**2),
        ("iozone -t 4", 512 * 1024),
        ("iozone -a -t 1 -s 1m", 1024**2),
    ],
)
def test_the_largest_file_is_the_one_that_iozone_writes(command, largest):
    options = parse_options(command)
    assert options.largest_file == largest
    group = Group(
        System("a", {}), "iozone", pd.DataFrame({"command_line": [command]}), 0
    )
    assert group.option_bytes == largest * max(options.threads, default=1)


@pytest.mark.parametrize(
    "flag,flushed",
    [
        *((f"-{x}", True) for x in "eoI"),
        ("-+r", True),
        ("-+D", True),
        ("-c", False),
        ("-a", False),
    ],
)
def test_what_counts_as_flushed_is_decided_once(flag, flushed):
    options = parse_options(f"iozone -s 1m -i 0 -i 1 -f /mnt/new/t {flag}")
    assert options.flushed is flushed


def test_command_lines_with_sizes_are_run_as_they_are_read(tmp_path):
    """By IOzone itself, where it is installed."""
    program = shutil.which("iozone")
    if program is None:
        pytest.skip("no iozone")
    for sizes in (
        "-a -s 64k -g 256k",
        "-a -s 128k",
        "-g 256k -s 64k",
        "-a -n 64k -g 64k",
    ):
        asked = f"-i 0 -r 4k {sizes} -f {tmp_path / 't'}"
        done = subprocess.run(
            [program, *asked.split()], capture_output=True, check=True, text=True
        )
        rows = [re.match(r" +(\d+) +4 ", line) for line in done.stdout.splitlines()]
        largest = max(int(row[1]) for row in rows if row) * 1024
        assert parse_options(f"iozone {asked}").largest_file == largest, sizes


@pytest.mark.parametrize(
    "command, operation, setting",
    [
        ("iozone -a -I", "fwrite", "buffered=1"),
        ("iozone -aI", "freread", "buffered=1"),
        ("iozone -a -I", "write", ""),
        ("iozone -a -I -B", "fwrite", ""),
        ("iozone -a", "fwrite", ""),
    ],
)
def test_what_direct_io_does_not_reach_is_another_setting(command, operation, setting):
    assert parse_options(command).settings(["write", operation])[1] == setting
    assert parse_options(command).settings(["write"]) == [""]


@pytest.mark.parametrize(
    "line, files, operands",
    [
        ("iozone -t 3 -F /m/a /m/b /m/c", ["/m/a", "/m/b", "/m/c"], ()),
        ("iozone -F /m/a /m/b -t 2 -s 1m", ["/m/a", "/m/b"], ()),
        ("iozone -f /m/a", ["/m/a"], ()),
        ("iozone -f /m/a -F /m/b /m/c", ["/m/a", "/m/b", "/m/c"], ()),
        ("iozone -a /m/a", [], ("/m/a",)),
    ],
)
def test_every_file_of_the_options_is_known(line, files, operands):
    options = parse_options(line)
    given = options.values  # noqa: PD011
    named = [*given.get("f", ()), *given.get("F", ())]
    assert named == files
    assert options.operands == operands
