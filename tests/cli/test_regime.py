"""``--regime``: what is kept is printed, what is left out is said on standard error."""

import json

import pytest
from program import run

pytestmark = pytest.mark.usefixtures("samples_read_once")
ONEHOST, LOOPBACK = "data/raw/onehost-2026", "data/raw/loopback-2026"
KEPT = "regime storage: 969 of 12,489 numbers kept; left out: 9,720 cache, "


@pytest.fixture
def fsviz(root):
    """Run a command; return status, standard output and error."""

    def started(*arguments):
        done = run(*arguments, cwd=root)
        return done.returncode, done.stdout, done.stderr

    return started


@pytest.mark.parametrize("command", ["summary", "compare"])
def test_only_the_regime_s_buckets_are_left(fsviz, command):
    options = ("--by", "file_size", "--operation", "read", "--format", "json")
    status, out, err = fsviz(command, ONEHOST, "--regime", "storage", *options)
    assert status == 0
    assert err.startswith(KEPT)
    assert {r["bucket"] for r in json.loads(out)} - {"all"} == {"1 GiB"}


def test_rules_are_asked_about_the_regime_s_cells(fsviz):
    _, out, err = fsviz("check", ONEHOST, "--regime", "storage", "--format", "json")
    assert err.startswith(KEPT)
    found = json.loads(out)
    # the smallest files took less than a millisecond, those of 1 GiB did not
    assert "too-short" not in {r["rule"] for r in found if r["severity"] == "error"}


def test_a_figure_shows_the_regime_s_files(fsviz, tmp_path):
    out = tmp_path / "f.json"
    status, *_ = fsviz("plot", ONEHOST, "--regime", "transition", "-o", out)
    assert status == 0
    cells = json.loads(out.read_text())["layout"]["meta"]["cells"]
    assert cells["files"] == [256 * 2**20, 512 * 2**20]


@pytest.mark.parametrize(
    "arguments,says",
    [
        ((LOOPBACK, "--regime", "storage"), " numbers is left; left out: "),
        ((ONEHOST + "/iozone", "--regime", "cache"), "expected the client's memory"),
    ],
)
def test_nothing_left_or_nothing_known_is_one_line_and_status_2(fsviz, arguments, says):
    for command in ("summary", "check"):
        status, out, err = fsviz(command, *arguments)
        assert (status, out) == (2, "")
        (line,) = err.splitlines()
        assert says in line
