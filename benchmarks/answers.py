"""What every command answers, kept in a file, so that two versions can be compared.

A renovation must not change an answer. Take a dump before, one after, and compare:

python benchmarks/answers.py take before.jsonl.gz
python benchmarks/answers.py diff before.jsonl.gz after.jsonl.gz

Sources are the two sample campaigns, the published ones, and, where ../shared is there,
every sample and every file of the corpus. Each command runs in a process of its own
that imports the package in the current folder. ``diff`` exits with 1 if any differs.
"""

import contextlib
import gzip
import io
import json
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
LARGEST = 3_000_000
KINDS = ("versus", "buckets", "lines")
PARTS = ("status", "out", "err", "made")
GROUPS = ("bucket", "operation", "tool", "file_size", "record_size")


def commands() -> Iterator[list[str]]:
    """List the command lines; JSON wherever there is a choice."""
    yield ["formats"]
    for folder in sorted((ROOT / "data/raw").iterdir()):
        yield from of_campaign(str(folder.relative_to(ROOT)))
    for folder in sorted((ROOT / "data/published").iterdir()):
        yield from of_folder(str(folder.relative_to(ROOT)))
    for folder in sorted((ROOT / "data/lessons").iterdir()):
        yield from of_folder(str(folder.relative_to(ROOT)))
    for path in shared_files():
        yield ["read", path, "--format", "json"]
        yield ["check", f"a={path}", "--format", "json"]
    for folder in sorted({str(Path(path).parent) for path in shared_files()}):
        yield from of_folder(folder)


def of_folder(folder: str) -> Iterator[list[str]]:
    """Ask what any folder can be asked."""
    for name in ("summary", "compare", "check"):
        yield [name, folder, "--format", "json"]
    yield ["compare", folder]
    yield ["check", folder]


def of_campaign(folder: str) -> Iterator[list[str]]:
    """Ask all that a campaign with facts can be asked."""
    yield from of_folder(folder)
    json_ = ["--format", "json"]
    for path in sorted((ROOT / folder).rglob("rep1*")):
        yield ["read", str(path.relative_to(ROOT)), *json_]
    for group in GROUPS:
        yield ["compare", folder, "--by", group, *json_]
        if group != "tool":
            yield ["summary", folder, "--by", group, *json_]
    for regime in ("cache", "transition", "storage"):
        for name in ("summary", "compare", "check"):
            yield [name, folder, "--regime", regime, *json_]
    for more in (["--cells"], ["--sizes", "all"], ["--buckets", "regimes"]):
        yield ["compare", folder, *more, *json_]
    for form in ("text", "csv", "markdown"):
        yield ["summary", folder, "--format", form]
        yield ["compare", folder, "--format", form]
        yield ["check", folder, "--format", form]
    for operation in ("write", "random_read"):
        yield ["plot", folder, "--operation", operation, "-o", "OUT/figure.json"]
    for kind in KINDS:
        yield ["plot", folder, "--kind", kind, "-o", "OUT/figure.json"]


def shared_files() -> list[str]:
    """Paths of all published and own outputs, relative to the project."""
    found = []
    for name in ("samples", "corpus"):
        for path in sorted((SHARED / name).rglob("*")):
            small = path.is_file() and path.stat().st_size < LARGEST
            if small and not set("=,") & set(str(path)):
                found.append(os.path.relpath(path, ROOT))
    return found


def answer(command: list[str]) -> dict:
    """Run one command in this process and keep all that it said."""
    sys.path.insert(0, str(ROOT))
    os.chdir(ROOT)
    warnings.simplefilter("ignore")
    from fsviz.cli import main

    out, err = io.StringIO(), io.StringIO()
    status: object = 0
    with tempfile.TemporaryDirectory() as folder:
        sys.argv = ["fsviz", *(part.replace("OUT", folder) for part in command)]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                main()
            except SystemExit as end:
                status = end.code
            except Exception as error:  # a traceback is an answer too
                status = f"{type(error).__name__}: {error}"
        made = {path.name: path.read_text() for path in Path(folder).iterdir()}
        said = err.getvalue().replace(folder, "OUT")
    return {
        "command": " ".join(command),
        "status": status,
        "out": out.getvalue(),
        "err": said,
        "made": made,
    }


def take(path: str) -> None:
    """Answer every command, two at a time, and write the answers."""
    asked = list(commands())
    with gzip.open(path, "wt") as file, get_context("spawn").Pool(2) as pool:
        for number, row in enumerate(pool.imap(answer, asked, chunksize=8)):
            file.write(json.dumps(row) + "\n")
            if number % 100 == 0:
                print(f"{number} of {len(asked)}", file=sys.stderr)
    print(f"{len(asked)} answers in {path}")


def load(path: str) -> dict[str, dict]:
    """Read a dump: command line to answer."""
    with gzip.open(path, "rt") as file:
        return {row["command"]: row for row in map(json.loads, file)}


def diff(before: str, after: str) -> int:
    """Name each command whose answer differs, and its first differing line."""
    old, new = load(before), load(after)
    differing = 0
    for command in [*old, *(name for name in new if name not in old)]:
        one, two = old.get(command), new.get(command)
        if one is None or two is None:
            differing += 1
            print(f"only in {after if one is None else before}: {command}")
            continue
        one, two = without_new_names(one, two)
        parts = [
            key for key in ("status", "out", "err", "made") if one[key] != two[key]
        ]
        differing += bool(parts)
        for part in parts:
            print(f"{command}: {part}")
            for line in first_difference(str(one[part]), str(two[part])):
                print(f"    {line}")
    print(f"{differing} of {len(old)} answers differ")
    return 1 if differing else 0


def without_new_names(one: dict, two: dict) -> tuple[dict, dict]:
    """Leave names out of records that only one version writes: more may be added.

    Numbers count as equal to nine digits and 15 decimals, which is what JSON once had.
    """
    try:
        tables = [json.loads(answer["out"]) for answer in (one, two)]
        names = [set(table[0]) for table in tables]
    except (ValueError, LookupError, TypeError):
        return one, two
    shared = names[0] & names[1]
    left = [[plain(record, shared) for record in table] for table in tables]
    return tuple(
        answer | {"out": json.dumps(table, indent=1)}
        for answer, table in zip((one, two), left, strict=True)
    )


def plain(record: dict, names: set[str]) -> dict:
    """Keep some names of a record, and nine digits of its numbers."""
    kept = {name: value for name, value in record.items() if name in names}
    return {
        n: float(f"{round(v, 15):.9g}") if isinstance(v, float) else v
        for n, v in kept.items()
    }


def first_difference(one: str, two: str) -> list[str]:
    """Show where two texts part, with a little around it."""
    place = next(
        (i for i, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(two)),
    )
    start = max(0, place - 60)
    return [f"- {one[start : place + 80]!r}", f"+ {two[start : place + 80]!r}"]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["take", path]:
            take(path)
        case ["diff", before, after]:
            sys.exit(diff(before, after))
        case _:
            sys.exit(__doc__)
