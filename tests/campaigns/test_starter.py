"""``fsviz init`` and ``fsviz facts``: a first campaign.toml, and this machine."""

import re
import shutil
import tomllib

import pandas as pd
import pytest
from program import run

import fsviz
from fsviz.campaigns.campaign_toml import CampaignFile, Facts, read_campaign_file
from fsviz.campaigns.machine import Machine
from fsviz.campaigns.starter import patterns

FILES = {
    "proc/self/mountinfo": """22 27 0:21 / /proc rw - proc proc rw
27 1 254:0 / / rw,relatime - ext4 /dev/sda1 rw,discard
40 27 0:40 / /mnt/a\\040b rw,noatime - nfs4 127.0.0.1:/srv rw,vers=4.1,addr=127.0.0.1
41 27 0:41 / /mnt/smb rw - cifs //server/share rw,vers=3.1.1,username=ann,sync
""",
    "proc/meminfo": "MemTotal:       16384000 kB\nMemFree: 1 kB\n",
    "proc/self/cgroup": "0::/a.slice/b.scope\n",
    "sys/fs/cgroup/a.slice/memory.max": "1073741824\n",
    "sys/fs/cgroup/a.slice/b.scope/memory.max": "max\n",
    "proc/cpuinfo": "processor : 0\nmodel name : Fast CPU\n\nprocessor : 1\n",
    "proc/sys/kernel/osrelease": "6.1.0-9\n",
    "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 12"\n',
    "sys/devices/system/cpu/cpu0/cache/index0/size": "32K\n",
    "sys/devices/system/cpu/cpu0/cache/index3/size": "8192K\n",
}


@pytest.fixture
def machine(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / "root" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Machine(tmp_path / "root")


def test_a_machine_states_its_facts(machine):
    found = machine.facts()
    assert found["client_ram"] == "1024 MiB"  # the limit of the group above its own
    assert found["cpu"] == "2 CPUs, Fast CPU"
    assert found["cpu_cache"] == "8 MiB"
    assert found["kernel"] == "Linux 6.1.0-9"
    assert found["operating_system"] == "Debian GNU/Linux 12"
    assert Facts.model_validate(found)


def test_memory_of_a_container_with_the_first_version_of_groups(machine):
    group = machine.root / "proc/self/cgroup"
    folder = machine.root / "sys/fs/cgroup/memory/docker"
    folder.mkdir(parents=True)
    (folder / "memory.limit_in_bytes").write_text("536870912\n")
    group.write_text("5:cpu,cpuacct:/docker\n4:memory:/docker\n")
    assert machine.memory() == 512 * 1024**2
    (folder / "memory.limit_in_bytes").write_text("9223372036854771712\n")  # none
    assert machine.memory() == 16384000 * 1024
    group.write_text("nonsense")
    assert machine.memory() == 16384000 * 1024
    (machine.root / "proc/meminfo").unlink()
    assert machine.memory() is None


def test_mounts_state_protocol_version_and_options(machine):
    nfs, smb, disk = (
        machine.facts_of_mount(machine.root.__class__(path))
        for path in ("/mnt/a b/x", "/mnt/smb", "/somewhere")
    )
    assert (nfs["protocol"], nfs["protocol_version"]) == ("nfs", "4.1")
    assert nfs["mount_point"] == "/mnt/a b"
    assert "link" not in nfs
    assert "durability" not in nfs  # the server decides it
    assert smb["protocol_version"] == "3.1.1"
    assert "ann" not in str(smb)
    assert disk["file_system"] == "ext4"
    assert disk["storage"] == "sda1"
    assert disk["durability"] == "async"


def test_a_machine_that_says_nothing_states_nothing(tmp_path):
    nothing = Machine(tmp_path)
    assert set(nothing.facts()) <= {"tool_versions", "date"}
    assert nothing.facts_of_mount(tmp_path) == {}
    assert nothing.mounts() == []


def test_what_this_machine_says_can_be_pasted_into_campaign_toml(tmp_path):
    done = run("facts", tmp_path)
    assert done.returncode == 0, done.stderr
    stated = Facts.model_validate(tomllib.loads(done.stdout))
    assert stated.client_ram
    assert stated.mount_point


def same_numbers(first, second):
    keys = ["system", "tool", "operation", "file_size_bytes", "repeat", "value"]
    frames = [c.measurements.drop(columns=["campaign"]) for c in (first, second)]
    ordered = [f.sort_values([*keys, "locator"]).reset_index(drop=True) for f in frames]
    pd.testing.assert_frame_equal(*(f[keys] for f in ordered), check_categorical=False)


@pytest.fixture
def results(tmp_path, root):
    folder = tmp_path / "results"
    for system in ("ext4", "xfs"):
        for number in (1, 2):
            name = f"iozone/{system}/rep{number}.txt"
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / "data/raw/onehost-2026" / name, folder / name)
    return folder


