"""A bundle: raw files that say again what they said, in the form of an RO-Crate."""

import hashlib
import json
import re
import shutil
import struct
import subprocess
import zipfile
from pathlib import Path
from urllib.parse import unquote

import pytest
from program import run, start

import fsviz
from fsviz.report.bundle import LARGEST_TEXT, _raw_files, bundle, digest_of_all, verify

# a bundle with its page takes half a minute: once for all
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A bundle of three runs of two systems, and its campaign."""
    place = tmp_path_factory.mktemp("bundle")
    for system, speeds in (("nfs c++", (100, 101, 102)), ("smb", (200, 201, 203))):
        (place / "lab" / system).mkdir(parents=True)
        for n, speed in enumerate(speeds):
            (place / "lab" / system / f"rep{n}.json").write_text(
                json.dumps({"results": [{"command": "cp", "times": [speed / 10] * 3}]})
            )
    (place / "lab/.hidden").write_text("secret")
    (place / "else").write_text((place / "lab/smb/rep0.json").read_text())
    (place / "lab/smb/link.json").symlink_to(place / "else")
    done = run("bundle", "lab", "-o", "lab.zip", cwd=place)
    assert done.returncode == 0
    assert re.fullmatch(r"lab\.zip\ndigest: [0-9a-f]{64}\n", done.stdout)
    (place / "printed").write_text(done.stdout)
    return place / "lab.zip"


def again(made, tmp_path, change):
    """Write a bundle anew with other members."""
    path = tmp_path / "changed.zip"
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(path, "w") as new:
        members = {name: old.read(name) for name in old.namelist()}
        change(members)
        for name, content in members.items():
            new.writestr(name, content)
    return path


def restated(made, tmp_path, change):
    """Write a bundle anew whose description is true of its changed members."""

    def restate(members):
        change(members)
        crate = json.loads(members["ro-crate-metadata.json"])
        digests = {}
        for entity in crate["@graph"]:
            name = unquote(entity["@id"])
            if "sha256" in entity and name in members:
                entity["sha256"] = hashlib.sha256(members[name]).hexdigest()
                digests[name] = entity["sha256"]
            if name == "./":
                root = entity
        root["identifier"] = f"sha256:{digest_of_all(digests)}"
        members["ro-crate-metadata.json"] = json.dumps(crate).encode()

    return again(made, tmp_path, restate)


def test_what_is_printed_is_what_was_checked(made):
    done = run("verify", made)
    assert done.returncode == 0
    headline = str(fsviz.compare(made.parent / "lab").first_words)
    printed = (made.parent / "printed").read_text().splitlines()
    assert done.stdout.splitlines() == [
        headline,
        "raw files: 6, unchanged since the bundle was made",
        "answer: computed again, the same",
        "tables: 3 written again, the same",
        "page: not checked",
        printed[1],
    ]


def test_the_digest_is_that_of_a_list_of_sha256sum(made, tmp_path):
    with zipfile.ZipFile(made) as archive:
        archive.extractall(tmp_path)
        names = sorted({*archive.namelist()} - {"ro-crate-metadata.json"})
    done = subprocess.run(
        ["sha256sum", *names], cwd=tmp_path, capture_output=True, check=True
    )
    digest = hashlib.sha256(done.stdout).hexdigest()
    assert verify(made).digest == digest
    crate = json.loads((tmp_path / "ro-crate-metadata.json").read_text())
    (root,) = (entity for entity in crate["@graph"] if entity["@id"] == "./")
    assert root["identifier"] == f"sha256:{digest}"


@pytest.mark.parametrize("table", ["comparison", "measurements", "summary"])
def test_a_table_that_the_raw_files_do_not_give_is_named(made, tmp_path, table):
    """Hashes that were restated hid it."""

    def change(members):
        name = f"tables/{table}.csv"
        members[name] = re.sub(rb"\d\.\d+", b"9.9", members[name], count=1)

    done = run("verify", restated(made, tmp_path, change))
    assert done.returncode == 1
    assert "tables: 3 written again, 1 different\n" in done.stdout
    assert done.stderr == f"'tables/{table}.csv': the raw files give another table\n"


def test_a_page_that_was_exchanged_shows_in_the_digest_alone(made, tmp_path):
    def change(members):
        members["report/index.html"] = b"smb wins"

    done = run("verify", restated(made, tmp_path, change))
    assert done.returncode == 0
    assert "page: not checked\n" in done.stdout
    assert (made.parent / "printed").read_text().splitlines()[1] not in done.stdout


@pytest.mark.parametrize("other", ["%72eport/index.html", "./report/index.html"])
def test_a_file_that_is_described_twice_is_refused(made, tmp_path, other):
    """The last of two descriptions counted."""

    def change(members):
        members["report/index.html"] = b"smb wins"
        crate = json.loads(members["ro-crate-metadata.json"])
        digest = hashlib.sha256(b"smb wins").hexdigest()
        crate["@graph"].append({"@id": other, "@type": "File", "sha256": digest})
        members["ro-crate-metadata.json"] = json.dumps(crate).encode()

    done = run("verify", again(made, tmp_path, change))
    assert (done.returncode, done.stdout) == (1, "")
    assert "expected each name once, found 'report/index.html' 2 times" in done.stderr


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("other", ["report/index.html", "report/./index.html"])
def test_a_member_that_is_there_twice_is_refused(made, tmp_path, other):
    """What other programs unpack is the first one."""
    path = tmp_path / "twice.zip"
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(path, "w") as new:
        new.writestr(other, b"smb wins")
        for name in old.namelist():
            new.writestr(name, old.read(name))
    done = run("verify", path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "expected each name once, found 'report/index.html' 2 times" in done.stderr


@pytest.mark.parametrize("name", ["answer.json", "ro-crate-metadata.json"])
def test_a_small_file_does_not_fill_the_memory(made, tmp_path, name):
    def change(members):
        members[name] += b" " * (LARGEST_TEXT + 1 - len(members[name]))

    done = run("verify", again(made, tmp_path, change))
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{name}:1: expected at most 16777216 bytes, found more" in done.stderr


@pytest.mark.parametrize(
    "before, size, says",
    [
        (b"", 2**25, "expected at most 16777216 bytes, found 33554432 bytes of names"),
        (b"PK\6\7" + bytes(16), 100, "expected a bundle of fsviz, found no such ZIP"),
    ],
)
def test_a_long_list_of_members_is_not_read(tmp_path, before, size, says):
    """zipfile reads the whole list at once, and makes an object of each member."""
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 9, 9, size, 0, 0)
    (tmp_path / "x.zip").write_bytes(bytes(200) + before + end)
    done = run("verify", tmp_path / "x.zip")
    assert done.returncode == 1
    assert says in done.stderr


def test_where_it_was_unpacked_is_not_printed(made, tmp_path):
    def change(members):
        for name in [n for n in members if n.startswith("campaign/")]:
            members[name] = b"rubbish"

    done = run("verify", restated(made, tmp_path, change))
    assert done.returncode == 1
    assert f"{tmp_path}/changed.zip/campaign/lab/" in done.stderr
    assert "fsviz-" not in done.stderr


def test_it_says_how_far_it_is(made, tmp_path):
    told = []
    out = tmp_path / "b.zip"
    lab = made.parent / "lab"
    bundle(lab, out, lambda *said: told.append(said[:2]), license="CC-BY-4.0")
    with zipfile.ZipFile(out) as archive:
        said = json.loads(archive.read("ro-crate-metadata.json"))["@graph"]
    assert "CC-BY-4.0" in [one.get("name") for one in said]
    done, total = told[-1]
    assert done == total > 0
    assert len(told) > 1


def test_whoever_verifies_needs_no_extra(made, tmp_path):
    hidden = "import sys\nfor name in ('plotly', 'rocrate', 'papermill', 'nbformat'):\n"
    (tmp_path / "sitecustomize.py").write_text(
        f"{hidden}    sys.modules[name] = None\n"
    )
    done = start("verify", made, PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run("verify", made).stdout


def test_its_own_reader_opens_it(made, tmp_path):
    from rocrate.rocrate import ROCrate

    crate = ROCrate(made)
    names = {entity["name"]: entity for entity in crate.data_entities}
    assert {"answer.json", "tables/measurements.csv", "report/index.html"} <= {*names}
    raw = {name for name in names if name.startswith("campaign/")}
    assert raw == {
        f"campaign/lab/{system}/rep{n}.json"
        for system in ("nfs c++", "smb")
        for n in range(3)
    }
    with zipfile.ZipFile(made) as archive:
        for name, entity in names.items():
            digest = hashlib.sha256(archive.read(name)).hexdigest()
            assert entity["sha256"] == digest
    [action] = crate.get_by_type("CreateAction")
    assert action["instrument"]["version"] == fsviz.__version__
    # what the specification demands of every crate, and of a program
    assert crate.license["name"] == "none is stated: ask who measured"
    assert action["instrument"]["url"]
    assert {entity["encodingFormat"] for entity in crate.data_entities} >= {
        *("application/json", "text/csv", "text/html")
    }


def test_a_changed_number_is_named(made, tmp_path):
    def change(members):
        text = members["campaign/lab/smb/rep1.json"].replace(b"20.1", b"9.1")
        members["campaign/lab/smb/rep1.json"] = text

    done = run("verify", again(made, tmp_path, change))
    assert done.returncode == 1
    assert "raw files: 1 of 6 changed since the bundle was made\n" in done.stdout
    _, first, *rest = done.stderr.splitlines()
    name = "campaign/lab/smb/rep1.json"
    assert first == f"'{name}': not the file that is described (SHA-256)"
    assert any(line.startswith("headline: said ") for line in rest)


@pytest.mark.parametrize(
    "name", ["tables/summary.csv", "report/index.html", "answer.json"]
)
def test_a_file_that_is_not_as_described_is_named(made, tmp_path, name):
    """Only raw files were looked at: a table or a page could say something else."""

    def change(members):
        members[name] += b" "

    done = run("verify", again(made, tmp_path, change))
    assert done.returncode == 1
    first, *others = done.stderr.splitlines()
    assert first.startswith("digest: stated ")
    assert f"'{name}': not the file that is described (SHA-256)" in others


def test_a_raw_file_without_its_sha_is_not_as_described(made, tmp_path):
    def change(members):
        crate = json.loads(members["ro-crate-metadata.json"])
        for entity in crate["@graph"]:
            if entity["@id"].endswith("smb/rep1.json"):
                del entity["sha256"]
        members["ro-crate-metadata.json"] = json.dumps(crate).encode()

    found = verify(again(made, tmp_path, change))
    assert found.differences == (
        "'campaign/lab/smb/rep1.json': not the file that is described (SHA-256)",
    )


def test_another_answer_is_named(made, tmp_path):
    def change(members):
        said = json.loads(members["answer.json"])
        members["answer.json"] = json.dumps(said | {"headline": "smb wins"}).encode()

    found = verify(again(made, tmp_path, change))
    assert [line.partition(",")[0] for line in found.differences[1:]] == [
        "'answer.json': not the file that is described (SHA-256)",
        "headline: said 'smb wins'",
    ]


@pytest.mark.parametrize(
    "name, says",
    [
        ("campaign/lab/../../../evil.json", "expected names inside the bundle"),
        ("campaign/lab/more.json", "more.json': not there"),
    ],
)
def test_a_name_leads_nowhere(made, tmp_path, name, says):
    def change(members):
        crate = json.loads(members["ro-crate-metadata.json"])
        crate["@graph"].append({"@id": name, "@type": "File", "sha256": "0" * 64})
        members["ro-crate-metadata.json"] = json.dumps(crate).encode()
        if ".." in name:
            members[name] = b"{}"

    done = run("verify", again(made, tmp_path, change))
    assert done.returncode in (1, 2)
    assert says in done.stderr
    assert not list(tmp_path.parent.rglob("evil.json"))


def test_what_is_not_described_is_not_read(made, tmp_path):
    def change(members):
        members["campaign/lab/smb/rep9.json"] = members["campaign/lab/smb/rep1.json"]

    found = verify(again(made, tmp_path, change))
    assert found.differences == (
        "'campaign/lab/smb/rep9.json': not described, so not read",
    )


def test_one_system_alone_is_bundled_too(root, tmp_path):
    (tmp_path / "one").mkdir()
    log = root / "data/raw/onehost-2026/iozone/ext4/rep1.txt"
    (tmp_path / "one/rep1.txt").write_bytes(log.read_bytes())
    assert run("bundle", "one", "-o", "one.zip", cwd=tmp_path).returncode == 0
    done = run("verify", "one.zip", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("Nothing to compare")


@pytest.mark.parametrize(
    "words, says",
    [
        (("verify", "no.zip"), "no.zip: expected a bundle, found No such file"),
        (("verify", "."), ".: expected a bundle, found Is a directory"),
        (("bundle", "no", "-o", "x.zip"), "expected the folder of a campaign"),
        (("bundle", ".", "-o", "no/x.zip"), "expected the folder no, found none"),
    ],
)
def test_what_is_not_there_is_one_line(tmp_path, words, says):
    done = run(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert says in done.stderr


@pytest.mark.parametrize("content", [b"", b"PK\3\4", b"rubbish"])
def test_rubbish_is_one_line(tmp_path, content):
    path = tmp_path / "x.zip"
    path.write_bytes(content)
    done = run("verify", path)
    assert done.returncode in (1, 2)
    assert done.stderr.count("\n") == 1
    assert "expected a bundle of fsviz" in done.stderr


def test_what_reading_leaves_out_stays_out(made, tmp_path):
    lab = tmp_path / "lab"
    shutil.copytree(made.parent / "lab", lab, symlinks=True)
    (lab / "smb/again.json").symlink_to(lab / "smb/rep0.json")
    read = {Path(path) for path in fsviz.load(lab).runs["source"]}
    assert {*_raw_files(lab)} == read
    assert {path.name for path in read} == {f"rep{n}.json" for n in range(3)} | {
        "again.json"
    }
