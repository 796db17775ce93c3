"""Figures of publications: from their folder to runs, keys and bounds."""

import csv
import re
import tomllib

import pytest
from claims import quoted_values
from samples import loaded

from fsviz.campaigns.publication import COMMANDS, POINTS, read_publication
from fsviz.model.errors import FsvizError, InconsistentDataError, MalformedRowError
from fsviz.store.load import load

KIB = 1024
NUMBER = re.compile(r"\d+(?:\.\d+)?")
CASES = (
    "1-windows-linux-nfs",
    "2-wordpress-nas",
    "3-nfs-smb-dfs",
    "4-afp-smb",
    "5-nfs-versions",
)


@pytest.fixture(scope="module")
def published(root):
    return root / "data/published"


def test_every_publication_is_here(published):
    assert tuple(sorted(p.name for p in published.iterdir())) == CASES


@pytest.mark.parametrize("case", CASES)
def test_a_publication_loads_as_a_campaign_with_its_facts(published, case):
    campaign = loaded(published / case)
    stated = tomllib.loads((published / case / "campaign.toml").read_text("utf-8"))
    assert list(campaign.systems["system"]) == [s["name"] for s in stated["system"]]
    assert set(campaign.runs["system"]) == set(campaign.systems["system"])
    assert not campaign.problems


