"""SARIF: what the standard (OASIS, version 2.1.0) asks of the objects that we write.

`LOG` states it in our words. The standard closes its objects to unknown properties;
`LOG` closes them to those that we use, so that a new one has to be looked up.
"""

import copy
import json
import re
from urllib.parse import unquote, urlsplit

import jsonschema
import pytest

import fsviz
from fsviz.checks import RULES
from fsviz.text.sarif import render_sarif
from tests.checks.outputs import LOOPBACK, ONEHOST, build, iozone, loaded

TEXT = {"type": "string", "minLength": 1}
LEVEL = {"enum": ["none", "note", "warning", "error"]}


def closed(required: str, **properties):
    return {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }


def listed(items, **more):
    return {"type": "array", "items": items, **more}


RULE = closed(
    "id",
    id=TEXT,
    shortDescription=closed("text", text=TEXT),
    fullDescription=closed("text", text=TEXT),
    help=closed("text", text=TEXT, markdown=TEXT),
    defaultConfiguration=closed("", level=LEVEL),
)
PLACE = closed(
    "artifactLocation",
    artifactLocation=closed("uri", uri=TEXT),
    region=closed("startLine", startLine={"type": "integer", "minimum": 1}),
)
RESULT = closed(
    "message",
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0, "maximum": len(RULES) - 1},
    level=LEVEL,
    message=closed("text", text=TEXT),
    locations=listed(closed("physicalLocation", physicalLocation=PLACE)),
    properties={"type": "object"},
)
DRIVER = closed(
    "name",
    name=TEXT,
    version=TEXT,
    informationUri=TEXT,
    rules=listed(RULE, uniqueItems=True),
)
RUN = closed(
    "tool results",
    tool=closed("driver", driver=DRIVER),
    results=listed(RESULT),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
)
LOG = closed(
    "version runs",
    **{"$schema": TEXT, "version": {"const": "2.1.0"}, "runs": listed(RUN)},
)


def log_of(found):
    log = json.loads(render_sarif(found, "1.2.3"))
    jsonschema.validate(log, LOG)
    return log


def uris(log):
    for result in log["runs"][0]["results"]:
        for place in result.get("locations", ()):
            yield place["physicalLocation"]["artifactLocation"]["uri"]


@pytest.mark.parametrize(
    "folder", [LOOPBACK, ONEHOST, "data/published/3-nfs-smb-dfs"], ids=str
)
def test_logs_of_real_campaigns_have_the_shape_of_the_standard(root, folder):
    log = log_of(fsviz.check(loaded(root / folder)))
    assert urlsplit(log["$schema"]).scheme == "https"
    [run] = log["runs"]
    assert urlsplit(run["tool"]["driver"]["informationUri"]).scheme == "https"
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(set(ids)) == len(ids)
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        # placeholders of arguments that are not there
        assert not re.search(r"\{\d+\}", result["message"]["text"])


def test_a_log_of_nothing_is_one_run_without_results(root):
    none = fsviz.check(loaded(LOOPBACK), select=["confounded"])
    assert log_of(none)["runs"][0]["results"] == []


def test_names_of_files_become_references(tmp_path):
    campaign = build(tmp_path, {"a b/x:1 50%#ü.txt": iozone()})
    found = fsviz.check(campaign)
    for uri in uris(log_of(found)):
        parts = urlsplit(uri)
        assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("",) * 4
        assert re.fullmatch(r"(?:[\w./+~-]|%[0-9A-F]{2})+", uri, re.ASCII)
        assert unquote(uri) == str(tmp_path / "a b/x:1 50%#ü.txt")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda log: log.update(version="2.0.0"),
        lambda log: log["runs"][0]["results"][0].update(level="info"),
        lambda log: log["runs"][0]["results"][0].pop("message"),
        lambda log: log["runs"][0]["results"][0].update(severity="error"),
        lambda log: log["runs"][0]["tool"].pop("driver"),
    ],
)
def test_the_shape_refuses_what_the_standard_refuses(spoil):
    log = copy.deepcopy(log_of(fsviz.check(loaded(ONEHOST))))
    spoil(log)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(log, LOG)


def test_a_log_says_what_the_findings_say():
    found = fsviz.check(loaded(LOOPBACK))
    [run] = log_of(found)["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("fsviz", "1.2.3")
    levels = {"error": "error", "warning": "warning", "info": "note"}
    for result, row in zip(run["results"], found.to_dict("records"), strict=True):
        assert result["ruleId"] == row["rule"]
        assert result["level"] == levels[row["severity"]]
        assert row["message"] in result["message"]["text"]
        for place in result.get("locations", ()):
            physical = place["physicalLocation"]
            assert physical["artifactLocation"]["uri"] == row["source"]
            line = row["locator"].removeprefix("line ").split()[0]
            assert physical["region"]["startLine"] == int(line)
