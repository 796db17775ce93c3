"""``fsviz compare`` and the options of ``fsviz summary``, as people start them."""

import json
import re

import pytest
import samples
from program import run
from typer.testing import CliRunner

import fsviz
from fsviz.cli.shared import app
from fsviz.model.errors import UsageError

pytestmark = pytest.mark.usefixtures("samples_read_once")
ONEHOST = "data/raw/onehost-2026"
LOOPBACK = "data/raw/loopback-2026"
COMPARE = {
    *("tool", "operation", "metric", "bucket", "baseline", "candidate", "n_baseline"),
    *("n_candidate", "cells", "cells_unmatched", "ratio", "ci_low", "ci_high", "rule"),
    *("total_time_ratio", "mean_ratio", "p_value", "q_value", "paired", "answer"),
    *("scope", "caveats"),
}
CELLS = {
    *("tool", "operation", "metric", "file_size_bytes", "record_size_bytes", "threads"),
    *("baseline", "candidate", "ratio", "ci_low", "ci_high", "p_value", "q_value"),
    *("paired", "answer"),
}


@pytest.fixture
def start(root, monkeypatch):
    monkeypatch.chdir(root)

    def started(*arguments):
        done = CliRunner().invoke(app, arguments, catch_exceptions=False)
        assert not done.stderr
        assert done.exit_code == 0
        return done.stdout

    return started


@pytest.mark.slow
def test_without_options_the_overview_answers(start, tmp_path):
    text = start("compare", ONEHOST)
    lines = text.splitlines()
    assert lines[0].startswith("Against ext4, the campaign's baseline. 5 runs of each")
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 100
    assert "\x1b" not in text
    out = tmp_path / "answer.txt"
    assert not start("compare", ONEHOST, "-o", str(out))
    assert out.read_text(encoding="utf-8") == text
    # a cell of the table is the answer of a row
    records = json.loads(start("compare", ONEHOST, "--format", "json"))
    (write,) = [line for line in lines if line.startswith("write  ")]
    answered = [
        r["answer"]
        for r in records
        if (r["operation"], r["metric"]) == ("write", "throughput")
    ]
    assert re.findall("faster|slower", write) == answered


@pytest.mark.slow
@pytest.mark.parametrize("unwanted", [False, True])
def test_a_terminal_has_colour_unless_it_is_not_wanted(start, monkeypatch, unwanted):
    # rich takes any output for a terminal then
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if unwanted:
        monkeypatch.setenv("NO_COLOR", "1")
    text = start("compare", ONEHOST, "--operation", "write")
    assert ("\x1b[31m" in text) is not unwanted


@pytest.mark.slow
def test_json_has_the_names_of_the_contract(start):
    records = json.loads(start("compare", ONEHOST, "--format", "json"))
    assert all(set(record) >= COMPARE for record in records)
    assert {r["baseline"] for r in records} == {"ext4"}
    assert {r["answer"] for r in records} <= {
        *("faster", "slower", "same", "mixed", "faster_in_part", "slower_in_part"),
        *("inconclusive", "untested", "not_comparable"),
    }
    for name in ("scope", "caveats"):
        assert all(isinstance(record[name], list) for record in records)
    sized = json.loads(start("compare", ONEHOST, "--by", "bucket", "--format", "json"))
    buckets = {r["bucket"] for r in sized if r["tool"] == "iozone"}
    assert buckets == {"small", "medium", "large", "very_large", "all"}


def test_cells_have_the_names_of_the_contract(start):
    text = start(
        "compare", ONEHOST, "--cells", "--operation", "write", "--format", "json"
    )
    records = json.loads(text)
    assert all(set(record) >= CELLS for record in records)
    assert len(records) == 2 * 109  # of 135 sizes


def test_labels_the_first_is_the_baseline(start, root):
    folder = f"{ONEHOST}/iozone"
    sources = [
        f"{name}={folder}/{name}/rep1.txt,{folder}/{name}/rep2.txt"
        for name in ("xfs", "btrfs")
    ]
    records = json.loads(start("compare", *sources, "--format", "json"))
    assert {(r["baseline"], r["candidate"]) for r in records} == {("xfs", "btrfs")}
    assert {r["answer"] for r in records} == {"untested"}
    assert {(r["n_baseline"], r["n_candidate"]) for r in records} == {(2, 2)}
    assert {r["q_value"] for r in records} == {None}


@pytest.mark.slow
def test_buckets_of_ones_own_and_of_the_machine(start):
    chosen = (ONEHOST, "--operation", "read", "--candidate", "xfs", "--format", "json")
    own = json.loads(start("compare", *chosen, "--buckets", "1m,128m"))
    assert [r["bucket"] for r in own] == (
        ["to 1 MiB", "to 128 MiB", "over 128 MiB", "all"]
    )
    regimes = json.loads(start("compare", *chosen, "--buckets", "regimes"))
    assert [r["bucket"] for r in regimes] == (
        ["cpu_cache", "memory", "beyond_memory", "all"]
    )
    # a file of exactly the memory, 256 MiB, is beyond it, as `--regime` has it; there
    # is none between that and 128 MiB, so the figures are the same
    assert [r["ratio"] for r in own] == [r["ratio"] for r in regimes]


@pytest.mark.slow
def test_python_and_the_command_line_say_the_same(start):
    campaign = samples.loaded(LOOPBACK)
    frame = fsviz.compare(campaign, baseline="nfs-v3").rows
    chosen = ("--baseline", "nfs-v3", "--format", "json")
    records = json.loads(start("compare", LOOPBACK, *chosen))
    for name in ("answer", "scope", "caveats", "rule", "paired", "cells"):
        assert [record[name] for record in records] == frame[name].tolist()


@pytest.mark.parametrize(
    "arguments,message",
    [
        (["compare", ONEHOST, "--baseline", "zfs"], "found zfs"),
        (["compare", ONEHOST, "--buckets", "big"], "ascending sizes"),
        (["compare", ONEHOST, "--operation", "fly"], "found fly"),
        (["summary", ONEHOST, "--scaling"], "several threads"),
        (["summary", ONEHOST, "--buckets", "9m,1m"], "ascending sizes"),
    ],
)
def test_wrong_usage_is_named(root, monkeypatch, arguments, message):
    monkeypatch.chdir(root)
    with pytest.raises(UsageError, match=message):
        CliRunner().invoke(app, arguments, catch_exceptions=False)


@pytest.mark.slow
def test_a_label_that_is_given_twice_is_said(root, monkeypatch):
    monkeypatch.chdir(root)
    logs = [f"data/raw/onehost-2026/iozone/{n}/rep1.txt" for n in ("ext4", "xfs")]
    other = "b=data/raw/onehost-2026/iozone/btrfs/rep1.txt"
    asked = ["compare", *(f"a={log}" for log in logs), other, "--cells"]
    done = CliRunner().invoke(app, asked, catch_exceptions=False)
    said = "note: the label a is given twice: its files are runs of one system"
    assert f"{logs[1]}:1: {said}" in done.stderr


@pytest.mark.slow
def test_a_transfer_answers_about_time_and_a_metric_has_tables(root):
    words = ["compare", root / LOOPBACK, "--operation", "transfer"]
    first = run(*words).stdout
    assert re.search(r"^local-ext4 +8\.5×▲$", first, re.MULTILINE)
    own = run(*words, "--metric", "cpu").stdout
    assert "rsync [%]" in own
