"""Each medium's escaping function, against the program that reads the medium."""

import html
import json
import re
from itertools import product

import nbformat
import pandas as pd
import pytest
from each import each
from nbconvert.filters import markdown2html

from fsviz.model.escaping import file_name, markdown_text
from fsviz.report.html import FsvizHTMLExporter
from fsviz.text.tables import render, table_html
from tests.hostile import NAMES, OUTSIDE


def bare(text):
    """What is left of HTML without its tags: what one sees."""
    return html.unescape(re.sub(r"</?(p|ul|ol|li|span|strong)>", "", text)).strip()


@each(product(NAMES, ["{}", "Seen: **{}**, so.", "- {}", "1. {}"]))
def test_markdown_shows_a_name_as_it_is_and_nothing_else(place):
    name, frame = place
    shown = markdown2html(frame.format(markdown_text(name)))
    assert set(re.findall(r"<(\w+)", shown)) <= {
        "p",
        "ul",
        "ol",
        "li",
        "span",
        "strong",
    }
    start = re.sub(r"^(- |1\. )", "", frame).replace("*", "")
    assert bare(shown) == start.format(name).strip()


@pytest.mark.parametrize("text", ["# a", "- a", "+ a", "12. a", "3) a", "> a", "==="])
def test_no_text_begins_a_heading_or_a_list(text):
    assert markdown2html(markdown_text(text)).strip() == (f"<p>{html.escape(text)}</p>")


def test_numbers_and_operations_stay_readable():
    kept = "random_write of nfs-v4.1: 0.41× (95 % interval 0.36–0.47)"
    assert "random_write of nfs-v4.1: 0.41× " in markdown_text(kept)
    assert markdown_text("1.5 MiB") == "1.5 MiB"


@pytest.mark.parametrize("name", NAMES)
def test_tables_in_markdown_and_in_notebooks_hold_names_as_text(name):
    frame = pd.DataFrame({"system": [name], "n": [1]})
    rows = markdown2html(render(frame, "markdown"))
    cell = re.search(r"<td[^>]*>(.*?)</td>", rows, re.DOTALL)[1]
    assert bare(cell) == name
    assert "<" not in re.sub(r"</?span>", "", cell)
    cell = re.search(r"<td[^>]*>(.*?)</td>", table_html(frame).data, re.DOTALL)[1]
    assert "<" not in cell
    assert html.unescape(cell) == name


def test_no_notebook_hands_foreign_text_to_markdown(root):
    """Only functions that escape may be called within ``Markdown(…)``."""
    trusted = r"(describe_\w+|decides|conclude|conclude_histories|conclusions|citation|"
    trusted += r"markdown_text|planned)\("
    for path in sorted((root / "notebooks").rglob("*.ipynb")):
        cells = json.loads(path.read_text())["cells"]
        code = "".join(
            "".join(c["source"]) + "\n" for c in cells if c["cell_type"] == "code"
        )
        for call in re.findall(r"Markdown\((.*)\)", code):
            literal = re.fullmatch(r'f?"[^"]*"\)?', call)
            inserted = re.findall(r"{(.*?)}", call) if literal else [call]
            for text in inserted:
                known = r"(len|sum)\(|alarms|metric\.capitalize\(\)|operation\.replace"
                assert re.search(f"{trusted}|{known}", text), (path, call)


@each([*NAMES, "../../x", "..", "/etc/x", "-rf", "a\0b", "é" * 200], repr)
def test_a_label_becomes_one_name_within_its_folder(name, tmp_path_factory):
    tmp_path = tmp_path_factory.mktemp("labels")
    made = file_name(name)
    assert not re.search(r"[/\\\0<>'\"$`:\s]", made)
    assert not made.startswith((".", "-"))
    (tmp_path / f"{made}-transition.failed.html").write_text("")
    assert len(list(tmp_path.iterdir())) == 1


def test_the_address_of_a_citation_is_linked_only_if_it_is_one(root, tmp_path):
    from claims import citation

    source = root / "data/published/4-afp-smb/citation.toml"
    lines = source.read_text().splitlines()
    kept = [line for line in lines if not line.startswith(("url", "author"))]
    bad = "javascript:alert(1)> <img src=x onerror=alert(1)>"
    hostile = [*kept]
    at = next(i for i, line in enumerate(kept) if line.startswith("accessed"))
    hostile[at:at] = [f"url = {json.dumps(bad)}", f"author = {json.dumps(NAMES[0])}"]
    (tmp_path / "citation.toml").write_text("\n".join(hostile))
    shown = markdown2html(citation(str(tmp_path)))
    assert not re.search(r"<(img|a)\b", shown)
    assert bad in html.unescape(shown)


def test_a_page_keeps_the_text_of_an_error_as_text():
    cell = nbformat.v4.new_code_cell("x")
    said = NAMES[0]
    cell.outputs = [
        nbformat.v4.new_output("error", ename="E", evalue=said, traceback=[said]),
        nbformat.v4.new_output("stream", name="stderr", text=said),
        nbformat.v4.new_output("execute_result", data={"text/plain": said}),
    ]
    notebook = nbformat.v4.new_notebook(cells=[cell], metadata={"title": said})
    page, _ = FsvizHTMLExporter().from_notebook_node(notebook)
    assert "<img" not in page.partition("</head>")[2].partition("<script>")[0]
    assert OUTSIDE not in page
