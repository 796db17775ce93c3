"""A system over time: what changed, when, and no alarm where nothing did."""

import json

import numpy as np
import pandas as pd
import pytest
from campaigns_made import ROUNDS, TIME, iozone, put, stored_year
from program import run

import fsviz
from fsviz.analysis.changes import ALPHA, changes, course
from fsviz.analysis.gaps import fill_missing
from fsviz.answers.history import conclude_history
from fsviz.figures.history import history_figure
from fsviz.model.errors import ParseError, UsageError
from fsviz.store.history import histories, history
from fsviz.store.ingest import ingest
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


@pytest.mark.parametrize("course", ["step", "slower", "faster", "drift"])
@pytest.mark.parametrize("system", ["nfs", "smb"])
def test_a_gate_holds_where_the_level_changed(store, system, course):
    words = ["history", store, "--system", system, "--operation", "transfer"]
    done = run(*words, "--fail-on", course)
    holds = system == "nfs" and course in ("step", "slower")
    assert done.returncode == (3 if holds else 0)
    said = f"--fail-on {course}: holds for transfer of nfs over 12 campaigns: 1 change"
    assert done.stderr.startswith(said) == holds
    assert done.stdout == run(*words).stdout


def test_where_nothing_changed_nothing_is_said(store):
    frame = history(store, system="smb", operation="transfer")
    assert (frame["verdict"] == "").all()
    said = conclude_history(frame, "smb", "transfer")
    assert said == (
        "transfer of smb over 12 campaigns: no change of level (the last 2 campaigns "
        "cannot show one)."
    )
    assert frame["unseen"].tolist() == [False] * 10 + [True] * 2


def test_the_value_is_the_mean_over_runs_of_the_mean_over_cells(tmp_path):
    put(tmp_path / "c", {f"a/r{n}.txt": iozone(n) for n in (1, 2)})
    ingest([str(tmp_path / "c")], tmp_path / "store")
    found = history(tmp_path / "store", system="a", operation="read")
    (row,) = found.to_dict("records")
    rows = fsviz.load(tmp_path / "c").measurements.query("operation == 'read'")
    mean = np.exp(np.log(rows["value"]).mean())
    assert row["value"] == pytest.approx(mean, rel=1e-12)
    assert (row["n_cells"], row["unit"]) == (9, "B/s")


def test_a_fact_may_be_stated_from_some_campaign_on(tmp_path):
    for k, firmware in enumerate(["", 'firmware = "1.0"', 'firmware = "1.1"']):
        toml = f"started = 2026-0{k + 1}-01\n[facts]\n{firmware}\n"
        files = {f"a/r{n}.txt": TIME.format(n) for n in (1, 2)}
        put(tmp_path / f"c{k}", {**files, "campaign.toml": toml})
    ingest([str(tmp_path / f"c{k}") for k in range(3)], tmp_path / "store")
    frame = history(tmp_path / "store", system="a", operation="transfer")
    told = [[], [("firmware", "", "1.0")], [("firmware", "1.0", "1.1")]]
    assert frame["facts"].tolist() == told


def test_text_and_figure_show_the_same_change(store):
    frame = history(store, system="nfs", operation="transfer")
    text = history_text(frame, "nfs", "transfer")
    assert "since 2026-08-01 (c07) 1.2× slower." in text
    assert (
        " ".join(text.split()).count("The last 5 campaigns cannot show another.") == 1
    )
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


def test_the_p_of_few_campaigns_is_that_of_all_their_orders():
    """By a second route: all 40,320 orders of eight numbers, one by one."""
    from itertools import permutations

    from fsviz.analysis.changes import _in_every_order, _steps

    series = np.random.default_rng(3).normal(0, 1, 8)
    largest = _steps(series[None, :]).max() * (1 - 1e-9)
    orders = np.array(list(permutations(series)))
    counted = np.mean(_steps(orders).max(axis=1) >= largest)
    assert _in_every_order(series, largest) == pytest.approx(counted, abs=1e-12)


