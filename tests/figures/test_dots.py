"""One size only: every operation a row, its value printed, its processes as a line."""

import pandas as pd
import pytest
from campaigns_made import put

import fsviz
from fsviz.analysis.scaling import one_size
from fsviz.model.errors import UsageError

LOG = "tests/data/iozone/3.489/thr_t4_R_b.txt"


@pytest.fixture(scope="module")
def campaign(root, tmp_path_factory):
    text = (root / LOG).read_text()
    start = text.partition("Run began: ")[2][:19]
    files = {
        f"{name}/r{n}.txt": text.replace(start, f"Sat Nov 21 0{n + 1}:{minute}:00")
        for name, minute in (("nfs", 10), ("smb", 20))
        for n in range(3)
    }
    return fsviz.load(str(put(tmp_path_factory.mktemp("one"), files)))


def test_every_operation_is_a_row_with_its_value_and_its_processes(root, campaign):
    figure = fsviz.plot(campaign, "dots")
    first = next(
        line.split("=")[1].split()[0]
        for line in (root / LOG).read_text().splitlines()
        if "Children see throughput for  4 initial writers" in line
    )
    rows = campaign.measurements.query("metric == 'throughput'")
    titles = list(figure.layout.yaxis.ticktext)
    operations = [title.replace(" ", "_") for title in titles]
    assert sorted(operations) == sorted(rows["operation"].unique())
    dots = {t.name: t for t in figure.data if t.mode == "markers"}
    assert list(dots) == ["nfs", "smb"]
    gib = float(first) / 2**20
    assert dots["nfs"].x[0] == pytest.approx(gib)
    (texts,) = (t.text for t in figure.data if t.name == "values of nfs")
    assert float(texts[0]) == pytest.approx(gib, rel=0.005)
    assert "4 threads" in figure.layout.title.text
    # the ends of the processes, by the numbers that IOzone prints of them
    children = {
        name: campaign.measurements.query(f"metric == '{name}_child_throughput'")
        for name in ("min", "max")
    }
    (line,) = (t for t in figure.data if t.name == "processes of nfs")
    # of a minimum that IOzone forgot a child in, there is no line
    known = set(children["min"].dropna(subset="value")["operation"])
    ends = list(zip(line.x[::3], line.x[1::3], strict=True))
    own = [one for one in operations if one in known]
    assert 0 < len(own) < len(operations)
    for operation, (low, high) in zip(own, ends, strict=True):
        for name, end in (("min", low), ("max", high)):
            told = children[name].query(f"operation == '{operation}'")["value"]
            assert end == pytest.approx(4 * told.iloc[0] / 2**30)
    (values,) = (t for t in figure.data if t.name == "values of nfs")
    assert "write" not in known
    assert values.x[operations.index("write")] == dots["nfs"].x[0]
    # a total lies between four times its slowest and four times its fastest
    totals = [dots["nfs"].x[operations.index(one)] for one in own]
    assert all(a <= x <= b for (a, b), x in zip(ends, totals, strict=True))


def test_several_sizes_are_refused(root):
    table = fsviz.load(str(root / "data/raw/onehost-2026"))
    assert not one_size(table)
    with pytest.raises(UsageError, match="one file size, record size"):
        fsviz.plot(table, "dots")


def test_a_file_of_unknown_size_is_not_named(root):
    """fio need not state how large its file is."""
    requests = fsviz.load(str(root / "data/lessons/tail-2026"))
    figure = fsviz.plot(requests, "dots", operation="random_read")
    assert figure.layout.title.text == "<b>Random read</b> – record 4 KiB"
    sizes = {"file_size_bytes": pd.NA, "setting": ""}
    both = requests.measurements.assign(**sizes)
    assert "Every operation" in fsviz.plot(both, "dots").layout.title.text
