"""What users of other programs expect: -h, -q, -v, completion, a manual, py.typed."""

import re
import shutil
import tomllib

import pytest
from program import python, run, start

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
    done = start("-man", "-ww", "-z", page, program="groff")
    assert (done.returncode, done.stderr) == (0, "")


def test_without_its_libraries_it_says_one_line(root):
    """An interpreter without site-packages is one where nothing was installed."""
    code = "import runpy, sys; sys.argv = ['fsviz']; sys.path.insert(0, ''); "
    code += f"sys.path.insert(1, {str(root)!r}); "
    code += "runpy.run_module('fsviz', run_name='__main__')"
    done = python("-I", "-S", "-c", code)
    assert done.returncode == 1
    assert re.fullmatch(
        r"fsviz: this needs \w+, which is not installed: "
        r"python -m pip install fsviz\n",
        done.stderr,
    )


def test_what_is_not_ours_gets_no_advice():
    assert how_to_install("nonsense") == ""


@pytest.mark.parametrize(
    "module,package",
    [
        ("pandas", "fsviz"),
        ("plotly.graph_objects", "'fsviz[figures]'"),
        ("papermill", "'fsviz[report]'"),
        ("kaleido", "'fsviz[pdf]'"),
        ("anywidget", "'fsviz[lab]'"),
    ],
)
def test_a_missing_library_names_the_smallest_extra(module, package, monkeypatch, root):
    """From pyproject.toml: what is installed here may be of an earlier day."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]

    def flat(name):
        for line in extras[name]:
            inner = re.fullmatch(r"fsviz\[(.*)\]", line)
            own = inner[1].split(",") if inner else []
            yield from ([line] if not inner else (x for e in own for x in flat(e)))

    lines = [f"{x}; extra == '{e}'" for e in sorted(extras) for x in flat(e)]
    lines += project["dependencies"]
    monkeypatch.setattr("importlib.metadata.requires", lambda _: lines)
    assert how_to_install(module).endswith(f"python -m pip install {package}")


@pytest.mark.slow
def test_the_base_does_all_that_draws_nothing(root, tmp_path):
    """Libraries of the extras are hidden, as if they had never been installed."""
    hidden = ("plotly", "papermill", "nbconvert", "nbformat", "ipykernel", "jinja2")
    hidden += ("IPython", "anywidget", "ipywidgets", "kaleido", "jupyter_client")
    hidden += ("rocrate",)
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Hidden:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] in {hidden!r}:\n"
        "            raise ModuleNotFoundError(name, name=name)\n"
        "sys.meta_path.insert(0, Hidden())\n"
    )
    campaign = root / "data/raw/onehost-2026"
    files = [f"{s}={campaign}/iozone/{s}/rep1.txt" for s in ("ext4", "xfs")]
    for command in ("summary", "compare", "check", "best", "files"):
        done = start(command, *files, PYTHONPATH=str(tmp_path))
        assert done.returncode == 0, done.stderr
    for words, extra in (
        (("plot", campaign, "-o", tmp_path / "x.json"), "figures"),
        (("report", campaign, "-o", tmp_path / "r"), "report"),
        (("report", root / "notebooks/cases", "-o", tmp_path / "r"), "report"),
        (("bundle", campaign, "-o", tmp_path / "x.zip"), "bundle"),
    ):
        done = start(*words, PYTHONPATH=str(tmp_path))
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert done.stderr.endswith(f"pip install 'fsviz[{extra}]'\n"), done.stderr
