"""What notebooks compare: campaigns, so that verdicts are judged.

A table states no facts, so what is compared without its campaign has no scope, no
rounds and no findings.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").rglob("*.ipynb"))
JUDGED = ("compare", "conclude")
"""Functions that ask the rules, if they are given a campaign."""
KEEPING = ("select", "measurable", "in_regime")
"""Functions that return a campaign for a campaign."""


def tree_of(path: Path) -> ast.Module:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    return ast.parse("\n".join(code))


def name_of(call: ast.expr) -> str:
    done = call.func if isinstance(call, ast.Call) else None
    return done.attr if isinstance(done, ast.Attribute) else ""


def is_campaign(made: ast.expr, known: set[str]) -> bool:
    if isinstance(made, ast.Call) and name_of(made) in KEEPING:
        return is_campaign(made.args[0], known)
    if isinstance(made, ast.Attribute):
        return made.attr == "campaign"
    if isinstance(made, ast.Name):
        return made.id in known
    return name_of(made) in ("load", "campaign")


def bare_comparisons(tree: ast.Module) -> list[str]:
    """List the comparisons of what is no campaign."""
    known: set[str] = set()
    found = []
    for node in tree.body:
        for call in ast.walk(node):
            if name_of(call) not in JUDGED:
                continue
            told = {k.arg: ast.unparse(k.value) for k in call.keywords}
            if told.get("check") != "False" and not is_campaign(call.args[0], known):
                found.append(ast.unparse(call))
        if isinstance(node, ast.Assign):
            target = node.targets[0]
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            change = known.add if is_campaign(node.value, known) else known.discard
            change(ast.unparse(names[0]))
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebooks_compare_campaigns_and_no_bare_tables(path):
    assert bare_comparisons(tree_of(path)) == []


@pytest.mark.parametrize(
    "code,bare",
    [
        ("c = fsviz.load(s)\ncompare(c)", False),
        ("c = fsviz.load(s)\nsome = fsviz.select(c, tools=['x'])\ncompare(some)",
         False),
        ("c = fsviz.load(s)\npart, line = fsviz.measurable(c)\ncompare(part)",
         False),
        ("compare(trial.campaign)", False),
        ("c = fsviz.load(s)\nt = c.measurements\ncompare(t)", True),
        ("c = fsviz.load(s)\nt = fsviz.select(c.measurements)\ncompare(t)", True),
        ("c = fsviz.load(s)\nt = c.measurements\ncompare(t)", False),
        ("c = fsviz.load(s)\nc = c[c['x']]\nfsviz.report.conclude(c)", True),
    ],
)  # fmt: skip
def test_a_bare_table_is_noticed(code, bare):
    assert bool(bare_comparisons(ast.parse(code))) is bare


@pytest.mark.parametrize("room", ["lessons/exercises", "cases/claims"])
def test_exercises_use_the_judged_comparison(room):
    paths = sorted((ROOT / "notebooks" / room).glob("*.py"))
    assert paths
    texts = {path.name: path.read_text(encoding="utf-8") for path in paths}
    assert [n for n, t in texts.items() if "fsviz.analysis.comparison" in t] == []
