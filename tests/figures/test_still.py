"""The picture that a figure's notebook output carries for programs without plotly."""

import base64
import json
import re
import subprocess
import sys
import warnings
from xml.etree import ElementTree as ET

import nbformat
import pandas as pd
import plotly.io
import pytest
from compared import compare
from IPython.core.formatters import DisplayFormatter
from nbconvert import HTMLExporter
from samples import loaded

import fsviz
from fsviz.figures.export import to_html
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


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_puts_out_data_and_a_picture(root, shown, kind):
    campaign = loaded(root / "data/raw/onehost-2026")
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
        plot(campaign, "maps", "write", system=["ext4", "xfs"]).to_json()
    )
    cells = [t for t in figure["data"] if t["type"] == "heatmap"]
    measured = sum(v is not None for t in cells for row in t["z"] for v in row)
    picture = still(figure)
    boxes = [p.get("d") for p in ET.fromstring(picture).iter(f"{SVG}path")]
    # one rectangle a cell: to the right, down, back
    drawn = sum(len(re.findall(r"M\d+ \d+h\d+v-?\d+h-\d+z", d)) for d in boxes)
    assert drawn == measured
    assert {"write", "ext4 [values]", "xfs"} & set(words(picture)) >= {"xfs"}


@pytest.mark.slow
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
    assert "randomwrite" in {"".join(t.itertext()) for t in above}
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


# By hand: what stands where, and in which colour


def drawn(traces, **layout):
    axes = {"xaxis": {"range": [0, 10]}, "yaxis": {"range": [0, 10]}}
    return ET.fromstring(still({"data": traces, "layout": axes | layout}))


def fills(picture):
    return [p.get("fill") for p in picture.iter(f"{SVG}path")]


def heatmap(*values, **more):
    scale = [[0, "#000000"], [0.5, "#808080"], [1, "rgb(255, 0, 0)"]]
    layout = {"coloraxis": {"colorscale": scale, "cmin": 0, "cmax": 4} | more}
    trace = {"type": "heatmap", "z": [list(values)], "coloraxis": "coloraxis"}
    return fills(drawn([trace], **layout))


def test_colours_of_a_scale_are_mixed_between_its_steps():
    assert heatmap(0, 1, 2, 3, 4) == [
        *["#000000", "#404040", "#808080", "#c04040", "#ff0000"]
    ]
    # beyond the ends it is the end, and what is missing has none
    assert heatmap(-9, 99, None, float("nan")) == ["#000000", "#ff0000"]
    # cells of one colour are one path
    assert heatmap(1, 1, 1.01) == ["#404040"]
    assert heatmap(1, 2, colorscale=()) == ["#9aa5b1"]
    assert heatmap(0, 4, cmin=None) == ["#000000", "#ff0000"]
    assert heatmap(5, 5, cmin=None, cmax=None) == ["#000000"]
    assert heatmap(4, colorscale=[[0, "#000000"], [0.5, "#123456"]]) == ["#123456"]


def test_zero_has_no_place_on_a_logarithmic_axis():
    dots = {"type": "scatter", "mode": "markers", "x": [0.0, 1.0, 100.0, -1.0]}
    dots |= {"y": [5, 5, 5, 5], "marker": {"color": "#123456"}}
    log = {"xaxis": {"range": [0, 2], "type": "log"}}
    (path,) = (
        p for p in drawn([dots], **log).iter(f"{SVG}path") if p.get("fill") == "#123456"
    )
    assert path.get("d").count("M") == 2
    # a line is broken at the value that has no place
    line = dots | {"mode": "lines", "x": [1.0, 0.0, 100.0, 10.0]}
    line |= {"line": {"color": "#123456"}}
    for axes, shape in (({}, "MLLL"), (log, "MML")):
        (path,) = (
            p
            for p in drawn([line], **axes).iter(f"{SVG}path")
            if p.get("stroke") == "#123456"
        )
        assert re.sub(r"[\d. ]", "", path.get("d")) == shape


def legend(*traces, **layout):
    named = [
        {"type": "scatter", "x": [1], "y": [1], "mode": "markers"} | trace
        for trace in traces
    ]
    picture = still({"data": named, "layout": {"xaxis": {}, "yaxis": {}} | layout})
    return [word for word in words(picture) if word.startswith("key ")]


def test_the_legend_names_what_it_is_asked_to_name():
    one, other = {"name": "key one"}, {"name": "key two"}
    assert legend(one, other) == ["key one", "key two"]
    assert legend(one, other, showlegend=False) == []
    assert legend(one, other | {"showlegend": False}) == ["key one"]
    assert legend(one, other | {"visible": False}) == ["key one"]


def test_lines_have_a_legend(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    figure = plot(campaign, "lines", "write", x="time")
    assert figure.layout.showlegend is True
    named = [t.name for t in figure.data if t.showlegend is not False]
    assert named == ["ext4", "xfs", "btrfs"]
    assert {"ext4", "xfs", "btrfs"} <= set(words(still(json.loads(figure.to_json()))))


@pytest.mark.slow
def test_plain_nbconvert_shows_each_figure_with_its_unit_colours_and_key(shown):
    """`jupyter nbconvert --to html`, which people type: no script, no plotly."""
    v4 = nbformat.v4
    campaign = loaded("data/raw/onehost-2026")
    marks = fsviz.cell_marks(fsviz.run_checks(campaign))
    figures = [
        plot(campaign, "explorer", "read", marks=marks),
        plot(campaign, "maps", "read", marks=marks),
    ]
    outputs = [v4.new_output("display_data", data=shown(figure)) for figure in figures]
    notebook = v4.new_notebook(cells=[v4.new_code_cell("", outputs=outputs)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        page, _ = HTMLExporter().from_notebook_node(notebook)
    pictures = [
        base64.b64decode(text).decode()
        for text in re.findall(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)", page)
    ]
    explorer, maps = (text for text in pictures if "fsviz" in text)
    assert "throughput [GiB/s]" in explorer
    assert "≥5.54" in explorer
    assert "record size:" in explorer
    assert "▲ faster" in maps
    assert "≥▲" in maps
    for text in (explorer, maps):
        # a bar has as many colours as cells can have
        assert len(re.findall(r'<rect [^>]*width="14"', text)) >= 40
        assert "\\x" not in text
        assert "\\u" not in text


@pytest.mark.slow
def test_what_only_a_page_reads_is_packed_in_a_notebook(shown):
    campaign = fsviz.select(loaded("data/raw/onehost-2026"), operation=["write"])
    known = pd.concat(
        compare(campaign, baseline=name, cells=True) for name in ("ext4", "xfs")
    )
    figure = plot(campaign, "maps", "write", comparison=known)
    packed = shown(figure)[DATA]["layout"]["meta"]["pairs"]
    whole = json.loads(figure.to_json())["layout"]["meta"]["pairs"]
    assert 2 * len(packed) < len(json.dumps(whole))
    page = to_html(shown(figure)[DATA], "figure-1", plain=True)
    (data,) = re.findall(r'data-figure="figure-1">(.*?)</script>', page, re.DOTALL)
    assert json.loads(data)["layout"]["meta"]["pairs"] == whole
