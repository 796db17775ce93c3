"""Figures in notebooks: data for JupyterLab, and a page's piece for nbconvert."""

import base64
import gzip
import re
import subprocess
import sys

import nbformat
import pytest

from fsviz.report.html import FsvizHTMLExporter

DATA = "application/vnd.plotly.v1+json"
CODE = """import fsviz
campaign = fsviz.load({source!r})
for kind, system in {kinds!r}:
    display(fsviz.plot(campaign, kind, "write", system=system))"""
ELSEWHERE = re.compile(r"<(?:script|link|img)[^>]* (?:src|href)=\"?https?:")


def executed(root, folder, kinds):
    """What a kernel puts out, as `jupyter nbconvert --execute` keeps it."""
    source = str(root / "data/raw/onehost-2026")
    cell = nbformat.v4.new_code_cell(CODE.format(source=source, kinds=kinds))
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), folder / "n.ipynb")
    command = ["-m", "jupyter", "nbconvert", "--to", "notebook", "--execute", "n.ipynb"]
    subprocess.run(
        [sys.executable, *command, "--output", "done.ipynb"], cwd=folder, check=True
    )
    notebook = nbformat.read(folder / "done.ipynb", as_version=4)
    return [output.data for output in notebook.cells[0].outputs]


@pytest.mark.slow
def test_jupyter_nbconvert_shows_every_figure(root, tmp_path):
    kinds = [("maps", None), ("versus", None), ("explorer", None), ("explorer", "xfs")]
    outputs = executed(root, tmp_path, kinds)
    assert [set(output) for output in outputs] == [{DATA, "text/html"}] * len(kinds)
    # plotly.js once
    first, *others = (len(output["text/html"]) for output in outputs)
    assert max(others) < 1_000_000 < first
    for output in outputs:
        assert "Plotly.newPlot" in output["text/html"]
        assert not ELSEWHERE.search(output["text/html"])
    # JupyterLab beside its list of files is too narrow for the explorer
    widths = [output[DATA]["layout"].get("width") for output in outputs]
    assert widths == [None, None, 1232, None]
    done = nbformat.read(tmp_path / "done.ipynb", as_version=4)
    page, _ = FsvizHTMLExporter().from_notebook_node(done)
    shown = [
        gzip.decompress(base64.b64decode(data))
        for data in re.findall(r'data-packed="gzip"[^>]*>([^<]+)<', page)
    ]
    assert [b'"width":1232' in data for data in shown] == [False] * len(kinds)
    command = ["-m", "jupyter", "nbconvert", "--to", "html", "done.ipynb"]
    subprocess.run([sys.executable, *command], cwd=tmp_path, check=True)
    page = (tmp_path / "done.html").read_text(encoding="utf-8")
    assert page.count("Plotly.newPlot(") >= len(kinds)


@pytest.mark.slow
def test_a_renderer_that_is_chosen_stays(root, tmp_path, monkeypatch):
    monkeypatch.setenv("PLOTLY_RENDERER", "plotly_mimetype")
    (output,) = executed(root, tmp_path, [("maps", None)])
    assert set(output) == {DATA}


def test_without_a_kernel_plotly_stays_as_it_is():
    program = """
import sys, fsviz
import fsviz.figures.style
assert not {"IPython", "plotly.io._renderers"} & set(sys.modules), "imported"
"""
    subprocess.run([sys.executable, "-c", program], check=True)
