"""campaign.toml: read, or refused with the line."""

import pytest

from fsviz.campaigns.campaign_toml import read_campaign_file
from fsviz.model.errors import CampaignError

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
