"""What a benchmark ends with: its figures beside their goals, and its exit status."""

from __future__ import annotations

from typing import NamedTuple


class Figure(NamedTuple):
    """A figure that was measured, and the least or the most that it may be."""

    title: str
    value: float
    most: float = float("inf")
    least: float = float("-inf")


def judge(*figures: Figure) -> int:
    """Print figures beside their goals; 1 if one is missed."""
    missed = 0
    for title, value, most, least in figures:
        bad = not least <= value <= most
        missed |= bad
        word, goal = ("at most", most) if most < float("inf") else ("at least", least)
        print(f"{title:46} {value:9.2f}  {word} {goal:g}{'  MISSED' * bad}", flush=True)
    return int(missed)
