"""A server that says it is S3 and lies: names that lead elsewhere, and nonsense."""

from __future__ import annotations

import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlparse
from xml.sax.saxutils import escape

import pytest
from campaigns_made import TIME
from program import run

pytestmark = [
    # of botocore, about itself
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
GOOD = "c/nfs/r.txt"
KEY = "<Contents><Key>{}</Key><Size>9</Size><ETag>x</ETag></Contents>"


class Server(ThreadingHTTPServer):
    """A server that is not told of clients who have gone: they give a listing up."""

    def handle_error(self, request, client_address):
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class Lies(BaseHTTPRequestHandler):
    """Answers what the test says; PUT takes all, and nothing is a manifest at first."""

    protocol_version = "HTTP/1.1"
    keys: tuple[str, ...] = ()
    manifest: bytes | None = None
    more: str = ""
    everything: tuple[int, bytes] | None = None

    def do_GET(self) -> None:
        asked = urlparse(self.path)
        if self.everything:
            self.answer(*self.everything)
        elif "list-type" in (query := parse_qs(asked.query)):
            whole = "manifest" not in query.get("prefix", [""])[0]
            keys = [key for key in self.keys if whole or "manifest" in key]
            listed = "".join(KEY.format(escape(key)) for key in keys)
            found = f"<ListBucketResult>{self.more}{listed}</ListBucketResult>"
            self.answer(200, found.encode())
        elif asked.path.endswith("manifest.json"):
            self.answer(200 if self.manifest else 404, self.manifest or b"")
        else:
            self.answer(200, TIME.format(5).encode())

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_PUT(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.answer(200, b"")

    def answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Last-Modified", "Wed, 21 Oct 2015 07:28:00 GMT")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def liar():
    server = Server(("127.0.0.1", 0), Lies)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
        patch.setenv("AWS_MAX_ATTEMPTS", "1")
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "test")
        from s3fs import S3FileSystem

        # else it would speak to the server of another test
        S3FileSystem.clear_instance_cache()
        yield
        S3FileSystem.clear_instance_cache()
    server.shutdown()
    server.server_close()


@pytest.fixture
def says(liar, monkeypatch):
    def say(**lies):
        for name, value in lies.items():
            monkeypatch.setattr(Lies, name, value)

    return say


def test_the_truth_is_read(says):
    says(keys=(GOOD,))
    done = run("summary", "s3://b/c")
    assert (done.returncode, done.stderr) == (0, "")
    assert "nfs" in done.stdout


@pytest.mark.parametrize(
    "key",
    [
        *("c/../../../evil", "c/../evil", "other/x.txt", "c2/x.txt"),
        *("c/a/../../../evil", "c/" + "x" * 3000, "c/nfs"),
    ],
    ids=lambda key: key[:20],
)
def test_no_name_leads_out_of_the_folder(says, tmp_path, key):
    says(keys=(GOOD, key))
    done = run("summary", "s3://b/c", cwd=tmp_path)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("s3://b/c: expected ")
    assert len(line) < 300
    assert "/fsviz-" not in line  # no place of this machine is of any use
    assert list(tmp_path.iterdir()) == []
    assert not list(Path("/").glob("evil"))


@pytest.mark.parametrize(
    "status,body",
    [
        *((200, b"\x00\xff"), (200, b"<html>log in</html>"), (500, b"x"), (404, b"")),
        (200, b"<ListBucketResult><Contents><Key>c/a</Key>"),
        (
            403,
            b"<Error><Code>\x1b]0;own\x07</Code><Message>\xe2\x80\xae</Message></Error>",
        ),
    ],
)
@pytest.mark.parametrize("words", [("summary", "s3://b/c"), ("ingest", "s3://b/c")])
def test_nonsense_is_one_line(says, tmp_path, words, status, body):
    says(everything=(status, body))
    more = ("-o", tmp_path / "store") if "ingest" in words else ()
    done = run(*words, *more)
    assert done.returncode in (1, 2)
    (line,) = done.stderr.splitlines()
    assert line.startswith("s3://b/c")
    assert "expected" in line
    assert line.isprintable()


@pytest.mark.parametrize("text", [b"{", b'{"format": 2, "campaigns": {"../x": {}}}'])
def test_a_manifest_that_lies_is_named_by_its_address(says, root, text):
    says(keys=("c/manifest.json",), manifest=text)
    wanted = "s3://b/c/manifest.json:1: expected the manifest of a store, found damaged"
    lesson = root / "data/lessons/same-twice-2026"
    for words in (("summary", "s3://b/c"), ("ingest", lesson, "-o", "s3://b/c")):
        done = run(*words)
        assert done.returncode == 1
        assert done.stderr.startswith(wanted)


@pytest.mark.slow
def test_a_listing_without_end_is_given_up(says, monkeypatch):
    monkeypatch.setenv("FSVIZ_LISTING_SECONDS", "1")
    more = "<IsTruncated>true</IsTruncated><NextContinuationToken>n"
    says(keys=(GOOD,), more=f"{more}</NextContinuationToken>")
    done = run("summary", "s3://b/c")
    assert done.returncode == 2
    assert done.stderr == (
        "s3://b/c: expected a folder that can be reached, found a listing that did not "
        "end within 1 s; FSVIZ_LISTING_SECONDS=N allows N\n"
    )


def test_what_is_gone_is_named_by_the_address(says, tmp_path):
    says(keys=(GOOD, "c/smb/r.txt"))
    assert run("ingest", "s3://b/c", "-o", tmp_path / "store").returncode in (0, 1)
    says(keys=(GOOD,))
    done = run("ingest", "s3://b/c", "-o", tmp_path / "store")
    assert done.returncode == 1
    assert (
        "s3://b/c:1: expected the files that are stored, found 1 of them" in done.stderr
    )
