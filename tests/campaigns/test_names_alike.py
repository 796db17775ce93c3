"""Names that a person takes for one another: one system, or two with a note."""

import pytest
from campaigns_made import TIME, put
from program import run

from fsviz.model.names import look_alike, normalised_name
from fsviz.store.load import load

COMPOSED, APART = "caf\u00e9", "cafe\u0301"


def two(tmp_path, first, second):
    put(tmp_path, {f"{first}/r.txt": TIME.format(8), f"{second}/r.txt": TIME.format(9)})
    return load(tmp_path)


@pytest.mark.parametrize(
    "first,second,name",
    [
        (COMPOSED, APART, COMPOSED),
        ("nfs", "nfs ", "nfs"),
        ("nfs 4", "nfs\u00a0 4", "nfs 4"),
        ("nfs 4", " nfs\t4", "nfs 4"),
    ],
)
def test_one_name_is_one_system_and_that_is_said(tmp_path, first, second, name):
    campaign = two(tmp_path, first, second)
    assert list(campaign.systems["system"]) == [name]
    assert list(campaign.runs["repeat"]) == [1, 2]
    (note,) = (n for n in campaign.notes if "one name" in n.text)
    assert ascii(first) in note.text
    assert ascii(second) in note.text


@pytest.mark.parametrize(
    "first,second",
    [
        ("nfs", "nf\u0455"),  # Cyrillic DZE
        ("SMB", "\u0405\u041c\u0412"),  # DZE, EM, VE
        ("nfs", "n\u200bfs"),
        ("nfs", "nfs\ufe0f"),
        ("nfs-v4", "nfs\u2011v4"),
        ("nfs", "\uff4e\uff46\uff53"),  # as wide as Chinese
        ("nfs", "NFS"),
        ("xor", "\u03c7\u03bf\u0433"[:2] + "r"),
    ],
)
def test_names_that_look_alike_are_two_systems_with_a_note(tmp_path, first, second):
    campaign = two(tmp_path, first, second)
    assert set(campaign.systems["system"]) == {first, second}
    (note,) = (n for n in campaign.notes if "look alike" in n.text)
    assert "2 systems" in note.text
    assert {ascii(first), ascii(second)} <= set(
        note.text.split(" look")[0].split(" and ")
    )


@pytest.mark.parametrize(
    "first,second",
    [("nfs-v4", "nfs_v4"), ("caf\u00e9", "cafe"), ("raid0", "raid1"), ("a", "\u0431")],
)
def test_names_that_differ_have_no_note(tmp_path, first, second):
    campaign = two(tmp_path, first, second)
    assert not [n for n in campaign.notes if "alike" in n.text or "one name" in n.text]


def test_labels_of_a_table_are_spelled_in_one_way(tmp_path):
    rows = [f"{name},read,{value} MB/s" for name, value in ((COMPOSED, 1), (APART, 2))]
    put(
        tmp_path,
        {"a.csv": "\n".join(["system,operation,value", *rows, "b,read,5 MB/s"])},
    )
    campaign = load(tmp_path / "a.csv")
    assert list(campaign.systems["system"]) == [COMPOSED, "b"]


@pytest.mark.parametrize("folder", [COMPOSED, APART])
@pytest.mark.parametrize("written", [COMPOSED, APART, f" {COMPOSED} "])
def test_campaign_toml_finds_a_folder_however_it_is_spelled(tmp_path, folder, written):
    put(tmp_path, {f"{folder}/r.txt": TIME.format(8), "b/r.txt": TIME.format(9)})
    systems = f'[[system]]\nname = "{written}"\n[[system]]\nname = "b"\n'
    (tmp_path / "campaign.toml").write_text(f'baseline = "{written}"\n{systems}')
    campaign = load(tmp_path)
    assert set(campaign.systems["system"]) == {COMPOSED, "b"}
    assert campaign.baseline == COMPOSED


def test_two_spellings_are_no_two_systems_of_campaign_toml(tmp_path):
    systems = "".join(f'[[system]]\nname = "{name}"\n' for name in (COMPOSED, APART))
    (tmp_path / "campaign.toml").write_text(systems)
    done = run("check", tmp_path)
    assert (
        "campaign.toml:4: expected each system once, found 'café' again" in done.stderr
    )


def test_a_system_is_asked_for_in_any_spelling(tmp_path):
    two(tmp_path, COMPOSED, "b")
    done = run("compare", tmp_path, "--baseline", APART, "--candidate", " b")
    assert done.returncode == 0, done.stderr
    assert COMPOSED in done.stdout


def test_one_spelling_is_itself_again():
    for name in (COMPOSED, APART, " a  b ", "\u200b", "  ", "", "nfs\udce9"):
        once = normalised_name(name)
        assert normalised_name(once) == once
        assert look_alike(once) == look_alike(look_alike(once))
