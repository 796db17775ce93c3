"""``[measured]`` of ``campaign.toml``: read, stored, refused with its line."""

import pytest
from compared import compare
from program import run

import fsviz
from fsviz.analysis.looks import level
from fsviz.model.campaign import Looks
from fsviz.model.errors import CampaignError
from tests.simulated import campaign, usual

TABLE = """
[measured]
tools = ["iozone"]
question = "throughput"
within_s = 60.0
seed = 1
memory = 16777216
file_sizes = [65536]
record_sizes = [65536]
rounds = 10
looks = [3, 4]
closed = false
"""


@pytest.fixture
def folder(tmp_path):
    facts = TABLE
    return campaign(tmp_path / "lab", {"a": usual, "b": usual}, runs=4, facts=facts)


@pytest.mark.slow
def test_a_campaign_and_its_stored_form_have_the_looks(folder, tmp_path):
    found = fsviz.load(folder)
    assert found.looks == Looks(10, (3, 4), closed=False)
    assert run("ingest", folder, "-o", tmp_path / "store").returncode == 0
    stored = fsviz.load(tmp_path / "store/lab.parquet")
    assert stored.looks == found.looks
    rows = [compare(one, by="tool") for one in (found, stored)]
    assert rows[0]["p_value"].tolist() == rows[1]["p_value"].tolist()
    assert fsviz.load(folder, operation="read").looks == found.looks


def test_who_reads_it_hears_that_verdicts_allow_for_the_looks(folder):
    (note,) = fsviz.load(folder).notes
    assert str(note) == (
        f"{folder}/campaign.toml:1: note: fsviz run looked at the answers 2 times, and "
        "each look is a chance to find a difference that is not there. So p values are "
        f"multiplied by {0.05 / level([3, 4], 10):.2g} and intervals are wider: the "
        "sooner a look, the more certain an answer must be"
    )


def test_without_the_table_a_test_is_a_single_one(folder):
    path = folder / "campaign.toml"
    path.write_text(path.read_text().partition("[measured]")[0])
    found = fsviz.load(folder)
    assert found.looks is None
    assert found.notes == ()


@pytest.mark.parametrize(
    "old,new,says",
    [
        ("looks = [3, 4]", "looks = [4, 3]", "rounds that ascend for 'looks'"),
        ("rounds = 10", "rounds = 0", "greater than or equal to 1 for 'rounds'"),
        ("rounds = 10", "rounds = 101", "less than or equal to 100 for 'rounds'"),
        ("seed = 1", "seed = 1\nsede = 1", "one of the keys tools, question"),
        ("seed = 1\n", "", "expected the key 'seed', found none"),
        ("within_s = 60.0", "within_s = -1.0", "greater than 0 for 'within_s'"),
        ("[65536]\nrecord", "[]\nrecord", "for 'file_sizes'"),
    ],
)
def test_a_table_that_fsviz_run_cannot_have_written_is_refused(folder, old, new, says):
    path = folder / "campaign.toml"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(CampaignError) as caught:
        fsviz.load(folder)
    assert says in str(caught.value)
