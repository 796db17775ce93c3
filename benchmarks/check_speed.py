"""Checking a thousand runs, as a share of reading them. The promise: at most half.

Both are processor time of one process, so other work on the machine does not count.

python benchmarks/check_speed.py [RUNS]
"""

import shutil
import sys
import tempfile
import time
from pathlib import Path

from fsviz.checks import check
from fsviz.store.load import load

ROOT = Path(__file__).resolve().parent.parent
CAMPAIGN = ROOT / "data/raw/loopback-2026/iozone"
RUNS = 1000
LARGEST_SHARE = 0.5
ROUNDS = 2


def build(folder: Path, runs: int) -> int:
    """Copy the real runs under new system names until there are enough."""
    files = sorted(CAMPAIGN.glob("*/rep[1-5].txt"))
    made = 0
    while made < runs:
        for path in files:
            system = f"{path.parent.name}-{made // len(files):03d}"
            (folder / system).mkdir(exist_ok=True)
            shutil.copyfile(path, folder / system / path.name)
            made += 1
    facts = '[facts]\nclient_ram = "1536 MiB"\nprotocol = "nfs"\nlink = "1 Gbit/s"\n'
    (folder / "campaign.toml").write_text(facts)
    return made


def main() -> int:
    """Print both times and the share; fail if it is above the promise."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    with tempfile.TemporaryDirectory() as name:
        runs = build(Path(name), wanted)
        check(load(name))  # imports and the file cache, which both sides need
        reading, checking = [], []
        for _ in range(ROUNDS):
            start = time.process_time()
            campaign = load(name)
            middle = time.process_time()
            found = check(campaign)
            reading.append(middle - start)
            checking.append(time.process_time() - middle)
    share = min(checking) / min(reading)
    print(
        f"{runs} runs, {len(campaign.measurements):,} numbers: read in "
        f"{min(reading):.2f} s, checked in {min(checking):.2f} s ({len(found)} "
        f"findings): {share:.2f} of reading (promise: at most {LARGEST_SHARE})"
    )
    return int(share > LARGEST_SHARE)


if __name__ == "__main__":
    sys.exit(main())
