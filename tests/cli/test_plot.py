"""``fsviz plot``: data, pages, pictures."""

import json
import re
import subprocess

import pytest
from browser import opened
from campaigns_made import throughput_mode
from program import run

import fsviz


def plot(root, *arguments):
    return run("plot", "data/raw/loopback-2026", *arguments, cwd=root)


def test_data_as_json(root, tmp_path):
    out = tmp_path / "f.json"
    pair = ["nfs-v3", "nfs-v4.0"]
    done = plot(root, "--operation", "read", "--system", ",".join(pair), "-o", out)
    assert done.returncode == 0, done.stderr
    figure = json.loads(out.read_text())
    assert {t["type"] for t in figure["data"]} >= {"surface", "heatmap", "scatter"}
    assert "<b>read: nfs-v4.0" in figure["layout"]["title"]["text"]
    # as first words do, it says what is wrong with the benchmark of these two
    both = fsviz.load(f"{root}/data/raw/loopback-2026").select(systems=pair)
    alarm = both.compare("nfs-v3").first_words.alarm
    assert figure["layout"]["meta"]["caption"].endswith(f" {alarm}")


def test_several_numbers_of_threads_are_drawn_over_threads(root, tmp_path):
    source = throughput_mode(root, tmp_path / "threads")
    done = run("plot", source, "-o", tmp_path / "x.json")
    assert done.returncode == 0, done.stderr
    title = json.loads((tmp_path / "x.json").read_text())["layout"]["title"]["text"]
    assert title.startswith("<b>Throughput over threads</b>")


def test_a_page_asks_nobody(root, tmp_path):
    out = tmp_path / "f.html"
    assert plot(root, "--kind", "lines", "-o", out).returncode == 0
    page = out.read_text()
    assert "Content-Security-Policy" in page
    assert page.count("plotly.js v") == 1


@pytest.mark.parametrize(
    "arguments,says",
    [
        (("--kind", "pie", "-o", "f.html"), "pie"),
        (("-o", "f.docx"), "docx"),
        (("--operation", "wriet", "-o", "f.html"), "wriet"),
        (("--kind", "maps", "--baseline", "zfs", "-o", "f.json"), "zfs"),
        (("--kind", "lines", "--baseline", "smb-3.0", "-o", "f.json"), "lines: exp"),
        (("--kind", "buckets", "--metric", "speed", "-o", "f.json"), "speed"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(root, tmp_path, arguments, says):
    *front, name = arguments
    done = plot(root, *front, tmp_path / name)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_a_picture_keeps_every_surface_and_the_caption(
    root, chromium, tmp_path, suffix
):
    """Drawn at once, one surface's depth hid parts of the next; buttons were drawn."""
    out = tmp_path / f"f.{suffix}"
    done = plot(root, "--kind", "versus", "--operation", "write", "-o", out)
    assert done.returncode == 0, done.stderr
    if suffix == "svg":
        shown = out.read_text(encoding="utf-8")
        # a surface is an image in its place, and what stands around it is text
        assert shown.count('href="data:image/png') >= 3
        assert "Surfaces share scale" in shown
        assert "from large records" not in shown
    elif suffix == "pdf":
        text = subprocess.run(
            ["pdftotext", out, "-"], capture_output=True, text=True, check=True
        ).stdout
        assert "Surfaces share scale" in " ".join(text.split())
        assert "from large records" not in text
    else:
        assert surfaces(chromium, out) == 3


def surfaces(chromium, path):
    """Count the thirds of a picture whose upper half has a coloured surface."""
    with opened(chromium, path) as watched:
        return watched.page.evaluate(
            """() => {
            const image = document.querySelector("img");
            const canvas = document.createElement("canvas");
            [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
            const context = canvas.getContext("2d");
            context.drawImage(image, 0, 0);
            const third = Math.floor(canvas.width * 0.3);
            return [0, 1, 2].filter((n) => {
              const { data } = context.getImageData(
                n * third, 200, third, Math.floor(canvas.height * 0.3));
              let coloured = 0;
              for (let i = 0; i < data.length; i += 4) {
                const part = [data[i], data[i + 1], data[i + 2]];
                if (Math.max(...part) - Math.min(...part) > 40) coloured += 1;
              }
              return coloured > 4000;
            }).length; }"""
        )


def drawn(root, out, *arguments):
    done = plot(root, *arguments, "-o", out)
    assert done.returncode == 0, done.stderr
    return json.loads(out.read_text())


@pytest.mark.slow
def test_the_baseline_and_the_metric_can_be_chosen(root, tmp_path):
    out = tmp_path / "f.json"
    what = ("--kind", "maps", "--operation", "write", "--baseline", "smb-3.0")
    figure = drawn(root, out, *what)
    assert figure["layout"]["title"]["text"].endswith("against smb-3.0")
    operation = "sequential_output_block"
    what = ("--kind", "buckets", "--operation", operation, "--metric", "latency")
    assert "latency" in drawn(root, out, *what)["layout"]["yaxis"]["title"]["text"]


@pytest.mark.parametrize("systems", [1, 2])
def test_what_has_no_sizes_is_drawn_without_being_asked(root, tmp_path, systems):
    data = root / "tests/data/mdtest/4.0.0"
    sources = [f"a={data}/repeats.txt", f"b={data}/tree.txt"][:systems]
    done = run("plot", *sources, "-o", tmp_path / "x.json")
    assert done.returncode == 0, done.stderr
    drawn = json.loads((tmp_path / "x.json").read_text())["layout"]["title"]["text"]
    assert re.match(r"<b>\d+ tests</b>", drawn)
