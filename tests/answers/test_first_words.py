"""What is said first of campaigns whose truth is known: it is true, and says where."""

import json
import re
from dataclasses import replace

import pytest
from frames import campaign as campaign_of
from frames import made
from program import run
from simulated import SIZES, campaign, usual

import fsviz
from fsviz.answers.headline import WORDS, headline
from fsviz.answers.matrix import overview
from fsviz.answers.notes import notes_of
from fsviz.answers.statement import statements
from fsviz.text.first_sight import overview_text


def first_words(folder):
    """Headline, statements and the terminal's text of a campaign."""
    frame = overview(fsviz.load(folder))
    said = headline(frame)
    assert len(said.split()) <= WORDS
    return said, statements(frame), overview_text(frame, said)


def small_and_large(fast, slow, edge):
    """A truth: faster up to an edge [KiB], slower from there on."""
    return lambda _s, _o, size: fast if size < edge else 1 / slow


@pytest.mark.slow
def test_small_sizes_faster_and_large_ones_slower_are_no_average(tmp_path):
    """Five sizes 2 times faster, the three largest 1.8 times slower."""
    truth = small_and_large(2, 1.8, SIZES[5])
    said, told, text = first_words(campaign(tmp_path, {"ext4": usual, "xfs": truth}))
    assert said == (
        "Against ext4, IOzone: xfs depends: 2.0× faster up to 16-MiB files, 1.8× "
        "slower from 64 MiB."
    )
    assert {one.verdict for one in told} == {"depends"}
    assert {one.strip for one in told if not one.is_mean} == {"▲▲▼▼"}
    (row,) = (line for line in text.splitlines() if line.startswith("xfs"))
    assert row.split()[1:7] == ["⇅▲▲▼▼"] * 6
    # the same word, and where, in every form
    for by, where in (("operation", "sizes"), ("tool", "operations")):
        done = run("compare", tmp_path, "--by", by, "--format", "json").stdout
        rows = [r for r in json.loads(done) if r["metric"] == "throughput"]
        assert {row["verdict"] for row in rows} == {"depends"}
        if where == "sizes":
            assert rows[0]["faster_in"] == [1024 * size for size in SIZES[:5]]
            assert rows[0]["slower_in"] == [1024 * size for size in SIZES[5:]]


def test_half_faster_and_half_slower_is_not_alike(tmp_path):
    truth = small_and_large(1.5, 1.5, SIZES[4])
    said, told, _ = first_words(campaign(tmp_path, {"gzip": usual, "xfs": truth}))
    assert said.endswith(
        "xfs depends: 1.5× faster up to 4-MiB files, 1.5× slower from 16 MiB."
    )
    assert "same" not in said
    assert {one.cell for one in told} == {"⇅"}


def test_large_sizes_faster_and_small_ones_equal_are_not_about_the_same(tmp_path):
    """Means over all sizes within the band hid files of 64 MiB, 1.12× faster each."""

    def truth(_system, operation, size):
        return 1.12 if "write" in operation and size >= SIZES[5] else 1.0

    folder = campaign(tmp_path, {"a": usual, "b": truth}, sd=0.005)
    said, told, _ = first_words(folder)
    assert said == (
        "Against a, IOzone: b about the same on average, but 1.1× faster at 3 write "
        "tests of files of 64 MiB to 1 GiB."
    )
    assert [one.verdict for one in told if one.is_mean] == ["same"]
    # of one operation that is asked for there is no mean of the tool
    frame = overview(fsviz.load(tmp_path), operations=["write"])
    assert headline(frame) == (
        "Against a, IOzone write: b 1.1× faster at large and very large files, near "
        "1× elsewhere."
    )


