"""JupyterLab as `make lab` shows it: the data, and a menu that opens the explorer."""

import json
import re

import pytest
from browser import window
from lab import visit


def items(root):
    text = (root / "notebooks/lab/overrides.json").read_text(encoding="utf-8")
    [menu] = json.loads(text)["@jupyterlab/mainmenu-extension:plugin"]["menus"]
    return [item["args"]["path"] for item in menu["items"]]


def test_what_the_menu_opens_is_there(root):
    assert "notebooks/explore.ipynb" in items(root)
    for path in items(root):
        assert (root / path).exists()


@pytest.mark.parametrize("file", ["Makefile", "Containerfile"])
def test_every_way_to_jupyterlab_has_the_menu_and_the_data(root, file):
    text = (root / file).read_text(encoding="utf-8")
    assert "--LabApp.app_settings_dir=notebooks/lab" in text
    assert re.search(r"--ServerApp.root_dir=(/fsviz|\"\$\(CURDIR\)\")", text)


@pytest.mark.slow
@pytest.mark.browser
def test_the_menu_opens_the_explorer(root, jupyterlab, chromium):
    with window(chromium, 1300, 900, offline=False) as context:
        page = context.new_page()
        visit(page, jupyterlab, "notebooks/gallery.ipynb")
        page.locator(".lm-MenuBar-itemLabel", has_text="fsviz").click()
        shown = page.locator(".lm-Menu-itemLabel", has_text="Open ")
        shown.first.wait_for()
        assert [f"Open {path}" for path in items(root)] == shown.all_inner_texts()
        shown.first.click()
        tabs = page.locator(".lm-DockPanel-tabBar .lm-TabBar-tabLabel")
        tabs.filter(has_text="explore.ipynb").wait_for()
        page.locator(".jp-DirListing-itemText", has_text="explore.ipynb").wait_for()
