"""``fsviz init`` and ``fsviz facts``: a first campaign.toml, and this machine."""

import re
import shutil
import socket
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import psutil
import pytest
from campaigns_made import TIME, iozone, put
from program import run

import fsviz
from fsviz.campaigns.campaign_toml import CampaignFile, Facts, read_campaign_file
from fsviz.campaigns.machine import Machine
from fsviz.campaigns.starter import facts_lines, patterns, starter


def test_memory_of_a_container_with_the_first_version_of_groups(machine):
    group = machine.root / "proc/self/cgroup"
    folder = machine.root / "sys/fs/cgroup/memory/docker"
    folder.mkdir(parents=True)
    (folder / "memory.limit_in_bytes").write_text("536870912\n")
    group.write_text("5:cpu,cpuacct:/docker\n4:memory:/docker\n")
    assert machine.memory() == 512 * 1024**2
    (folder / "memory.limit_in_bytes").write_text("9223372036854771712\n")  # none
    assert machine.memory() == 2048000 * 1024
    group.write_text("nonsense")
    assert machine.memory() == 2048000 * 1024
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


# What a person names, and what a machine says of itself


MOUNTS = """27 1 254:0 / / rw,relatime - ext4 /dev/sda1 rw,discard
28 27 0:20 / /proc rw - proc proc rw
29 27 0:21 / /run/user/0 rw - tmpfs tmpfs rw,size=1k
30 27 0:22 / /mnt/fast rw,noatime - xfs /dev/nvme0n1p2 rw,sync
31 27 0:23 / /mnt/cd ro - ext4 /dev/sr0 ro
32 27 0:24 / /mnt/cd2 rw - ext4 /dev/sr1 rw,ro
40 27 0:40 / /mnt/nfs rw - nfs4 server:/srv rw,vers=4.2,addr=10.0.0.5,clientaddr=1
41 27 0:41 / /mnt/nfs rw - nfs4 server:/other rw,vers=3,addr=10.0.0.6
42 27 0:42 / /runs rw - btrfs /dev/sdb rw
43 27 0:40 / /mnt/a\\040b rw,noatime - nfs4 127.0.0.1:/srv rw,vers=4.1,addr=127.0.0.1
44 27 0:41 / /mnt/smb rw - cifs //server/share rw,vers=3.1.1,username=ann,sync
nonsense
43 27 0:43 / /x - ext4
"""
FILES = {
    "proc/self/mountinfo": MOUNTS,
    "proc/meminfo": "MemTotal:       2048000 kB\n",
    "proc/self/cgroup": "0::/a.slice/b.scope\n",
    "sys/fs/cgroup/a.slice/memory.max": "1073741824\n",
    "sys/fs/cgroup/a.slice/b.scope/memory.max": "max\n",
    "proc/cpuinfo": "processor : 0\nmodel name\t: Fast  CPU \n\nprocessor : 1\n",
    "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 12"\n',
    "proc/sys/kernel/osrelease": "6.6.1\n",
    "sys/devices/system/cpu/cpu0/cache/index0/size": "48K\n",
    "sys/devices/system/cpu/cpu0/cache/index3/size": "12288K\n",
    "sys/devices/system/cpu/cpu0/cache/index4/size": "odd\n",
    "sys/devices/nvme/nvme0n1/device/model": "Quick 980\n",
    "sys/devices/nvme/nvme0n1/nvme0n1p2/partition": "2\n",
    "sys/devices/virt/sdb/size": "2097152\n",
    "dev/nvme0n1p2": "",
    "dev/sdb": "",
}


@pytest.fixture
def machine(tmp_path):
    root = put(tmp_path / "root", FILES)
    block = root / "sys/class/block"
    block.mkdir(parents=True)
    (block / "nvme0n1p2").symlink_to(root / "sys/devices/nvme/nvme0n1/nvme0n1p2")
    (block / "sdb").symlink_to(root / "sys/devices/virt/sdb")
    return Machine(root)


