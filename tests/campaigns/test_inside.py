"""Systems and jobs inside one file: never one system with more runs."""

import json
import shutil
from pathlib import Path

import pytest
from campaigns_made import iozone, put

from fsviz.store.load import load

FIO = Path(__file__).parents[1] / "data/fio/3.33/read.json"
DONE = {"rw": "read", "bs": "128k", "size": "8m"}
BONNIE = (
    "1.98,2.00a,{host},1,1795252451,96M,,8192,5,,,{rate},3,40960,5,,,{rate},9,900.1,3,"
    + "," * 18
    + "112ms,234us,,1ms,2ms,,,,,,"
)


def repeats(campaign):
    return campaign.runs.groupby("system")["repeat"].max().to_dict()


def test_rows_of_two_machines_are_two_systems(tmp_path):
    rows = [("alpha", 67127), ("alpha", 67200), ("beta", 81234), ("beta", 81300)]
    text = "\n".join(BONNIE.format(host=host, rate=rate) for host, rate in rows)
    put(tmp_path, {"all.csv": text + "\n"})
    assert repeats(load(tmp_path)) == {"alpha": 2, "beta": 2}


def test_machines_named_like_repeats_are_repeats(tmp_path):
    rows = [("disk-run1", 67127), ("disk-run2", 67200)]
    text = "\n".join(BONNIE.format(host=host, rate=rate) for host, rate in rows)
    put(tmp_path, {"all.csv": text + "\n"})
    assert repeats(load(tmp_path)) == {tmp_path.name: 2}


@pytest.mark.parametrize(
    "results,systems",
    [
        (
            [("rsync -a s/ /mnt/nfs/", None), ("rsync -a s/ /mnt/smb/", None)],
            {"/mnt/nfs/": 2, "/mnt/smb/": 2},
        ),
        (
            [("rsync -a s/ /m/d", {"fs": "nfs"}), ("rsync -a s/ /m/d", {"fs": "smb"})],
            {"fs=nfs": 2, "fs=smb": 2},
        ),
    ],
)
def test_commands_of_one_hyperfine_are_systems(tmp_path, results, systems):
    written = []
    for at, (command, parameters) in enumerate(results):
        times = [0.25 + at, 0.26 + at]
        written.append({"command": command, "times": times, "mean": sum(times) / 2})
        if parameters:
            written[-1]["parameters"] = parameters
    put(tmp_path, {"h.json": json.dumps({"results": written})})
    assert repeats(load(tmp_path)) == systems


def fio(*jobs):
    output = json.loads(FIO.read_text())
    (job,) = output["jobs"]
    entries = [
        job | {"jobname": name, "groupid": at, "job options": DONE | options}
        for at, (name, options) in enumerate(jobs)
    ]
    return json.dumps(output | {"global options": {}, "jobs": entries})


def test_fio_jobs_in_several_directories_are_systems(tmp_path):
    jobs = [("a", {"directory": "/mnt/nfs"}), ("b", {"filename": "/mnt/smb/file"})]
    put(tmp_path, {"f.json": fio(*jobs)})
    assert repeats(load(tmp_path)) == {"/mnt/nfs": 1, "/mnt/smb": 1}


def test_a_folder_of_time_logs_beside_the_results_names_no_system(tmp_path):
    jobs = fio(("fuse", {}), ("kernel", {}))
    logs = "250, 1979392, 1, 0, 0\n500, 1974272, 1, 0, 0\n"
    put(tmp_path, {"f.json": jobs, "logs/fuse_bw.log": logs})
    assert repeats(load(tmp_path)) == {"fuse": 1, "kernel": 1}


def test_fio_jobs_in_one_directory_stay_one_system(tmp_path):
    jobs = [(n, {"filename": f"/mnt/nfs/{n}", "size": "8m"}) for n in ("a", "b")]
    put(tmp_path, {"f.json": fio(*jobs)})
    assert repeats(load(tmp_path)) == {tmp_path.name: 2}


def block(seconds):
    return f"real\t0m{seconds:.3f}s\nuser\t0m0.100s\nsys\t0m0.010s\n\n"


