"""Why a look ends the measuring, from rows whose numbers are known."""

from dataclasses import replace

import pandas as pd
import pytest
from samples import loaded

from fsviz.analysis.looks import power_of_more
from fsviz.measuring import _stopping as stopping
from fsviz.measuring._stopping import why_stop
from fsviz.model.campaign import Looks
from tests.simulated import campaign, usual

FIVE_OF_TEN = Looks(10, (3, 4, 5))


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    import fsviz

    folder = tmp_path_factory.mktemp("stopping") / "lab"
    return fsviz.load(campaign(folder, {"a": usual, "b": usual}, runs=3))


def why(known, *rows, looks=FIVE_OF_TEN):
    columns = ["answer", "ratio", "ci_low", "ci_high"]
    return why_stop(pd.DataFrame(rows, columns=columns), replace(known, looks=looks))


FASTER = ("faster", 1.5, 1.2, 1.9)
OPEN = ("inconclusive", 1.3, 0.98, 1.72)
HOPELESS = ("inconclusive", 1.0, 0.4, 2.5)


def test_rows_that_all_have_an_answer_end_it(known):
    same = ("same", 1.0, 0.98, 1.02)
    depends = ("mixed", 1.1, 0.8, 1.4)
    disqualified = ("not_comparable", 2.0, 1.0, 4.0)
    assert why(known, FASTER, same, depends, disqualified) == "decided"


def test_one_row_that_more_rounds_may_decide_keeps_it_going(known):
    assert power_of_more(1.3, 0.98, 1.72, FIVE_OF_TEN) > 0.9
    assert why(known, FASTER, OPEN, HOPELESS) == ""
    untested = ("untested", float("nan"), float("nan"), float("nan"))
    assert why(known, untested) == ""


def test_rows_that_no_more_rounds_decide_end_it(known):
    assert power_of_more(1.0, 0.4, 2.5, FIVE_OF_TEN) < 0.1
    assert why(known, FASTER, HOPELESS) == "undecidable"


def test_a_plan_at_its_end_or_closed_ends_it(known):
    closed = Looks(10, (3, 4, 5), closed=True)
    assert why(known, OPEN, looks=closed) == "out of budget"
    assert why(known, OPEN, looks=Looks(5, (3, 4, 5))) == "all rounds measured"
    assert why(known, FASTER, looks=closed) == "decided"


def test_nothing_that_was_compared_is_no_answer(known):
    assert why(known) == ""
    assert why(known, looks=Looks(5, (3, 4, 5))) == "all rounds measured"


def test_what_stops_a_run_are_tests_with_a_number():
    rows = stopping.tests_of(loaded("data/raw/loopback-2026"))
    assert set(rows["metric"]) == {"throughput", "rate", "elapsed"}
    assert rows["ratio"].notna().all()
    test = ["tool", "operation", "metric", "threads", "candidate"]
    assert not rows.duplicated(test).any()
