"""Where the picture stands on the first screen, and that no text covers another."""

import pytest
from browser import opened, wait_until
from samples import loaded

from fsviz.figures.export import save
from fsviz.figures.plot import plot

pytestmark = [pytest.mark.browser, pytest.mark.slow]
BOTH = ("loopback-2026", "onehost-2026")
SHOWN = "document.querySelector('.tab-panel:not([hidden]) .fsviz-plot')"
PLACES = f"""() => {{
  const gd = {SHOWN}, L = gd._fullLayout, box = gd.getBoundingClientRect();
  const low = (axis) => box.top + axis._offset + axis._length;
  return {{ top: box.top, maps: Math.max(low(L.yaxis), low(L.yaxis2)),
    bottom: box.bottom, wide: box.width }};
}}"""
# what covers another by more than a pixel; the ends of lines may lie on their lines
COVERED = f"""() => {{
  const seen = [...{SHOWN}.querySelectorAll(".main-svg text")]
    .filter((text) => text.textContent.trim() && text.checkVisibility())
    .map((text) => [text.textContent, text.getBoundingClientRect()])
    .filter(([, box]) => box.width > 1);
  const apart = (p, q) => p.right - 1 < q.left || q.right - 1 < p.left
    || p.bottom - 2 < q.top || q.bottom - 2 < p.top;
  return seen.flatMap(([a, p], n) => seen.slice(n + 1)
    .filter(([, q]) => !apart(p, q)).map(([b]) => `${{a}} | ${{b}}`));
}}"""
CUT = f"""() => {{
  const edge = {SHOWN}.getBoundingClientRect();
  return [...{SHOWN}.querySelectorAll(".main-svg text")]
    .filter((text) => text.textContent.trim() && text.checkVisibility())
    .filter((text) => {{
      const {{ left, right, width }} = text.getBoundingClientRect();
      return width > 1 && (left < edge.left - 1 || right > edge.right + 1);
    }})
    .map((text) => text.textContent);
}}"""
BEYOND = "document.documentElement.scrollWidth - innerWidth"


def shown(watched):
    wait_until(watched.page, f"{SHOWN}?._fullLayout?.xaxis")
    wait_until(watched.page, "document.querySelector('.fsviz-readout b')")
    return watched.page


@pytest.mark.parametrize("campaign", BOTH)
def test_both_maps_stand_on_the_first_screen(reports, chromium, campaign):
    out, _ = reports(*BOTH)
    with opened(chromium, out / campaign / "iozone.html", (1280, 900)) as watched:
        places = shown(watched).evaluate(PLACES)
    assert places["top"] <= 450
    assert places["maps"] < 900
    assert places["bottom"] <= 960


@pytest.mark.parametrize("width", [390, 768, 1280, 1920])
@pytest.mark.parametrize("campaign", BOTH)
def test_no_text_covers_another(reports, chromium, campaign, width):
    out, _ = reports(*BOTH)
    with opened(chromium, out / campaign / "iozone.html", (width, 1000)) as watched:
        page = shown(watched)
        assert page.evaluate(BEYOND) <= 0
        assert page.evaluate(COVERED) == []
        assert page.evaluate(CUT) == []
        if width == 1920:
            assert page.evaluate(PLACES)["wide"] > 1600
        assert not watched.errors


# of each panel: its middle, whether that is seen, and how many marks it has
PANELS = f"""() => {{
  const gd = {SHOWN}, L = gd._fullLayout, box = gd.getBoundingClientRect();
  const area = box.height - L._size.t - L._size.b;
  const seen = (name, [low, high]) => {{
    const y = box.top + L._size.t + (1 - (low + high) / 2) * area;
    const shown = gd.contains(document.elementFromPoint(box.width / 2, y));
    return [name, shown];
  }};
  return Object.fromEntries([["Ratios", L.yaxis.domain], ["Values", L.yaxis2.domain],
    ["Surface", L.scene.domain.y], ["Slices", L.yaxis3.domain]]
    .map(([name, domain]) => seen(name, domain)));
}}"""
MARKS = f"""() => [...{SHOWN}.querySelectorAll("[data-mark]")]
  .map((mark) => [mark.dataset.mark, mark.getBoundingClientRect()])
  .filter(([, {{ width }}]) => width).map(([name]) => name)"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_telephone_shows_one_panel_at_a_time(reports, chromium, scheme):
    out, _ = reports(*BOTH)
    path = out / "onehost-2026/iozone.html"
    with opened(chromium, path, (390, 900)) as watched:
        page = watched.page
        page.emulate_media(color_scheme=scheme)
        page.reload()
        page = shown(watched)
        figure = page.locator(".tab-panel:visible .fsviz-figure").first
        figure.evaluate("one => one.scrollIntoView()")
        said = figure.locator(".fsviz-readout").inner_text()
        title = page.evaluate(f"{SHOWN}.layout.title.text")
        heading = figure.locator(".fsviz-panels p").inner_text()
        assert heading.startswith("rewrite: btrfs 2.14× slower")
        assert len(heading) > len(title) - 20
        names = ["Ratios", "Values", "Surface", "Slices"]
        figure.get_by_role("radio", name="Ratios").focus()
        for chosen in names:
            wait_until(page, f"({PANELS})().{chosen}")
            panels = page.evaluate(PANELS)
            assert [name for name in names if panels[name]] == [chosen]
            # what is marked and what is said of it stay
            marks = set(page.evaluate(MARKS))
            assert marks >= {"map", "map2", "record", "file"}
            assert ("scene2" in marks) >= (chosen == "Surface")
            readout = figure.locator(".fsviz-readout")
            assert readout.inner_text() == said
            box = readout.bounding_box()
            assert 0 < box["y"] < box["y"] + box["height"] <= 900
            page.keyboard.press("ArrowRight")
        # the same panel of another test; all of them on paper and in a wide window
        page.keyboard.press("ArrowLeft")
        page.locator("#tab-of-write").click()
        figure = page.locator(".tab-panel:visible .fsviz-figure").first
        figure.evaluate("one => one.scrollIntoView()")
        wait_until(page, f"{SHOWN}?._fullLayout?.xaxis && ({PANELS})().Slices")
        assert figure.get_by_role("radio", name="Slices").is_checked()
        page.emulate_media(media="print")
        assert figure.locator(".fsviz-panels").is_hidden()
        clipped = f"getComputedStyle({SHOWN}).clipPath"
        assert page.evaluate(clipped) == "none"
        page.emulate_media(media="screen")
        assert page.evaluate(clipped) != "none"
        page.set_viewport_size({"width": 768, "height": 900})
        assert figure.locator(".fsviz-panels").is_hidden()
        assert page.evaluate(clipped) == "none"
        assert not watched.errors


def test_a_telephone_shows_the_menu_of_a_figure_that_stands_alone(
    root, chromium, tmp_path
):
    figure = plot(loaded(root / "data/raw/onehost-2026"), "explorer", "write")
    save(figure, path := tmp_path / "figure.html")
    with opened(chromium, path, (390, 900)) as watched:
        page = watched.page
        menu = page.locator(".updatemenu-header").first
        menu.wait_for(state="visible")
        panels = page.locator(".fsviz-panels").bounding_box()
        assert menu.bounding_box()["y"] >= panels["y"] + panels["height"]
        assert (
            page.locator(".gtitle").evaluate("one => getComputedStyle(one).visibility")
            == "hidden"
        )
        assert not watched.errors
