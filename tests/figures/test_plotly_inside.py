"""What we use of plotly.js and it does not document is there, and in one script."""

import re
from pathlib import Path

import pytest
from browser import opened, wait_until
from browsing import write_page
from samples import loaded

import fsviz
from tests.checks.outputs import ONEHOST

ROOT = Path(fsviz.__file__).parent
INSIDE = ROOT / "figures/js/inside.js"

CONTRACT = {
    "gd._fullData": "Array.isArray(it) && it.length > 0",
    "gd._fullLayout": "typeof it === 'object'",
    "gd._fullLayout.xaxis._length": "it > 0",
    "gd._fullLayout.xaxis._offset": "it > 0",
    "gd._fullLayout.xaxis.d2p(20)": "Number.isFinite(it)",
    "gd._fullLayout.scene._scene": "it !== null",
    "scene.container.getBoundingClientRect()": "it.width > 100",
    "scene.glplot.cameraParams.projection": "it.length === 16",
    "scene.glplot.cameraParams.view": "it.length === 16",
    "scene.glplot.cameraParams.model": "it.length === 16",
    "scene.dataScale": "it.length === 3",
    "scene.fullSceneLayout.zaxis.range": "it.length === 2",
    "scene.fullSceneLayout.zaxis.d2l(5)": "Number.isFinite(it)",
    "scene.fullSceneLayout.zaxis.r2l(5)": "Number.isFinite(it)",
    "scene.getCamera()": "Object.keys(it).join() === 'up,center,eye,projection'",
    "scene.setViewport": "typeof it === 'function'",
    "scene.toImage('png')": "it.startsWith('data:image/png')",
    "scene.glplot.canvas": "it instanceof HTMLCanvasElement",
    "scene.glplot.gl": "it instanceof WebGLRenderingContext",
    "Plotly.Snapshot.getRedrawFunc": "typeof it === 'function'",
    "Plotly.Snapshot.toSVG": "typeof it === 'function'",
    "Plotly.Snapshot.svgToImg": "typeof it === 'function'",
    "gd.querySelector('.svg-container')": "it !== null",
    "gd.querySelector('.gl-container')": "it !== null",
}
"""What we use, and what must be true of it."""

MOVED = """(contract) => {
  const gd = document.getElementById("figure-1");
  const scene = gd._fullLayout?.scene?._scene;
  const holds = ([what, is]) => {
    try {
      return new Function("gd", "scene", `const it = ${what}; return ${is}`)(gd, scene);
    } catch { return false; }
  };
  return Object.entries(contract).filter((one) => !holds(one)).map(([what]) => what);
}"""


@pytest.mark.browser
def test_what_plotly_does_not_document_is_where_it_was(tmp_path, chromium):
    figure = fsviz.plot(loaded(ONEHOST), "explorer", "write")
    path = write_page(tmp_path / "page.html", [figure])
    # a policy lets nothing be compiled, as the test does
    path.write_text(re.sub(r"<meta http-equiv=[^>]*>", "", path.read_text()))
    with opened(chromium, path, (1280, 900)) as watched:
        page = watched.page
        gd = "document.getElementById('figure-1')"
        wait_until(page, f"{gd}?._fullLayout?.scene?._scene?.glplot")
        assert page.evaluate(MOVED, CONTRACT) == []
        # what has moved is named
        page.evaluate(f"() => {{ delete {gd}._fullData; }}")
        assert page.evaluate(MOVED, CONTRACT) == ["gd._fullData"]


def test_no_other_script_reads_what_plotly_does_not_document():
    private = re.compile(
        r"\._[a-z]\w*|\bglplot\b|fullSceneLayout|Plotly\.Snapshot|\.(?:svg|gl)-container"
    )
    code = re.compile(r"^\s*//.*|`[^`]*`", re.MULTILINE)  # rules of styles are in `…`
    used = {
        path.name: private.findall(code.sub("", path.read_text()))
        for path in ROOT.rglob("*.js")
        if path != INSIDE
    }
    assert {name: found for name, found in used.items() if found} == {}
    # and the contract speaks of all that the one script reads
    text = INSIDE.read_text()
    names = set(re.findall(r"\._[a-z]\w*", text))
    assert names == {n for one in CONTRACT for n in re.findall(r"\._[a-z]\w*", one)}
