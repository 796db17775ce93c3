"""Change the code in small ways and see whether a test notices: ``make mutate``.

mutmut gives the functions other names, cosmic-ray deletes no statement and drops no
keyword, and neither samples. Here ``--count`` mutants, drawn with ``--seed``, meet the
tests that reach their line. Which test reaches which line is measured once for each
state of ``fsviz/`` and kept in ``.mutants``. Tests that are newer than that, and belong
to the room, always run. This module is also the plug-in of pytest that measures and
selects.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import itertools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import inf
from pathlib import Path
from queue import SimpleQueue

import pytest
from coverage import Coverage, CoverageData

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".mutants"
CHOSEN, TIMES = "FSVIZ_MUTANT_TESTS", "FSVIZ_MUTANT_TIMES"
_SECONDS = itertools.count(1)
PYTEST = ["-m", "pytest", "-q", "-p", "mutate", "-p", "no:cacheprovider"]
BUDGET = 40
"""Seconds of tests for a mutant, by their times without one."""
_PAIRS = "Lt LtE, Gt GtE, Eq NotEq, In NotIn, Is IsNot, And Or, Add Sub, Mult Div"
_TYPES = [[getattr(ast, name) for name in pair.split()] for pair in _PAIRS.split(",")]
SWAPPED = {one: other for a, b in _TYPES for one, other in ((a, b), (b, a))}


@dataclass(frozen=True, order=True)
class Mutant:
    """One change: the bytes from ``start`` to ``end`` of a file become ``text``."""

    path: str
    line: int
    start: int
    end: int
    kind: str
    text: str

    def __str__(self) -> str:
        before = (ROOT / self.path).read_bytes()[self.start : self.end].decode()
        shown = [" ".join(text.split())[:70] for text in (before, self.text)]
        return f"{self.path}:{self.line}  {self.kind}: {shown[0]} => {shown[1]}"


# What may be changed


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield every change of a file."""
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    tree = ast.parse(source)
    truths = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and _says_bool(function)
        for node in ast.walk(function)
        if isinstance(node, ast.Return)
    }
    for node in _reachable(tree):
        for kind, changed in _changes(node, id(node) in truths):
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            text = ast.unparse(changed)
            text = f"({text})" if isinstance(changed, ast.expr) else text
            name = path.relative_to(ROOT).as_posix()
            yield Mutant(name, node.lineno, start, end, kind, text)


def _reachable(node: ast.AST) -> Iterator[ast.AST]:
    """Walk what runs: no annotation, docstring, type-checking block or f-string."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr):
                continue
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                continue
            yield child
            yield from _reachable(child)


def _says_bool(function: ast.FunctionDef) -> bool:
    return isinstance(function.returns, ast.Name) and function.returns.id == "bool"


def _changes(node: ast.AST, truth: bool) -> Iterator[tuple[str, ast.AST]]:
    """Yield each mutant of one node, with the name of its kind."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in SWAPPED:
            yield "comparison", _with(node, ops=[SWAPPED[type(operator)]()])
        case ast.BoolOp() | ast.BinOp() if type(node.op) in SWAPPED:
            kind = "and/or" if isinstance(node, ast.BoolOp) else "arithmetic"
            yield kind, _with(node, op=SWAPPED[type(node.op)]())
        case ast.UnaryOp(op=ast.Not()):
            yield "not", node.operand
        case ast.Constant(value=bool()):
            yield "boolean", ast.Constant(not node.value)
        case ast.Constant(value=int() | float()):
            yield "constant", ast.Constant(node.value + 1)
        case ast.Call(keywords=[_, *_]):
            for n, keyword in enumerate(node.keywords):
                rest = node.keywords[:n] + node.keywords[n + 1 :]
                kind = f"dropped {keyword.arg or '**'}"
                yield kind, _with(node, keywords=rest)
        case ast.Return(value=ast.expr()) if truth:
            yield "flipped return", _with(node, value=_not(node.value))
        case ast.If(orelse=[]) | ast.AugAssign() | ast.Raise() | ast.Continue():
            yield "deleted statement", ast.Pass()
        case ast.Expr(value=ast.Call()):
            yield "deleted statement", ast.Pass()
        case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            yield "deleted statement", ast.Pass()
        case ast.IfExp() if isinstance(node.test, ast.Name | ast.Call):
            yield "negated condition", _with(node, test=_not(node.test))


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _not(value: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), value)


