"""Maps against another reference: the page draws what Python would have drawn."""

import json

import pandas as pd
import pytest
from browser import opened
from browsing import write_page
from campaigns_made import iozone, put
from compared import compare

import fsviz
from fsviz.figures.export import caption_lines
from fsviz.figures.kinds.maps import maps

pytestmark = pytest.mark.browser
SYSTEMS = ("btrfs", "ext4", "xfs")
DRAWN = """async (name) => {
  const [entry] = fsvizPage.entries;
  const { data, layout } = fsvizAgainst(entry.whole, name);
  return { data, layout };
}"""
SAID = """(name) => {
  const said = [...document.querySelectorAll("figcaption [data-of]")];
  return said.find((one) => one.dataset.of === name).textContent;
}"""


def campaign(folder, systems):
    for seed, system in enumerate(systems):
        files = {
            f"iozone{n}.txt": iozone(10 * seed + n, minute=3 * n + seed)
            for n in (1, 2, 3)
        }
        put(folder / system, files)
    return fsviz.load(str(folder))


def by_name(figure):
    """Traces in the order of their panels, each with the name that says its role."""
    return {
        (trace.get("xaxis", "x"), str(trace.get("name")), k): trace
        for k, trace in enumerate(figure["data"])
    }


def flat(rows):
    return [one for row in rows for one in row]


def same(ours, theirs):
    assert [v is None for v in ours] == [v is None for v in theirs]
    known = [v for v in theirs if v is not None]
    assert [v for v in ours if v is not None] == pytest.approx(
        known, rel=2e-3, abs=2e-3
    )


@pytest.mark.slow
@pytest.mark.parametrize("systems", [SYSTEMS, SYSTEMS[:2]], ids=["three", "numbers"])
def test_the_page_draws_what_python_draws(tmp_path, chromium, systems):
    loaded = campaign(tmp_path / "made", systems)
    known = pd.concat(compare(loaded, baseline=name, cells=True) for name in systems)
    marks = fsviz.cell_marks(fsviz.run_checks(loaded))
    what = {"operation": "write", "marks": marks}
    # not the first of the campaign, whose order the other maps have all the same
    figure = maps(loaded, baseline=systems[1], comparison=known, **what)
    chosen = systems[-1] if len(systems) > 2 else systems[0]
    alone = known.loc[known["baseline"] == chosen]
    other = json.loads(
        maps(loaded, baseline=chosen, comparison=alone, **what).to_json()
    )
    path = write_page(tmp_path / "page.html", [figure])
    with opened(chromium, path) as watched:
        told = watched.page.evaluate(DRAWN, chosen)
        assert watched.page.evaluate(DRAWN, systems[1])["data"]
        assert told["layout"]["meta"]["reference"] == chosen
        caption = watched.page.evaluate(SAID, chosen)
    assert not watched.errors
    for key in ("title", "coloraxis", "coloraxis2"):
        assert told["layout"][key] == other["layout"][key], key
    heads = [
        [note["text"] for note in one["layout"]["annotations"]] for one in (told, other)
    ]
    assert heads[0] == heads[1]
    ours, theirs = by_name(told), by_name(other)
    roles = [[(axis, name) for axis, name, _ in one] for one in (ours, theirs)]
    assert [r for r in roles[0] if "heatmap" not in r[1]] == [
        r for r in roles[1] if "heatmap" not in r[1]
    ]
    for drawn, wanted in zip(ours.values(), theirs.values(), strict=True):
        for key in {"x", "y"} & wanted.keys():
            assert drawn[key] == pytest.approx(wanted[key], abs=0.01), drawn["name"]
        if "z" in wanted:
            same(flat(drawn["z"]), flat(wanted["z"]))
        if wanted.get("mode") == "text":
            assert drawn["text"] == wanted["text"]
            assert drawn["textfont"] == wanted["textfont"]
        if drawn.get("name") == "ratio":
            said = [one or "" for one in flat(drawn["hovertext"])]
            assert said == flat(wanted["hovertext"])
            assert "95 % " in "".join(said)
            assert ", q = " in "".join(said)
            assert drawn["hovertemplate"] == wanted["hovertemplate"]
    for one, as_python in zip(
        told["layout"]["meta"]["cells"]["systems"],
        other["layout"]["meta"]["cells"]["systems"],
        strict=True,
    ):
        assert one["name"] == as_python["name"]
        same(one["value"], as_python["value"])
        assert one.get("ratio") == as_python.get("ratio")
    assert told["layout"]["meta"]["alt"] == other["layout"]["meta"]["alt"]
    lines = caption_lines(other["layout"], 10**6)
    assert "".join(caption.split()) == "".join("".join(lines).split())
