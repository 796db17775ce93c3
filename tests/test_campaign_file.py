"""campaign.toml: read, or refused with the line."""

from itertools import product

import pytest
from each import each
from samples import loaded

from fsviz import check
from fsviz.campaigns.campaign_toml import read_campaign_file
from fsviz.model.errors import CampaignError, UsageError
from fsviz.model.thresholds import RANGES, THRESHOLDS

GOOD = """title = "A"
baseline = "nfs"

[facts]
client_ram = "1 GiB"

[[system]]
name = "nfs"
files = ["a/*"]

[[system]]
name = "smb"
protocol = "smb"
"""


def read(tmp_path, text):
    path = tmp_path / "campaign.toml"
    path.write_text(text)
    return read_campaign_file(path)


def test_a_good_file(tmp_path):
    parsed = read(tmp_path, GOOD)
    assert parsed.title == "A"
    assert parsed.facts.client_ram == "1 GiB"
    assert [entry.name for entry in parsed.system] == ["nfs", "smb"]
    assert parsed.system[0].files == ["a/*"]


@pytest.mark.parametrize(
    "old,new,line,says",
    [
        ('protocol = "smb"', 'protocoll = "smb"', 13, "found 'protocoll'"),
        (
            'client_ram = "1 GiB"',
            "client_ram = 1",
            5,
            "a valid string for 'client_ram'",
        ),
        ('client_ram = "1 GiB"', 'ram = "1 GiB"', 5, "one of the keys protocol,"),
        ('"1 GiB"', '"plenty"', 5, "expected a size such as 8 GiB for 'client_ram'"),
        (
            'client_ram = "1 GiB"',
            'link = "fast"',
            5,
            "expected a rate such as 1 Gbit/s",
        ),
        ('"1 GiB"', '"-5 GiB"', 5, "a size such as 8 GiB for 'client_ram', found '-5"),
        ('"1 GiB"', '"0 GiB"', 5, "a size such as 8 GiB for 'client_ram', found '0"),
        ('client_ram = "1 GiB"', 'link = "-1 Gbit/s"', 5, "a rate such as 1 Gbit/s"),
        ('client_ram = "1 GiB"', 'mtu = "huge"', 5, "a number of bytes such as 1500"),
        ('title = "A"', 'titel = "A"', 1, "one of the keys title,"),
        ('name = "smb"', 'name = "nfs"', 12, "each system once"),
        ('name = "smb"\n', "", 11, "the key 'name'"),
        ('baseline = "nfs"', 'baseline = "afp"', 2, "the name of a system"),
        ('title = "A"', 'title = "A', 1, "expected TOML"),
        (
            'title = "A"',
            'started = "soon"',
            1,
            "a date such as 2026-11-21 for 'started'",
        ),
        ('title = "A"', "ended = 07:32:00", 1, "a date such as 2026-11-21 for 'ended'"),
        ('files = ["a/*"]', 'files = "a/*"', 9, "a valid list for 'files'"),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path, old, new, line, says):
    with pytest.raises(CampaignError) as caught:
        read(tmp_path, GOOD.replace(old, new))
    assert caught.value.line == line
    assert says in str(caught.value)


def test_dates_need_no_quotation_marks(tmp_path):
    parsed = read(
        tmp_path, "started = 2026-11-21T09:26:54Z\n[facts]\ndate = 2026-11-21"
    )
    assert parsed.started == "2026-11-21T09:26:54+00:00"
    assert parsed.facts.date == "2026-11-21"


def test_a_table_for_a_list_of_tables_is_explained(tmp_path):
    with pytest.raises(
        CampaignError, match=r"2: expected \[\[system\]\], one for each"
    ):
        read(tmp_path, 'title = "A"\n[system]\nname = "nfs"\n')


OUT_OF_RANGE = (*("0", "-1", "nan", "inf", "-inf", "1e308", "5e-324"), f"1{10**19}")


@each(product(THRESHOLDS, OUT_OF_RANGE))
def test_no_threshold_is_out_of_range(threshold, tmp_path):
    name, value = threshold
    least, most = map(float, THRESHOLDS[name].within or RANGES[THRESHOLDS[name].unit])
    text = f'title = "{name}"\n[thresholds]\n# a line\n{name} = {value}\n'
    with pytest.raises(CampaignError) as caught:
        read(tmp_path, text)
    assert caught.value.line == 4
    found = f"found '{name} = {float(value)}'"
    said = f"expected a number from {least:g} to {most:g}, {found}"
    assert str(caught.value).endswith(said)


def test_the_ends_of_every_range_give_an_answer():
    """No rule divides by such a number, or takes its logarithm, in vain."""
    campaign = loaded("data/raw/onehost-2026")
    for end in (0, 1):
        values = {
            name: (limit.within or RANGES[limit.unit])[end]
            for name, limit in THRESHOLDS.items()
        }
        assert len(check(campaign, thresholds=values)) > 0
        with pytest.raises(UsageError, match="threshold cpu_cache: expected a number"):
            check(campaign, thresholds={"cpu_cache": -values["cpu_cache"]})


@pytest.mark.parametrize(
    "text,line,key",
    [
        ('[[system]]\nname = "a"\n[[system]]\nname = "b"\nfiles = ["/x"]', 5, "files"),
        ('[[system]]\nname = "a"\nfiles = [\n"y",\n"/x",\n]\n', 5, "files"),
        ('ignore = ["y"]\nquestion = "/x"\n', 0, ""),
        ('ignore = ["y", "/x"]\nquestion = "/x"\n', 1, "ignore"),
        ('title = "ignore"\nignore = ["y",\n"..", "/x"]\n', 3, "ignore"),
        ("facts.mtu = 5\n", 1, "mtu"),
        ('[facts]\ndate = "x"\n[[system]]\nname = "a"\nmtu = 5\n', 5, "mtu"),
        ('[[system]]\nname = "a"\n[[system]]\nmtu = 5\nname = "b"\n', 4, "mtu"),
    ],
)
def test_the_line_is_that_of_the_value(tmp_path, text, line, key):
    if not line:
        assert read(tmp_path, text).ignore == ["y"]
        return
    with pytest.raises(CampaignError) as caught:
        read(tmp_path, text)
    assert f"for '{key}'" in str(caught.value)
    assert caught.value.line == line
