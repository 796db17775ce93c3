"""Slips of form, and what is said of a cell that ended with an error."""

from pathlib import Path

import exercises
import pytest
from exercises.slips import failed_before
from exercises.verdicts import Exercise, judge
from samples import loaded

from fsviz import report

REPORT = Path(report.__file__).parent / "templates/fsviz"
ORDER = ["first", "second", "second", "first", "first", "second"]
FOUR = Exercise(4.0, "Add.", "Four.", unit="MiB/s")


@pytest.mark.parametrize(
    "answer,hint",
    [
        ("4", "Leave the quotes out: 4 is then a number."),
        (" 4e0", "Leave the quotes out: 4e0 is then a number."),
        ("4,5", "Write a point for the decimals, and no quotes."),
        ("4 MiB/s", "Leave unit and quotes out: give a number of MiB/s alone."),
        ("", "Give a number of MiB/s, in digits and without quotes."),
        ("<b>four", "Give a number of MiB/s, in digits and without quotes."),
        ((4, 5), "A comma makes two values of it. For decimals, write a point."),
        (max, "That is a function. Call it: write () behind its name."),
        ([4], "That is a whole list or table. Take one value out of it: a number of"),
        (True, "Give a number of MiB/s alone"),
        (4 * 1024, "right in another unit; the question asks for a number of MiB/s."),
        (32, "right in another unit"),
        (4e-6, "right in another unit"),
        (5, "This is too large. Add."),
        (0, "This is far too small. Add."),
        (-4, "Expected a number of MiB/s, not below zero. Add."),
    ],
)
def test_slips_of_form(answer, hint):
    verdict = judge(FOUR, answer)
    assert verdict.outcome == "wrong"
    assert hint in verdict.hint


def test_a_count_has_no_other_unit():
    cells = Exercise(4.0, "Count.", "Four.", unit="cells")
    assert judge(cells, 4000).hint == "This is far too large. Count."


def test_what_a_learner_types_is_escaped():
    known = Exercise("a", "Choose.", "It is a.", known=("a", "b"))
    assert "<i>" not in judge(known, "<i>c")._repr_html_()


def test_on_paper_nothing_asks_to_be_unfolded():
    page = judge(FOUR, None)._repr_html_()
    assert '<span hidden><span class="fsviz-paper">Your answer:</span></span>' in page
    assert "<style" not in page  # a page's policy allows none but its own
    rules = (REPORT / "report.css").read_text()
    on_paper = rules.partition("@media print { :is(.fsviz-verdict")[2].splitlines()[0]
    assert ".fsviz-screen { display: none; }" in on_paper
    assert ".fsviz-verdict [hidden] { display: inline; }" in on_paper


@pytest.fixture
def shell():
    """A notebook's shell, as `get_ipython` returns it in a kernel."""
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    yield shell
    InteractiveShell.clear_instance()


def test_outside_of_a_notebook_nothing_failed():
    assert failed_before() == ""


@pytest.mark.parametrize(
    "cell,hint",
    [
        ("answer = xfs", "Python knows no xfs: put a name or a text in quotes."),
        ("answer = 512 KiB", "Write a number alone, without its unit"),
        ("answer = 'xfs", "Close every quote and bracket that you open"),
        ("answer = 1 / 0", "Read the last line of the error"),
    ],
)
def test_after_an_error_the_answer_before_is_not_judged(
    shell, capsys, root, cell, hint
):

    campaign = loaded(root / "data/lessons/same-twice-2026")
    shell.run_cell("answer = []", store_history=True)
    assert exercises.check_answer("good-order", ORDER, campaign).outcome == "right"
    shell.run_cell(cell, store_history=True)
    verdict = exercises.check_answer("good-order", ORDER, campaign)
    assert verdict.outcome == "wrong"
    assert "there is no new answer" in verdict.hint
    assert hint in verdict.hint
    capsys.readouterr()
