"""A folder of results may hold code; nothing in it runs."""

import os
import subprocess
import sys

import pytest
from program import python, start

ELSE = (
    *("numpy", "pandas", "plotly", "papermill", "ipykernel", "IPython", "fsviz"),
    *("nbconvert", "nbformat", "jinja2", "scipy", "pyarrow", "pydantic", "kaleido"),
    *("choreographer", "logistro", "typing_extensions", "readline"),
    *("sitecustomize", "usercustomize", "ipython_config", "ipython_kernel_config"),
    *("jupyter_config", "jupyter_nbconvert_config", "conftest", "traitlets_config"),
)


@pytest.fixture
def trapped(one_system):
    """A campaign among whose results lies a module of every name."""
    marker = one_system.parent / "executed"
    for name in {*sys.stdlib_module_names, *ELSE}:
        if name != "antigravity":
            code = f"open({str(marker)!r}, 'a').write({name!r} + ' ')\n"
            (one_system / f"{name}.py").write_text(code)
    # else reading would complain of each, and no report would be made
    (one_system / "campaign.toml").write_text(
        '[[system]]\nname = "nfs"\nfiles = ["nfs/*.txt"]\n'
    )
    return one_system, marker


def run(folder, *arguments):
    done = start(*arguments, cwd=folder)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_report_runs_no_code_of_the_current_folder(trapped, tmp_path, jobs):
    folder, marker = trapped
    run(folder, "report", ".", "-o", str(tmp_path / "out"), "--jobs", jobs)
    assert (tmp_path / "out/timings/rsync.html").is_file()
    assert not marker.exists(), marker.read_text()


@pytest.mark.slow
def test_pages_run_no_code_of_the_current_folder(trapped, tmp_path, root):
    folder, marker = trapped
    notebook = tmp_path / "notebooks/rsync.ipynb"
    notebook.parent.mkdir()
    text = (root / "notebooks/rsync.ipynb").read_text()
    notebook.write_text(text.replace("data/raw/loopback-2026", str(folder)))
    run(folder, "report", str(notebook), "-o", str(tmp_path / "out"))
    assert (tmp_path / "out/notebooks/rsync.html").is_file()
    assert not marker.exists(), marker.read_text()


@pytest.mark.slow
@pytest.mark.browser
def test_printing_runs_no_code_of_the_current_folder(trapped, tmp_path):
    folder, marker = trapped
    run(folder, "report", ".", "-o", str(tmp_path / "out"), "--to", "pdf")
    assert (tmp_path / "out/timings/rsync.pdf").is_file()
    run(folder, "plot", ".", "--kind", "lines", "-o", str(tmp_path / "x.svg"))
    assert not marker.exists(), marker.read_text()


@pytest.mark.slow
def test_run_as_a_module_it_keeps_the_folder_off_the_path(trapped, tmp_path):
    folder, marker = trapped
    done = python("-P", "-m", "fsviz", "summary", ".", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert not marker.exists(), marker.read_text()
    # a report in this process tells its children to keep away from the folder
    plain = {k: v for k, v in os.environ.items() if k != "PYTHONSAFEPATH"}
    # before fsviz is asked, Python looks in the folder for what -m itself needs
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "bare.py").write_text("import sys; print(*sys.modules)")
    asked = subprocess.run(
        [sys.executable, "-m", "bare"],
        cwd=bare,
        env=plain,
        capture_output=True,
        check=True,
        text=True,
    ).stdout.split()
    for path in folder.glob("*.py"):
        if path.stem in {"fsviz", *(name.partition(".")[0] for name in asked)}:
            path.unlink()
    subprocess.run(
        [sys.executable, "-m", "fsviz", "summary", "."],
        cwd=folder,
        env=plain,
        capture_output=True,
        check=True,
    )
    late = {"pandas", "numpy", "typer", "selectors", "pydantic", "scipy"}
    said = set(marker.read_text().split()) if marker.exists() else set()
    assert not said & late
