"""``fsviz compare`` and the options of ``fsviz summary``, as people start them."""

import csv
import io
import json
import re

import pytest
import samples
from compared import compare
from program import run
from typer.testing import CliRunner

from fsviz.cli.shared import app
from fsviz.model.errors import UsageError

pytestmark = pytest.mark.usefixtures("samples_read_once")
ONEHOST = "data/raw/onehost-2026"
LOOPBACK = "data/raw/loopback-2026"
COMPARE = [
    "tool",
    "operation",
    "metric",
    "bucket",
    "baseline",
    "candidate",
    "n_baseline",
    "n_candidate",
    "cells",
    "cells_unmatched",
    "ratio",
    "ci_low",
    "ci_high",
    "total_time_ratio",
    "mean_ratio",
    "p_value",
    "q_value",
    "paired",
    "answer",
    "scope",
    "caveats",
    "disqualified_by",
]
CELLS = [
    "tool",
    "operation",
    "metric",
    "file_size_bytes",
    "record_size_bytes",
    "threads",
    "baseline",
    "candidate",
    "ratio",
    "ci_low",
    "ci_high",
    "p_value",
    "q_value",
    "paired",
    "answer",
]


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
def test_every_other_system_and_tool_is_answered(start):
    text = start("compare", LOOPBACK, "--baseline", "nfs-v3", "--intervals")
    assert max(map(len, text.splitlines())) <= 100
    answers = {tuple(line.split()[:2]) for line in text.splitlines() if line}
    for system in ("local-ext4", "local-xfs", "nfs-v4.0", "smb-3.1.1", "sshfs"):
        for tool in ("iozone", "bonnie++", "rsync"):
            assert (tool, system) in answers
    assert "iozone write: throughput, more is better" in text
    assert "rsync transfer: elapsed, less is better" in text
    assert "rsync transfer: cpu, less is better" in text


@pytest.mark.slow
def test_without_options_the_overview_answers(start, tmp_path):
    text = start("compare", ONEHOST)
    lines = text.splitlines()
    assert lines[0].startswith("Against ext4, IOzone: btrfs 1.5× slower, 2.0× at")
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in text
    out = tmp_path / "answer.txt"
    assert not start("compare", ONEHOST, "-o", str(out))
    assert out.read_text(encoding="utf-8") == text
    # cells of the matrix are the comparison's verdicts, one an operation
    records = json.loads(
        start("compare", ONEHOST, "--by", "operation", "--format", "json")
    )
    marks = {
        "faster": "▲",
        "slower": "▼",
        "inconclusive": "≈?",
        "same": "=",
        "mixed": "⇅",
    }
    rows = [line.split() for line in lines]
    for name, last in (("xfs", "2/0"), ("btrfs", "0/5")):
        cells = next(row[1:] for row in rows if row[:1] == [name])
        verdicts = [
            marks[r["answer"]]
            for r in records
            if r["tool"] == "iozone" and r["candidate"] == name
        ]
        assert all(c[0] in v for c, v in zip(cells[:6], verdicts, strict=True))
        assert cells[-1] == last


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
    assert ("\x1b[31m▼" in text) is not unwanted


@pytest.mark.slow
@pytest.mark.parametrize(
    "more",
    [
        ("--intervals",),
        ("--by", "bucket"),
        ("--cells",),
        ("--buckets", "1m"),
        ("--robust",),
        ("--confidence", "0.99"),
    ],
)
def test_these_options_ask_for_tables(start, more):
    text = start("compare", ONEHOST, "--operation", "write", *more)
    assert "iozone write: throughput, more is better" in text


@pytest.mark.slow
def test_json_has_the_names_of_the_contract(start):
    records = json.loads(start("compare", ONEHOST, "--format", "json"))
    assert all(set(COMPARE) <= set(record) for record in records)
    assert {r["baseline"] for r in records} == {"ext4"}
    assert {r["answer"] for r in records} <= {
        "faster",
        "slower",
        "same",
        "mixed",
        "inconclusive",
        "untested",
        "not_comparable",
    }
    for name in ("scope", "caveats", "disqualified_by"):
        assert all(isinstance(record[name], list) for record in records)
    buckets = {r["bucket"] for r in records if r["tool"] == "iozone"}
    assert buckets == {"small", "medium", "large", "very_large", "all"}


def test_cells_have_the_names_of_the_contract(start):
    text = start(
        "compare", ONEHOST, "--cells", "--operation", "write", "--format", "json"
    )
    records = json.loads(text)
    assert all(set(CELLS) <= set(record) for record in records)
    assert len(records) == 2 * 109  # of 135 sizes


