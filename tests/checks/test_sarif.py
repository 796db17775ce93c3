"""SARIF: the parts that readers of the format require."""

import json

import fsviz
from fsviz.checks.sarif import render_sarif
from tests.checks.outputs import LOOPBACK, loaded


def test_a_log_of_a_real_campaign():
    findings = fsviz.check(loaded(LOOPBACK))
    log = json.loads(render_sarif(findings, "1.2.3"))
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("fsviz", "1.2.3")
    rules = driver["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert len(run["results"]) == len(findings)
    for result, row in zip(run["results"], findings.to_dict("records"), strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == row["rule"]
        assert result["level"] in ("error", "warning", "note")
        assert row["message"] in result["message"]["text"]
        for place in result.get("locations", ()):
            physical = place["physicalLocation"]
            assert physical["artifactLocation"]["uri"] == row["source"]
            assert physical["region"]["startLine"] >= 1
