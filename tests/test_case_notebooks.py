"""The case notebooks: they run, they export, and their prose states no loose number."""

import json
import re
import shutil
import subprocess
from functools import cache

import pytest
from browser import wait_until, window
from bs4 import BeautifulSoup
from compared import compare
from samples import loaded

import fsviz
from fsviz.report.execute import execute
from fsviz.report.html import FsvizHTMLExporter

NAMES = (
    "1-windows-linux-nfs",
    "2-wordpress-nas",
    "3-nfs-smb-dfs",
    "4-afp-smb",
    "5-nfs-versions",
)
BEHIND = "behind-the-cases"
# Names that hold digits: they identify, they do not measure.
MANUAL = re.compile(r"\b[a-z.+]+\([1-8]\)")  # such as smb.conf(5)
ALLOWED = re.compile(
    r"\b(NFS (2|3|4\.[0-2])|SMB (2\.1|3\.1\.1)|version 4\.[01]|ext4"
    r"|Samba 4\.7|Samba's Way Toward SMB 3\.0|SMB3|Windows (8|10)"
    r"|version 1\.92|README-2\.00"
    r"|lab-\d-|RFC \d{4})\b"
    r"(?!\s*(%|×|times|[KMG]?i?B\b|s\b))"  # with a unit it is a number after all
)
BARE_VERSIONS = re.compile(r"(NFS 3), 4\.0, 4\.1 and 4\.2\b|\bfrom (4\.0),")


@pytest.fixture(scope="module")
def folder(root):
    return root / "notebooks/cases"


def prose(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n".join(
        "".join(c["source"]) for c in cells if c["cell_type"] == "markdown"
    )


def loose_text(text):
    """Leave out what names."""
    return ALLOWED.sub("", BARE_VERSIONS.sub("", MANUAL.sub("", text)))


def loose_digits(text):
    """Find digits that are no part of a name."""
    lines = loose_text(text).split("\n")
    return [line for line in lines if any(map(str.isnumeric, line))]


