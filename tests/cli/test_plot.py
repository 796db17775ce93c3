"""``fsviz plot``: data, pages, pictures."""

import json

import pytest
from program import run


def plot(root, *arguments):
    return run("plot", "data/raw/loopback-2026", *arguments, cwd=root)


def test_data_as_json(root, tmp_path):
    out = tmp_path / "f.json"
    done = plot(root, "--operation", "read", "--system", "nfs-v3", "-o", out)
    assert done.returncode == 0, done.stderr
    figure = json.loads(out.read_text())
    assert {t["type"] for t in figure["data"]} >= {"surface", "heatmap", "scatter"}
    assert "<b>Read</b>" in figure["layout"]["title"]["text"]


def test_a_page_asks_nobody(root, tmp_path):
    out = tmp_path / "f.html"
    assert plot(root, "--kind", "intervals", "-o", out).returncode == 0
    page = out.read_text()
    assert "Content-Security-Policy" in page
    assert page.count("plotly.js v") == 1


@pytest.mark.browser
@pytest.mark.parametrize(
    "suffix,magic", [("png", b"\x89PNG"), ("svg", b"<svg"), ("pdf", b"%PDF")]
)
def test_pictures(root, chromium, tmp_path, suffix, magic):
    out = tmp_path / f"f.{suffix}"
    done = plot(root, "--kind", "dumbbells", "-o", out)
    assert done.returncode == 0, done.stderr
    assert out.read_bytes().startswith(magic)
    assert out.stat().st_size > 5_000


@pytest.mark.parametrize(
    "arguments,says",
    [
        (("--kind", "pie", "-o", "f.html"), "pie"),
        (("-o", "f.docx"), "docx"),
        (("--operation", "wriet", "-o", "f.html"), "wriet"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(root, tmp_path, arguments, says):
    *front, name = arguments
    done = plot(root, *front, tmp_path / name)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_suffix_is_refused_before_anything_is_read(tmp_path):
    done = run("plot", "nowhere", "-o", tmp_path / "x.docx")
    assert done.returncode == 2
    assert "expected a name ending in .html" in done.stderr
    assert "nowhere" not in done.stderr
