"""The recipes of CONTRIBUTING.md, followed in a copy: they name each file to touch."""

import re
import shutil

import pytest
from program import python

RULE = """

@rule("always", ("info",), "in every campaign", ("always_from",))
def always(case: Case) -> Iterator[Finding]:
    \"\"\"Find something.\"\"\"
    yield Finding("info", f"from {case.limits['always_from']:g} on", "a", "type this")
"""
LIMIT = """    "always_from": Threshold(7.0, "1", "where it begins", OURS),
"""
FIELD = "    locator: list[str] = field(default_factory=list)\n"
ROWS = '        "locator": _each(places, width),\n'
ADD = "        self.locator.append(locator)\n"
FIGURE = """
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.style import flat_figure


@takes("operation", "system")
def dots(data, asked: FigureOptions):
    \"\"\"Draw nothing of one operation.\n\n    Parameters\n    ----------
    {shared}
    \"\"\"
    return flat_figure([], f"dots of {asked.operation}", "None.", "None.", 300)
"""


@pytest.fixture
def follow(root, tmp_path):
    """Follow a recipe in a copy of the package, and run something there."""
    shutil.copytree(root / "fsviz", tmp_path / "fsviz")
    (tmp_path / "campaign").symlink_to(root / "data/raw/onehost-2026")

    def edit(recipe, changes):
        text = (root / "CONTRIBUTING.md").read_text().partition(f"## {recipe}\n")[2]
        named = set(re.findall(r"`(fsviz/[\w/<>]+\.\w+)`", text.partition("\n## ")[0]))
        for name, (old, new) in changes.items():
            assert re.sub("always|dots", "<name>", name) in named
            path = tmp_path / name
            text = path.read_text() if path.exists() else ""
            assert text.count(old) == 1 or old == ""
            path.write_text(text.replace(old, new, 1) if old else text + new)

    def run(*words):
        done = python(*words, cwd=tmp_path, PYTHONPATH=str(tmp_path))
        assert done.stderr == ""
        return done.stdout

    edit.run = run
    return edit


@pytest.mark.slow
def test_a_rule(follow):
    follow(
        "Add a rule",
        {
            "fsviz/checks/rules/caches.py": ("", RULE),
            "fsviz/checks/rules/__init__.py": (
                '        "undisclosed",\n',
                '        "undisclosed",\n        "always",\n',
            ),
            "fsviz/checks/pages/always.md": ("", "# It is always so\n"),
            "fsviz/model/thresholds.py": (
                '    "crossed_cache":',
                LIMIT + '    "crossed_cache":',
            ),
        },
    )
    found = follow.run("-m", "fsviz", "check", "campaign")
    assert "from 7 on" in found
    assert "It is always so" in follow.run(
        "-m", "fsviz", "check", "--explain", "always"
    )


@pytest.mark.slow
def test_a_figure(follow, tmp_path):
    follow(
        "Add a figure",
        {
            "fsviz/figures/kinds/dots.py": ("", FIGURE),
            "fsviz/figures/kinds/__init__.py": (
                '    "lines",\n',
                '    "lines",\n    "dots",\n',
            ),
        },
    )
    page = tmp_path / "dots.html"
    follow.run("-m", "fsviz", "plot", "campaign", "--kind", "dots", "-o", page)
    assert "dots of write" in page.read_text()


def test_an_option_of_iozone(follow):
    follow(
        "Add an option of IOzone",
        {
            "fsviz/readers/iozone/options.py": (
                '_WITH_ARGUMENT = frozenset("J',
                '_WITH_ARGUMENT = frozenset("9J',
            )
        },
    )
    code = "from fsviz.readers.iozone.options import parse_options as p\n"
    seen = follow.run("-c", f"{code}print(p('iozone -a -9 5 -i 0').configuration)")
    assert seen == "-9 5 -a -i 0\n"


def test_a_column(follow):
    follow(
        "Add a column of the table",
        {
            "fsviz/model/table.py": (
                '    "locator": "string",\n}',
                '    "locator": "string",\n    "remark": "string",\n}',
            ),
            "fsviz/model/runs.py": (FIELD, FIELD + FIELD.replace("locator", "remark")),
            "fsviz/readers/iozone/cells.py": (
                ROWS,
                f"{ROWS}        'remark': ['seen'] * size,\n",
            ),
        },
    )
    # the parameter of `add`, for the other readers
    follow(
        "Add a column of the table",
        {"fsviz/model/runs.py": (ADD, f"{ADD}        self.remark.append('added')\n")},
    )
    code = "import fsviz; t = fsviz.load('campaign').measurements\n"
    seen = follow.run(
        "-c", f"{code}print(t.groupby('tool')['remark'].unique().map(set))"
    )
    assert "{seen}" in seen
    assert "{added}" in seen
