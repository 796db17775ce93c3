"""The README's table of rules is the code's."""

import subprocess
import sys

import pytest

from fsviz.checks.rules import RULES
from fsviz.text.findings import BEGIN, END, rules_table
from tests.checks.outputs import ROOT

NAMES = """
cache-regime no-storage-cells cache-cliff over-line-rate exceeds-memory-speed
whole-file-record write-back unflushed-network-write test-file-elsewhere
random-beats-sequential warm-first-read too-short clock-quantised rounded-away
invalid-mode settings-differ confounded emulated durability-differs too-few-runs
unstable-cell outlier-run not-interleaved many-tests means-disagree unmatched-cells
incomplete-run small-for-memory cpu-bound direct-in-part compressible-data parallel-runs
neighbours-differ stragglers undisclosed
"""


def test_the_readme_holds_the_table_of_the_code():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    if BEGIN not in text:
        pytest.skip("the README has no table of rules yet")
    section = text.partition(BEGIN)[2].partition(END)[0]
    assert section.strip() == rules_table().strip()


def test_the_table_is_printed_for_whoever_writes_the_readme():
    command = [sys.executable, "-m", "fsviz.text.findings"]
    done = subprocess.run(command, capture_output=True, check=True, text=True, cwd=ROOT)
    assert done.stdout == rules_table()
    assert done.stdout.count("\n") == len(RULES) + 2


def test_all_rules_are_there():
    assert [rule.name for rule in RULES] == NAMES.split()
