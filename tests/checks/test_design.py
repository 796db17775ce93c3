"""Rules about the design."""

import re

import pytest

import fsviz
from tests.checks.outputs import (
    CAT,
    LOOPBACK,
    ONEHOST,
    ROOT,
    build,
    commanded,
    findings,
    iozone,
    loaded,
    repeats,
    two,
)


def test_settings_differ(tmp_path):
    other = commanded(iozone(repeat=2), f"{CAT} -e -U /mnt/x -f /mnt/x/t")
    [found] = findings(two(tmp_path, iozone(), other, "[facts]\n"), "settings-differ")
    assert "-e" in found["evidence"]
    assert found["severity"] == "error"


def test_settings_differ_is_silent_on_repeats(tmp_path):
    campaign = two(tmp_path, iozone(repeat=1), iozone(repeat=2), "[facts]\n")
    assert findings(campaign, "settings-differ") == []
    assert findings(loaded(LOOPBACK), "settings-differ") == []


SYSTEMS = (
    '{}[[system]]\nname = "a"\nprotocol = "nfs"\nprotocol_version = "{}"\n{}\n'
    '[[system]]\nname = "b"\nprotocol = "nfs"\nprotocol_version = "{}"\n{}\n[facts]\n'
)


def test_confounded(tmp_path):
    # four versions of NFS, of which the oldest ran on another operating system
    toml = SYSTEMS.format(
        "", "2", 'operating_system = "CentOS 6"', "3", 'operating_system = "CentOS 7"'
    )
    [found] = findings(
        two(tmp_path, iozone(), iozone(repeat=2), toml, ""), "confounded"
    )
    assert found["severity"] == "error"
    assert "operating system" in found["message"]


def test_confounded_is_silent_when_it_is_meant(tmp_path):
    toml = SYSTEMS.format(
        'compared = ["protocol_version", "operating_system"]\n',
        "2",
        'operating_system = "CentOS 6"',
        "3",
        'operating_system = "CentOS 7"',
    )
    campaign = two(tmp_path, iozone(), iozone(repeat=2), toml, "")
    assert findings(campaign, "confounded") == []


def test_not_interleaved(tmp_path):
    files = repeats("ext4", 3)
    for name, text in repeats("xfs", 3).items():
        files[name] = text.replace("Nov 21 10:", "Nov 22 10:")
    [found] = findings(build(tmp_path, files), "not-interleaved")
    assert found["system"] == "xfs"


def test_not_interleaved_is_silent_on_shuffled_runs():
    assert findings(loaded(ONEHOST), "not-interleaved") == []


@pytest.mark.parametrize(
    "first,second,fires",
    [
        ("stats.out.txt", "gnu_time_v.err.txt", False),
        ("stats.out.txt", "stats_h.out.txt", False),
        ("stats.out.txt", "stats_second.out.txt", True),
        ("stats.out.txt", "err_partial.out.txt", True),
    ],
)
def test_settings_differ_compares_amounts_of_data_with_amounts(first, second, fires):
    """A command does not tell the amounts, nor 16.55M from 16546880 B."""
    a, b = (next((ROOT / "tests/data").rglob(name)) for name in (first, second))
    found = findings(fsviz.load([f"a={a}", f"b={b}"]), "settings-differ")
    said = [row["message"] for row in found if "options or data" in row["message"]]
    assert len(said) == fires


def test_settings_differ_is_silent_on_options_that_are_not_known(tmp_path):
    lines = iozone(repeat=2).splitlines()
    rows = [x for x in lines if re.match(r"\s+(kB|\d+)\s", x)]
    excerpt = "\n".join([lines[27], *rows]) + "\n"
    campaign = two(tmp_path, iozone(), excerpt, "[facts]\n")
    assert findings(campaign, "settings-differ") == []