@pytest.mark.slow
def test_csv_is_the_same_table(start):
    chosen = (ONEHOST, "--candidate", "xfs", "--operation", "read")
    rows = list(
        csv.DictReader(io.StringIO(start("compare", *chosen, "--format", "csv")))
    )
    records = json.loads(start("compare", *chosen, "--format", "json"))
    assert [float(r["ratio"]) for r in rows] == pytest.approx(
        [r["ratio"] for r in records]
    )
    assert {r["candidate"] for r in rows} == {"xfs"}


def test_labels_the_first_is_the_baseline(start, root):
    folder = f"{ONEHOST}/iozone"
    sources = [
        f"{name}={folder}/{name}/rep1.txt,{folder}/{name}/rep2.txt"
        for name in ("xfs", "btrfs")
    ]
    records = json.loads(start("compare", *sources, "--format", "json"))
    assert {(r["baseline"], r["candidate"]) for r in records} == {("xfs", "btrfs")}
    assert {r["answer"] for r in records} == {"untested"}
    assert {(r["n_baseline"], r["needed_candidate"]) for r in records} == {(2, 1)}
    assert {r["q_value"] for r in records} == {None}


@pytest.mark.slow
def test_markdown_and_a_file(start, tmp_path):
    out = tmp_path / "answer.md"
    chosen = (ONEHOST, "--operation", "write", "--by", "operation")
    assert not start("compare", *chosen, "--format", "markdown", "-o", str(out))
    text = out.read_text(encoding="utf-8")
    assert "| iozone | write | throughput, more is better | all | xfs | 5 |" in text
    assert [p.name for p in tmp_path.iterdir()] == ["answer.md"]


@pytest.mark.slow
def test_buckets_of_ones_own_and_of_the_machine(start):
    chosen = (ONEHOST, "--operation", "read", "--candidate", "xfs", "--format", "json")
    own = json.loads(start("compare", *chosen, "--buckets", "1m,128m"))
    assert [r["bucket"] for r in own] == [
        "to 1 MiB",
        "to 128 MiB",
        "over 128 MiB",
        "all",
    ]
    regimes = json.loads(start("compare", *chosen, "--buckets", "regimes"))
    assert [r["bucket"] for r in regimes] == [
        "cpu_cache",
        "memory",
        "beyond_memory",
        "all",
    ]
    # a file of exactly the memory, 256 MiB, is beyond it, as `--regime` has it; there
    # is none between that and 128 MiB, so the figures are the same
    assert [r["ratio"] for r in own] == [r["ratio"] for r in regimes]


@pytest.mark.slow
def test_the_matrix_and_the_tables_have_one_baseline(start):
    """Without --baseline the matrix was against nfs-v3, --intervals local-ext4."""
    asked = ("compare", LOOPBACK, "--operation", "read")
    assert "Each system against nfs-v3 (local-ext4 is over 3× from" in start(*asked)
    done = CliRunner().invoke(app, [*asked, "--intervals"], catch_exceptions=False)
    assert done.stdout.startswith("Baseline nfs-v3.")
    assert done.stderr == (
        "Compared with nfs-v3: local-ext4 is over 3× from the others.\n"
    )
    named = (*asked, "--baseline", "local-ext4")
    assert "Each system against local-ext4:" in start(*named)
    assert start(*named, "--intervals").startswith("Baseline local-ext4.")


READS = ("--baseline", "nfs-v3", "--operation", "read", "--candidate", "smb-3.0")


@pytest.mark.slow
def test_a_verdict_says_what_it_is_about(start):
    text = start("compare", LOOPBACK, *READS, "--intervals")
    small = next(line for line in text.splitlines() if line.startswith("small"))
    assert "faster (cache, emulated)" in small
    assert "over-line-rate: a caveat of fsviz check" in text
    records = json.loads(start("compare", LOOPBACK, *READS, "--format", "json"))
    by_bucket = {r["bucket"]: r for r in records}
    assert by_bucket["small"]["scope"] == ["cache", "emulated"]
    assert by_bucket["small"]["answer"] == "faster"
    # the numbers alone say the same of the difference
    bare = start(
        "compare", LOOPBACK, *READS, "--intervals", "--ignore", "over-line-rate"
    )
    assert "over-line-rate" not in bare


@pytest.mark.slow
def test_only_sizes_that_could_be_measured(root, monkeypatch):
    monkeypatch.chdir(root)
    chosen = ["compare", LOOPBACK, *READS, "--sizes", "measurable", "--format", "json"]
    done = CliRunner().invoke(app, chosen)
    assert done.exit_code == 0
    assert "read, reread, random read: files from 128 KiB" in done.stderr
    records = {r["bucket"]: r for r in json.loads(done.stdout)}
    # what seemed faster was the client's memory; over the wire it is slower
    assert records["small"]["answer"] == "slower"
    assert records["small"]["scope"] == ["emulated"]
    assert records["small"]["cells"] == 12


