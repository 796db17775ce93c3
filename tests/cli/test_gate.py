"""``compare --fail-on``: exit status 3 where an answer holds, and only there."""

import pytest
from program import run
from simulated import SIZES, campaign, usual


def times(factor):
    return lambda _system, _operation, _size: factor


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Campaigns whose truth is known, by a word for it."""
    base = tmp_path_factory.mktemp("gates")
    half = SIZES[4]
    truths = {
        "equal": usual,
        "slower": times(1 / 1.3),
        "mixed": lambda _s, _o, size: 1.5 if size < half else 1 / 1.5,
    }
    return {
        name: campaign(base / name, {"ext4": usual, "xfs": truth})
        for name, truth in truths.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "truth,conditions,status",
    [
        ("slower", ["slower"], 3),
        ("slower", ["slower>5%"], 3),
        ("slower", ["slower>50%"], 0),
        ("slower", ["read:slower > 10 %"], 3),
        ("slower", ["faster", "mixed"], 0),
        ("slower", ["mixed", "slower"], 3),
        ("slower", ["random_write:slower>5%"], 3),
        ("equal", ["slower"], 0),
        # a mixed test is slower at some sizes, which must not pass a gate
        ("mixed", ["slower"], 3),
        ("mixed", ["slower>60%"], 0),
        ("mixed", ["mixed"], 3),
    ],
)
def test_it_holds_where_the_rows_say_so(folders, truth, conditions, status):
    words = [word for one in conditions for word in ("--fail-on", one)]
    plain = run("compare", folders[truth])
    for form in ("text", "json"):
        done = run("compare", folders[truth], *words, "--format", form)
        assert done.returncode == status, done.stderr
        assert done.stderr.startswith("--fail-on " if status else "")
        assert (": xfs " in done.stderr) == (status == 3)
        # the answer is the one without a gate
        assert form == "json" or done.stdout == plain.stdout


@pytest.mark.slow
def test_the_line_says_by_how_much_where(folders):
    done = run("compare", folders["slower"], "--fail-on", "random_read:slower")
    (line,) = done.stderr.splitlines()
    assert line == (
        "--fail-on random_read:slower: xfs 1.3× slower at IOzone random read "
        "against ext4"
    )


@pytest.mark.slow
@pytest.mark.parametrize("untold", ["untested", "inconclusive"])
def test_what_was_not_told_holds_only_where_it_is_asked_for(tmp_path, folders, untold):
    lone = campaign(tmp_path, {"ext4": usual, "xfs": times(1 / 1.3)}, runs=1)
    assert run("compare", lone, "--fail-on", "slower").returncode == 0
    status = run("compare", lone, "--fail-on", untold).returncode
    assert status == (3 if untold == "untested" else 0)


@pytest.mark.parametrize(
    "words",
    ["slowr", "slower>x%", "slower,q<2", "raed:slower", "", "slower>5", "same>3%"],
)
def test_a_condition_that_is_none_is_refused(folders, words):
    done = run("compare", folders["equal"], "--fail-on", words)
    assert done.returncode == 2
    assert "--fail-on: expected" in done.stderr


@pytest.mark.slow
def test_a_gate_on_what_was_not_compared_is_refused(folders):
    done = run("compare", folders["slower"], "--fail-on", "transfer:slower")
    assert done.returncode == 2
    assert "--fail-on: expected one of write, rewrite, read, " in done.stderr
    assert done.stderr.endswith(", found transfer\n")


@pytest.mark.slow
def test_systems_against_themselves(tmp_path):
    truths = {"before": usual, "after": times(1 / 1.3)}
    for seed, (label, truth) in enumerate(truths.items()):
        campaign(tmp_path / label, {"ext4": usual, "xfs": truth}, seed=seed)
    words = [f"{label}={tmp_path / label}" for label in truths]
    done = run("compare", *words, "--fail-on", "slower")
    assert done.returncode == 3
    assert all(line.startswith("xfs: ") for line in done.stderr.splitlines())
    assert "after 1.3× slower at IOzone write against before" in done.stderr
    assert run("compare", *words, "--format", "csv").stdout.startswith("campaign,")


@pytest.mark.slow
def test_a_gate_on_cpu_says_so(root):
    source = root / "data/raw/loopback-2026"
    words = ["--operation", "transfer", "--metric", "cpu", "--fail-on", "faster"]
    done = run("compare", source, *words)
    assert done.returncode == 3
    assert "at rsync transfer" in done.stderr
