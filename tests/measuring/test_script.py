"""``fsviz check --plan``: commands of a campaign that would pass."""

import os
import re
import subprocess
from collections import Counter
from itertools import pairwise
from pathlib import Path
from shutil import copytree, which
from tempfile import TemporaryDirectory

import pytest
from program import PROGRAM, run

from fsviz import load
from fsviz.campaigns.campaign_toml import CampaignFile, read_campaign_file
from fsviz.checks.case import Case
from fsviz.checks.phrases import amended
from fsviz.checks.rules import RULES
from fsviz.measuring.script import PROMISED, TOOLS, balanced, sizes, write_plan
from fsviz.model.errors import UsageError
from fsviz.model.thresholds import limits
from fsviz.readers.iozone.options import parse_options
from tests.checks.outputs import ROOT, findings, loaded, severities
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


def planned_options(script):
    """What IOzone is asked for: the sizes stand in a variable."""
    line = re.search(r"&& iozone (-Race.*) \\$", script, re.MULTILINE)[1]
    [sizes] = re.findall(r"^iozone_sizes='(.*)'$", script, re.MULTILINE)
    return parse_options(f"iozone {line}".replace("$iozone_sizes", sizes))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "campaign.toml").write_text(TOML)
    return tmp_path


def test_a_folder_without_results_is_enough(folder):
    done = fsviz("--plan", folder)
    assert done.returncode == 0, done.stderr
    script = done.stdout
    assert script.startswith("#!/bin/sh\n")
    options = planned_options(script)
    assert {"a", "c", "e", "z", "n", "g", "q", "y"} <= options.values.keys()
    [largest] = options.sizes("g")
    assert largest >= 3 * 1536 * MIB
    [record], [smallest] = options.sizes("q"), options.sizes("n")
    assert record < smallest
    assert smallest * 2 ** ((largest // smallest).bit_length() - 1) == largest
    assert "ram_mib=1536" in script


def test_the_shell_accepts_it_and_nothing_in_it_runs_by_accident(folder):
    script = fsviz("--plan", folder).stdout
    subprocess.run(["sh", "-n"], input=script, text=True, check=True)
    comments = [line for line in script.splitlines() if "touch" in line]
    assert all(line.startswith(("#", "title = ")) for line in comments)
    assert "measure iozone run_iozone 'nfs v4' '/mnt/nfs; rm -rf x' 1" in script


def test_every_round_has_every_measurement_in_an_order_of_its_own(folder):
    script = fsviz("--plan", folder, "--repeats", "6").stdout
    body = script.partition('\nrm -rf "$part" "$tree"')[0]
    rounds = re.split(r"# round \d+\n", body)[1:]
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
    assert "iozone_sizes='-n 256k -g 128m" in script


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
    asked = planned_options(script)
    runs = loaded(TRIAL).runs
    ran = runs.loc[runs["tool"] == "iozone", "command_line"].map(parse_options)
    assert len(ran) == 10
    for options in ran:
        paths = {"U", "f", "b"}
        assert options.values.keys() - paths == asked.values.keys() - paths
        assert [options.sizes(x) for x in "ngyq"] == [asked.sizes(x) for x in "ngyq"]


def ran(script, results, **programs):
    """Run a plan with programs that only leave what they are asked to write."""
    places = results.parent / "bin"
    places.mkdir(exist_ok=True)
    calls = results.parent / "calls"
    known = dict.fromkeys(("iozone", "bonnie++", "mount", "umount"), 0)
    for program, status in (known | programs).items():
        (places / program).write_text(
            f'#!/bin/sh\necho "$0 $*" >> "$CALLS"\nexit {status}\n'
        )
        (places / program).chmod(0o755)
    return subprocess.run(
        ["sh", "-s", str(results)],
        input=script,
        text=True,
        capture_output=True,
        check=False,
        env={"PATH": f"{places}:/usr/bin:/bin", "CALLS": str(calls)},
    )


def described(name, mount, **more):
    system = {"name": name, "client_ram": "1 MiB", "mount_point": str(mount)} | more
    return CampaignFile.model_validate({"system": [system]})


@pytest.mark.parametrize("name", ["../../x", "/etc", "..", "-rf", "a/../../b", "a\nb"])
def test_a_name_of_a_system_is_no_path(tmp_path, name):
    results = tmp_path / "a/b/c/results"
    results.mkdir(parents=True)
    script = write_plan(described(name, tmp_path), scale=1 / 256, repeats=1)
    done = ran(script, results)
    assert done.returncode == 0, done.stderr
    here = [p for p in tmp_path.rglob("*") if p.is_file() and p.parent.name != "bin"]
    written = [p for p in here if p.name != "calls"]
    assert len(written) == 4
    assert all(p.is_relative_to(results) for p in written)
    [fact] = [p for p in written if p.parent == results / "facts"]
    runs = [p for p in written if p.name != "campaign.toml" and p != fact]
    assert all(p.parent.parent.parent == results for p in runs)
    [entry] = read_campaign_file(results / "campaign.toml").system
    assert entry.name == name
    for pattern in entry.files:
        assert len(list(results.glob(pattern))) == 1
    default = CampaignFile.model_validate(
        {"system": [{"name": name, "client_ram": "1 GiB"}]}
    )
    mounts = re.findall(r"measure iozone run_iozone .* (\S+) 1", write_plan(default))
    assert mounts
    for mount in mounts:
        assert re.fullmatch(r"/mnt/[^/.][^/]*", mount)


def test_what_is_measured_is_not_measured_again(tmp_path):
    script = write_plan(described("a", tmp_path), scale=1 / 256, repeats=2)
    results = tmp_path / "results"
    first = ran(script, results, **{"bonnie++": 3})
    assert first.returncode == 3 or first.returncode == 1
    assert [p.name for p in results.glob("*/a/*")] == ["rep1.txt"]
    (results / "campaign.toml").write_text("title = 'mine'\n")
    again = ran(script, results)
    assert again.returncode == 0, again.stderr
    assert "1 of 4: iozone on a, round 1: is there" in again.stderr
    found = sorted(p.name for p in results.glob("*/a/*"))
    assert found == ["rep1.csv", "rep1.txt", "rep2.csv", "rep2.txt"]
    assert (results / "campaign.toml").read_text() == "title = 'mine'\n"


def test_a_trial_is_judged_by_the_ram_that_its_sizes_were_cut_to(tmp_path):
    results = tmp_path / "results"
    copytree(TRIAL, results)
    toml = results / "campaign.toml"
    toml.write_text(toml.read_text().replace("16 MiB", "1 GiB"))
    assert severities(loaded(results), "no-storage-cells") == ["warning"]
    plan = read_campaign_file(toml)
    for entry in plan.system:
        described_one = described(entry.name, tmp_path, client_ram="1 GiB")
        script = write_plan(described_one, scale=1 / 64, repeats=1)
        assert ran(script, results).returncode == 0
    campaign = load(results)
    assert set(campaign.systems["client_ram"]) == {"16 MiB"}
    assert set(severities(campaign, "no-storage-cells")) <= {"info"}
    notes = [str(note) for note in campaign.notes if "planned for 16 MiB" in note.text]
    assert len(notes) == len(plan.system)
    assert "not by the client_ram of campaign.toml" in notes[0]


def test_a_plan_refuses_the_results_of_another_one(tmp_path):
    results = tmp_path / "results"
    trial = write_plan(described("a", tmp_path), scale=1 / 256, repeats=1)
    assert ran(trial, results).returncode == 0
    kept = {p: p.read_bytes() for p in results.rglob("*") if p.is_file()}
    for other in (1.0, 1 / 2):
        plan = described("a", tmp_path, client_ram="4 MiB")
        done = ran(write_plan(plan, scale=other, repeats=1), results)
        assert done.returncode == 1
        assert 'found those of another one (planned_ram = "1 MiB")' in done.stderr
    assert {p: p.read_bytes() for p in results.rglob("*") if p.is_file()} == kept
    real = tmp_path / "real"
    assert ran(write_plan(plan, repeats=1), real).returncode == 0
    again = ran(trial, real)
    assert "another one (no trial)" in again.stderr


def test_what_an_interrupted_run_left_is_removed_before_space_is_counted(tmp_path):
    script = write_plan(described("a", tmp_path), scale=1 / 256, repeats=1)
    (tmp_path / "fsviz.tmp").write_text("x")
    (tmp_path / "fsviz-bonnie").mkdir()
    (tmp_path / "fsviz-bonnie/Bonnie.1").write_text("x")
    (tmp_path / "mine").write_text("x")
    large = script.replace("space_kib=", "space_kib=9999999999999")
    refused = ran(large, tmp_path / "r")
    assert "of space, found" in refused.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bin", "mine", "r"]
    assert ran(script, tmp_path / "r").returncode == 0


def test_an_interrupted_plan_leaves_nothing_where_it_measured(tmp_path):
    script = write_plan(described("a", tmp_path), scale=1 / 256, repeats=1)
    failed = ran(script, tmp_path / "r", iozone=f"3 $(touch {tmp_path}/fsviz.tmp)")
    assert failed.returncode == 3
    assert not (tmp_path / "fsviz.tmp").exists()


def test_it_says_what_it_would_be_without_iozone(folder):
    script = fsviz("--plan", folder, "--tools", "iozone,bonnie++,rsync").stdout
    head = script.partition("set -eu")[0]
    found = re.search(r"# With --tools bonnie\+\+,rsync it is\n# (.*), (.*)\.", head)
    # ten runs of each: four times twice the RAM, and 62.5 MiB read and written
    assert found.groups() == ("121 GiB", "10 minutes")
    assert "With --tools" not in fsviz("--plan", folder, "--tools", "iozone").stdout


def test_a_trial_says_when_bonnie_prints_no_numbers(folder):
    said = "bonnie++ prints +++++"
    trial = ("--plan", folder, "--scale", "0.01")
    assert said in fsviz(*trial).stdout
    assert said not in fsviz(*trial, "--tools", "iozone").stdout
    assert said not in fsviz("--plan", folder).stdout


def test_it_remounts_where_all_mounts_can_be(tmp_path):
    script = write_plan(described("a", tmp_path), scale=1 / 256, repeats=1)
    fixed = ran(script, tmp_path / "one", findmnt=1)
    assert f"{tmp_path} is not in /etc/fstab" in fixed.stderr
    calls = (tmp_path / "calls").read_text()
    assert "/umount " not in calls
    assert " -U " not in calls
    (tmp_path / "calls").unlink()
    if subprocess.run(["id", "-u"], capture_output=True, check=True).stdout != b"0\n":
        pytest.skip("remounting asks for sudo")
    cold = ran(script, tmp_path / "two", findmnt=0)
    assert cold.returncode == 0, cold.stderr
    calls = (tmp_path / "calls").read_text()
    assert calls.count("/umount ") == calls.count("/mount ") == 2
    assert f" -U {tmp_path} " in calls


@pytest.mark.parametrize(
    "mount,ram,says",
    [
        ("nowhere", "1 MiB", "expected the folder where a is mounted, found none"),
        (".", "64 TiB", "of space, found"),
    ],
)
def test_it_says_before_it_starts_what_cannot_work(tmp_path, mount, ram, says):
    plan = described("a", tmp_path / mount, client_ram=ram)
    done = ran(write_plan(plan), tmp_path / "results")
    assert done.returncode == 1
    assert done.stderr.startswith("This reads and writes ")
    assert says in done.stderr
    assert not (tmp_path / "calls").exists()


def test_tools_are_chosen_by_name(folder):
    script = fsviz("--plan", folder, "--tools", "rsync,fio", "--repeats", "2").stdout
    assert set(re.findall(r"^measure (\S+)", script, re.MULTILINE)) == {"rsync", "fio"}
    done = fsviz("--plan", folder, "--tools", "bonnie")
    assert done.returncode == 2
    assert "did you mean bonnie++?" in done.stderr


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_systems_take_turns_in_a_balanced_order(n):
    rounds = [balanced(n, r) for r in range(2 * n)]
    places = Counter((place, i) for row in rounds for i, place in enumerate(row))
    behind = Counter(pair for row in rounds for pair in pairwise(row))
    assert set(places.values()) == {2}
    assert set(behind.values()) == {2}
    assert len(behind) == n * (n - 1)


MISSING = [tool for tool in TOOLS if not which(tool, path="/usr/sbin:/usr/bin:/bin")]


@pytest.fixture
def place():
    """In memory where that is possible: a disk that others use takes its time."""
    shared = Path("/dev/shm")
    with TemporaryDirectory(dir=shared if shared.is_dir() else None) as folder:
        yield Path(folder)


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")
def test_what_it_measures_has_no_fault_that_it_could_have_avoided(tmp_path, place):
    names = {name: place / re.sub(r"\W", "", name) for name in ("a", "b, fast")}
    for mount in names.values():
        mount.mkdir()
    plans = tmp_path / "plans"
    labels = [f"{name}={place}" for name, place in names.items()]
    assert run("init", plans, *labels).returncode == 0
    toml = (plans / "campaign.toml").read_text()
    stated = re.sub(r"(?m)^client_ram = .*", 'client_ram = "64 MiB"', toml)
    (plans / "campaign.toml").write_text(stated)
    # bonnie++ takes 3 s for the least that it can do
    quick = ",".join(tool for tool in TOOLS if tool != "bonnie++")
    for tools, repeats in ((quick, 3), ("bonnie++", 1)):
        results = tmp_path / f"results-{repeats}"
        words = ("--scale", 1 / 256, "--repeats", repeats, "--tools", tools)
        done = subprocess.run(
            ["sh", "-s", str(results)],
            input=fsviz("--plan", plans, *words).stdout,
            text=True,
            capture_output=True,
            check=False,
            env=os.environ | {"FSVIZ": str(PROGRAM), "PATH": "/usr/sbin:/usr/bin:/bin"},
        )
        assert done.returncode == 0, done.stderr
        campaign = loaded(results)
        counts = campaign.runs.groupby(["tool", "system"], observed=True).size()
        assert set(counts) == {repeats}
        assert len(counts) == 2 * (tools.count(",") + 1)
        assert not campaign.problems
        by_runs = {"too-few-runs"} if repeats == 1 else set()
        for rule in {*PROMISED, "undisclosed"} - by_runs:
            assert set(severities(campaign, rule)) <= {"info"}, rule
        if repeats > 1:
            for found in findings(campaign, "not-interleaved"):
                # a busy machine may drift; the order was the plan's to choose
                assert found["severity"] == "info" or "drifts" in found["message"]
    facts = campaign.systems.set_index("system")
    assert facts.loc["a", "mount_point"] == str(names["a"])
    assert facts.loc["a", "date"]  # recorded by fsviz facts, stated by nobody
    assert not list(results.glob(".*"))


def test_systems_that_would_share_a_folder_are_refused():
    names = [{"name": n, "client_ram": "1 GiB"} for n in ("x", "../x")]
    with pytest.raises(UsageError, match="differ as names of folders"):
        write_plan(CampaignFile.model_validate({"system": names}))


def test_a_mount_point_that_is_not_absolute_is_refused():
    entry = {"name": "x", "client_ram": "1 GiB", "mount_point": "-o/../x"}
    with pytest.raises(UsageError, match="expected an absolute path"):
        write_plan(CampaignFile.model_validate({"system": [entry]}))


def test_advice_never_overwrites_the_workbook_of_the_first_run(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    group = Case(campaign, limits()).of("iozone")[0]
    own = group.options.workbook
    assert own.endswith(".xls")
    command = amended(group, ["e"])
    assert own not in command.split()
    assert parse_options(command).workbook == own.replace(".xls", "-again.xls")
