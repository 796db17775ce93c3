"""Files that people have and that are usable: read, each number at its place."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from campaigns_made import HEAD, iozone

from fsviz.model.errors import MalformedRowError, quoted
from fsviz.readers.document import decode
from fsviz.readers.formats import read_document, read_file
from fsviz.store.load import load

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests/data"
ROW = ROOT / "data/raw/loopback-2026/bonnie++/nfs-v3/rep1.csv"


def read_text(tmp_path, text, name="log.txt"):
    path = tmp_path / name
    path.write_text(text)
    return read_file(path)


def cells_of(run):
    cells = run.cells
    keys = zip(cells.operation, cells.metric, cells.file_size_bytes, strict=True)
    bounds = zip(cells.low, cells.high, strict=True)
    return dict(zip(keys, bounds, strict=True))


CONVERTED = """\
Version     2.00a   ------Sequential Output------ --Sequential Input- --Random-
                    -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--
Name:Size etc        /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP
nfs-v3  96M::8192:5           94.8m  47 47.2m  50           97.6m  50  6427  98
Latency                         115ms   88281us              4426us   61367us
                    ------Sequential Create------ --------Random Create--------
                    -Create-- --Read--- -Delete-- -Create-- --Read--- -Delete--
      files:max:min  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP
nfs-v3 1:8192:512:4   875  12  1788  13 +++++ +++   883  12  1835   7 +++++ +++
Latency              6283us    3741us    1420us    4400us    3531us    1178us
"""


def test_what_bon_csv2txt_made_is_the_row_rounded(tmp_path):
    text = CONVERTED
    if shutil.which("bon_csv2txt"):
        text = subprocess.run(
            ["bon_csv2txt"],
            input=ROW.read_text(),
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert text == CONVERTED
    (converted,) = read_text(tmp_path, text).runs
    (row,) = read_file(ROW).runs
    exact, rounded = cells_of(row), cells_of(converted)
    assert rounded.keys() == exact.keys()
    for key, (low, high) in rounded.items():
        assert not high < exact[key][0], key
        assert not exact[key][1] < low, key
    assert set(converted.cells.threads) == {1}
    assert converted.configuration == row.configuration


@pytest.mark.parametrize("first", ["     ", "                    "])
def test_a_table_without_the_version(tmp_path, first):
    text = (
        f"{first}------Sequential Output------ --Sequential Input- --Random-\n"
        f"{first}-Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--\n"
        f"{'Size':>{len(first) - 1}} K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP"
        "  /sec %CP\n"
        f"{'4G':>{len(first) - 1}} 93865  99 71766  21 47302  10 57078  98 415469  44 "
        "+++++ +++\n"
    )
    (run,) = read_text(tmp_path, text).runs
    cells = cells_of(run)
    size = 4 * 2**30
    for operation, printed in (("output_block", 71766), ("input_block", 415469)):
        low, high = cells[f"sequential_{operation}", "throughput", size]
        assert low <= printed * 1024 <= high < (printed + 2) * 1024
    assert run.tool_version == ""


def test_a_blank_after_a_row(tmp_path):
    (run,) = read_text(tmp_path, ROW.read_text().rstrip("\n") + " \n").runs
    (clean,) = read_file(ROW).runs
    assert cells_of(run) == cells_of(clean)


def test_lines_that_end_in_breaks_and_styled_numbers(tmp_path):
    text = iozone(3)
    page = text.replace("\n", "<br />\n").replace(
        "      64", '<b style="x">      64</b>'
    )
    (run,) = read_text(tmp_path, page.replace(" ", "&nbsp;", 20), "page.html").runs
    (clean,) = read_text(tmp_path, text).runs
    assert run.cells.value == clean.cells.value
    assert run.cells.locator == clean.cells.locator


def test_a_page_in_one_line(tmp_path):
    text = iozone(3)
    (run,) = read_text(tmp_path, text.replace("\n", "<br>"), "page.html").runs
    (clean,) = read_text(tmp_path, text).runs
    assert run.cells.value == clean.cells.value


def test_the_standard_error_beside_a_row_adds_no_complaint(tmp_path):
    table = CONVERTED.replace("Version     2.00a  ", "Version 2.00a      ")
    table = table.replace("nfs-v3  96M::8192:5 ", "nfs-v3          96M ")
    files = table.index("                    ------Sequential Create")
    console = (
        table[:files]
        + "Version 2.00a       "
        + table[files + 20 :]
        .replace(
            "                    -Create-- --Read",
            "nfs-v3              -Create-- --Read",
        )
        .replace("nfs-v3 1:8192:512:4 ", "       1:8192:512/4 ")
    )
    shutil.copy(ROW, tmp_path / "rep1.csv")
    (tmp_path / "rep1.err").write_text(console)
    assert read_file(tmp_path / "rep1.err").problems
    campaign = load(tmp_path)
    assert campaign.problems == ()
    assert campaign.runs["run"].nunique() == 1


def fio_job(**more):
    return json.loads((DATA / "fio/3.33/numjobs.json").read_text()) | more


def test_clients_of_a_job(tmp_path):
    output = fio_job()
    job = {**output["jobs"][0], "hostname": "a", "port": 8765}
    job["job options"] = {k: v for k, v in job["job options"].items() if k != "numjobs"}
    second = {**job, "hostname": "b"}
    total = {**job, "jobname": "All clients", "job options": {}}
    made = {k: v for k, v in output.items() if k != "jobs"}
    made["global options"] = {
        k: v for k, v in output.get("global options", {}).items() if k != "numjobs"
    }
    made["client_stats"] = [job, second, total]
    reading = read_text(tmp_path, json.dumps(made, indent=1), "c.json")
    (run,) = reading.runs
    way = "write" if job["write"]["io_bytes"] else "read"
    at = run.cells.metric.index("throughput")
    assert run.cells.value[at] == 2 * job[way]["bw_bytes"]
    assert run.cells.threads[at] == 2


ARTICLE = """
And this is what sysbench says, with 4 threads:

