"""Shapes that people paste, which were refused whole, complained of or lost."""

import pytest

import fsviz
from fsviz.model.errors import MalformedRowError, ParseError
from fsviz.readers.formats import read_file

HEADER = "              kB  reclen    write  rewrite    read    reread\n"
ROW = "              64       4  2421755  3588436  7100397  1828508\n"
CONVERTED = """\
Version     2.00a   ------Sequential Output------ --Sequential Input- --Random-
                    -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--
Name:Size etc        /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP
nfs-v4.1         1G 1212k  98  119m  98  111m  98 1212k  98  118m  12  1212  12
Latency                 1us       1us       2us       4us       3us       4us
                    ------Sequential Create------ --------Random Create--------
                    -Create-- --Read--- -Delete-- -Create-- --Read--- -Delete--
      files:max:min  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP
nfs-v 1:8192:1024/4  5000  12  4000  12  3000  12  5000  12  4000  12  3000  12
Latency                 1us       2us       3us       4us       5us       6us
"""
"""What bon_csv2txt 2.00a prints where the number of files needs the room of a name."""


def read_text(tmp_path, text):
    path = tmp_path / "pasted.txt"
    path.write_text(text)
    return read_file(path)


def values(run):
    return dict(zip(run.cells.operation, run.cells.value, strict=True))


def test_the_name_that_bon_csv2txt_cuts_is_the_same_machine(tmp_path):
    reading = read_text(tmp_path, CONVERTED)
    (run,) = reading.runs
    assert not reading.problems
    rates = {
        run.cells.operation[at]: run.cells.value[at]
        for at, metric in enumerate(run.cells.metric)
        if metric == "rate"
    }
    assert [rates[f"sequential_{x}"] for x in ("create", "stat", "delete")] == [
        *(5000, 4000, 3000)
    ]
    assert "file_sizes=8192:1024 directories=4" in run.configuration
    other = CONVERTED.replace("nfs-v 1:", "ext4  1:")
    with pytest.raises(ParseError, match=r"of 'nfs-v4\.1', found 'ext4"):
        read_text(tmp_path, other)


def test_rows_with_a_number_for_each_name_need_no_columns(tmp_path):
    moved = "             128       4    1421755  3588436   7100397 1828508\n"
    reading = read_text(tmp_path, HEADER + ROW + moved)
    (run,) = reading.runs
    assert not reading.problems
    assert [value / 1024 for value in run.cells.value[4:]] == [
        *(1421755, 3588436, 7100397, 1828508)
    ]
    # one that lacks a number says of no column which it is
    short = read_text(tmp_path, HEADER + ROW + moved[:-8] + "\n")
    assert len(short.runs[0].cells) == 4
    assert [problem.line for problem in short.problems] == [3]


STATS = """\
Number of regular files transferred: 1,800
Total file size: 20,549,120 bytes
Total transferred file size: 19,549,120 bytes
sent 19,665,246 bytes  received 35,698 bytes  3,030,914.46 bytes/sec
total size is 20,549,120  speedup is 0.99
"""


@pytest.mark.parametrize("first", range(3))
def test_a_summary_of_rsync_without_its_first_lines(tmp_path, first):
    text = "".join(STATS.splitlines(keepends=True)[first:])
    (run,) = read_text(tmp_path, text).runs
    found = dict(zip(run.cells.metric, run.cells.value, strict=True))
    assert found == {"size": 19549120} | ({} if first else {"count": 1800})


def test_a_list_of_processors_below_a_table_is_none_of_its_rows(tmp_path):
    topology = (
        "CPU sysfs topology (clusters, cpufreq members, clockspeeds)\n"
        "  0        0        0      408    1800   Cortex-A55\n"
        "  1        0        0      408    1800   Cortex-A55\n"
    )
    reading = read_text(tmp_path, HEADER + ROW + "\n" + topology)
    assert len(reading.runs[0].cells) == 4
    assert not reading.problems
    # a damaged row behind a message is still one
    damaged = "             128       4  2421755  3588x36  7100397  1828508\n"
    reading = read_text(tmp_path, HEADER + ROW + "Linux said something\n" + damaged)
    assert [problem.line for problem in reading.problems] == [4]


