"""Write what every command prints, a file each: `diff -r before after` proves a move.

``.venv/bin/python tests/dumps.py FOLDER`` writes the files; with ``--quick`` it prints
their SHA-256 instead. A command that crashes leaves the line of its exception. Nothing
here depends on the day, the machine's folders, or the version of the package.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FORMS = ("text", "csv", "json", "markdown")
COMMANDS = (
    *("init", "facts", "files", "formats", "read", "summary", "compare", "best"),
    *("check", "plot", "report", "ingest", "history"),
)
Command = tuple[str, ...]


def _campaigns() -> list[str]:
    """Name the campaigns, those that take longest first."""
    samples = _folders("tests/data", "*/*")
    return [*_folders("data", "raw/*"), *_folders("data", "[!r]*/*"), *samples]


def _folders(below: str, pattern: str) -> list[str]:
    found = sorted((ROOT / below).glob(pattern))
    return [path.relative_to(ROOT).as_posix() for path in found if path.is_dir()]


def _of_campaign(source: str) -> Iterator[Command]:
    """Ask each question about one campaign, and the first ones in every form."""
    first = (("files",), ("summary",), ("compare",), ("compare", "--intervals"))
    first += (("best",), ("check",))
    for question, *options in first:
        for form in FORMS:
            yield question, source, *options, "--format", form
    yield "compare", source, "--cells", "--format", "csv"
    yield "check", source, "--format", "sarif"
    if not source.startswith("data/"):
        return
    yield from _of_choices(source)
    for name in _systems(source):
        yield "compare", source, "--baseline", name
        yield "compare", source, "--candidate", name, "--intervals"
    for kind in _kinds():
        yield "plot", source, "--kind", kind, "-o", "{out}.json"


def _of_choices(source: str) -> Iterator[Command]:
    """Ask with each option that changes an answer."""
    for by in ("operation", "file_size", "record_size"):
        yield "summary", source, "--by", by
        yield "compare", source, "--by", by, "--format", "csv"
    yield "compare", source, "--by", "tool"
    yield "compare", source, "--overview", "--format", "json"
    yield "compare", source, "--cells"
    yield "compare", source, "--robust"
    yield "compare", source, "--robust", "--cells", "--format", "csv"
    for form in ("text", "json"):
        yield "compare", source, "--winners", "--format", form
    yield "compare", source, "--sizes", "measurable"
    yield "compare", source, "--buckets", "regimes", "--format", "json"
    yield "compare", source, "--buckets", "64k,1m", "--operation", "write,read"
    for regime in ("cache", "transition", "storage"):
        yield "compare", source, "--regime", regime, "--intervals"
    yield "compare", source, "--confidence", "0.9", "--format", "csv"
    yield "compare", source, "--ignore", "too-few-runs,clock-quantised"
    yield "summary", source, "--scaling"
    yield "best", source, "--by", "operation", "--sizes", "all"
    yield "check", source, "--select", "cache-regime,too-few-runs,confounded"


def _of_program() -> Iterator[Command]:
    """Ask what concerns no campaign, and what concerns several."""
    from fsviz.cli.options import rules

    yield ("--help",)
    yield from ((name, "--help") for name in COMMANDS)
    yield from (("formats", "--format", form) for form in FORMS)
    yield from (("check", "--explain", rule) for rule in rules(""))
    for name in (*_formats(), "nonsense"):
        yield "formats", "--explain", name
    yield "init", "--explain"
    one, other = "data/raw/onehost-2026", "data/raw/loopback-2026"
    for form in FORMS:
        yield "check", one, other, "--format", form
    yield "compare", one, other
    yield "compare", f"one={one}/iozone", f"other={one}/bonnie++"
    yield "compare", "a=data/raw/onehost-2026/iozone/xfs", "b=no-such-file"
    yield "compare", "no-such-folder"


def _of_samples() -> Iterator[Command]:
    """Read every sample, and each published table."""
    for below in ("tests/data", "data/published", "data/lessons"):
        for path in sorted((ROOT / below).rglob("*")):
            if path.is_file():
                yield "read", path.relative_to(ROOT).as_posix(), "--format", "csv"
    for path in ("iozone/3.489", "bonnie/2.00a", "fio/3.33", "hyperfine/1.15"):
        sample = min((ROOT / "tests/data" / path).iterdir()).relative_to(ROOT)
        yield from (("read", sample.as_posix(), "--format", form) for form in FORMS)


def _systems(source: str) -> list[str]:
    from samples import loaded

    from fsviz import FsvizError

    try:
        return sorted(loaded(ROOT / source).systems["system"])[:4]
    except FsvizError:
        return []


def _kinds() -> tuple[str, ...]:
    from fsviz.figures.kinds import KINDS

    return KINDS


def _formats() -> list[str]:
    from program import run

    return [row["format"] for row in json.loads(run("formats", "--format=json").stdout)]


def _answer(words: Command, folder: Path) -> str:
    """Run a command as if it had the terminal, and write down all that it said."""
    from program import run

    drawn = folder / "drawn"
    named = [word.replace("{out}", str(drawn)) for word in words]
    try:
        done = run(*named)
    except Exception as error:  # a crash is an answer too
        return f"{type(error).__name__}: {error}\n"
    written = drawn.with_suffix(".json")
    figure = written.read_text(encoding="utf-8") if written.exists() else ""
    if figure:
        written.unlink()
        figure = json.dumps(json.loads(figure), indent=1, ensure_ascii=False) + "\n"
    told = f"status {done.returncode}\n{done.stderr}\n{done.stdout}{figure}"
    return told.replace(str(folder), "{folder}").replace(str(ROOT), "{root}")


def _name(words: Command) -> str:
    """Make a file's name of a command's words, short enough for every file system."""
    name = "_".join(words).replace("/", "-").replace("{out}.json", "json")
    return name if len(name) < 180 else name[:150] + _digest(name)[:16]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _stored(folder: Path) -> dict[str, str]:
    """Ingest campaigns, follow a system through a year, and begin a campaign file."""
    from campaigns_made import stored_year

    year = stored_year(folder / "year")
    told = {}
    asked: list[Command] = [("init", "lab")]
    for path in ("data/raw/onehost-2026/iozone", "data/raw/loopback-2026/rsync"):
        shutil.copytree(ROOT / path, folder / "lab" / Path(path).name)
    committed = sorted((ROOT / "data/raw").iterdir())
    store: Command = ("-o", str(folder / "store"))
    asked += [("ingest", *map(str, committed), *store)] * 2
    asked += [
        ("ingest", "--failures", *store),
        ("summary", f"{folder}/store/onehost-2026"),
    ]
    for system in ("nfs", "smb"):
        question: Command = ("history", str(year), "--system", system)
        question += ("--operation", "transfer")
        asked += [(*question, "--format", form) for form in FORMS]
        asked += [(*question, "--figure", "{out}.json")]
    here = Path.cwd()
    os.chdir(folder)  # what init prints has the folder as it was named
    for n, words in enumerate(asked):
        told[f"{n:02}_{words[0]}"] = _answer(words, folder)
    os.chdir(here)
    told["lab"] = (folder / "lab/campaign.toml").read_text(encoding="utf-8")
    return told


def _first_sights(source: str) -> dict[str, str]:
    """Write the HTML that a page and the index show first of a campaign."""
    from samples import loaded

    import fsviz
    from fsviz.answers.trust import trust
    from fsviz.checks.engine import Examiner
    from fsviz.report.first_sight import card_of, first_sight, trust_html, trust_line

    campaign = loaded(source)
    examined = Examiner(campaign)
    card = card_of(campaign, examined)
    told = {"card": json.dumps(vars(card), default=str, indent=1)}
    answers = trust(campaign, examined())
    told["trust"] = f"{trust_html(answers).data}\n{trust_line(answers).data}\n"
    first, *others = list(campaign.systems["system"])
    some = {"baseline": first, "candidates": others[:3]}
    operations = list(campaign.measurements["operation"].unique())[:4]
    sight = first_sight(campaign, operations=operations, **some)
    told["sight"] = f"{sight.headline}\n{sight.matrix.data}\n"
    for kind in _kinds():
        with suppress(fsviz.UsageError):
            still = fsviz.plot(campaign, kind)._repr_mimebundle_()
            told[f"still_{kind}"] = still.get("image/svg+xml", "")
    return told


def _part(source: str, to: Path | None) -> list[str]:
    """Answer all that is asked of a campaign, or of ``program``, ``samples`` …"""
    _settle()
    others = {"program": _of_program, "samples": _of_samples}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        if source == "stored":
            answers = iter(_stored(folder).items())
        else:
            asked = others[source]() if source in others else _of_campaign(source)
            told = {_name(words): words for words in asked}
            answers = ((name, _answer(words, folder)) for name, words in told.items())
        lines = [_keep(source, *answer, to) for answer in answers]
        if source.startswith("data/"):
            lines += [_keep(source, *told, to) for told in _seen(source)]
    return lines


def _seen(source: str) -> list[tuple[str, str]]:
    try:
        return list(_first_sights(source).items())
    except Exception as error:
        return [("sight", f"{type(error).__name__}: {error}\n")]


def _settle() -> None:
    """Print as wide and as plain everywhere, and keep nothing between two runs."""
    os.chdir(ROOT)
    os.environ |= {
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "TERM": "dumb",
        "LC_ALL": "C.UTF-8",
    }
    os.environ |= {"FSVIZ_CACHE": "", "TZ": "UTC"}


def _keep(source: str, name: str, text: str, to: Path | None) -> str:
    from fsviz import __version__

    text = text.replace(f'"{__version__}"', '"VERSION"')
    path = Path(source.replace("/", "-")) / f"{name}.txt"
    if to is not None:
        (to / path).parent.mkdir(parents=True, exist_ok=True)
        (to / path).write_text(text, encoding="utf-8")
    return f"{_digest(text)}  {path}"


def main() -> None:
    """Answer everything, on two processors."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("folder", nargs="?", type=Path, help="to write to")
    asked.add_argument("--quick", action="store_true", help="print digests, no files")
    asked.add_argument("--only", default="", help="parts whose name has this")
    chosen = asked.parse_args()
    if not chosen.quick and chosen.folder is None:
        asked.error("expected a FOLDER or --quick, found neither")
    to = None if chosen.quick else chosen.folder.resolve()
    parts = [
        p for p in ("stored", *_campaigns(), "program", "samples") if chosen.only in p
    ]
    with ProcessPoolExecutor(2) as pool:
        lines = [
            line for part in pool.map(_part, parts, [to] * len(parts)) for line in part
        ]
    print("\n".join(lines) if to is None else f"{len(lines)} files")


if __name__ == "__main__":
    main()
