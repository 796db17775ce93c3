"""Rules on real outputs, a little altered: what made numbers cannot show."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from compared import compare
from samples import loaded

import fsviz
from fsviz.campaigns.starter import starter
from fsviz.readers.iozone.options import parse_options
from tests.checks.outputs import (
    LOCAL,
    LOOPBACK,
    ONEHOST,
    ROOT,
    build,
    commanded,
    copy,
    findings,
    iozone,
    one,
    severities,
    two,
    without,
)

# caches


def test_cache_regime(tmp_path):
    # onehost: 64 KiB to 1 GiB, RAM 256 MiB; 3 systems × 6 tests
    found = findings(loaded(ONEHOST), "cache-regime")
    assert [row["severity"] for row in found] == ["warning", "info"]
    # below 256 MiB: 12 sizes, records 4k … min(file, 16M), from 64k above 16 MiB
    cells = sum(
        1
        for size in range(16, 28)
        for record in range(12 if size <= 24 else 16, 25)
        if record <= size
    )
    assert f"{cells * 18:,} cache" in found[1]["message"]
    assert "--regime storage" in found[1]["advice"]
    # of a regime that nothing is in, nothing would be left
    small = findings(one(tmp_path, iozone()), "cache-regime")
    assert "0 storage" in small[-1]["message"]
    assert "--regime storage" not in small[-1]["advice"]
    assert "large" in found[0]["message"]


@pytest.mark.parametrize(
    "sizes", ["-n 64k -g 8m", "-n 100k", "-g 8m +x 4", "-s 8m", "-s 4m -s 8m"]
)
def test_who_follows_the_advice_measures_three_times_the_memory(tmp_path, sizes):
    """IOzone jumps over a -g that is no multiple, as its own runs show."""
    command = f"iozone -a {sizes.replace('+x', '-+x')} -i 0 -f /mnt/t"
    text = commanded(iozone(), command)
    [found] = findings(one(tmp_path, text), "no-storage-cells")
    (advised,) = re.findall(r"`iozone (.*)`", found["advice"])
    files, _ = parse_options(f"iozone {advised}").sizes_to_measure
    assert max(files) >= 3 * 64 * 1024**2


def test_cache_cliff_counts_the_cells_of_each_edge_alone():
    """Of read and reread; 128 KiB has 6 records from 4 KiB on, the double one more."""
    found = findings(loaded(LOOPBACK), "cache-cliff")
    mixed, told = (row["cells"] for row in found)
    # NFS 3 and SMB 2.1 at 128 to 256 KiB, SMB 2.1 at 1 to 2 MiB as well; info: SMB 3.0
    # and 3.1.1 at 512 KiB to 1 MiB
    assert [row["severity"] for row in found] == ["warning", "info"]
    assert mixed == 2 * (2 * (6 + 7) + 9 + 10)
    assert told == 2 * 2 * (8 + 9)


# clock


TIMED_FIO = Path(__file__).resolve().parents[1] / "data/fio/3.33/read.json"


def test_too_short(tmp_path):
    campaign = one(tmp_path, iozone("local-ext4"), LOCAL)
    [found] = findings(campaign, "too-short")
    assert found["severity"] == "error"
    # 64 KiB at 2,000,000 kB/s take 32 µs; counted from the text
    rows = re.findall(
        r"^ +(\d+) +\d+((?: +\d+){6}) *$", iozone("local-ext4"), re.MULTILINE
    )
    short = sum(int(kb) / int(v) < 0.001 for kb, values in rows for v in values.split())
    assert found["cells"] == short


@pytest.mark.parametrize("passes,seconds,found", [(1, 0.017, 1), (200, 3.4, 0)])
def test_a_job_that_moved_its_file_again_and_again_took_its_time(
    tmp_path, passes, seconds, found
):
    """With fio's ``time_based`` the file is small, the test is not over at once."""
    output = json.loads(TIMED_FIO.read_text(encoding="utf-8"))
    (job,) = output["jobs"]
    for name in ("io_bytes", "total_ios"):
        job["read"][name] *= passes
    job["read"]["runtime"] = round(seconds * 1000)
    campaign = one(tmp_path, json.dumps(output), name="a/r1.json")
    assert len(findings(campaign, "too-short")) == found


