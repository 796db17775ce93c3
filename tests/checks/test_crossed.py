"""What the kernel counted: ``answered-by`` and ``busy-machine``."""

import json

import pytest
from compared import compare

import fsviz
from tests.simulated import OPERATIONS, SIZES, campaign, usual

ASKED = 3 * sum(SIZES) * 1024
"""Three of the six operations read each file once, three write it [B]."""


def counted(folder, system, **more):
    """Write counters beside each run of a system."""
    for number, path in enumerate(sorted((folder / system).glob("r*.txt"))):
        said = {
            "started": f"2026-03-02T08:{2 * number + (system == 'b'):02}:00.000",
            "seconds": 10.0,
            "round": number + 1,
            "place": 1 + (system == "b"),
            "through": "device",
        } | more
        path.with_suffix(".counters.json").write_text(json.dumps(said))


@pytest.fixture
def folder(tmp_path):
    facts = '[facts]\nclient_ram = "16 MiB"\n'
    return campaign(tmp_path / "lab", {"a": usual, "b": usual}, runs=3, facts=facts)


def regimes(folder, system):
    """What each operation at each file size is about."""
    frame = fsviz.run_checks(fsviz.load(folder)).regimes
    own = frame.loc[frame["system"] == system]
    pairs = zip(own["operation"], own["file_size_bytes"], own["regime"], strict=True)
    return {(str(name), int(size)): word for name, size, word in pairs}


def findings(folder):
    return fsviz.check(fsviz.load(folder), select=["answered-by", "busy-machine"])


@pytest.mark.slow
def test_answered_by_names_reads_that_never_left_the_client(folder):
    counted(folder, "a", read=ASKED // 20, written=ASKED)
    counted(folder, "b", read=ASKED // 2, written=2 * ASKED)
    found = findings(folder).set_index("message")["severity"].to_dict()
    assert found == {
        "a: 95 % of these reads never reached the device": "warning",
        "a: all of these writes reached the device": "info",
        "b: 50 % of these reads never reached the device": "info",
        "b: all of these writes reached the device": "info",
    }
    largest = SIZES[-1] * 1024
    assert regimes(folder, "a")["read", largest] == "cache"
    assert regimes(folder, "b")["read", largest] == "storage"
    frame = compare(fsviz.load(folder), by="operation")
    scope = frame.set_index("operation")["scope"]
    assert "cache" in scope["read"]


def test_reads_that_all_crossed_are_about_the_storage_however_small(folder):
    counted(folder, "a", through="mount", read=ASKED, written=ASKED)
    counted(folder, "b", through="mount", read=0, written=0)
    known = regimes(folder, "a")
    assert {known["read", size * 1024] for size in SIZES} == {"storage"}
    # writes are not: what is flushed crosses, whether or not anybody waited for it
    assert known["write", SIZES[0] * 1024] == "cache"
    messages = findings(folder)["message"].tolist()
    assert "b: 100 % of these reads never left the client" in messages
    evidence = findings(folder)["evidence"].tolist()
    assert "IOzone, a run: 4 GiB read, 0 B crossed the mount" in evidence


def test_answered_by_is_silent_without_counters_of_every_run(folder):
    counted(folder, "a", read=0, written=0)
    (folder / "a/r0.counters.json").unlink()
    counted(folder, "b", through="")
    assert findings(folder).empty


def test_busy_machine_names_what_else_ran(folder):
    counted(folder, "a", others_cpu=7.5)
    counted(folder, "b", others_cpu=4.0)
    (found,) = findings(folder).loc[lambda f: f["message"].str.contains("other")].index
    told = findings(folder).loc[found]
    assert told["message"] == (
        "a: other processes used 75 % of a processor during 3 runs of 3"
    )
    assert (told["severity"], told["rule"]) == ("warning", "busy-machine")


def test_busy_machine_names_a_processor_that_was_slowed_down(folder):
    counted(folder, "a", throttled=3)
    counted(folder, "b", throttled=0)
    hot = findings(folder).loc[lambda f: f["message"].str.contains("hot")]
    assert hot["message"].tolist() == [
        "a: a processor was too hot and slowed down during 3 runs of 3"
    ]


def test_busy_machine_is_silent_below_half_a_processor(folder):
    counted(folder, "a", others_cpu=4.9)
    counted(folder, "b", throttled=0)
    assert "busy-machine" not in set(findings(folder)["rule"])


@pytest.mark.parametrize("seconds,found", [(50, []), (90, ["parallel-runs"])])
def test_runs_overlap_only_where_the_first_took_so_long(folder, seconds, found):
    # as long as the numbers say they took 86 s, and began a minute apart
    counted(folder, "a", seconds=seconds)
    for number, path in enumerate(sorted((folder / "a").glob("*.json"))):
        said = json.loads(path.read_text())
        text = json.dumps(said | {"started": f"2026-03-02T08:0{number}:00.000"})
        path.write_text(text)
    told = fsviz.check(fsviz.load(folder), select=["parallel-runs"])
    assert told["rule"].tolist() == found


def test_counters_say_when_a_run_began(folder):
    counted(folder, "a")
    loaded = fsviz.load(folder)
    own = loaded.runs.loc[loaded.runs["system"] == "a", "started"]
    assert [str(moment) for moment in own] == [
        f"2026-03-02 08:0{2 * number}:00" for number in range(3)
    ]
    # nobody takes a file of counters for a result
    assert not loaded.problems


@pytest.mark.parametrize("text", ["", "{}", '{"started": 5}', "[1, 2]", "\0\xff"])
def test_damaged_counters_are_a_problem_with_a_place_and_the_numbers_stay(folder, text):
    (folder / "a/r0.counters.json").write_text(text)
    found = fsviz.load(folder)
    assert [str(problem) for problem in found.problems] == [
        f"{folder}/a/r0.counters.json:1: expected counters of fsviz run, found none"
    ]
    assert len(found.measurements) == 6 * len(OPERATIONS) * len(SIZES)
