"""Stand-ins for tools, which print what they are told to: for ``fsviz run``."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pytest

from fsviz.measuring.places import memory_group

SPEED = "speed"
"""File in a mount: how many times the usual speed it has."""

IOZONE = """\
#!{python} -IS
import os, random, sys, time
words = sys.argv[1:]
mount = os.path.dirname(os.path.dirname(words[words.index("-f") + 1]))
told = lambda name: open(name).read().split() if os.path.exists(name) else []
with open(words[words.index("-f") + 1], "w") as file:
    file.write("left behind")
behave = told("{folder}/behave")
if behave[:1] == ["fail"]:
    sys.exit("no space left on this device")
if behave[:1] == ["hungry"]:
    b" " * 256 * 1024**2
if behave[:1] == ["die"]:
    os.remove("{folder}/behave")
    os.kill(os.getpid(), 9)
time.sleep(float(behave[1]) if behave[:1] == ["sleep"] else 0)
size = lambda text: int(text[:-1]) * dict(k=1, m=1024, g=1024**2)[text[-1]]
of = lambda flag: [size(words[i + 1]) for i, w in enumerate(words) if w == flag]
speed = float((told(os.path.join(mount, "{speed}")) or ["1"])[0])
drawn = random.Random(os.urandom(8))
run = drawn.gauss(0, {scatter})
print("\\tIozone: Performance Test of File I/O")
print("\\t        Version $Revision: 3.489 $\\n\\t\\tCompiled for 64 bit mode.")
print("\\t\\tBuild: linux-AMD64 \\n")
print("\\tRun began:", time.strftime("%a %b %e %H:%M:%S %Y"), "\\n")
print("\\tCommand line used: iozone", *words)
print("\\tOutput is in kBytes/sec\\n\\tTime Resolution = 0.000001 seconds.")
print("\\tProcessor cache size set to 1024 kBytes.")
print("\\tProcessor cache line size set to 32 bytes.")
print("\\tFile stride size set to 17 * record size.")
print(" " * 62 + "random    random")
names = "kB  reclen    write  rewrite    read    reread    read     write"
print(" " * 14 + names)
for kb in of("-s"):
    for record in of("-r"):
        values = [1e6 * speed * 2.718281828 ** (run + drawn.gauss(0, 0.002))
                  for _ in range(6)]
        print("%16d%8d" % (kb, record) + "".join("%9d" % v for v in values))
print("\\niozone test complete.")
"""


def _can_limit() -> bool:
    with memory_group(64 * 1024**2) as group:
        return group is not None


needs_group = pytest.mark.skipif(not _can_limit(), reason="no right to limit memory")


def tools(folder: Path, scatter: float = 0.01) -> Path:
    """Make a folder of programs that stand in for the real ones."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "iozone"
    text = IOZONE.format(
        python=sys.executable, folder=folder, speed=SPEED, scatter=scatter
    )
    path.write_text(text)
    path.chmod(0o755)
    return folder


def behave(folder: Path, words: str) -> None:
    """Make the stand-ins fail, sleep so many seconds, or die once."""
    (folder / "behave").write_text(words)


def mounts(folder: Path, **speeds: float) -> dict[str, Path]:
    """Make a folder for each system, as fast as is said."""
    found = {}
    for name, speed in speeds.items():
        found[name] = folder / name
        found[name].mkdir(parents=True)
        (found[name] / SPEED).write_text(str(speed))
    return found


def use(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let programs be found in a folder first; locks of devices are its own too."""
    patch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    patch.setattr(tempfile, "tempdir", str(folder))


def left(places: dict[str, Path]) -> list[str]:
    """List what is below some mounts besides what `mounts` made."""
    return [
        path.name for p in places.values() for path in p.iterdir() if path.name != SPEED
    ]
