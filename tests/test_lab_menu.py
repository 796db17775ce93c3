"""JupyterLab as `make lab` shows it: the data, and three ways to the explorer."""

import json
import re

import pytest
from browser import window
from lab import visit

EXPLORE = "fsviz:explore"
EXTENSION = "notebooks/lab/extensions/fsviz"


def items(root):
    text = (root / "notebooks/lab/overrides.json").read_text(encoding="utf-8")
    [menu] = json.loads(text)["@jupyterlab/mainmenu-extension:plugin"]["menus"]
    return menu["items"]


def test_what_the_menu_opens_is_there(root):
    first, *others = items(root)
    assert first["command"] == EXPLORE
    for item in others:
        assert (root / item["args"]["path"]).exists()


def test_what_the_extension_opens_is_there(root):
    package = json.loads((root / EXTENSION / "package.json").read_text())
    script = root / EXTENSION / package["jupyterlab"]["_build"]["load"]
    text = script.read_text(encoding="utf-8")
    assert f'"{EXPLORE}"' in text
    [path] = re.findall(r'NOTEBOOK = "(.+?)"', text)
    assert (root / path).is_file()


@pytest.mark.parametrize("file", ["Makefile", "Containerfile"])
def test_every_way_to_jupyterlab_has_the_menu_and_the_data(root, file):
    text = (root / file).read_text(encoding="utf-8")
    assert "--LabApp.app_settings_dir=notebooks/lab" in text
    assert f"--LabApp.extra_labextensions_path={EXTENSION.rpartition('/')[0]}" in text
    assert re.search(r"--ServerApp.root_dir=(/fsviz|\"\$\(CURDIR\)\")", text)


def from_the_menu(page):
    page.locator(".lm-MenuBar-itemLabel", has_text="fsviz").click()
    shown = page.locator(".lm-Menu-itemLabel", has_text=re.compile("Explore|Open "))
    shown.first.wait_for()
    opened = ["Explore results", "Open notebooks/lessons", "Open data/raw"]
    assert opened == shown.all_inner_texts()
    shown.first.click()


def from_the_launcher(page):
    page.keyboard.press("Control+Shift+L")
    page.locator(".jp-LauncherCard").first.wait_for()
    # before everything else that could be started
    assert page.locator(".jp-LauncherCard").first.inner_text() == "Explore results"
    page.locator(".jp-LauncherCard", has_text="Explore results").click()


def from_the_palette(page):
    page.keyboard.press("Control+Shift+C")
    page.locator(".lm-CommandPalette-input").fill("explore results")
    page.locator(".lm-CommandPalette-item.lm-mod-active").wait_for()
    page.keyboard.press("Enter")


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("way", [from_the_menu, from_the_launcher, from_the_palette])
def test_it_opens_the_explorer(root, jupyterlab, chromium, way):
    with window(chromium, 1300, 900, offline=False) as context:
        page = context.new_page()
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        visit(page, jupyterlab, "notebooks/gallery.ipynb")
        way(page)
        tabs = page.locator(".lm-DockPanel-tabBar .lm-TabBar-tabLabel")
        tabs.filter(has_text="explore.ipynb").wait_for()
        heading = page.locator(".jp-Notebook h1", has_text="Explore a campaign")
        heading.wait_for()
        # no notebook of the visit before, no other server
        assert sorted(tabs.all_inner_texts()) == ["explore.ipynb", "gallery.ipynb"]
        assert [
            url for url in asked if not url.startswith(("data:", "blob:", jupyterlab))
        ] == []