| threads | ops | latency |
  1   100   200   300   400
  2   150   250   350   450
 16   999   7    12345  1  2  3

dd: 64 4 12,345 MB/s
"""


def test_tables_of_other_programs_are_passed_over(tmp_path):
    text = iozone(4).replace("\niozone test complete.\n", "") + ARTICLE
    reading = read_text(
        tmp_path, text[text.index("              kB  reclen") :], "a.md"
    )
    assert reading.problems == ()
    (clean,) = read_text(tmp_path, iozone(4)).runs
    assert reading.runs[0].cells.value == clean.cells.value


def test_a_damaged_row_of_the_table_itself_is_named(tmp_path):
    rows = iozone(4).split("\n")
    at = next(n for n, row in enumerate(rows) if row.startswith(f"{128:16d}{8:8d}"))
    rows[at] = rows[at][:-4] + "x" + rows[at][-3:]
    rows.insert(at, "[ 12.3] kernel: something else")
    reading = read_text(tmp_path, "\n".join(rows))
    assert [problem.line for problem in reading.problems] == [at + 2]
    assert len(reading.runs[0].cells) == 4 * 8


def test_faults_of_one_kind_in_one_table_are_one_complaint():
    above, below = HEAD.splitlines(keepends=True)
    head = above + " ".join(below.split()) + "\n"  # as typed: no column has its place
    row = "512 4 " + " ".join(str(4820 + k) for k in range(13))
    text = head + f"{row}\n" * 3 + f"{row} (fat)\n" * 2 + head + f"{row}\n" * 2
    reading = read_document(decode("t.txt", text.encode()))
    assert [run.cells.locator[0] for run in reading.runs] == ["line 3", "line 10"]
    again = (
        "expected file size 512 kB, record size 4 kB once in a run, found it already"
    )
    plain, found = "a row of plain whole numbers", quoted(f"{row.strip()} (fat)")
    assert [str(problem) for problem in reading.problems] == [
        f"t.txt:6: expected {plain}, found {found}; likewise on line 7",
        f"t.txt:4: {again} in line 3; likewise on line 5",
        f"t.txt:11: {again} in line 10",
    ]


def test_of_hundreds_of_rows_with_one_fault_three_are_named():
    text = HEAD + "   64  4  1x2  34 56\n" * 300
    with pytest.raises(MalformedRowError, match=r"on lines 4, 5, 6 and 296 more$"):
        read_document(decode("t.txt", text.encode()))
