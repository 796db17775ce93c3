"""Rules about the way to the storage."""

import re
from dataclasses import replace

import pytest

import fsviz
from tests.checks.outputs import (
    CAT,
    LOOPBACK,
    NFS,
    commanded,
    findings,
    iozone,
    loaded,
    one,
    severities,
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


def test_over_line_rate_says_that_not_all_crossed_in_the_time(tmp_path):
    """The data may have crossed before the clock started: no cache is proved."""
    for found in findings(one(tmp_path, iozone()), "over-line-rate"):
        assert (
            "not all of the data crossed the link while the clock ran"
            in found["message"]
        )
        assert "IOzone reads the first record" in found["advice"]


def test_writes_over_line_rate_are_not_explained_by_a_read(tmp_path):
    """A remount keeps the cache out of reads alone."""
    line = f"{CAT} -U /mnt/nfs-v4.1 -f /mnt/nfs-v4.1/testfile"
    facts = NFS.replace("1 Gbit/s", "1 Mbit/s")
    campaign = one(tmp_path, commanded(iozone(), line), facts)
    table = campaign.measurements
    campaign = replace(campaign, measurements=table[table["operation"] == "write"])
    [found] = findings(campaign, "over-line-rate")
    assert found["advice"].startswith("time the flush: `iozone -e ")


def test_direct_reads_over_line_rate_make_the_link_doubtful(tmp_path):
    text = commanded(iozone(), f"{CAT} -I -f /mnt/nfs-v4.1/testfile")
    for found in findings(one(tmp_path, text), "over-line-rate"):
        assert "whether the link is as stated" in found["advice"]


@pytest.mark.parametrize("link", ["100 Gbit/s", "2 x 40GbE"])
def test_over_line_rate_is_silent_on_a_faster_link(tmp_path, link):
    facts = NFS.replace("1 Gbit/s", link)
    assert findings(one(tmp_path, iozone(), facts), "over-line-rate") == []


def test_over_line_rate_asks_for_the_link(tmp_path):
    campaign = one(tmp_path, iozone(), 'protocol = "nfs"\n')
    warned, asked = findings(campaign, "over-line-rate")
    assert asked["severity"] == "info"
    assert asked["message"] == "not checkable: state link"
    # some reads are faster than even 10 Gbit/s, 1.25 GB/s
    assert warned["severity"] == "warning"
    [asked] = findings(campaign, "over-line-rate", unstated_link=1e11)
    assert asked["severity"] == "info"


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


def test_test_file_elsewhere_outside_the_mount(tmp_path):
    text = commanded(iozone(), f"{CAT} -U /mnt/nfs-v4.1 -f /mnt/nfs-v4.10/testfile")
    [found] = findings(one(tmp_path, text), "test-file-elsewhere")
    assert "outside the mount /mnt/nfs-v4.1" in found["message"]
    text = commanded(iozone(), f"{CAT} -f /tmp/testfile")
    facts = NFS + 'mount_point = "/mnt/nfs"\n'
    [found] = findings(one(tmp_path / "other", text, facts), "test-file-elsewhere")
    assert "outside the mount /mnt/nfs" in found["message"]


def test_test_file_elsewhere_only_warns_where_nobody_can_tell(tmp_path):
    # the working directory may well have been the mount
    campaign = one(tmp_path, commanded(iozone(), CAT))
    assert severities(campaign, "test-file-elsewhere") == ["warning"]


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
