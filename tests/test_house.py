"""The rules of the house, held against the files that are committed."""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
from each import each
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from program import python

import fsviz

ROOT = Path(__file__).resolve().parent.parent
CAMPAIGNS = ("loopback-2026", "onehost-2026")
SOURCES = sorted((ROOT / "fsviz").rglob("*.py"))
HEAVY = {
    "plotly": "figures/*",
    "papermill": "report/*",
    "nbconvert": "report/*",
    "xlrd": "readers/sheets.py",
    "openpyxl": "readers/sheets.py text/workbook.py",
}
"""Libraries, each with the only places that may import it."""

CONDA_NAMES = {
    "duckdb": "python-duckdb",
    "kaleido": "python-kaleido",
    "playwright": "playwright-python",
    "universal-pathlib": "universal_pathlib",
}
LONGEST_MODULE = 700
LONGEST_FUNCTION = 60
LARGEST_FILE = 2 * 1024**2

# written in pieces, so that this file does not hold what it looks for
FORBIDDEN = [
    re.compile(pattern)
    for pattern in (
        r"pypi\." + "org",
        "python" + r"hosted\.org",
        r"anaconda\." + r"(org|com)",
        r"registry\.npmjs" + r"\.org",
        r"registry\.yarnpkg" + r"\.com",
        r"proxy\.golang" + r"\.org",
        r"(static|index)\.crates" + r"\.io",
        r"(?<![\w.])/(home|Users)" + r"/[a-z]",
        r"(?<![\w.])/(root|work)" + r"/\w",
    )
]


def committed(*patterns: str) -> list[Path]:
    """List the files that git tracks; those not committed yet are nobody's business."""
    done = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "--", *patterns],
        capture_output=True,
        check=False,
        text=True,
    )
    if done.returncode:
        pytest.skip("not a git checkout")
    paths = [ROOT / name for name in done.stdout.split("\0") if name]
    return [path for path in paths if path.is_file()]


def names_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def toml(path: str) -> dict:
    return tomllib.loads((ROOT / path).read_text(encoding="utf-8"))


def public_functions() -> list:
    """List the functions that fsviz and fsviz.report offer."""
    rooms = (fsviz, fsviz.report)
    names = [getattr(room, name) for room in rooms for name in room.__all__]
    return [one for one in names if inspect.isfunction(one)]


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_each_file_of_a_campaign_is_found_and_claimed_once(name: str) -> None:
    folder = ROOT / "data/raw" / name
    claimed: dict[Path, str] = {}
    for system in toml(f"data/raw/{name}/campaign.toml")["system"]:
        for glob in system["files"]:
            found = [path for path in folder.glob(glob) if path.is_file()]
            assert found, f"{system['name']}: {glob} matches nothing"
            for path in found:
                assert path not in claimed, f"{path}: {system['name']}, {claimed[path]}"
                claimed[path] = system["name"]
                assert path.parent.name == system["name"]


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_the_facts_of_a_campaign_are_those_that_were_recorded(name: str) -> None:
    described = toml(f"data/raw/{name}/campaign.toml")
    text = (ROOT / "data/raw" / name / "campaign.json").read_text(encoding="utf-8")
    recorded = json.loads(text)
    mounts = recorded.get("proc_mounts") or {
        target: facts["proc_mounts"][0] for target, facts in recorded["targets"].items()
    }
    options = {s["name"]: s["mount_options"] for s in described["system"]}
    assert options == {system: line.split()[3] for system, line in mounts.items()}
    assert described["question"] == recorded["question"]


def test_every_repeat_of_every_system_is_claimed() -> None:
    folder = ROOT / "data/raw/loopback-2026"
    recorded = json.loads((folder / "campaign.json").read_text(encoding="utf-8"))
    main = {
        (run["tool"], run["target"], str(run["rep"]))
        for run in recorded["runs"]
        if run["tool"] != "rsync-noop" and str(run["rep"]).isdecimal()
    }
    claimed = {
        (*path.relative_to(folder).parts[:2], path.name.split(".")[0][3:])
        for system in toml("data/raw/loopback-2026/campaign.toml")["system"]
        for glob in system["files"]
        for path in folder.glob(glob)
    }
    assert claimed == main


def test_raw_data_is_byte_for_byte_what_the_tools_wrote() -> None:
    originals = ROOT.parent / "shared/campaign"
    if not originals.is_dir():
        pytest.skip("the originals are not beside this checkout")
    for path in sorted(p for p in originals.rglob("*") if p.is_file()):
        copy = ROOT / "data/raw" / path.relative_to(originals)
        assert copy.read_bytes() == path.read_bytes(), copy


