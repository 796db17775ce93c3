"""Rules on direct I/O, compressible data, parallel runs; severities in two grades."""

from __future__ import annotations

import re

import pytest
from compared import compare

from tests.checks.outputs import (
    LOCAL,
    LOOPBACK,
    ONEHOST,
    READ,
    build,
    commanded,
    findings,
    iozone,
    loaded,
    one,
    repeats,
    sample,
    scaled,
    severities,
    two,
)

FWRITE = "iozone/3.489/auto_a.txt"
COMMAND = "iozone -a -I -f /mnt/t"


def test_direct_in_part_names_the_tests_that_the_option_does_not_reach(tmp_path):
    campaign = one(tmp_path, commanded(sample(FWRITE), COMMAND))
    [found] = findings(campaign, "direct-in-part")
    for operation in ("fwrite", "frewrite", "fread", "freread"):
        assert operation in found["operation"]
    assert "random_read" not in found["operation"]
    assert found["severity"] == "warning"


def test_direct_in_part_is_silent_without_these_tests_and_without_the_option(tmp_path):
    assert findings(one(tmp_path, sample(FWRITE)), "direct-in-part") == []
    direct = commanded(iozone(), "iozone -a -I -i 0 -i 1 -i 2 -f /mnt/t")
    assert findings(one(tmp_path / "direct", direct), "direct-in-part") == []


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


def test_compressible_data_is_silent_where_nothing_compresses():
    assert findings(loaded(ONEHOST), "compressible-data") == []


def begun(text: str, time: str) -> str:
    return re.sub(r"(Run began: \w+ \w+ \d+ )[\d:]+", rf"\g<1>{time}", text)


def test_parallel_runs(tmp_path):
    # a thousandth of the speed: the cells alone take more than a minute
    slow = scaled(iozone("local-ext4"), READ, 0.001)
    files = {f"a/rep{i}.txt": begun(slow, f"09:00:0{3 * i}") for i in range(1, 4)}
    [found] = findings(build(tmp_path, files), "parallel-runs")
    assert found["severity"] == "warning"
    assert list(found["system"]) == ["a"]
    apart = {f"a/rep{i}.txt": begun(slow, f"1{i}:00:00") for i in range(1, 4)}
    assert findings(build(tmp_path / "apart", apart), "parallel-runs") == []


@pytest.mark.parametrize("campaign", [LOOPBACK, ONEHOST])
def test_parallel_runs_is_silent_on_runs_one_after_another(campaign):
    assert findings(loaded(campaign), "parallel-runs") == []


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


def in_turn(text: str, level: float, minute: int) -> str:
    return begun(scaled(text, READ, level), f"09:{minute:02}:00")


@pytest.mark.parametrize("drift, severity", [(0.0, "warning"), (0.2, "error")])
def test_one_after_another_is_a_scope_and_a_drift_as_large_decides_nothing(
    tmp_path, drift, severity
):
    text = iozone("local-ext4")
    wobble = (1.0, 1.01, 0.99, 1.005, 0.995)
    files = {}
    for s, system in enumerate("ab"):
        for i in range(5):
            level = (1 + drift) ** (5 * s + i) * (1 if drift else wobble[i])
            files[f"{system}/rep{i}.txt"] = in_turn(text, level, 20 * s + 2 * i)
    campaign = build(tmp_path, files)
    found = findings(campaign, "not-interleaved")
    assert found[0]["severity"] == severity
    frame = compare(campaign, operation=["read"])
    assert all("one after another" in scope for scope in frame["scope"])
    drifts = ["drift" in scope for scope in frame["scope"]]
    assert drifts == [severity == "error"] * len(frame)
    if severity == "error":
        assert set(frame["answer"]) == {"inconclusive"}


def test_clocks_of_other_resolution_disqualify_short_cells(tmp_path):
    files = repeats("ext4", 3)
    for name, text in repeats("xfs", 3).items():
        coarse = re.sub(r"Resolution = [\d.]+", "Resolution = 0.010000", text)
        files[name] = coarse
    campaign = build(tmp_path, files)
    said = [row["message"] for row in findings(campaign, "clock-quantised")]
    assert any("clocks of other resolution" in message for message in said)
    frame = compare(campaign, operation=["read"]).set_index("bucket")
    assert frame.loc["small", "rule"] == "clock-quantised"
    assert findings(loaded(ONEHOST), "settings-differ") == []