@pytest.mark.slow
def test_python_and_the_command_line_say_the_same(start):
    campaign = samples.loaded(LOOPBACK)
    frame = compare(campaign, baseline="nfs-v3")
    chosen = ("--baseline", "nfs-v3", "--format", "json")
    records = json.loads(start("compare", LOOPBACK, *chosen))
    for name in ("answer", "scope", "caveats", "disqualified_by", "paired", "cells"):
        assert [record[name] for record in records] == frame[name].tolist()


@pytest.mark.slow
def test_ranks_instead_of_means(start):
    chosen = (ONEHOST, "--operation", "write", "--format", "json", "--by", "operation")
    records = json.loads(start("compare", *chosen, "--robust"))
    # five rounds are one too few for Wilcoxon's test
    assert {(r["answer"], r["needed_candidate"]) for r in records} == {("untested", 1)}


@pytest.mark.slow
def test_wider_confidence_wider_intervals(start):
    chosen = (ONEHOST, "--operation", "write", "--by", "operation", "--format", "json")
    usual, wide = (
        json.loads(start("compare", *chosen, *more))
        for more in ((), ("--confidence", "0.99"))
    )
    for one, other in zip(usual, wide, strict=True):
        assert other["ci_low"] < one["ci_low"] < one["ci_high"] < other["ci_high"]
        assert other["p_value"] == one["p_value"]
    assert "99 % interval" in start("compare", *chosen[:-2], "--confidence", "0.99")


@pytest.mark.parametrize(
    "arguments,message",
    [
        (["compare", ONEHOST, "--baseline", "zfs"], "found zfs"),
        (["compare", ONEHOST, "--confidence", "95"], "between 0 and 1, found 95"),
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


def test_help_has_an_example(start):
    assert "Example: fsviz compare results --baseline nfs" in start("compare", "--help")


@pytest.mark.slow
def test_summary_by_size_and_operation(start):
    text = start("summary", ONEHOST, "--operation", "write", "--by", "file_size")
    assert "64 KiB" in text
    assert "1 GiB" in text
    records = json.loads(
        start("summary", ONEHOST, "--by", "operation", "--format", "json")
    )
    assert {r["bucket"] for r in records} == {"all"}
    regimes = start("summary", ONEHOST, "--buckets", "regimes", "--confidence", "0.9")
    assert "beyond memory" in regimes
    assert "90 % interval" in regimes


@pytest.mark.slow
def test_the_overview_comes_as_records_too():
    command = ["compare", ONEHOST, "--overview", "--operation", "write"]
    done = CliRunner().invoke(app, [*command, "--format", "json"])
    assert done.exit_code == 0
    (xfs, *_) = [r for r in json.loads(done.stdout) if r["candidate"] == "xfs"]
    assert (xfs["operation"], xfs["baseline"]) == ("write", "ext4")
    assert xfs["answer"] == "faster"
    assert xfs["speed_low"] < xfs["speed"] < xfs["speed_high"]


@pytest.mark.slow
def test_terminal_and_page_choose_the_same_reference(root):
    from fsviz.report.first_sight import first_sight

    campaign = samples.loaded(root / LOOPBACK)
    others = [name for name in campaign.systems["system"] if name != "local-ext4"]
    told = {"baseline": "local-ext4", "candidates": others}
    reference = first_sight(campaign, **told).reference
    done = CliRunner().invoke(app, ["compare", LOOPBACK])
    # with why it is not the stated baseline
    assert f"\nEach system against {reference} (local-ext4 is over" in done.stdout
    asked = ["compare", LOOPBACK, "--baseline", "local-ext4"]
    done = CliRunner().invoke(app, asked)
    assert "Each system against local-ext4:" in done.stdout.splitlines()


@pytest.mark.slow
def test_speed_comes_before_what_it_costs(start):
    """CPU came first, and its verdicts were added to those of the elapsed time."""
    named = ("--candidate", "smb-2.1", "--operation", "transfer", "--intervals")
    text = start("compare", LOOPBACK, *named)
    assert text.startswith("Baseline local-ext4.")
    titles = [line for line in text.splitlines() if line.startswith("rsync transfer:")]
    assert [line.split()[2].strip(",") for line in titles] == [
        *("elapsed", "cpu", "cpu_cost")
    ]
    (counts,) = (line for line in text.splitlines() if line.startswith("rsync  "))
    assert counts.split() == ["rsync", "smb-2.1", "1"]


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
    assert "local-ext4         849m\n" in first  # ms, not %
    own = run(*words, "--metric", "cpu").stdout
    assert re.findall(r"^rsync transfer: (\w+), ", own, re.MULTILINE) == ["cpu"]
    assert "less is better" in own
    refused = run(*words, "--metric", "cpu", "--overview")
    assert refused.returncode == 2
    assert "--overview: expected no --metric" in refused.stderr
