"""How long one waits for `import fsviz` and `fsviz --help`.

The yardstick is the bare interpreter, started beside them in turns: what counts is the
time beyond it (goals: 0.15 s and 0.3 s) and the ratio to it. Best of several, because
everything else on the machine can only make a start slower.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

REPEATS = 15
FSVIZ = str(Path(sys.executable).with_name("fsviz"))
YARDSTICK = "python -c pass"
COMMANDS = {
    YARDSTICK: [sys.executable, "-c", "pass"],
    "import fsviz": [sys.executable, "-c", "import fsviz"],
    "fsviz --help": [FSVIZ, "--help"],
}
GOALS = {"import fsviz": 0.15, "fsviz --help": 0.3}


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    best = dict.fromkeys(COMMANDS, float("inf"))
    for _ in range(REPEATS):
        for name, command in COMMANDS.items():
            best[name] = min(best[name], seconds(command))
    bare = best[YARDSTICK]
    print(f"{'command':15} {'best [s]':>9} {'beyond':>7} {'goal':>5} {'ratio':>6}")
    for name, time_s in best.items():
        goal = f"{GOALS[name]:5.2f}" if name in GOALS else " " * 5
        beyond, ratio = time_s - bare, time_s / bare
        print(f"{name:15} {time_s:9.3f} {beyond:7.3f} {goal} {ratio:6.1f}")


if __name__ == "__main__":
    main()