# Which tests reach which line, and a run of some: the plug-in


def pytest_configure(config: pytest.Config) -> None:
    """Have pytest use this module, which ``-p mutate`` has imported."""
    config.stash[_SEEN] = defaultdict(float)


_SEEN = pytest.StashKey[dict[str, float]]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> None:
    """Count what is run from now on as this test's, its fixtures too."""
    if (measured := Coverage.current()) is not None:
        measured.switch_context(item.nodeid)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Keep the tests that were chosen, in their order, the unknown ones first."""
    if CHOSEN in os.environ:
        asked = json.loads(Path(os.environ[CHOSEN]).read_text(encoding="utf-8"))
        order = {name: n for n, name in enumerate(asked["tests"])}
        left_out = set(asked["others"])
        items[:] = [item for item in items if item.nodeid not in left_out]
        items.sort(key=lambda item: order.get(item.nodeid, -1))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Add up the seconds of each test; infinite if it does not pass here."""
    report = yield
    seen = item.config.stash[_SEEN]
    seen[item.nodeid] += float("inf") if report.failed else report.duration
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the seconds down."""
    if TIMES in os.environ:
        name = os.environ.get("PYTEST_XDIST_WORKER", "alone")
        path = Path(os.environ[TIMES]) / f"{name}.json"
        path.write_text(json.dumps(session.config.stash[_SEEN]), encoding="utf-8")


# The parent


def _copy(folder: Path) -> Path:
    """Copy what git knows or would add: away from it no file of strangers is read."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def _run(where: Path, words: list[str], limit: float, **more: str) -> tuple[int, str]:
    """Run Python in a copy; the status is -1 where it took too long."""
    paths = f"{where}{os.pathsep}{where / 'tests'}"
    with subprocess.Popen(
        [sys.executable, *words],
        cwd=where,
        env=os.environ | {"PYTHONPATH": paths} | more,
        text=True,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        try:
            said, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return -1, ""
        return process.returncode, said


def _reached(jobs: int) -> dict:
    """Return the tests that reach each line, and their seconds; measured if need be."""
    sources = sorted((ROOT / "fsviz").rglob("*.py"))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources))
    known = KEPT / f"{digest.hexdigest()[:16]}.json"
    if not known.exists():
        print("Measuring which test reaches which line …", flush=True)
        known.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            measured = _measured(_copy(Path(folder).resolve() / "fsviz"), jobs)
        known.write_text(json.dumps(measured), encoding="utf-8")
    return json.loads(known.read_text(encoding="utf-8"))


def _measured(where: Path, jobs: int) -> dict:
    times = where.parent / "times"
    times.mkdir()
    data = where.parent / "coverage"
    settings = where.parent / "rc"
    settings.write_text(
        f"[run]\nsource={where / 'fsviz'}\nparallel=true\npatch=subprocess\n"
        f"data_file={data}\n",
        encoding="utf-8",
    )
    words = ["-m", "coverage", "run", f"--rcfile={settings}", *PYTEST]
    words += ["-n", str(jobs), "--dist", "loadfile", "--ignore=tests/test_house.py"]
    _, said = _run(where, words, 3600, **{TIMES: str(times)})
    print(said.splitlines()[-1])
    seconds: dict[str, float] = {}
    for file in times.iterdir():
        seconds |= json.loads(file.read_text(encoding="utf-8"))
    lines = {}
    _run(where, ["-m", "coverage", "combine", f"--rcfile={settings}"], 3600)
    reached = CoverageData(str(data))
    reached.read()
    for name in reached.measured_files():
        by_line = reached.contexts_by_lineno(name)
        told = {line: sorted(filter(None, tests)) for line, tests in by_line.items()}
        lines[Path(name).relative_to(where).as_posix()] = told
    return {"seconds": seconds, "lines": lines}


