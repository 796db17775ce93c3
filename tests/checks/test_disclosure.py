"""Rule about the reader."""

from tests.checks.outputs import LOOPBACK, build, findings, iozone, loaded


def test_undisclosed(tmp_path):
    [found] = findings(build(tmp_path, {"a/rep1.txt": iozone()}), "undisclosed")
    # the banner states version, flags and date; five facts are missing
    assert found["message"].startswith("3 of 8")


def test_undisclosed_is_silent_when_all_is_stated():
    assert findings(loaded(LOOPBACK), "undisclosed") == []
