"""A system over time: what changed, when, and no alarm where nothing did."""

import numpy as np
import pytest
from campaigns_made import ROUNDS, iozone, put, stored_year

import fsviz
from fsviz.analysis.changes import ALPHA, changes
from fsviz.campaigns.history import conclude_history, history
from fsviz.campaigns.ingest import ingest
from fsviz.figures.history import history_figure
from fsviz.model.errors import UsageError
from fsviz.text.history import history_text


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Twelve campaigns of two systems; nfs becomes slower with the eighth."""
    return stored_year(tmp_path_factory.mktemp("store"))


def test_a_change_is_found_with_what_changed_beside_it(store):
    frame = history(store, system="nfs", operation="transfer")
    assert frame["key"].tolist() == [f"c{k:02}" for k in range(ROUNDS)]
    (row,) = frame.loc[frame["verdict"] != ""].to_dict("records")
    assert (row["key"], row["verdict"]) == ("c07", "slower")
    before, after = frame["value"][:7], frame["value"][7:]
    expected = np.exp(np.log(after).mean() - np.log(before).mean())
    assert row["change"] == pytest.approx(expected, rel=1e-12)
    assert row["change_low"] < expected < row["change_high"]
    assert row["p_value"] <= ALPHA
    assert row["facts"] == [("kernel", "6.1", "6.6")]
    assert frame["level"].tolist() == [1] * 7 + [2] * 5
    assert (frame["n_runs"] == 3).all()


def test_where_nothing_changed_nothing_is_said(store):
    frame = history(store, system="smb", operation="transfer")
    assert (frame["verdict"] == "").all()
    said = conclude_history(frame, "smb", "transfer")
    assert said == "transfer of smb over 12 campaigns: no change of level."


def test_the_value_is_the_mean_over_runs_of_the_mean_over_cells(tmp_path):
    put(tmp_path / "c", {f"a/r{n}.txt": iozone(n) for n in (1, 2)})
    ingest([str(tmp_path / "c")], tmp_path / "store")
    found = history(tmp_path / "store", system="a", operation="read")
    (row,) = found.to_dict("records")
    rows = fsviz.load(tmp_path / "c").measurements.query("operation == 'read'")
    mean = np.exp(np.log(rows["value"]).mean())
    assert row["value"] == pytest.approx(mean, rel=1e-12)
    assert (row["n_cells"], row["unit"]) == (9, "B/s")


def test_text_and_figure_show_the_same_change(store):
    frame = history(store, system="nfs", operation="transfer")
    text = history_text(frame, "nfs", "transfer")
    assert "since 2026-08-01 (c07) 1.2× slower." in text
    assert "c07: kernel: 6.1, now 6.6" in text
    figure = history_figure(frame, "nfs", "transfer")
    (border,) = figure.layout.shapes
    assert border.x0 == 6.5
    assert figure.layout.annotations[0].text == "1.2× slower"
    dots = next(t for t in figure.data if t.mode == "markers" and len(t.x) == ROUNDS)
    assert list(dots.y) == pytest.approx(list(frame["value"]))
    facts = figure.data[-1]
    assert list(facts.x) == [7]


@pytest.mark.parametrize(
    "asked,says",
    [
        ({"system": "nsf", "operation": "transfer"}, "did you mean nfs"),
        ({"system": "nfs", "operation": "read"}, "operation: expected one of transfer"),
        ({"system": "nfs", "operation": "transfer", "tool": "fio"}, "tool: expected"),
    ],
)
def test_what_is_not_there_is_named(store, asked, says):
    with pytest.raises(UsageError, match=says):
        history(store, **asked)


def test_a_folder_that_is_no_store(tmp_path):
    with pytest.raises(UsageError, match="expected a store that fsviz ingest wrote"):
        history(tmp_path, system="a", operation="read")


@pytest.mark.parametrize("seed", range(4))
def test_shuffled_series_without_a_change_give_few_alarms(seed):
    """At most 1 in 20 histories of 50 unchanged campaigns; 1 of 100 is meant."""
    rng = np.random.default_rng(seed)
    alarms = sum(bool(changes(rng.normal(0, 0.05, 50))) for _ in range(25))
    assert alarms <= 2


def test_a_step_of_a_tenth_is_found_where_it_is():
    rng = np.random.default_rng(1)
    series = rng.normal(0, 0.02, 50) - 0.1 * (np.arange(50) >= 40)
    (found,) = changes(series)
    assert found.at == 40
    assert found.ci_low < np.exp(-0.1) < found.ci_high


def test_several_steps_are_several_changes():
    series = np.repeat([0.0, 0.3, 0.1], 15) + np.tile([0.0, 0.01, 0.02], 15)
    assert [one.at for one in changes(series)] == [15, 30]


def test_one_odd_campaign_is_no_change():
    series = np.tile([0.0, 0.01, 0.02], 8)
    series[11] = 1.0
    assert changes(series) == []


def test_few_campaigns_show_nothing():
    assert changes(np.array([0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0])) == []
    assert changes(np.array([1.0])) == []
