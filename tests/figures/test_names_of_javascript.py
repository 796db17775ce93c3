"""Systems that are called as JavaScript calls what every object has."""

import shutil
from xml.etree import ElementTree as ET

import pytest
from browser import opened, wait_until
from program import start

import fsviz
from fsviz.figures.export import save

NAMES = ("constructor", "__proto__", "toString", "hasOwnProperty")


@pytest.mark.browser
@pytest.mark.slow
def test_a_picture_names_every_system(tmp_path):
    for number, name in enumerate(NAMES, 3):
        (tmp_path / "c" / name).mkdir(parents=True)
        for n in (1, 2, 3):
            text = f"\nreal\t0m{number}.{n}00s\nuser\t0m1.000s\nsys\t0m0.100s\n"
            (tmp_path / f"c/{name}/r{n}.txt").write_text(text)
    done = start("plot", "c", "--kind", "lines", "-o", "x.svg", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    picture = ET.parse(tmp_path / "x.svg")
    texts = {
        "".join(text.itertext()) for text in picture.iter() if text.tag[-4:] == "text"
    }
    assert set(NAMES) <= texts


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
