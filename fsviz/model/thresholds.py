"""Where the rules of ``fsviz check`` draw their lines: one table, each with its source.

``campaign.toml`` may move a line for its campaign::

    [thresholds]
    memory_speed = 60e9
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fsviz.model.errors import UsageError
from fsviz.model.names import unknown
from fsviz.model.units import MIB

OURS = "ours, tuned on the sample campaigns"
RANGES = {
    "1": (1e-6, 1e6),
    "B": (1.0, 1e18),
    "B/s": (1.0, 1e15),
    "s": (1e-9, 1e6),
    "%": (1e-6, 1e6),
}
"""Smallest and largest value of a unit: rules divide by it, and take logarithms."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """A line that a rule draws, ``within`` bounds that are by default its unit's."""

    default: float
    unit: str
    title: str
    source: str
    within: tuple[float, float] | None = None

    def refusal(self, value: float) -> str:
        """Return what was expected instead of a value; empty if it can be used."""
        least, most = self.within or RANGES[self.unit]
        fits = least <= value <= most
        return "" if fits else f"a number from {least:g} to {most:g}"


THRESHOLDS: Mapping[str, Threshold] = {
    "storage_multiple": Threshold(
        3.0, "1", "file size ÷ RAM from which the storage answers", "IOzone Run_rules"
    ),
    "crossed_cache": Threshold(
        0.1, "1", "share that crossed, up to which a cache answered all", OURS
    ),
    "crossed_storage": Threshold(
        0.9, "1", "share that crossed, from which no cache answered", OURS
    ),
    "others_share": Threshold(
        0.5, "1", "processor that other processes used in a run, in all", OURS
    ),
    "cliff_ratio": Threshold(
        2.0, "1", "fall of throughput in one doubling of file size", OURS
    ),
    "assumed_mtu": Threshold(
        1500.0,
        "B",
        "MTU where the campaign states none",
        "IEEE 802.3",
        within=(576, 65535),
    ),
    "unstated_link": Threshold(
        1.25e9, "B/s", "link assumed where none is stated, warning", "10GbE"
    ),
    "memory_speed": Threshold(
        20e9, "B/s", "what one thread can copy in memory", "STREAM results, one core"
    ),
    "cpu_cache": Threshold(
        32.0 * MIB, "B", "largest file that a CPU cache may hold", "common L3 caches"
    ),
    "write_back_ratio": Threshold(2.0, "1", "write ÷ read at the largest file", OURS),
    "random_ratio": Threshold(
        0.9, "1", "random read ÷ read that seeks cannot reach", "IO500 issue 109"
    ),
    "random_share": Threshold(0.25, "1", "share of such cells", OURS),
    "too_short_error": Threshold(0.001, "s", "time of a cell, error", "pyperf check"),
    "too_short_warning": Threshold(0.005, "s", "time of a cell, warning", "hyperfine"),
    "too_short_info": Threshold(0.5, "s", "time of a cell, info", "bonnie++ MinTime"),
    "clock_share": Threshold(0.01, "1", "clock resolution ÷ time of a cell", OURS),
    "clock_steps": Threshold(
        100.0, "1", "steps of the clock in a cell that counts as measurable", OURS
    ),
    "cold_record_share": Threshold(
        0.125, "1", "largest record ÷ file where a cold read is measurable", OURS
    ),
    "clock_ratio": Threshold(
        10.0, "1", "ratio of two clocks' resolutions that makes them other clocks", OURS
    ),
    "runs_warning": Threshold(3.0, "1", "fewer runs: warning", "no test is possible"),
    "runs_info": Threshold(5.0, "1", "fewer runs: info", "benchstat; interval width"),
    "cv_warning": Threshold(
        0.10, "1", "coefficient of variation, warning", "Cao et al. FAST'17; pyperf"
    ),
    "cv_info": Threshold(
        0.05, "1", "coefficient of variation, info", "Cao et al. FAST'17"
    ),
    "outlier_deviations": Threshold(
        10.0, "1", "robust standard deviations from the median", "hyperfine"
    ),
    "outlier_ratio": Threshold(
        1.1, "1", "smallest ratio to the median that is called an outlier", OURS
    ),
    "drift_runs": Threshold(5.0, "1", "runs in which a drift can be seen", OURS),
    "drift_change": Threshold(0.05, "1", "change over a drift", OURS),
    "bonnie_multiple": Threshold(
        2.0, "1", "bonnie++ size ÷ RAM", "bonnie++ manual: twice the RAM"
    ),
    "cpu_percent": Threshold(90.0, "%", "CPU use that is the limit", OURS),
    "straggler_ratio": Threshold(0.5, "1", "slowest child ÷ fastest", OURS),
}
"""Every threshold by its name."""


def limits(*overrides: Mapping[str, float] | None) -> dict[str, float]:
    """Take the defaults and then each mapping over what stood before.

    >>> limits({"cpu_percent": 95.0})["cpu_percent"], limits()["cpu_percent"]
    (95.0, 90.0)
    """
    chosen = {name: threshold.default for name, threshold in THRESHOLDS.items()}
    for mapping in overrides:
        for name, value in (mapping or {}).items():
            if name not in chosen:
                raise unknown("threshold", name, chosen)
            if expected := THRESHOLDS[name].refusal(value):
                raise UsageError(
                    f"threshold {name}: expected {expected}, found {value}"
                )
            chosen[name] = float(value)
    return chosen