@pytest.mark.parametrize("case", CASES)
def test_every_row_says_where_it_is_printed(published, case):
    for path in sorted((published / case).glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            places = [row["place"] for row in csv.DictReader(file)]
        assert places
        assert all(re.search(r"\blines? \d+|manual", place) for place in places)


@pytest.mark.parametrize("case", CASES)
def test_the_citation_says_what_who_where_and_when(published, case):
    cited = tomllib.loads((published / case / "citation.toml").read_text("utf-8"))
    assert {"title", "author", "site", "published", "url", "accessed"} <= set(cited)


def test_points_have_their_place_in_the_matrix(published):
    table = loaded(published / "3-nfs-smb-dfs").measurements
    assert len(table) == 23
    peak = table.loc[table["value"].idxmax()]
    where = (peak["system"], peak["operation"], peak["file_size_bytes"])
    assert where == ("SMB/CIFS", "read", 2 * KIB**2)
    assert peak["value"] == 8774635 * KIB


def test_four_zeros_at_the_end_are_rounding(published):
    known = quoted_values(published / "3-nfs-smb-dfs")
    rounded, exact = known["NFS write 16m 1m"], known["NFS read 128m 128k"]
    assert (rounded.low / KIB, rounded.high / KIB) == (4_550_000, 4_650_000)
    assert (exact.low / KIB, exact.high / KIB) == (5_308_600, 5_308_601)


def test_a_command_line_without_figures_is_a_run(published):
    runs = loaded(published / "1-windows-linux-nfs").runs
    assert list(runs["tool"]) == ["iozone", "iozone"]
    assert all("-U /mnt/" in line for line in runs["command_line"])


def test_what_is_wrong_with_a_table_of_ours_is_named_with_its_line(tmp_path):
    path = tmp_path / "points.csv"
    header = "system,operation,file,record,printed,unit,place\n"
    path.write_text(header + "a,chew,64k,4k,1,KiB/s,line 1\n")
    with pytest.raises(MalformedRowError, match=r"points.csv:2: .*operation.*'chew'"):
        read_publication(tmp_path)
    path.write_text(header + "a,read,64k,4k,fast,KiB/s,line 1\n")
    with pytest.raises(MalformedRowError, match=r"points.csv:2: .*'fast'"):
        read_publication(tmp_path)
    path.write_text("system,operation\n")
    with pytest.raises(MalformedRowError, match=r"points.csv:1: .*columns"):
        read_publication(tmp_path)


def test_a_figure_that_stands_twice_is_refused(tmp_path):
    row = "a,read,64k,4k,1,KiB/s,line 1\n"
    header = "system,operation,file,record,printed,unit,place\n"
    (tmp_path / "points.csv").write_text(header + row + row)
    with pytest.raises(InconsistentDataError, match="once"):
        quoted_values(tmp_path)


def lines_of(seed, place):
    """The lines of a text that a place names, without the commas in its numbers."""
    lines = seed.read_text("utf-8", "replace").split("\n")
    named = re.search(r"\blines? (\d+)(?: (and|to) (\d+))?", place)
    first, last = int(named[1]), int(named[3] or named[1])
    chosen = range(first, last + 1) if named[2] == "to" else (first, last)
    return " ".join(lines[n - 1] for n in chosen).replace(",", "").replace("–", "-")


def forms(number):
    """A number as the text may have it: 4600000 is printed as 4.6 million."""
    return {number, f"{float(number) / 1e6:g}" if number[-4:] == "0000" else number}


@pytest.mark.parametrize("case", CASES)
def test_every_number_stands_at_its_place_in_the_text(root, published, case):
    seeds = sorted((root.parent / "shared/seeds").glob("*.txt"))
    if not seeds:
        pytest.skip("the texts are not part of the project")
    seed = seeds[CASES.index(case)]
    checked = 0
    for path in sorted((published / case).glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            rows = [r for r in csv.DictReader(file) if "manual" not in r["place"]]
        for row in rows:
            row.pop("version", None)  # stands in the head of its table
            told = row.get("printed") or row.get("command") or " ".join(row.values())
            if path.name == "claims.csv":  # a claim may come without a number
                told = row["printed"]
            if "place" in row and not row.get("printed") and "command" not in row:
                told = told.replace(row["place"], "")
            there = set(NUMBER.findall(lines_of(seed, row["place"])))
            for number in NUMBER.findall(told.replace("e6", "")):
                assert forms(number) & there, (path, row, number)
                checked += 1
    assert checked >= 4


def test_no_sentence_of_the_texts_is_here(root, published):
    seeds = sorted((root.parent / "shared/seeds").glob("*.txt"))
    if not seeds:
        pytest.skip("the texts are not part of the project")
    texts = " ".join(seed.read_text("utf-8", "replace") for seed in seeds).lower()
    known = {tuple(run) for run in _runs_of_words(texts)}
    files = [*published.rglob("*.*"), *(root / "notebooks/cases").glob("*.ipynb")]
    for path in files:
        text = path.read_text("utf-8").lower()
        # titles and command lines are quoted on purpose
        text = re.sub(r'title"? ?[=:].*|iozone -.*|rsync -.*|https?:.*', " ", text)
        shared = [run for run in _runs_of_words(text) if tuple(run) in known]
        assert not shared, f"{path}: {shared[:3]}"


def _runs_of_words(text):
    words = re.findall(r"[a-z]+", text)
    return zip(*(words[n:] for n in range(8)), strict=False)


POINT = "nfs,read,64m,4k,5,MiB/s,line 1\n"


@pytest.mark.parametrize(
    "old,new,said",
    [
        ("64m", "64x", "points.csv:2: expected a size such as 64m, found '64x'"),
        ("64m", "0", "points.csv:2: expected a file size from 1 to below 2⁶³, found 0"),
        (",5,", f",{'9' * 400},", "points.csv:2: expected a number from 0 to below"),
        ("nfs", "n\0", "points.csv:2: expected text, found a NUL byte"),
        ("iozone,", "iozon,", "commands.csv:2: expected a tool, found 'iozon'"),
    ],
)
def test_a_damaged_file_of_a_publication_is_named(tmp_path, old, new, said):
    (tmp_path / "citation.toml").write_text("")
    for name, columns, row in (
        ("points", POINTS, POINT),
        ("commands", COMMANDS, "nfs,iozone,iozone -a,,\n"),
    ):
        text = f"{','.join(columns)}\n{row.replace(old, new)}"
        (tmp_path / f"{name}.csv").write_text(text)
    with pytest.raises(FsvizError) as error:
        load(tmp_path)
    assert str(error.value).startswith(f"{tmp_path}/{said}")


def test_a_publication_in_another_encoding_is_read(tmp_path):
    (tmp_path / "citation.toml").write_text("")
    text = f"{','.join(POINTS)}\n{POINT.replace('nfs', 'büro')}"
    (tmp_path / "points.csv").write_bytes(text.encode("latin-1"))
    assert list(load(tmp_path).measurements["system"]) == ["büro"]
