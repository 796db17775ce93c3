"""Claims against values that were worked out by hand from the printed digits."""

import math

import pytest
from claims import citation, claim_table, figure_table, per_unit, quoted_values
from claims.judge import judge
from claims.links import against_links
from claims.listed import Claim, read_claims
from claims.quoted import QuotedValue
from samples import loaded

import fsviz
from fsviz.model.errors import MalformedRowError, UsageError


@pytest.fixture(scope="module")
def judged(root):
    """Every judgement, by folder and name."""
    found = {}
    for folder in sorted((root / "data/published").iterdir()):
        figures = quoted_values(folder)
        listed = read_claims(folder) if (folder / "claims.csv").is_file() else []
        for claim in listed:
            found[folder.name, claim.name] = judge(claim, figures)
    return found


# low, high and the number as printed, by hand: 347 / 3, 348 / 2, 347 / 2 …
BY_HAND = {
    ("4-afp-smb", "per-char-write"): (115.6667, 174.0, 173.5, "not that precise"),
    ("4-afp-smb", "block-write"): (39.476, 39.497, 39.488, "holds"),
    ("4-afp-smb", "rewrite"): (260.355, 260.457, 260.44, "holds"),
    ("4-afp-smb", "per-char-read"): (344.5, 690.0, 689.0, "not that precise"),
    ("4-afp-smb", "block-read"): (1610.703, 1610.940, 1610.93, "holds"),
    ("4-afp-smb", "seeks"): (1.72817, 1.72966, 1.72891, "holds"),
    # 32 / 1, 32 / 4, 36 / 3 …: the ends of a range as they are printed
    ("2-wordpress-nas", "direct"): (32, math.inf, math.nan, "holds"),
    ("2-wordpress-nas", "sync-async"): (8, 12, math.nan, "holds"),
    ("2-wordpress-nas", "samba-nfs-sync"): (4.57143, 9, math.nan, "holds"),
    ("2-wordpress-nas", "samba-nfs-async"): (0.42857, 1, math.nan, "not supported"),
    ("2-wordpress-nas", "samba-gluster-2"): (4.57143, 8.75, math.nan, "holds"),
    ("2-wordpress-nas", "samba-gluster-1"): (2, 4, math.nan, "holds"),
    ("2-wordpress-nas", "samba-gluster-nfs"): (2.28571, 4.75, math.nan, "holds"),
    ("3-nfs-smb-dfs", "write-peak"): (1.02151, 1.06593, 1.04348, "holds"),
    ("3-nfs-smb-dfs", "write-drop"): (1.62566, 1.62567, 1.62567, "holds"),
    ("3-nfs-smb-dfs", "read-32m"): (1.09488, 1.09488, 1.09488, "holds"),
    ("3-nfs-smb-dfs", "read-128m"): (1.02975, 1.02976, 1.02975, "holds"),
    ("3-nfs-smb-dfs", "read-1g"): (1.01465, 1.01465, 1.01465, "holds"),
    ("3-nfs-smb-dfs", "read-2g"): (1.01976, 1.01976, 1.01976, "holds"),
    ("3-nfs-smb-dfs", "read-1g-4m"): (1.00181, 1.00181, 1.00181, "holds"),
    ("3-nfs-smb-dfs", "read-conclusion"): (1.01465, 1.01465, 1.01465, "overstated"),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_numbers_are_those_worked_out_by_hand(judged, name):
    low, high, value, verdict = BY_HAND[name]
    found = judged[name]
    assert tuple(found.bounds) == pytest.approx((low, high, value), 2e-5, nan_ok=True)
    assert found.verdict.startswith(verdict)


def test_a_page_has_one_bound_for_one_ratio(judged, root):
    """fsviz.compare and the claims speak of the same two times."""
    text = loaded(root / "data/published/2-wordpress-nas")
    rows = fsviz.compare(text).rows.set_index("candidate")
    for name, system in (("samba-nfs-sync", "Samba"), ("sync-async", "NFS async")):
        low, high, _ = judged["2-wordpress-nas", name].bounds
        ends = rows.loc[system, ["bound_low", "bound_high"]]
        assert [1 / high, 1 / low] == pytest.approx(list(ends))


def test_no_gigabit_link_carries_what_was_read(judged, root):
    # 130,749 KiB/s are 127.7 MiB/s; the link carries 125e6 B/s, 119.2 MiB/s
    found = judged["4-afp-smb", "limits"]
    assert found.recomputed.startswith("128 MiB/s; Gigabit Ethernet carries 112 MiB/s")
    assert found.verdict == "more than the link"
    table = claim_table(str(root / "data/published/4-afp-smb"))
    row = table[table["authors' number"] == "1610 %"].iloc[0]
    assert row["answer"] == "holds as arithmetic; not the network's speed"
    assert "more than the link carries" in row["recomputed, with bounds"]
    others = table["recomputed, with bounds"].str.contains("more than the link carries")
    assert others.sum() == 1


def test_a_clock_that_never_goes_back_can_print_minus_zero():
    """One reading rounded to 64 bits, the next at 80: one tick, twice."""
    import numpy as np

    if np.finfo(np.longdouble).nmant != 63:
        pytest.skip("no extended precision here")
    ticks = np.arange(10**12, 10**12 + 1000).astype(np.longdouble)
    long = ticks * 1_000_000 / np.longdouble(3_579_545)
    stored = long.astype(np.float64)
    lines = {f"{d / 1_000_000:.6f}" for d in long - stored if d != 0}
    assert lines == {"-0.000000", "0.000000"}


@pytest.mark.parametrize(
    "low,high,verdict",
    [
        (100, 117, "holds"),
        (118, 119, "cannot be told"),
        (124, 126, "more than the link's payload"),
        (126, 130, "more than the link"),
    ],
)
def test_a_link_is_judged_by_both_sizes_of_packet(low, high, verdict):
    # 125e6 × (1500 - 52) / 1538 = 117.7e6 B/s; 125e6 × 8948 / 9038 = 123.75e6
    told = QuotedValue("", "", math.nan, low * 1e6, high * 1e6, "B/s", "")
    claim = Claim("", "", "", "link", "f", "1 Gbit/s", -math.inf, math.inf, "", "")
    assert judge(claim, {"f": told}).verdict == verdict


def test_the_end_of_a_range_is_compared_with_a_quoted_cell(judged):
    # 4,740,000 and 4,600,000, the upper end of a range, both as rounded
    found = judged["3-nfs-smb-dfs", "write-large"]
    assert found.verdict == "holds"
    assert found.bounds.low == pytest.approx(4_735_000 / 4_650_000)
    assert found.bounds.high == pytest.approx(4_745_000 / 4_550_000)


@pytest.mark.parametrize(
    "case,rule",
    [
        ("1-windows-linux-nfs", "confounded"),
        ("2-wordpress-nas", "durability-differs"),
        ("3-nfs-smb-dfs", "test-file-elsewhere"),
        ("3-nfs-smb-dfs", "no-storage-cells"),
        ("4-afp-smb", "over-line-rate"),
        ("5-nfs-versions", "confounded"),
    ],
)
def test_check_finds_the_flaw(root, case, rule):
    findings = fsviz.check(loaded(root / "data/published" / case))
    assert rule in set(findings.loc[findings["severity"] == "error", "rule"])


def test_tables_for_readers_show_printed_text_and_place(root):
    folder = str(root / "data/published/3-nfs-smb-dfs")
    shown = figure_table(folder).set_index("figure")
    assert shown.loc["client-ram", "value"] == "8 GB"
    assert shown.loc["NFS read 1g 4m", "place"] == "line 252"
    assert "10.54580/R0702.09" in citation(folder)


def test_a_claim_that_cannot_be_read_is_named_with_its_line(tmp_path):
    header = "name,claim,printed,test,figure,against,low,high,place,remark\n"
    path = tmp_path / "claims.csv"
    path.write_text(header + "n,c,p,guess,,,,,line 1,\n")
    with pytest.raises(MalformedRowError, match=r"claims.csv:2: .*'guess'"):
        read_claims(tmp_path)
    path.write_text(header + "n,c,p,ratio,,,much,,line 1,\n")
    with pytest.raises(MalformedRowError, match=r"claims.csv:2: .*'much, '"):
        read_claims(tmp_path)


def test_the_time_of_one_file_has_two_ends(root):
    # 32 s / 1800 … 36 s / 1800; less than 1 s / 1800
    figures = quoted_values(root / "data/published/2-wordpress-nas")
    slow, direct = (
        figures[f"{name} transfer elapsed"] for name in ("NFS sync", "Direct disk")
    )
    assert per_unit(slow, 1800) == "17.8 ms to 20 ms"
    assert per_unit(direct, 1800) == "less than 556 µs"


def test_points_stand_against_links(root):
    published = loaded(root / "data/published/3-nfs-smb-dfs")
    figure = against_links(published, ["1 Gbit/s", "10 Gbit/s"])
    # 23 points of the paper; 1 Gbit/s is 125e6 B/s, shown in GiB/s
    assert sum(len(trace.x) for trace in figure.data) == 23
    assert [line.x0 for line in figure.layout.shapes] == pytest.approx(
        [125e6 / 2**30, 1.25e9 / 2**30]
    )
    # the unit is in the title: with it, the names of near links touch on a phone
    assert [line.label.text for line in figure.layout.shapes] == ["1", "10"]
    assert "[Gbit/s]" in figure.layout.title.text
    # none came over the slower link, two over the faster one
    points = [x for trace in figure.data for x in trace.x]
    assert min(points) > 125e6 / 2**30
    assert sum(x < 1.25e9 / 2**30 for x in points) == 2
    with pytest.raises(UsageError, match="expected throughput"):
        against_links(published.measurements.iloc[:0], ["1 Gbit/s"])
