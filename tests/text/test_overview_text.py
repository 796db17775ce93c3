"""The overview on a terminal: widths, marks, colours, notes."""

import math
import re

import pandas as pd
import pytest
from samples import loaded

from fsviz.answers.about import place_scopes
from fsviz.answers.matrix import COLUMNS, legend, overview
from fsviz.answers.notes import notes_of
from fsviz.answers.statement import statements
from fsviz.text.first_sight import NOTES, overview_markdown, overview_text

OPERATIONS = ("write", "rewrite", "read", "reread", "random_read", "random_write")
HEADLINE = "Against base, IOzone: " + "s1 2.0× slower; " * 8


def row(candidate, operation="write", verdict="slower", speed=0.5, **more):
    usual = dict.fromkeys(COLUMNS, math.nan)
    usual |= {"tool": "iozone", "threads": 1, "setting": "", "metric": "throughput"}
    usual |= {"baseline": "base", "scope": [], "cells": 5, "other_metric": ""}
    lists = ("faster_in", "slower_in", "classes", "class_speeds", "class_q")
    lists += ("files", "records")
    usual |= {**dict.fromkeys(lists, ()), "lone_cell": None, "rare": (), "torn": None}
    usual |= {"lacking": "", "alone": ""}
    usual |= {"disqualified_by": [], "advice": [], "caveats": [], "stands_for": ""}
    usual |= {"n_baseline": 5, "n_candidate": 5, "verdict": verdict, "speed": speed}
    usual |= {"numbers": True, "no_single_winner": False, "is_apart": False}
    usual |= {"depends_on": ""}
    return usual | {"candidate": candidate, "operation": operation} | more


def frame(*rows):
    return pd.DataFrame(list(rows))


def nine(name="system-{}", **more):
    return frame(
        *(
            row(name.format(n), operation, speed=1 / (n + 1.5), **more)
            for operation in (*OPERATIONS, "all")
            for n in range(8)
        )
    )


def rows_of(text, name):
    return [line.split() for line in text.splitlines() if line.startswith(name)]


@pytest.mark.parametrize(
    "verdict, cell",
    [("slower", "▼4.5×"), ("untested", "·▼4.5×"), ("disqualified", "✗▼4.5×")],
)
def test_nine_systems_fit_a_terminal(verdict, cell):
    text = overview_text(nine(verdict=verdict, scope=["cache"]), HEADLINE)
    lines = text.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    (cells,) = rows_of(text, "system-3")
    assert cells[1:] == [cell] * 7 + ["0/6"] * (verdict == "slower")


@pytest.mark.slow
def test_nine_real_systems_and_three_tools_fit_a_terminal(root):
    names = ["local-ext4", "nfs-v3", "nfs-v4.0", "nfs-v4.1", "nfs-v4.2-async"]
    names += ["smb-2.1", "smb-3.0", "smb-3.1.1"]
    found = overview(loaded(root / "data/raw/loopback-2026"), "nfs-v4.2", names)
    lines = overview_text(found, HEADLINE).splitlines()
    # 40, the reference's own speeds in each of three blocks, a longer legend, and what
    # columns are about in their heads
    assert len(lines) <= 49
    assert max(map(len, lines)) <= 80
    assert {line.split()[0] for line in lines if "▼" in line[8:]} >= set(names[-3:])


@pytest.mark.parametrize("width", [40, 60, 80, 200])
@pytest.mark.parametrize("longest", [3, 30, 120])
def test_no_line_is_wider_than_the_terminal(width, longest):
    found = nine("n" * longest + "{}")
    lines = overview_text(found, HEADLINE, width).splitlines()
    assert max(map(len, lines)) <= width
    # every cell is there, in as many blocks as it takes
    cells = re.findall(r"▼\d\.\d×", "\n".join(lines))
    assert len(cells) == 7 * 8
    assert sum(line.count("won/") for line in lines) == 1


def test_each_verdict_has_its_mark_and_the_legend_explains_it():
    found = frame(
        row("up", verdict="faster", speed=1.68),
        row("down", verdict="slower", speed=1 / 16.3, scope=["also differs: OS"]),
        row("even", verdict="same", speed=1.01, scope=["storage"]),
        row("maybe", verdict="unclear", speed=1.3, scope=["sync against async"]),
        row("near", verdict="unclear", speed=1.03),
        row("none", verdict="disqualified", scope=["cache"]),
        row("once", verdict="untested", n_candidate=1, scope=["cache"]),
        row("absent", verdict="untested", n_candidate=0, cells=0),
        row("bound", speed=math.nan, speed_low=0.0, speed_high=1 / 2.59),
    )
    text = overview_text(found, "Headline.")
    cells = {line.split()[0]: line.split()[1:] for line in text.splitlines()[3:11]}
    assert cells == {
        "up": ["▲1.7×"],
        "down": ["▼16×", "also", "differs:", "OS"],
        "even": ["=", "storage"],
        "maybe": ["?▲1.3×", "sync", "against", "async"],
        "near": ["≈"],
        "none": ["✗▼2.0×"],
        "once": ["·▼2.0×"],
        "bound": ["▼>2.5×"],
    }
    said = statements(found)
    assert legend(said, place_scopes(said)) == (
        "▲ faster; ▼ slower; = about the same (within 5 %); ≈ inconclusive, "
        "measured within 5 %; ✗ disqualified; · measured, but not tested; "
        "? inconclusive, measured beyond 5 %; > more than. "
        "down – also differs: OS. "
        "even – storage. maybe – sync against async"
    )
    assert "Not measured with iozone: absent." in text


