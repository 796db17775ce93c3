"""Each rule fires on a real or minimally altered output, and is silent on a clean one.

The altered numbers and the limits are literals, so that the second route is arithmetic
on the page: 1 Gbit/s is 125,000,000 B/s, RAM and file sizes are powers of two.
"""

import re

import pytest

import fsviz
from fsviz.checks import RULES
from tests.checks.outputs import (
    LOOPBACK,
    ONEHOST,
    ROOT,
    build,
    commanded,
    copy,
    findings,
    iozone,
    loaded,
    repeats,
    severities,
    without,
)

NFS = 'protocol = "nfs"\nclient_ram = "64 MiB"\nlink = "1 Gbit/s"\nmtu = "1500"\n'
LOCAL = 'protocol = "local"\nclient_ram = "64 MiB"\n'
CAT = "iozone -Rac -z -n 64k -g 8m -i 0 -i 1 -i 2"
SAMPLES = ROOT / "tests/data"


def one(folder, text, facts=NFS, name="a/rep1.txt"):
    return build(folder, {name: text}, f"[facts]\n{facts}")


def two(folder, first, second, toml="", facts=LOCAL):
    return build(folder, {"a/rep1.txt": first, "b/rep1.txt": second}, toml + facts)


def scaled(text, edge, factor, rows=r"\d+"):
    """Multiply one column, named by its right edge, in the rows of some files [kB]."""
    lines = []
    for line in text.splitlines():
        if re.match(rf"\s*(?:{rows})\s+\d+\s+\d", line) and "kB" not in line:
            value = round(int(line[edge - 9 : edge]) * factor)
            lines.append(f"{line[: edge - 9]}{value:9d}{line[edge:]}")
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


WRITE, READ = 33, 51


def sample(name):
    return (SAMPLES / name).read_text()


# Caches -----------------------------------------------------------------------------


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
    assert "large" in found[0]["message"]


def test_cache_regime_is_silent_without_file_sizes():
    rsync = fsviz.load([f"a={LOOPBACK}/rsync/nfs-v3/rep1.time.txt"])
    assert findings(rsync, "cache-regime") == []


def test_no_storage_cells(tmp_path):
    [found] = findings(one(tmp_path, iozone()), "no-storage-cells")
    # cold (-U) and closed (-c) over a network: the network was measured
    assert found["severity"] == "warning"
    assert "-g 192m" in found["advice"]


def test_no_storage_cells_of_a_warm_cache(tmp_path):
    text = commanded(iozone(), "iozone -Ra -z -n 64k -g 8m -i 0 -i 1 -i 2 -f /mnt/t")
    [found] = findings(one(tmp_path, text), "no-storage-cells")
    assert found["severity"] == "error"
    assert found["cells"] == 408


def test_no_storage_cells_is_silent_from_three_times_the_ram():
    assert findings(loaded(ONEHOST), "no-storage-cells") == []


def test_cache_cliff(tmp_path):
    steps = [row["evidence"] for row in findings(loaded(ONEHOST), "cache-cliff")]
    assert any("128 MiB to 256 MiB" in step for step in steps)
    flat = scaled(iozone("local-ext4"), READ, 0.3, rows="4096|8192")
    [found] = findings(one(tmp_path, flat, LOCAL), "cache-cliff")
    assert "2 MiB to 4 MiB" in found["evidence"]
    assert found["operation"] == "read"


def test_cache_cliff_is_silent_on_a_plain(tmp_path):
    assert findings(one(tmp_path, iozone("local-ext4"), LOCAL), "cache-cliff") == []


def test_exceeds_memory_speed(tmp_path):
    text = scaled(iozone("ext4", 1, ONEHOST), READ, 10, rows="65536")
    [found] = findings(one(tmp_path, text, LOCAL), "exceeds-memory-speed")
    assert found["operation"] == "read"
    assert "64 MiB" in found["evidence"]


def test_exceeds_memory_speed_is_silent_on_the_original(tmp_path):
    text = iozone("ext4", 1, ONEHOST)
    assert findings(one(tmp_path, text, LOCAL), "exceeds-memory-speed") == []


def test_whole_file_record(tmp_path):
    [found] = findings(one(tmp_path, iozone()), "whole-file-record")
    # 8 file sizes from 64 KiB to 8 MiB, two tests
    assert found["cells"] == 16
    assert found["operation"] == "read, reread"


def test_whole_file_record_is_silent_when_nothing_was_remounted(tmp_path):
    text = commanded(iozone(), f"{CAT} -f /mnt/nfs-v4.1/testfile")
    assert findings(one(tmp_path, text), "whole-file-record") == []


