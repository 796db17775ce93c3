"""A page under its policy in Chromium: figures live, slips of escaping do nothing."""

import json

import pytest
from browser import wait_until
from browsing import browsing
from frames import measurements, run

from fsviz.figures.export import page
from fsviz.figures.kinds.explorer import explorer

pytestmark = [pytest.mark.browser, pytest.mark.slow]
MIB = 2**20
CELLS = [(64, 4), (64, 16), (128, 4), (128, 16)]
SLIPS = """<img src=x onerror="document.title='owned'">
<script>document.title='owned'</script><svg onload="document.title='owned'"></svg>
<a id=slip href="javascript:document.title='owned'">x</a>
<p id=cover style="position:fixed;top:0">over</p>
<style>.fsviz-plot { position: fixed; }</style>
<iframe srcdoc="<script>parent.document.title='owned'</script>"></iframe>"""


@pytest.fixture
def written(tmp_path):
    table = measurements(
        {"a": [run(f"a{n}", [("write", f, r, MIB) for f, r in CELLS]) for n in (1, 2)]}
    )
    figure = explorer(table, operation="write")
    return tmp_path / "page.html", page(json.loads(figure.to_json()))


def test_a_figure_answers_and_is_saved(written, chromium, tmp_path):
    path, text = written
    path.write_text(text)
    with browsing(chromium) as browser:
        browser.open(path)
        shown = browser.page
        # what plotly.js writes into attributes is not refused
        assert shown.locator(".gl-container canvas").count() > 0
        browser.point_at(*browser.cell_place(4096, 65536))
        wait_until(shown, "document.querySelector('#figure-1-readout b')")
        with shown.expect_download() as download:
            shown.evaluate(
                "() => { Plotly.downloadImage('figure-1', { format: 'png' }) }"
            )
        content = download.value.path().read_bytes()
        assert content.startswith(b"\x89PNG")
        assert len(content) > 10_000
        assert browser.complaints == []
        assert browser.requests == []


def test_a_slip_of_escaping_runs_nothing(written, chromium):
    path, text = written
    path.write_text(text.replace("<script type=", SLIPS + "<script type=", 1))
    with browsing(chromium) as browser:
        browser.open(path)
        shown = browser.page
        shown.locator("#slip").click()
        browser.frames()
        assert shown.title() != "owned"
        covering = "x => getComputedStyle(x).position"
        assert shown.locator("#cover").evaluate(covering) == "static"
        assert shown.locator(".fsviz-plot").first.evaluate(covering) != "fixed"
        # each was refused by the policy, not by chance
        refused = [c for c in browser.complaints if "Content Security Policy" in c]
        assert len(refused) >= 5
