"""``fsviz.run``: rounds, looks, the folder, and what it does when something breaks."""

import itertools
import json
import re
import shutil
import tempfile
from pathlib import Path

import pytest
from compared import compare
from measuring_made import behave, left, mounts, needs_group, tools, use
from program import run as command

import fsviz
from fsviz.analysis.looks import level
from fsviz.campaigns.campaign_toml import read_campaign_file
from fsviz.measuring import _plan as plan
from fsviz.measuring import _stopping as stopping
from fsviz.measuring import places as places_module
from fsviz.measuring import run as run_module
from fsviz.measuring.run import RunFailedError
from fsviz.model.errors import FsvizError, UsageError
from fsviz.model.units import format_size


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """Three folders: programs, results, mounts; caches of this machine stay.

    Few rounds, of which one warms up whatever its time says.
    """
    monkeypatch.setattr(run_module, "_WARM_UPS", 1)
    monkeypatch.setattr(plan, "MOST", 8)
    use(monkeypatch, tools(tmp_path / "bin"))
    monkeypatch.setattr(places_module, "_DROP", tmp_path / "drop_caches")
    return tmp_path


def begun(lab):
    """Measure two equal systems once; return where, the rounds, and what was said."""
    where, said = mounts(lab / "mnt", a=1.0, b=1.0), []
    rounds = fsviz.run(lab / "lab", where, within=60, tell=said.append)
    next(rounds)
    return where, rounds, said


def one_round(lab):
    """Do so and end it; return where the systems are."""
    where, rounds, _ = begun(lab)
    rounds.close()
    return where


def rounds_of(folder, where, number, **choices):
    """Measure some rounds, or go on for them; return what each of them makes."""
    rounds = fsviz.run(folder, where, within=60, **choices)
    seen = list(itertools.islice(rounds, number))
    rounds.close()
    return seen


def measured(folder):
    return read_campaign_file(folder / "campaign.toml").measured


def orders(folder, tool="iozone"):
    """The systems of each round in the order of time, by the counters."""
    runs = []
    for path in folder.glob(f"{tool}/*/rep*.counters.json"):
        said = json.loads(path.read_text())
        runs.append((said["round"], said["started"], path.parent.name, said["place"]))
    rounds = itertools.groupby(sorted(runs), key=lambda run: run[0])
    return {number: [(name, at) for _, _, name, at in own] for number, own in rounds}


@pytest.mark.slow
def test_a_difference_is_decided_and_compare_says_the_same(lab):
    where = mounts(lab / "mnt", slow=1.0, fast=1.5)
    said = []
    seen = list(fsviz.run(lab / "lab", where, within=60, seed=7, tell=said.append))
    design = measured(lab / "lab")
    assert design.ended == "decided"
    assert design.looks == list(range(3, len(seen) + 1))
    assert design.rounds == 8
    last = stopping.tests_of(seen[-1])
    again = stopping.tests_of(fsviz.load(lab / "lab"))
    assert last["answer"].tolist() == again["answer"].tolist()
    assert set(again["answer"]) == {"faster"}
    assert last["p_value"].tolist() == again["p_value"].tolist()
    single = again["p_value"][0] * level(design.looks, 8) / 0.05
    assert single < level(design.looks, 8)
    # the round before was not enough
    if len(seen) > 3:
        assert set(stopping.tests_of(seen[-2])["answer"]) != {"faster"}
    assert again["ratio"][0] == pytest.approx(1.5, rel=0.05)
    assert left(where) == []
    assert any(line.startswith("warming up") for line in said)
    assert len(set(said)) == len(said) - sum(x.startswith("warm") for x in said) + 1


@pytest.mark.slow
def test_each_system_once_a_round_in_an_order_that_varies(lab, monkeypatch):
    monkeypatch.setattr(plan, "MOST", 15)  # not decided before the sixth
    where = mounts(lab / "mnt", a=1.0, b=1.0, c=1.0)
    seen = rounds_of(lab / "lab", where, 6, seed=1)
    found = orders(lab / "lab")
    assert list(found) == [1, 2, 3, 4, 5, 6]
    for number, order in found.items():
        assert sorted(name for name, _ in order) == ["a", "b", "c"]
        assert [at for _, at in order] == [1, 2, 3], number
    # the second of each pair is the reverse of the first
    names = [[name for name, _ in order] for order in found.values()]
    assert names[1::2] == [order[::-1] for order in names[::2]]
    assert len({tuple(order) for order in names}) > 2
    frame = compare(seen[-1], by="tool")
    assert frame["paired"].tolist() == [True, True]
    words = {word for scope in frame["scope"] for word in scope}
    assert not words & {"one after another", "same order every round"}


