"""Systems that are called as JavaScript calls what every object has."""

from xml.etree import ElementTree as ET

import pytest
from program import start

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
