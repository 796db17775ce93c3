"""The rules of ``fsviz check``: functions from a case to findings, by subject."""

from fsviz.checks.registry import registered

# importing a module registers its rules
from fsviz.checks.rules import (
    caches,  # noqa: F401
    clock,  # noqa: F401
    crossed,  # noqa: F401
    design,  # noqa: F401
    disclosure,  # noqa: F401
    matching,  # noqa: F401
    memory,  # noqa: F401
    network,  # noqa: F401
    order,  # noqa: F401
    outcomes,  # noqa: F401
    repeats,  # noqa: F401
    writes,  # noqa: F401
)

RULES = registered(
    (
        "cache-regime",
        "answered-by",
        "no-storage-cells",
        "cache-cliff",
        "over-line-rate",
        "exceeds-memory-speed",
        "whole-file-record",
        "write-back",
        "unflushed-network-write",
        "test-file-elsewhere",
        "random-beats-sequential",
        "too-short",
        "clock-quantised",
        "invalid-mode",
        "settings-differ",
        "confounded",
        "durability-differs",
        "too-few-runs",
        "unstable-cell",
        "outlier-run",
        "not-interleaved",
        "unmatched-cells",
        "incomplete-run",
        "small-for-memory",
        "cpu-bound",
        "direct-in-part",
        "compressible-data",
        "parallel-runs",
        "busy-machine",
        "stragglers",
        "undisclosed",
    )
)
"""Every rule, in the order in which the documentation lists them."""
