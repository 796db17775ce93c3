"""Many complaints: ten of a kind and a count on standard error, or all with -v."""

from program import run


def test_ten_of_a_kind_then_a_count(tmp_path, root):
    logs = tmp_path / "logs"
    logs.mkdir()
    for k in range(40):
        (logs / f"{k}.txt").write_text("hello\n")
    log = root / "data/raw/loopback-2026/iozone/nfs-v3/rep1.txt"
    (logs / "good.txt").write_bytes(log.read_bytes())
    done = run("summary", logs)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert sum("expected output of" in line for line in lines) == 10 + 1
    assert sum("and 30 more like those" in line for line in lines) == 1
    every = run("summary", logs, "-v").stderr.splitlines()
    assert sum("expected output of" in line for line in every) == 40
    assert not any("more like those" in line for line in every)


def test_where_nothing_is_usable_every_file_is_named(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text("no results\n", encoding="utf-8")
    done = run("summary", tmp_path)
    assert done.returncode == 1
    assert [line.split(":")[0][-5:] for line in done.stderr.splitlines()] == [
        "a.txt",
        "b.txt",
    ]


def test_complaints_that_differ_in_numbers_only_are_of_a_kind(tmp_path, root):
    """A log whose table was changed, but not the Excel sections that repeat it."""
    log = (root / "data/raw/onehost-2026/iozone/ext4/rep1.txt").read_text()
    table, rest = log.split("iozone test complete")
    changed = "".join(
        f"{line[:24]}{int(line[24:33]) + 1:9d}{line[33:]}\n"
        if line[:24].strip().replace(" ", "").isdigit()
        else f"{line}\n"
        for line in table.splitlines()
    )
    (tmp_path / "log.txt").write_text(f"{changed}iozone test complete{rest}")
    done = run("summary", tmp_path / "log.txt")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert sum("log.txt:" in line for line in lines) == 10
    (more,) = (line for line in lines if line.startswith("… and "))
    assert "more like those that expected … as in line …; -v names all" in more