def test_notes_name_rules_with_counts_and_what_disqualifies_first():
    bad = {"disqualified_by": ["invalid-mode"], "advice": ["run it again"]}
    found = frame(
        row("a", "read", "disqualified", **bad),
        row("b", "read", "disqualified", caveats=["too-short"], **bad),
        row("b", "write", caveats=["too-short", "unstable-cell"]),
        # whole tools repeat what their operations say
        row("b", "all", caveats=["too-short"]),
    )
    assert notes_of(statements(found)) == [
        "✗ invalid-mode in 2 fields; to settle it: run it again",
        "Warnings of fsviz check (number of fields): too-short (2), unstable-cell (1).",
    ]


def test_more_notes_than_fit_are_counted():
    rules = [f"a-rule-with-a-long-name-{n}" for n in range(90)]
    found = frame(row("a", caveats=rules))
    lines = overview_text(found, "Headline.").splitlines()
    start = next(n for n, line in enumerate(lines) if "Warnings" in line)
    assert len(lines[start:-1]) == NOTES
    assert re.fullmatch(r"  … \d+ lines more: fsviz check, --intervals", lines[-2])


def test_colour_is_asked_for_and_changes_no_character():
    found = nine()
    plain = overview_text(found, HEADLINE)
    painted = overview_text(found, HEADLINE, colour=True)
    assert "\x1b" not in plain
    assert "\x1b[31m▼" in painted
    bare = re.sub(r"\x1b\[[0-9;]*m", "", painted)
    assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()


def test_control_characters_of_names_do_not_reach_the_terminal():
    found = frame(row("a\x1b[31m"), row("a\x1b[31m", "read"))
    assert "\x1b" not in overview_text(found, "Headline.")


def test_threads_are_sections_of_their_own():
    found = frame(*(row("a", op, threads=t) for t in (1, 4) for op in OPERATIONS[:2]))
    text = overview_text(found, "Headline.")
    assert "iozone 1 thr." in text
    assert "iozone 4 thr." in text
    assert len(rows_of(text, "a ")) == 2


def test_the_matrix_says_against_whom():
    text = overview_text(nine(), HEADLINE)
    assert "Each system against base:" in text.splitlines()


def test_markdown_has_a_table_a_tool_in_which_names_mean_nothing():
    found = frame(
        row("a|b", speed=0.5), row("a|b", "transfer", tool="rsync", speed=0.25)
    )
    text = overview_markdown(found, "a|b *slower*")
    lines = text.splitlines()
    assert lines[0] == "**a&#124;b &#42;slower&#42;**"
    tables = [line for line in lines if line.startswith("|")]
    assert tables[0] == "| iozone against base | write |"
    assert tables[2] == "| a&#124;b | ▼2.0× |"
    assert tables[-1] == "| a&#124;b | ▼4.0× |"


def test_the_legend_says_how_many_runs_there_are():
    """Who sees the console alone could not tell whether to believe it."""
    text = overview_text(frame(row("a"), row("b", n_candidate=3)), HEADLINE)
    assert "Runs of each system: 3–5." in " ".join(text.split())
    means = frame(row("a", stands_for="mean", n_candidate=1, n_baseline=1))
    assert "Runs of each" not in overview_text(means, HEADLINE)


def test_many_settings_have_a_row_each_and_systems_stand_side_by_side():
    depths = (1, 2, 4, 8, 16)

    def value(d):
        return {"baseline_value": d, "baseline_is_least": False}

    found = frame(
        *(
            row("b", op, speed=0.5 / d, setting=f"depth={d}; sync=1", **value(d))
            for d in depths
            for op in ("read", "write")
        )
    )
    text = overview_text(found, "Headline.")
    first = next(n for n, s in enumerate(text.splitlines()) if s.startswith("iozone"))
    heads = [line.split() for line in text.splitlines()[first : first + 2]]
    assert heads == [
        ["iozone", "read", "write", "read", "write"],
        ["sync=1", "base", "base", "b", "b"],
    ]
    for d in depths:
        much = f"▼{2 * d}.0×" if d < 5 else f"▼{2 * d}×"
        assert rows_of(text, f"depth={d} ") == [
            [f"depth={d}", *[f"{d}B"] * 2, *[much] * 2]
        ]
    assert "base: its own values (B B/s)." in text
    (table,) = re.findall(r"(?m)(?:^\|.*\n?)+", overview_markdown(found, "Headline."))
    assert [line.split("|")[1].strip() for line in table.splitlines()[2:]] == [
        f"depth={d}" for d in depths
    ]


def test_what_the_answers_of_a_setting_are_about_stands_in_its_row():
    found = frame(
        *(
            row("b", op, setting=f"depth={d}", scope=["cache"] * (d < 3))
            for d in (1, 2, 3, 4)
            for op in ("read", "write")
        )
    )
    text = overview_text(found, "Headline.")
    assert len(rows_of(text, "depth=1 (cache) ")) == 1
    assert len(rows_of(text, "depth=2 (cache) ")) == 1
    assert text.count("(cache)") == 2


@pytest.mark.parametrize("settings, systems", [(3, 1), (4, 8)])
def test_few_settings_or_many_systems_are_no_sweep(settings, systems):
    found = frame(
        *(
            row(f"system-{n}", op, setting=f"depth={2**d}")
            for d in range(settings)
            for n in range(systems)
            for op in OPERATIONS[:2]
        )
    )
    lines = overview_text(found, "Headline.").splitlines()
    assert sum(line.startswith("system-0 ") for line in lines) == settings
