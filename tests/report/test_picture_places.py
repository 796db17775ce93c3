"""Where the picture stands on the first screen, and that no text covers another."""

import pytest
from browser import opened, wait_until

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
