"""What the store gives back is what went in."""

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from fsviz.campaigns.load import load
from fsviz.campaigns.store import ingest
from fsviz.model.errors import UsageError
from fsviz.model.table import validate


@pytest.fixture
def campaign(tmp_path):
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / "good.txt").write_text("\nreal\t0m8.5s\nuser\t0m0.1s\nsys\t0m0.0s\n")
    (folder / "bad.txt").write_text("hello\n")
    (folder / "campaign.toml").write_text('title = "T"\n[facts]\nlink = "1 Gbit/s"\n')
    return load(folder)


def test_round_trip(campaign, tmp_path):
    back = load(ingest(campaign, tmp_path / "store"))
    for name in ("measurements", "runs", "systems"):
        assert_frame_equal(getattr(back, name), getattr(campaign, name))
    assert (back.name, back.title, back.baseline) == ("results", "T", None)
    assert [str(p) for p in back.problems] == [str(p) for p in campaign.problems]
    validate(back.measurements)


def test_the_second_time_replaces_the_first_and_leaves_nothing_beside(
    campaign, tmp_path
):
    store = tmp_path / "store"
    ingest(campaign, store)
    ingest(campaign, store)
    assert [p.name for p in store.iterdir()] == ["results"]


def test_a_failure_leaves_the_old_one_whole(campaign, tmp_path, monkeypatch):
    store = tmp_path / "store"
    ingest(campaign, store)

    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pd.DataFrame, "to_parquet", fail)
    with pytest.raises(OSError, match="No space"):
        ingest(campaign, store)
    assert [p.name for p in store.iterdir()] == ["results"]
    monkeypatch.undo()
    assert len(load(store / "results").runs) == 1


def test_lone_files_have_no_name_to_be_stored_under(tmp_path):
    (tmp_path / "a.txt").write_text("\nreal\t0m8.5s\nuser\t0m0.1s\nsys\t0m0.0s\n")
    with pytest.raises(UsageError, match="expected a campaign folder"):
        ingest(load(str(tmp_path / "a.txt")), tmp_path / "store")
