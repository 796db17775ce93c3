"""The page of a store: which levels changed, and the index that leads to it."""

import json

import pytest
from campaigns_made import TIME, put, stored_year

from fsviz.figures.history import history_figure
from fsviz.model.errors import UsageError
from fsviz.report.entries import Card, stated_card
from fsviz.report.over_time import (
    card_of_histories,
    conclude_histories,
    histories_table,
)
from fsviz.report.plan import plan, report
from fsviz.store.history import histories, history
from fsviz.store.ingest import ingest


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Twelve campaigns; ``<b>nfs`` becomes slower with the eighth, ``smb`` never."""
    return stored_year(tmp_path_factory.mktemp("over-time"), "<b>nfs")


def test_what_changed_comes_first(store):
    followed = histories(store)
    assert [one.system for one in followed] == ["<b>nfs", "smb"]
    own = history(store, system="smb", operation="transfer")
    assert followed[1].frame["value"].tolist() == own["value"].tolist()
    assert [len(one.changes) for one in followed] == [1, 0]


def test_the_first_lines_tell_the_change_and_no_markup_of_names(store):
    followed = histories(store)
    told = conclude_histories(followed)
    first, _, line = told.splitlines()
    assert first == "**The level changed in 1 of 2 histories of up to 12 campaigns.**"
    assert "<b>" not in line
    assert "since 2026-08-01" in line
    table = histories_table(followed)
    assert table["last change"].tolist() == ["1.2× slower", ""]
    assert table["since"].tolist() == ["2026-08-01", ""]
    assert table["newest mean"].str.endswith(" s").all()


def test_a_drift_is_told_as_one(tmp_path):
    """Twenty campaigns, each 1 % slower than the one before: 1.2 times in all."""
    for k in range(20):
        seconds = 8 * 1.2 ** (k / 19)
        files = {
            f"a/r{n}.txt": TIME.format(seconds + ((k * 7 + n * 3) % 5) / 20)
            for n in range(3)
        }
        ingest([str(put(tmp_path / f"c{k:02}", files))], tmp_path / "lab")
    (one,) = histories(tmp_path / "lab")
    assert one.frame["drift"].iloc[0] == pytest.approx(1.2, rel=0.02)
    first, _, line = conclude_histories([one]).splitlines()
    assert first.startswith("**The level changed in 1 of 1 histories")
    assert "no step but a drift, in all 1.2× slower" in line
    assert histories_table([one])["last change"].tolist() == [
        "drift, in all 1.2× slower"
    ]
    figure = history_figure(one.frame, "a", "transfer")
    (line,) = (trace for trace in figure.data if trace.mode == "lines")
    assert line.y[1] / line.y[0] == pytest.approx(one.frame["drift"].iloc[0])


def test_what_is_asked_for_must_be_there(store):
    assert len(histories(store, systems="smb", operations=["transfer"])) == 1
    with pytest.raises(UsageError, match="system: expected one of"):
        histories(store, systems=["sbm"])
    with pytest.raises(UsageError, match="tool: expected one of rsync, found fio"):
        histories(store, tool="fio")


def test_few_campaigns_are_said_to_show_nothing(store, tmp_path):
    some = [str(path) for path in sorted(store.parent.glob("c0[0-2]"))]
    ingest(some, tmp_path / "few")
    told = conclude_histories(histories(tmp_path / "few"))
    assert "none of 2 histories of up to 3 campaigns; fewer than ten" in told


def test_one_campaign_of_a_store_is_reported_as_a_campaign(store, tmp_path):
    ingest([str(store.parent / "c00")], tmp_path / "one")
    assert "history" not in {job.name for job in plan((str(tmp_path / "one"),))}
    (job,) = plan((str(store),))
    assert (job.name, job.folder) == ("history", "lab-history")


def test_the_page_follows_the_histories_and_its_plan_does_not(store, monkeypatch):
    """What the index shows of a store is stated by its page, which has to know it."""

    def fail(*_, **__):
        raise AssertionError

    with monkeypatch.context() as patched:
        patched.setattr("fsviz.store.history.speeds", fail)
        (job,) = plan((str(store),))
    assert job.entry.card == Card()
    stated = card_of_histories(histories(store))
    outputs = [{"output_type": "stream"}, {"metadata": json.loads(json.dumps(stated))}]
    card = stated_card({"cells": [{"source": ""}, {"outputs": outputs}]})
    assert "changed in 1 of 2 histories" in card.headline
    assert stated_card({"cells": [{"outputs": outputs[:1]}]}) is None


@pytest.mark.slow
def test_the_page_shows_the_changed_history_and_folds_the_other(store, tmp_path):
    out = tmp_path / "site"
    batch = report([str(store)], out)
    assert [outcome.error for outcome in batch.outcomes] == [""]
    page = (out / "lab-history" / "history.html").read_text()
    shown, _, rest = page.partition("<summary>transfer of smb, no change of level")
    assert 'aria-label="transfer of &lt;b&gt;nfs over 12 campaigns: 1 change' in shown
    assert 'aria-label="transfer of smb over 12 campaigns: no change' in rest
    assert page.count('class="fsviz-figure"') == 2
    assert "<b>nfs" not in page.partition("<body")[2].partition("<script")[0]
    entry = json.loads((out / "lab-history" / "history.json").read_text())
    assert "since 2026-08-01" in entry["card"]["headline"]
    assert "12 campaigns of" in (out / "index.html").read_text()
    assert [o.skipped for o in report([str(store)], out).outcomes] == [True]