@pytest.mark.slow
def test_the_same_seed_draws_the_same_orders(lab):
    for name in ("one", "two"):
        where = mounts(lab / name, a=1.0, b=1.0)
        rounds_of(lab / f"lab-{name}", where, 4, seed=3)
    assert orders(lab / "lab-one") == orders(lab / "lab-two")


@pytest.mark.slow
def test_no_rule_on_order_speaks_of_what_drifts(lab, monkeypatch):
    monkeypatch.setattr(plan, "MOST", 15)  # not decided before the sixth
    where = mounts(lab / "mnt", a=1.0, b=1.0)
    rounds = fsviz.run(lab / "lab", where, within=60, seed=2)
    for number in range(1, 6):
        # everything becomes 10 % faster from round to round
        for place in where.values():
            (place / "speed").write_text(str(1.1**number))
        found = next(rounds)
    rounds.close()
    findings = fsviz.check(found, select=["not-interleaved"])
    assert findings["message"].str.contains("drifts").tolist() == [True]
    assert findings["severity"].tolist() == ["info"]
    rows = compare(found, by="operation")
    assert not set(rows["answer"]) & {"not_comparable"}
    words = {word for scope in rows["scope"] for word in scope}
    assert not words & {"one after another", "same order every round"}


@pytest.mark.slow
def test_it_goes_on_where_it_was_stopped(lab):
    where = mounts(lab / "mnt", a=1.0, b=1.0)
    rounds_of(lab / "lab", where, 2, seed=5)
    assert left(where) == []
    first = {p: p.read_bytes() for p in (lab / "lab/iozone").rglob("rep*")}
    used = measured(lab / "lab").used_s
    # what was measured is judged again, and then there is more of it
    third = rounds_of(lab / "lab", where, 3)[-1]
    assert third.runs["repeat"].max() == 3
    assert {p: p.read_bytes() for p in first} == first
    assert measured(lab / "lab").used_s > used
    assert measured(lab / "lab").seed == 5


def test_a_half_run_is_marked_and_measured_again(lab):
    where = one_round(lab)
    (lab / "lab/.part/txt").write_text("half of a line")
    (lab / "lab/iozone/b/rep1.counters.json").unlink()
    (found,) = rounds_of(lab / "lab", where, 1)
    (aside,) = (lab / "lab/.set-aside").glob("*/txt")
    assert aside.read_text() == "half of a line"
    assert found.runs["complete"].tolist() == [True, True]
    assert (lab / "lab/iozone/b/rep1.counters.json").is_file()


@pytest.mark.slow
def test_what_has_ended_stays_ended(lab):
    where = mounts(lab / "mnt", a=1.0, b=2.0)
    list(fsviz.run(lab / "lab", where, within=60))
    before = {p: p.read_bytes() for p in (lab / "lab").rglob("*") if p.is_file()}
    said = []
    (found,) = fsviz.run(lab / "lab", where, within=60, tell=said.append)
    assert said == [f"{lab / 'lab'}: it has ended before: decided"]
    assert found.looks.taken
    assert {p: p.read_bytes() for p in before} == before


def test_facts_that_a_person_adds_stay(lab):
    _, rounds, _ = begun(lab)
    path = lab / "lab/campaign.toml"
    text = path.read_text().replace("[facts]", '[facts]\nlink = "1 Gbit/s"')
    path.write_text(f"{text}\n[thresholds]\ncpu_percent = 80.0\n")
    found = next(rounds)
    rounds.close()
    assert found.systems["link"].tolist() == ["1 Gbit/s", "1 Gbit/s"]
    assert read_campaign_file(path).facts.link == "1 Gbit/s"
    assert found.thresholds == {"cpu_percent": 80.0}
    assert read_campaign_file(path).measured.used_s > 0


def test_a_tool_that_fails_says_so_in_a_line_and_what_was_measured_loads(lab):
    where, rounds, said = begun(lab)
    behave(lab / "bin", "fail")
    with pytest.raises(RunFailedError, match="iozone: expected a run that ends well"):
        next(rounds)
    line = "iozone: expected status 0, found 1: no space left on this device"
    assert said[-2:] == [f"{line}; trying again", line]
    assert fsviz.load(lab / "lab").runs["repeat"].tolist() == [1, 1]
    assert left(where) == []
    assert measured(lab / "lab").ended == ""