def imports(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


@each(SOURCES, names_of)
def test_heavy_libraries_are_imported_in_one_place_only(path: Path) -> None:
    found = imports(ast.parse(path.read_text(encoding="utf-8")))
    inside = path.relative_to(ROOT / "fsviz").as_posix()
    for name in found & set(HEAVY):
        assert any(fnmatch(inside, place) for place in HEAVY[name].split()), name


@each(SOURCES, names_of)
def test_modules_and_functions_are_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= LONGEST_MODULE
    long = {
        node.name: body_lines(node)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and body_lines(node) > LONGEST_FUNCTION
    }
    assert not long


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function without its docstring."""
    lines = function.end_lineno - function.lineno + 1
    if ast.get_docstring(function) is not None:
        lines -= function.body[0].end_lineno - function.body[0].lineno + 1
    return lines


def test_importing_fsviz_loads_nothing_heavy() -> None:
    heavy = {*HEAVY, "pandas", "numpy", "scipy", "pyarrow", "pydantic", "typer"}
    code = "import sys, fsviz; print(*{m.partition('.')[0] for m in sys.modules})"
    loaded = python("-c", code).stdout.split()
    assert "fsviz" in loaded
    assert not heavy & set(loaded)


@each(public_functions(), lambda function: function.__name__)
def test_help_on_a_public_function_says_what_goes_in_and_out(function) -> None:
    text = inspect.getdoc(function)
    section = text.partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    described = {
        name
        for line in section.splitlines()
        if not line.startswith(" ")
        for name in line.partition(" : ")[0].split(", ")
    }
    signature = inspect.signature(function)
    assert {name.lstrip("*") for name in described} == set(signature.parameters)
    assert ("Returns\n---" in text) == (signature.return_annotation != "None")


def test_notebooks_hold_no_results_and_no_logic() -> None:
    for path in committed("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        for number, cell in enumerate(c for c in cells if c["cell_type"] == "code"):
            place = f"{names_of(path)}, code cell {number + 1}"
            assert cell["outputs"] == [], place
            assert cell["execution_count"] is None, place
            # ast.parse refuses magics and shell lines too
            tree = ast.parse("".join(cell["source"]), place)
            defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
            assert not [n for n in ast.walk(tree) if isinstance(n, defined)], place
            assert not imports(tree) & {"re", "csv", "io", *HEAVY}, place


def requirements(*left_out: str) -> dict[str, Requirement]:
    """Collect everything that pyproject.toml asks for, but for some extras."""
    project = toml("pyproject.toml")["project"]
    texts = [*project["dependencies"]]
    for name, extra in project["optional-dependencies"].items():
        texts += extra if name not in left_out else []
    found = map(Requirement, texts)
    return {canonicalize_name(r.name): r for r in found if r.name != project["name"]}


def test_the_lock_holds_every_requirement_with_hashes() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    entries = lock.replace("\\\n", " ").splitlines()
    pinned: dict[str, set[str]] = {}
    for entry in entries:
        assert "--hash=sha256:" in entry, entry
        match = re.match(r"([\w.-]+)==([\w.!+]+)", entry)
        assert match, entry
        pinned.setdefault(canonicalize_name(match[1]), set()).add(match[2])
    for name, requirement in requirements().items():
        assert name in pinned, f"{name} is not in the lock: run make lock"
        assert all(requirement.specifier.contains(v) for v in pinned[name]), name


def test_the_build_needs_nothing_that_the_lock_lacks() -> None:
    needed = {
        Requirement(r).name for r in toml("pyproject.toml")["build-system"]["requires"]
    }
    assert needed <= set(requirements())


def test_conda_gets_what_learners_need() -> None:
    text = (ROOT / "environment.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r"^ +- ([\w-]+(?:[<>=].*)?)$", text, re.MULTILINE))
    listed -= {"conda-forge", "pip", "hatchling>=1.27"}  # hatchling builds fsviz
    others = requirements("bundle", "cluster", "dev", "docs", "remote", "teach")
    wanted = {
        f"{CONDA_NAMES.get(name, name)}{requirement.specifier}"
        for name, requirement in others.items()
    }
    python = toml("pyproject.toml")["project"]["requires-python"]
    assert listed == {*wanted, f"python{python}"}


def test_the_citation_names_the_version() -> None:
    import fsviz

    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", text, re.MULTILINE) == [fsviz.__version__]


def test_each_promise_names_tests_that_are_there() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?!promise|-)(.+) \| (.+) \|$", text, re.MULTILINE)
    assert len(rows) > 20
    for promise, tests in rows:
        assert re.fullmatch(r"(?:`[^`]+::test_\w+`(?:, )?)+", tests), promise
    named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", text)
    for path, name in named:
        source = (ROOT / path).read_text(encoding="utf-8")
        assert re.search(rf"^def {name}\b", source, re.MULTILINE), f"{path}::{name}"


def test_no_committed_file_is_large() -> None:
    sizes = {names_of(path): path.stat().st_size for path in committed()}
    assert not {name for name, size in sizes.items() if size > LARGEST_FILE}


@pytest.mark.slow
def test_no_committed_file_names_a_registry_or_somebodys_folder() -> None:
    found = [
        f"{names_of(path)}:{number}: {match[0]}"
        for path in committed()
        if path.name != "commands.csv"  # what an article prints is quoted as it stands
        for number, line in enumerate(path.read_bytes().split(b"\n"), 1)
        for pattern in FORBIDDEN
        if (match := pattern.search(line.decode("utf-8", "replace")))
    ]
    assert not found


def test_the_architecture_names_what_is_there() -> None:
    text = (ROOT / "docs/ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:\w+/)+\w+)(?:\.(\w+))?(?:\.\w+)?`", text)
    assert len(named) > 20
    for module, name in named:
        path = ROOT / "fsviz" / module
        if not path.with_suffix(".py").is_file():
            assert path.is_dir() or (ROOT / module).exists(), module
        elif name and name != "py":
            source = path.with_suffix(".py").read_text(encoding="utf-8")
            assert re.search(rf"^(?:def|class) {name}\b", source, re.MULTILINE), name
