"""What bonnie++ was too quick to time is not compared, and nothing says that it was."""

import pytest
from campaigns_made import put
from compared import compare

import fsviz

HEAD = "1.98,2.00a,vm,1,{},482M,,8192,5,,,{},+++++,+++,,,{},+++++,+++,"
TAIL = "1,,,,,+++++,+++,+++++,+++,+++++,+++,+++++,+++,+++++,+++,+++++,+++,"
QUICK = "+++++,+++"
LATE = ",134us,1618us,,48us,6770us,58us,43us,216us,50us,5us,43us\n"


def rows(write, read=QUICK):
    """Six runs that print these numbers at two tests, and +++++ at all others."""
    return [
        (HEAD + TAIL + LATE).format(1795515619 + n, write, read).replace("%", str(n))
        for n in range(6)
    ]


@pytest.fixture
def quick(tmp_path):
    """Two systems; sequential writes have numbers, reads on one side only."""
    systems = {
        "ext4": rows("90766%,44"),
        "xfs": rows("70766%,44", "80766%,40"),
        "tmpfs": rows(QUICK),
    }
    files = {
        f"{name}/r{n}.csv": text
        for name, texts in systems.items()
        for n, text in enumerate(texts)
    }
    return put(tmp_path / "quick", files)


def test_bounds_alone_are_no_test(quick):
    found = compare(fsviz.load(quick), baseline="ext4")
    found = found.loc[found["metric"].isin(["throughput", "rate"])]
    words = found.set_index(["candidate", "operation"])["answer"]
    assert words["xfs", "sequential_output_block"] == "slower"
    # more than any that has a number
    assert words["tmpfs", "sequential_output_block"] == "faster"
    assert words["xfs", "sequential_input_block"] == "slower"
    assert words["tmpfs", "sequential_input_block"] == "untested"
    assert set(words.xs("random_create", level="operation")) == {"untested"}
    # and they make the others no harder to tell
    tested = found.loc[found["p_value"].notna()]
    assert len(tested.loc[tested["candidate"] == "xfs"]) == 2
