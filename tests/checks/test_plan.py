"""``fsviz check --plan``: commands of a campaign that would pass."""

import re
import subprocess

import pytest

from fsviz.campaigns.campaign_toml import CampaignFile
from fsviz.checks.campaign_plan import PROMISED, sizes, write_plan
from fsviz.checks.rules import RULES
from fsviz.model.errors import UsageError
from fsviz.readers.iozone.options import parse_options
from tests.checks.outputs import ROOT, loaded, severities
from tests.checks.test_command import fsviz

MIB = 1024**2
TOML = """title = "Two\\n$(touch /tmp/x) systems"
[facts]
client_ram = "1536 MiB"
[[system]]
name = "nfs v4"
mount_point = "/mnt/nfs; rm -rf x"
[[system]]
name = "smb"
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "campaign.toml").write_text(TOML)
    return tmp_path


def test_a_folder_without_results_is_enough(folder):
    done = fsviz("--plan", folder)
    assert done.returncode == 0, done.stderr
    script = done.stdout
    assert script.startswith("#!/bin/sh\n")
    line = re.search(r"iozone -Race.*", script)[0]
    options = parse_options(line)
    assert {"a", "c", "e", "z", "n", "g", "q", "y"} <= options.values.keys()
    [largest] = options.sizes("g")
    assert largest >= 3 * 1536 * MIB
    [record], [smallest] = options.sizes("q"), options.sizes("n")
    assert record < smallest
    assert smallest * 2 ** ((largest // smallest).bit_length() - 1) == largest
    assert "-s 3072m -r 1536m" in script


def test_the_shell_accepts_it_and_nothing_in_it_runs_by_accident(folder):
    script = fsviz("--plan", folder).stdout
    subprocess.run(["sh", "-n"], input=script, text=True, check=True)
    comments = [line for line in script.splitlines() if "touch" in line]
    assert all(line.startswith("#") for line in comments)
    assert "run_iozone 'nfs v4' '/mnt/nfs; rm -rf x' 1" in script


def test_every_round_has_every_measurement_in_an_order_of_its_own(folder):
    script = fsviz("--plan", folder, "--repeats", "6").stdout
    rounds = re.split(r"# round \d+\n", script)[1:]
    assert len(rounds) == 6
    assert (
        len(
            {
                tuple(sorted(re.sub(r"\d+$", "", r, flags=re.MULTILINE).split("\n")))
                for r in map(str.strip, rounds)
            }
        )
        == 1
    )
    assert len({re.sub(r" \d+$", "", r, flags=re.MULTILINE) for r in rounds}) > 1


def test_a_trial_says_by_which_factor_it_is_cut(folder):
    script = fsviz("--plan", folder, "--scale", "0.015625").stdout
    assert "cut by the factor 0.015625" in script
    assert 'client_ram = "24 MiB"' in script
    assert "-n 256k -g 128m" in script


def test_sizes_of_a_large_client():
    found = sizes(256 * 1024 * MIB)
    assert found.largest == 1024 * 1024 * MIB


@pytest.mark.parametrize(
    "words,says",
    [
        (["--scale", "2"], "expected a factor in"),
        (["--repeats", "0"], "expected 1 or more"),
    ],
)
def test_wrong_numbers(folder, words, says):
    done = fsviz("--plan", folder, *words)
    assert done.returncode == 2
    assert says in done.stderr


def test_no_facts_no_plan(tmp_path):
    done = fsviz("--plan", tmp_path)
    assert done.returncode == 2
    assert "campaign.toml" in done.stderr
    with pytest.raises(UsageError, match="none"):
        write_plan(CampaignFile())
    with pytest.raises(UsageError, match="client_ram of a"):
        write_plan(CampaignFile.model_validate({"system": [{"name": "a"}]}))


def test_what_is_promised_are_rules():
    assert set(PROMISED) <= {rule.name for rule in RULES}


TRIAL = ROOT / "tests/data/plan"
"""What a plan measured: two loop mounts, RAM of 1 GiB and sizes cut by 1/64."""


@pytest.mark.parametrize("rule", PROMISED)
def test_what_a_plan_measured_passes_the_rules_that_it_promised(rule):
    assert set(severities(loaded(TRIAL), rule)) <= {"info"}


def test_the_trial_ran_what_the_plan_says(tmp_path):
    text = (TRIAL / "campaign.toml").read_text().replace("16 MiB", "1 GiB")
    (tmp_path / "campaign.toml").write_text(text)
    script = fsviz("--plan", tmp_path, "--scale", str(1 / 64)).stdout
    asked = parse_options(re.search(r"iozone -Race.*", script)[0])
    runs = loaded(TRIAL).runs
    ran = runs.loc[runs["tool"] == "iozone", "command_line"].map(parse_options)
    assert len(ran) == 10
    for options in ran:
        assert options.values.keys() - {"U", "f", "b"} == asked.values.keys()
        assert [options.sizes(x) for x in "ngyq"] == [asked.sizes(x) for x in "ngyq"]
