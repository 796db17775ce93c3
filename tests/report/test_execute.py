"""The kernel of a process: how it is reached, and that a notebook leaves nothing."""

import json

import nbformat
import pytest

from fsviz.report import _kernel
from fsviz.report.execute import ReportError, execute


@pytest.mark.parametrize("name, transport", [("run", "ipc"), ("long" * 30, None)])
def test_kernels_open_no_port_where_a_socket_of_ours_will_do(tmp_path, name, transport):
    """A port that was free a moment ago was another program's: no page."""
    found = _kernel._config(f"/tmp/{name}").get("KernelManager", {})
    assert found.get("transport") == transport


def outputs(folder, *sources):
    """What the cells of a notebook print."""
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    path = folder / "n.ipynb"
    path.write_text(json.dumps(nbformat.v4.new_notebook(cells=cells)))
    done = execute(path, folder / "done.ipynb", {})
    return [
        "".join(output.get("text", "") for output in cell.outputs)
        for cell in done.cells
        if cell.source in sources
    ]


@pytest.fixture
def no_kernel():
    yield
    _kernel.end_kernel()


@pytest.mark.slow
def test_notebooks_share_a_kernel_and_no_variable(tmp_path, monkeypatch, no_kernel):
    number = "import os; print(os.getpid(), os.getcwd()); a = 1"
    monkeypatch.chdir(tmp_path)
    (first,) = outputs(tmp_path, number)
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    second, left = outputs(
        tmp_path, number.removesuffix("; a = 1"), "print('a' in dir())"
    )
    assert first.split()[0] == second.split()[0]
    # a notebook without parameters runs where it is, wherever the caller is
    assert second.split()[1] == first.split()[1] == str(tmp_path)
    assert left == "False\n"
    with pytest.raises(ReportError, match="cell 1 stopped with KeyError"):
        outputs(tmp_path, "raise KeyError()")
    with pytest.raises(ReportError, match="the kernel failed"):
        outputs(tmp_path, "import os; os._exit(3)")
    assert outputs(tmp_path, "print(5)") == ["5\n"]