def _chosen(mutant: Mutant, reached: dict) -> list[str]:
    """List the tests of a mutant's line, then of its module; the room's own first."""
    seconds, lines = reached["seconds"], reached["lines"].get(mutant.path, {})
    every = {test for tests in lines.values() for test in tests}
    first = set(lines.get(str(mutant.line), ()))
    files = {test.partition("::")[0] for test in first or every}
    same = {test for test in every if test.partition("::")[0] in files}
    room = f"tests/{Path(mutant.path).parts[1]}/"

    def rank(test: str) -> tuple[bool, bool, bool, float]:
        doctest = test.startswith("fsviz/")
        return test not in first, doctest, not test.startswith(room), seconds[test]

    chosen, spent = [], 0.0
    for test in sorted(
        (t for t in first | same if seconds.get(t, inf) < inf), key=rank
    ):
        spent += seconds[test]
        if chosen and spent > BUDGET:
            break
        chosen.append(test)
    return chosen


def _judge(mutant: Mutant, where: Path, reached: dict) -> tuple[str, str]:
    """Run the tests against one mutant in a copy; say how it ended, and by which."""
    tests = _chosen(mutant, reached)
    room = Path("tests", Path(mutant.path).parts[1])
    files = {test.partition("::")[0] for test in tests}
    files |= {p.relative_to(ROOT).as_posix() for p in (ROOT / room).glob("test_*.py")}
    others = [test for test in reached["seconds"] if test not in set(tests)]
    asked = where.parent / "asked.json"
    asked.write_text(json.dumps({"tests": tests, "others": others}), encoding="utf-8")
    changed, before = where / mutant.path, (ROOT / mutant.path).read_bytes()
    text = mutant.text.encode()
    changed.write_bytes(before[: mutant.start] + text + before[mutant.end :])
    # bytecode is taken for current by its size and second
    os.utime(changed, (time.time(), next(_SECONDS)))
    limit = 60 + 5 * sum(reached["seconds"][test] for test in tests)
    try:
        words = [*PYTEST, "-x", *sorted(files)]
        status, said = _run(where, words, limit, **{CHOSEN: str(asked)})
    finally:
        changed.write_bytes(before)
        os.utime(changed, (time.time(), next(_SECONDS)))
    if status in (0, 5):
        return "survived", f"{len(tests)} tests"
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
    return ("timed out" if status == -1 else "killed"), found[1] if found else ""


def main() -> None:
    """Draw mutants of a room, run their tests, print what became of each."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("room", help="below fsviz/, such as analysis or readers/iozone")
    asked.add_argument("--count", type=int, default=60)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--jobs", type=int, default=2)
    asked.add_argument("--only", default="", help="such as best.py:93,cells.py:4")
    chosen = asked.parse_args()
    files = sorted((ROOT / "fsviz" / chosen.room).rglob("*.py"))
    if not files:
        asked.error(f"expected a folder of fsviz/ with modules, found {chosen.room}")
    every = sorted({mutant for path in files for mutant in mutants(path)})
    some = random.Random(chosen.seed).sample(every, min(chosen.count, len(every)))
    only = tuple(filter(None, chosen.only.split(",")))
    some = [m for m in some if not only or f"{m.path}:{m.line}".endswith(only)]
    reached = _reached(chosen.jobs)
    ends: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        free: SimpleQueue[Path] = SimpleQueue()
        for n in range(chosen.jobs):
            free.put(_copy(Path(folder).resolve() / str(n) / "fsviz"))

        def judged(mutant: Mutant) -> tuple[str, str]:
            where = free.get()
            try:
                return _judge(mutant, where, reached)
            finally:
                free.put(where)

        with ThreadPoolExecutor(chosen.jobs) as pool:
            for mutant, (end, by) in zip(some, pool.map(judged, some), strict=True):
                ends[end] += 1
                print(f"{end:9} {mutant}  [{by}]", flush=True)
    told = ", ".join(f"{n} {end}" for end, n in sorted(ends.items()))
    print(f"{chosen.room}, seed {chosen.seed}: {len(some)} of {len(every)}: {told}")


if __name__ == "__main__":
    main()
