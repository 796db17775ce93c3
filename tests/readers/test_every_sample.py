"""What is read of every sample, and of each small one with every line damaged.

``every_sample.csv`` has digests of all that a reading holds: runs and facts, numbers
with their bounds and places, problems, notes. Where one differs, look at what
``fsviz read`` prints, before and after; ``FSVIZ_GOLDENS=write pytest`` writes it anew.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

import pytest

from fsviz.model.errors import ParseError, UnreadableFileError
from fsviz.readers.formats import read_file

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests/data"
LISTED = Path(__file__).with_name("every_sample.csv")
SMALL = 3000
"""Size [B] up to which a text is damaged."""


def samples():
    for path in sorted(DATA.rglob("*")):
        if path.is_file() and not path.name.endswith((".expected.csv", ".toml")):
            yield path.relative_to(ROOT).as_posix()


def read(path):
    """Everything that is read, or why nothing is, as text without a folder's name."""
    try:
        return repr(read_file(path))
    except (ParseError, UnreadableFileError) as error:
        return f"{type(error).__name__}: {error}"


def digest(texts):
    whole = hashlib.sha256()
    for text in texts:
        whole.update(text.encode("utf-8", "surrogatepass"))
    return whole.hexdigest()[:16]


def damaged(name):
    """Cut a small text after each line, leave the line out, spoil a digit in it."""
    data = (ROOT / name).read_bytes()
    if len(data) > SMALL or b"\0" in data:
        return
    lines = data.splitlines(keepends=True)
    for at, line in enumerate(lines):
        before, after = b"".join(lines[:at]), b"".join(lines[at + 1 :])
        yield before + line
        yield before + after
        yield before + re.sub(rb"\d(?=\D*$)", b"?", line) + after


def read_damaged(name, folder):
    part = Path(Path(name).name)
    for data in dict.fromkeys(damaged(name)):
        (folder / part).write_bytes(data)
        yield read(str(part))


def told(folder):
    for name in samples():
        os.chdir(ROOT)
        whole = digest([read(name)])
        os.chdir(folder)
        yield f"{name},{whole},{digest(read_damaged(name, folder))}\n"


def test_every_sample_is_read_as_before(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    now = list(told(tmp_path))
    if os.environ.get("FSVIZ_GOLDENS") == "write":
        LISTED.write_text("".join(now))
        pytest.skip("written anew")
    assert now == LISTED.read_text().splitlines(keepends=True)
