"""One fact, one owner: no form, option or unrelated file changes an answer."""

import json
import re
from dataclasses import replace

import pandas as pd
import pytest
from answers.truths import OPERATIONS
from frames import campaign, run
from program import run as fsviz_run
from simulated import campaign as simulated
from simulated import usual

import fsviz
from fsviz.checks.engine import run_checks

ANSWER = ["answer", "scope", "caveats", "rule", "n_baseline", "n_candidate", "ratio"]
KEY = ["tool", "operation", "metric", "candidate"]


def answers(comparison):
    """Return what is answered to each test; q, and so a word, is over all tests."""
    return comparison.rows.set_index(KEY)[ANSWER].astype(str)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A campaign whose second system is its baseline."""
    path = tmp_path_factory.mktemp("c") / "two"
    simulated(path, {"ext4": usual, "xfs": lambda *_: 1.5})
    toml = path / "campaign.toml"
    stated = toml.read_text(encoding="utf-8")
    assert 'baseline = "ext4"' in stated
    toml.write_text(stated.replace('"ext4"', '"xfs"', 1), encoding="utf-8")
    return path


def test_every_form_compares_with_the_baseline_that_is_stated(folder):
    comparison = fsviz.compare(folder)
    assert comparison.baseline == "xfs"
    assert set(comparison.rows["baseline"]) == {"xfs"}
    assert str(comparison).startswith("Against xfs, the campaign's baseline.")
    assert "Against xfs" in comparison._repr_html_()
    assert "Against xfs" in comparison._repr_markdown_()
    stated = json.loads(fsviz_run("compare", folder, "--format", "json").stdout)
    assert {row["baseline"] for row in stated} == {"xfs"}


@pytest.mark.slow
def test_every_command_compares_with_the_baseline_that_is_stated(folder, tmp_path):
    gate = fsviz_run("compare", folder, "--fail-on", "slower")
    assert gate.returncode == 3
    assert all(line.endswith("against xfs") for line in gate.stderr.splitlines())
    assert "ext4  slower in 6 of 6 tests" in " ".join(gate.stdout.split("\n"))
    for kind in ("versus", "ratios", "overview", "maps"):
        path = tmp_path / f"{kind}.html"
        done = fsviz_run("plot", folder, "--kind", kind, "-o", path)
        assert done.returncode == 0, done.stderr
        page = path.read_text()
        assert any(words in page for words in ("ext4 / xfs", "against xfs", "to xfs"))


def five(name, factor=1.0, start=None, **changes):
    """Five runs of one system, one after another where a start is given [min]."""
    runs = []
    for k in range(5):
        rows = [(o, 1024, 64, factor * (100 + k)) for o in OPERATIONS]
        began = "" if start is None else f"2026-01-01T{start:02}:{10 * k:02}:00"
        runs.append(replace(run(f"{name}{k}", rows), started=began, **changes))
    return runs


def test_runs_of_another_tool_change_no_answer():
    pair = {"a": five("a", start=1), "b": five("b", 1.2, start=3)}
    alone = campaign(pair).compare()
    assert "one after another" in alone.rows["scope"].iloc[0]
    # of another tool, without a start time
    more = {
        name: [*runs, *five(f"{name}-other", tool="fio")] for name, runs in pair.items()
    }
    both = campaign(more).compare()
    before = answers(alone)
    pd.testing.assert_frame_equal(answers(both).loc[before.index], before)


def test_first_words_count_what_is_wrong_with_what_is_shown(root):
    """Above rsync's times stood the errors of IOzone, whose trust had a tick."""
    campaign = fsviz.load(root / "data/raw/loopback-2026")
    rows = fsviz.check(campaign)
    about = rows.loc[rows["tool"].str.contains("rsync") | (rows["tool"] == "")]
    number = about["severity"].value_counts()
    assert (
        campaign.select(tool="rsync")
        .compare()
        .first_words.alarm.startswith(
            f"{number['error']} errors, {number['warning']} warnings about"
        )
    )


def test_another_system_changes_no_answer_and_no_finding_of_a_pair():
    pair = {"a": five("a", start=1), "b": five("b", 1.2, start=3)}
    alone = campaign(pair)
    more = campaign({**pair, "c": five("c", 0.2)})
    before = answers(alone.compare())
    pd.testing.assert_frame_equal(answers(more.compare()).loc[before.index], before)

    def messages(c):
        findings = run_checks(c).findings
        return set(findings.loc[findings["rule"] == "not-interleaved", "message"])

    assert messages(alone) <= messages(more)


def test_an_operation_of_two_runs_takes_no_other_with_it():
    def runs(name, factor):
        made = []
        for k in range(5):
            rows = [
                (o, 1024, 64, factor * (100 + k))
                for o in OPERATIONS
                if not o.startswith("random") or k < 2
            ]
            made.append(run(f"{name}{k}", rows))
        return made

    comparison = campaign({"old": runs("old", 1), "new": runs("new", 1.2)}).compare()
    rows = comparison.rows.set_index("operation")
    assert (
        rows.loc["random_read", "answer"],
        rows.loc["random_read", "n_candidate"],
    ) == ("untested", 2)
    tested = rows.drop(["random_read", "random_write"])
    assert set(tested["answer"]) == {"faster"}
    assert set(tested["n_candidate"]) == {5}
    words = " ".join(str(comparison).split())
    assert "new faster in 4 of 6 tests (1.2×); untested: 2 tests" in words


def test_iozone_asked_for_more_tests_in_two_of_five_runs(tmp_path, root):
    """Files, not frames: the option -i makes no other way to measure a write."""
    for system in ("ext4", "xfs"):
        (tmp_path / system).mkdir()
        for n in range(1, 6):
            output = root / f"data/raw/onehost-2026/iozone/{system}/rep{n}.txt"
            text = output.read_text()
            if n > 2:
                text = text.replace(" -i 2", "")
                text = re.sub(
                    r"^((?: +\d+){6})(?: +\d+){2} *$", r"\1", text, flags=re.MULTILINE
                )
            (tmp_path / system / output.name).write_text(text)
    campaign_of_files = fsviz.load(tmp_path)
    assert not campaign_of_files.problems
    comparison = campaign_of_files.compare("ext4")
    n = comparison.rows.set_index("operation")["n_candidate"].to_dict()
    assert (n["write"], n["reread"], n["random_read"]) == (5, 5, 2)
    few = fsviz.check(campaign_of_files, select=["too-few-runs"])
    assert len(few) == 1
    assert " 2 runs, " in few["evidence"].iloc[0]
