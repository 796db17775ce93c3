"""Findings in Markdown: grouped, escaped, of one tool if that is wanted."""

import html
import re
from dataclasses import replace

import pandas as pd
import pytest
from campaigns_made import iozone, put
from frames import campaign as of_systems
from frames import made

import fsviz
from fsviz.campaigns._place_runs import FILES
from fsviz.report._file_list import describe_files
from fsviz.report.disclosure import (
    describe_details,
    describe_runs,
    describe_systems,
)

COLUMNS = ["rule", "severity", "message", "evidence", "advice", "tools"]


def findings(*rows):
    return pd.DataFrame(rows, columns=COLUMNS)


SHORT = ("too-short", "error", "a < b", "1 ms", "add `iozone -n 16m`", ["iozone"])
BOUND = ("cpu-bound", "warning", "busy", "95 %", "see the cost", ["bonnie++", "rsync"])
FEW = ("undisclosed", "info", "no date", "", "state it", [])


def test_the_gravest_comes_first_and_information_is_folded():
    text = fsviz.report.describe_findings(findings(BOUND, FEW, SHORT))
    assert text.index("too-short") < text.index("cpu-bound") < text.index("undisclosed")
    assert "<summary>1 for information</summary>" in text
    assert text.startswith("*Errors*")


def test_text_of_files_is_escaped_and_commands_are_code():
    text = fsviz.report.describe_findings(findings(SHORT))
    assert "a &lt; b" in text
    assert "<code>iozone -n 16m</code>" in text
    hostile = ("x", "error", "`<script>`", "<b>", "a ` b", [])
    text = fsviz.report.describe_findings(findings(hostile))
    assert "<code>&lt;script&gt;</code>" in text
    assert "a &#96; b" in text
    assert "<script" not in text
    assert "<b>" not in text


def test_the_first_of_each_rule_can_be_linked_to():
    text = fsviz.report.describe_findings(findings(SHORT, SHORT))
    assert text.count('<a id="finding-too-short"></a>') == 1


def test_nothing_found_is_said():
    assert (
        fsviz.report.describe_findings(findings())
        == "`fsviz check` found nothing wrong."
    )


@pytest.fixture
def campaign(tmp_path):
    files = {"ext4/1.txt": iozone(1), "ext4/<b>.txt": "hello\n", "xfs/1.txt": iozone(2)}
    return fsviz.load(put(tmp_path, files))


def test_the_table_of_files_is_folded_and_escaped(campaign):
    shown = describe_files(campaign).data
    rows = [
        re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row) for row in shown.split("<tr")[1:]
    ]
    assert rows[0] == list(FILES)
    told = [dict(zip(FILES, row, strict=True)) for row in rows[1:]]
    assert [row["system"] for row in told] == ["ext4", "ext4", "xfs"]
    assert [row["numbers"] for row in told] == ["36", "0", "36"]
    # the folder above them is said once
    (above,) = re.findall("of <code>(.+?)</code> went", shown)
    assert [f"{above}/{html.unescape(row['source'])}" for row in told] == list(
        campaign.files["source"]
    )
    assert shown.startswith("<details><summary>")
    assert "<b>" not in shown
    assert describe_files(replace(campaign, files=None)).data == ""


def test_of_a_long_one_paper_counts_by_folder_and_names_what_has_a_problem(tmp_path):
    files = {f"{'ab'[n % 2]}/{n}.txt": iozone(n) for n in range(50)}
    files["b/cut.txt"] = iozone(99)[:-800]
    files["b/<b>.txt"] = "hello\n"
    campaign = fsviz.load(put(tmp_path / "camp", files))
    shown, paper = describe_files(campaign).data.split("</details>")
    assert shown.startswith('<details class="on-screen">')
    assert shown.count("<tr") == 53
    assert paper.startswith('<div class="on-paper" hidden>')
    assert f"<code>{tmp_path}/camp</code>" in paper
    rows = re.findall("<tr><td>(.*?)</td></tr>", paper)
    assert rows[0].split("</td><td>")[::4] == ["a", "25"]
    assert sum(int(row.split("</td><td>")[4]) for row in rows) == 52
    named = [f">b/{n}.txt</td>" in paper for n in (1, "cut", "<b>", "&lt;b&gt;")]
    assert named == [False, True, False, True]
    # no run of it, no repeat
    assert "NA" not in paper


def test_of_one_tool_it_lists_what_is_of_no_tool_too(tmp_path):
    files = {"ext4/1.txt": iozone(1), "ext4/2.txt": "hello\n"}
    files["ext4/3.txt"] = "real 2.00\nuser 0.10\nsys 0.10\n"
    campaign = fsviz.load(put(tmp_path, files))
    assert set(campaign.files["tool"]) == {"iozone", "rsync", ""}
    shown = describe_files(campaign, "iozone").data
    assert "1.txt" in shown
    assert "2.txt" in shown
    assert "3.txt" not in shown


FITS = "ext4 of 32 characters, no longer"
LONG = "rw,relatime,inode64,logbufs=8,noquota"


@pytest.fixture
def stated():
    """Facts that are shared, that differ and are short, and that are long."""
    rows = [("write", 64, 4, 1.0)]
    told = {"tool_version": "3.489", "configuration": "-a", "started": "2026-11-21"}
    runs = {
        "ext4": [made("e1", rows, **told)],
        "xfs": [made("x1", rows, **told), made("x2", rows, **told, complete=False)],
        "zfs": [made("z1", rows)],
    }
    own = {
        "ext4": {"file_system": FITS, "mount_options": "rw"},
        "xfs": {"mount_options": LONG, "note_of_it": LONG + "!"},
    }
    dates = {"started": "2026-11-21", "ended": "2026-11-22"}
    return of_systems(runs, {"client_ram": "8 GiB"}, own, **dates)


def test_systems_are_listed_with_the_short_facts_in_which_they_differ(stated):
    shown = describe_systems(stated, ["xfs", "ext4"])
    assert list(shown) == ["system", "file system"]
    assert shown.to_numpy().tolist() == [["xfs", "not stated"], ["ext4", FITS]]
    assert list(describe_systems(stated)["system"]) == ["ext4", "xfs", "zfs"]


def test_long_facts_in_which_systems_differ_are_folded(stated):
    assert describe_details(stated, ["xfs", "ext4"]).split("\n\n") == [
        f"<details><summary>{title}</summary><ul><li>xfs: {text}</li>"
        f"<li>ext4: {other}</li></ul></details>"
        for title, text, other in (
            ("Mount options", LONG, "rw"),
            ("Note of it", LONG + "!", "not stated"),
        )
    ]
    assert describe_details(stated, ["zfs", "ext4"]) == ""


def test_runs_are_counted_by_system_and_configuration(stated):
    shown = describe_runs(stated)
    head = ["tool", "system", "tool version", "configuration"]
    assert list(shown) == [*head, "runs", "complete", "first", "last"]
    days = ["2026-11-21", "2026-11-21"]
    assert shown.astype(object).to_numpy().tolist() == [
        ["iozone", "ext4", "3.489", "-a", 1, 1, *days],
        ["iozone", "xfs", "3.489", "-a", 2, 1, *days],
        ["iozone", "zfs", "", "", 1, 1, "", ""],
    ]