def test_random_beats_sequential(tmp_path):
    text = sample("iozone/3.489/auto_a.txt")
    [found] = findings(one(tmp_path, text), "random-beats-sequential")
    assert found["operation"] == "random_read"


def test_random_beats_sequential_is_silent_over_a_real_network(tmp_path):
    assert findings(one(tmp_path, iozone()), "random-beats-sequential") == []


def test_warm_first_read(tmp_path):
    text = commanded(iozone("local-ext4"), f"{CAT} -f /mnt/t")
    [found] = findings(one(tmp_path, text, LOCAL), "warm-first-read")
    assert "-U /MOUNTPOINT" in found["advice"]


def test_warm_first_read_is_silent_after_a_remount(tmp_path):
    assert findings(one(tmp_path, iozone("local-ext4"), LOCAL), "warm-first-read") == []


# Network ----------------------------------------------------------------------------


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


def test_over_line_rate_asks_for_the_link(tmp_path):
    campaign = one(tmp_path, iozone(), 'protocol = "nfs"\n')
    warned, asked = findings(campaign, "over-line-rate")
    assert asked["severity"] == "info"
    assert asked["message"] == "not checkable: state link"
    # some reads are faster than even 10 Gbit/s, 1.25 GB/s
    assert warned["severity"] == "warning"
    [asked] = findings(campaign, "over-line-rate", unstated_link=1e11)
    assert asked["severity"] == "info"
    local = one(tmp_path / "other", iozone("local-ext4"), 'protocol = "local"\n')
    assert findings(local, "over-line-rate") == []


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


# Writes -----------------------------------------------------------------------------


def test_write_back(tmp_path):
    text = scaled(iozone("local-ext4"), READ, 0.25, rows="8192")
    [found] = findings(one(tmp_path, text, LOCAL), "write-back")
    assert "iozone -e " in found["advice"]


def test_write_back_is_silent_when_flushed(tmp_path):
    text = scaled(iozone("local-ext4"), READ, 0.25, rows="8192")
    text = commanded(text, f"{CAT} -e -f /mnt/t")
    assert findings(one(tmp_path, text, LOCAL), "write-back") == []
    assert findings(one(tmp_path / "other", iozone(), LOCAL), "write-back") == []


@pytest.mark.parametrize(
    "options,durability,says",
    [
        ("-a", "sync", "neither -c nor -e"),
        ("-ac", "async", "-c without -e"),
        ("-ac", "sync", None),
        ("-ace", "async", None),
        ("-ao", "async", None),
    ],
)
def test_unflushed_network_write(tmp_path, options, durability, says):
    text = commanded(iozone(), f"iozone {options} -n 64k -g 8m -f /mnt/t")
    campaign = one(tmp_path, text, f'{NFS}durability = "{durability}"\n')
    messages = [row["message"] for row in findings(campaign, "unflushed-network-write")]
    assert [m.partition(":")[0] for m in messages] == ([says] if says else [])


def test_durability_differs(tmp_path):
    [found] = [
        row
        for row in findings(loaded(LOOPBACK), "durability-differs")
        if row["severity"] == "error"
    ]
    assert found["system"] == "nfs-v3, nfs-v4.0, nfs-v4.1, nfs-v4.2"
    assert found["tool"] == "iozone, bonnie++, rsync"


