"""The explorer in a real JupyterLab: cells run, a control changed, figure changed."""

import json

import pytest
from browsing import browsing
from lab import served, visit

from fsviz.figures.widget import explore

SOURCE = "data/raw/onehost-2026"


@pytest.fixture(scope="module")
def board(root):
    return explore([str(root / SOURCE)])


def controls(board):
    return {c.description: c for c in board.children[0].children}


def title(board):
    return json.loads(board.children[2].figures[0])["layout"]["title"]["text"]


def test_controls_offer_what_the_campaign_has(board):
    offered = controls(board)
    names = ["Campaign", "Systems", "Operation", "Metric", "Buckets", "Regime"]
    assert list(offered) == names
    assert set(offered["Systems"].value) == {"btrfs", "ext4", "xfs"}
    assert "random_read" in offered["Operation"].options


def test_the_figures_follow_the_controls(board):
    controls(board)["Operation"].value = "random_read"
    assert "Random read" in title(board)
    controls(board)["Systems"].value = ("xfs",)
    assert "xfs" in title(board)
    controls(board)["Buckets"].value = ("small",)
    cells = json.loads(board.children[2].figures[0])["layout"]["meta"]["cells"]
    assert max(cells["files"]) == 512 * 1024


def test_nothing_chosen_is_said_and_not_raised(board):
    controls(board)["Buckets"].value = ()
    assert "no throughput of random_read" in board.children[1].value
    controls(board)["Buckets"].value = ("small", "medium")
    assert board.children[1].value == ""


def test_a_regime_is_a_choice_like_the_others(board):
    controls(board)["Buckets"].value = ("large", "very_large")
    controls(board)["Regime"].value = "storage"
    cells = json.loads(board.children[2].figures[0])["layout"]["meta"]["cells"]
    assert cells["files_text"] == ["1 GiB"]
    assert cells["systems"][0]["regimes"] == ["storage"]
    controls(board)["Buckets"].value = ("small",)
    assert "regime storage: none of" in board.children[1].value
    controls(board)["Regime"].value = ""
    assert board.children[1].value == ""


@pytest.fixture
def jupyterlab(root, tmp_path):
    with served(root, "notebooks/explore.ipynb", tmp_path) as address:
        yield address


@pytest.mark.browser
def test_in_jupyterlab(jupyterlab, chromium):
    with browsing(chromium, 1500, 1300, offline=False) as browser:
        page = browser.page
        visit(page, jupyterlab)
        page.click('.lm-MenuBar-itemLabel:has-text("Run")')
        page.click('.lm-Menu-itemLabel:text-is("Run All Cells")')
        page.wait_for_selector(".jp-OutputArea .gl-container canvas", timeout=90_000)
        before = page.text_content(".gtitle >> nth=0")
        select = page.locator(
            "select", has=page.locator('option:text-is("random_read")')
        )
        select.select_option(label="random_read")
        page.wait_for_function(
            "document.querySelector('.gtitle').textContent.includes('Random read')",
            timeout=60_000,
        )
        assert "Write" in before
        regime = page.locator("select", has=page.locator("option:text-is('storage')"))
        regime.select_option(label="cache")
        page.locator(".js-plotly-plot").first.focus()
        page.wait_for_selector(".fsviz-regime:text-is('regime cache')")
        said = page.inner_text(".fsviz-readout >> nth=0")
        page.keyboard.press("ArrowLeft")
        assert page.inner_text(".fsviz-readout >> nth=0") != said
        assert "MiB/s" in said
        assert page.locator('[data-mark="surface"]').count() > 0
        assert page.locator(".jp-RenderedText[data-mime-type*=error]").count() == 0
