"""What is up to date is not read again; whatever a plan follows from makes it anew."""

import json
import os
from pathlib import Path

import pytest
from campaigns_made import iozone, put

from fsviz.model.errors import UsageError
from fsviz.report import plan as planning
from fsviz.report.plan import plan, planned_before, report, state_of


@pytest.fixture
def small(tmp_path):
    files = {f"{system}/{n}.txt": iozone(n) for n, system in enumerate(("nfs", "smb"))}
    return put(tmp_path / "small", files)


@pytest.mark.slow
def test_what_is_up_to_date_is_not_even_loaded(small, tmp_path, monkeypatch):
    out = tmp_path / "out"
    first = report([small], out)
    assert [o.error for o in first.outcomes if o.error] == []
    monkeypatch.setattr(planning, "load", None)
    again = report([small], out)
    assert [(o.job.folder, o.job.name, o.skipped) for o in again.outcomes] == [
        (o.job.folder, o.job.name, True) for o in first.outcomes
    ]
    assert [o.job.entry.problems for o in again.outcomes] == [
        o.job.entry.problems for o in first.outcomes
    ]
    states = {(str(small),): state_of((str(small),), "")}
    assert list(planned_before(out, states, ())) == [(str(small),)]
    # an entry that speaks of other files leads nowhere
    entry = out / "small/compare.json"
    told = entry.read_text()
    entry.write_text(told.replace(json.dumps(str(small)), '"/etc"'))
    assert planned_before(out, states, ()) == {}
    # without one of its entries nobody knows the others, but one may be asked for
    entry.unlink()
    assert planned_before(out, states, ()) == {}
    (jobs,) = planned_before(out, states, ("iozone",)).values()
    assert [(job.name, job.entry.planned) for job in jobs] == [
        ("iozone", ("iozone", "compare"))
    ]
    # of one that fits nothing there is no plan, and it is refused as at first
    assert planned_before(out, states, ("rsync",)) == {}
    monkeypatch.undo()
    (refused,) = report([small], out, templates="rsync").unusable
    assert "expected one that fits" in str(refused)


@pytest.mark.parametrize("what", ["number", "name", "facts", "regime"])
def test_a_state_is_another_when_anything_changed_that_a_plan_follows_from(small, what):
    sources = (str(small),)
    before = state_of(sources, "")
    assert before == state_of(sources, "")
    path = small / "nfs/0.txt"
    state = path.stat()
    if what == "number":
        text = path.read_text()
        path.write_text(text.replace("1", "2", 1))
        os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    elif what == "name":
        path.rename(small / "nfs/9.txt")
    elif what == "facts":
        (small / "campaign.toml").write_text('[facts]\nclient_ram = "1 GiB"\n')
    assert state_of(sources, "cache" if what == "regime" else "") != before


def test_of_what_is_no_plain_folder_no_state_is_known(small):
    for sources in (("a=x",), ("s3://a/b",), (str(small), str(small)), ("nowhere",)):
        assert state_of(sources, "") == ""


# Which pages are made of a campaign: those whose question its numbers answer


def test_of_runs_without_numbers_no_page_is_made(root: Path) -> None:
    """Commands that somebody published, whose numbers only a picture shows."""
    with pytest.raises(UsageError, match=r"expected results of .*, found no numbers$"):
        plan((str(root / "data/published/5-nfs-versions"),))
