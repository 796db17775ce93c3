"""A design for a budget: exact sizes, rounds and times."""

import json
import shutil
import subprocess

import pytest

from fsviz.campaigns.campaign_toml import Measured
from fsviz.measuring import _plan as plan
from fsviz.measuring.tools import TOOLS
from fsviz.model.units import GIB, KIB, MIB
from fsviz.readers.iozone.options import parse_options

TRIED = plan.first_design("throughput", ["iozone"], 600.0, 1)


def fitting(took, left, room=100 * GIB, ram=8 * GIB, can_limit=True):
    return plan.fitting(
        TRIED, {"iozone": took}, left, room, ram=ram, can_limit=can_limit
    )


def test_the_trial_is_small_and_says_what_it_writes():
    assert TRIED.file_sizes == [MIB, 4 * MIB, 12 * MIB]
    # 17 MiB, in records of one size, by six tests
    assert TOOLS["iozone"].moves(TRIED) == 6 * 17 * MIB
    assert plan.needed(TRIED) == 12 * MIB


def test_files_lie_below_at_and_above_the_memory():
    found = fitting(took=0.001, left=600)
    assert found.file_sizes == [2 * GIB, 8 * GIB, 24 * GIB]
    assert found.record_sizes == [4 * KIB, 64 * KIB, MIB]
    assert not found.limited


def test_memory_is_limited_before_records_are_left_out():
    # records of 4 KiB, 64 KiB and 1 MiB weigh 8, 2 and 1: 3 times 11/3 as much
    a_round = 11 * 16 * 0.5
    found = fitting(took=0.5, left=a_round * 11 / 0.9 * 2.01)
    assert found.memory == 128 * MIB
    assert found.limited
    assert found.record_sizes == [4 * KIB, 64 * KIB, MIB]
    assert found.seconds_a_round == pytest.approx(2 * a_round)


def test_without_the_right_to_limit_memory_the_sizes_are_those_and_it_is_said():
    found = fitting(took=0.5, left=300, can_limit=False)
    assert not found.limited
    lines = list(plan.size_lines(found, ["a", "b"], 8 * GIB, {}))
    assert any("files above 8 GiB of memory, for want of the right" in x for x in lines)


@pytest.mark.parametrize(
    "servers, says",
    [
        ({}, []),
        ({"nfs": None}, ["whether nfs reads from its disk, as the memory of"]),
        ({"nfs": 8 * GIB}, []),
        ({"nfs": 9 * GIB}, ["9 GiB of memory can hold much of a file of 24 GiB"]),
    ],
)
def test_the_memory_of_a_server_is_asked_for_and_counts(servers, says):
    """It promised that large files reach the storage, on NFS too."""
    found = fitting(took=0.001, left=600)
    lines = list(plan.size_lines(found, ["nfs", "a"], 8 * GIB, servers))
    *others, last = [line for line in lines if line.startswith("cannot tell: ")]
    assert "other file or record sizes" in last
    assert len(others) == len(says)
    assert all(word in line for word, line in zip(says, others, strict=True))
    assert not any("reach the storage" in line for line in lines)


def test_where_little_time_is_left_there_are_fewer_records_and_rounds():
    found = fitting(took=2.5, left=400)
    assert found.memory == 64 * MIB
    assert found.record_sizes == [MIB]
    # 40 s a round, nine tenths of the time, less one round to warm up
    assert found.rounds == 8
    few = fitting(took=2.5, left=200)
    assert few.rounds == 3
    last = list(plan.round_lines(few, 2))[-1]
    # 40 s × 6 ÷ 0.9 ÷ 0.9
    assert last.startswith("only 3 rounds fit: large differences alone will show;")
    assert last.endswith("5 need --within 296s")


def test_what_has_no_room_is_not_chosen():
    found = fitting(took=0.001, left=600, room=GIB)
    assert plan.needed(found) == 768 * MIB


def test_there_are_never_more_rounds_than_looks_can_carry():
    assert plan.with_rounds(TRIED, 0.1, 1e6).rounds == 15
    assert plan.with_rounds(TRIED, 1e6, 1.0).rounds == 3


def test_the_volume_is_that_of_all_rounds_and_the_one_that_warms_up():
    design = TRIED.model_copy(update={"rounds": 5})
    assert plan.volume(design, 3) == 6 * 3 * 6 * 17 * MIB


def test_orders_of_two_rounds_are_reversed_and_each_system_leads_as_often():
    rounds = [plan.order(["a", "b", "c"], n, 9) for n in range(1, 1001)]
    assert all(
        one == two[::-1] for one, two in zip(rounds[::2], rounds[1::2], strict=True)
    )
    leads = [order[0] for order in rounds]
    assert min(leads.count(name) for name in "abc") > 300


def test_iozone_is_asked_for_what_the_design_says(tmp_path):
    design = fitting(took=0.5, left=600)
    words = TOOLS["iozone"].command(design, tmp_path / "own", tmp_path)
    options = parse_options(" ".join(words))
    assert options.sizes_to_measure == (
        tuple(design.file_sizes),
        tuple(design.record_sizes),
    )
    assert options.tests == {0, 1, 2}
    assert options.flushed
    assert options.values["f"] == (str(tmp_path / "own/iozone.tmp"),)


def test_bonnie_gets_twice_the_memory_and_our_user(tmp_path):
    design = fitting(took=0.5, left=600)
    words = TOOLS["bonnie++"].command(design, tmp_path, tmp_path)
    assert words[words.index("-s") + 1] == f"{2 * design.memory // MIB}m"
    assert words[words.index("-r") + 1] == f"{design.memory // MIB}m"


@pytest.mark.parametrize("size, moved", [(12 * MIB, MIB), (64 * MIB, 4 * MIB)])
def test_fio_asks_about_latency_in_small_blocks_of_a_part(tmp_path, size, moved):
    design = plan.first_design("latency", ["fio"], 600.0, 1)
    design = design.model_copy(update={"file_sizes": [MIB, size]})
    words = TOOLS["fio"].command(design, tmp_path, tmp_path)
    assert [word for word in words if word[:4] == "--bs"] == ["--bs=4k"] * 2
    assert {f"--size={size}", f"--io_size={moved}"} < {*words}


@pytest.mark.skipif(not shutil.which("fio"), reason="fio is not installed")
def test_fio_measures_where_a_path_has_a_colon(tmp_path):
    own = tmp_path / "a:b"
    own.mkdir()
    words = TOOLS["fio"].command(TRIED, own, tmp_path)
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, check=True)
    assert len(json.loads(done.stdout)["jobs"]) == 4
    assert [path.name for path in own.iterdir()] == ["fio.tmp"]


def test_a_design_reads_back_as_it_was_written(tmp_path):
    import tomllib

    from fsviz.measuring._folder import Results

    (tmp_path / "lab").mkdir()
    results = Results(tmp_path / "lab")
    design = fitting(took=0.5, left=600).model_copy(update={"looks": [3, 4]})
    results.begin('title = "a"\n[measured-by]\nx = 1\n', design)
    text = (tmp_path / "lab/campaign.toml").read_text()
    assert Measured.model_validate(tomllib.loads(text)["measured"]) == design
    changed = design.model_copy(update={"ended": "decided"})
    results.record(changed)
    again = (tmp_path / "lab/campaign.toml").read_text()
    assert again == text.replace('ended = ""', 'ended = "decided"')
