"""Many files: ingest, again, on a cluster; a summary, a history; disk and memory.

Files are made from real outputs with noise, in campaigns of 100 (two systems, IOzone,
bonnie++, rsync timed by bash, hyperfine); 1 % are damaged. The yardsticks are the same
work by one process, the first ingest, and the bytes of the files. All commands are run
as a person runs them, in processes of their own.

python benchmarks/scale.py [FILES] [FOLDER]     (20,000 by default; the folder is kept)
"""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from _goals import Figure, judge

ROOT = Path(__file__).resolve().parents[1]
RAW = ROOT / "data" / "raw" / "onehost-2026"
FSVIZ = str(Path(sys.executable).with_name("fsviz"))
FILES = 20_000
PER_CAMPAIGN = 100
DAMAGED = 0.01
SYSTEMS = ("ext4", "xfs")
VARIANTS = 60
"""Texts of each tool and system that differ in their numbers; within a campaign no two
files are the same."""

GAIN = (float("inf"), 0.85)
WARM_UP = 4
"""Campaigns that the workers of a cluster read before it is measured."""
LOOK = 0.5
"""Seconds between two looks at the memory of a command."""

BASH = "\nreal\t{m}m{s:.3f}s\nuser\t0m0.{u:03d}s\nsys\t0m0.{y:03d}s\n"


def noisy(text: str, factor: float, rng: random.Random) -> str:
    """Change the large numbers of a text; equal ones stay equal."""
    seen: dict[str, str] = {}

    def other(match: re.Match[str]) -> str:
        word = match[0]
        if word not in seen:
            if int(word).bit_count() == 1:
                return word  # a size
            value = str(int(int(word) * factor * rng.uniform(0.99, 1.01)))
            seen[word] = value if len(value) == len(word) else word
        return seen[word]

    body = text.index("reclen") if "reclen" in text else 0
    return text[:body] + re.sub(r"(?<=[ ,])\d{6,9}(?=[ ,\n])", other, text[body:])


def templates(rng: random.Random) -> dict[tuple[str, str], list[str]]:
    """Make the texts of IOzone and bonnie++ that campaigns draw from."""
    made = {}
    for system in SYSTEMS:
        logs = sorted((RAW / "iozone" / system).glob("rep*.txt"))
        rows = sorted((RAW / "bonnie++" / system).glob("rep*.csv"))
        for tool, paths in (("iozone", logs), ("bonnie", rows)):
            texts = [path.read_text() for path in paths]
            made[tool, system] = [
                noisy(rng.choice(texts), rng.uniform(0.97, 1.03), rng)
                for _ in range(VARIANTS)
            ]
    return made


def hyperfine(rng: random.Random) -> str:
    times = [rng.gauss(2, 0.05) for _ in range(10)]
    mean = sum(times) / len(times)
    result = {"command": "cp -r a b", "mean": mean, "times": times}
    result |= {"median": sorted(times)[5], "min": min(times), "max": max(times)}
    result |= {"stddev": 0.05, "user": 0.1, "system": 0.2, "exit_codes": [0] * 10}
    return json.dumps({"results": [result]})


