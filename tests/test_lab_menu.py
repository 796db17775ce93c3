"""JupyterLab as `make lab` shows it: the data, and a menu that opens the explorer.

The menu is opened in lessons/test_in_jupyterlab.py, where there is a JupyterLab.
"""

import json
import re

import pytest


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
