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
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from math import inf
from pathlib import Path
from typing import NoReturn

import pytest
from coverage import Coverage, CoverageData

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
KEPT = ROOT / ".mutants"
CHOSEN, TIMES = "FSVIZ_MUTANT_TESTS", "FSVIZ_MUTANT_TIMES"
_SECONDS = itertools.count(1)
PYTEST = ["-q", "-p", "mutate", "-p", "no:cacheprovider"]
LIBRARIES = "numpy pandas scipy.stats pyarrow.parquet pydantic typer rich"
"""Imported once, before there is a child."""
BUDGET = 25
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
    words = [*PYTEST, "-n", str(jobs), "--dist", "loadfile"]
    words += ["--ignore=tests/test_house.py"]
    coverage = [sys.executable, "-m", "coverage"]
    paths = os.pathsep.join([str(where), str(where / "tests")])
    told = os.environ | {"PYTHONPATH": paths, TIMES: str(times)}
    started = [*coverage, "run", f"--rcfile={settings}", "-m", "pytest", *words]
    subprocess.run(started, cwd=where, env=told, check=False)
    combined = [*coverage, "combine", "--quiet", f"--rcfile={settings}"]
    subprocess.run(combined, cwd=where, check=True)
    seconds: dict[str, float] = {}
    for file in times.iterdir():
        seconds |= json.loads(file.read_text(encoding="utf-8"))
    lines = {}
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


@dataclass
class Trial:
    """One mutant in a copy, and the child that runs its tests."""

    mutant: Mutant
    where: Path
    tests: list[str]
    seconds: dict[str, float]

    def start(self) -> None:
        """Change the copy, and run pytest in a child that has the libraries already."""
        self._write(self.mutant.text.encode())
        others = self.seconds.keys() - set(self.tests)
        told = {"tests": self.tests, "others": sorted(others)}
        self._beside("asked").write_text(json.dumps(told), encoding="utf-8")
        self.ends = time.monotonic() + 60 + 5 * sum(map(self.seconds.get, self.tests))
        sys.stdout.flush()
        self.child = os.fork() or self._run()

    def _run(self) -> NoReturn:
        os.setsid()
        os.chdir(self.where)
        with self._beside("said").open("wb") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        paths = [str(self.where), str(self.where / "tests")]
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)
        os.environ[CHOSEN] = str(self._beside("asked"))
        sys.path[:] = [*paths, *(path for path in sys.path if path != str(HERE))]
        room = Path(f"tests/{Path(self.mutant.path).parts[1]}")
        files = {test.partition("::")[0] for test in self.tests}
        files |= {str(path) for path in room.glob("test_*.py")}
        status = pytest.ExitCode.INTERNAL_ERROR
        try:
            status = pytest.main([*PYTEST, "-x", *sorted(files)])
        except BaseException:
            traceback.print_exc(file=sys.stdout)
        finally:
            sys.stdout.flush()
            os._exit(status)

    def ended(self) -> tuple[str, str] | None:
        """Say how it ended and by which test; None while it runs."""
        child, status = os.waitpid(self.child, os.WNOHANG)
        if late := not child and time.monotonic() > self.ends:
            os.killpg(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)
        elif not child:
            return None
        self._write(self._before[self.mutant.start : self.mutant.end])
        if late:
            return "timed out", ""
        if os.waitstatus_to_exitcode(status) in (0, 5):
            return "survived", f"{len(self.tests)} tests"
        said = self._beside("said").read_text(encoding="utf-8", errors="replace")
        found = re.search(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
        return "killed", found[1] if found else said[-300:]

    @property
    def _before(self) -> bytes:
        return (ROOT / self.mutant.path).read_bytes()

    def _beside(self, name: str) -> Path:
        return self.where.parent / name

    def _write(self, text: bytes) -> None:
        changed, before = self.where / self.mutant.path, self._before
        changed.write_bytes(
            before[: self.mutant.start] + text + before[self.mutant.end :]
        )
        # bytecode is taken for current by its size and second
        os.utime(changed, (time.time(), next(_SECONDS)))


def _trials(some: list[Mutant], jobs: int) -> Iterator[tuple[Mutant, str, str]]:
    """Run each mutant, so many at once, and yield how it ended."""
    reached = _reached(jobs)
    for name in LIBRARIES.split():
        import_module(name)
    left, running = some[::-1], []
    with tempfile.TemporaryDirectory() as folder:
        free = [_copy(Path(folder).resolve() / str(n) / "fsviz") for n in range(jobs)]
        while left or running:
            while left and free:
                mutant = left.pop()
                tests = _chosen(mutant, reached)
                running.append(Trial(mutant, free.pop(), tests, reached["seconds"]))
                running[-1].start()
            time.sleep(0.05)
            for trial in running[:]:
                if ended := trial.ended():
                    running.remove(trial)
                    free.append(trial.where)
                    yield trial.mutant, *ended


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
    ends: Counter[str] = Counter()
    for mutant, end, by in _trials(some, chosen.jobs):
        ends[end] += 1
        print(f"{end:9} {mutant}  [{by}]", flush=True)
    told = ", ".join(f"{n} {end}" for end, n in sorted(ends.items()))
    print(f"{chosen.room}, seed {chosen.seed}: {len(some)} of {len(every)}: {told}")


if __name__ == "__main__":
    main()
