"""What pages tell search engines, chats and networks of themselves."""

import struct
import zlib
from html.parser import HTMLParser

import numpy as np
import pytest
from program import run

from fsviz.model.errors import UsageError
from fsviz.report.entries import Site, read_entry
from fsviz.report.index import name_site, write_index
from fsviz.report.jobs import is_current
from fsviz.report.sharing import head


def told(page):
    """Read the elements ``meta`` of a page, whatever the order of their attributes."""
    found = {}

    def element(tag, attrs):
        given = dict(attrs)
        if tag == "meta" and "http-equiv" not in given:
            found[given.get("name") or given.get("property")] = given.get("content")

    parser = HTMLParser()
    parser.handle_starttag = parser.handle_startendtag = element
    parser.feed(page)
    return found


def pixels(picture):
    """Read the kind of PNG that is written: one IDAT, no filters."""
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", picture[16:24])
    length = struct.unpack(">I", picture[33:37])[0]
    rows = np.frombuffer(zlib.decompress(picture[41 : 41 + length]), np.uint8)
    return rows.reshape(height, 1 + 3 * width)[:, 1:].reshape(height, width, 3)


def test_a_page_tells_its_title_and_the_answer(reports):
    out, outcomes = reports("small")
    [folder] = {outcome.job.folder for outcome in outcomes.outcomes}
    entry = read_entry(out / folder / "compare.json")
    assert entry.card.headline
    said = told((out / folder / "compare.html").read_text(encoding="utf-8"))
    assert said["og:title"] == "Three file systems – comparison"
    assert said["og:description"] == said["description"] == entry.card.headline
    assert (out / folder / said["og:image"]).resolve() == (
        out / folder / "shared.png"
    ).resolve()
    assert pixels((out / folder / "shared.png").read_bytes()).shape == (630, 1200, 3)
    assert "robots" not in said
    assert not (out / "robots.txt").exists()
    index = told((out / "index.html").read_text(encoding="utf-8"))
    assert index["og:description"] == entry.card.headline
    assert (out / index["og:image"]).is_file()


def test_with_an_address_links_are_absolute():
    site = Site(url="https://example.org/reports/")
    said = told(head(site, "T", "D", "my lab/compare.html", "my lab/shared.png"))
    assert said["og:url"] == "https://example.org/reports/my%20lab/compare.html"
    assert said["og:image"] == "https://example.org/reports/my%20lab/shared.png"
    assert told(head(Site(), "T", "", "a/b.html", ""))["og:title"] == "T"


def test_text_of_others_stays_text():
    hostile = '"><script>alert(1)</script>'
    page = head(Site(), hostile, hostile, "a.html", hostile)
    assert "<script" not in page
    assert told(page)["og:title"] == hostile


@pytest.mark.parametrize("url", ["javascript:alert(1)", "example.org", 'https://"x'])
def test_what_is_no_address_is_refused(tmp_path, url):
    with pytest.raises(UsageError, match="--url: expected https"):
        name_site(tmp_path, url=url)
    assert not (tmp_path / "site.json").exists()


def test_search_engines_can_be_kept_out_and_let_in_again(tmp_path):
    name_site(tmp_path, unlisted=True)
    assert told(write_index(tmp_path).read_text())["robots"] == "noindex, nofollow"
    assert (tmp_path / "robots.txt").read_text().endswith("Disallow: /\n")
    name_site(tmp_path, title="Later")
    assert "robots" in told(write_index(tmp_path).read_text())
    name_site(tmp_path, unlisted=False)
    assert "robots" not in told(write_index(tmp_path).read_text())
    assert (tmp_path / "robots.txt").read_text().endswith("Disallow:\n")


def test_pages_are_made_again_when_what_they_tell_changes(reports, tmp_path):
    out, outcomes = reports("small")
    job = outcomes.outcomes[0].job
    assert is_current(job, out, ("html",))
    copy = tmp_path / "out"
    copy.mkdir()
    (copy / job.folder).symlink_to(out / job.folder)
    assert is_current(job, copy, ("html",))
    name_site(copy, url="https://example.org")
    assert not is_current(job, copy, ("html",))


@pytest.mark.slow
def test_no_page_tells_where_on_the_machine_it_was_made(reports, tmp_path):
    out, _ = reports("small")
    small = out.parent / "small"
    words = ("--template", "compare", "--unlisted", "-o", tmp_path / "site")
    done = run("report", small, *words, cwd=small.parent)
    assert done.returncode == 0, done.stderr
    pages = [p for p in (tmp_path / "site").rglob("*") if p.is_file()]
    assert {p.suffix for p in pages} >= {".html", ".json", ".ipynb", ".png"}
    for page in pages:
        content = page.read_bytes()
        assert str(small.parent).encode() not in content, page
        assert str(tmp_path).encode() not in content, page
        if page.suffix == ".html":
            assert told(content.decode())["robots"] == "noindex, nofollow", page
