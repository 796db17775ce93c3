"""The campaigns that are committed, each read once in a process."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parent.parent / "data"
# by name, since a package may offer the function under the module's name
LOADING = import_module("fsviz.store.load")
load = LOADING.load


@cache
def _read(source: str, folder: str):
    """Read a campaign; a relative path means another one in another folder."""
    return load(source)


def loaded(source: str | os.PathLike[str]):
    """Load a committed campaign, or take the one that was read before.

    Parameters
    ----------
    source : path-like
        A folder below ``data``.

    Returns
    -------
    Campaign
        Its frames may be changed: nobody else gets the same ones.
    """
    known = _read(os.fspath(source), str(Path.cwd()))
    frames = {n: getattr(known, n) for n in ("measurements", "runs", "systems")}
    return replace(known, **{n: f.copy(deep=False) for n, f in frames.items()})


def _load(source, *arguments, **keywords):
    """Do as `fsviz.load` does, with what is committed read once."""
    if isinstance(source, Sequence) and len(source) == 1 and "=" not in source[0]:
        folder = Path(source[0])
        # os.path answers where Path raises: a name too long
        if os.path.isdir(folder) and DATA in folder.resolve().parents:  # noqa: PTH112
            return loaded(folder if folder.is_absolute() else source[0])
    return load(source, *arguments, **keywords)


@contextmanager
def read_once() -> Iterator[None]:
    """Have the commands that run in this process read committed campaigns once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LOADING, "load", _load)
        yield
