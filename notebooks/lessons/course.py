"""Make an nbgrader course of the lessons: each with its solutions and hidden tests.

    python notebooks/lessons/course.py course 3-is-the-difference-real

writes ``course/source/3-is-the-difference-real``; without names, all lessons. The
marks are in the lessons, in nbgrader's metadata. What only a teacher may see is added
here, between the words by which `nbgrader generate_assignment` takes it out again
(https://nbgrader.readthedocs.io/, "Creating assignments").
"""

from __future__ import annotations

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
_CHECK = re.compile(r'exercises\.check_answer\("([a-z-]+)", \w+, ([\w.]+)\)')
_OURS = re.compile(r"exercises\.(?:compare_with_ours|model_answer)\([^,]+, (\w+)")


def make_course(folder: Path, names: list[str]) -> None:
    """Write the sources of lessons, and what nbgrader has to know of them."""
    known = {path.stem: path for path in sorted(LESSONS.glob("*.ipynb"))}
    for name in names:
        if name not in known:
            raise unknown("lesson", name, list(known))
    for name in names or known:
        place = folder / "source" / name
        make_folder(place)
        notebook = with_solutions(nbformat.read(known[name], as_version=4))
        write_file(place / f"{name}.ipynb", nbformat.writes(notebook) + "\n")
    write_file(folder / "nbgrader_config.py", CONFIG)


def with_solutions(notebook: NotebookNode) -> NotebookNode:
    """Fill in right answers, mark by hidden tests, and fold no solution out."""
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
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        make_course(Path(sys.argv[1]), sys.argv[2:])
    except FsvizError as error:
        sys.exit(str(error))
