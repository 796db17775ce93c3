"""Huge files of rubbish are refused at once, without being held in memory."""

import bz2
import os
import subprocess
import sys

import pytest

from fsviz.campaigns.read import read_tables
from fsviz.model.errors import UnknownFormatError
from fsviz.readers.formats import read_file

SIZE = 100 * 1024**2
SCRIPT = """
import resource, sys
from fsviz.model.errors import UnknownFormatError
from fsviz.readers.formats import read_file
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    read_file(sys.argv[1])
except UnknownFormatError as error:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def sparse(path):
    path.touch()
    os.truncate(path, SIZE)


def random_text(path):
    """Text without a sense, 1 MiB of it again and again."""
    block = os.urandom(3 * 256 * 1024).hex(" ").encode()[: 1024**2]
    with path.open("wb") as file:
        for _ in range(SIZE // len(block)):
            file.write(block)


@pytest.mark.parametrize("make", [sparse, random_text])
def test_much_rubbish_is_refused_in_little_memory(make, tmp_path):
    path = tmp_path / "rubbish.txt"
    make(path)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(path)], capture_output=True, check=True
    )
    path.unlink()
    assert int(done.stdout) * 1024 < SIZE / 5


FORTY = r"""
import re, sys
from fsviz.campaigns.read import read_tables
_, problems, _ = read_tables(sys.argv[1:])
# ru_maxrss counts the process that started this one as well
peak = re.search(r"VmHWM:\s*(\d+)", open("/proc/self/status").read())[1]
print(len(problems), peak)
"""


@pytest.mark.parametrize(
    "content", [bz2.compress(b"x" * 2**22) * 64, b"a line of notes\n" * 2**16]
)
def test_files_that_are_refused_leave_nothing_in_memory(tmp_path, content):
    """Errors held the frames that raised them, and these the files: 8.3 GB of 40."""
    paths = [tmp_path / f"{n}.txt" for n in range(40)]
    for path in paths:
        path.write_bytes(content)
    command = [sys.executable, "-c", FORTY, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, check=True)
    count, kibibytes = map(int, done.stdout.split())
    assert count == len(paths)
    assert kibibytes < 300 * 1024


def test_no_stored_error_holds_a_frame(tmp_path):
    texts = {"a.txt": "notes", "b.json": '{"fio version": ', "c.csv": "system,time\nx"}
    texts |= {"d.txt": "Throughput report Y-axis\nkB reclen write\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    _, problems, _ = read_tables([str(tmp_path / name) for name in texts])
    every = [*problems, *(other for problem in problems for other in problem.others)]
    assert len(problems) >= len(texts)
    assert [e for e in every if e.__traceback__ or e.__cause__ or e.__context__] == []


def test_a_file_one_byte_too_large_is_refused_by_its_size(tmp_path, monkeypatch):
    monkeypatch.setattr("fsviz.readers.formats.LARGEST_FILE", 10_000)
    path = tmp_path / "large.txt"
    path.write_bytes(b"x" * 10_001)
    with pytest.raises(UnknownFormatError, match=r"at most 10000 bytes, found 10001"):
        read_file(path)


def test_a_pipe_is_read_to_its_end_or_to_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr("fsviz.readers.formats.LARGEST_FILE", 10_000)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with (
        subprocess.Popen(
            [sys.executable, "-c", f"open({str(pipe)!r}, 'w').write('x' * 20_000)"]
        ),
        pytest.raises(UnknownFormatError, match="at most 10000 bytes, found more"),
    ):
        read_file(pipe)