@pytest.mark.parametrize("n, last, shown", [(12, 3, 1), (12, 2, 0), (11, 3, 0)])
def test_a_step_to_half_is_shown_or_said_to_be_beyond_sight(n, last, shown):
    for seed in range(10):
        series = np.random.default_rng(seed).normal(0, 0.05, n)
        series[-last:] += np.log(0.5)
        found = course(series)
        assert [one.at for one in found.changes] == [n - last] * shown
        assert found.unseen >= last
        for one in found.changes:
            assert one.ci_low < 0.5 < one.ci_high


def test_a_drift_is_no_step():
    rng = np.random.default_rng(0)
    series = rng.normal(0, 0.01, 50) - 0.1 * np.arange(50) / 49
    found = course(series)
    assert found.changes == []
    # what numpy's least squares say of the same line
    slope = np.polyfit(np.arange(50), series, 1)[0]
    assert found.drift.ratio == pytest.approx(np.exp(49 * slope), rel=1e-9)
    assert found.drift.ci_low < np.exp(-0.1) < found.drift.ci_high < 1


def alike(rho, n, seed):
    """Campaigns each of which resembles the one before."""
    series = np.random.default_rng(seed).normal(0, 0.05, n)
    series[0] /= np.sqrt(1 - rho**2)
    for k in range(1, n):
        series[k] += rho * series[k - 1]
    return series


@pytest.mark.parametrize("rho, most", [(0.0, 2), (0.5, 6)])
def test_campaigns_that_resemble_their_neighbours_give_few_alarms(rho, most):
    """120 histories: 2 % are meant for independent ones, 5 % where they are alike."""
    found = [course(alike(rho, n, s)) for n in (12, 30) for s in range(60)]
    assert sum(bool(one.changes or one.drift) for one in found) <= most


def bonnie(write, k):
    """A row whose block output is a number or too quick to time."""
    return (
        f"1.98,2.00a,vm,1,{1795515619 + 9000 * k},482M,,8192,5,,,{write},44,20000,9,,,"
        "90000,10,1000,9,,,,,,,,,,,,,,,,,,,134us,1618us,,48us,6770us,,,,,,\n"
    )


def test_campaigns_that_were_too_quick_to_time_stay(tmp_path):
    """Seven campaigns with numbers, then six with four runs of five too quick."""
    for k in range(13):
        quick = ["+++++"] * 4 if k >= 7 else []
        timed = [900_000 + 1000 * ((k * 5 + n) % 7) for n in range(5 - len(quick))]
        files = {
            f"a/r{n}.csv": bonnie(v, 10 * k + n) for n, v in enumerate([*timed, *quick])
        }
        ingest([str(put(tmp_path / f"c{k:02}", files))], tmp_path / "store")
    asked = {"system": "a", "operation": "sequential_output_block"}
    frame = history(tmp_path / "store", **asked)
    assert len(frame) == 13
    assert (frame["n_runs"] == 5).all()
    assert frame["value"].isna().tolist() == [False] * 7 + [True] * 6
    # 482 MiB in half a second: 964 MiB/s at least, in four of the five
    rows = fsviz.load(tmp_path / "c12").measurements.query("metric == 'throughput'")
    (slow,) = rows.query("operation == 'sequential_output_block'")["value"].dropna()
    least = (slow * (964 * 2**20) ** 4) ** (1 / 5)
    assert frame["value_low"].iloc[-1] == pytest.approx(least, rel=1e-12)
    (row,) = frame.loc[frame["verdict"] != ""].to_dict("records")
    assert (row["key"], row["verdict"]) == ("c07", "faster")
    assert np.isnan(row["change"])
    before = np.log(frame["value"][:7]).mean()
    after = np.log(frame["value_low"][7:]).mean()
    assert row["change_limit"] == pytest.approx(np.exp(after - before), rel=1e-12)
    said = conclude_history(frame, "a", "sequential_output_block")
    assert "(c07) more than 1.0" in said
    assert "× faster." in said
    text = history_text(frame, "a", "sequential_output_block")
    assert text.count(" >9") == 6
    figure = history_figure(frame, "a", "sequential_output_block")
    dots = next(t for t in figure.data if t.mode == "markers")
    assert dots.marker.symbol == ("circle",) * 7 + ("triangle-up",) * 6