def test_of_one_operation_that_is_alike_on_average_it_says_which_sizes(tmp_path):
    truth = small_and_large(1.0, 1 / 1.09, SIZES[5])
    folder = campaign(tmp_path, {"a": usual, "b": truth}, sd=0.003)
    frame = overview(fsviz.load(folder), operations=["write"])
    (row,) = statements(frame)
    assert row.verdict == "same"
    assert headline(frame) == (
        "Against a, IOzone write: b about the same on average, but 1.08–1.09× "
        "faster at large and very large files."
    )


def test_where_no_place_has_room_it_says_that_sizes_differ(tmp_path):
    truths = {
        "b": lambda _s, o, z: 1.12 if "write" in o and z >= SIZES[5] else 1.0,
        "c": lambda _s, o, z: 1.15 if "read" in o and z >= SIZES[6] else 1.0,
        "d": usual,
        "e": lambda _s, _o, z: 1.0 + 0.12 * ((z >= SIZES[6]) - (z <= SIZES[0])),
    }
    said, *_ = first_words(campaign(tmp_path, {"a": usual, **truths}, sd=0.005))
    assert said.endswith(
        "b and c about the same on average, but not at all sizes; d about the same."
    )


def test_reads_faster_and_writes_slower_are_both_said(tmp_path):
    def truth(_system, operation, _size):
        return 2.2 if "read" in operation else 1 / 2.2

    said, told, _ = first_words(campaign(tmp_path, {"lz4": usual, "gzip": truth}))
    assert said == (
        "Against lz4, IOzone: gzip depends: 2.2× faster at 3 read tests, but 2.2× "
        "slower at 3 write tests."
    )
    (mean,) = (one for one in told if one.is_mean)
    assert sorted(mean.faster_in) == ["random_read", "read", "reread"]
    assert {one.verdict for one in told if not one.is_mean} == {"faster", "slower"}


def test_a_mean_that_its_parts_do_not_contradict_is_said(tmp_path):
    said, *_ = first_words(campaign(tmp_path, {"a": usual, "b": lambda *_: 1.5}))
    assert said == "Against a, IOzone: b 1.5× faster."


def test_one_operation_against_the_others_is_named(tmp_path):
    def truth(_system, operation, _size):
        return 1 / 3 if operation == "random_write" else 1.4

    said, *_ = first_words(campaign(tmp_path, {"a": usual, "b": truth}))
    assert "b depends: 1.4× faster at" in said
    assert re.search(r", but (2\.9|3\.\d)× slower at random write\.$", said)


@pytest.mark.slow
@pytest.mark.parametrize("runs, sd, mark", [(5, 0.5, "?"), (5, 0.01, "=")])
def test_what_is_inconclusive_shows_its_ratio_and_how_wide_it_is(
    tmp_path, runs, sd, mark
):
    """A ratio of a half in five runs said less than one in a single run did."""
    truth = (lambda *_: 0.6) if mark == "?" else usual
    said, told, _ = first_words(
        campaign(tmp_path, {"a": usual, "b": truth}, runs, sd=sd, seed=1)
    )
    (mean,) = (one for one in told if one.is_mean)
    assert mean.cell.startswith(mark)
    if mark == "?":
        assert re.fullmatch(r"\?▼\d\.\d×", mean.cell)
        assert mean.verdict == "unclear"
        assert re.search(
            r"b inconclusive \(.*slower to .*faster; about \d+ runs each "
            r"would detect 1\.1×\)",
            said,
        )
    else:
        assert said == "Against a, IOzone: b about the same."


@pytest.mark.slow
def test_the_runs_that_would_settle_it_are_those_that_find_it(tmp_path):
    """Twice the number that is named finds 1.1 times in nine of ten campaigns."""
    _, told, _ = first_words(
        campaign(tmp_path / "few", {"a": usual, "b": usual}, 5, sd=0.06, seed=5)
    )
    (mean,) = (one for one in told if one.is_mean)
    assert mean.verdict == "unclear"
    assert 4 <= mean.settled_by <= 30
    _, told, _ = first_words(
        campaign(
            tmp_path / "many",
            {"a": usual, "b": lambda *_: 1.1},
            2 * mean.settled_by,
            sd=0.06,
            seed=6,
        )
    )
    (mean,) = (one for one in told if one.is_mean)
    assert mean.verdict == "faster"


