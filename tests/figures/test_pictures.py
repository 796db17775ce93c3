"""Pictures for papers and slides: one browser, fonts inside, themes."""

import asyncio
import base64
import html
import io
import json
import re
import subprocess

import pytest
from choreographer import Tab
from fontTools.ttLib import TTFont
from program import run
from samples import loaded

from fsviz.figures import browser
from fsviz.figures._fonts import with_fonts
from fsviz.figures.export import DARK, save, title_and_caption
from fsviz.figures.plot import plot

SVG = b'<svg width="9"><text style="font-weight: bold">Wr\xc3\xbcte &lt;</text></svg>'


def fonts_in(picture):
    found = re.findall(
        rb"font-weight:(\w+);src:url\(data:font/woff;base64,([^)]*)", picture
    )
    return {w.decode(): TTFont(io.BytesIO(base64.b64decode(data))) for w, data in found}


def test_an_svg_gets_the_letters_that_it_shows_and_no_others():
    if with_fonts(SVG) == SVG:
        pytest.skip("DejaVu Sans is not installed")
    fonts = fonts_in(with_fonts(SVG))
    assert set(fonts) == {"normal", "bold"}
    for font in fonts.values():
        characters = set(map(chr, font.getBestCmap()))
        assert set("Wrüte") <= characters <= set("Wrüte &lt;")


def test_without_the_font_a_picture_stays_as_it_is(monkeypatch):
    monkeypatch.setattr("fsviz.figures._fonts._FOLDERS", ())
    assert with_fonts(SVG) == SVG


@pytest.fixture(scope="module")
def maps(root):
    return plot(loaded(root / "data/raw/onehost-2026"), "maps", "write")


def test_what_a_paper_says_itself_is_told(maps):
    title, caption, *_ = title_and_caption(json.loads(maps.to_json())["layout"])
    assert title == "write – where, by size: against ext4"
    assert caption.startswith("First the values of the baseline")


def test_a_page_has_no_theme(root, tmp_path):
    out = tmp_path / "f.html"
    done = run("plot", "data/raw/onehost-2026", "--theme", "dark", "-o", out, cwd=root)
    assert done.returncode == 2
    assert "--theme: expected a picture (.png, .svg, .pdf)" in done.stderr


@pytest.mark.slow
@pytest.mark.browser
def test_one_browser_draws_all_pictures_of_a_process(
    maps, chromium, tmp_path, monkeypatch
):
    started = []
    really = browser._kaleido

    def counted(*page):
        started.append(1)
        return really(*page)

    monkeypatch.setattr(browser, "_kaleido", counted)
    browser.close_drawer()
    try:
        for name in ("light.svg", "paper.svg", "dark.pdf"):
            save(maps, tmp_path / name, width=900, theme=name.partition(".")[0])
        assert len(started) == 1
        browser.close_drawer()
        save(maps, tmp_path / "light.png")
        assert len(started) == 2
    finally:
        browser.close_drawer()
    light, paper = ((tmp_path / f"{n}.svg").read_text() for n in ("light", "paper"))
    assert "where, by size" in light
    assert "where, by size" not in paper
    assert 'width="900"' in light
    assert len(fonts_in(light.encode())) == 2
    for system in ("ext4", "xfs", "btrfs"):  # all as panels
        assert f">{system}" in paper
    said = subprocess.run(
        ["pdffonts", tmp_path / "dark.pdf"], capture_output=True, text=True, check=True
    ).stdout
    rows = said.splitlines()[2:]
    assert rows
    assert all(" yes yes " in row for row in rows)  # embedded, and only what is used


def test_what_stands_behind_a_surface_is_dark_in_the_dark(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    layout = json.loads(plot(campaign, "versus", "write").to_json())["layout"]
    axes = [layout["scene2"][f"{name}axis"] for name in "xyz"]
    for ground in {layout["paper_bgcolor"], *(a["backgroundcolor"] for a in axes)}:
        assert f'"{ground}": "#1' in DARK


@pytest.mark.slow
@pytest.mark.browser
def test_a_pdf_is_one_page_as_large_as_the_picture(maps, chromium, tmp_path):
    save(maps, tmp_path / "f.pdf", width=960, height=480, theme="paper")
    told = ["pdfinfo", tmp_path / "f.pdf"]
    said = subprocess.run(told, capture_output=True, text=True, check=True).stdout
    # without the title, at 96 pixels and 72 points an inch
    width, height = (0.75 * pixels for pixels in (960, 480 - 40))
    (size,) = re.findall(r"Page size: *([\d.]+) x ([\d.]+) pts", said)
    assert [float(side) for side in size] == pytest.approx([width, height], abs=1)
    assert re.search(r"Pages: *1\n", said)


@pytest.mark.slow
@pytest.mark.browser
def test_a_picture_shows_all_systems_unless_a_kind_is_named(root, chromium, tmp_path):
    words = ("plot", "data/raw/onehost-2026", "--operation", "write")
    out = tmp_path / "f.svg"
    done = run(*words, "--theme", "paper", "-o", out, cwd=root)
    assert done.returncode == 0, done.stderr
    assert all(f">{system}" in out.read_text() for system in ("ext4", "xfs", "btrfs"))
    assert done.stdout.startswith("write – where, by size: against ext4\n")


@pytest.mark.slow
@pytest.mark.browser
def test_a_caption_fits_however_long_the_names_beside_the_axis_are(
    root, chromium, tmp_path
):
    figure = plot(loaded(root / "data/raw/onehost-2026/bonnie++"), "lines")
    figure.layout.meta |= {"caption": figure.layout.meta["caption"] * 3}
    save(figure, tmp_path / "f.svg")
    picture = (tmp_path / "f.svg").read_bytes()
    font = fonts_in(picture)["normal"]
    letters, widths = font.getBestCmap(), font["hmtx"]
    lines = re.findall(
        r'<text x="([\d.]+)"[^>]*font-size="12px"[^>]*>([^<]+)<', picture.decode()
    )
    assert max(len(words) for _, words in lines) > 170
    for x, words in lines:
        advances = (widths[letters[ord(c)]][0] for c in html.unescape(words))
        assert float(x) + sum(advances) * 12 / font["head"].unitsPerEm < 1280


@pytest.mark.browser
def test_a_page_that_loads_at_once_is_not_waited_for(monkeypatch, chromium):
    send = Tab.send_command

    async def sent_and_loaded(tab, command, **more):
        answer = await send(tab, command, **more)
        if command == "Page.navigate":
            await asyncio.sleep(1)
        return answer

    monkeypatch.setattr(Tab, "send_command", sent_and_loaded)
    drawer = browser.Drawer(lambda: "<p>Ready")
    try:
        drawer._opening.result(20)
    finally:
        drawer.close()