def cut(text, rows):
    """Take the last numbers out of an IOzone log."""
    lines = text.splitlines()
    end = lines.index("iozone test complete.") - 1
    return "\n".join(lines[: end - rows] + lines[end:]) + "\n"


@pytest.fixture(params=[1, 4000], ids=["a group an operation", "one group"])
def gaps(request, tmp_path, monkeypatch):
    """Three campaigns of two systems and tools, whose runs lack cells; the
    one measured last first."""
    monkeypatch.setattr("fsviz.store.generations.LEAST_ROWS", request.param)
    for k in range(3):
        files = {f"a/r{n}.txt": iozone(10 * k + n) for n in range(3)}
        files["a/r3.txt"] = cut(iozone(10 * k + 3), 2 + k)
        files |= {f"b/r{n}.txt": iozone(500 + 10 * k + n) for n in range(2)}
        files |= {f"b/t{n}.txt": TIME.format(8 + k + n / 10) for n in range(2)}
        toml = f'started = "2026-0{3 - k}-01"\n'
        put(tmp_path / f"c{k}", {**files, "campaign.toml": toml})
    ingest([str(tmp_path / f"c{k}") for k in range(3)], tmp_path / "store")
    return tmp_path / "store"


@pytest.mark.parametrize("operation", ["write", "reread"])
def test_many_campaigns_are_read_as_each_one_by_itself(gaps, operation):
    """Against the tidy tables of the campaigns, put beside one another by pandas."""
    parts = [fsviz.load(gaps / f"c{k}").measurements for k in (2, 1, 0)]
    rows = pd.concat(parts, ignore_index=True)
    rows = rows.loc[(rows["system"] == "a") & (rows["operation"] == operation)]
    wide = rows.pivot_table(
        index=["campaign", "run"],
        columns=["file_size_bytes", "record_size_bytes"],
        values="value",
        observed=True,
    )
    assert wide.isna().to_numpy().sum() == 2 + 3 + 4
    logs = pd.DataFrame(fill_missing(np.log(wide.to_numpy())), index=wide.index)
    runs = logs.mean(axis=1).groupby(level="campaign")
    found = history(gaps, system="a", operation=operation).set_index("key")
    assert found.index.tolist() == ["c2", "c1", "c0"]
    assert found["n_runs"].tolist() == [4, 4, 4]
    assert found["n_cells"].tolist() == [9, 9, 9]
    expected = np.exp(runs.mean())[found.index]
    np.testing.assert_allclose(found["value"], expected, rtol=1e-12)


def test_the_tool_that_is_named_is_followed(gaps):
    found = history(gaps, system="b", operation="transfer", tool="rsync")
    assert found["unit"].tolist() == ["s"] * 3
    expected = [np.sqrt((10 - k) * (10.1 - k)) for k in range(3)]
    np.testing.assert_allclose(found["value"], expected, rtol=1e-12)
    with pytest.raises(UsageError, match="no campaign has a speed of write of b"):
        history(gaps, system="b", operation="write", tool="rsync")


def test_the_tool_of_most_campaigns_is_followed_not_that_of_most_cells(root, tmp_path):
    fio = (root / "tests/data/fio/3.33/read.json").read_text()
    put(tmp_path / "c0", {f"a/r{n}.txt": iozone(n) for n in range(3)})
    for k in (1, 2):
        put(tmp_path / f"c{k}", {"a/r.json": fio})
    ingest([str(tmp_path / f"c{k}") for k in range(3)], tmp_path / "store")
    found = history(tmp_path / "store", system="a", operation="read")
    assert found["n_cells"].tolist() == [1, 1]


