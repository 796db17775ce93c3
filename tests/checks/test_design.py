"""Rules about the design."""

import re

import pytest

import fsviz
from tests.checks.outputs import (
    CAT,
    LOOPBACK,
    ONEHOST,
    READ,
    ROOT,
    build,
    commanded,
    findings,
    iozone,
    loaded,
    repeats,
    scaled,
    two,
)


def test_settings_differ(tmp_path):
    other = commanded(iozone(repeat=2), f"{CAT} -e -U /mnt/x -f /mnt/x/t")
    [found] = findings(two(tmp_path, iozone(), other, "[facts]\n"), "settings-differ")
    assert "-e" in found["evidence"]
    assert found["severity"] == "error"


def test_settings_differ_in_version_and_word_size(tmp_path):
    other = iozone(repeat=2).replace("3.489", "3.507").replace("64 bit", "32 bit")
    campaign = two(tmp_path, iozone(), other, "[facts]\n")
    said = [row["message"] for row in findings(campaign, "settings-differ")]
    assert len(said) == 2
    meant = two(
        tmp_path / "other", iozone(), other, 'compared = ["version"]\n[facts]\n'
    )
    [found] = findings(meant, "settings-differ")
    assert "word size" in found["message"]


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


def test_confounded_by_the_servers_file_system(tmp_path):
    toml = SYSTEMS.format(
        "",
        "4.1",
        'server = "Windows Server 2012 R2"\nfile_system = "NTFS"',
        "4.1",
        'server = "CentOS 7"\nfile_system = "XFS"',
    )
    [found] = findings(
        two(tmp_path, iozone(), iozone(repeat=2), toml, ""), "confounded"
    )
    assert "file system" in found["message"]


def test_confounded_takes_a_fact_in_the_same_words_for_the_same(tmp_path):
    said = 'server = "{0}"\noperating_system = "{0}"'
    toml = SYSTEMS.format(
        "", "4.1", said.format("Windows 2012"), "4.1", said.format("CentOS 7")
    )
    campaign = two(tmp_path, iozone(), iozone(repeat=2), toml, "")
    assert findings(campaign, "confounded") == []


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
    assert findings(loaded(LOOPBACK), "confounded") == []


def emulated(folder, *protocols):
    systems = "".join(
        f'[[system]]\nname = "{name}"\nprotocol = "{protocol}"\n'
        for name, protocol in zip("ab", protocols, strict=True)
    )
    toml = f'{systems}[facts]\nemulated = "user-mode Linux, one processor"\n'
    return two(folder, iozone(), iozone(repeat=2), toml, "")


def test_emulated_is_about_other_protocols(tmp_path):
    campaign = emulated(tmp_path, "nfs", "smb")
    [found] = findings(campaign, "emulated")
    assert (found["severity"], found["system"]) == ("warning", "b")
    assert "user-mode Linux" in found["evidence"]
    frame = fsviz.compare(campaign)
    assert all("emulated" in scope for scope in frame["scope"])
    # it is a scope, which takes nothing back and is no caveat besides
    assert not any("emulated" in rules for rules in frame["disqualified_by"])
    assert not any("emulated" in rules for rules in frame["caveats"])


def test_emulated_is_silent_on_versions_of_one_protocol(tmp_path):
    assert findings(emulated(tmp_path, "nfs", "NFS"), "emulated") == []
    assert findings(loaded(ONEHOST), "emulated") == []


def test_emulated_is_in_loopback_where_servers_are_other_programs():
    frame = fsviz.compare(
        fsviz.select(loaded(LOOPBACK), tool=["rsync"]), baseline="nfs-v3"
    )
    said = {
        name: {"emulated" in scope for scope in rows["scope"]}
        for name, rows in frame.groupby("candidate")
    }
    same = {n for n in said if n.startswith("nfs")}
    assert {n for n, found in said.items() if found == {True}} == set(said) - same


def test_not_interleaved(tmp_path):
    files = repeats("ext4", 3)
    for name, text in repeats("xfs", 3).items():
        files[name] = text.replace("Nov 21 10:", "Nov 22 10:")
    [found] = findings(build(tmp_path, files), "not-interleaved")
    assert found["system"] == "xfs"


def test_not_interleaved_sees_a_drift(tmp_path):
    text = iozone("local-ext4")
    files = {
        f"a/rep{i}.txt": scaled(text, READ, 1 + i / 2).replace(
            "09:29:01", f"09:3{i}:01"
        )
        for i in range(1, 6)
    }
    [found] = findings(build(tmp_path, files), "not-interleaved")
    assert "drifts" in found["message"]
    assert "its runs become faster with time" in found["message"]


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
