"""Make an nbgrader course of the lessons: each with its solutions and hidden tests.

    python notebooks/lessons/course.py course 3-is-the-difference-real

writes ``course/source/3-is-the-difference-real``; without names, all lessons. With
``--variant`` the lessons read another campaign, so that two groups have different
answers; without names, those lessons that have one. The marks are in the lessons, in
nbgrader's metadata. What only a teacher may see is added here, between the words by
which `nbgrader generate_assignment` takes it out again
(https://nbgrader.readthedocs.io/, "Creating assignments").
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from fsviz.model.errors import FsvizError
from fsviz.model.names import unknown
from fsviz.model.writing import make_folder, write_file

LESSONS = Path(__file__).parent
CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = "fsviz"
c.ClearSolutions.code_stub = {"python": ""}
c.Execute.timeout = 300
"""
VARIANTS = {
    "5-how-fast-is-a-ram-disk": "data/lessons/ramdisk-b-2026",
    "8-how-many-runs": "data/raw/loopback-2026",
    "10-queue-depth": "data/lessons/queue-b-2026",
    "11-small-files": "data/lessons/small-b-2026",
}
"""Lesson → another campaign with the systems that it asks about."""
_CHECK = re.compile(r'exercises\.check_answer\("([a-z-]+)", \w+, ([\w.]+)\)')
_OURS = re.compile(r"exercises\.(?:compare_with_ours|model_answer)\([^,]+, (\w+)")


def make_course(folder: Path, names: list[str], *, variant: bool = False) -> None:
    """Write the sources of lessons, and what nbgrader has to know of them."""
    known = {path.stem: path for path in sorted(LESSONS.glob("*.ipynb"))}
    offered = VARIANTS if variant else known
    for name in names:
        if name not in offered:
            raise unknown("variant of" if variant else "lesson", name, list(offered))
    for name in names or offered:
        place = folder / "source" / name
        make_folder(place)
        notebook = with_solutions(nbformat.read(known[name], as_version=4))
        if variant:
            read_instead(notebook, VARIANTS[name])
        write_file(place / f"{name}.ipynb", nbformat.writes(notebook) + "\n")
    write_file(folder / "nbgrader_config.py", CONFIG)


def read_instead(notebook: NotebookNode, campaign: str) -> None:
    """Let a lesson read another campaign: its exercises compute their keys from it."""
    named = [c for c in notebook.cells if "parameters" in c.metadata.get("tags", ())]
    named[0].source = re.sub('"[^"]+"', f'"{campaign}"', named[0].source, count=1)


def with_solutions(notebook: NotebookNode) -> NotebookNode:
    """Fill in right answers, mark by hidden tests, and show no solution."""
    cells = notebook.cells
    asked = {}
    for cell in cells:
        if found := _CHECK.search(cell.source):
            asked[found[1]] = f"exercises.solved({found[1]!r}, {found[2]})"
        if found := _OURS.search(cell.source):
            asked[found[1]] = cell.source
    kept = [cell for cell in cells if not _OURS.search(cell.source)]
    for cell in kept:
        marks = cell.metadata.get("nbgrader", {})
        name = cell.source.partition(" = None")[0]
        if marks.get("solution") and marks["grade"]:
            cell.source += _region("SOLUTION", f"{name} = {asked[name]}.model")
        elif marks.get("solution"):
            right = asked[marks["grade_id"].removesuffix("-answer")]
            first, _, more = cell.source.partition("\n")
            cell.source = first + _region("SOLUTION", f"{name} = {right}")
            cell.source += more and f"\n{more}"
        elif marks.get("grade"):
            told = 'display(verdict)\nfloat(verdict.outcome == "right")'
            cell.source = f"verdict = {cell.source}\nprint(verdict)"
            cell.source += _region("HIDDEN TESTS", told)
    notebook.cells = kept
    return notebook


def _region(what: str, source: str) -> str:
    return f"\n### BEGIN {what}\n{source}\n### END {what}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--variant", action="store_true", help="read other campaigns")
    parser.add_argument("folder", type=Path)
    parser.add_argument("lesson", nargs="*")
    asked = parser.parse_args()
    try:
        make_course(asked.folder, asked.lesson, variant=asked.variant)
    except FsvizError as error:
        sys.exit(str(error))
