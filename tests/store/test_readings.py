"""What is read out of our own files, as one digest beside the version that it has.

A store keeps readings, and reads a campaign again where the version has been raised.
"""

import hashlib
import json
from pathlib import Path

import pytest
from samples import loaded

from fsviz.store.inventory import READINGS

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "tests/data/readings.json"
CAMPAIGNS = sorted(p for p in (ROOT / "data").glob("*/*") if p.is_dir())


def digest_of_readings() -> str:
    """Digest the golden tables of the readers, and the committed campaigns' tables."""
    whole = hashlib.sha256()
    for golden in sorted((ROOT / "tests/data").rglob("*.expected.csv")):
        whole.update(golden.read_bytes())
    for folder in CAMPAIGNS:
        if folder.parent.name == "processed":
            continue
        campaign = loaded(folder)
        for name in ("measurements", "runs", "systems"):
            text = getattr(campaign, name).to_csv(index=False, float_format="%r")
            whole.update(text.replace(str(ROOT), "").encode())
        said = [str(p) for p in (*campaign.problems, *campaign.notes)]
        whole.update("\n".join(said).replace(str(ROOT), "").encode())
    return whole.hexdigest()


def test_whoever_changes_a_reading_raises_its_version():
    found = {"version": READINGS, "readings": digest_of_readings()}
    recorded = json.loads(RECORD.read_text())
    if found["readings"] != recorded["readings"]:
        pytest.fail(
            "what is read has changed: raise READINGS in fsviz/store/inventory.py, "
            f"so that stores read again, and write to {RECORD.name}:\n"
            f"{json.dumps(found, indent=1)}"
        )
    assert found == recorded


def test_the_digest_sees_a_number_that_changes(monkeypatch):
    before = digest_of_readings()
    campaign = loaded(CAMPAIGNS[0])
    campaign.measurements.loc[0, "value"] += 1
    monkeypatch.setattr(f"{__name__}.loaded", lambda _: campaign)
    assert digest_of_readings() != before