def make(folder: Path, files: int) -> int:
    """Write the campaigns; return their bytes."""
    rng = random.Random(2026)
    texts = templates(rng)
    size = 0
    for number in range(files // PER_CAMPAIGN):
        campaign = folder / f"c{number:05}"
        for system in SYSTEMS:
            for name, text in of_system(system, texts, rng):
                path = campaign / system / name
                path.parent.mkdir(parents=True, exist_ok=True)
                whole = rng.random() >= DAMAGED
                end = len(text) if whole else rng.randrange(len(text))
                path.write_text(text[:end])
                size += end
        day = f"{2020 + number // 336}-{1 + number // 28 % 12:02}-{1 + number % 28:02}"
        kernel = "6.6" if number >= files // PER_CAMPAIGN * 0.8 else "6.1"
        toml = f'started = "{day}"\n[facts]\nkernel = "{kernel}"\n'
        (campaign / "campaign.toml").write_text(toml)
    return size


def of_system(
    system: str, texts: dict[tuple[str, str], list[str]], rng: random.Random
) -> Iterator[tuple[str, str]]:
    """Half of a campaign: 20 IOzone, 10 bonnie++, 10 rsync and 9 hyperfine files."""
    for k, text in enumerate(rng.sample(texts["iozone", system], 20)):
        yield f"iozone{k}.txt", text
    for k, text in enumerate(rng.sample(texts["bonnie", system], 10)):
        yield f"bonnie{k}.csv", text
    for k in range(10):
        numbers = {"s": rng.gauss(8, 0.1), "u": rng.randrange(999), "y": k}
        yield f"rsync{k}.txt", BASH.format(m=0, **numbers)
    for k in range(10):
        yield f"copy{k}.json", hyperfine(rng)


def run(*words: object) -> tuple[float, float]:
    """Seconds of a command, and the peak memory of all its processes together [MiB]."""
    start = time.perf_counter()
    running = started(*words)
    peak = 0.0
    while True:
        try:
            # a look takes some 9 ms of a processor that the command needs itself
            running.wait(timeout=LOOK)
            break
        except subprocess.TimeoutExpired:
            peak = max(peak, memory(running.pid))
    check(running)
    return time.perf_counter() - start, peak


def started(*words: object) -> subprocess.Popen[bytes]:
    program = [FSVIZ, *map(str, words)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(program, start_new_session=True, **quiet)


def check(ended: subprocess.Popen[bytes]) -> None:
    if ended.returncode not in (0, 1):
        raise SystemExit(f"failed: {' '.join(ended.args[:4])}")


def side_by_side(folder: Path, campaigns: list[Path]) -> float:
    """Seconds of two commands, each with half of the work: what the machine gives."""
    start = time.perf_counter()
    halves = [
        started("ingest", *campaigns[k::2], "-o", folder / f"half-{k}") for k in (0, 1)
    ]
    for half in halves:
        half.wait()
        check(half)
    return time.perf_counter() - start


def memory(session: int) -> float:
    """Memory of the processes of a session, shared pages counted once [MiB]."""
    total = 0
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(") ")[2].split()
            if int(fields[3]) == session:
                rollup = status.with_name("smaps_rollup").read_text()
                total += int(rollup.partition("\nPss:")[2].split()[0])
        except (OSError, IndexError):
            continue  # it has ended
    return total / 1024


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[str]:
    """A Dask scheduler and its workers of one thread each, as a person starts them."""
    file = folder / f"scheduler-{workers}.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    program = [sys.executable, "-P", "-m"]
    common = ["--scheduler-file", str(file), "--no-dashboard"]
    scheduler = ["distributed.cli.dask_scheduler", *common, "--port", "0"]
    worker = ["distributed.cli.dask_worker", *common, "--nthreads", "1"]
    worker += ["--local-directory", str(folder / "dask")]
    running = [subprocess.Popen([*program, *scheduler], **quiet)]
    running += [subprocess.Popen([*program, *worker], **quiet) for _ in range(workers)]
    try:
        while not (file.is_file() and file.read_text()):
            time.sleep(0.1)
        time.sleep(5)  # its workers import pandas
        yield json.loads(file.read_text())["address"]
    finally:
        for process in reversed(running):
            process.terminate()
            process.wait()


def on_cluster(folder: Path, campaigns: list[Path], workers: int) -> float:
    """Seconds of an ingest by a cluster that has done some work before."""
    store = folder / f"dask-{workers}"
    with cluster(folder, workers) as address:
        there = ("-o", store, "--scheduler", address)
        run("ingest", *campaigns[:WARM_UP], *there)
        seconds, _ = run("ingest", *campaigns[WARM_UP:], *there)
    return seconds


def bytes_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main(files: int, folder: Path) -> int:
    """Print what was measured; 1 if a goal is missed."""
    start = time.perf_counter()
    size = make(folder / "raw", files)
    campaigns = sorted((folder / "raw").iterdir())
    print(f"{files:,} files, {len(campaigns):,} campaigns, {size / 2**20:,.0f} MiB")
    print(f"made in {time.perf_counter() - start:.0f} s")
    store, one = folder / "store", folder / "one"
    small = campaigns[: max(10, len(campaigns) // 10)]
    alone, _ = run("ingest", *small, "-o", one)
    shutil.rmtree(one)
    both, _ = run("ingest", *small, "-o", one, "--jobs", 2)
    apart = side_by_side(folder, small)
    others = campaigns[-len(small) - WARM_UP :]
    dask = on_cluster(folder, others, 1) / on_cluster(folder, others, 2)
    first, peak = run("ingest", *campaigns, "-o", store, "--jobs", 2)
    shutil.rmtree(one)
    later, _ = run("ingest", *small, "-o", one, "--jobs", 2)
    second, _ = run("ingest", *campaigns, "-o", store, "--jobs", 2)
    changed = next(path for path in campaigns[-1].rglob("*.txt"))
    changed.write_text(changed.read_text() + "\n")
    third, _ = run("ingest", *campaigns, "-o", store, "--jobs", 2)
    pandas = min(bare() for _ in range(3))
    summary, _ = run("summary", store / f"{campaigns[-1].name}.parquet")
    history, _ = run("history", one, "--system", "xfs", "--operation", "write")
    # beside the large one: a machine may be slower later on
    per_small = (both + later) / 2 / (len(small) * PER_CAMPAIGN)
    print(f"first ingest {first:.1f} s ({1000 * first / files:.2f} ms a file),")
    print(f"again {second:.1f} s, with one changed file {third:.1f} s;")
    print(f"a small one before and after it: {both:.1f} s and {later:.1f} s;")
    print(f"history, a comparison: {history / (len(small) - 1):.2f} s")
    gain = alone / apart
    print(f"two commands, each with half, gain {gain:.2f}")
    return judge(
        Figure("gain of two processes ÷ of two commands", alone / both / gain, *GAIN),
        Figure("gain of two Dask workers ÷ of two commands", dask / gain, *GAIN),
        Figure(
            "time a file ÷ that of a tenth of the files", first / files / per_small, 1.2
        ),
        Figure("peak of all processes [MiB]", peak, 400),
        Figure("first ingest ÷ again", first / second, least=30),
        Figure("one changed file ÷ all", third / first, 0.1),
        Figure("summary of a campaign ÷ import pandas", summary / pandas, 2.5),
        Figure("store ÷ text", bytes_of(store) / size, 0.6),
    )


def bare() -> float:
    """Import pandas [s]."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import pandas"], check=True)
    return time.perf_counter() - start


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else FILES
    if len(sys.argv) > 2:
        sys.exit(main(count, Path(sys.argv[2])))
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(main(count, Path(scratch)))