@pytest.mark.slow
def test_with_one_run_a_side_no_form_has_an_interval(tmp_path):
    folder = campaign(tmp_path, {"a": usual, "b": lambda *_: 1.6}, runs=1)
    said, told, _ = first_words(folder)
    assert re.fullmatch(
        r"One run each, so no verdict. Against a, IOzone: b 1\.\d× faster\.", said
    )
    assert all(one.interval is None for one in told)
    for form in ("text", "markdown", "csv", "json"):
        done = run("compare", folder, "--intervals", "--format", form).stdout
        assert " … " not in done
        if form == "json":
            assert {row["ci_low"] for row in json.loads(done)} == {None}


def test_within_the_band_one_run_has_no_arrow(tmp_path):
    folder = campaign(tmp_path, {"a": usual, "b": lambda *_: 1.03}, 1, 0.001, 0.001)
    _, told, _ = first_words(folder)
    assert {one.cell for one in told} == {"·1.03×"}


@pytest.mark.slow
def test_a_win_within_the_band_is_none(tmp_path):
    folder = campaign(tmp_path, {"a": usual, "b": lambda *_: 1.07}, 5, 0.003)
    _, told, text = first_words(folder)
    assert {one.verdict for one in told} == {"faster"}
    assert text.count("6/0") == 1
    folder = campaign(tmp_path / "n", {"a": usual, "b": lambda *_: 1.046}, 12, 0.008)
    _, told, text = first_words(folder)
    faster = [one for one in told if one.verdict == "faster"]
    assert faster
    assert "won/" not in text


@pytest.mark.slow
@pytest.mark.parametrize("name", ["before", "old", "Baseline", "without", "control"])
def test_a_system_is_the_baseline_by_its_name(tmp_path, name):
    folder = campaign(tmp_path / "c", {"after": usual, name: usual})
    (folder / "campaign.toml").unlink()
    loaded = fsviz.load(folder)
    assert loaded.baseline == name
    (why,) = (note for note in loaded.notes if "baseline" in note.text)
    assert why.text.startswith(f"{name} is the baseline, by its name")
    done = run("compare", folder)
    assert done.stdout.startswith(f"Against {name}")
    assert f"{name} is the baseline, by its name" in done.stderr
    assert f"Each system against {name} (the baseline by its name)" in done.stdout
    # what is stated counts more
    (folder / "campaign.toml").write_text('baseline = "after"\n')
    assert fsviz.load(folder).baseline == "after"


@pytest.mark.slow
def test_one_row_says_one_word_whatever_is_asked(tmp_path):
    """The default table said unclear of a row that a filtered one called faster."""
    systems = {
        "a": usual,
        **{f"s{n}": (lambda *_, n=n: 1.02 + n / 40) for n in range(4)},
    }
    folder = campaign(tmp_path, systems, runs=4, sd=0.04, seed=1)
    whole = fsviz.compare(fsviz.load(folder))
    key = ["operation", "metric", "bucket", "candidate"]
    known = whole.set_index(key)[["q_value", "verdict"]]
    assert {"faster", "unclear"} <= set(whole["verdict"])
    for name in ("s0", "s3"):
        some = fsviz.compare(
            fsviz.load(folder), candidate=[name], operation=["reread"]
        ).set_index(key)
        assert len(some) == 5
        for place, row in some.iterrows():
            assert row["q_value"] == known.loc[place, "q_value"]
            assert row["verdict"] == known.loc[place, "verdict"]


