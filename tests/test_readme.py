"""The README's commands, run as a newcomer would, in a copy of the project."""

import ast
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from newcomer import blocks, copy_of_the_project, run_block
from program import run


@pytest.fixture(scope="module")
def copy(root, tmp_path_factory):
    """The project as git would hand it out, without what was rendered."""
    return copy_of_the_project(root, tmp_path_factory.mktemp("newcomer") / "fsviz")


def glossary(root):
    """The terms that are explained, each as it stands there."""
    text = (root / "docs/reference/glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE)
    return {term for row in rows for term in row.split(", ")}


def scope_words(root):
    """The words that rules give a comparison's rows, read from their sources."""
    found = set()
    for path in (root / "fsviz/checks/rules").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "scope":
                value = node.value
                while isinstance(value, ast.JoinedStr):
                    value = value.values[0]
                if isinstance(value, ast.Name):
                    continue  # what the caller gives, where it is a constant
                assert isinstance(value, ast.Constant), ast.unparse(node)
                found.add(str(value.value).removesuffix(": "))
    return found


def test_the_glossary_has_every_word_of_an_answer(root):
    from fsviz.analysis.answers import DRIFT
    from fsviz.analysis.drift import ONE_AFTER_ANOTHER, SAME_ORDER
    from fsviz.analysis.regimes import REGIMES
    from fsviz.answers.words import WORDS

    terms = glossary(root)
    words = scope_words(root) | {DRIFT, ONE_AFTER_ANOTHER, SAME_ORDER}
    assert {"cache", "also differs"} <= words
    assert {*WORDS.values(), *words, *REGIMES, "answer", "scope", "caveat"} <= terms


def test_it_is_short(root):
    assert len((root / "README.md").read_text(encoding="utf-8").split()) <= 1100


def test_the_answer_it_shows_is_the_one_that_is_printed(root, monkeypatch):
    monkeypatch.chdir(root)
    (shown,) = (b for b in blocks(root / "README.md", "text") if "Against" in b)
    command, _, answer = shown.partition("\n")
    printed = run(*command.removeprefix("$ fsviz ").split()).stdout
    assert answer.strip() in printed


@pytest.mark.slow
def test_every_shell_block_runs(root, copy):
    shell = blocks(root / "README.md", "sh")
    assert any("\nfsviz report" in f"\n{block}" for block in shell)
    # no block needs another, so two at a time
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda block: run_block(block, copy), shell))
    assert (copy / "reports/index.html").is_file()
    assert (copy / "report.html").is_file()
    assert len((copy / "nfs.csv").read_text().splitlines()) == 1 + 68 * 6


def test_the_python_block_runs(root, copy, monkeypatch):
    monkeypatch.chdir(copy)
    (code,) = blocks(root / "README.md", "python")
    monkeypatch.setattr("plotly.basedatatypes.BaseFigure.show", lambda _: None)
    exec(compile(code, "README.md", "exec"), {})


def test_the_campaign_file_is_a_good_one(root, tmp_path):
    from fsviz.campaigns.campaign_toml import read_campaign_file

    (text,) = blocks(root / "README.md", "toml")
    (tmp_path / "campaign.toml").write_text(text)
    assert len(read_campaign_file(tmp_path / "campaign.toml").system) == 2


def test_the_make_targets_it_names_exist(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`?make ([a-z-]+)", text)) - {"other"}
    defined = set(
        re.findall(r"^([a-z-]+):", (root / "Makefile").read_text(), re.MULTILINE)
    )
    assert {"report", "test", "lab", "help"} <= named <= defined


def test_its_links_lead_somewhere(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (root / target).exists(), target
