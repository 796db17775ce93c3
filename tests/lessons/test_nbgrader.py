"""Marks: what the lessons are worth, and nbgrader's way from a source to feedback."""

import csv
import os
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import exercises
import nbformat
import pytest
from exercises.checking import EXERCISES
from test_every_lesson import typed
from test_lessons import (  # noqa: F401 - fixtures
    NOTEBOOKS,
    data,
    right,
)
from test_variants import RIGHT

LESSONS = {
    "course": ("4-one-number-and-a-plan", "1-pictures"),
    "variant": ("lab-3-small-files",),
}
"""Lessons that are handed out, by the folder of their course."""
SOLVED = {
    "4-one-number-and-a-plan": "the backup takes the sum of all times",
    "1-pictures": "The lines show the dip at once",
    "lab-3-small-files": "the missing number does not matter here",
}
"""Part of a solution that the feedback shows."""


def marks_of(path):
    """The marks of a lesson's cells, by their names."""
    cells = nbformat.read(path, as_version=4).cells
    marked = [c.metadata["nbgrader"] for c in cells if "nbgrader" in c.metadata]
    names = [mark["grade_id"] for mark in marked]
    assert len(names) == len(set(names))
    return dict(zip(names, marked, strict=True))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_every_question_of_a_lesson_is_marked(path):
    cells = [c.source for c in nbformat.read(path, as_version=4).cells]
    checked = re.findall(r'check_answer\("([a-z-]+)"', "\n".join(cells))
    tasks = re.findall(r'handed_in\("([a-z-]+)"', "\n".join(cells))
    marks = marks_of(path)
    answers = [f"{name}-answer" for name in checked]
    shown = [f"{name}-model" for name in tasks]
    assert sorted(marks) == sorted([*checked, *answers, *tasks, *shown])
    for name, mark in marks.items():
        assert mark["solution"] == (name in [*tasks, *answers])
        assert mark["grade"] == (name not in answers)
        assert ("points" in mark) == mark["grade"]


@pytest.mark.slow
def test_a_teachers_copy_is_answered_rightly(data):  # noqa: F811
    for name in EXERCISES:
        answer = exercises.solved(name, data(name))
        verdict = exercises.check_answer(name, answer, data(name))
        assert verdict.outcome == "right", name


def filled(release, answers):
    """A release with answers typed behind the first words of its cells."""
    notebook = nbformat.read(release, as_version=4)
    for cell in notebook.cells:
        mark = cell.metadata.get("nbgrader", {})
        if mark.get("solution") and mark["grade_id"] in answers:
            name = cell.source.partition(" = None")[0]
            cell.source += f"\n{name} = {answers[mark['grade_id']]}"
    return notebook


@pytest.fixture(scope="module")
def course(root, tmp_path_factory):
    """A copy of the project with two courses in it, and their commands."""
    clone = tmp_path_factory.mktemp("clone")
    shutil.copytree(root / "notebooks", clone / "notebooks")
    (clone / "data").symlink_to(root / "data")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    own = {name: str(clone / name) for name in ("JUPYTER_CONFIG_DIR", "IPYTHONDIR")}

    def run(*words, cwd=clone):
        done = subprocess.run(
            words,
            cwd=cwd,
            env=os.environ | own | {"PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]

    for name, lessons in LESSONS.items():
        asked = ["--variant"] if name == "variant" else []
        run(sys.executable, "notebooks/lessons/course.py", *asked, name, *lessons)
    return clone, run


@pytest.mark.slow
@pytest.mark.parametrize(
    "name,lesson", [(name, lesson) for name in LESSONS for lesson in LESSONS[name]]
)
def test_a_lesson_is_handed_out_marked_and_sent_back(course, right, name, lesson):  # noqa: F811
    clone, run_in = course
    folder, run = clone / name, partial(run_in, cwd=clone / name)
    run("nbgrader", "generate_assignment", lesson)
    release = folder / "release" / lesson / f"{lesson}.ipynb"
    handed_out = release.read_text(encoding="utf-8")
    for kept_back in ("solved(", "BEGIN", "HIDDEN", "model_answer", "(verdict.outcome"):
        assert kept_back not in handed_out
    marks = {n: m for n, m in marks_of(release).items() if m["grade"]}
    checked = [name for name in marks if name in EXERCISES]
    key = right | (RIGHT[lesson]() if name == "variant" else {})
    good = {f"{n}-answer": typed(key[n]) for n in checked}
    good["plan"] = "'Yes.'"
    bad = {f"{name}-answer": "-17" for name in checked}
    for student, answers in {"good": good, "bad": bad, "none": {}}.items():
        place = folder / "submitted" / student / lesson
        place.mkdir(parents=True)
        nbformat.write(filled(release, answers), place / f"{lesson}.ipynb")
    run("nbgrader", "autograde", lesson)
    run("nbgrader", "export")
    with (folder / "grades.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["assignment"] == lesson]
    scores = {row["student_id"]: float(row["score"]) for row in rows}
    assert scores == {"good": len(checked), "bad": 0, "none": 0}
    assert {float(row["max_score"]) for row in rows} == {
        sum(mark["points"] for mark in marks.values())
    }
    run("nbgrader", "generate_feedback", lesson)
    pages = {
        student: (folder / "feedback" / student / lesson / f"{lesson}.html").read_text()
        for student in scores
    }
    assert pages["good"].count("<b>Right.</b>") == len(checked)
    assert pages["bad"].count("<b>Not yet.</b>") == len(checked)
    assert pages["none"].count("<b>Nothing yet.</b>") == len(checked)
    for page in pages.values():  # the model answer and its marks, for the hand-in
        assert page.count("One mark: ") == (6 if "plan" in marks else 0)
        assert SOLVED[lesson] in page
