"""`fsviz files` says what became of each file."""

import json

from campaigns_made import iozone, put
from program import run as fsviz


def test_every_file_is_listed_with_its_place_or_the_reason(tmp_path):
    put(
        tmp_path,
        {
            "ext4/run_1/iozone.txt": iozone(1),
            "ext4/run_2/iozone.txt": iozone(2),
            "ext4/run_2/copy.txt": iozone(2),
            "xfs/run_1/iozone.txt": iozone(3),
            "xfs/run_1/notes.txt": "hello\n",
        },
    )
    done = fsviz("files", tmp_path, "--format", "json")
    assert done.returncode == 1
    rows = {
        row["source"].removeprefix(f"{tmp_path}/"): row
        for row in json.loads(done.stdout)
    }
    places = {name: (row["system"], row["repeat"]) for name, row in rows.items()}
    assert places == {
        "ext4/run_1/iozone.txt": ("ext4", 1),
        "ext4/run_2/iozone.txt": ("ext4", 2),
        "ext4/run_2/copy.txt": ("ext4", 2),
        "xfs/run_1/iozone.txt": ("xfs", 1),
        "xfs/run_1/notes.txt": ("xfs", None),
    }
    assert {row["format"] for row in rows.values() if row["run"]} == {"iozone"}
    assert "none of their signatures" in rows["xfs/run_1/notes.txt"]["remark"]
    total = sum(row["numbers"] for row in rows.values())
    assert total == 3 * 36
    twins = [rows[f"ext4/run_2/{name}.txt"]["run"] for name in ("iozone", "copy")]
    assert twins[0] == twins[1]


def test_several_sources_and_labels(tmp_path):
    put(tmp_path, {"a.txt": iozone(1), "b.txt": iozone(2)})
    done = fsviz(
        "files", f"x={tmp_path}/a.txt", f"y={tmp_path}/b.txt", "--format", "json"
    )
    assert [row["system"] for row in json.loads(done.stdout)] == ["x", "y"]