@pytest.mark.slow
def test_means_that_name_different_winners_name_none(tmp_path):
    """Small files a little faster, the largest far slower, too noisy to see where."""

    def truth(_system, _operation, size):
        return 1.35 if size < SIZES[-1] else 1 / 3

    folder = campaign(
        tmp_path, {"a": usual, "b": truth}, 4, sd=0.01, cell_sd=0.7, seed=2
    )
    said, told, text = first_words(folder)
    (mean,) = (one for one in told if one.is_mean)
    assert mean.no_single_winner
    assert mean.verdict != "depends"
    assert mean.words.startswith("no single winner: 1.")
    assert "faster cell by cell, " in said
    assert "slower in total time" in said
    assert re.fullmatch(r"≠▲1\.\d▼\d\.\d", mean.cell)
    flat = " ".join(text.split())
    assert "≠ no single winner: by the mean of the ratios, then in all" in flat
    # which number is which stands below, and no other sign claims the row
    assert re.search(
        r"≠ b: [a-z ]+ 1\.\d× faster cell by cell, \d\.\d× slower in total", flat
    )
    torn = [one.operation.replace("_", " ") for one in told if one.is_split]
    assert not any(f"≈ b: {name}" in flat or f"? b: {name}" in flat for name in torn)


def verdicts_of(folder, name):
    """Verdict, scope and rules of the mean of a tool."""
    frame = fsviz.compare(fsviz.load(folder), by="tool", candidate=[name])
    (row,) = frame.loc[frame["metric"] == "throughput"].to_dict("records")
    return row["verdict"], row["scope"], row["disqualified_by"]


def test_one_order_in_every_round_is_said(tmp_path):
    """Ten equal systems, no drift: the order never varies, which a verdict says."""
    systems = {f"fs{n:02}": usual for n in range(10)}
    folder = campaign(tmp_path, systems, order="same")
    _, scope, rules = verdicts_of(folder, "fs09")
    assert scope == ["same order every round"]
    assert rules == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_one_order_and_drift_make_no_claim(tmp_path, seed):
    """Ten equal systems, 0.5 % a slot: the last one was "1.046 times faster"."""
    systems = {f"fs{n:02}": usual for n in range(10)}
    folder = campaign(tmp_path, systems, sd=0.01, order="same", drift=0.005, seed=seed)
    verdict, _, rules = verdicts_of(folder, "fs09")
    assert (verdict, rules) == ("disqualified", ["not-interleaved"])
    said, *_ = first_words(folder)
    assert "faster" not in said
    assert "slower" not in said


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_then_b_with_drift_is_disqualified(tmp_path, seed):
    """No difference, 2 % a run, ten runs: found the less the more runs there were."""
    folder = campaign(
        tmp_path, {"a": usual, "b": usual}, 10, order="blocks", drift=0.02, seed=seed
    )
    verdict, scope, rules = verdicts_of(folder, "b")
    assert verdict == "disqualified"
    assert scope == ["one after another"]
    assert rules == ["not-interleaved"]


def test_random_order_and_drift_are_compared_round_by_round(tmp_path):
    folder = campaign(
        tmp_path, {"a": usual, "b": lambda *_: 1.2}, 10, order="random", drift=0.02
    )
    frame = fsviz.compare(fsviz.load(folder), by="tool")
    (row,) = frame.loc[frame["metric"] == "throughput"].to_dict("records")
    assert (row["verdict"], row["paired"]) == ("faster", True)
    assert row["disqualified_by"] == []
    assert "same order every round" not in row["scope"]


