"""Rule about the reader."""

from fsviz.campaigns.starter import starter
from tests.checks.outputs import LOOPBACK, build, findings, iozone, loaded


def test_undisclosed(tmp_path):
    [found] = findings(build(tmp_path, {"a/rep1.txt": iozone()}), "undisclosed")
    # the banner states version, flags and date; five facts are missing
    assert found["message"].startswith("a reader finds 3 of the 8")


def test_undisclosed_is_silent_when_all_is_stated():
    assert findings(loaded(LOOPBACK), "undisclosed") == []


def test_what_init_reads_from_the_files_is_not_missing(tmp_path):
    """The kernel, which IOzone's banner has with -M, and each system's own date."""
    machine = "\tMachine = Linux client 6.1.0-51-amd64 #1 SMP x86_64 GNU/Linux\n"
    banner, head, rest = iozone().partition("\tCommand line used")
    assert head
    folder = tmp_path / "c"
    files = {
        "a/rep1.txt": banner + machine + head + rest,
        "b/rep1.txt": iozone(repeat=2),
    }
    [found] = findings(build(folder, files), "undisclosed")
    assert "kernel (b)" in found["evidence"]
    (folder / "campaign.toml").unlink(missing_ok=True)
    written, _ = starter(folder)
    assert 'kernel = "Linux 6.1.0-51-amd64"' in written