def test_lines_of_several_hosts_are_named(tmp_path):
    blocks = [
        f"{host}: {line}"
        for host in ("node1", "node2", "node10", "node11")
        for line in (
            "\tChildren see throughput for  2 initial writers \t=  1200.50 kB/sec",
            "\tParent sees throughput for  2 initial writers \t=  1100.50 kB/sec",
            "\tMin throughput per process \t\t\t=  600.00 kB/sec ",
        )
    ]
    says = "lines of one host, found those of node1, node2, node10 and 1 more; give"
    with pytest.raises(MalformedRowError, match=says):
        read_text(tmp_path, "\n".join(blocks))


def test_the_host_of_a_line_within_other_text_is_named(tmp_path):
    line = "10.0.0.{}:  Children see throughput for  1 rewriters  =  302980.50 kB/sec"
    text = "Now start it on all nodes:\n" * 20
    text += "\n".join(line.format(host) for host in (11, 7, 12))
    says = "without the name of a host; give each a file of its own .dshbak"
    with pytest.raises(MalformedRowError, match=says):
        read_text(tmp_path, text)


def test_remarks_on_a_file_of_many_runs_do_not_grow_with_its_runs(tmp_path):
    lines = "".join(HEADER + ROW.replace("64  ", "6x  ") + ROW for _ in range(50))
    (tmp_path / "log.txt").write_text(lines)
    files = fsviz.load(tmp_path / "log.txt").files
    assert files["remark"].str.endswith(" more remarks").all()
    # each run has a row, and each row all of the remarks
    assert files["remark"].str.len().max() < 2000


OLDEST = """\
                                                            random  random    bkwd  record  stride
              KB  reclen   write rewrite    read    reread    read   write    read rewrite    read   fwrite frewrite   fread  freread
         1048576       4  233197  313856  1671539  1674144 1327427    2338 1820882  808820 1625431   266013   309538 1675145  1691124
"""  # noqa: E501


def test_a_table_of_the_first_versions_has_narrower_columns(tmp_path):
    reading = read_text(tmp_path, OLDEST)
    (run,) = reading.runs
    assert not reading.problems
    speeds = {name: value / 1024 for name, value in values(run).items()}
    assert [speeds[x] for x in ("record_rewrite", "stride_read", "freread")] == [
        *(808820, 1625431, 1691124)
    ]
    assert len(speeds) == 13


def test_damaged_rows_alone_are_not_followed_by_rows_of_other_tables(tmp_path):
    foreign = "lvm:\nrw  1536   512   512          0 1171908096  /dev/md2\n"
    text = HEADER + "".join(f"r{n} {ROW}" for n in (0, 1)) + "\n" + foreign
    with pytest.raises(MalformedRowError, match=r"likewise on line 3$"):
        read_text(tmp_path, text)


def test_a_row_of_words_below_the_least_file_size_is_another_programs(tmp_path):
    row = ROW.replace("      64", "  102400")
    foreign = "\nCPU policy\n  4  1  4  408  2400  Cortex-A76\n"
    assert not read_text(tmp_path, HEADER + row + foreign).problems
    (problem,) = read_text(
        tmp_path, HEADER + ROW + foreign.replace("4  1", "64  1")
    ).problems
    assert problem.line == 5


@pytest.mark.parametrize("beside", ["", CONVERTED])
def test_each_table_that_is_refused_is_named(tmp_path, beside):
    text = HEADER + f"r0 {ROW}" + "\n" + HEADER + f"r1 {ROW}" + "\n" + beside
    if beside:
        named = read_text(tmp_path, text).problems
    else:
        with pytest.raises(MalformedRowError) as caught:
            read_text(tmp_path, text)
        named = (caught.value, *caught.value.others)
    assert [problem.line for problem in named] == [2, 5]
