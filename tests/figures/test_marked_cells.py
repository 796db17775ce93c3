"""What cells say of themselves: beyond the ends of the colours, or with a warning."""

import math
import re

import pytest
from browser import opened, wait_until
from browsing import write_page

import fsviz
from fsviz.figures.panels.heatmap import BEYOND
from tests.checks.outputs import LOOPBACK, ONEHOST, loaded


def drawn(source, operation):
    campaign = loaded(source)
    marks = fsviz.cell_marks(fsviz.run_checks(campaign))
    return fsviz.explorer(campaign, operation=operation, marks=marks)


@pytest.mark.slow
@pytest.mark.parametrize("source, operation", [(ONEHOST, "read"), (LOOPBACK, "write")])
def test_cells_beyond_the_colours_are_hatched_and_the_end_says_so(source, operation):
    figure = drawn(source, operation)
    axis = figure.layout.coloraxis
    assert axis.colorbar.tickvals[-1] == pytest.approx(axis.cmax, rel=1e-4)
    assert axis.colorbar.ticktext[-1].startswith("≥")
    assert "Hatched" in figure.layout.meta["caption"]
    maps = [t for t in figure.data if t.type == "heatmap"]
    hatched = [t for t in figure.data if t.name == BEYOND]
    assert sum(len(t.x) for t in hatched) > 0
    for values, over in zip(maps, hatched, strict=True):
        beyond = {
            (x, y)
            for y, row in zip(values.y, values.z, strict=True)
            for x, z in zip(values.x, row, strict=True)
            if z is not None and z > axis.cmax
        }
        corners = zip(over.x[::5], over.y[::5], strict=True)
        assert {(round(x + 0.48), round(y + 0.48)) for x, y in corners} == beyond


def test_colours_that_hold_every_value_are_not_cut():
    figure = drawn(ONEHOST, "write")
    assert not [t for t in figure.data if t.name == BEYOND]
    assert "Hatched" not in figure.layout.meta["caption"]


OWN = """() => {
  const { whole } = fsvizPage.entries[0];
  const { data, layout } = fsvizChosen(whole, { system: "ext4", scale: "own" });
  const shown = data.filter((t) => t.visible && t.type === "heatmap");
  const { cmax, colorbar } = layout.coloraxis;
  return {
    cmax,
    top: Math.max(...shown[0].z.flat()),
    ticks: colorbar.ticktext ?? null,
    hatched: data.filter((t) => t.visible && t.name === "beyond the colours").length,
  };
}"""


@pytest.mark.slow
@pytest.mark.browser
def test_on_its_own_scale_a_system_has_nothing_beyond(tmp_path, chromium):
    path = write_page(tmp_path / "page.html", [drawn(ONEHOST, "read")])
    with opened(chromium, path) as watched:
        own = watched.page.evaluate(OWN)
    assert math.isclose(own["cmax"], own["top"], rel_tol=1e-3)
    assert own["ticks"] is None
    assert own["hatched"] == 0


@pytest.mark.slow
@pytest.mark.browser
def test_warnings_are_marked_on_demand(tmp_path, chromium):
    one = fsviz.select(loaded(ONEHOST), system=["ext4"])
    marks = fsviz.cell_marks(fsviz.run_checks(one))
    figure = fsviz.explorer(one, operation="read", marks=marks)
    path = write_page(tmp_path / "page.html", [figure])
    with opened(chromium, path) as watched:
        page = watched.page
        wait_until(page, "document.querySelector('.warned')")
        said = page.locator("figcaption").inner_text()
        (count,) = re.search(r"Warnings \((\d+) cell", said).groups()
        marked, button = page.locator("[data-warned]"), page.locator(".warned")
        assert marked.count() == 0
        for pressed in ("true", "false"):
            button.click()
            assert marked.count() == (int(count) if pressed == "true" else 0)
            assert button.get_attribute("aria-pressed") == pressed
