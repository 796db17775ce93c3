"""Globs of campaign.toml: what they match, and that they reach nothing else."""

import os
import sys
from pathlib import Path

import pytest
from campaigns_made import TIME, put
from hypothesis import given
from hypothesis import strategies as st
from program import run

from fsviz.campaigns._globs import matcher, parts_of
from fsviz.model.errors import CampaignError
from fsviz.store.load import load

NAMES = st.sampled_from(["a", "b", "ab", "a.txt", "b.txt", "[a]"])
PARTS = st.sampled_from(
    ["a", "b", "*", "**", "a*", "?", "*.txt", "[ab]", "[!a]", "[[]a]"]
)


@given(
    files=st.sets(st.lists(NAMES, min_size=1, max_size=4).map(tuple), max_size=8),
    pattern=st.lists(PARTS, min_size=1, max_size=4),
)
def test_globs_match_what_pathlib_finds(files, pattern, tmp_path_factory):
    """The second route: the same files on a disk, and Python's own glob."""
    folder = tmp_path_factory.mktemp("g")
    made = set()
    for path in sorted(files, key=len):
        place = folder.joinpath(*path)
        if not any(parent in made for parent in place.parents) and not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.touch()
            made.add(place)
    text = "/".join(pattern)
    found = folder.glob(f"{text}/*" if pattern[-1] == "**" else text)
    wanted = {path for path in found if path.is_file()}
    matches = matcher(text)
    assert {p for p in made if matches(p.relative_to(folder).parts)} == wanted


@pytest.mark.parametrize(
    "pattern",
    [
        *("", "/", ".", "./.", "..", "/etc/*", "../*", "a/../../b", "a\0b"),
        *("*/" * 3000 + "x", "**/" * 65 + "x", "a" * 5000, "../../usr/**/x"),
    ],
    ids=lambda text: ascii(text[:16]),
)
def test_what_may_lead_elsewhere_is_no_pattern(pattern):
    with pytest.raises(ValueError, match="a glob inside the folder"):
        parts_of(pattern)


@pytest.mark.parametrize("key", ["ignore", "files"])
@pytest.mark.parametrize(
    "pattern", ["/etc/*", "../../usr/**/x", "*/" * 1500, "**/*/" * 800, ""]
)
def test_no_pattern_leaves_the_campaign(tmp_path, key, pattern):
    put(tmp_path, {"nfs/rep1.txt": TIME.format(8)})
    head = 'title = "x"\n' if key == "ignore" else '[[system]]\nname = "nfs"\n'
    (tmp_path / "campaign.toml").write_text(f'{head}{key} = [\n"a",\n"{pattern}",\n]\n')
    done = run("files", tmp_path)
    line = 5 if key == "files" else 4
    assert done.returncode == 1
    said = f"expected a glob inside the folder for '{key}', found "
    assert f"campaign.toml:{line}: {said}" in done.stderr


def test_stars_are_matched_in_one_pass(tmp_path):
    """*/**/*/** … was tried in all ways: with 30 folders it never ended."""
    deep = "/".join("d" * 30)
    put(tmp_path, {f"{deep}/rep1.txt": TIME.format(8)})
    stars = "/".join(["*", "**"] * 15)
    system = f'[[system]]\nname = "d"\nfiles = ["{stars}/*.txt"]\n'
    (tmp_path / "campaign.toml").write_text(f'ignore = ["{stars}/none"]\n{system}')
    assert list(load(tmp_path).systems["system"]) == ["d"]


def test_hidden_folders_are_claimed_by_name_only(tmp_path):
    put(
        tmp_path, {".past/nfs/rep1.txt": TIME.format(8), "nfs/rep1.txt": TIME.format(9)}
    )
    (tmp_path / "campaign.toml").write_text('[[system]]\nname = "nfs"\n')
    assert load(tmp_path).runs["source"].str.contains("past").sum() == 0
    (tmp_path / "campaign.toml").write_text(
        '[[system]]\nname = "nfs"\nfiles = [".past/*/*"]\n'
    )
    assert load(tmp_path).runs["source"].str.contains("past").sum() == 1


def test_no_link_leads_out_of_a_campaign(tmp_path):
    """A link to a folder is not followed, one to a file outside is named."""
    inside = tmp_path / "campaign"
    put(inside, {"nfs/rep1.txt": TIME.format(8)})
    put(tmp_path, {"else/rep1.txt": TIME.format(9)})
    (inside / "again").symlink_to(inside / "nfs")
    (inside / "round").symlink_to(inside)
    (inside / "nfs/rep2.txt").symlink_to(tmp_path / "else/rep1.txt")
    for described in ("", '[[system]]\nname = "a"\nfiles = ["**"]\n'):
        (inside / "campaign.toml").write_text(described)
        campaign = load(inside)
        (run_of,) = campaign.runs.itertuples()
        assert run_of.source == str(inside / "nfs/rep1.txt")
        (problem,) = campaign.problems
        place = f"{inside}/nfs/rep2.txt (a link out of the campaign):1: "
        assert str(problem).startswith(place)
    for pattern in ("again/*", "round/nfs/*", "nfs/rep2.txt"):
        (inside / "campaign.toml").write_text(
            f'[[system]]\nname = "a"\nfiles = ["{pattern}"]\n'
        )
        with pytest.raises(CampaignError, match="found none in the folder"):
            load(inside)
    (inside / "campaign.toml").rename(tmp_path / "else/campaign.toml")
    (inside / "campaign.toml").symlink_to(tmp_path / "else/campaign.toml")
    with pytest.raises(CampaignError, match="found a link out of the campaign"):
        load(inside)


def test_a_link_to_a_file_of_the_campaign_is_that_file(tmp_path):
    put(tmp_path, {"store/1": TIME.format(8), "store/2": TIME.format(9)})
    for n in (1, 2):
        (tmp_path / "nfs").mkdir(exist_ok=True)
        (tmp_path / f"nfs/rep{n}.txt").symlink_to(tmp_path / f"store/{n}")
    text = '[[system]]\nname = "nfs"\nfiles = ["nfs/*"]\n'
    (tmp_path / "campaign.toml").write_text(text)
    assert len(load(tmp_path).runs) == 2


def test_a_name_is_no_pattern(tmp_path):
    put(tmp_path, {"*/rep1.txt": TIME.format(8), "nfs/rep1.txt": TIME.format(9)})
    (tmp_path / "campaign.toml").write_text('[[system]]\nname = "*"\n')
    (run_of,) = load(tmp_path).runs.itertuples()
    assert Path(run_of.source).parent.name == "*"


@pytest.mark.skipif(sys.platform != "linux", reason="counts what the kernel is asked")
def test_the_folder_is_listed_once(tmp_path, monkeypatch):
    put(tmp_path, {f"s{n}/rep1.txt": TIME.format(n + 3) for n in range(9)})
    systems = [f'[[system]]\nname = "s{n}"\n' for n in range(9)]
    (tmp_path / "campaign.toml").write_text('ignore = ["**/x*"]\n' + "".join(systems))
    listed = []
    scan = os.scandir
    monkeypatch.setattr(
        os, "scandir", lambda *place: listed.append(str(*place)) or scan(*place)
    )
    load(tmp_path)
    assert len(listed) == len(set(listed)) == 10
