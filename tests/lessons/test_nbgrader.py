"""Marks: what the lessons are worth, and nbgrader's way from a source to feedback."""

import csv
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import exercises
import nbformat
import pytest
from test_every_lesson import DRAWN, typed
from test_lessons import (  # noqa: F401 - fixtures
    NOTEBOOKS,
    campaigns,
    data,
    nfs,
    right,
    smb,
    xfs,
)
from test_variants import RIGHT

LESSONS = {
    "course": ("3-is-the-difference-real", "8-how-many-runs"),
    "variant": ("11-small-files",),
}
"""Lessons that are handed out, by the folder of their course."""


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
    told = re.findall(r'model_answer\("([a-z-]+)"', "\n".join(cells))
    marks = marks_of(path)
    answers = [f"{name}-answer" for name in checked]
    assert sorted(marks) == sorted([*checked, *answers, *told, "transfer"])
    for name, mark in marks.items():
        by_hand = name in told or name == "transfer"
        assert mark["solution"] == (by_hand or name in answers)
        assert mark["grade"] == (name not in answers)
        assert ("points" in mark) == mark["grade"]


def test_the_guide_states_the_points_of_the_lessons(root):
    guide = (root / "notebooks/lessons/README.md").read_text(encoding="utf-8")
    points = Counter()
    for path in NOTEBOOKS:
        for name, mark in marks_of(path).items():
            points[name] += mark.get("points", 0)
    checked = sum(points[name] for name in exercises.EXERCISES)
    assert f"| each exercise, {checked} in all | 1 |" in guide
    hand_in = points["transfer"] // len(NOTEBOOKS)
    assert f"| the task to hand in, one a lesson | {hand_in}: one for each" in guide
    own = " and ".join(str(points[name]) for name in exercises.MODELS)
    assert f"| {own}: one for each point" in guide


@pytest.mark.slow
def test_a_teachers_copy_is_answered_rightly(data):  # noqa: F811
    for name in exercises.EXERCISES:
        answer = exercises.solved(name, data(name))
        verdict = exercises.check_answer(name, answer, data(name))
        assert verdict.outcome == "right", name


# The whole way ------------------------------------------------------------------------


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
    for kept_back in ("solved(", "BEGIN", "HIDDEN", "with_ours", "(verdict.outcome"):
        assert kept_back not in handed_out
    marks = {n: m for n, m in marks_of(release).items() if m["grade"]}
    checked = [name for name in marks if name in exercises.EXERCISES]
    key = right | (RIGHT[lesson]() if name == "variant" else {})
    good = {f"{n}-answer": DRAWN.get(n) or typed(key[n]) for n in checked}
    good["transfer"] = "'Yes.'"
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