@pytest.mark.parametrize("stated", [True, False])
def test_a_file_of_a_tool_without_the_operation_is_not_opened(gaps, stated):
    """Where a store of before does not state which have it, all are."""
    before = history(gaps, system="b", operation="write")
    for folder in gaps.glob("c*/*"):
        (folder / "measurements/tool=rsync.parquet").write_text("x")
        if not stated:
            said = json.loads((folder / "campaign.json").read_text())
            assert said.pop("measured") == {
                "iozone": {s: ["read", "reread", "rewrite", "write"] for s in "ab"},
                "rsync": {"b": ["transfer"]},
            }
            (folder / "campaign.json").write_text(json.dumps(said))
    if stated:
        pd.testing.assert_frame_equal(
            history(gaps, system="b", operation="write"), before
        )
        with pytest.raises(UsageError, match="no campaign has a speed of transfer"):
            history(gaps, system="a", operation="transfer")
    else:
        with pytest.raises(ParseError, match="found damaged ones"):
            history(gaps, system="b", operation="write")


@pytest.mark.parametrize("name", ["campaign.json", "tool=iozone.parquet"])
def test_a_damaged_file_of_a_store_is_named(gaps, name):
    (path,) = (gaps / "c1").rglob(name)
    path.write_text("x")
    with pytest.raises(
        ParseError, match=r"c1.*expected the files of a stored campaign"
    ):
        history(gaps, system="a", operation="write")
    path.unlink()
    with pytest.raises(UsageError, match=r"c1.*found none; ingest again"):
        history(gaps, system="a", operation="write")


def test_runs_that_printed_bounds_alone_are_no_traceback(tmp_path):
    """bonnie++ was too quick at creating files in each campaign: +++++."""
    row = (
        "1.98,2.00a,vm,1,{},482M,,8192,5,,,90766,44,+++++,+++,,,,,+++++,+++,1,,,,,"
        "+++++,+++,+++++,+++,+++++,+++,+++++,+++,+++++,+++,+++++,+++"
        ",,134us,1618us,,48us,6770us,58us,43us,216us,50us,5us,43us\n"
    )
    for k in range(3):
        folder = put(tmp_path / f"c{k}", {"a/r.csv": row.format(1795515619 + 99 * k)})
        ingest([str(folder)], tmp_path / "store")
    with pytest.raises(UsageError, match=r"random_create of a printed a bound"):
        history(tmp_path / "store", system="a", operation="random_create")
    names = {one.operation for one in histories(tmp_path / "store")}
    assert "sequential_output_block" in names
    assert "random_create" not in names
    asked = ("--system", "a", "--operation", "random_create")
    done = run("history", tmp_path / "store", *asked)
    assert done.returncode == 2
    assert "expected numbers, found that every run of random_create of a" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def dated(root, name, seconds, date):
    files = {f"a/r{n}.txt": TIME.format(seconds + n / 100) for n in (1, 2)}
    toml = f"[facts]\n{date}\n" if date else ""
    put(root / name, {**files, "campaign.toml": toml})
    return str(root / name)


def test_the_stated_date_orders_what_has_no_times(tmp_path):
    # by name alone: z-first would be the last
    days = {"z-first": "date = 2024-11-03", "a-last": 'date = "2026-02-28, at night"'}
    days["m-between"] = "date = 2025-07-01"
    folders = [dated(tmp_path, name, 3, day) for name, day in days.items()]
    ingest(folders, tmp_path / "store")
    frame = history(tmp_path / "store", system="a", operation="transfer")
    assert frame["key"].tolist() == ["z-first", "m-between", "a-last"]
    assert frame["began"].tolist() == ["2024-11-03", "2025-07-01", "2026-02-28"]
    assert "Without a date" not in conclude_history(frame, "a", "transfer")


def test_campaigns_without_a_date_are_named(tmp_path):
    folders = [dated(tmp_path, name, 3, "") for name in ("c10", "c2")]
    folders += [dated(tmp_path, "c0", 3, "date = 2025-07-01")]
    ingest(folders, tmp_path / "store")
    frame = history(tmp_path / "store", system="a", operation="transfer")
    assert frame["key"].tolist() == ["c10", "c2", "c0"]
    said = conclude_history(frame, "a", "transfer")
    assert said.endswith(" Without a date, placed first, by name: c10 and c2.")
