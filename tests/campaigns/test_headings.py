"""What stands above results in a file, and what ``campaign.toml`` says of it."""

import pytest
from campaigns_made import iozone, put
from program import run

import fsviz

PAGE = "".join(
    f"## {name}\n\n{iozone(2 * k)}\n{iozone(2 * k + 1)}\n"
    for k, name in enumerate(("NFS 4.2", "SMB 3"))
)
SHARED = "".join(
    f'[[system]]\nname = "{name}"\nfiles = ["page.md"]\nheading = "{pattern}"\n'
    for name, pattern in (("old", "NFS*"), ("new", "SMB*"))
)


def runs_of(folder):
    return fsviz.load(folder).runs.groupby("system", sort=False).size().to_dict()


@pytest.mark.parametrize(
    "described, wanted",
    [
        ("", {"NFS 4.2": 2, "SMB 3": 2}),
        ("headings = true\n", {"NFS 4.2": 2, "SMB 3": 2}),
        ("headings = false\n", {"camp": 4}),
        (SHARED, {"old": 2, "new": 2}),
    ],
)
def test_headings_name_systems_as_the_campaign_says(tmp_path, described, wanted):
    files = {"page.md": PAGE} | ({"campaign.toml": described} if described else {})
    assert runs_of(put(tmp_path / "camp", files)) == wanted


def test_a_heading_that_nobody_claims_stays_a_system_and_none_is_a_problem(tmp_path):
    text = SHARED.replace("SMB", "CIFS")
    folder = put(tmp_path / "camp", {"page.md": PAGE, "campaign.toml": text})
    assert runs_of(folder) == {"old": 2, "SMB 3": 2}
    (problem,) = fsviz.load(folder).problems
    assert "'CIFS*'" in problem.expected


def test_init_writes_the_headings(tmp_path):
    folder = put(tmp_path / "camp", {"page.md": PAGE})
    assert run("init", folder).returncode == 0
    text = (folder / "campaign.toml").read_text()
    assert 'heading = "NFS 4.2"' in text
    assert runs_of(folder) == {"NFS 4.2": 2, "SMB 3": 2}
