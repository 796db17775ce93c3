"""One invocation of a tool is one run, however many processes it had.

Only repetitions that a tool was told to make are runs of their own. What began an
invocation, and how often it repeated, is counted here in the text itself.
"""

import json
import re
from pathlib import Path

from each import each

from fsviz.readers.document import decode, without_prefix
from fsviz.readers.formats import read_document

DATA = Path(__file__).parents[1] / "data"


def every(pattern):
    return lambda text: len(re.findall(pattern, text, re.MULTILINE))


def different(pattern):
    return lambda text: len(set(re.findall(pattern, text, re.MULTILINE)))


def timed(text):
    return sum(len(result["times"]) for result in json.loads(text)["results"])


COUNTED = {
    "iozone/3*/*.txt": every(r"^\s*Iozone: Performance Test of File I/O"),
    "fio/*/*.json": every(r'"fio version"'),
    "fio/*/json_*.txt": every(r'"fio version"'),
    "fio/*/group-reporting.txt": every(r"^fio-3\."),
    "bonnie/[12].9*/*.out.txt": every(r"^1\.9\d,"),
    "bonnie/2*/*.out.txt": different(r"^1\.9\d,[^,]*,(.*)"),
    "dd/*/*.txt": every(r"^\d+ bytes "),
    "ior/*/*.txt": different(r"^write .* (\d+) *$"),
    "mdtest/*/*.txt": every(r"^mdtest-\S+ was launched"),
    "elbencho/*/*.txt": every(r"^OPERATION +RESULT TYPE"),
    "elbencho/*/*.json": different(r'"command":(".*?[^\\]")'),
    "diskspd/*/*.txt": every(r"^Results for (?:job|timespan)"),
    "hyperfine/1*/*.json": timed,
    "rsync/*/*stats.out.txt": every(r"^sent "),
}
SAMPLES = [
    (path, count)
    for glob, count in COUNTED.items()
    for path in sorted(DATA.glob(glob))
    if path.with_name(f"{path.name}.expected.csv").exists()
]


@each(SAMPLES)
def test_one_invocation_is_one_run(sample):
    path, count = sample
    data = path.read_bytes()
    reading = read_document(without_prefix(decode("t", data)))
    assert len(reading.runs) == count(data.decode())