@pytest.mark.slow
def test_a_single_run_names_both_directions(tmp_path):
    """The mean said "1.2 times faster" first, though six reads of 13 were slower."""

    def truth(_system, operation, _size):
        return 1 / 1.4 if operation == "read" else 1.5

    folder = campaign(tmp_path, {"a": usual, "b": truth}, 1, 0.001, 0.001)
    said, told, text = first_words(folder)
    assert said == (
        "One run each, so no verdict. Against a, IOzone: b 1.5× faster at write, "
        "rewrite, reread, "
        "random read and random write, but 1.4× slower at read."
    )
    # the spread of the ratios, and what it is not
    (mean,) = (one for one in told if one.is_mean)
    assert mean.cell == "·⇅"
    assert (mean.cells_low, mean.cells_high) == (
        pytest.approx(1 / 1.4, rel=0.01),
        pytest.approx(1.5, rel=0.01),
    )
    flat = " ".join(text.split())
    assert "across sizes and operations: b 1.4× slower to 1.5× faster. This is" in flat
    assert "not how well a run repeats" in flat
    # every sign that stands in a cell is explained, and no column is empty
    assert "▲ faster; ▼ slower; ⇅ depends: faster and slower; · measured, but" in flat
    assert "won/" not in text
    assert "Won" not in text


def test_a_single_run_that_crosses_with_the_size_says_so(tmp_path):
    """1.3 times faster at small files, 1.7 slower at large ones was "1.2× slower"."""
    folder = campaign(tmp_path, {"a": usual, "b": small_and_large(1.3, 1.7, 5000)}, 1)
    said, *_ = first_words(folder)
    assert re.search(
        r"b 1\.2× slower \(1\.\d× slower to 1\.\d× faster from cell to", said
    )


@pytest.mark.slow
def test_a_mean_that_a_single_size_class_makes_says_which(tmp_path):
    """ "1.1× faster" was 3 times at 1 GiB, and nothing at all other sizes."""
    truth = small_and_large(1, 1 / 3, SIZES[-1])
    said, told, _ = first_words(campaign(tmp_path, {"a": usual, "b": truth}, sd=0.02))
    assert said == (
        "Against a, IOzone: b 2.9–3.0× faster at very large files, near 1× elsewhere."
    )
    # where it is equal in some classes, the cell shows in which it is not
    _, told, text = first_words(
        campaign(tmp_path / "n", {"a": usual, "b": truth}, sd=0)
    )
    assert {one.strip for one in told if not one.is_mean} == {"===▲"}
    assert "Marks behind the first: small to very large files" in " ".join(text.split())


def test_a_class_that_is_decided_shows_in_a_cell_that_is_not():
    runs = {
        n: [made(n, [("write", 64, 4, 1.0), ("write", 2048, 4, 1.0)])] for n in "ab"
    }
    one = statements(overview(campaign_of(runs)))[0]
    undecided = ("unclear", "slower", "", "")
    assert replace(one, verdict="unclear", classes=undecided).strip == "≈▼"
    assert replace(one, verdict="slower", classes=undecided).strip == ""
    assert replace(one, verdict="unclear", classes=("unclear",) * 4).strip == ""


def test_a_mean_that_two_operations_make_says_which(tmp_path):
    """ "1.1× faster" was 1.5 times at write and read, and nothing at four others."""

    def truth(_system, operation, _size):
        return 1.5 if operation in ("write", "read") else 1.0

    said, *_ = first_words(campaign(tmp_path, {"a": usual, "b": truth}, sd=0.01))
    assert said == (
        "Against a, IOzone: b 1.5× faster at write and read, near 1× elsewhere."
    )


def test_sizes_at_which_only_reads_depend_are_said_of_reads(tmp_path):
    """ "2.0× faster up to 4 MiB" sounded as if of writes too, which were all equal."""

    def truth(_system, operation, size):
        return (2.0 if size < SIZES[4] else 0.6) if "read" in operation else 1.0

    said, *_ = first_words(campaign(tmp_path, {"a": usual, "b": truth}, sd=0.01))
    assert said.endswith(
        "b depends: at 3 read tests 2.0× faster up to 4-MiB files, 1.7× slower from "
        "16 MiB."
    )


