"""Several campaigns, and a campaign of which one system cannot be used."""

import json

import pytest
from campaigns_made import iozone, put
from program import run as fsviz

from fsviz.report.plan import groups
from fsviz.store.load import load


@pytest.mark.slow
def test_several_folders_are_several_campaigns(tmp_path):
    for camp in ("old", "new"):
        put(
            tmp_path / camp,
            {
                f"{name}/{n}.txt": iozone(20 * at + n + 50 * (camp == "old"))
                for at, name in enumerate(("ext4", "xfs"))
                for n in (1, 2, 3)
            },
        )
    both = [tmp_path / "old", tmp_path / "new"]
    rows = json.loads(fsviz("summary", *both, "--format", "json").stdout)
    alone = json.loads(fsviz("summary", both[0], "--format", "json").stdout)
    assert [{**row, "campaign": "old"} for row in alone] == [
        row for row in rows if row["campaign"] == "old"
    ]
    assert {row["campaign"] for row in rows} == {"old", "new"}
    for command in ("summary", "compare", "check"):
        text = fsviz(command, *both).stdout
        assert text.count("Campaign ") == 2


def test_a_figure_of_several_campaigns_is_refused_with_the_way_to_one(tmp_path):
    names = ("ext4", "xfs")
    for camp in ("old", "new"):
        seeds = enumerate(names, len(camp) + 10 * (camp == "old"))
        put(tmp_path / camp, {f"{name}/1.txt": iozone(seed) for seed, name in seeds})
    old, new, to = tmp_path / "old", tmp_path / "new", tmp_path / "f.json"
    done = fsviz("plot", old, new, "-o", to)
    assert done.returncode == 2
    assert done.stderr == (
        f"expected one campaign, found 2: {old}, {new}; take each by itself, or "
        "name the files or the folder of each system, as in before=FOLDER/SYSTEM "
        "after=FOLDER/SYSTEM\n"
    )
    assert not to.exists()
    labelled = (f"before={old}/xfs", f"after={new}/xfs")
    done = fsviz("plot", *labelled, "--kind", "buckets", "-o", to)
    assert (done.returncode, to.exists()) == (0, True)


@pytest.mark.parametrize("name", ["bs=4k", "my = results"])
def test_a_folder_that_has_an_equals_sign_in_its_name_is_a_folder(tmp_path, name):
    folder = tmp_path / name
    systems = enumerate(("ext4", "xfs"))
    files = {f"{s}/{n}.txt": iozone(10 * k + n) for k, s in systems for n in (1, 2)}
    put(folder, files)
    (folder / "campaign.toml").write_text('title = "Of its own"\nbaseline = "xfs"\n')
    for source in (str(folder), [str(folder)]):
        campaign = load(source)
        assert (campaign.title, campaign.baseline) == ("Of its own", "xfs")
    assert groups([str(folder), "a=1.txt"]) == [(str(folder),), ("a=1.txt",)]
    done = fsviz("ingest", folder, "-o", tmp_path / "store")
    assert done.returncode == 0, done.stderr
    assert load(tmp_path / "store" / f"{name}.parquet").title == "Of its own"
