"""Rules about the way to the storage."""

import re

import pytest

import fsviz
from tests.checks.outputs import (
    LOOPBACK,
    NFS,
    commanded,
    findings,
    iozone,
    loaded,
    one,
)


def test_over_line_rate(tmp_path):
    found = findings(one(tmp_path, iozone()), "over-line-rate")
    assert [row["severity"] for row in found] == ["error", "warning"]
    text = iozone()
    numbers = [
        int(n) * 1024
        for line in text.splitlines()
        if re.fullmatch(r"(\s+\d+){8}\s*", line)
        for n in line.split()[2:]
    ]
    assert len(numbers) == 408
    assert found[0]["cells"] == sum(n > 125_000_000 for n in numbers)
    payload = 125_000_000 * 1448 / 1538
    assert found[1]["cells"] == sum(payload < n <= 125_000_000 for n in numbers)


@pytest.mark.parametrize("link", ["100 Gbit/s", "2 x 40GbE"])
def test_over_line_rate_is_silent_on_a_faster_link(tmp_path, link):
    facts = NFS.replace("1 Gbit/s", link)
    assert findings(one(tmp_path, iozone(), facts), "over-line-rate") == []


@pytest.mark.parametrize("stated", ['protocol = "local"', 'file_system = "ext4"'])
def test_nothing_of_a_network_is_asked_of_a_local_mount(tmp_path, stated):
    local = one(tmp_path, iozone("local-ext4"), f"{stated}\n")
    assert findings(local, "over-line-rate") == []
    (missing,) = findings(local, "undisclosed")
    assert "link" not in missing["evidence"]
    assert "protocol version" not in missing["evidence"]


def test_test_file_elsewhere(tmp_path):
    # the command line of a publication: the path at its end is ignored by IOzone
    line = r"iozone -a -i 0 -i 1 -i 2 -g 8m -R -b x.xls \\srv\dfs\share"
    [found] = findings(one(tmp_path, commanded(iozone(), line)), "test-file-elsewhere")
    assert found["severity"] == "error"
    assert r"\\srv\dfs\share" in found["message"]
    assert "-f //srv/dfs/share/iozone.tmp" in found["advice"]


def test_test_file_elsewhere_is_silent_on_the_original():
    assert findings(loaded(LOOPBACK), "test-file-elsewhere") == []


def test_commands_that_settle_something_name_a_test_file(root):
    """A command to type in must not repeat the mistake of another finding."""
    found = fsviz.check(loaded(root / "data/published/3-nfs-smb-dfs"))
    commands = [
        command
        for advice in found["advice"]
        for command in re.findall("`(iozone [^`]*)`", advice)
    ]
    assert len(commands) >= 3
    for command in commands:
        assert " -f //ukb.ed/dfs/partilha-smb/iozone.tmp" in command
        assert not command.endswith("partilha-smb")


def test_on_windows_no_mount_point_is_advised(root):
    """There IOzone has nothing to unmount, so that only larger files are left."""
    published = loaded(root / "data/published/3-nfs-smb-dfs")
    found = findings(published, "over-line-rate")[0]
    assert found["advice"].startswith("use files of at least 3 times the client's RAM")
    assert " -g 32g" in found["advice"]  # the text states 8 GB
    assert "-U" not in found["advice"]
