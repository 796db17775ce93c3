"""Results of our own for tests of which run is whose: made from the tools' outputs."""

from pathlib import Path

from fsviz.store.ingest import ingest

TIME = "\nreal\t0m{:.3f}s\nuser\t0m0.100s\nsys\t0m0.010s\n"
BANNER = (
    "\tIozone: Performance Test of File I/O\n"
    "\t        Version $Revision: 3.489 $\n"
    "\tRun began: Sat Nov 21 09:{minute:02d}:37 2026\n\n"
    "\tCommand line used: iozone -a -i 0 -i 1 -n 64k -g 256k -y 4k -q 16k -f {file}\n"
    "\tOutput is in kBytes/sec\n"
    "\tTime Resolution = 0.000001 seconds.\n"
)
HEAD = (
    "                                                              random    random"
    "     bkwd    record    stride                                    \n"
    "              kB  reclen    write  rewrite    read    reread    read     write"
    "     read   rewrite      read   fwrite frewrite    fread  freread\n"
)


def iozone(seed: int, minute: int | None = None, file: str = "t.tmp") -> str:
    """Write a whole IOzone log whose numbers depend on the seed alone."""
    rows = []
    for size in (64, 128, 256):
        for record in (4, 8, 16):
            numbers = [
                1_000_000 + (seed * 7919 + size * 31 + record * 17 + k * 101) % 899_981
                for k in range(4)
            ]
            rows.append(
                f"{size:16d}{record:8d}" + "".join(f"{n:9d}" for n in numbers) + "\n"
            )
    banner = BANNER.format(minute=seed % 60 if minute is None else minute, file=file)
    return banner + HEAD + "".join(rows) + "\niozone test complete.\n"


def put(folder: Path, files: dict[str, str]) -> Path:
    """Write files under their relative paths."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


ROUNDS = 12


def stored_year(folder: Path, slower: str = "nfs") -> Path:
    """Store twelve campaigns: with the eighth one system becomes slower, smb never.

    With it changes the kernel; the campaigns are named in another order than measured.
    """
    for k in range(ROUNDS):
        level = 8 * (1.25 if k >= 7 else 1)
        files = {
            f"{system}/r{n}.txt": TIME.format(seconds + ((k * 7 + n * 3) % 5) / 100)
            for system, seconds in ((slower, level), ("smb", 9))
            for n in range(3)
        }
        kernel = "6.6" if k >= 7 else "6.1"
        toml = f'started = "2026-{k + 1:02}-01"\n[facts]\nkernel = "{kernel}"\n'
        put(folder / f"c{k:02}", {**files, "campaign.toml": toml})
    ingest([str(p) for p in sorted(folder.iterdir(), reverse=True)], folder / "lab")
    return folder / "lab"


def throughput_mode(root: Path, folder: Path) -> Path:
    """Make two systems of a real log with 1, 2 and 4 threads; no two runs are alike."""
    (log,) = (root / "tests/data/iozone").glob("3.489/thr_t1t2t4_i02_R_b_cpu.txt")
    text = log.read_text()
    assert "09:10:00" in text
    starts = [f"09:1{n}:00" for n in range(6)]
    names = [f"{name}/r{n}.txt" for name in ("one", "two") for n in range(3)]
    return put(
        folder,
        {
            name: text.replace("09:10:00", start)
            for name, start in zip(names, starts, strict=True)
        },
    )
