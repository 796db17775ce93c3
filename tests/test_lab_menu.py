"""JupyterLab as `make lab` shows it: the data, and three ways to the explorer.

They are used in lessons/test_in_jupyterlab.py, where there is a JupyterLab.
"""

import json
import re

import pytest

EXPLORE = "fsviz:explore"
EXTENSION = "notebooks/lab/extensions/fsviz"


def items(root):
    text = (root / EXTENSION / "schemas/fsviz/explore.json").read_text(encoding="utf-8")
    [menu] = json.loads(text)["jupyter.lab.menus"]["main"]
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