@pytest.mark.slow
def test_of_many_those_are_named_that_differ_most(tmp_path):
    systems = {f"s{n:02}": (lambda *_, n=n: 1.25**n) for n in range(16)}
    said, *_ = first_words(campaign(tmp_path, systems, 3, sd=0.02))
    assert said == "Against s00, IOzone: s15, s14 and 13 more 1.2–29× faster."


@pytest.mark.slow
def test_two_runs_and_one_are_not_one_each(tmp_path):
    folder = campaign(tmp_path, {"a": usual, "b": lambda *_: 2}, 2, 0.001, 0.001)
    (folder / "b/r1.txt").unlink()
    said, *_ = first_words(folder)
    assert said == "Under 3 runs each, so no verdict. Against a, IOzone: b 2.0× faster."


def test_systems_without_a_size_in_common_are_not_untested(tmp_path):
    folder = campaign(tmp_path, {"a": usual, "b": usual}, 3)
    for k in range(3):
        path = folder / f"b/r{k}.txt"
        text = path.read_text()
        for size in SIZES:
            text = text.replace(f"-s {size}k", f"-s {3 * size}k")
            text = text.replace(f"\n{size:16d} ", f"\n{3 * size:16d} ")
        path.write_text(text)
    said, told, text = first_words(folder)
    assert said == "Nothing to compare: a and b have no size in common."
    assert all(one.is_apart and not one.cell for one in told)
    assert "b has no size in common with a at write, rewrite and 4 more." in text
    assert "untested" not in text


def test_long_names_that_look_alike_keep_where_they_differ(tmp_path):
    names = [f"rack-1-in-the-hall/disk-{n}/a-file-system-of-it" for n in (7, 8)]
    systems = {"a": usual, **{n.replace("/", "_"): (lambda *_: 2) for n in names}}
    folder = campaign(tmp_path, systems, 3, 0.001, 0.001)
    said, _, text = first_words(folder)
    assert "…7_a-file-system-of-it and …8_a-file-system-of-it 2.0× faster" in said
    shown = re.findall(r"…[78]_\S+", text.split("Each system")[1])
    assert [name[1] for name in shown] == ["7", "8"]


def test_what_ought_to_be_a_question_is_marked_as_one(tmp_path):
    """Beyond 5 % the note began with ≈, which the legend calls within 5 %."""
    folder = campaign(tmp_path, {"a": usual, "b": lambda *_: 0.6}, 5, sd=0.5, seed=1)
    _, told, text = first_words(folder)
    assert {one.mark for one in told} == {"?"}
    assert "\n? b: " in text
    assert "≈" not in text


@pytest.mark.slow
def test_a_class_that_is_undecided_shows_what_the_headline_says_of_its_sizes(root):
    told = fsviz.load(root / "data/raw/onehost-2026")
    rows = fsviz.compare(told, by="bucket", operation="random_write")
    small = rows.loc[(rows["candidate"] == "xfs") & (rows["bucket"] == "small")]
    assert list(small["verdict"]) == ["unclear"]
    said, statements_, _ = first_words(root / "data/raw/onehost-2026")
    assert "1.4× slower up to 64 KiB" in said
    (one,) = (
        one
        for one in statements_
        if (one.candidate, one.operation) == ("xfs", "random_write")
    )
    assert one.classes[0] == "slower"


def test_what_is_near_one_at_every_size_is_not_said_by_its_cells_alone():
    """One run each: two threads are alike but for one cell of four each way."""
    opposite = {4: 3.0, 64: 1.0, 1024: 1 / 1.8}
    cells = {(64, 4): 1.4, (64, 64): 1 / 1.4, (1024, 4): 1 / 1.4, (1024, 64): 1.4}
    runs = {}
    for name in ("first system", "second system"):
        factor = name.startswith("second")
        one = [
            (operation, 1024, record, 100.0 * (ratio if factor else 1))
            for operation in ("write", "read", "rewrite", "reread")
            for record, ratio in opposite.items()
        ]
        two = [
            ("write", *size, 100.0 * (ratio if factor else 1))
            for size, ratio in cells.items()
        ]
        many = made(f"{name}2", two, tool="fio", threads=2)
        runs[name] = [made(f"{name}1", one, tool="fio"), many]
    said = headline(overview(campaign_of(runs)))
    assert "second system 3.0× faster up to 4-KiB records, 1.8× slower from" in said
    # there is no room for "(1.4× slower to 1.4× faster from cell to cell)"
    assert said.endswith("fio with 2 threads: second system about as fast on average.")


