"""Each rule beside its line: it fires on the one side, and is silent on the other.

All numbers are made, so that what is counted is known without a reader.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from frames import campaign, made

import fsviz
from fsviz.checks.engine import run_checks
from fsviz.model.units import KIB, MIB

M = 1024
"""KiB of a MiB."""
NET = {"protocol": "nfs", "link": "1 Gbit/s", "client_ram": "1 GiB"}
DISK = {"protocol": "local", "client_ram": "1 GiB"}
LINK = 125e6
PAYLOAD = LINK * 1448 / 1538


def found(data, rule, **thresholds):
    """List the findings of a rule as records."""
    frame = fsviz.check(data, select=[rule], thresholds=thresholds)
    return frame.to_dict("records")


def marked(data, rule):
    """List the places that a rule marks, with what it says of them."""
    marks = run_checks(data, select=[rule]).marks
    return list(
        zip(marks["system"], marks["operation"], marks["file_size_bytes"], strict=True)
    )


PLACED = ("system", "operation", "tool", "cells", "source", "locator")


def keys(row, *names):
    return [row[name] for name in names]


def scopes(data, rule):
    """Return scope, disqualifies and against of the marks, each combination once."""
    marks = run_checks(data, select=[rule]).marks
    return set(
        zip(marks["scope"], marks["disqualifies"], marks["against"], strict=True)
    )


def once(rows, facts=NET, command="", name="r", **told):
    """A campaign of one system, ``a``, with one run."""
    return campaign({"a": [made(name, rows, command_line=command, **told)]}, facts)


# over-line-rate


@pytest.mark.parametrize(
    "value, severity",
    [(LINK * 1.0001, "error"), (LINK, "warning"), (PAYLOAD + 1, "warning")],
)
def test_a_value_above_the_link_or_its_payload(value, severity):
    rows = [("read", 64, 4, 1e6), ("read", 128, 4, value), ("write", 64, 4, 1e6)]
    [row] = found(once(rows), "over-line-rate")
    assert row["severity"] == severity
    assert (row["system"], row["operation"], row["tool"]) == ("a", "read", "iozone")
    assert (row["cells"], row["source"], row["locator"]) == (1, "r.txt", "line 2")
    assert "1 of 2 cells" in row["message"]
    assert marked(once(rows), "over-line-rate") == [("a", "read", 128 * KIB)]
    assert scopes(once(rows), "over-line-rate") == {("cache", False, "")}


@pytest.mark.parametrize("more", [{}, {"mtu": "1500"}])
def test_a_value_at_the_payload_is_none(more):
    assert found(once([("read", 64, 4, PAYLOAD)], NET | more), "over-line-rate") == []


def test_the_payload_is_of_the_stated_packet():
    rows = [("read", 64, 4, PAYLOAD + 1)]
    assert found(once(rows, NET | {"mtu": "9000"}), "over-line-rate") == []
    [row] = found(once(rows), "over-line-rate")
    assert "(payload 112 MiB/s)" in row["evidence"]
    assert found(once(rows), "over-line-rate", assumed_mtu=9000) == []


def test_no_link_counts_where_the_protocol_is_local():
    rows = [("read", 64, 4, 1e12)]
    assert found(once(rows, DISK | {"link": "1 Gbit/s"}), "over-line-rate") == []
    assert found(once(rows, DISK), "over-line-rate") == []


def test_cells_of_one_record_are_counted_beside_the_link():
    rows = [("read", 64, 64, LINK * 2), ("read", 64, 4, LINK * 3)]
    [row] = found(once(rows), "over-line-rate")
    assert row["evidence"].endswith(
        "(r.txt:line 2); in 1 cells the record is the whole file"
    )
    [row] = found(once(rows[1:]), "over-line-rate")
    assert "whole file" not in row["evidence"]


def test_each_tool_is_told_of_by_itself():
    runs = [
        made("i", [("read", 64, 4, LINK * 2)]),
        made("b", [("sequential_input_block", M, 8, LINK * 3)], tool="bonnie++"),
        made("f", [("read", M, 4, LINK * 4)], tool="fio"),
    ]
    rows = found(campaign({"a": runs}, NET), "over-line-rate")
    assert [(row["tool"], row["locator"]) for row in rows] == [
        *[("iozone", "line 1"), ("bonnie++", "line 1"), ("fio", "line 1")]
    ]
    assert [row["advice"].endswith(": bonnie++ -s and -r") for row in rows] == [
        *[False, True, False]
    ]


@pytest.mark.parametrize(
    "command, advice",
    [
        ("iozone -a -f /m/t", "add /MOUNTPOINT to /etc/fstab"),
        ("iozone -a -U /m -f /m/t", "time the flush: `iozone -c -e -a -U /m -f /m/t`"),
        ("iozone -a -c -U /m -f /m/t", "time the flush: `iozone -e -a -c -U /m"),
        ("iozone -a -I -f /m/t", "-I goes around the client's cache"),
        ("iozone -a -e -I -f /m/t", "-I goes around the client's cache"),
        ("iozone -a -e -I -B -f /m/t", "the client's cache was cold"),
        ("iozone -a -e -U /m -f /m/t", "the client's cache was cold"),
    ],
)
def test_writes_above_the_link_are_explained_by_the_options(command, advice):
    rows = [("write", 64, 4, LINK * 2), ("rewrite", 64, 4, LINK * 2)]
    [row] = found(once(rows, command=command), "over-line-rate")
    assert row["advice"].startswith(advice)


def test_what_few_links_carry_is_told_where_none_is_stated():
    facts = {"protocol": "nfs"}
    rows = [("read", 64, 4, 1.25e9), ("read", 128, 4, 1.25e9 + 1), ("write", 64, 4, 1)]
    warned, asked = found(once(rows, facts), "over-line-rate")
    assert (warned["severity"], warned["cells"]) == ("warning", 1)
    assert "faster than a link of 10 Gbit/s in 1 of 2 cells" in warned["message"]
    assert (warned["system"], warned["operation"], warned["tool"]) == (
        *("a", "read", "iozone"),
    )
    assert (warned["source"], warned["locator"]) == ("r.txt", "line 2")
    assert scopes(once(rows, facts), "over-line-rate") == {("cache", False, "")}
    assert (asked["fact"], asked["system"], asked["severity"]) == ("link", "a", "info")


def test_a_system_without_a_protocol_is_asked_for_it():
    rows = [("read", 64, 4, 1e12)]
    [row] = found(once(rows, {"client_ram": "1 GiB"}), "over-line-rate")
    assert (row["fact"], row["system"]) == ("protocol", "a")
    assert 'protocol = "nfs"' in row["advice"]
    runs = {"a": [made("r", rows)], "b": [made("s", rows)]}
    data = campaign(runs, own={"b": {"protocol": "nfs"}})
    # the link is asked for first
    assert [(r["fact"], r["system"]) for r in found(data, "over-line-rate")] == [
        *[("", "b"), ("link", "b")]
    ]


# test-file-elsewhere


@pytest.mark.parametrize(
    "command, severity",
    [
        ("iozone -a -f /mnt/nfs/t", None),
        ("iozone -a -f t", None),
        ("iozone -a -f /mnt/nfs/sub/../t", None),
        ("iozone -t 2 -F /mnt/nfs/a /mnt/nfs/b", None),
        ("iozone -a -+m hosts", None),
        ("iozone -a -f /mnt/nfs2/t", "error"),
        ("iozone -a -f /mnt/nfs", "error"),
        ("iozone -t 2 -F /mnt/nfs/a /tmp/b", "error"),
        ("iozone -a", "warning"),
        ("iozone -a /mnt/nfs", "error"),
        ("", None),
    ],
)
def test_where_the_test_file_was(command, severity):
    facts = NET | {"mount_point": "/mnt/nfs"}
    data = once([("read", 64, 4, 1), ("write", 64, 4, 1)], facts, command)
    rows = found(data, "test-file-elsewhere")
    assert [row["severity"] for row in rows] == ([severity] if severity else [])
    if severity:
        assert keys(rows[0], *PLACED) == ["a", "", "iozone", 2, "r.txt", "line 1"]
        assert rows[0]["evidence"] == f"{command} (r.txt)"
        assert scopes(data, "test-file-elsewhere") == {("", severity == "error", "")}


def test_the_mount_that_iozone_unmounts_counts_too():
    data = once([("read", 64, 4, 1)], command="iozone -a -U /mnt/a -f /mnt/b/t")
    [row] = found(data, "test-file-elsewhere")
    assert row["message"] == "the test file /mnt/b/t is outside the mount /mnt/a"
    assert "-f /mnt/a/iozone.tmp" in row["advice"]
    facts = NET | {"mount_point": "/mnt/c"}
    both = once([("read", 64, 4, 1)], facts, "iozone -a -U /mnt/a -f /mnt/b/t")
    [row] = found(both, "test-file-elsewhere")
    assert "outside the mount /mnt/c" in row["message"]


# unmatched-cells


def sides(first, second, **told):
    """Two systems of one run each."""
    return campaign({"a": [made("r", first, **told)], "b": [made("s", second, **told)]})


def test_cells_of_one_side_are_counted():
    rows = [("read", 64, 4, 1), ("read", 128, 4, 1), ("read", 256, 4, 1)]
    other = [("read", 64, 4, 1), ("read", 64, 8, 1)]
    [row] = found(sides(rows, other), "unmatched-cells")
    assert row["evidence"] == "b: 2 only on a, 1 only here"
    assert (row["systems"], row["tool"], row["cells"]) == (["b"], "iozone", 0)
    [row] = found(sides(rows, rows[:2]), "unmatched-cells")
    assert row["evidence"] == "b: 1 only on a, 0 only here"
    [row] = found(sides(rows[:2], rows), "unmatched-cells")
    assert row["evidence"] == "b: 0 only on a, 1 only here"
    assert found(sides(rows, rows), "unmatched-cells") == []
    assert found(once(rows), "unmatched-cells") == []


def test_cells_are_counted_against_the_baseline():
    rows = [("read", 64, 4, 1), ("read", 128, 4, 1)]
    data = replace(sides(rows, rows[:1]), baseline="b")
    [row] = found(data, "unmatched-cells")
    assert row["evidence"] == "a: 0 only on b, 1 only here"
    # one that did not run the tool is none
    data = replace(sides(rows, rows[:1]), baseline="c")
    assert found(data, "unmatched-cells")[0]["evidence"].startswith("b: 1 only on a")


def test_of_four_systems_three_are_shown():
    rows = [("read", 64, 4, 1), ("read", 128, 4, 1)]
    runs = {name: [made(name, rows[:1])] for name in "bcdef"}
    data = campaign({"a": [made("a", rows)], **runs})
    [row] = found(data, "unmatched-cells")
    assert row["evidence"].count(" only on a") == 3
    assert row["evidence"].endswith("; 2 more")
    assert row["systems"] == list("bcdef")


def test_bounds_are_counted_beside_what_is_unmatched():
    rows = [("random_seeks", M, 8, 1.0, "rate"), ("random_stat", None, None, 5, "rate")]
    bound = [rows[0], ("random_stat", None, None, None, "rate")]
    [row] = found(sides(rows, bound, tool="bonnie++"), "unmatched-cells")
    assert row["evidence"] == (
        "b: 1 only on a, 0 only here (1 value are only bounds, such as +++++)"
    )


CROSSED = [("read", 16 * M, 32, 1), ("read", 32 * M, 64, 1)]


@pytest.mark.parametrize(
    "rows, command, fires",
    [
        (CROSSED, "iozone -a", True),
        (CROSSED, "", True),
        (CROSSED, "iozone -az", False),
        ([CROSSED[0], ("read", 16 * M, 64, 1)], "iozone -a", False),
        ([("read", 16 * M, 64, 1), CROSSED[1]], "iozone -a", False),
        ([*CROSSED, ("read", 32 * M, 32, 1)], "iozone -a", False),
        ([CROSSED[1]], "iozone -a", False),
    ],
)
def test_large_files_without_small_records(rows, command, fires):
    data = once(rows, command=command)
    hits = found(data, "unmatched-cells")
    assert bool(hits) is fires
    if fires:
        [row] = hits
        assert keys(row, "systems", "tool", "cells", "source", "locator") == (
            [["a"], "iozone", 1, "r.txt", "line 1"]
        )
        assert row["evidence"] == f"a: {command or 'no command line'} (r.txt)"
        assert marked(data, "unmatched-cells") == [("a", "read", 32 * MIB)]


# exceeds-memory-speed


@pytest.mark.parametrize(
    "file, value, threads, fires",
    [
        (64, 20e9 + 1, 1, True),
        (64, 20e9, 1, False),
        (32, 30e9, 1, False),
        (33, 30e9, 1, True),
        (64, 40e9, 2, False),
        (64, 40e9 + 1, 2, True),
        (17, 50e9, 2, True),
        (16, 50e9, 2, False),
    ],
)
def test_what_memory_cannot_copy(file, value, threads, fires):
    rows = [("read", file * M, 64, value), ("write", 64 * M, 64, 1e6)]
    data = once(rows, threads=threads)
    hits = found(data, "exceeds-memory-speed")
    assert bool(hits) is fires
    if fires:
        [row] = hits
        assert keys(row, *PLACED) == ["a", "read", "iozone", 1, "r.txt", "line 1"]
        assert "1 of 2 cells" in row["message"]
        assert scopes(data, "exceeds-memory-speed") == {("cache", False, "")}


# whole-file-record

COLD = "iozone -a -U /m -f /m/t"


@pytest.mark.parametrize(
    "command, fires",
    [(COLD, True), ("iozone -a -f /m/t", False), (f"{COLD} -I", False), ("", False)],
)
def test_cold_reads_of_one_record(command, fires):
    rows = [
        *[("read", 64, 64, 30.0), ("read", 64, 32, 10.0), ("read", 128, 64, 9.0)],
        *[("reread", 64, 64, 20.0), ("write", 64, 64, 5.0)],
    ]
    hits = found(once(rows, command=command), "whole-file-record")
    assert bool(hits) is fires
    if fires:
        [row] = hits
        assert keys(row, *PLACED) == (
            ["a", "read, reread", "iozone", 2, "r.txt", "line 1"]
        )
        assert "(2 of 4 cells)" in row["message"]
        # where a smaller record was measured too, that is the one that is shown
        assert row["evidence"].endswith(", 3 times the next smaller record")
        assert scopes(once(rows, command=command), "whole-file-record") == {
            ("cache", False, "")
        }


def test_cold_reads_of_one_record_without_a_smaller_one():
    rows = [("reread", 64, 64, 20.0), ("read", 128, 64, 9.0)]
    [row] = found(once(rows, command=COLD), "whole-file-record")
    assert "times the next" not in row["evidence"]
    assert row["locator"] == "line 1"
    assert found(once(rows[1:], command=COLD), "whole-file-record") == []


# random-beats-sequential


def pairs(ratios, record=64, file=2 * M):
    """Reads of 100 B/s, and random reads at some ratios to them."""
    sizes = [file * 2**n for n in range(len(ratios))]
    read = [("read", size, record, 100.0) for size in sizes]
    return read + [
        ("random_read", size, record, 100.0 * r)
        for size, r in zip(sizes, ratios, strict=True)
    ]


@pytest.mark.parametrize(
    "rows, command, cells",
    [
        (pairs([0.9]), "", 1),
        (pairs([0.89]), "", 0),
        (pairs([0.9, 0.5, 0.5, 0.5]), "", 1),
        (pairs([0.9, 0.5, 0.5, 0.5, 0.5]), "", 0),
        (pairs([0.95, 0.97, 0.5, 0.5]), "", 2),
        (pairs([1.0], record=128), "", 0),
        (pairs([1.0], file=1 * M), "", 0),
        (pairs([1.0]), "iozone -a -I", 0),
        (pairs([1.0]), "iozone -a", 1),
        (pairs([1.0])[1:], "", 0),
    ],
)
def test_random_reads_as_fast_as_others(rows, command, cells):
    hits = found(once(rows, command=command), "random-beats-sequential")
    assert [row["cells"] for row in hits] == ([cells] if cells else [])


def test_random_reads_are_counted_and_the_fastest_is_shown():
    data = once(pairs([0.95, 0.97, 0.5, 0.5]))
    [row] = found(data, "random-beats-sequential")
    assert "2 of 4 cells" in row["message"]
    assert keys(row, *PLACED) == ["a", "random_read", "iozone", 2, "r.txt", "line 6"]
    assert row["evidence"].endswith("0.97 times read")
    assert marked(data, "random-beats-sequential") == [
        *[("a", "random_read", 2 * MIB), ("a", "random_read", 4 * MIB)]
    ]


# direct-in-part


def test_direct_in_part_counts_cells_and_shows_the_command():
    rows = [("fwrite", 64, 4, 1), ("fread", 64, 4, 1), ("read", 64, 4, 1)]
    data = once(rows, command="iozone -a -I")
    [row] = found(data, "direct-in-part")
    assert keys(row, *PLACED) == ["a", "fwrite, fread", "iozone", 2, "r.txt", "line 1"]
    assert row["evidence"] == "iozone -a -I (r.txt)"


# small-for-memory


@pytest.mark.parametrize("size, small", [(2048 * M, False), (2048 * M - 1, True)])
def test_bonnie_with_less_than_twice_the_memory(size, small):
    rows = [("sequential_input_block", size, 8, 1.0), ("random_stat", None, None, 1.0)]
    data = once(rows, DISK, tool="bonnie++")
    hits = found(data, "small-for-memory")
    assert bool(hits) is small
    if small:
        [row] = hits
        assert keys(row, *PLACED) == ["a", "", "bonnie++", 1, "r.txt", "line 1"]
        assert row["severity"] == "warning"
        assert marked(data, "small-for-memory") == [
            ("a", "sequential_input_block", size * KIB)
        ]


def test_bonnie_without_a_stated_memory_is_asked_for_it_once():
    rows = [("sequential_input_block", M, 8, 1.0)]
    runs = [made(n, rows, tool="bonnie++", configuration=n) for n in "rs"]
    unsized = made("t", [("random_stat", None, None, 1.0)], tool="bonnie++")
    data = campaign({"a": runs, "b": [unsized]})
    [row] = found(data, "small-for-memory")
    assert (row["fact"], row["systems"], row["severity"]) == (
        "client_ram",
        ["a"],
        "info",
    )
    assert row["advice"].startswith('write client_ram = "16 GiB" under')


def test_bonnie_values_that_were_over_at_once():
    rows = [
        ("sequential_input_block", 4096 * M, 8, 1.0),
        ("random_stat", None, None, None, "rate"),
        ("random_create", None, None, None, "rate"),
    ]
    [row] = found(once(rows, DISK, tool="bonnie++"), "small-for-memory")
    assert keys(row, "severity", *PLACED) == (
        ["info", "a", "random_stat, random_create", "bonnie++", 0, "r.txt", "line 2"]
    )
    assert row["message"].startswith("2 values of bonnie++")


# cpu-bound


@pytest.mark.parametrize(
    "operation, value, fires",
    [
        ("sequential_input_block", 90.0, True),
        ("sequential_input_block", 89.9, False),
        ("random_seeks", 150.0, False),
    ],
)
def test_a_busy_processor(operation, value, fires):
    rows = [(operation, M, 8, value, "cpu"), ("random_stat", None, None, 5.0, "cpu")]
    data = once([*rows, (operation, M, 8, 99.0)], tool="bonnie++")
    hits = found(data, "cpu-bound")
    assert bool(hits) is fires
    if fires:
        [row] = hits
        assert keys(row, *PLACED) == ["a", operation, "bonnie++", 1, "r.txt", "line 1"]
        assert "at 1 of 2 cells" in row["message"]


# stragglers


def children(slow, fast=100.0, threads=2, operation="write"):
    rows = [(operation, M, 4, fast, "max_child_throughput")]
    if slow is not None:
        rows.append((operation, M, 4, slow, "min_child_throughput"))
    return once(rows, threads=threads)


@pytest.mark.parametrize(
    "data, ratio",
    [
        (children(49.9), "0.499"),
        (children(50.0), None),
        (children(None), "0"),
        (children(10.0, threads=1), None),
        (children(10.0, threads=3), "0.1"),
    ],
)
def test_a_slow_child(data, ratio):
    hits = found(data, "stragglers")
    assert bool(hits) is (ratio is not None)
    if ratio:
        [row] = hits
        assert keys(row, *PLACED) == ["a", "write", "iozone", 1, "r.txt", "line 1"]
        assert "in 1 of 1 throughput test:" in row["message"]
        assert f"slowest {ratio} times the fastest (r.txt:line 1)" in row["evidence"]


def test_a_child_of_an_unknown_number_is_alone():
    rows = [("write", M, 4, 100.0, "max_child_throughput")]
    assert found(once(rows, threads=None), "stragglers") == []


# undisclosed

STATED = {
    "client_ram": "1 GiB",
    "link": "1 Gbit/s",
    "mount_options": "rw",
    "kernel": "6.1",
    "protocol_version": "4.1",
    "date": "2026-11-21",
    "protocol": "nfs",
}
KNOWN = {"tool_version": "3.489", "command_line": "iozone -a"}


def disclosed(facts, tool="iozone", **told):
    rows = [("read", 64, 4, 1.0)]
    return campaign({"a": [made("r", rows, tool=tool, **(KNOWN | told))]}, facts)


@pytest.mark.parametrize(
    "fact, item",
    [
        ("client_ram", "RAM"),
        ("link", "link"),
        ("mount_options", "mount options"),
        ("kernel", "kernel"),
        ("protocol_version", "protocol version"),
        ("date", "date"),
    ],
)
def test_each_fact_that_is_not_stated_is_named(fact, item):
    facts = {name: text for name, text in STATED.items() if name != fact}
    [row] = found(disclosed(facts), "undisclosed")
    assert row["message"].startswith("a reader finds 7 of the 8 facts")
    assert (row["evidence"], row["systems"]) == (f"missing: {item} (a)", ["a"])
    assert row["advice"] == f"state {fact} in campaign.toml"


def test_what_is_stated_otherwise_is_not_missing():
    assert found(disclosed(STATED), "undisclosed") == []
    facts = {name: text for name, text in STATED.items() if name != "kernel"}
    assert found(disclosed(facts | {"operating_system": "Linux"}), "undisclosed") == []
    undated = {name: text for name, text in STATED.items() if name != "date"}
    begun = disclosed(undated, started="2026-11-21T09:00:00")
    assert found(begun, "undisclosed") == []
    local = {k: v for k, v in STATED.items() if k not in ("link", "protocol_version")}
    assert found(disclosed(local | {"protocol": "local"}), "undisclosed") == []
    versioned = STATED | {"tool_versions": "iozone 3.489"}
    assert found(disclosed(versioned, tool_version=""), "undisclosed") == []
    assert found(disclosed(STATED, tool="rsync", command_line=""), "undisclosed") == []


def test_what_only_the_output_can_tell():
    [row] = found(disclosed(STATED, tool_version=""), "undisclosed")
    assert row["evidence"] == "missing: tool version (a)"
    assert row["advice"] == "keep the raw output with its banner"
    [row] = found(disclosed(STATED, command_line=""), "undisclosed")
    assert row["evidence"] == "missing: flags (a)"
