"""Slides of lessons: which cells are shown, and that they ask no network."""

import re

import nbformat
import pytest
import slideshow
from browser import count_colours, opened, wait_until
from test_lessons import ROOT

LESSONS = ("1-surface-heatmap-slice", "3-is-the-difference-real")
FETCHED = ROOT / "slides/node_modules"
SECTION = "section.present > section.present"


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_heading_begins_a_slide_and_no_answer_is_asked_for(lesson):
    path = slideshow.LESSONS / f"{lesson}.ipynb"
    for cell in nbformat.read(path, as_version=4).cells:
        kind = cell.metadata.get("slideshow", {}).get("slide_type")
        if cell.cell_type == "markdown":
            assert kind == "slide"
        elif re.match(r"\w+(: str)? = (None|\")", cell.source):
            assert kind == "skip", cell.source
        elif "check_answer(" in cell.source:
            assert kind == "fragment"


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.skipif(not FETCHED.is_dir(), reason="make slides fetches reveal.js")
@pytest.mark.parametrize("lesson", LESSONS)
def test_slides_open_without_a_request_and_show_their_figures(
    lesson, tmp_path, chromium
):
    (tmp_path / "node_modules").symlink_to(FETCHED)
    slideshow.make_slides(tmp_path, lesson)
    with opened(chromium, tmp_path / f"{lesson}.html") as watched:
        page = watched.page
        wait_until(page, "document.querySelector('.reveal.ready')")
        figures = 0
        while not page.evaluate("Reveal.isLastSlide()"):
            page.evaluate("Reveal.next()")
            assert page.locator(SECTION).bounding_box()["height"] > 0
            if page.locator(f"{SECTION} .fsviz-plot").count():
                wait_until(page, f"document.querySelector('{SECTION} canvas')")
                assert count_colours(page, f"{SECTION} .fsviz-plot") > 50
                figures += 1
        assert watched.requests == watched.errors == []
    source = (slideshow.LESSONS / f"{lesson}.ipynb").read_text(encoding="utf-8")
    assert figures >= source.count("fsviz.explorer(")
