"""Notebooks that hang or die, browsers that do: one line each, and the rest is made."""

from contextlib import suppress
from pathlib import Path

import nbformat
import pytest
from campaigns_made import TIME, put
from program import python, start

# as soon as it has a page: later it may have done its work
FREEZES = """"$REAL" "$@" &
until pgrep -s 0 -f type=renderer; do sleep 0.02; done >&2
kill -STOP $!
wait"""
DIES = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"


def notebook(path, *sources):
    cells = map(nbformat.v4.new_code_cell, sources)
    nbformat.write(nbformat.v4.new_notebook(cells=[*cells]), path)


def with_word(word):
    """Processes of this machine that were started with a word."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if word.encode() in path.read_bytes():
                found.append(path.parent.name)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "source,says",
    [
        ("while True: pass", "a cell took longer than 2 s and was stopped"),
        (DIES, "the kernel failed: Kernel died"),
        ("raise KeyError()", "cell 2 stopped with KeyError\n"),
        ("raise MemoryError()", "cell 2 stopped with MemoryError: memory: expected "),
    ],
    ids=["hangs", "dies", "wordless", "memory"],
)
def test_a_notebook_that_does_not_end(tmp_path, source, says):
    (tmp_path / "n").mkdir()
    notebook(tmp_path / "n/bad.ipynb", "print('so' + ' far')", source)
    notebook(tmp_path / "n/good.ipynb", "print('done')")
    words = ("report", "n", "-o", "out")
    done = start(*words, cwd=tmp_path, FSVIZ_CELL_SECONDS="2")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines(keepends=True)
    assert line.startswith(f"out/n/bad.ipynb:1: {says}")
    assert (tmp_path / "out/n/good.html").is_file()
    assert not (tmp_path / "out/n/bad.html").exists()
    assert "so far" in (tmp_path / "out/n/bad.failed.html").read_text()


@pytest.mark.faults
@pytest.mark.browser
@pytest.mark.parametrize(
    "script,says",
    [
        ("exit 3", "found one that does not"),
        ('"$REAL" "$@" & sleep 0.2; kill -9 $!', "Chromium"),
        ("exec sleep 500", "no answer within 8 s"),
        (FREEZES, "no answer within 8 s"),
    ],
    ids=["fails", "dies", "hangs", "freezes"],
)
def test_a_browser_that_fails_costs_the_pdf_and_not_the_page(
    tmp_path, chromium, script, says
):
    put(tmp_path, {f"c/nfs/r{n}.txt": TIME.format(8 + n / 10) for n in range(3)})
    browser = tmp_path / "browser"
    browser.write_text(f"#!/bin/sh\n{script}\n")
    browser.chmod(0o755)
    words = ("report", "c", "--to", "html,pdf", "-o", "out", "--jobs", "1")
    named = {"BROWSER_PATH": str(browser), "REAL": chromium}
    done = start(*words, cwd=tmp_path, FSVIZ_BROWSER_SECONDS="8", **named)
    assert done.returncode == 1
    assert not with_word(str(browser))
    (line,) = done.stderr.splitlines()
    assert line.startswith("out/c/rsync.ipynb:1: ")
    assert says in line
    assert len(line) < 400
    assert (tmp_path / "out/c/rsync.html").is_file()
    assert not list((tmp_path / "out").rglob("*.pdf"))
    # the next one, with a browser that works, makes what is missing
    assert start(*words, cwd=tmp_path, BROWSER_PATH=chromium).returncode == 0
    assert (tmp_path / "out/c/rsync.pdf").read_bytes().startswith(b"%PDF")


ENDS = """
import sys, weakref
from fsviz.figures.browser import warm_drawer
from fsviz.figures.export import _picture_page
drawer = warm_drawer(_picture_page)
figure = {"data": [], "layout": {"width": 300, "height": 300, "font": {"family": "x"}}}
figure["layout"]["meta"] = {"caption": [], "line": 1, "dark": False}
assert drawer.draw(figure, {"format": "svg"}).startswith(b"<svg")
process = drawer._kaleido.subprocess
weakref.finalize(sys.modules["fsviz"], lambda: print(process.poll() is None))
"""


@pytest.mark.slow
@pytest.mark.browser
def test_the_browser_ends_before_its_folder_is_removed(chromium):
    """Temporary folders are removed by finalizers, which run late."""
    done = python("-c", ENDS)
    assert (done.stdout, done.stderr) == ("False\n", "")
