"""The documentation site: its commands run, it builds in silence, its links lead."""

from __future__ import annotations

import ast
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import typer
from browser import LOCAL, window
from each import each
from newcomer import blocks, copy_of_the_project, run_block
from program import python, run

from fsviz.checks.rules import RULES
from fsviz.cli import app
from fsviz.readers.formats import formats

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    path
    for path in (ROOT / "docs").rglob("*.md")
    if "generated" not in path.relative_to(ROOT / "docs").parts
)
WITH_COMMANDS = [page for page in PAGES if blocks(page, "sh")]
PICTURES = re.compile(r"fsviz .*(\.(svg|png|pdf)\b|--to html,pdf)")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT / "docs").as_posix()


def needs(page: Path) -> list:
    text = "\n".join(blocks(page, "sh"))
    return [pytest.mark.browser] if PICTURES.search(text) else []


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [pytest.param(p, marks=needs(p), id=name_of(p)) for p in WITH_COMMANDS]
)
def test_every_command_of_a_page_runs(page, root, tmp_path):
    measures = {"iozone"} if "\nfsviz run" in page.read_text() else set()
    if missing := [tool for tool in measures if not shutil.which(tool)]:
        pytest.skip(f"not installed: {', '.join(missing)}")
    places = {f"/mnt/{name}": tmp_path / f"mounted-{name}" for name in ("nfs", "smb")}
    for place in places.values():
        place.mkdir()
    # as a person would, in less time
    places |= {"--within 5m": "--within 1m"}
    folder = copy_of_the_project(root, tmp_path / "fsviz")
    for block in blocks(page, "sh"):
        # the README's run in processes of their own, see test_readme.py
        run_block(block, folder, places, here=True)


@pytest.mark.slow
def test_what_an_exam_s_rubric_quotes_stands_in_the_output(root, monkeypatch):
    monkeypatch.chdir(root)
    quoted = 0
    for question in (root / "docs/exam.md").read_text().split("\n## ")[1:]:
        command = re.search(r"```sh\nfsviz (.*)\n```", question)
        rubric = " ".join(question[question.index("\n1. ") :].split())
        phrases = re.findall(r'"([^"]+)"', rubric)
        if command is None:
            assert phrases == []
            continue
        said = " ".join(run(*command[1].split()).stdout.split())
        assert [phrase for phrase in phrases if phrase not in said] == []
        quoted += len(phrases)
    assert quoted > 10


@pytest.mark.slow
def test_what_the_sample_project_quotes_stands_in_the_output(root, monkeypatch):
    monkeypatch.chdir(root)
    page = (root / "docs/sample-project.md").read_text(encoding="utf-8")
    # a part ends where the next command begins
    _, *parts = re.split(r"```\w+\n(?:\$ )?fsviz ", page.partition("## The marks")[0])
    quoted = 0
    for part in parts:
        command, _, text = part.partition("\n```\n")
        said = " ".join(run(*command.split()).stdout.split())
        quotes = " ".join(re.findall(r"^> ?(.*)$", text, re.MULTILINE))
        phrases = re.findall(r'"([^"]*)"', quotes)
        assert [phrase for phrase in phrases if phrase not in said] == []
        quoted += len(phrases)
    assert quoted > 12


def marks(path: Path, columns: str) -> dict[str, list[int]]:
    """Read the numbers of each part of a table of marks."""
    rows = re.findall(
        rf"^\| ([a-z`].*?) \| {columns} \|", path.read_text(), re.MULTILINE
    )
    return {part: list(map(int, numbers)) for part, *numbers in rows}


def test_the_sample_project_is_marked_by_the_guide(root):
    page = root / "docs/sample-project.md"
    full = marks(root / "docs/teachers.md", r"(\d0)")
    given = marks(page, r"(\d+) \| (\d+)")
    assert {part: [of] for part, (_, of) in given.items()} == full
    text = page.read_text(encoding="utf-8")
    told = re.findall(r"^\*\*(\d+) of (\d+)\.\*\* ((?:.+\n)+)", text, re.MULTILINE)
    assert [[int(a), int(b)] for a, b, _ in told] == list(given.values())
    for mark, of, why in told:
        lost = sum(map(int, re.findall(r"\(−(\d)\)", why)))
        assert int(mark) + lost == int(of), why
    total = sum(mark for mark, _ in given.values()) - 10
    assert f"| **all** | **{total}** | **100** |" in text


@pytest.mark.slow
def test_the_python_block_runs(root, tmp_path, monkeypatch):
    monkeypatch.chdir(copy_of_the_project(root, tmp_path / "fsviz"))
    (code,) = blocks(root / "docs/howto/python.md", "python")
    names: dict = {}
    exec(compile(code, "python.md", "exec"), names)
    assert set(names["table"]["operation"]) == {"read"}
    assert not names["answer"].empty


@cache
def commands() -> dict:
    return typer.main.get_command(app).commands


def shown_commands() -> list[tuple[str, str]]:
    """Every command that a page shows, in a block or within a sentence."""
    found = []
    for page in [*PAGES, ROOT / "README.md"]:
        text = page.read_text(encoding="utf-8")
        within = re.findall(r"`(fsviz [a-z][^`]*)`", text)
        alone = re.findall(r"^(?:\$ )?(fsviz [a-z].*)$", text, re.MULTILINE)
        found += [(page.name, command) for command in (*within, *alone)]
    return found


