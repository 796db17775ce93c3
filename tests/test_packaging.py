"""What is published: versions agree, files are whole, and CI says what it promises."""

import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile

import pytest
import yaml

import fsviz


@pytest.fixture(scope="module")
def project(root):
    return tomllib.loads((root / "pyproject.toml").read_text())["project"]


def read(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_every_place_names_the_same_version(root):
    version = fsviz.__version__
    assert read(root / "CITATION.cff")["version"] == version
    assert read(root / "packaging/conda/recipe.yaml")["context"]["version"] == version
    for name in ("README.md", "docs/howto/install.md"):
        wheels = re.findall(r"fsviz-([\d.]+)-py3", (root / name).read_text())
        assert {*wheels} == {version}, name


def test_conda_needs_what_the_wheel_needs(root, project):
    recipe = read(root / "packaging/conda/recipe.yaml")
    python = f"python {project['requires-python']}"
    assert recipe["requirements"]["run"] == [python, *project["dependencies"]]
    entries = [f"{k} = {v}" for k, v in project["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == entries


def test_ci_runs_on_every_version_that_is_promised(root, project):
    jobs = read(root / ".github/workflows/ci.yml")["jobs"]
    promised = [
        line.rpartition(" ")[2]
        for line in project["classifiers"]
        if re.search(r":: 3\.\d+$", line)
    ]
    assert jobs["test"]["strategy"]["matrix"]["python"] == promised
    assert {"macos-latest", "windows-latest"} == {
        *jobs["elsewhere"]["strategy"]["matrix"]["system"]
    }
    makefile = (root / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    for job in jobs.values():
        for step in job["steps"]:
            words = step.get("run", "").split()
            assert words[:1] != ["make"] or words[1] in targets


def test_only_the_job_that_publishes_may_ask_for_an_identity(root):
    text = (root / ".github/workflows/publish.yml").read_text()
    jobs = yaml.safe_load(text)["jobs"]
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert "permissions" not in jobs["build"]
    # an expression within a script would be run as a part of it
    assert not re.search(r"run:.*\$\{\{", text)
    assert "secrets." not in text


def test_forms_and_container_are_what_they_say(root):
    for path in (root / ".github/ISSUE_TEMPLATE").glob("[!c]*.yml"):
        form = read(path)
        assert {"name", "description", "body"} <= set(form)
        ids = [part["id"] for part in form["body"]]
        assert len(ids) == len(set(ids))
    container = json.loads((root / ".devcontainer/devcontainer.json").read_text())
    assert (root / ".devcontainer" / container["build"]["dockerfile"]).is_file()
    (local,) = read(root / ".pre-commit-config.yaml")["repos"]
    assert "make check" in [hook["entry"] for hook in local["hooks"]]


@pytest.mark.slow
def test_wheel_and_sdist_are_fit_to_publish(root, tmp_path):
    def run(*words):
        command = [sys.executable, "-m", *map(str, words)]
        return subprocess.run(command, cwd=root, capture_output=True, check=True)

    run("hatchling", "build", "-d", tmp_path)
    (wheel,), (sdist,) = tmp_path.glob("*.whl"), tmp_path.glob("*.tar.gz")
    run("twine", "check", "--strict", wheel, sdist)
    run("check_wheel_contents", wheel)
    assert wheel.name == f"fsviz-{fsviz.__version__}-py3-none-any.whl"
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "fsviz/py.typed" in names
    assert any(name.endswith("share/man/man1/fsviz.1") for name in names)
    assert wheel.stat().st_size < 1_000_000
    # whoever has the sdist can build the wheel and run the tests
    with tarfile.open(sdist) as packed:
        inside = {name.partition("/")[2] for name in packed.getnames()}
    assert {"pyproject.toml", "tests/conftest.py", "notebooks/iozone.ipynb"} <= inside
    assert {f"fsviz/{name[6:]}" for name in names if name.endswith(".py")} <= inside
