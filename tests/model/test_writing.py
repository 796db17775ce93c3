"""What is written goes to the name that was asked for, and through nobody's link."""

import ast
import os
import shutil
import stat
from pathlib import Path

import pytest
from program import run

from fsviz.model.errors import UsageError
from fsviz.model.writing import real_folder, replacing, write_file

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "fsviz"
RAW = ROOT / "data/raw/onehost-2026/bonnie++/ext4"


@pytest.fixture
def secret(tmp_path) -> Path:
    """A file of the user's that a stranger's folder has no business with."""
    file = tmp_path / "home.bashrc"
    file.write_text("export PATH\n")
    return file


@pytest.fixture
def campaign(tmp_path) -> Path:
    """A stranger's campaign, with a result folder named as a command."""
    folder = tmp_path / "campaign"
    for system, log in (("$(touch pwned)", "rep1.csv"), ("b", "rep2.csv")):
        (folder / system).mkdir(parents=True)
        shutil.copy(RAW / log, folder / system)
    return folder


def test_init_follows_no_link_that_a_campaign_carries(campaign, secret):
    (campaign / ".campaign.toml.part").symlink_to(secret)
    done = run("init", campaign)
    assert done.returncode == 0, done.stderr
    assert secret.read_text() == "export PATH\n"
    made = campaign / "campaign.toml"
    assert not made.is_symlink()
    assert "touch pwned" in made.read_text()
    assert (campaign / ".campaign.toml.part").is_symlink()


@pytest.mark.parametrize("form", ["txt", "csv", "json", "parquet", "xlsx"])
def test_an_answer_replaces_a_link_and_leaves_what_it_led_to(
    campaign, secret, tmp_path, form
):
    name = tmp_path / f"answer.{form}"
    name.symlink_to(secret)
    given = [] if form == "txt" else ["--format", form]
    done = run("summary", campaign, *given, "-o", name)
    assert done.returncode == 0, done.stderr
    assert secret.read_text() == "export PATH\n"
    assert not name.is_symlink()
    assert name.stat().st_size > 100


def test_a_store_goes_through_no_link(campaign, secret, tmp_path):
    (store := tmp_path / "store").mkdir()
    for name in (".lock", "_fsviz.json", "campaign.parquet"):
        (store / name).symlink_to(secret)
    (outside := tmp_path / "outside").mkdir()
    (store / "campaign").symlink_to(outside)
    done = run("ingest", campaign, "-o", store)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert secret.read_text() == "export PATH\n"
    assert not list(outside.iterdir())


def test_a_folder_that_fsviz_names_is_no_link(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "x").symlink_to(tmp_path / "there")
    with pytest.raises(
        UsageError, match="x: expected a folder of fsviz's own, found a link"
    ):
        real_folder(tmp_path / "x")
    real_folder(tmp_path / "new")
    real_folder(tmp_path / "new")
    assert (tmp_path / "new").is_dir()


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_the_mode_is_what_the_umask_says(tmp_path, mask):
    before = os.umask(mask)
    try:
        write_file(tmp_path / "x", "text")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o666 & ~mask


def test_a_folder_that_is_moved_meanwhile_still_gets_the_file(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "theirs").mkdir()
    with replacing(tmp_path / "a" / "x") as file:
        (tmp_path / "a").rename(tmp_path / "b")
        (tmp_path / "a").symlink_to(tmp_path / "theirs")
        file.write(b"1")
    assert (tmp_path / "b" / "x").read_bytes() == b"1"
    assert not list((tmp_path / "theirs").iterdir())


def test_a_failure_leaves_the_old_file_and_no_other(tmp_path):
    write_file(tmp_path / "x", "old")

    def fail() -> None:
        with replacing(tmp_path / "x") as file:
            file.write(b"half")
            raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        fail()
    assert [p.name for p in tmp_path.iterdir()] == ["x"]
    assert (tmp_path / "x").read_text() == "old"


@pytest.mark.parametrize("place", ["null", "link"])
def test_devices_stay_what_they_are(tmp_path, place):
    os.mknod(tmp_path / "null", stat.S_IFIFO | 0o600)
    (tmp_path / "link").symlink_to(tmp_path / "null")
    with pytest.raises(UsageError, match=r"device or a pipe$"):
        write_file(tmp_path / place, "text")
    assert stat.S_ISFIFO((tmp_path / "null").stat().st_mode)
    assert (tmp_path / "link").is_symlink()


def test_a_link_that_leads_nowhere_is_replaced(tmp_path):
    (tmp_path / "x").symlink_to(tmp_path / "none")
    write_file(tmp_path / "x", "text")
    assert not (tmp_path / "x").is_symlink()
    assert not (tmp_path / "none").exists()


def test_a_name_as_long_as_names_may_be_is_written(tmp_path):
    write_file(tmp_path / ("n" * 255), "text")
    assert (tmp_path / ("n" * 255)).read_text() == "text"
    with pytest.raises(UsageError, match="File name too long"):
        write_file(tmp_path / ("n" * 256), "text")


WRITERS = {"write_text", "write_bytes", "mkstemp", "NamedTemporaryFile"}


def written(tree: ast.Module) -> list[int]:
    """Return the lines that open a file to write it."""
    lines = []
    for call in (x for x in ast.walk(tree) if isinstance(x, ast.Call)):
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        mode = [a.value for a in call.args if isinstance(a, ast.Constant)]
        opens = name in {"open", "fdopen"} and any(
            str(m)[:1] in "wax" and len(str(m)) <= 3 and str(m) for m in mode
        )
        own = name == "write_text" and isinstance(call.func, ast.Name)
        if opens or (name in WRITERS and not own):
            lines.append(call.lineno)
    return lines


def test_every_write_is_the_one_safe_writer():
    found = {
        str(path.relative_to(PACKAGE)): lines
        for path in PACKAGE.rglob("*.py")
        if (lines := written(ast.parse(path.read_text())))
    }
    assert set(found) == {"model/writing.py"}
    assert written(ast.parse("p.open('w')\nopen(p, 'xb')\np.write_bytes(b)")) == (
        [1, 2, 3]
    )