# disclosure


def test_what_init_reads_from_the_files_is_not_missing(tmp_path):
    """The kernel, which IOzone's banner has with -M, and each system's own date."""
    machine = "\tMachine = Linux client 6.1.0-51-amd64 #1 SMP x86_64 GNU/Linux\n"
    banner, head, rest = iozone().partition("\tCommand line used")
    assert head
    folder = tmp_path / "c"
    files = {
        "a/rep1.txt": banner + machine + head + rest,
        "b/rep1.txt": iozone(repeat=2),
    }
    [found] = findings(build(folder, files), "undisclosed")
    assert "kernel (b)" in found["evidence"]
    (folder / "campaign.toml").unlink(missing_ok=True)
    written, _ = starter(folder)
    assert 'kernel = "Linux 6.1.0-51-amd64"' in written


# writes


@pytest.mark.parametrize(
    "said,fires",
    [
        ('durability = "sync"', True),
        ('export_options = "rw,sync,no_subtree_check"', True),
        ('export_options = "sync always = yes"', False),
        ('export_options = "sync always = yes, strict sync = no"', False),
        ('export_options = "strict sync = yes, sync always = yes"', True),
        ('export_options = "strict sync = yes, sync always = no"', False),
        ('durability = "async"', False),
        ('mount_options = "rw,discard=async"', False),
    ],
)
def test_durability_in_words(tmp_path, said, fires):
    toml = (
        '[[system]]\nname = "a"\ndurability = "async"\n'
        f'[[system]]\nname = "b"\n{said}\n[facts]\n'
    )
    campaign = two(tmp_path, iozone(repeat=1), iozone(repeat=2), toml)
    assert severities(campaign, "durability-differs") == ["error"] * fires


def test_flags_decide_not_words_in_the_banner(tmp_path):
    words = "Include close in write timing"
    text = without(commanded(iozone(), "iozone -Ra -z -f /mnt/t"), words)
    campaign = one(tmp_path, text + f"\n{words}\n")
    [found] = findings(campaign, "unflushed-network-write")
    assert found["message"].startswith("neither -c nor -e")


def test_unflushed_network_write_without_cells_names_no_fastest(root):
    published = loaded(root / "data/published/1-windows-linux-nfs")
    [found] = findings(published, "unflushed-network-write")
    assert found["evidence"].endswith("windowsnfs.xls")


# network


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


@pytest.mark.parametrize("stated", ['protocol = "local"', 'file_system = "ext4"'])
def test_nothing_of_a_network_is_asked_of_a_local_mount(tmp_path, stated):
    local = one(tmp_path, iozone("local-ext4"), f"{stated}\n")
    assert findings(local, "over-line-rate") == []
    (missing,) = findings(local, "undisclosed")
    assert "link" not in missing["evidence"]
    assert "protocol version" not in missing["evidence"]


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


# outcomes


@pytest.mark.parametrize(
    "ram,line,command",
    [
        ("64 MiB", "", "-s 128m -r 64m"),
        # -r in whole MiB, and -s twice that: bonnie++ 2.00a refuses 129m with 65m
        ("64.4 MiB", "", "-s 130m -r 65m"),
        ("640 KiB", "", "-s 2m -r 1m"),
        ("64 MiB", "bonnie_multiple = 2.5", "-s 160m -r 64m"),
        # it refuses less than twice -r whatever the campaign asks for
        ("64 MiB", "bonnie_multiple = 1.6", "-s 128m -r 64m"),
    ],
)
def test_small_for_memory_advises_what_bonnie_takes(tmp_path, ram, line, command):
    path = "bonnie++/nfs-v4.1/rep1.csv"
    text = (LOOPBACK / path).read_text().replace(",96M,", ",1M,")
    facts = f'[thresholds]\n{line}\n[facts]\nclient_ram = "{ram}"\n'
    [found] = [
        row
        for row in findings(build(tmp_path, {path: text}, facts), "small-for-memory")
        if row["severity"] == "warning"
    ]
    assert f" {command}`" in found["advice"]


