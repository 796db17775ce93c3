"""The index beside what others put into the folder of reports."""

import json
import re

import nbformat
import pytest
from answers.truths import MIB, runs_of
from browser import opened
from frames import campaign

from fsviz.model.errors import UsageError
from fsviz.report._card import card_of
from fsviz.report.entries import CARD, Card, Entry, read_entry, stated_card
from fsviz.report.html import page_parts
from fsviz.report.index import name_site, write_index
from tests.hostile import NAMES

VALID = {
    "kind": "fsviz report",
    "title": "T",
    "template": "compare",
    "sources": ["a"],
    "formats": ["html"],
    "fingerprint": "0" * 64,
    "made": "now",
}


def put(out, entry, name="stranger"):
    folder = out / name
    folder.mkdir(exist_ok=True)
    text = entry if isinstance(entry, str) else json.dumps(entry)
    (folder / "compare.json").write_text(text)
    (folder / "compare.html").write_text("page")
    nbformat.write(nbformat.v4.new_notebook(), folder / "compare.ipynb")
    return folder / "compare.json"


def test_the_index_carries_script_and_style_as_other_pages_do(tmp_path):
    index = write_index(tmp_path).read_text()
    css = re.search("<style>(.*?)</style>", index, re.DOTALL)[1]
    script = re.search("<script>(.*?)</script>", index, re.DOTALL)[1]
    parts = page_parts(with_figures=False)
    assert css.strip()
    assert parts["css"].startswith(css)
    assert script.count("\n") > 5
    assert not re.search("^ ", script, re.MULTILINE)


@pytest.mark.parametrize(
    "entry",
    [
        "{",
        "[]",
        "null",
        '"text"',
        "[" * 100_000,
        '{"template": "compare"}',
        {"template": "compare", "title": "T", "formats": ["html"], "picture": "<b>"},
        {k: v for k, v in VALID.items() if k != "kind"},
        VALID | {"more": 1},
        VALID | {"template": "../stranger/compare"},
        VALID | {"template": "other"},
        VALID | {"formats": ["javascript:alert(1)"]},
        VALID | {"formats": []},
        VALID | {"runs": "<b>"},
        VALID | {"findings": {"<b>": 1}},
        VALID | {"fingerprint": "x"},
        VALID | {"card": {"trust": [["x", "<b>"]]}},
        VALID
        | {"card": {"lines": [{"system": "a", "cells": [{"ground": "url(//x)"}]}]}},
        VALID | {"card": {"lines": [{"system": "a", "cells": [{"answer": "<b>"}]}]}},
    ],
)
def test_json_of_others_neither_stops_the_index_nor_enters_it(tmp_path, entry):
    assert read_entry(put(tmp_path, entry)) is None
    assert "No reports yet" in write_index(tmp_path).read_text()


def test_bytes_that_are_no_text_a_folder_and_a_pipe_are_no_entries(tmp_path):
    path = put(tmp_path, VALID)
    assert read_entry(path) is not None
    path.write_bytes(b"\xff\xfe{")
    assert read_entry(path) is None
    path.unlink()
    path.mkdir()
    assert read_entry(path) is None
    assert "No reports yet" in write_index(tmp_path).read_text()


def test_an_entry_without_its_page_is_not_listed(tmp_path):
    put(tmp_path, VALID).with_name("compare.html").unlink()
    assert "No reports yet" in write_index(tmp_path).read_text()


def test_no_template_of_a_page_lets_text_through_unescaped(root):
    for path in (root / "fsviz/report/templates").rglob("*.j2"):
        assert "safe" not in path.read_text()


