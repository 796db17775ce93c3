"""What users of other programs expect: -h, -q, -v, completion, a manual, py.typed."""

import re
import shutil
import subprocess
import sys
import zipfile

import pytest
from program import run, start

from fsviz.cli.shared import app
from fsviz.model.missing import how_to_install

RESULT = "data/raw/onehost-2026/iozone/ext4/rep1.txt"


@pytest.fixture
def command_names():
    return {c.name or c.callback.__name__ for c in app.registered_commands}


def test_h_is_help(command_names):
    assert run("-h").stdout == run("--help").stdout
    for name in command_names:
        done = run(name, "-h")
        assert done.returncode == 0
        assert f"Example: fsviz {name}" in done.stdout


def test_q_and_v_stand_before_the_command_or_after_it(root):
    path = root / RESULT
    quiet, verbose = run("summary", path, "-q"), run("summary", path, "--verbose")
    assert quiet.stdout == verbose.stdout == run("-q", "summary", path).stdout
    assert quiet.stderr == ""
    assert verbose.stderr == run("-v", "summary", path).stderr == f"{path}\n"
    assert run("read", path, "-v").stderr == f"{path}\n"


def test_q_leaves_out_notes_but_no_problem(root, tmp_path):
    shutil.copy(root / RESULT, tmp_path / "a.txt")
    shutil.copy(root / RESULT, tmp_path / "b.txt")
    (tmp_path / "c.txt").write_text("hello\n")
    said = run("summary", tmp_path).stderr.splitlines()
    quiet = run("summary", tmp_path, "-q").stderr.splitlines()
    assert len(said) == 2
    assert quiet == [line for line in said if "c.txt:1: expected output" in line]


@pytest.mark.parametrize(
    "words,offers",
    [
        ("fsviz summary --operation random_", {"random_read", "random_write"}),
        ("fsviz check --select too", {"too-short", "too-few-runs"}),
        ("fsviz compare x --regime st", {"storage"}),
        ("fsviz ini", {"init"}),
    ],
)
def test_a_shell_completes_names(words, offers):
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    done = start(_FSVIZ_COMPLETE="complete_bash", **asked)
    assert offers <= set(done.stdout.split())


def test_the_manual_names_every_command(root, command_names):
    page = (root / "docs/fsviz.1").read_text()
    commands = page.partition(".SH COMMANDS")[2].partition(".SH OPTIONS")[0]
    assert (
        set(re.findall(r"^\.TP\n\.B (\w+)$", commands, re.MULTILINE)) == command_names
    )
    options = set(re.findall(r"--[a-z-]+", run("--help").stdout))
    assert options <= set(re.findall(r"--[a-z-]+", page.replace("\\-", "-")))


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_the_manual_has_no_mistakes(root):
    page = root / "docs/fsviz.1"
    done = subprocess.run(
        ["groff", "-man", "-ww", "-z", page], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""


@pytest.mark.slow
def test_the_wheel_has_its_types_and_its_manual(root, tmp_path):
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path],
        cwd=root,
        capture_output=True,
        check=True,
    )
    [wheel] = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "fsviz/py.typed" in names
    assert any(name.endswith("share/man/man1/fsviz.1") for name in names)


def test_without_its_libraries_it_says_one_line(root):
    """An interpreter without site-packages is one where nothing was installed."""
    code = "import runpy, sys; sys.argv = ['fsviz']; sys.path.insert(0, ''); "
    code += f"sys.path.insert(1, {str(root)!r}); "
    code += "runpy.run_module('fsviz', run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert re.fullmatch(
        r"fsviz: \w+ is not installed: python -m pip install fsviz\n", done.stderr
    )


def test_what_is_not_ours_gets_no_advice():
    assert how_to_install("nonsense") == ""
    assert how_to_install("kaleido.scopes").endswith("'fsviz[pdf]'")
