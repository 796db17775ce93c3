import pytest

from fsviz.model.errors import InconsistentDataError
from fsviz.readers.document import decode
from fsviz.readers.iozone.banner import banner_of_command, read_banner
from fsviz.readers.iozone.text import read_iozone


@pytest.mark.parametrize(
    "line,option,fact",
    [
        ("Using mmap files", "-B", "mmap"),
        ("No retest option selected", "-+n", "no_retest"),
        (
            "Performance measurements may be invalid in this mode.",
            "-+Z",
            "may_be_invalid",
        ),
    ],
)
def test_a_setting_is_known_from_its_line_or_from_its_option(line, option, fact):
    assert read_banner([f"\t{line}"], 1).facts[fact] is True
    assert banner_of_command(f"iozone {option}").facts[fact] is True
    assert fact not in banner_of_command("iozone -i 0").facts


@pytest.mark.parametrize(
    "began,started",
    [
        ("Sat Nov 21 09:07:37 2026", "2026-11-21T09:07:37"),
        ("Thu Jan  1 00:00:23 1970", "1970-01-01T00:00:23"),
        ("Sat Nov 31 09:07:37 2026", ""),
        ("Sat Nov 21 09:77:37 2026", ""),
        ("lör nov 21 09:07:37 2026", "2026-11-21T09:07:37"),
    ],
)
def test_when_a_run_began(began, started):
    assert read_banner([f"\tRun began: {began}"], 1).started == started


@pytest.mark.parametrize(
    "lines,metric",
    [
        (["Output is in kBytes/sec"], "throughput"),
        (["Output is in Kbytes/sec"], "throughput"),
        (["OPS Mode. Output is in operations per second."], "rate"),
        (["Microseconds/op Mode. Output is in microseconds per operation."], "latency"),
        (["Command line used: iozone -a -O"], "rate"),
        (["Command line used: ./iozone -aN"], "latency"),
        (["Command line used: iozone -f /mnt/-O"], "throughput"),
    ],
)
def test_the_unit(lines, metric):
    assert read_banner(lines, 1).metric == metric


def test_a_unit_stated_in_two_ways_is_refused():
    text = (
        "\tIozone: Performance Test of File I/O\n"
        "\tCommand line used: iozone -O -a\n"
        "\tOutput is in kBytes/sec\n"
        "     kB  reclen    write  rewrite    read    reread\n"
        "     64       4  1421755  3588436  7100397  1828508\n"
    )
    with pytest.raises(InconsistentDataError, match=r"t\.txt:1: expected one unit"):
        read_iozone(decode("t.txt", text.encode()))


@pytest.mark.parametrize("option", ["-V 12", "-+d", "-+X"])
def test_modes_that_are_invalid(option):
    assert banner_of_command(f"iozone -a {option}").invalid is not None
    assert banner_of_command("iozone -a").invalid is None


def test_the_host():
    machine = "\tMachine = Linux nas-3 6.1.0 #1 SMP x86_64 GNU/Linux"
    assert read_banner([machine], 1).host == "nas-3"
    assert read_banner(["\tHostname = node-1"], 1).host == "node-1"