@pytest.mark.slow
@pytest.mark.browser
def test_an_entry_that_looks_right_runs_nothing(tmp_path, chromium):
    """Whoever writes the same form may say what he likes, as text."""
    for n, name in enumerate(NAMES):
        said = dict.fromkeys(("title", "label", "caption", "made"), name[:64])
        lists = {"sources": [name], "systems": [name], "problems": [name]}
        card = {
            **dict.fromkeys(("headline", "title"), name),
            "words": [dict.fromkeys(("tool", "names", "text"), name)],
            "columns": [name],
            "lines": [{"system": name, "cells": [{"text": name}]}],
            "trust": [[name, "fine"]],
        }
        put(tmp_path, VALID | said | lists | {"card": card}, f"f{n}")
    put(tmp_path, VALID, "javascript:alert(1)")
    index = write_index(tmp_path)
    assert Entry.model_validate_json((tmp_path / "f0/compare.json").read_bytes())
    dialogs = []
    with opened(chromium, index) as watched:
        page = watched.page
        page.on("dialog", lambda d: dialogs.append(d.message))
        page.reload()
        page.wait_for_timeout(300)
        assert page.title() == "Benchmark reports"
        assert page.locator(".card").count() == len(NAMES) + 1
        # said as it stands, in each of its places
        assert all(page.locator("main").inner_text().count(n) >= 8 for n in NAMES)
        # a chip and a page each
        places = page.eval_on_selector_all("a", "a => a.map(x => x.href)")
        inside = tmp_path.resolve().as_uri()
        assert len(places) == 2 * len(NAMES) + 1
        assert all(place.startswith(inside) for place in places)
        tags = "script:not(:last-child), iframe, form, svg, meta[http-equiv=refresh]"
        assert page.locator(f"main :is({tags})").count() == 0
        assert page.url == index.resolve().as_uri()
        assert not dialogs
        assert not watched.requests
        assert not watched.errors


def test_campaigns_stand_before_notebooks_the_newest_first(tmp_path):
    made = {"older": "2026-01-01", "newer": "2026-02-01", "cases": "2026-03-01"}
    for folder, day in made.items():
        systems = [] if folder == "cases" else ["a", "b"]
        stated = {"title": f"Of {folder}", "made": day, "systems": systems}
        put(tmp_path, VALID | stated, folder)
    page = write_index(tmp_path).read_text()
    places = [page.index(f"Of {folder}") for folder in ("newer", "older", "cases")]
    assert places == sorted(places)


def test_the_tenth_notebook_stands_after_the_ninth(tmp_path):
    for number in ("10", "2", "9"):
        stated = {"title": f"Lesson {number}", "template": f"{number}-x"}
        made = put(tmp_path, VALID | stated, "lessons")
        for kind in ("json", "html", "ipynb"):
            made.with_suffix(f".{kind}").rename(made.with_name(f"{number}-x.{kind}"))
    page = write_index(tmp_path).read_text()
    linked = re.findall(r"lessons/(\d+)-x\.html", page)
    assert list(dict.fromkeys(linked)) == ["2", "9", "10"]


def test_a_title_and_a_footer_stay_for_later_batches(tmp_path):
    write_index(tmp_path)
    name_site(tmp_path, "<b>Our file servers", "")
    name_site(tmp_path, "", "Measured by <i>us")
    page = write_index(tmp_path).read_text()
    assert "<title>&lt;b&gt;Our file servers</title>" in page
    assert "<h1>&lt;b&gt;Our file servers</h1>" in page
    assert "Measured by &lt;i&gt;us</p></footer>" in page
    (tmp_path / "site.json").write_text('{"title": 5}')
    assert "<h1>Benchmark reports</h1>" in write_index(tmp_path).read_text()


@pytest.mark.parametrize("said", [3, {"lines": 1}, {"headline": 5}])
def test_a_card_of_another_shape_is_none(said):
    output = {"metadata": {CARD: said}}
    assert stated_card({"cells": [{}, {"outputs": [{}, output]}]}) is None
    fine = {"metadata": {CARD: {"headline": "a"}}}
    assert stated_card({"cells": [{"outputs": [fine]}]}) == Card(headline="a")


def test_a_page_that_somebody_else_made_is_not_overwritten(tmp_path):
    index = tmp_path / "index.html"
    index.write_text("<h1>my home page</h1>")
    with pytest.raises(UsageError, match=r"index\.html:1: expected a page that fsviz"):
        name_site(tmp_path, title="Reports")
    assert index.read_text() == "<h1>my home page</h1>"
    index.unlink()
    name_site(tmp_path, title="Reports")
    # what fsviz wrote, it writes anew
    name_site(tmp_path, title="Other reports")
    assert "Other reports" in index.read_text()


def test_a_card_counts_the_first_words_that_it_has_no_room_for():
    sizes = (64 * MIB, 128 * MIB)
    systems = {
        f"s{n}": runs_of(f"s{n}", sizes, seed=n, ratio=lambda *_, by=n: float(by))
        for n in range(1, 8)
    }
    words = card_of(campaign(systems)).words
    assert [line.names for line in words] == ["s2", "s3", "s4", "s5", "2 more"]
