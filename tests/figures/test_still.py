"""The picture that a figure's notebook output carries for programs without plotly."""

import json
import re
import subprocess
import sys
from xml.etree import ElementTree as ET

import nbformat
import plotly.io
import pytest
from IPython.core.formatters import DisplayFormatter
from nbconvert import HTMLExporter
from samples import loaded

import fsviz
from fsviz.figures.kinds import KINDS
from fsviz.figures.plot import plot
from fsviz.figures.still import MIMETYPE, still

SVG = "{http://www.w3.org/2000/svg}"
DATA = "application/vnd.plotly.v1+json"


@pytest.fixture
def shown(monkeypatch):
    """What IPython puts out for a figure, as it does in a notebook."""
    monkeypatch.setattr(plotly.io.renderers, "default", "plotly_mimetype")
    return lambda figure: DisplayFormatter().format(figure)[0]


def words(picture):
    return [
        "".join(text.itertext()) for text in ET.fromstring(picture).iter(f"{SVG}text")
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_puts_out_data_and_a_picture(root, shown, kind):
    campaign = loaded(root / "data/raw/onehost-2026")
    if kind == "scaling":  # of throughput mode
        campaign = fsviz.read(root / "tests/data/iozone/3.414/v414_thr.txt")
    bundle = shown(plot(campaign, kind))
    assert set(bundle) == {"text/plain", DATA, MIMETYPE}
    # not the whole figure as Python
    assert len(bundle["text/plain"]) < 1000
    picture = ET.fromstring(bundle[MIMETYPE])
    marks = [
        e for e in picture.iter() if e.tag[len(SVG) :] in ("path", "circle", "rect")
    ]
    # more than the ground of the picture
    assert len(marks) > 1
    assert len(words(bundle[MIMETYPE])) > 3


def test_the_cells_of_a_map_stand_where_plotly_puts_them(root):
    """By hand: xfs over ext4; file sizes grow upwards, record sizes to the right."""
    campaign = loaded(root / "data/raw/onehost-2026")
    figure = json.loads(
        plot(campaign, "maps", "write", systems=["ext4", "xfs"]).to_json()
    )
    cells = [t for t in figure["data"] if t["type"] == "heatmap"]
    measured = sum(v is not None for t in cells for row in t["z"] for v in row)
    picture = still(figure)
    boxes = [p.get("d") for p in ET.fromstring(picture).iter(f"{SVG}path")]
    # one rectangle a cell: to the right, down, back
    drawn = sum(len(re.findall(r"M\d+ \d+h\d+v-?\d+h-\d+z", d)) for d in boxes)
    assert drawn == measured
    assert {"write", "ext4 [values]", "xfs"} & set(words(picture)) >= {"xfs"}


def test_labels_of_two_lines_above_a_heatmap_end_above_it(root):
    figure = plot(loaded(root / "data/raw/onehost-2026"), "overview")
    picture = ET.fromstring(still(json.loads(figure.to_json())))
    rule = next(
        line
        for line in picture.iter(f"{SVG}line")
        if line.get("y1") == line.get("y2")  # the axis on top
    )
    labels = [t for t in picture.iter(f"{SVG}text") if len(list(t)) == 2]
    above = [t for t in labels if t.get("text-anchor") == "middle"]
    assert "randomread" in {"".join(t.itertext()) for t in above}
    first = [t for t in above if float(t.get("y")) < float(rule.get("y1"))]
    assert first
    for text in first:
        last = float(text.get("y")) + 1.2 * float(text.get("font-size"))
        assert last < float(rule.get("y1"))


def test_what_is_folded_has_words_instead_of_a_picture(root, shown):
    """The maps above it have the same cells; a picture of each doubles a notebook."""
    figure = plot(loaded(root / "data/raw/onehost-2026"), "versus", "write", maps=False)
    figure.layout.meta |= {"folded": "Surfaces"}
    bundle = shown(figure)
    assert set(bundle) == {"text/plain", DATA}
    assert "xfs is faster in" in bundle["text/plain"]


def test_a_picture_shows_markup_as_text_and_loads_nothing():
    bad = "<image href='http://x/'/>&\u202e"
    figure = {
        "data": [
            {"type": "scatter", "x": [1], "y": [1], "name": bad, "text": [bad]}
            | {"mode": "markers+text", "marker": {"color": '"/><script>'}}
        ],
        "layout": {"title": {"text": bad}, "xaxis": {"title": {"text": bad}}}
        | {"yaxis": {}, "meta": {"alt": bad, "caption": bad}},
    }
    tags = {e.tag[len(SVG) :] for e in ET.fromstring(still(figure)).iter()}
    assert tags <= {
        "svg",
        "title",
        "rect",
        "line",
        "circle",
        "text",
        "tspan",
        "path",
        "g",
    }


def test_plain_nbconvert_shows_a_picture(root, shown):
    campaign = loaded(root / "data/raw/onehost-2026")
    cell = nbformat.v4.new_code_cell("figure")
    data = shown(plot(campaign, "maps", "write"))
    cell.outputs = [nbformat.v4.new_output("display_data", data=data)]
    notebook = nbformat.v4.new_notebook(cells=[cell])
    page, _ = HTMLExporter().from_notebook_node(notebook)
    assert page.count('data-mime-type="image/svg+xml"') == 1
    assert "cdn.plot.ly" not in page


@pytest.mark.slow
def test_jupyter_nbconvert_keeps_every_figure(root, tmp_path):
    source = root / "data/raw/onehost-2026"
    code = f"""import fsviz
campaign = fsviz.load({str(source)!r})
for kind in ("maps", "versus", "explorer"):
    display(fsviz.plot(campaign, kind, "write"))"""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    nbformat.write(notebook, tmp_path / "n.ipynb")
    command = ["-m", "jupyter", "nbconvert", "--to", "html", "--execute", "n.ipynb"]
    subprocess.run([sys.executable, *command], cwd=tmp_path, check=True)
    page = (tmp_path / "n.html").read_text(encoding="utf-8")
    assert page.count('data-mime-type="image/svg+xml"') == 3
    assert "cdn.plot.ly" not in page