@pytest.mark.parametrize(
    "said,fires",
    [
        ('durability = "sync"', True),
        ('export_options = "rw,sync,no_subtree_check"', True),
        ('export_options = "sync always = yes"', True),
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


# Clock ------------------------------------------------------------------------------


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


def test_too_short_is_silent_on_seconds():
    campaign = fsviz.load([f"a={LOOPBACK}/rsync/nfs-v3/rep1.time.txt"])
    assert findings(campaign, "too-short") == []


def test_clock_quantised(tmp_path):
    text = re.sub(r"(?<=Time Resolution = )\S+", "0.000100", iozone())
    [found] = findings(one(tmp_path, text), "clock-quantised")
    assert "0.1 ms" in found["evidence"]


def test_clock_quantised_is_silent_on_large_files(tmp_path):
    lines = iozone("ext4", 1, ONEHOST).splitlines()
    small = re.compile(r"\s+(64|128|256|512|1024|2048|4096|8192)\s+\d+\s")
    text = "\n".join(line for line in lines if not small.match(line))
    assert findings(one(tmp_path, text, LOCAL), "clock-quantised") == []


def test_rounded_away(tmp_path):
    text = scaled(iozone(), WRITE, 1e-4)
    [found] = findings(one(tmp_path, text), "rounded-away")
    assert found["operation"] == "write"


def test_rounded_away_is_silent_on_the_original(tmp_path):
    assert findings(one(tmp_path, iozone()), "rounded-away") == []


# Design -----------------------------------------------------------------------------


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
    assert "faster than the one before" in found["message"]


def test_not_interleaved_is_silent_on_shuffled_runs():
    assert findings(loaded(ONEHOST), "not-interleaved") == []


def test_undisclosed(tmp_path):
    [found] = findings(build(tmp_path, {"a/rep1.txt": iozone()}), "undisclosed")
    # the banner states version, flags and date; five facts are missing
    assert found["message"].startswith("3 of 8")


def test_undisclosed_is_silent_when_all_is_stated():
    assert findings(loaded(LOOPBACK), "undisclosed") == []


# Repeats ----------------------------------------------------------------------------


@pytest.mark.parametrize("n,expected", [(1, "error"), (2, "warning"), (4, "info")])
def test_too_few_runs(tmp_path, n, expected):
    assert severities(build(tmp_path, repeats("ext4", n)), "too-few-runs") == [expected]


def test_too_few_runs_is_silent_from_five_on():
    assert findings(loaded(ONEHOST), "too-few-runs") == []


def test_unstable_cell(tmp_path):
    files = {"a/1.txt": iozone(), "a/2.txt": scaled(iozone(), READ, 2, rows="8192")}
    [found] = findings(build(tmp_path, files), "unstable-cell")
    assert found["severity"] == "error"
    # x and 2x: std 0.71 x, mean 1.5 x; 12 records of 8 MiB
    assert "47 %" in found["evidence"]
    assert found["cells"] == 12


def test_unstable_cell_is_silent_on_equal_runs(tmp_path):
    files = {"a/1.txt": iozone(), "a/2.txt": iozone().replace("09:27:51", "09:28:51")}
    assert findings(build(tmp_path, files), "unstable-cell") == []


def test_outlier_run(tmp_path):
    files = {
        f"a/{i}.time.txt": f"\nreal\t0m{s}s\nuser\t0m0.990s\nsys\t0m0.070s\n"
        for i, s in enumerate(("6.869", "6.901", "6.880", "16.890", "6.875"), 1)
    }
    [found] = findings(build(tmp_path, files), "outlier-run")
    assert "a/4.time.txt" in found["evidence"] or "4.time.txt" in found["evidence"]


def test_outlier_run_is_silent_on_five_real_runs():
    names = [f"{LOOPBACK}/rsync/nfs-v3/rep{i}.time.txt" for i in range(1, 6)]
    assert findings(fsviz.load([f"a={','.join(names)}"]), "outlier-run") == []


def test_many_tests(tmp_path):
    files = repeats("ext4", 3) | repeats("xfs", 3)
    [found] = findings(build(tmp_path, files), "many-tests")
    # 135 pairs of file and record size, 6 tests
    assert found["message"].startswith("810 cells compared, so about 41 would")


def test_many_tests_is_silent_with_one_system(tmp_path):
    assert findings(build(tmp_path, repeats("ext4", 3)), "many-tests") == []


def test_means_disagree(tmp_path):
    # b reads 20 % faster in 7 of 8 sizes, but takes twice as long for the largest
    slow = scaled(iozone(), READ, 1.2, rows=r"64|128|256|512|1024|2048|4096")
    slow = scaled(slow, READ, 0.5, rows="8192")
    found = findings(two(tmp_path, iozone(), slow, "[facts]\n"), "means-disagree")
    assert [row["operation"] for row in found] == ["read"]


def test_means_disagree_is_silent_when_one_is_faster_everywhere(tmp_path):
    fast = scaled(iozone(), READ, 1.2)
    campaign = two(tmp_path, iozone(), fast, "[facts]\n")
    assert findings(campaign, "means-disagree") == []


# Outcomes ---------------------------------------------------------------------------


def test_unmatched_cells(tmp_path):
    lines = iozone(repeat=2).splitlines()
    text = "\n".join(x for x in lines if not re.match(r"\s+8192\s+\d+\s", x)) + "\n"
    found = findings(two(tmp_path, iozone(), text, "[facts]\n"), "unmatched-cells")
    # 12 records, 6 tests
    assert "72 only on a" in found[0]["evidence"]


def test_unmatched_cells_sees_the_crossover():
    found = findings(loaded(ONEHOST), "unmatched-cells")
    assert any("without -z" in row["message"] for row in found)


def test_unmatched_cells_is_silent_on_equal_grids(tmp_path):
    campaign = two(tmp_path, iozone(repeat=1), iozone(repeat=2), "[facts]\n")
    assert findings(campaign, "unmatched-cells") == []


def test_invalid_mode(tmp_path):
    files = {"a/ok.txt": iozone(), "a/v.txt": sample("iozone/3.489/auto_V.txt")}
    [found] = findings(build(tmp_path, files), "invalid-mode")
    assert found["severity"] == "error"
    assert "v.txt:line" in found["evidence"]


def test_invalid_mode_sees_mixed_units(tmp_path):
    files = {"a/1.txt": iozone(), "b/1.txt": sample("iozone/3.489/auto_O.txt")}
    [found] = findings(build(tmp_path, files), "invalid-mode")
    assert "operations/s" in found["message"]


def test_invalid_mode_is_silent_on_the_original(tmp_path):
    assert findings(one(tmp_path, iozone()), "invalid-mode") == []


def test_incomplete_run(tmp_path):
    lines = iozone().splitlines()
    cut = "\n".join(lines[:60]) + "\n"
    [found] = findings(one(tmp_path, cut), "incomplete-run")
    assert found["severity"] == "error"
    assert "rep1.txt" in found["evidence"]


def test_incomplete_run_only_warns_of_an_excerpt(tmp_path):
    lines = [x for x in iozone().splitlines() if re.match(r"\s+(kB|\d+)\s", x)]
    header = iozone().splitlines()[27]
    excerpt = "\n".join([header, *lines[:20]]) + "\n"
    assert severities(one(tmp_path, excerpt), "incomplete-run") == ["warning"]


def test_incomplete_run_is_silent_on_whole_ones():
    assert findings(loaded(LOOPBACK), "incomplete-run") == []


def test_small_for_memory():
    found = findings(loaded(LOOPBACK), "small-for-memory")
    assert [row["severity"] for row in found] == ["warning", "info"]
    assert "-s 3072m -r 1536m" in found[0]["advice"]


def test_small_for_memory_is_silent_with_twice_the_ram(tmp_path):
    names = [f"bonnie++/nfs-v4.1/rep{i}.csv" for i in (1, 2)]
    campaign = copy(LOOPBACK, tmp_path, names, '[facts]\nclient_ram = "48 MiB"\n')
    assert findings(campaign, "small-for-memory") == []


def test_cpu_bound():
    found = findings(loaded(LOOPBACK), "cpu-bound")
    assert {row["tool"] for row in found} == {"bonnie++", "rsync"}


def test_cpu_bound_is_silent_when_the_cpu_waits():
    names = ",".join(f"{LOOPBACK}/rsync/nfs-v3/rep{i}.time.txt" for i in (1, 2, 3))
    assert findings(fsviz.load([f"a={names}"]), "cpu-bound") == []


def test_stragglers():
    path = LOOPBACK / "iozone/nfs-v4.2/rep1-throughput.txt"
    [found] = findings(fsviz.load([f"a={path}"]), "stragglers")
    assert found["cells"] > 0


def test_stragglers_is_silent_when_all_keep_up(tmp_path):
    text = (LOOPBACK / "iozone/nfs-v4.2/rep1-throughput.txt").read_text()
    kept = re.sub(
        r"(Min throughput per process\s+=\s+)\S+( kB/sec)\s*\n(.*= *)(\S+)( kB/sec)\n"
        r"(.*= *)\S+",
        r"\g<1>\g<4>\g<2>\n\g<3>\g<4>\g<5>\n\g<6>\g<4>",
        text,
    )
    kept = re.sub(r"(Min xfer\s+=\s+)0.00", r"\g<1>8192.00", kept)
    assert findings(one(tmp_path, kept), "stragglers") == []


# All of them ------------------------------------------------------------------------


def test_every_rule_has_a_firing_and_a_silent_test():
    names = [name for name in globals() if name.startswith("test_")]
    for rule in RULES:
        mine = [n for n in names if n.startswith(f"test_{rule.name.replace('-', '_')}")]
        assert any("silent" not in name for name in mine), rule.name
        silent = any("silent" in name for name in mine)
        assert silent or rule.name in WITH_SILENT_CASES, rule.name


WITH_SILENT_CASES = ("unflushed-network-write", "durability-differs")
"""Rules whose firing test is parametrised over silent cases as well."""


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_has_a_page(rule):
    parts = re.findall(r"^## (.*)$", rule.page, re.MULTILINE)
    assert parts == [
        "What it means",
        "How it shows in a figure",
        "How to settle it",
        "Source",
    ]
    assert rule.page.startswith(f"# {rule.title}\n")


def test_flags_decide_not_words_in_the_banner(tmp_path):
    words = "Include close in write timing"
    text = without(commanded(iozone(), "iozone -Ra -z -f /mnt/t"), words)
    campaign = one(tmp_path, text + f"\n{words}\n")
    [found] = findings(campaign, "unflushed-network-write")
    assert found["message"].startswith("neither -c nor -e")