@pytest.mark.slow
def test_a_tool_that_a_signal_ends_is_tried_again(lab):
    _, rounds, said = begun(lab)
    behave(lab / "bin", "die once")
    found = next(rounds)
    rounds.close()
    assert said[-1] == (
        "iozone: expected an end of its own, found that SIGKILL ended it; trying again"
    )
    assert found.runs["repeat"].max() == 2
    assert found.runs["complete"].all()


@pytest.mark.slow
def test_a_tool_that_hangs_is_ended(lab, monkeypatch):
    _, rounds, said = begun(lab)
    monkeypatch.setattr(run_module, "_LEAST", 0.2)
    monkeypatch.setattr(run_module, "_PATIENCE", 0.0)
    behave(lab / "bin", "sleep 1000")
    with pytest.raises(RunFailedError):
        next(rounds)
    assert said[-1] == (
        "iozone: expected an end within 0.2 s (a run may take 0 times as long as a "
        "round did), found none"
    )


def test_the_limit_of_a_trial_is_said(lab):
    """Its time was up, and it said that the tool had none of its own."""
    where = mounts(lab / "mnt", a=1.0, b=1.0)
    behave(lab / "bin", "sleep 1000")
    said = []
    with pytest.raises(UsageError, match="expected a tool that ends a trial"):
        next(fsviz.run(lab / "lab", where, within=1, tell=said.append))
    assert re.fullmatch(
        r"iozone: expected an end within 0[.\d]* s \(a trial may take a tenth of "
        r"--within\), found none; left out",
        said[-1],
    )


@needs_group
def test_a_tool_that_needs_too_much_memory_is_said(lab):
    _, rounds, said = begun(lab)
    behave(lab / "bin", "hungry")
    with pytest.raises(RunFailedError):
        next(rounds)
    size = format_size(measured(lab / "lab").memory)
    assert said[-1] == (
        f"iozone: expected to need at most {size} of memory, found more"
    )


def test_a_mount_that_disappears_ends_it_and_nothing_is_written_below(lab):
    where, rounds, _ = begun(lab)
    where["b"].rename(lab / "gone")
    with pytest.raises(FsvizError, match=r"mnt/b: expected the folder of b, found No"):
        next(rounds)
    assert not where["b"].exists()
    assert set(fsviz.load(lab / "lab").runs["system"]) == {"a", "b"}


def test_a_clock_that_jumps_back_changes_no_order(lab, monkeypatch):
    where = one_round(lab)
    path = lab / "lab/iozone/a/rep1.counters.json"
    said = json.loads(path.read_text())
    path.write_text(json.dumps(said | {"started": "2099-01-01T00:00:00.000"}))
    found = rounds_of(lab / "lab", where, 2)[-1]
    later = found.runs.loc[found.runs["repeat"] == 2, "started"]
    assert (later > "2099-01-01").all()


@pytest.mark.parametrize("text", ["", '{"context_switches": 5, '])
def test_damaged_counters_are_a_problem_and_it_goes_on(lab, text):
    where = one_round(lab)
    path = lab / "lab/iozone/a/rep1.counters.json"
    path.write_text(text and text + path.read_text().removeprefix("{"))
    (found,) = rounds_of(lab / "lab", where, 1)
    (problem,) = found.problems
    where = lab / "lab/iozone/a/rep1.counters.json"
    assert str(problem) == f"{where}:1: expected counters of fsviz run, found none"


def test_only_one_at_a_time(lab, monkeypatch):
    where, rounds, _ = begun(lab)
    monkeypatch.setattr(tempfile, "tempdir", str(lab))  # as if on another device
    with pytest.raises(UsageError, match="expected no other fsviz run there"):
        next(fsviz.run(lab / "lab", where, within=60))
    rounds.close()


def test_only_one_at_a_time_on_a_device(lab):
    """Each measured the other one's load; the second one's mount is the first's."""
    _, rounds, _ = begun(lab)
    others = mounts(lab / "others", c=1.0, d=1.0)
    line = rf"{lab}/others/c: expected no other fsviz run on its device .*\(\d+:\d+\)"
    with pytest.raises(UsageError, match=line):
        next(fsviz.run(lab / "second", others, within=60))
    assert left(others) == []
    assert not (lab / "second").exists()
    rounds.close()
    assert next(fsviz.run(lab / "second", others, within=60)).runs.shape[0] == 2


