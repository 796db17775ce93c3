"""Every lesson is worked in a real JupyterLab: silly, wrong and right answers."""

import re

import nbformat
import pytest
from browser import window
from lab import visit
from test_in_jupyterlab import Learner
from test_lessons import NOTEBOOKS, WRONG, right  # noqa: F401 - fixtures

pytestmark = [pytest.mark.lab, pytest.mark.browser]

SILLY = ["banana", "10**400", '"<img src=x onerror=alert(1)>"']
CHECK = re.compile(r'exercises\.(check)_answer\("([a-z-]+)", (\w+)')


def typed(answer: object) -> str:
    """What a learner types for an answer that a test calculated."""
    return re.sub(r"np\.(float|int)64", r"\1", repr(answer))


def answers(exercise, right):  # noqa: F811
    """List texts, and whether each is right; the right one comes last."""
    wrong = [typed(answer) for name, answer, _ in WRONG if name == exercise]
    wrong = [text for text in wrong if "array" not in text][:3]
    last = typed(right[exercise])
    return [*((text, False) for text in [*SILLY, *wrong]), (last, True)]


# the shortest one also in `make test-slow`
LESSONS = [
    pytest.param(p, marks=pytest.mark.slow if p.stem.startswith("lab-3") else ())
    for p in NOTEBOOKS
]


@pytest.mark.parametrize("path", LESSONS, ids=lambda p: p.stem)
def test_a_lesson_is_worked_with_every_kind_of_answer(
    path,
    chromium,
    jupyterlab,
    right,  # noqa: F811
):
    cells = nbformat.read(path, as_version=4).cells
    asked = {m[3]: m for cell in cells if (m := CHECK.match(cell.source))}
    seen = set()
    with window(chromium, 1366, 768, offline=False) as context:
        page = context.new_page()
        visit(page, jupyterlab, f"notebooks/lessons/{path.name}")
        page.click('.jp-Cell[data-windowed-list-index="0"]')
        page.keyboard.press("Escape")
        learner = Learner(page)
        for number, cell in enumerate(cells):
            name, is_open, _ = cell.source.partition(" = None")
            learner.select(number)
            match = asked.get(name) if is_open else None
            if match is not None and match[1] == "check":
                for text, is_right in answers(match[2], right):
                    said = learner.answer(number, f"{name} = {text}")
                    assert ("Right." in said) == is_right, (match[2], text, said)
                seen.add(name)
            else:
                learner.run(code=cell.cell_type == "code")
        assert page.locator('[data-mime-type*="error"]').count() == 0
    assert seen == {name for name, match in asked.items() if match[1] == "check"}
