"""Variants of lessons: another campaign, and other answers."""

import re

import exercises
import nbformat
import pytest
from program import python
from samples import loaded
from test_lessons import (  # noqa: F401 - fixtures
    ROOT,
    _disks,
    _files,
    _queues,
    right,
)

LESSONS = ROOT / "data/lessons"


RIGHT = {
    "2-where-from": lambda: _disks("/srv/data", "/srv/fast"),
    "lab-2-queue-and-tail": lambda: _queues(LESSONS / "queue-b-2026"),
    "lab-3-small-files": lambda: _files(LESSONS / "small-b-2026"),
}
"""Right answers of each variant, found as those of the lessons are."""


def handed_out(folder, *words):
    program = ROOT / "notebooks/lessons/course.py"
    return python(program, "--variant", folder, *words)


@pytest.fixture(scope="module")
def variants(tmp_path_factory):
    """Each lesson with a variant, and the campaign that the variant reads."""
    folder = tmp_path_factory.mktemp("course")
    assert handed_out(folder).returncode == 0
    read = {}
    for path in folder.glob("source/*/*.ipynb"):
        code = [c.source for c in nbformat.read(path, as_version=4).cells]
        (named,) = re.findall('"(data/lessons/[a-z]+-b-2026)"', "\n".join(code))
        read[path.stem] = ROOT / named
    return read


def test_each_variant_reads_another_campaign(variants):
    assert set(variants) == set(RIGHT)
    for lesson, campaign in variants.items():
        text = (ROOT / f"notebooks/lessons/{lesson}.ipynb").read_text()
        assert str(campaign.relative_to(ROOT)) not in text
        assert (campaign / "campaign.toml").is_file()


@pytest.mark.slow
@pytest.mark.parametrize("lesson", RIGHT)
def test_a_variant_has_a_key_of_its_own(lesson, variants, right):  # noqa: F811
    campaign = loaded(variants[lesson])
    for exercise, answer in RIGHT[lesson]().items():
        said = exercises.check_answer(exercise, answer, campaign)
        assert (said.outcome, said.hint) == ("right", ""), exercise
        copied = exercises.check_answer(exercise, right[exercise], campaign)
        assert copied.outcome == "wrong", exercise


def test_a_lesson_without_a_variant_is_refused(tmp_path):
    done = handed_out(tmp_path / "course", "1-pictures")
    assert done.returncode == 1
    assert "expected one of 2-where-from" in done.stderr
    assert not (tmp_path / "course").exists()
