"""A package of somebody else adds a tool: the one that the documentation makes."""

import json
import os
import re
import tomllib

import pytest
from newcomer import blocks
from program import python

LINE = "Throughput {} MB/sec  2 clients  2 procs  max_latency=6.842 ms\n"


def install(root, place):
    """Put the package of the page where Python finds it, as pip would."""
    page = root / "docs/howto/read-my-tool.md"
    (tool, reader), (described,) = blocks(page, "python"), blocks(page, "toml")
    package = place / "fsviz_dbench"
    package.mkdir()
    (package / "tool.py").write_text(tool)
    (package / "reader.py").write_text(reader)
    project = tomllib.loads(described)["project"]
    told = place / f"fsviz_dbench-{project['version']}.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Name: {project['name']}\nVersion: 1\n")
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in own.items())
        for group, own in project["entry-points"].items()
    )
    (told / "entry_points.txt").write_text(points)


@pytest.fixture
def fsviz(root, tmp_path):
    """Run a command in a folder with results of two systems."""
    place = tmp_path / "site"
    place.mkdir()
    install(root, place)
    camp = tmp_path / "camp"
    for system, rates in (("nfs", (100, 101, 102)), ("smb", (200, 201, 202.5))):
        (camp / system).mkdir(parents=True)
        for n, rate in enumerate(rates):
            (camp / system / f"{n}.txt").write_text("\n" + LINE.format(rate))

    def run(*words):
        path = f"{place}{os.pathsep}{root}"
        return python("-m", "fsviz", *words, cwd=camp, PYTHONPATH=path)

    return run


@pytest.mark.slow
def test_its_numbers_are_read_compared_and_checked(fsviz):
    assert "dbench's last line" in fsviz("formats").stdout
    done = fsviz("read", "smb/2.txt", "--format", "json")
    assert done.stderr == ""
    (row,) = json.loads(done.stdout)
    assert (row["tool"], row["operation"], row["threads"]) == (
        "dbench",
        "dbench_load",
        2,
    )
    assert (row["value"], row["low"], row["high"]) == (202.5e6, 202.45e6, 202.55e6)
    assert row["locator"] == "line 2"
    done = fsviz("compare", ".", "--format", "json")
    rows = [row for row in json.loads(done.stdout) if row["tool"] == "dbench"]
    assert {row["answer"] for row in rows} == {"faster"}
    assert rows[0]["ratio"] == pytest.approx(1.99, abs=0.01)
    said = fsviz("compare", ".").stdout
    assert re.search(r"dbench.*smb +2(\.\d+)?× faster", said)
    for command in ("summary", "check", "files"):
        done = fsviz(command, ".")
        assert (done.stderr, done.returncode) == ("", 0), command


def test_one_that_is_broken_is_named_in_a_line(fsviz, tmp_path):
    (tmp_path / "site/fsviz_dbench/tool.py").write_text("TOOL = 7\n")
    done = fsviz("read", "smb/2.txt")
    assert done.returncode == 1
    assert done.stderr == "fsviz_dbench.tool:TOOL: expected a Tool, found a int\n"
    (tmp_path / "site/fsviz_dbench/tool.py").write_text("import nothing_of_that_name\n")
    done = fsviz("read", "smb/2.txt")
    assert done.returncode == 1
    said = "ModuleNotFoundError: No module named 'nothing_of_that_name'"
    assert (
        done.stderr == f"fsviz_dbench.tool:TOOL: expected fsviz.tools, found {said}\n"
    )


@pytest.mark.parametrize("kind, status", [("tool:TOOL", 1), ("reader:FORMAT", 2)])
def test_two_of_one_name_are_refused(fsviz, tmp_path, kind, status):
    ours, group = f"fsviz_dbench.{kind}", f"{kind.partition(':')[0]}s"
    again = tmp_path / "site/again-1.dist-info"
    again.mkdir()
    (again / "METADATA").write_text("Name: again\nVersion: 1\n")
    (again / "entry_points.txt").write_text(f"[fsviz.{group}]\ndbench = {ours}\n")
    done = fsviz("formats")
    assert (done.returncode, done.stdout) == (status, "")
    taken = f"expected a name that {ours} does not have, found dbench"
    assert done.stderr == f"{ours}: {taken}\n"


@pytest.mark.slow
def test_its_campaign_is_reported(fsviz, tmp_path):
    done = fsviz("report", ".", "-o", str(tmp_path / "out"))
    assert (done.stderr, done.returncode) == ("", 0)
    pages = {page.stem: page for page in (tmp_path / "out/camp").glob("*.html")}
    assert pages.keys() == {"compare", "dbench"}
    for page in pages.values():
        assert "dbench load" in page.read_text()
