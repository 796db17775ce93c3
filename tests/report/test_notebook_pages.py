"""Pages of notebooks that are no template."""

import json

import nbformat
import pytest
from program import start

from fsviz.report.entries import first_paragraph
from fsviz.report.plan import report


@pytest.fixture
def lesson(tmp_path):
    """A folder of one small notebook, and a function that rewrites it."""
    folder = tmp_path / "lessons"
    folder.mkdir()

    def write(code="1 + 1"):
        cells = [
            nbformat.v4.new_markdown_cell("# What a cache is\n\nA caption.\n\nMore."),
            nbformat.v4.new_code_cell(code),
        ]
        notebook = nbformat.v4.new_notebook(cells=cells)
        nbformat.write(notebook, folder / "1-caches.ipynb")
        return folder

    return write


def test_the_index_says_what_a_page_says_first():
    """It said "0 systems, 0 runs" of a page whose first words are computed."""
    output = nbformat.v4.new_output(
        "display_data", {"text/markdown": "**Claimed:** that `a` is faster.\n\nMore."}
    )
    cells = [
        nbformat.v4.new_markdown_cell("# Which is faster?"),
        nbformat.v4.new_code_cell("x = 1"),
        nbformat.v4.new_code_cell("Markdown(words)", outputs=[output]),
    ]
    notebook = nbformat.v4.new_notebook(cells=cells)
    assert first_paragraph(notebook) == "Claimed: that a is faster."
    assert first_paragraph(nbformat.v4.new_notebook(cells=cells[:2])) == ""


@pytest.mark.slow
def test_a_page_is_linked_from_the_index_with_title_and_caption(lesson, tmp_path):
    out = tmp_path / "out"
    (outcome,) = report([str(lesson())], out).outcomes
    assert outcome.pages == ("lessons/1-caches.html",)
    page = (out / "lessons/1-caches.html").read_text(encoding="utf-8")
    assert "What a cache is" in page
    index = (out / "index.html").read_text(encoding="utf-8")
    assert '<a href="lessons/1-caches.html">What a cache is</a>' in index
    assert "<p>A caption.</p>" in index
    assert "<h2>Lessons</h2>" in index


@pytest.mark.slow
def test_only_what_changed_is_rendered_again(lesson, tmp_path):
    out = tmp_path / "out"
    entry = out / "lessons/1-caches.json"
    folder = str(lesson())
    report([folder], out)
    first = entry.stat().st_mtime_ns
    report([folder], out)
    assert entry.stat().st_mtime_ns == first
    report([str(lesson("2 + 2"))], out)
    assert entry.stat().st_mtime_ns > first
    assert json.loads(entry.read_text("utf-8"))["formats"] == ["html"]


@pytest.mark.slow
def test_a_failing_notebook_is_named_and_leaves_the_old_page(lesson, tmp_path):
    out = tmp_path / "out"
    report([str(lesson())], out)
    (failed,) = report([str(lesson("1 / 0"))], out).outcomes
    assert "1-caches.ipynb:1: " in failed.error
    assert "ZeroDivisionError" in failed.error
    assert (out / "lessons/1-caches.html").is_file()
    # as for reports: the notebook up to the cell that stopped is kept, and linked
    assert "ZeroDivisionError" in (out / "lessons/1-caches.failed.html").read_text()
    assert 'href="lessons/1-caches.failed.html"' in (out / "index.html").read_text()
    assert not list((out / "lessons").glob(".making*"))
    report([str(lesson("2 + 2"))], out)
    assert not (out / "lessons/1-caches.failed.html").exists()


@pytest.mark.slow
def test_a_notebook_that_is_none_costs_no_other(lesson, tmp_path):
    folder, out = lesson(), tmp_path / "out"
    (folder / "0-bad.ipynb").write_text("[]")
    lacks = nbformat.v4.new_markdown_cell("![](attachment:none.svg)")
    lacking = nbformat.v4.new_notebook(cells=[lacks])
    nbformat.write(lacking, folder / "2-lacks.ipynb")
    batch = report([str(folder)], out)
    (bad,), (good, lost) = batch.unusable, batch.outcomes
    found = "0-bad.ipynb:1: expected a Jupyter notebook, found something else"
    assert str(bad) == f"{folder}/{found}"
    assert good.pages == ("lessons/1-caches.html",)
    place = out / "lessons/2-lacks.ipynb"
    said = "the notebook cannot be shown: missing attachment: none.svg"
    assert lost.error == f"{place}:1: {said}"
    shown = sorted(path.name for path in (out / "lessons").iterdir())
    assert shown == ["1-caches.html", "1-caches.ipynb", "1-caches.json"]


