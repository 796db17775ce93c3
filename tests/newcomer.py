"""The commands that pages show, run as a newcomer would, in a copy of the project."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from program import run, start

# what a running test cannot do: it is already inside these
OURSELVES = re.compile(r"^(make (report|test|test-slow|docs)\b|\. \.venv/bin/activate)")
# test_case_notebooks.py renders them all
RENDERED = re.compile(r"^fsviz report (?P<notebooks>notebooks/cases) -o \w+")
# what needs no shell
OURS = re.compile(r"fsviz [^|<>;&$`*?\n]+")


def blocks(page: Path, language: str) -> list[str]:
    """Find the code of a language on a page."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def copy_of_the_project(root: Path, target: Path) -> Path:
    """Copy data and notebooks as git would hand them out, nothing that was rendered."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=root, capture_output=True, check=True).stdout
    for name in filter(None, names.decode().split("\0")):
        if (
            name.startswith(("data/", "notebooks/", "tests/data/fio_logs/"))
            and (root / name).is_file()
        ):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, target / name)
    return target


def run_block(
    block: str,
    folder: Path,
    places: Mapping[str, Path] | None = None,
    *,
    here: bool = False,
):
    """Run the commands of a block one after another.

    Paths that a page takes for granted, such as ``/mnt/nfs``, are elsewhere in a test.
    ``here`` runs the program's own commands in this process, which is quicker.
    """
    for named, place in (places or {}).items():
        block = block.replace(named, str(place))
    for command in commands(block):
        if OURSELVES.match(command):
            continue
        if rendered := RENDERED.match(command):
            assert (folder / rendered["notebooks"]).exists()
            continue
        words = shlex.split(command, comments=True) if OURS.fullmatch(command) else []
        done = (_here if here and words else _by_shell)(command, words, folder)
        assert done.returncode == 0, f"{command}\n{done.stdout[-999:]}\n{done.stderr}"


def _here(_: str, words: list[str], folder: Path) -> CompletedProcess[str]:
    with pytest.MonkeyPatch.context() as patch:
        # what is read once: the copy's own campaigns
        patch.setattr("samples.DATA", folder.resolve() / "data")
        return run(*words[1:], cwd=folder)


def _by_shell(command: str, _: list[str], folder: Path) -> CompletedProcess[str]:
    programs = (str(Path(sys.executable).parent), os.environ["PATH"], "/usr/sbin")
    path = os.pathsep.join(programs)
    return start("-euc", command, cwd=folder, program="bash", PATH=path)


def commands(block: str) -> list[str]:
    """Part a block into commands; what follows ``<<END`` belongs to its command."""
    found = re.findall(r"^.*<<END\n(?:.*\n)*?END$|^.+$", block, re.MULTILINE)
    return [command for command in found if not command.startswith("#")]