def refused(lab, where, **choices):
    with pytest.raises(UsageError) as caught:
        next(fsviz.run(lab / "lab", where, **{"within": 60} | choices))
    return str(caught.value)


def test_places_that_cannot_be_compared_are_refused(lab):
    where = mounts(lab / "mnt", a=1.0, b=1.0)
    a, b = where["a"], where["b"]
    (a / "inside").mkdir()
    assert "two systems or more, found 1" in refused(lab, {"a": a})
    assert "a folder of its own, found that of a" in refused(lab, {"a": a, "b": a})
    inside = {"a": a, "b": a / "inside"}
    assert "a folder of its own, found that of a" in refused(lab, inside)
    assert "b=/dev/null: expected a folder" in refused(lab, {"a": a, "b": "/dev/null"})
    alike = refused(lab, {"../x": a, "x": b})
    assert "names that differ as names of folders" in alike
    assert not (lab / "lab").exists()


@pytest.mark.parametrize("name", ["../../x", "/etc", "..", "-rf", "a\nb"])
def test_a_name_of_a_system_is_no_path(lab, name):
    made = mounts(lab / "mnt", a=1.0, b=1.0)
    before = {*lab.rglob("*")}
    found = next(fsviz.run(lab / "lab", {name: made["a"], "b": made["b"]}, within=60))
    assert {*found.runs["system"]} == {name, "b"}
    new = {p for p in {*lab.rglob("*")} - before if not p.is_relative_to(lab / "bin")}
    assert all(path.is_relative_to(lab / "lab") for path in new)
    assert left(made) == []


def test_a_folder_of_something_else_is_refused(lab):
    where = mounts(lab / "mnt", a=1.0, b=1.0)
    (lab / "lab").mkdir()
    (lab / "lab/thesis.txt").write_text("mine")
    assert "found 'thesis.txt'" in refused(lab, where)
    (lab / "lab/thesis.txt").rename(lab / "lab/.trial")
    assert "found '.trial'" in refused(lab, where)
    (lab / "lab/.trial").rename(lab / "lab/.fsviz-run")
    assert "found '.fsviz-run'" in refused(lab, where)
    assert [path.read_text() for path in (lab / "lab").iterdir()] == ["mine"]


def test_nothing_that_lies_in_its_folder_is_deleted(lab):
    """A trial and half a run were moved to names that others had taken."""
    where = one_round(lab)
    for name in (".trial", ".half/0001", ".set-aside/mine"):
        (lab / "lab" / name).mkdir(parents=True)
        (lab / "lab" / name / "mine").write_text("mine")
    (lab / "lab/.part/txt").write_text("half of a line")
    (lab / "lab/campaign.toml").unlink()  # as if killed in its trial
    before = {p.read_text() for p in (lab / "lab").rglob("*") if p.is_file()}
    next(fsviz.run(lab / "lab", where, within=60))
    after = [p.read_text() for p in (lab / "lab").rglob("*") if p.is_file()]
    assert after.count("mine") == 3
    assert before <= {*after}


@pytest.mark.parametrize("name", [".part", ".set-aside", ".warm-up", ".fsviz-run"])
@pytest.mark.parametrize("planted", ["a link", "a file"])
def test_what_takes_a_name_of_its_own_is_one_line(lab, name, planted):
    where = one_round(lab)
    (lab / "precious").mkdir()
    (lab / "lab" / name).rename(lab / "moved")
    if planted == "a link":
        (lab / "lab" / name).symlink_to(lab / "precious")
    else:
        (lab / "lab" / name).write_text("mine")
    assert str(lab / "lab") in refused(lab, where)
    assert not list((lab / "precious").iterdir())


def test_other_systems_than_those_it_began_with_are_refused(lab):
    one_round(lab)
    others = mounts(lab / "others", a=1.0, c=1.0)
    assert "the systems that it began with" in refused(lab, others)


def test_our_folder_that_is_a_link_is_refused(lab):
    where, rounds, _ = begun(lab)
    (own,) = [name for name in left(where) if name.startswith(".fsviz-run")][:1]
    rounds.close()
    (lab / "precious").mkdir()
    (where["a"] / own).symlink_to(lab / "precious")
    assert "found a link" in refused(lab, where)


