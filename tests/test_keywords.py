"""Python as guessed: one spelling of keywords, in singular or plural, and typed."""

import inspect
import pickle
import re
import sys
from pathlib import Path

import pandas as pd
import pytest
from compared import compare
from program import python

import fsviz
from tests.samples import loaded

FUNCTIONS = [name for name in fsviz.__all__ if inspect.isfunction(getattr(fsviz, name))]
CAMPAIGN = Path(__file__).resolve().parents[1] / "data/raw/onehost-2026"
NAMED = {"system", "operation", "tool", "setting", "candidate", "metric"}


def test_every_signature_is_spelled_alike() -> None:
    plural = {f"{name}s" for name in NAMED}
    for name in FUNCTIONS:
        found = plural & set(inspect.signature(getattr(fsviz, name)).parameters)
        assert not found, f"{name} takes {found}"


@pytest.mark.slow
@pytest.mark.parametrize("value", ["write", ["write"], ("write",)])
@pytest.mark.parametrize("keyword", ["operation", "operations"])
def test_a_name_or_a_list_in_singular_or_plural(keyword, value) -> None:
    campaign = loaded(CAMPAIGN)
    want = fsviz.summary(fsviz.select(campaign, operation=["write"]))
    found = fsviz.summary(campaign, **{keyword: value})
    pd.testing.assert_frame_equal(found, want)
    both = compare(campaign, candidates="xfs", **{keyword: value}, by="operation")
    assert set(both["operation"]) == {"write"}
    assert set(both["candidate"]) == {"xfs"}


@pytest.mark.slow
def test_figures_take_both_too() -> None:
    campaign = loaded(CAMPAIGN)
    one, other = (
        fsviz.plot(campaign, "maps", operation="write", **{word: ["ext4", "xfs"]})
        for word in ("system", "systems")
    )
    assert one.to_json() == other.to_json()
    listed = fsviz.maps(campaign, operations=["write"], system=["ext4", "xfs"])
    assert listed.to_json() == one.to_json()
    with pytest.raises(fsviz.UsageError, match="operation=NAME, found read, write"):
        fsviz.maps(campaign, operation=["read", "write"])


@pytest.mark.slow
def test_a_figure_of_all_operations_can_be_of_some() -> None:
    campaign = loaded(CAMPAIGN)
    every = fsviz.plot(campaign, "ratios")
    assert every.to_json() == fsviz.ratios(campaign).to_json()
    one = fsviz.plot(campaign, "ratios", "write")
    assert one.to_json() == fsviz.ratios(campaign, operation=["write"]).to_json()
    assert len(one.to_json()) < len(every.to_json()) / 3


@pytest.mark.parametrize(
    "function, keyword, nearest",
    [
        ("compare", "candidat", "candidate"),
        ("summary", "metrik", "metric"),
        ("explorer", "sytem", "system"),
        ("plot", "basline", "baseline"),
        ("load", "operaton", "operation"),
    ],
)
def test_an_unknown_keyword_names_the_nearest(function, keyword, nearest) -> None:
    given = {"kind": "maps"} if function == "plot" else {}
    with pytest.raises(fsviz.UsageError, match=f"did you mean {nearest}\\?"):
        getattr(fsviz, function)(loaded(CAMPAIGN), **given, **{keyword: "x"})


def test_one_keyword_is_given_once() -> None:
    with pytest.raises(fsviz.UsageError, match="operation once, found operations"):
        fsviz.summary(loaded(CAMPAIGN), operation="read", operations="write")


def test_public_functions_can_be_sent_to_other_processes() -> None:
    for name in FUNCTIONS:
        function = getattr(fsviz, name)
        assert pickle.loads(pickle.dumps(function)) is function, name


def test_metric_keeps_rows_and_changes_no_q() -> None:
    campaign = loaded(CAMPAIGN)
    every = compare(campaign, by="operation")
    own = compare(campaign, by="operation", metric="cpu")
    want = every.loc[every["metric"] == "cpu"].reset_index(drop=True)
    pd.testing.assert_frame_equal(own[["q_value"]], want[["q_value"]])
    assert set(fsviz.summary(campaign, metric=["cpu"])["metric"]) == {"cpu"}


SCRIPT = """
import fsviz

campaign = fsviz.load({"nfs": "a.txt", "smb": ["b.txt", "c.txt"]}, operation="read")
table = fsviz.summary(campaign, operation=["read", "write"], metric="throughput")
rows = fsviz.compare(campaign, candidate="nfs", operation="read").rows
rows.to_csv("rows.csv")
some = fsviz.select(campaign, system="nfs", tool=["iozone"])
reveal_type(some)
figure = fsviz.explorer(campaign, operation="read", system=["nfs"], scale="log")
fsviz.plot(campaign, "maps", "read", baseline="nfs")
fsviz.best(campaign, operation="read")
fsviz.ratios(campaign, operation="read")
"""
WRONG = """
import fsviz

campaign = fsviz.load("a")
fsviz.compare(campaign, candidat="nfs")
fsviz.explorer(campaign, operation="read", scale="cubic")
fsviz.plot(campaign, "maps", "read", basline="nfs")
fsviz.summary(campaign, by="moon")
"""


@pytest.mark.slow
def test_the_types_of_a_script_of_a_user_hold(tmp_path) -> None:
    found = checked(tmp_path, "-m", "mypy", "--strict", "right.py", "wrong.py")
    said = re.findall(r"(\w+\.py):(\d+): error", found)
    assert said == [("wrong.py", str(line)) for line in (5, 6, 7, 8)], found
    assert 'right.py:9: note: Revealed type is "fsviz.model.campaign.Campaign"' in found


@pytest.mark.slow
def test_they_hold_for_pyright_too(tmp_path) -> None:
    # pyright itself asks npm for its program; this one has it in its wheel
    program = ["-m", "basedpyright", "--level", "error"]
    found = checked(tmp_path, *program, "--pythonpath", sys.executable, ".")
    said = re.findall(r"(\w+\.py):(\d+):\d+ - error", found)
    assert said == [("wrong.py", str(line)) for line in (5, 6, 7, 8)], found


def checked(folder: Path, *words: str) -> str:
    """Run a checker of types on both scripts, from where no setting of ours is."""
    (folder / "right.py").write_text(SCRIPT)
    (folder / "wrong.py").write_text(WRONG)
    return python(*words, cwd=folder).stdout
