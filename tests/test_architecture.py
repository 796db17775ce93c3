"""The way of one number, as `docs/ARCHITECTURE.md` tells it: followed by a trace."""

import re
import sys
from pathlib import Path

import fsviz

PACKAGE = Path(fsviz.__file__).parent
ROW = re.compile(r"^\| (?:\d+\. [^|]*)?\| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def traced(work):
    """Return the functions that some work passes, by their modules."""
    seen = {}

    def note(frame, event, _):
        path = Path(frame.f_code.co_filename)
        if event == "call" and PACKAGE in path.parents:
            module = path.relative_to(PACKAGE).with_suffix("").as_posix()
            seen.setdefault(module, set()).add(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return seen


def test_the_way_of_one_number_is_the_one_that_is_told(root):
    page = (root / "docs/ARCHITECTURE.md").read_text(encoding="utf-8")
    way = page[page.index("## One number") : page.index("`fsviz read` goes this far")]
    told = [
        (re.findall(r"`([\w/]+)`", modules), re.findall(r"`(\w+)`", functions))
        for modules, functions in ROW.findall(way)
        if "`" in modules
    ]
    path = root / "data/raw/loopback-2026/iozone/nfs-v4.1/rep1.txt"
    fsviz.read(path)  # what is imported once is not passed every time
    passed = traced(lambda: fsviz.read(path))
    assert {name for modules, _ in told for name in modules} == passed.keys()
    for modules, functions in told:
        called = set().union(*(passed[name] for name in modules))
        assert set(functions) <= called, modules
