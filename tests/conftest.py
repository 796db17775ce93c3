"""What every test may use: the folder of the project and the machine's Chromium."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import fsviz.report._jsonschema  # noqa: F401  # isort: skip  # before a test imports it
import pytest
from browser import quit_browser
from hypothesis import settings
from lab import served
from samples import read_once

# The same examples on every machine: a commit passes or fails, never by chance.
# HYPOTHESIS_PROFILE=default draws new ones, to look for what no example has met.
# No deadline: how long an example takes is the machine's affair
settings.register_profile("repeatable", derandomize=True, deadline=None)
# more examples for tests that state no number of their own, in `make test-slow`
settings.register_profile("long", derandomize=True, max_examples=1000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

# What tests start ends as on a terminal, also where nohup or a shell's & made the tests
# deaf to these, which their children would be too
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Nothing of one test, or of the person who runs them, answers in another
# A fault of a reader fails its test, also where the program would go on to other files
os.environ["FSVIZ_RAISE"] = "1"

ROOT = Path(__file__).resolve().parent.parent
REQUIRED = os.environ.get("FSVIZ_REQUIRE_BROWSER") == "1"
MISSING = "no Chromium found (apt install chromium)"


def find_chromium() -> str | None:
    """Find the browser by the names that distributions give it."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    wanted = (os.environ.get("BROWSER_PATH"), *names)
    return next((path for n in wanted if n and (path := shutil.which(n))), None)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip browser tests without a browser, unless one is required."""
    if item.get_closest_marker("browser") is None or find_chromium():
        return
    if REQUIRED:
        pytest.fail(f"{MISSING}, and FSVIZ_REQUIRE_BROWSER=1", pytrace=False)
    pytest.skip(MISSING)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say once what a missing browser left out."""
    if not find_chromium():
        outcome = "fail" if REQUIRED else "are skipped"
        terminalreporter.write_line(f"Browser tests {outcome}: {MISSING}")


# What takes longest begins first, so that no worker is left alone with it at the end
FIRST = (
    *("tests/test_docs", "tests/test_readme", "tests/report"),
    *("tests/test_case_notebooks", "tests/lessons", "tests/cli"),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files with the longest tests before the others."""

    def rank(item: pytest.Item) -> int:
        return next((n for n, s in enumerate(FIRST) if item.nodeid.startswith(s)), 9)

    items.sort(key=rank)


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return ROOT


@pytest.fixture
def samples_read_once() -> Iterator[None]:
    """Commands in this process read each committed campaign once for all tests."""
    with read_once():
        yield


@pytest.fixture(scope="session")
def chromium() -> Iterator[str]:
    """Path of the browser; mark the test with ``browser`` as well."""
    path = find_chromium()
    if path is None:
        (pytest.fail if REQUIRED else pytest.skip)(MISSING)
    yield path
    quit_browser()


@pytest.fixture(scope="session")
def jupyterlab(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a JupyterLab; the tests that visit it share a file."""
    with served(root, tmp_path_factory.mktemp("lab")) as address:
        yield address
