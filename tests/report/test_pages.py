"""Every page of the sample reports, in a real browser, with the network off."""

import json
import re

import nbformat
import pandas as pd
import pytest
from browser import count_colours, opened, turn_to, wait_until

from fsviz.report.html import FsvizHTMLExporter
from fsviz.report.plan import report
from fsviz.text.tables import table_html

pytestmark = [pytest.mark.browser, pytest.mark.slow]
ONE = ("small",)
BOTH = ("loopback-2026", "onehost-2026")


def pages_of(reports, name):
    """Folder of the reports: of the small one, or of both for those marked as slow."""
    out, _ = reports(*(ONE if name.startswith("small") else BOTH))
    return out


def test_the_index_links_every_report_and_can_be_searched(rendered, chromium):
    out, batch = rendered
    assert [outcome.error for outcome in batch.outcomes if outcome.error] == []
    with opened(chromium, out / "index.html") as watched:
        page = watched.page
        links = page.eval_on_selector_all(".reports div a", "a => a.map(x => x.href)")
        expected = {
            (out / p).resolve().as_uri() for o in batch.outcomes for p in o.pages
        }
        assert set(links) == expected
        assert len(links) == 7
        cards = page.locator(".card:visible")
        assert cards.count() == 2
        page.get_by_role("searchbox").fill("btrfs")
        assert cards.count() == 1
        assert not watched.requests
        assert not watched.errors


@pytest.mark.parametrize("campaign", ["onehost-2026", "loopback-2026"])
def test_a_page_asks_nobody_and_draws_every_figure(reports, chromium, campaign):
    out = pages_of(reports, campaign)
    with opened(chromium, out / campaign / "iozone.html") as watched:
        page = watched.page
        drawn = "document.querySelectorAll('figure.fsviz-figure').length"
        wait_until(page, f"fsvizPage.entries.length === {drawn}")
        # of each operation the explorer, and the ratios of all
        tabs = page.locator("[role=tab]").count()
        assert tabs >= 5
        assert page.evaluate("fsvizPage.entries.length") == tabs + 1
        # one open at a time, as people read
        solid = 0
        for identifier in page.evaluate("fsvizPage.entries.map(e => e.gd.id)"):
            name = f"#{identifier}"
            page.evaluate(
                "id => document.querySelectorAll('details.fsviz-fold').forEach("
                "d => { d.open = d.querySelector('#' + id) !== null; })",
                identifier,
            )
            turn_to(page, name)
            page.wait_for_selector(f"{name} .main-svg", state="attached")
            # what is folded is unpacked when it is opened
            rows = "id => fsvizPage.entries.find(e => e.gd.id === id).rows.length"
            if page.evaluate(rows, identifier):
                solid += 1
                page.wait_for_selector(f"{name} .gl-container canvas")
                page.wait_for_timeout(400)
                # axes alone are a dozen greys; a drawn surface has hundreds of colours
                assert count_colours(page, f"{name} .gl-container canvas") > 150
        assert solid == tabs
        assert not watched.requests
        assert not watched.errors


def shown_alone(frame, path):
    """Write a page that holds a table and nothing else."""
    shown = nbformat.v4.new_output(
        "display_data", {"text/html": table_html(frame).data}
    )
    cell = nbformat.v4.new_code_cell("", outputs=[shown])
    notebook = nbformat.v4.new_notebook(cells=[cell])
    text, _ = FsvizHTMLExporter().from_notebook_node(notebook)
    path.write_text(text, encoding="utf-8")
    return path


ALIGNED = "cells => cells.map(cell => getComputedStyle(cell).textAlign)"


def test_numbers_stand_under_one_another(chromium, tmp_path):
    columns = {
        "system": ["nfs", "smb"],
        "q": ["<0.001", "0.5"],
        "interval": ["0.9 … 1.1", "–"],
        "notes": ["", "1"],
    }
    page = shown_alone(pd.DataFrame(columns), tmp_path / "page.html")
    with opened(chromium, page) as watched:
        for tag in ("th", "td"):
            found = watched.page.locator(tag).evaluate_all(ALIGNED)
            assert found[:4] == ["left", "right", "right", "left"]


def test_code_is_behind_a_button(reports, chromium):
    out = pages_of(reports, "small")
    with opened(chromium, out / "small" / "bonnie.html") as watched:
        page = watched.page
        code = page.locator(".code").first
        assert not code.is_visible()
        page.get_by_role("button", name="Show code").click()
        assert code.is_visible()
        page.get_by_role("button", name="Hide code").click()
        assert not code.is_visible()


def test_a_page_that_stands_alone_needs_no_file_beside_it(
    one_system, chromium, tmp_path
):
    """Sent by itself, it draws; and a change of mind renders it anew."""
    out = tmp_path / "out"
    (shared,) = report([str(one_system)], out).outcomes
    (alone,) = report([str(one_system)], out, standalone=True).outcomes
    assert not alone.skipped
    moved = tmp_path / "sent.html"
    (out / alone.pages[0]).replace(moved)
    with opened(chromium, moved) as watched:
        watched.page.wait_for_selector(".fsviz-plot .main-svg", state="attached")
        assert not watched.requests
        assert not watched.errors
    assert shared.pages == alone.pages


def test_the_source_names_no_other_server(reports):
    out = pages_of(reports, "small")
    page = (out / "small" / "iozone.html").read_text(encoding="utf-8")
    body = page[page.index("<body>") :]
    loads = re.findall(r"""(?:src|href)\s*=\s*["']([^"'#]*)["']""", body)
    assert {link for link in loads if "://" in link} == set()
    # plotly.js is there once for all pages
    (library,) = out.glob("plotly-*.min.js")
    assert page.count(f'src="../{library.name}"') == 1
    assert "plotly.js v" not in page
    assert library.read_text(encoding="utf-8").count("plotly.js v") == 1


@pytest.mark.parametrize(
    "name",
    [
        "small/iozone",
        "onehost-2026/iozone",
        "loopback-2026/bonnie",
        "loopback-2026/rsync",
    ],
)
def test_what_links_to_a_finding_finds_it(reports, name):
    page = (pages_of(reports, name) / f"{name}.html").read_text(encoding="utf-8")
    linked = set(re.findall(r'href="#(finding-[a-z-]+)"', page))
    assert linked
    for anchor in linked:
        assert page.count(f'id="{anchor}"') == 1


def test_the_executed_notebook_is_written_briefly(reports):
    out = pages_of(reports, "small")
    for path in (out / "small").glob("*.ipynb"):
        text = path.read_text(encoding="utf-8")
        assert text.count("\n") == 0
        # its figures as data and picture, never as Python
        outputs = [o for c in json.loads(text)["cells"] for o in c.get("outputs", ())]
        plain = [o["data"].get("text/plain", "") for o in outputs if "data" in o]
        assert max(len("".join(text)) for text in plain) < 2000


@pytest.mark.parametrize("campaign", BOTH)
def test_pages_of_one_campaign_count_the_same_cells(rendered, campaign):
    out, _ = rendered
    counted = {}
    for name in ("compare", "iozone"):
        page = (out / campaign / f"{name}.html").read_text(encoding="utf-8")
        labels = re.findall(r'aria-label="([^"]*)"', page)
        counted[name] = {label for label in labels if " throughput of " in label}
    assert counted["compare"] == counted["iozone"]
    assert len(counted["compare"]) == 6
