"""What a finding is about stays a list: a name may hold whatever separates names."""

import pytest

from fsviz import load
from fsviz.checks.engine import run_checks
from fsviz.text.terminal import findings_text

ODD = "my, results"


@pytest.fixture
def campaign(tmp_path, root):
    raw = root / "data/raw/loopback-2026/rsync/nfs-v3"
    files = sorted(path for path in raw.iterdir() if path.name.startswith("rep1."))
    for name in (ODD, "plain"):
        (tmp_path / name).mkdir()
        for path in files:
            text = path.read_text().replace("0m", f"{len(name)}m")
            (tmp_path / name / path.name).write_text(text)
    return load(tmp_path)


def test_a_place_of_a_finding_is_a_file(campaign):
    for row in run_checks(campaign).findings.to_dict("records"):
        if row["source"]:
            assert row["source"] in set(campaign.measurements["source"]), row["rule"]


def test_marks_and_text_name_systems_as_they_are(campaign):
    found = run_checks(campaign)
    known = {ODD, "plain", None}
    named = found.marks["system"].astype(object)
    assert set(named.where(named.notna(), None)) <= known
    assert {n for names in found.findings["systems"] for n in names} == {ODD, "plain"}
    text = findings_text(found.findings, systems=2)
    assert "all 2 systems" not in text
    assert "my and results" not in text


def test_a_run_lists_its_files(campaign):
    runs = campaign.runs.set_index("system")
    assert len(runs.loc[ODD, "sources"]) == 2
    assert set(runs.loc[ODD, "sources"]) <= set(campaign.measurements["source"])
    assert runs.loc[ODD, "source"] == runs.loc[ODD, "sources"][0]


def test_a_fact_that_only_other_runs_state_is_no_fact_of_a_run(tmp_path, root):
    """A mean in a table stands for several runs; the run beside it for itself."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a/mean.csv").write_text(
        "system,tool,operation,value (s),n\na,rsync,transfer,3.1,5\n"
    )
    (tmp_path / "b").mkdir()
    (tmp_path / "b/one.txt").write_text("real\t0m3.214s\nuser\t0m0.1s\nsys\t0m0.2s\n")
    found = run_checks(load(tmp_path), select=["too-few-runs"]).findings
    assert set(found["severity"]) == {"warning", "error"}
