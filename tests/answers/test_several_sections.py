"""What is said first of several tools or settings: the decided, or that none is."""

import pytest
from campaigns_made import put

import fsviz
from fsviz.answers.headline import headline
from fsviz.answers.matrix import overview
from fsviz.answers.notes import notes_of
from fsviz.answers.statement import statements
from fsviz.answers.trust import trust
from fsviz.checks import run_checks
from fsviz.store.load import load

NOISE = (0.7, 1.4, 0.9, 1.2, 1.0)


def swept(folder, factors):
    """Two systems, five runs at each depth; the second is as much faster as is said."""
    rows = ["system,operation,iodepth,repeat,value"]
    for depth, factor in factors.items():
        for k, noise in enumerate(NOISE):
            other = NOISE[(k * 2 + depth) % 5]
            rows += [
                f"a,read,{depth},{k + 1},{100 * noise} MiB/s",
                f"b,read,{depth},{k + 1},{100 * other * factor} MiB/s",
            ]
    (folder / "a.csv").write_text("\n".join(rows))
    return fsviz.load(folder)


@pytest.fixture
def undecided(tmp_path):
    return swept(tmp_path, {1: 1.05, 2: 0.97, 4: 1.02})


def test_of_much_that_is_undecided_one_sentence_says_so(undecided):
    said = headline(overview(undecided, "a"))
    assert said == "Against a, b inconclusive in all that own table measured."


def test_what_is_decided_is_said_before_what_is_not(tmp_path):
    campaign = swept(tmp_path, {1: 1.05, 2: 0.97, 4: 9.0})
    said = headline(overview(campaign, "a"))
    assert said.startswith("Against a, own table with iodepth=4: b 9.0× faster. ")


def test_notes_say_at_which_setting_a_row_is_inconclusive(undecided):
    (line,) = (
        line
        for line in notes_of(statements(overview(undecided, "a")))
        if line.startswith(("?", "≈"))
    )
    for depth in (2, 4):
        assert f"table, iodepth={depth}: read " in line


def test_runs_of_several_settings_are_not_added_up(tmp_path):
    files = {  # each depth in files of its own
        f"{system}/depth{depth}-{k}.csv": "system,operation,iodepth,value\n"
        f"{system},read,{depth},{100 * noise + depth} MiB/s\n"
        for system in "ab"
        for depth in (1, 4)
        for k, noise in enumerate(NOISE)
    }
    campaign = load(put(tmp_path / "camp", files))
    assert len(campaign.runs) == 20
    repeated = trust(campaign, run_checks(campaign))[0]
    assert "5 runs of each system and tool" in repeated.said
