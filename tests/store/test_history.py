"""A history is each campaign compared with the one before, by the same comparison."""

import pytest
from campaigns_made import TIME, iozone, put, stored_year
from compared import compare
from program import run

import fsviz
from fsviz.answers.history import history
from fsviz.figures.history import history_lines
from fsviz.model.errors import UsageError
from fsviz.store.ingest import ingest


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return stored_year(tmp_path_factory.mktemp("year"))


@pytest.fixture(scope="module")
def frame(store):
    return history(store, system="nfs")


def test_the_ratios_are_those_of_compare(store, frame):
    assert len(frame) == 11
    # those around the one that changed
    for row in frame.iloc[5:8].itertuples():
        paths = [store.parent / key / "nfs" for key in (row.before, row.campaign)]
        direct = compare(
            fsviz.load(f"then={paths[0]}", f"now={paths[1]}"),
            baseline="then",
            by="operation",
        )
        direct = direct.loc[direct["metric"] == "elapsed"].iloc[0]
        assert row.ratio == pytest.approx(direct["ratio"], rel=1e-12)
        assert row.ci_low == pytest.approx(direct["ci_low"], rel=1e-12)


def test_campaigns_are_ordered_by_date_and_facts_stand_where_they_changed(frame):
    assert frame["date"].tolist() == [f"2026-{k:02}-01" for k in range(2, 13)]
    assert frame["before"].tolist()[1:] == frame["campaign"].tolist()[:-1]
    stated = dict(zip(frame["campaign"], frame["changed"], strict=True))
    assert stated.pop("c07") == "kernel: 6.1, now 6.6"
    assert set(stated.values()) == {""}
    slower = frame.loc[frame["answer"] == "slower", "campaign"].tolist()
    assert slower == ["c07"]


@pytest.mark.slow
def test_a_gate_on_a_history(store):
    wanted = ("history", store, "--format", "csv", "--fail-on")
    done = run(*wanted, "slower>5%")
    assert done.returncode == 3
    (line,) = done.stderr.splitlines()
    assert line == (
        "--fail-on slower>5%: c07 1.2× slower at rsync transfer against c06 "
        "(nfs, 2026-08-01)"
    )
    assert run(*wanted, "slower>40%").returncode == 0
    assert run(*wanted, "write:slower").returncode == 2
    assert run(*wanted, "drift").returncode == 2


def test_a_system_that_a_campaign_lacks_is_compared_with_the_last_that_has_it(tmp_path):
    for month, systems in ((1, "ab"), (2, "b"), (3, "ab")):
        files = {f"{name}/r1.txt": iozone(10 * month + ord(name)) for name in systems}
        toml = f'started = "2026-0{month}-01"\n'
        put(tmp_path / f"c{month}", files | {"campaign.toml": toml})
    ingest([str(tmp_path / f"c{k}") for k in (3, 1, 2)], tmp_path / "store")
    frame = history(tmp_path / "store", operation="write")
    pairs = frame[["system", "before", "campaign"]].to_numpy().tolist()
    assert pairs == [["b", "c1", "c2"], ["a", "c1", "c3"], ["b", "c2", "c3"]]


def test_what_is_no_history_is_refused(store, tmp_path):
    put(tmp_path / "c", {"a/t.txt": TIME.format(8.5)})
    ingest([str(tmp_path / "c")], tmp_path / "undated")
    with pytest.raises(UsageError, match="expected a date, found none"):
        history(tmp_path / "undated")
    put(tmp_path / "c", {"campaign.toml": 'started = "2026-05-01"\n'})
    ingest([str(tmp_path / "c")], tmp_path / "undated")
    with pytest.raises(UsageError, match="expected a system in two campaigns"):
        history(tmp_path / "undated")
    with pytest.raises(UsageError, match="expected x in two campaigns"):
        history(store, system="x")
    with pytest.raises(fsviz.ParseError, match="expected the list of a store"):
        history(tmp_path)


def test_the_figure_shows_each_ratio_at_its_date(frame):
    figure = history_lines(frame)
    (marks,) = figure.data
    assert list(marks.x) == frame["date"].tolist()
    assert list(marks.y) == pytest.approx(frame["ratio"].tolist())
    half = (frame["ci_high"] - frame["ratio"]).tolist()
    assert list(marks.error_y.array) == pytest.approx(half)
    assert marks.mode == "markers"