def test_jobs_with_labels_are_repeats_of_the_same_label_only(tmp_path):
    text = "".join(
        f"== {host} : nfs {job} {n} ==\n{block(seconds + n / 10)}"
        for host in ("alpha", "beta")
        for job, seconds in (("untar", 9), ("rsync cold", 4), ("rsync warm", 2))
        for n in (1, 2, 3)
    )
    put(tmp_path, {"log.txt": text})
    campaign = load(tmp_path / "log.txt")
    assert repeats(campaign) == {
        f"{host} : nfs {job}": 3
        for host in ("alpha", "beta")
        for job in ("untar", "rsync cold", "rsync warm")
    }
    rows = campaign.measurements.query("metric == 'elapsed'")
    means = rows.groupby("system")["value"].mean().round(6).to_dict()
    assert means["beta : nfs rsync cold"] == 4.2


@pytest.mark.parametrize(
    "first,second",
    [
        ("# cold copy\n", "# warm copy\n"),
        ("Copia en NFS:\n", "Copia en FS local:\n"),
        ("$ time rsync -a s/ /mnt/nfs\n", "$ time rsync -a s/ /mnt/smb\n"),
        ("$ msrsync -p 1 s/ d\n", "$ msrsync -p 2 s/ d\n"),
    ],
)
def test_other_labels_are_used(tmp_path, first, second):
    put(tmp_path, {"log.txt": first + block(4) + second + block(2)})
    assert set(repeats(load(tmp_path / "log.txt")).values()) == {1}


def test_threads_are_an_amount_and_no_repeat(tmp_path):
    text = "".join(f"# threads {n}\n{block(4 / n)}" for n in (1, 2))
    put(tmp_path, {"log.txt": text})
    assert repeats(load(tmp_path / "log.txt")) == {"threads 1": 1, "threads 2": 1}


def test_tables_of_one_file_are_told_apart_by_the_headings_above_them(tmp_path):
    head = (
        "     ------Sequential Output------ --Sequential Input- --Random-\n"
        "     -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--\n"
        "Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec %CP\n"
    )
    rows = [
        f"  4G 9386{n}  99 71766  21 47302  10 57078  98 41546{n}  44 101.{n}   1\n"
        for n in (1, 2)
    ]
    text = f"On the first board:\n{head}{rows[0]}\nAnd on the other:\n{head}{rows[1]}"
    put(tmp_path, {"t.txt": text})
    assert repeats(load(tmp_path)) == {"On the first board": 1, "And on the other": 1}


def test_runs_of_iozone_in_several_folders_are_systems(tmp_path):
    text = "".join(
        iozone(n, file=f"/mnt/{fs}/t.tmp")
        for n, fs in ((1, "nfs"), (2, "smb"), (3, "nfs"))
    )
    put(tmp_path, {"all.txt": text})
    assert repeats(load(tmp_path)) == {"/mnt/nfs": 2, "/mnt/smb": 1}


def test_the_workbook_of_a_direct_run_has_the_settings_of_its_text(root, tmp_path):
    """Without them fwrite would be there twice, buffered and in no known way."""
    source = root / "tests/data/iozone/3.489/auto_E"
    text = source.with_suffix(".txt").read_text()
    assert "iozone -a" in text
    told = {}
    for name, command in (("usual", "iozone -a"), ("direct", "iozone -a -I")):
        folder = tmp_path / name / "a"
        folder.mkdir(parents=True)
        (folder / "rep1.txt").write_text(text.replace("iozone -a", command))
        shutil.copy(source.with_suffix(".xls"), folder / "rep1.xls")
        told[name] = load(tmp_path / name)
        assert told[name].problems == ()
    usual, direct = (one.measurements for one in told.values())
    assert len(direct) == len(usual)
    assert set(usual["setting"]) == {""}
    buffered = direct.loc[direct["setting"] == "buffered=1", "operation"]
    assert set(buffered) == {"fwrite", "frewrite", "fread", "freread"}
    assert not set(buffered) & set(direct.loc[direct["setting"] == "", "operation"])
