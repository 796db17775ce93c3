"""The policy of a page: what it states, and what it never does."""

import base64
import re
from hashlib import sha256

import pytest

from fsviz.model.policy import PLACE, with_policy

PAGE = f'<meta content="{PLACE}"><style>b {{{{ top: 0 }}}}</style><td{{}}>{PLACE}</td>'
NONE = with_policy(PAGE.format(""))


def stated(page):
    return re.findall(r"'(sha256-[^']+)'", page)


@pytest.mark.parametrize(
    "value",
    [
        "color:#fff",
        "background:rgb(103, 0, 31);color:#fff",
        "text-align: right;",
        "border-left: 4px solid #8a8f98",
        "height:1890px",
    ],
)
def test_what_colours_a_cell_is_stated(value):
    page = with_policy(PAGE.format(f' style="{value}"'))
    assert len(stated(page)) == len(stated(NONE)) + 1


@pytest.mark.parametrize(
    "value",
    [
        "position:fixed;top:0;left:0;width:100%;height:100%",
        "background:url(http://198.51.100.7/)",
        "background:u\\72l(http://198.51.100.7/)",
        "color:red;display:none",
        "width:99999%;margin:-9em",
        "opacity:0",
        "--x:1",
        "",
    ],
)
def test_what_loads_or_covers_is_not(value):
    assert stated(with_policy(PAGE.format(f' style="{value}"'))) == stated(NONE)


def test_elements_that_load_or_cover_are_not_stated():
    for text in ("b { position: fixed }", "b { background: URL (x) }", "@import 'x'"):
        page = PAGE.format(f"><style>{text}</style")
        assert stated(with_policy(page)) == stated(NONE)


@pytest.mark.parametrize("text", ["b { top: 0 }", "td { display: none }", ""])
def test_no_element_is_stated_because_it_is_there(text):
    """Not the first either: what a reader is shown must not be another's choice."""
    page = f"<style>{text}</style>{PAGE.format(f'><style>{text}</style')}"
    assert stated(with_policy(page)) == []
    digest = base64.b64encode(sha256(b"b { left: 0 }").digest()).decode()
    assert stated(with_policy(page, styles=["b { left: 0 }"])) == [f"sha256-{digest}"]


def test_nothing_is_allowed_by_its_kind():
    assert "unsafe-inline" not in NONE
    assert "unsafe-eval" not in NONE
    assert "default-src 'none'" in NONE
    # only the first place is ours; a text may hold the same word
    assert NONE.count(PLACE) == 1
