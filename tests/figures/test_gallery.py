"""The gallery is executed: every kind draws, on the sample campaign."""

import re

import nbformat
import pytest

from fsviz.figures.plot import KINDS
from fsviz.report.execute import execute

MIMETYPE = "application/vnd.plotly.v1+json"


@pytest.fixture(scope="module")
def gallery(root, tmp_path_factory):
    output = tmp_path_factory.mktemp("gallery") / "gallery.ipynb"
    source = str(root / "data/raw/loopback-2026")
    return execute(root / "notebooks/gallery.ipynb", output, {"source": source})


def figures(notebook):
    outputs = [o for cell in notebook.cells for o in cell.get("outputs", ())]
    return [o["data"][MIMETYPE] for o in outputs if MIMETYPE in o.get("data", {})]


@pytest.mark.slow
def test_every_kind_is_in_it(root, gallery):
    text = (root / "notebooks/gallery.ipynb").read_text(encoding="utf-8")
    for kind in KINDS:
        assert f'\\"{kind}\\"' in text
    drawing = [
        c for c in gallery.cells if c.cell_type == "code" and "plot(" in c.source
    ]
    assert len(figures(gallery)) == len(drawing) == 18


@pytest.mark.slow
def test_every_figure_has_title_caption_alt_and_data(gallery):
    for figure in figures(gallery):
        layout = figure["layout"]
        assert layout["title"]["text"].startswith("<b>")
        assert layout["meta"]["caption"].endswith(".")
        assert len(layout["meta"]["alt"]) > 20
        assert figure["data"]


@pytest.mark.slow
def test_every_axis_of_values_states_its_unit(gallery):
    for figure in figures(gallery):
        titles = [
            axis["title"]["text"]
            for name, axis in figure["layout"].items()
            if name[:5] in ("xaxis", "yaxis") and axis.get("title", {}).get("text")
        ]
        # of a ratio it stands at each tick
        titles += figure["layout"].get("xaxis", {}).get("ticktext", ())
        unit = re.compile(r"\[|×|^(?:[GMK]iB/s|op/s|m?s|µs|%)\b")
        stated = any(unit.search(title) for title in titles)
        assert stated or "coloraxis" in figure["layout"]


def test_it_is_stored_without_outputs(root):
    notebook = nbformat.read(root / "notebooks/gallery.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells)
