"""What bonnie++ was too quick to time is not compared, and nothing says that it was."""

import pytest
from campaigns_made import put
from compared import compare
from fsviz.answers.matrix import overview
from fsviz.answers.statement import statements
from fsviz.report.prose import conclusions
from program import run
from samples import loaded

import fsviz
from fsviz.answers.trust import trust

HEAD = "1.98,2.00a,vm,1,{},482M,,8192,5,,,{},+++++,+++,,,{},+++++,+++,"
TAIL = "1,,,,,+++++,+++,+++++,+++,+++++,+++,+++++,+++,+++++,+++,+++++,+++,"
QUICK = "+++++,+++"
LATE = ",134us,1618us,,48us,6770us,58us,43us,216us,50us,5us,43us\n"


def rows(write, read=QUICK):
    """Six runs that print these numbers at two tests, and +++++ at all others."""
    return [
        (HEAD + TAIL + LATE).format(1795515619 + n, write, read).replace("%", str(n))
        for n in range(6)
    ]


@pytest.fixture
def quick(tmp_path):
    """Two systems; sequential writes have numbers, reads on one side only."""
    systems = {
        "ext4": rows("90766%,44"),
        "xfs": rows("70766%,44", "80766%,40"),
        "tmpfs": rows(QUICK),
    }
    files = {
        f"{name}/r{n}.csv": text
        for name, texts in systems.items()
        for n, text in enumerate(texts)
    }
    return put(tmp_path / "quick", files)


def test_bounds_alone_are_no_test(quick):
    found = compare(fsviz.load(quick), baseline="ext4")
    found = found.loc[found["metric"].isin(["throughput", "rate"])]
    words = found.set_index(["candidate", "operation"])["answer"]
    assert words["xfs", "sequential_output_block"] == "slower"
    # more than any that has a number
    assert words["tmpfs", "sequential_output_block"] == "faster"
    assert words["xfs", "sequential_input_block"] == "slower"
    assert words["tmpfs", "sequential_input_block"] == "untested"
    assert set(words.xs("random_create", level="operation")) == {"untested"}
    # and they make the others no harder to tell
    tested = found.loc[found["p_value"].notna()]
    assert len(tested.loc[tested["candidate"] == "xfs"]) == 2


def test_a_cell_without_numbers_is_empty(quick):
    frame = overview(fsviz.load(quick), "ext4")
    cells = {(one.candidate, one.operation): one for one in statements(frame)}
    one = cells["tmpfs", "sequential_input_block"]
    assert (one.cell, one.words) == ("", "not measured")
    assert cells["xfs", "sequential_input_block"].cell
    assert cells["tmpfs", "sequential_output_block"].cell


def test_compare_says_why_nothing_is_said(quick):
    chosen = ("--operation", "random_create,random_delete")
    done = run("compare", "a=ext4", "b=tmpfs", *chosen, cwd=quick).stdout
    assert "≈" not in done
    assert "inconclusive" not in done
    said = (
        "bonnie++: no ratio of random create and random delete, where a bound such as"
    )
    assert said in done
    assert "Not measured with" not in done
    assert "create" not in done.partition("nothing was measured")[0]
    both = run("compare", "a=ext4", "b=tmpfs", cwd=quick).stdout
    # one operation has an answer, and the others no column
    answer = "Against a, bonnie++ sequential output block: b more than 1.08× faster.\n"
    assert both.startswith(answer)
    assert [line.split() for line in both.splitlines()[2:6]] == [
        ["seq.", "out"],
        ["bonnie++", "block"],
        ["a", "886M"],
        ["b", "▲>1.08×"],
    ]


def test_the_conclusion_does_not_say_that_nothing_was_measured(quick):
    found = compare(fsviz.load(quick), baseline="ext4", operation=["random_create"])
    assert conclusions(found) == (
        "There is nothing to compare: no two systems have a number for the same "
        "throughput, rate or time."
    )


def test_the_four_questions_name_what_was_too_quick(quick, root):
    campaign = fsviz.load(quick)
    alone = fsviz.select(campaign, system=["tmpfs"])
    last = trust(alone, fsviz.run_checks(alone))[-1]
    assert (last.state, last.rules[0]) == ("warning", "small-for-memory")
    assert "60 values of bonnie++ printed as +++++" in last.said
    assert "(-s)" in last.advice
    both = trust(campaign, fsviz.run_checks(campaign))[-1]
    assert both.rules[:2] == ("small-for-memory", "unmatched-cells")
    whole = loaded(root / "data/raw/loopback-2026")
    own = trust(whole, fsviz.run_checks(whole), tool="iozone")[-1]
    assert "+++++" not in own.said
