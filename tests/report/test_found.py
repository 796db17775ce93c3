"""Findings in Markdown: grouped, escaped, of one tool if that is wanted."""

import pandas as pd

import fsviz

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


def test_a_report_on_one_tool_leaves_out_the_others():
    every = findings(SHORT, BOUND, FEW)
    for tool, names in (("iozone", {"too-short"}), ("rsync", {"cpu-bound"})):
        text = fsviz.report.describe_findings(every, tool)
        shown = {row[0] for row in (SHORT, BOUND, FEW) if f"**{row[0]}**" in text}
        assert shown == names | {"undisclosed"}


def test_the_first_of_each_rule_can_be_linked_to():
    text = fsviz.report.describe_findings(findings(SHORT, SHORT))
    assert text.count('<a id="finding-too-short"></a>') == 1


def test_nothing_found_is_said():
    assert (
        fsviz.report.describe_findings(findings())
        == "`fsviz check` found nothing wrong."
    )