def test_a_folder_of_results_loads_the_same_with_the_file(results):
    before = fsviz.load(results)
    done = run("init", results)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("campaign.toml: ext4, xfs\n")
    same_numbers(before, fsviz.load(results))
    parsed = read_campaign_file(results / "campaign.toml")
    assert parsed.facts.tool_versions == "iozone 3.489"
    assert parsed.facts.date == "2026-11-21"
    assert [entry.files for entry in parsed.system] == [
        ["iozone/ext4/*"],
        ["iozone/xfs/*"],
    ]


def test_a_campaign_toml_is_never_overwritten(results):
    (results / "campaign.toml").write_text("title = 'mine'\n")
    done = run("init", results)
    assert done.returncode == 2
    assert "stays as it is" in done.stderr
    assert (results / "campaign.toml").read_text() == "title = 'mine'\n"


def test_loose_files_are_systems_but_for_tools_dates_and_repeats(tmp_path, root):
    source = root / "data/raw/onehost-2026/iozone"
    names = {"nfs4-rep1.txt": "ext4/rep1.txt", "iozone-nfs4-run2.txt": "ext4/rep2.txt"}
    for name, of in (names | {"2026-11-21_nfs3.txt": "xfs/rep1.txt"}).items():
        shutil.copy(source / of, tmp_path / name)
    assert run("init", tmp_path).returncode == 0
    found = fsviz.load(tmp_path).runs.groupby("system").size().to_dict()
    assert found == {"nfs3": 1, "nfs4": 2}


def test_of_two_readings_of_folders_every_folder_is_a_system(tmp_path, root):
    source = root / "data/raw/onehost-2026/iozone"
    for system in ("ext4", "xfs"):
        for number, state in enumerate(("cold", "warm"), 1):
            folder = tmp_path / system / state
            folder.mkdir(parents=True)
            shutil.copy(source / system / f"rep{number}.txt", folder)
    assert run("summary", tmp_path).returncode == 1
    assert run("init", tmp_path).returncode == 0
    systems = set(fsviz.load(tmp_path).runs["system"])
    assert systems == {"ext4/cold", "ext4/warm", "xfs/cold", "xfs/warm"}


@pytest.mark.parametrize(
    "words,says",
    [
        (["new"], "new: expected result files, found none"),
        (["new", "x=."], "unexpected extra argument"),
        (["file"], "expected a folder, found the file"),
        ([], "Missing argument 'FOLDER'"),
    ],
)
def test_init_refuses_what_it_cannot_use(tmp_path, words, says):
    (tmp_path / "file").touch()
    done = run("init", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert not (tmp_path / "new").exists()


def test_the_examples_of_all_other_keys_are_valid_where_they_stand(results):
    assert run("init", results).returncode == 0
    written = results / "campaign.toml"
    text = re.sub(r"^# (?=\w+ = )", "", written.read_text(), flags=re.MULTILINE)
    written.write_text(text.replace('ignore = ["*.log"]', ""))
    parsed = read_campaign_file(written)
    assert (parsed.started, parsed.baseline) == ("2026-11-21", "ext4")
    described = {"measured", "thresholds", "ignore"}
    assert set(tomllib.loads(text)) == set(CampaignFile.model_fields) - described | {
        "ignore"
    }
    assert set(tomllib.loads(text)["facts"]) == set(Facts.model_fields)


def test_patterns_match_these_files_and_no_others(tmp_path):
    for name in ("a/1.txt", "a/2.txt", "a/1.log", "b/[x].txt", "b/y.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    wanted = [tmp_path / name for name in ("a/1.txt", "a/2.txt", "b/[x].txt")]
    globs = patterns(tmp_path, wanted)
    assert globs == ["a/1.txt", "a/2.txt", "b/[[]x].txt"]
    assert {p for g in globs for p in tmp_path.glob(g)} == set(wanted)
