"""What figures are to mark: errors and warnings, cells told from averages."""

import pandas as pd
import pytest

from fsviz.checks import run_checks
from fsviz.checks.findings import MARKS
from fsviz.checks.marks import cell_marks
from tests.checks.outputs import ONEHOST, loaded


@pytest.fixture(scope="module")
def examination():
    return run_checks(loaded(ONEHOST))


def test_only_errors_and_warnings_are_marked(examination):
    marks = cell_marks(examination)
    assert list(marks) == [*MARKS, "cell"]
    assert set(marks["severity"]) == {"error", "warning"}
    # every finding of those severities has a row, also one without cells
    graver = examination.findings["severity"] != "info"
    assert set(marks["finding"]) == set(examination.findings.index[graver])


def test_a_finding_about_averages_marks_no_cell(examination):
    marks = cell_marks(examination)
    assert not marks.loc[marks["rule"] == "cache-regime", "cell"].any()
    assert marks.loc[marks["rule"] == "too-short", "cell"].all()


def test_a_finding_without_cells_stands_for_its_system_and_tool(examination):
    (row,) = (
        cell_marks(examination)
        .query("rule == 'unmatched-cells' and tool == 'bonnie++'")
        .to_dict("records")
    )
    assert (row["system"], row["cell"]) == ("xfs", False)
    assert pd.isna([row["operation"], row["file_size_bytes"], row["metric"]]).all()
