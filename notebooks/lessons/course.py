"""Make an nbgrader course of the lessons: each with its solutions and hidden tests.

    python notebooks/lessons/course.py course 3-chance

writes ``course/source/3-chance``; without names, all lessons. With
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
    "2-where-from": ("memory_disk", "data/lessons/ramdisk-b-2026"),
    "lab-2-queue-and-tail": ("source", "data/lessons/queue-b-2026"),
    "lab-3-small-files": ("source", "data/lessons/small-b-2026"),
}
"""Lesson → one of its parameters, and another campaign for it."""
_CHECK = re.compile(r'exercises\.check_answer\("([a-z-]+)", \w+, ([\w.]+)\)')
_TASK = re.compile(r'exercises\.handed_in\("([a-z-]+)"')


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
            read_instead(notebook, *VARIANTS[name])
        write_file(place / f"{name}.ipynb", nbformat.writes(notebook) + "\n")
    write_file(folder / "nbgrader_config.py", CONFIG)


def read_instead(notebook: NotebookNode, name: str, campaign: str) -> None:
    """Let a lesson read another campaign: its exercises compute their keys from it."""
    (cell,) = [c for c in notebook.cells if "parameters" in c.metadata.get("tags", ())]
    cell.source = re.sub(f'(?<={name}: str = )"[^"]+"', f'"{campaign}"', cell.source)


def with_solutions(notebook: NotebookNode) -> NotebookNode:
    """Fill in right answers; hidden tests mark, and show solutions in the feedback."""
    code = "\n".join(cell.source for cell in notebook.cells)
    campaigns = dict(_CHECK.findall(code))
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        name = marks.get("grade_id", "").removesuffix("-answer")
        first, _, more = cell.source.partition("\n")
        if checked := _CHECK.search(cell.source):
            show = f"exercises.solution({name!r}, {checked[2]})"
            test = f'display(verdict, {show})\nfloat(verdict.outcome == "right")'
            cell.source = f"verdict = {cell.source}\nprint(verdict)"
            cell.source += _region("HIDDEN TESTS", test)
        elif task := _TASK.search(cell.source):
            show = f"display(exercises.model_answer({task[1]!r}))\n0"
            cell.source += _region("HIDDEN TESTS", show)
        elif marks.get("solution") and name in campaigns:
            right = f"exercises.solved({name!r}, {campaigns[name]})"
            variable = first.partition(" = None")[0]
            cell.source = first + _region("SOLUTION", f"{variable} = {right}")
            cell.source += more and f"\n{more}"
        elif marks.get("solution"):
            model = f"handed_in = exercises.model_answer({name!r}).text"
            cell.source += _region("SOLUTION", model)
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