def test_every_publication_has_a_notebook(root, folder):
    published = sorted(path.name for path in (root / "data/published").iterdir())
    found = sorted(path.stem for path in folder.glob("*.ipynb"))
    assert found == [*published, BEHIND]
    assert published == list(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_number_in_prose_is_computed(folder, name):
    text = prose(folder / f"{name}.ipynb")
    assert loose_digits(text) == []
    # and a made-up one, in the middle of it, would be found
    half = len(text) // 2
    assert loose_digits(f"{text[:half]} 37 {text[half:]}") != []


def test_a_loose_number_in_prose_is_found():
    assert loose_digits("NFS 4.1 on ext4") == []
    assert loose_digits("NFS 3, 4.0, 4.1 and 4.2 on one disk") == []
    assert loose_digits("fine\nthat is 173 times") == ["that is 173 times"]
    for loose in (
        "NFS 4.1 took 4.1 s",
        "version 4.1 % faster",
        "½ of it",
        "NFS 3 times",
    ):
        assert loose_digits(loose) != []


def test_the_page_of_cases_quotes_the_claim_tables(root):
    from claims import claim_table

    text = (root / "docs/cases.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| \[.*\]\(\.\./notebooks/cases/(.*)\.ipynb\) (.*)$", text, re.MULTILINE
    )
    assert [name for name, _ in rows] == list(NAMES)
    for name, said in rows:
        folder = root / "data/published" / name
        tables = ""
        if (folder / "claims.csv").is_file():
            tables = claim_table(folder).to_csv()
        numbers = re.findall(
            r"\d[\d.-]*(?: (?:of|to) \d+(?:\.\d+)?)?", loose_text(said)
        )
        assert [number for number in numbers if number not in tables] == []


@pytest.fixture(scope="module")
def executed(folder, tmp_path_factory):
    """A notebook by its name, run with parameters at the first call."""
    out = tmp_path_factory.mktemp("cases")

    @cache
    def made(name):
        parameters = {"published": f"data/published/{name}"}
        path = out / f"{name}.ipynb"
        return execute(folder / f"{name}.ipynb", path, parameters)

    return made


@pytest.fixture(scope="module")
def pages(executed):
    """One of them as a page."""
    export = FsvizHTMLExporter().from_notebook_node
    return cache(lambda name: export(executed(name))[0])


# one of them at each change, all of them in `make test-slow`
QUICK = "4-afp-smb"
RUN = [n if n == QUICK else pytest.param(n, marks=pytest.mark.slow) for n in NAMES]


@pytest.mark.slow
@pytest.mark.parametrize("name", RUN)
def test_the_page_shows_findings_and_figures(pages, name):
    page = pages(name)
    assert "their scatter is unknown" in page
    assert page.count('class="fsviz-figure"') >= 2


FOLD = """() => {
    const first = document.querySelector('.fsviz-figure').getBoundingClientRect();
    const flat = !document.querySelector('.fsviz-figure').innerText.includes('spreads');
    return [first.bottom, flat];
}"""


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("name", RUN)
def test_the_flat_picture_is_whole_on_the_first_screen(pages, name, chromium, tmp_path):
    """With at most three sentences: what was claimed, what is shown, the verdict."""
    path = tmp_path / "case.html"
    path.write_text(pages(name), encoding="utf-8")
    with window(chromium, 1280, 900) as context:
        page = context.new_page()
        page.goto(path.as_uri())
        page.locator(".fsviz-figure .main-svg").first.wait_for()
        # a busy machine lays the figure out a moment after it is drawn
        wait_until(page, f"({FOLD})()[0] <= 900")
        bottom, flat = page.evaluate(FOLD)
    assert flat
    assert bottom <= 900
    text = BeautifulSoup(pages(name), "html.parser")
    said = text.find("strong", string="Claimed:").parent.get_text(" ")
    marks = [said.index(f"{word}:") for word in ("Claimed", "Shown", "Verdict")]
    assert marks == sorted(marks)
    assert len(re.findall(r"\.(?=\s|$)", said)) == 3


def words(page):
    """Count what a page says: prose, tables and captions, without code and plots."""
    text = BeautifulSoup(page, "html.parser")
    for part in text.select("head, script, style, nav, button, .code, .fsviz-plot"):
        part.decompose()
    return sum(any(map(str.isalnum, word)) for word in text.get_text(" ").split())


@pytest.mark.slow
@pytest.mark.parametrize("name", RUN)
def test_a_case_is_short(pages, name):
    assert 500 < words(pages(name)) <= 1200


def test_words_are_those_that_a_reader_sees():
    shown = "<p>It is <b>42</b>.</p><td>–</td><figcaption>A dot.</figcaption>"
    unseen = '<style>p {}</style><div class="code">x = 1</div><script>y</script>'
    assert words(f"<body>{shown}{unseen}</body>") == 5


SAID = {
    "1-windows-linux-nfs": (
        "36 of 208 places",
        "2.65 times slower than with XFS (mean of 109 sizes; slower in 98)",
        "a difference in file system",
    ),
    "2-wordpress-nas": ("32 times or more", "4.57 to 9 times", "17.8 ms to 20 ms"),
    "3-nfs-smb-dfs": (
        "used 23 to 43 %",
        # even 254,270 KiB/s are 260 MB/s; that and 477,968 are below 10 Gbit/s
        "of 23 speeds quoted with file and record size, 23 exceed 1 Gbit/s and 21",
        "iozone.tmp",
    ),
    "4-afp-smb": ("115.7 to 174", "only 1 of 6", "higher in 5 of 6"),
    "5-nfs-versions": (
        "0.93 to 1.07 times as fast",
        "iozone -Racz -g 1G",
        "a difference in operating system",
    ),
}


@pytest.mark.parametrize("name", RUN)
def test_the_page_says_what_the_text_did_not(pages, name):
    assert [text for text in SAID[name] if text not in pages(name)] == []


@pytest.mark.slow
@pytest.mark.browser
def test_a_case_can_be_printed(executed, chromium, tmp_path):
    from fsviz.report.html import FsvizPDFExporter

    sheets, _ = FsvizPDFExporter().from_notebook_node(executed(QUICK))
    assert sheets.startswith(b"%PDF-")
    if not shutil.which("pdftotext"):
        return
    (tmp_path / "case.pdf").write_bytes(sheets)
    command = ["pdftotext", "-layout", tmp_path / "case.pdf", "-"]
    said = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    assert "anything from 115.7 to 174" in said
    assert "scatter is unknown" in said


@pytest.fixture(scope="module")
def loopback(root):
    return loaded(root / "data/raw/loopback-2026")


def test_smb_copies_the_tree_more_slowly_than_nfs_with_sync(loopback):
    copies = fsviz.select(loopback, tool=["rsync"])
    rows = compare(copies, baseline="nfs-v4.2")
    found = rows[rows["metric"] == "elapsed"].set_index("candidate")
    smb = ["smb-2.1", "smb-3.0", "smb-3.1.1"]
    assert set(found.loc[smb, "answer"]) == {"slower"}
    assert found.loc["nfs-v4.2-async", "answer"] == "inconclusive"


def test_smb_reads_small_files_faster_from_a_cache_and_slower_over_the_wire(loopback):
    """Case 3: the answer turns with the sizes, so both are shown."""
    reads = fsviz.select(loopback, tool=["iozone"], operation=["read", "reread"])
    pair = fsviz.select(reads, system=["nfs-v4.1", "smb-3.1.1"])
    every = compare(pair, baseline="nfs-v4.1")
    wire = compare(pair, baseline="nfs-v4.1", sizes="measurable")
    small = every["bucket"] == "small"
    assert set(every.loc[small, "answer"]) == {"faster"}
    assert all("cache" in scope for scope in every.loc[small, "scope"])
    # "half of these cells or more are above what the link carries"
    assert all("over-line-rate" in rules for rules in every.loc[small, "caveats"])
    assert set(wire["answer"]) <= {"slower", "inconclusive"}
    assert set(wire.loc[wire["operation"] == "read", "answer"]) == {"slower"}


def test_no_version_after_nfs_3_is_clearly_faster_and_file_systems_differ(root):
    """Cases 5 and 1, on their first screens."""
    four = ["nfs-v3", "nfs-v4.0", "nfs-v4.1", "nfs-v4.2"]
    nfs = loaded(root / "data/raw/loopback-2026").select(tool="iozone", systems=four)
    assert set(nfs.compare("nfs-v3").rows["answer"]) <= {"same", "inconclusive"}
    host = loaded(root / "data/raw/onehost-2026")
    pair = host.select(tool="iozone", systems=["xfs", "btrfs"])
    assert set(pair.compare("xfs").rows["answer"]) == {"slower"}
