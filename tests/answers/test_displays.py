"""A comparison displays itself: the same in every form, names as text, signs told."""

import re
from html import unescape

import pytest
from answers.truths import GIB, MIB, compared, runs_of, words
from bs4 import BeautifulSoup
from hostile import NAMES, OUTSIDE

from fsviz.answers.words import LOOKS
from fsviz.model.errors import UsageError

SIZES = tuple(64 * MIB * 2**k for k in range(5))
SIGNS = re.compile("[▲▼±~=≈△▽◇?]")


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_text_in_every_form(name):
    old = runs_of("old", SIZES[:2])
    comparison = compared({"old": old, name: runs_of("n", SIZES[:2], seed=2)})
    page = BeautifulSoup(comparison._repr_html_(), "html.parser")
    assert {tag.name for tag in page.find_all(True)} <= {
        *("div", "nav", "p", "span", "table", "thead", "tbody", "tr", "th", "td"),
        *("caption", "strong", "em", "small", "sup", "button", "code", "ul", "li"),
        *("a", "b", "br"),
    }
    assert not [a for a in page.find_all(href=True) if not a["href"].startswith("#")]
    events = [
        key for tag in page.find_all(True) for key in tag.attrs if key[:2] == "on"
    ]
    assert events == []
    text = comparison._repr_markdown_()
    assert f"]({OUTSIDE}" not in text
    assert "<img" not in text.replace("\\<", "")
    assert "<script" not in text.replace("\\<", "")


def of_each_answer():
    """Compare six systems, so that most answers are given."""
    old = runs_of("old", SIZES)
    return compared(
        {
            "old": old,
            "new": runs_of("new", SIZES, seed=2, ratio=lambda *_: 1.3),
            "worse": runs_of("worse", SIZES, seed=3, ratio=lambda *_: 0.7),
            "level": runs_of("level", SIZES, seed=4),
            "split": runs_of(
                "split",
                SIZES,
                seed=5,
                ratio=lambda z, _: 3.0 if z < 512 * MIB else 1 / 3,
            ),
            "wild": runs_of("wild", SIZES, seed=6, scatter=0.8),
            "once": runs_of("once", SIZES, seed=7, runs=1),
            "small": runs_of("small", (4 * GIB,), seed=8),
        }
    )


def test_a_sign_has_one_meaning_and_each_that_is_shown_is_told():
    meant = {}
    for look in LOOKS.values():
        meant.setdefault(look.mark, set()).add(look.words.removesuffix(" in part"))
    assert all(len(told) == 1 for sign, told in meant.items() if sign)
    lines = str(of_each_answer()).splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("IOzone ["))
    (legend,) = [line for line in lines if line.startswith(("▲ ", "▼ ", "± "))]
    table = "\n".join(lines[start : lines.index(legend)])
    shown = set(SIGNS.findall(table))
    assert shown == set(SIGNS.findall(legend))
    assert "(…) untested: under 3 runs" in legend


def test_every_form_says_the_same_first():
    comparison = of_each_answer()
    plain = " ".join(str(comparison).split())
    page = " ".join(BeautifulSoup(comparison._repr_html_(), "html.parser").text.split())
    marked = unescape(comparison._repr_markdown_())
    for text in set(words(comparison).values()):
        assert text in plain
        assert text in page
        assert text in marked


def test_of_many_lines_the_undecided_are_counted():
    ratios = {"a": 1.0, "b": 1.3, "c": 0.7, "d": 1.5, "e": 1.7, "f": 2.0}
    systems = {
        name: runs_of(name, SIZES, seed=n, ratio=lambda *_, by=ratio: by)
        for n, (name, ratio) in enumerate(ratios.items(), 2)
    }
    systems |= {name: runs_of(name, SIZES, runs=2, seed=9) for name in "gh"}
    lines = compared({"old": runs_of("old", SIZES)} | systems).first_words.lines
    assert [line.names for line in lines[:-1]] == [(name,) for name in "bcdef"]
    assert lines[-1].names == ("3 more",)


def test_an_object_of_one_system_has_figures_and_no_answers():
    alone = compared({"old": runs_of("old", SIZES, (64, 256, 1024))})
    assert alone.answers == []
    assert str(alone).startswith("Nothing to compare")
    assert "No figure" in alone.ratios()._repr_markdown_()
    test = alone.tests[0]
    assert test.operation == "write"
    assert test.explorer().data
    with pytest.raises(UsageError, match="expected two systems or more"):
        alone.rows  # noqa: B018


def test_a_name_that_the_table_prints_leads_to_the_one_to_ask_for():
    comparison = of_each_answer()
    with pytest.raises(UsageError, match=r"did you mean random_read\?"):
        comparison.data.compare(operation="rand. read")