def test_small_for_memory_advises_for_the_largest_memory(tmp_path):
    systems = "".join(
        f'[[system]]\nname = "{name}"\nclient_ram = "{ram} MiB"\n'
        for name, ram in (("nfs-v3", 64), ("nfs-v4.1", 128))
    )
    names = [f"bonnie++/{name}/rep1.csv" for name in ("nfs-v3", "nfs-v4.1")]
    campaign = copy(LOOPBACK, tmp_path, names, systems)
    found = findings(campaign, "small-for-memory")[0]
    assert "-s 256m -r 128m" in found["advice"]
    assert found["evidence"].startswith("nfs-v4.1: 0.75 times the RAM")


# design


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


# others


@pytest.mark.parametrize(
    "fact, fires",
    [
        ('mount_options = "rw,compress=zstd:3,space_cache"', True),
        ('file_system = "zfs with compression=lz4"', True),
        ('storage = "VDO on two disks"', True),
        ('file_system = "zfs compression=lz4 dedup=off"', True),
        ('file_system = "zfs compression=off dedup=off"', False),
        ('mount_options = "rw,nocompress"', False),
        ('mount_options = "rw,noatime,compress=no"', False),
        ('mount_options = "rw,noatime"', False),
    ],
)
def test_compressible_data_needs_a_fact_that_the_system_compresses(
    tmp_path, fact, fires
):
    found = findings(one(tmp_path, iozone(), f"{LOCAL}{fact}\n"), "compressible-data")
    assert bool(found) is fires


@pytest.mark.parametrize(
    "name, fires",
    [("lz4-compression", True), ("zfs_gzip", True), ("dedup", True)]
    + [(n, False) for n in ("no-compression", "uncompressed", "btrfs", "compress off")],
)
def test_compressible_data_of_a_system_that_is_named_after_it(tmp_path, name, fires):
    (tmp_path / name).mkdir(parents=True)
    text = commanded(iozone(), "iozone -a -f /mnt/t")
    (tmp_path / name / "rep1.txt").write_text(text)
    rows = findings(loaded(tmp_path), "compressible-data")
    assert [row["evidence"].partition(";")[0] for row in rows] == (
        [f"{name}, by its name"] if fires else []
    )


@pytest.mark.parametrize(
    "options, said",
    [
        ("", "one block of data again and again"),
        ("-+y 0 -+C 0", "one block of data again and again"),
        ("-+w 0", "half of what IOzone writes with -+w are zeros"),
        ("-+w 0 -+y 0 -+C 0", "half of what IOzone writes with -+w are zeros"),
    ],
)
def test_compressible_data_says_what_each_option_writes(tmp_path, options, said):
    """Seen in the files that IOzone 3.489 leaves behind with -w."""
    text = commanded(iozone(), f"iozone -a {options} -f /mnt/t")
    facts = f'{LOCAL}mount_options = "compress=zstd"\n'
    [found] = findings(one(tmp_path, text, facts), "compressible-data")
    assert said in found["message"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "command, severity",
    [
        ("-Rac -z -n 64k -g 8m -i 0 -i 1 -i 2 -I", "error"),
        ("-Rac -z -n 64k -g 8m -i 0 -i 1 -i 2 -e", "error"),
        ("-Rac -z -n 64k -g 8m -i 0 -i 1", "warning"),
    ],
)
def test_settings_differ_in_two_grades(tmp_path, command, severity):
    usual = commanded(iozone(), "iozone -Rac -z -n 64k -g 8m -i 0 -i 1 -i 2")
    other = commanded(iozone(repeat=2), f"iozone {command}")
    campaign = two(tmp_path, usual, other, "[facts]\n")
    assert severities(campaign, "settings-differ") == [severity]
    frame = compare(campaign, operation=["read"])
    disqualified = severity == "error"
    assert ((frame["answer"] == "not_comparable") == disqualified).all()
    assert all(("settings-differ" in c) != disqualified for c in frame["caveats"])


def test_another_version_is_a_caveat(tmp_path):
    other = iozone(repeat=2).replace("Revision: 3.489", "Revision: 3.506")
    campaign = two(tmp_path, iozone(), other, "[facts]\n")
    assert severities(campaign, "settings-differ") == ["warning"]
