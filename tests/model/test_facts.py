"""Facts in words."""

import pytest

from fsviz import load
from fsviz.checks.engine import check
from fsviz.figures.panels.references import references
from fsviz.model.facts import System, payload_share


@pytest.mark.parametrize(
    "text,size",
    [
        ("1536 MiB", 1_610_612_736),
        ("8 GB of DDR4", 8_589_934_592),
        ("1.5 GiB (cgroup)", 1_610_612_736),
        ("plenty", None),
        ("1,536 MiB", None),
        ("4-8 GiB", 8_589_934_592),
        ("0 GiB", None),
        ("0.0000001 KiB", None),
        ("-5 GiB", None),
        ("about −5 GiB", None),
    ],
)
def test_ram(text, size):
    assert System("a", {"client_ram": text}).ram == size


@pytest.mark.parametrize(
    "text,rate",
    [
        ("1 Gbit/s, emulated", 125e6),
        ("10GbE", 1.25e9),
        ("10 Gigabit Ethernet", 1.25e9),
        ("2 x 10 Gbps", 2.5e9),
        ("1000BASE-T", 125e6),
        ("Gigabit Ethernet", 125e6),
        ("100 Mb/s", 12.5e6),
        ("fast", None),
        ("-1 Gbit/s", None),
        ("−2 x 10 Gbps", None),
        ("0 Gbit/s", None),
        ("0BASE-T", None),
        ("-1000BASE-T", None),
        pytest.param("9" * 400 + "BASE-T", None, id="400 digits"),
    ],
)
def test_link(text, rate):
    assert System("a", {"link": text}).link == rate


@pytest.mark.parametrize(
    "stated,network",
    [
        ({"protocol": "nfs"}, True),
        ({"protocol": "nfs", "file_system": "ext4"}, True),
        ({"protocol": "Local"}, False),
        ({"protocol": "ext4"}, False),
        ({"file_system": "ext4 (noatime)"}, False),
        ({"file_system": "ext4", "server": "Debian 12, knfsd"}, None),
        ({"file_system": "something"}, None),
        ({}, None),
    ],
)
def test_network(stated, network):
    assert System("a", stated).network is network


def test_payload_is_the_share_that_the_rules_name():
    assert payload_share(1500) == pytest.approx(0.941, abs=0.001)
    assert payload_share(9000) == pytest.approx(0.99, abs=0.001)


def test_rules_and_figures_know_one_payload(tmp_path, root):
    """MTU 4000: 3,948 of 4,038 bytes are data, so 125 MB/s carry 122.2."""
    raw = root / "data/raw/loopback-2026/iozone/nfs-v3/rep1.txt"
    (tmp_path / "nfs").mkdir()
    (tmp_path / "nfs/rep1.txt").write_bytes(raw.read_bytes())
    facts = '[facts]\nprotocol = "nfs"\nlink = "1 Gbit/s"\nmtu = "4000"\n'
    (tmp_path / "campaign.toml").write_text(facts)
    campaign = load(tmp_path)
    (drawn,) = references(campaign, ["nfs"])
    assert drawn.value == pytest.approx(125e6 * 3948 / 4038)
    said = check(campaign, select=["over-line-rate"])["evidence"]
    assert said.str.contains("(payload 117 MiB/s)", regex=False).all()
    assert "117 MiB/s" in drawn.text


@pytest.mark.parametrize("text", ["0", "99", "many", "1500.5", "70000", "-1500"])
def test_an_mtu_that_cannot_be_is_none(text):
    assert System("a", {"mtu": text}).mtu is None
