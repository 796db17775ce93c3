"""Systems that are called as JavaScript calls what every object has."""

import shutil

import pytest
from browser import opened, wait_until

import fsviz
from fsviz.figures.export import save

NAMES = ("constructor", "__proto__", "toString", "hasOwnProperty")


@pytest.fixture(scope="module")
def campaign(root, tmp_path_factory):
    folder = tmp_path_factory.mktemp("javascript")
    outputs = sorted((root / "data/raw/onehost-2026/iozone").rglob("rep[1-3].txt"))
    outputs += sorted((root / "data/raw/onehost-2026/iozone").rglob("rep[45].txt"))
    for number, name in enumerate(NAMES):
        (folder / name).mkdir()
        for output in outputs[3 * number : 3 * number + 3]:
            name_of = f"{output.parent.name}-{output.name}"
            shutil.copy(output, folder / name / name_of)
    return fsviz.load(folder)


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["explorer", "overview", "ratios"])
def test_a_page_draws_every_system(campaign, chromium, tmp_path, kind, scheme):
    more = {} if kind == "explorer" else {"baseline": "constructor"}
    save(fsviz.plot(campaign, kind, **more), tmp_path / "x.html")
    with opened(chromium, tmp_path / "x.html") as watched:
        page = watched.page
        page.emulate_media(color_scheme=scheme)
        page.reload()
        wait_until(page, "document.querySelector('.js-plotly-plot .main-svg')")
        text = page.locator("body").inner_html()
        assert "[object Object]" not in text
        assert "native code" not in text
        assert all(name in text for name in NAMES)
        assert not watched.errors
