"""Which rules there are, and in which order."""

from fsviz.checks.rules import RULES

NAMES = """
cache-regime answered-by no-storage-cells cache-cliff over-line-rate
exceeds-memory-speed whole-file-record write-back unflushed-network-write
test-file-elsewhere random-beats-sequential too-short
clock-quantised
invalid-mode settings-differ confounded durability-differs too-few-runs
unstable-cell outlier-run not-interleaved unmatched-cells
incomplete-run small-for-memory cpu-bound direct-in-part compressible-data parallel-runs
busy-machine stragglers undisclosed
"""


def test_all_rules_are_there():
    assert [rule.name for rule in RULES] == NAMES.split()