class Way:
    """A socket whose packets to a server would leave from an address of ours."""

    address = "10.0.0.9"

    def __init__(self, *_):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def connect(self, server):
        self.server = server

    def getsockname(self):
        return self.address, 0


@pytest.fixture
def link(monkeypatch):
    """State of the interface to the server."""
    state = SimpleNamespace(speed=100, mtu=9000)
    ends = {"eth7": [SimpleNamespace(address="10.0.0.9")]}
    ends["lo"] = [SimpleNamespace(address="127.0.0.1")]
    monkeypatch.setattr(socket, "socket", Way)
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: ends)
    monkeypatch.setattr(psutil, "net_if_stats", lambda: dict.fromkeys(ends, state))
    return state


def test_what_a_machine_says(machine):
    found = machine.facts()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", found.pop("date"))
    assert found == {
        "kernel": "Linux 6.6.1",
        "operating_system": "Debian GNU/Linux 12",
        "cpu": "2 CPUs, Fast  CPU",
        "cpu_cache": "12 MiB",
        "client_ram": "1024 MiB",  # the limit of the group above its own
    }
    assert Facts.model_validate(found)


def test_the_mount_of_a_path_is_the_deepest_and_the_last(machine, link):
    nfs = machine.facts_of_mount(Path("/mnt/nfs/deep/er"))
    assert nfs["server"] == "server:/other"
    assert (nfs["protocol"], nfs["protocol_version"]) == ("nfs", "3")
    assert nfs["mount_options"] == "rw,vers=3"
    assert (nfs["link"], nfs["mtu"]) == ("0.1 Gbit/s", "9000")
    fast = machine.facts_of_mount(Path("/mnt/fast"))
    assert fast == {
        "protocol": "local",
        "mount_point": "/mnt/fast",
        "mount_options": "rw,noatime,sync",
        "file_system": "xfs",
        "durability": "sync",
        "storage": "Quick 980",
    }
    assert machine.facts_of_mount(Path("/runs"))["storage"] == "sdb"
    assert machine.mount_of(Path("/mnt")).point == "/"
    assert len(machine.mounts()) == 11


@pytest.mark.parametrize(
    "speed, rate", [(999, "0.999 Gbit/s"), (1000, "1 Gbit/s"), (2500, "2.5 Gbit/s")]
)
def test_the_rate_of_a_link(machine, link, speed, rate):
    link.speed = speed
    stated = machine.facts_of_mount(Path("/mnt/nfs"))
    assert stated["link"] == rate
    assert Facts.model_validate(stated)
    link.speed = 0
    assert "link" not in machine.facts_of_mount(Path("/mnt/nfs"))


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.6", "10.0.0.77"])
def test_a_server_on_the_machine_itself_has_no_link(
    machine, link, monkeypatch, address
):
    monkeypatch.setattr(Way, "address", address)
    psutil.net_if_addrs()["eth7"] = [SimpleNamespace(address="10.0.0.6")]
    assert not {"link", "mtu"} & set(machine.facts_of_mount(Path("/mnt/nfs")))


def test_a_folder_of_results_says_what_is_shared_and_what_is_not(tmp_path):
    uname = "\tMachine = Linux box {} #1 SMP x86_64\n\tRun began"
    files = {}
    for system, release in (("a", "6.1.0"), ("b", "6.6.0")):
        for k in (1, 2):
            text = iozone(k + 10 * (system == "b"))
            text = text.replace("\tRun began", uname.format(release))
            files[f"{system}/r{k}.txt"] = text
    put(tmp_path, files | {"a/t.txt": TIME.format(8.5), "notes/why.md": "quiet\n"})
    put(tmp_path, {"a/bad.txt": "\tIozone: Performance Test of File I/O\nhello\n"})
    text, problems = starter(tmp_path)
    said = tomllib.loads(text)
    assert said["facts"] == {"tool_versions": "iozone 3.489", "date": "2026-11-21"}
    assert [(s["name"], s["kernel"]) for s in said["system"]] == [
        *[("a", "Linux 6.1.0"), ("b", "Linux 6.6.0")]
    ]
    assert said["system"][1]["files"] == ["b/*"]
    assert said["system"][0]["files"] == ["a/r1.txt", "a/r2.txt", "a/t.txt"]
    assert "# baseline = " in text
    assert len(problems) == 1
    assert "a/bad.txt" in problems[0]
    asked = re.findall(r"^# (\w+) = .* # ", text, re.MULTILINE)
    assert {"question", "client_ram", "link", "durability"} < set(asked)
    assert not {"title", "tool_versions", "date"} & set(asked)