@pytest.mark.parametrize("threads", [(1,), (1, 2), (1, 2, 4, 8)])
def test_an_average_of_opposite_sizes_is_never_said_alone(threads):
    """One run each: 3.3 times slower at one size, 17 times faster at the other."""
    ratios = {"fuse": (1.0, 1.0), "erasure coded": (0.3, 17.0), "kernel": (23.0, 23.0)}
    runs = {
        name: [
            made(
                f"{name}{n}",
                [
                    (operation, None, size, 100.0 * ratio)
                    for operation in ("write", "read", "random_read")
                    for size, ratio in zip((4, 1024), own, strict=True)
                ],
                tool="fio",
                threads=n,
            )
            for n in threads
        ]
        for name, own in ratios.items()
    }
    said = headline(overview(campaign_of(runs)))
    assert (
        "erasure coded 17× faster from 1-MiB records, 3.3× slower up to 4 KiB" in said
    )
    assert "2.3× faster" not in said
    assert len(said.split()) <= WORDS


def test_who_ran_with_other_threads_is_not_called_not_measured():
    rows = [("write", 64, 4, 100.0)]
    runs = {
        name: [made(f"{name}{k}", rows, threads=threads) for k in range(3)]
        for name, threads in (("a", 1), ("b", 1), ("c", 4))
    }
    said = " ".join(notes_of(statements(overview(campaign_of(runs)))))
    assert "Not measured" not in said
    assert "iozone measured c with other numbers of threads or other settings" in said


def test_the_ratio_is_that_of_the_sizes_that_are_named(tmp_path):
    """Sizes at which nothing was shown stood in the range and not in its ratio."""
    speeds = dict(zip(SIZES, (1, 1, 2, 1, 2, 0.5, 0.5, 1), strict=True))
    systems = {"a": usual, "b": lambda _s, _o, size: speeds[size]}
    said, told, _ = first_words(campaign(tmp_path, systems, seed=1))
    # 1 MiB to 16 MiB, of which 4 MiB is as fast: the cube root of 2 · 1 · 2
    assert said.endswith(
        "b depends: 1.6× faster in files of 1 MiB to 16 MiB, 2.0× slower at 64 MiB to "
        "256 MiB."
    )
    own = fsviz.compare(
        fsviz.load(tmp_path),
        edges={"x": 2**19, "named": 2**24, "y": 2**40},
        by="bucket",
    ).query("bucket == 'named' and metric == 'throughput'")
    speed = {one.operation: one.faster_speed for one in told if not one.is_mean}
    by_hand = dict(zip(own["operation"], own["geomean_ratio"], strict=True))
    assert speed == pytest.approx(by_hand)


def test_of_one_operation_that_is_asked_for_its_own_row_is_said(tmp_path):
    """The mean of it alone is a row of another family, with another q."""
    systems = {"a": usual, "b": lambda *_: 1.07}
    for seed in range(6):
        folder = campaign(tmp_path / str(seed), systems, sd=0.04, seed=seed)
        frame = overview(fsviz.load(folder), operations=["write"])
        whole = overview(fsviz.load(folder)).query("operation == 'write'")
        assert frame["operation"].tolist() == ["write"]
        assert frame["q_value"].tolist() == whole["q_value"].tolist()
        is_open = set(whole["verdict"]) == {"unclear"}
        assert ("inconclusive" in headline(frame)) == is_open