@pytest.mark.slow
@pytest.mark.parametrize("planted", ["iozone", "iozone/b", ".tree"])
def test_a_link_among_the_results_leads_nowhere(lab, planted):
    """A folder of a stranger's could have had our files written elsewhere."""
    where = one_round(lab)
    results, precious = lab / "lab", lab / "precious"
    precious.mkdir()
    (precious / "rep1.txt").write_text("mine")
    if planted == ".tree":
        (results / "campaign.toml").unlink()  # killed in its trial
        choices = {"tool": ["rsync"]}
    else:
        shutil.rmtree(results / planted)
        choices = {}
    (results / planted).symlink_to(precious)
    assert "found a link" in refused(lab, where, **choices)
    assert [p.name for p in precious.iterdir()] == ["rep1.txt"]
    assert (precious / "rep1.txt").read_text() == "mine"


def test_more_than_a_share_of_the_free_space_is_refused(lab, monkeypatch):
    where = mounts(lab / "mnt", a=1.0, b=1.0)
    monkeypatch.setattr(places_module, "SHARE", 1e-9)
    assert "expected 12 MiB within" in refused(lab, where)
    assert left(where) == []


def test_tools_that_are_missing_are_named_with_their_package(lab, monkeypatch):
    where = mounts(lab / "mnt", a=1.0, b=1.0)
    monkeypatch.setenv("PATH", str(lab / "bin"))
    said = refused(lab, where, question="latency")
    assert said == "fio: not installed; its package is fio"
    assert "expected one of throughput" in refused(lab, where, question="speed")


@pytest.mark.slow
def test_the_command_ends_with_what_compare_says(lab):
    where = mounts(lab / "mnt", slow=1.0, fast=1.5)
    words = [f"{name}={path}" for name, path in where.items()]
    done = command("run", lab / "lab", *words, "--within", "1m", "--seed", 4)
    assert done.returncode == 0, done.stderr
    assert done.stdout == command("compare", lab / "lab").stdout
    assert re.search(r"fast +faster in", done.stdout)
    lines = done.stderr.splitlines()
    rounds = [line for line in lines if line.startswith("round ")]
    ratios = r"1\.\d(–\d\.\d)?× faster"
    untested = rf"untested in \d of \d tests \(under 3 runs; {ratios}\)"
    first = f"round 1: IOzone fast {untested}"
    assert re.fullmatch(first, rounds[0])
    assert re.search(r"IOzone fast faster in (\d) of \1 tests", rounds[-1])
    assert re.search(rf"^decided after {len(rounds)} rounds", done.stderr, re.MULTILINE)
    assert f"next: fsviz report {lab / 'lab'}" in lines


@pytest.mark.slow
def test_the_command_counts_rounds_from_where_it_was_stopped(lab):
    where = mounts(lab / "mnt", slow=1.0, fast=1.5)
    rounds_of(lab / "lab", where, 3, seed=4)
    words = [f"{name}={path}" for name, path in where.items()]
    done = command("run", lab / "lab", *words, "--within", "1m")
    lines = [line for line in done.stderr.splitlines() if line.startswith("round ")]
    assert lines[0].startswith("round 3: ")


def test_a_dry_run_says_what_it_would_do_and_does_nothing(lab):
    where = mounts(lab / "mnt", a=1.0, b=1.0)
    words = [f"{name}={path}" for name, path in where.items()]
    done = command("run", lab / "lab", *words, "--within", "10m", "--dry-run")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:2] == [
        (
            "a and b lie on one file system: what differs between them is where their "
            "files are on it"
        ),
        "2 systems: a, b; iozone",
    ]
    assert any(re.match(r"\d+ rounds at most, after one to warm up", x) for x in lines)
    assert "cannot tell" in done.stdout
    assert "read and written" in done.stdout
    assert not (lab / "lab").exists()
    assert left(where) == []


@pytest.mark.parametrize(
    "words,says",
    [
        (["a"], "run: expected LABEL=PATH, found 'a'"),
        (["a=/tmp", "a=/tmp"], "expected each label once"),
        (["a=/tmp", "b=/tmp", "--within", "soon"], "expected a time such as 30m"),
    ],
)
def test_wrong_usage_is_one_line(words, says, tmp_path):
    done = command("run", tmp_path / "lab", *words)
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert not Path(tmp_path / "lab").exists()
