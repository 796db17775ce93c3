"""Facts in words."""

import pytest

from fsviz.model.facts import System, payload_share


@pytest.mark.parametrize(
    "text,size",
    [
        ("1536 MiB", 1_610_612_736),
        ("8 GB of DDR4", 8_589_934_592),
        ("1.5 GiB (cgroup)", 1_610_612_736),
        ("plenty", None),
        ("1,536 MiB", None),
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
    ],
)
def test_link(text, rate):
    assert System("a", {"link": text}).link == rate


@pytest.mark.parametrize(
    "protocol,network", [("nfs", True), ("Local", False), ("", None)]
)
def test_network(protocol, network):
    assert System("a", {"protocol": protocol} if protocol else {}).network is network


def test_payload_is_the_share_that_the_rules_name():
    assert payload_share(1500) == pytest.approx(0.941, abs=0.001)
    assert payload_share(9000) == pytest.approx(0.99, abs=0.001)