def test_facts_are_written_in_the_order_of_the_keys():
    facts = {"mtu": "1500", "protocol": 'a "b"', "link": "", "unknown": "x"}
    assert facts_lines(facts) == ['protocol = "a \\"b\\""', 'mtu = "1500"']


# What a person names


def paths(folder, *names):
    return {name: iozone(k) for k, name in enumerate(names)}


@pytest.mark.parametrize(
    "words, says",
    [
        (["a="], "a=: expected label=path[,path…], found no path"),
        (["=r.txt"], "=r.txt: expected label=path[,path…], found no label"),
        (["a=none.txt"], "none.txt: expected a file or folder, found none"),
        (["a=empty"], "empty: expected result files, found an empty folder"),
        (["a=camp"], "a campaign of several ('x', 'y'); give each folder a label"),
        (["-", "a=-"], "standard input:1: expected it once, found it 2 times"),
    ],
)
def test_a_label_without_what_it_needs(tmp_path, words, says):
    put(tmp_path, {"r.txt": iozone(1), "camp/x/r.txt": iozone(2)})
    put(tmp_path, {"camp/y/r.txt": iozone(3)})
    (tmp_path / "empty").mkdir()
    done = run("summary", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr


def test_a_campaign_file_of_one_system_may_have_a_label(tmp_path):
    toml = '[[system]]\nname = "x"\n'
    put(tmp_path, {"one/x/r.txt": iozone(2), "one/campaign.toml": toml})
    put(tmp_path, {"r.txt": iozone(1)})
    done = run("files", "a=one", "b=r.txt", "--format", "csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = re.findall(r"^[^,]+,iozone,([^,]*),", done.stdout, re.MULTILINE)
    assert rows == ["a", "b"]
    two = f'{toml}[[system]]\nname = "y"\n'
    put(tmp_path, {"one/campaign.toml": two})
    done = run("files", "a=one", "b=r.txt", cwd=tmp_path)
    assert "expected files of one system" in done.stderr


def test_hidden_files_and_our_own_are_no_results(tmp_path):
    files = {"a/r.txt": iozone(1), "a/.r2.txt": iozone(2), ".git/r.txt": iozone(3)}
    put(tmp_path, files | {"facts/r.txt": iozone(4)})
    put(tmp_path, {"campaign.toml": "", "a/campaign.toml": ""})
    done = run("files", tmp_path, "--format", "csv")
    listed = re.findall(
        rf"^{re.escape(str(tmp_path))}/([^,]*),", done.stdout, re.MULTILINE
    )
    assert listed == ["a/r.txt", "facts/r.txt"]


def test_ignored_files_are_not_read(tmp_path):
    put(tmp_path, paths(tmp_path, "a/r1.txt", "a/r2.txt", "b/r1.txt"))
    put(tmp_path, {"campaign.toml": 'ignore = ["*/r2.txt"]\n'})
    done = run("files", tmp_path, "--format", "csv")
    assert "r2.txt" not in done.stdout
    described = (
        'ignore = ["*/r2.txt"]\n[[system]]\nname = "a"\n[[system]]\nname = "b"\n'
    )
    put(tmp_path, {"campaign.toml": described})
    done = run("files", tmp_path, "--format", "csv")
    assert done.returncode == 0
    assert "r2.txt" not in done.stdout