@each(shown_commands())
def test_what_a_page_names_exists(shown):
    place, command = shown
    known = commands()
    words = shlex.split(command.replace("…", ""))[1:]
    options = {"-q", "-v", "-h", "--help"}
    assert words[0] in known, f"{place}: {command}"
    for parameter in known[words[0]].params:
        options |= {*parameter.opts, *parameter.secondary_opts}
    asked = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    assert asked <= options, f"{place}: {command}"


class Links(HTMLParser):
    """What a page links to, what it loads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        given = dict(attrs)
        self.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and given.get("href"):
            self.links.add(given["href"])
        elif tag != "a":
            self.loaded |= {given[n] for n in ("src", "href", "data") if given.get(n)}


_DRAWN = ("tests/data/iozone/3.489/",)
"""What the gallery draws besides the sample campaigns."""


@pytest.fixture(scope="module")
def site(root, tmp_path_factory):
    """The site as `make docs` builds it: a warning is an error."""
    folder = tmp_path_factory.mktemp("docs")
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=root, capture_output=True, check=True).stdout
    for name in filter(None, names.decode().split("\0")):
        folders = ("docs/", "data/", "notebooks/", *_DRAWN)
        kept = name.startswith(folders) or name.endswith(".md")
        if kept and (root / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, folder / name)
    built = folder / "site"
    words = ["-m", "sphinx", "-W", "--keep-going", "-q", "-E", "-b", "html"]
    done = python(*words, "-d", folder / "trees", folder / "docs", built)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return built


@pytest.fixture(scope="module")
def pages(site):
    return {
        path.relative_to(site).as_posix(): Links(path.read_text(encoding="utf-8"))
        for path in site.rglob("*.html")
    }


@pytest.mark.slow
def test_every_link_within_the_site_leads_to_a_page_and_its_anchor(pages, site):
    checked = 0
    for name, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            path = unquote(parts.path)
            target = (site / name).parent / path if path else site / name
            assert target.exists(), f"{name}: {link}"
            if parts.fragment:
                found = pages[target.resolve().relative_to(site.resolve()).as_posix()]
                # as it stands, else decoded: HTML, "select the indicated part"
                meant = {parts.fragment, unquote(parts.fragment)}
                assert meant & found.anchors, f"{name}: {link}"
            checked += 1
    assert checked > 1000


@pytest.mark.slow
def test_no_page_loads_anything_from_elsewhere(pages, site):
    for name, page in pages.items():
        for address in page.loaded:
            assert not re.match(r"(https?:)?//", address), f"{name}: {address}"
    for path in site.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"url\(['\"]?(https?:)?//|@import", text), path


@pytest.mark.slow
@pytest.mark.browser
def test_the_search_finds_and_asks_nobody(site, chromium):
    with window(chromium, 1366, 768) as context:
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{(site / 'search.html').as_uri()}?q=durability")
        page.wait_for_selector("#search-results li")
        assert page.locator("#search-results li").count() > 2
    assert asked
    assert not [url for url in asked if not url.startswith(LOCAL)]


@pytest.mark.slow
def test_what_is_generated_is_complete(pages, site):
    anchors = pages["generated/commands.html"].anchors
    assert {f"fsviz-{name}" for name in commands()} <= anchors
    assert {f"generated/rules/{rule.name}.html" for rule in RULES} <= set(pages)
    known = {re.sub(r"[^\w-]", "", one.name) for one in formats()}
    assert known <= pages["generated/formats.html"].anchors
    assert "fsviz.compare" in pages["generated/python.html"].anchors
    gallery = (ROOT / "notebooks/gallery.ipynb").read_text(encoding="utf-8")
    pictures = list((site / "_images").glob("*.svg"))
    assert len(pictures) == gallery.count("plot(")


def test_every_sign_that_an_answer_prints_is_explained(root):
    sys.path.insert(0, str(ROOT / "docs"))
    from generate import _symbols

    page = "\n".join(_symbols())
    known = set("".join(re.findall(r"^\| `(.+?)` \|", page, re.MULTILINE)))
    made = root / "tests/transcripts/made"
    sources = [
        [made / "answers"],
        [made / "facts"],
        [made / "bounds", "--by", "operation"],
    ]
    printed = "".join(run("compare", *map(str, words)).stdout for words in sources)
    odd = {char for char in printed if ord(char) > 127 and not char.isalpha()}
    assert {"▲", "▼", "×", "–", "÷"} <= odd
    assert odd - known == set()
    assert {"~", "="} <= known


def messages() -> str:
    """Every text of the package, with … for what is filled in, one a line."""
    found = []
    for path in (ROOT / "fsviz").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = [
                    str(one.value) if isinstance(one, ast.Constant) else "…"
                    for one in node.values
                ]
                found.append("".join(parts))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(re.sub(r"\{\w*\}", "…", node.value))
    return "\n".join(found)


@pytest.mark.slow
def test_every_message_that_is_explained_is_one():
    page = (ROOT / "docs/howto/messages.md").read_text(encoding="utf-8")
    heads = re.findall(r"^## `(.+)`$", page, re.MULTILINE)
    assert len(heads) > 10
    said = messages()
    for head in heads:
        start = head.removeprefix("…: ").rstrip("…").rstrip()
        assert start in said, head