def test_no_notebook_is_an_error(tmp_path):
    batch = report(["nowhere.ipynb"], tmp_path / "out")
    assert not batch.outcomes
    found = "nowhere.ipynb:1: expected a Jupyter notebook, found something else"
    assert [str(error) for error in batch.unusable] == [found]


@pytest.mark.parametrize("beside", ["r.txt", "nfs/r.csv", "campaign.toml"])
def test_a_notebook_in_a_campaign_is_not_executed(lesson, tmp_path, beside):
    folder = lesson(f"open({str(tmp_path / 'ran')!r}, 'w')")
    (folder / beside).parent.mkdir(exist_ok=True)
    (folder / beside).write_text("")
    assert not report([str(folder)], tmp_path / "out").outcomes
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("beside", ["README.md", "code/texts.toml", "code/a.py"])
def test_a_folder_of_notebooks_may_hold_their_code_and_texts(lesson, tmp_path, beside):
    folder = lesson("1 + 1")
    (folder / beside).parent.mkdir(exist_ok=True)
    (folder / beside).write_text("")
    (outcome,) = report([str(folder)], tmp_path / "out").outcomes
    assert outcome.pages


@pytest.mark.slow
@pytest.mark.parametrize("identity", ["same", None])
def test_cells_without_an_identity_of_their_own_are_no_noise(
    lesson, tmp_path, identity
):
    (path,) = lesson().glob("*.ipynb")
    content = json.loads(path.read_text("utf-8"))
    for cell in content["cells"]:
        cell.pop("id")
        cell.update({"id": identity} if identity else {})
    path.write_text(json.dumps(content))
    done = start("report", path, "-o", tmp_path / "out")
    assert (done.stderr, done.returncode) == ("", 0)


@pytest.mark.slow
def test_a_page_finds_its_files_from_any_folder(tmp_path, monkeypatch):
    """Cases and lessons needed the project's root as the current folder."""
    folder = tmp_path / "project/notebooks/cases"
    (folder / "claims").mkdir(parents=True)
    (folder / "claims/__init__.py").write_text("answer = 6 * 7\n")
    data = tmp_path / "project/data/one.txt"
    data.parent.mkdir()
    code = (
        "import sys\nfrom fsviz.campaigns.source_files import find\n"
        "sys.path.append(str(find('notebooks/cases').resolve()))\nimport claims\n"
        "print(claims.answer, find(source).read_text())"
    )
    sources = ('source: str = "data/one.txt"', code)
    cells = list(map(nbformat.v4.new_code_cell, sources))
    cells[0].metadata["tags"] = ["parameters"]
    notebook = nbformat.v4.new_notebook(cells=cells)
    spec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook.metadata["kernelspec"] = spec
    nbformat.write(notebook, folder / "1.ipynb")
    # a notebook before it, in the same kernel, has another module of this name
    other = tmp_path / "other/claims"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text("")
    path = f"import sys; sys.path += [{str(other.parent)!r}, '/']; import claims"
    notebook.cells = [nbformat.v4.new_code_cell(path)]
    nbformat.write(notebook, other.parent / "0.ipynb")
    (before,) = report([str(other.parent)], tmp_path / "out").outcomes
    assert before.error == ""
    entries = []
    for text, here in (("first", tmp_path), ("first", folder), ("second", tmp_path)):
        data.write_text(text)
        monkeypatch.chdir(here)
        (outcome,) = report([str(folder)], tmp_path / "out").outcomes
        assert outcome.error == ""
        assert f"42 {text}" in (tmp_path / "out/cases/1.html").read_text("utf-8")
        entries.append(outcome.skipped)
    # input is found from the notebook, so a page stays current wherever one is
    assert entries == [False, True, False]
