from pathlib import Path

import pytest
from each import each

from fsviz.model.errors import ParseError
from fsviz.readers.document import Document, decode, without_prefix
from fsviz.readers.formats import read_document

DATA = Path(__file__).parents[1] / "data" / "iozone"
LINES = ["\tiozone -a", "", "     kB  reclen", "     64       4", "done."] * 8


def document(lines):
    text = "\n".join(lines)
    return Document("t.txt", text, "", text.split("\n"))


def stripped(lines):
    return without_prefix(document(lines)).lines


@each(
    [
        "> ",
        "> > ",
        ">> ",
        "# ",
        "// ",
        "2026-11-21T09:07:29.123456Z ",
        "2026-11-21T09:07:29+01:00 ",
        "2026-11-21 09:07:29 ",
        "[2026-11-21 09:07:29,123] ",
        "Nov 21 09:07:29 ",
        "Nov  1 09:07:29 node-3 iozone[4711]: ",
        "09:07:29 ",
        "[    5.123456] ",
        "node-3: ",
        "10.0.0.7: ",
        "    ",
        "\t",
        "> 09:07:29 ",
        "# > node-3: ",
    ],
    repr,
)
def test_a_prefix_of_one_shape_is_removed(prefix):
    assert stripped([prefix + line for line in LINES]) == LINES


@pytest.mark.parametrize("prefix", ["> ", "# ", "    "])
def test_editors_may_strip_the_blank_of_empty_lines(prefix):
    assert stripped([(prefix + line).rstrip() for line in LINES]) == LINES


def test_the_time_may_change_from_line_to_line():
    lines = [f"09:07:{n:02d} {line}" for n, line in enumerate(LINES)]
    assert stripped(lines) == LINES


def test_a_few_lines_may_lack_the_prefix():
    lines = ["$ iozone -a", *(f"> {line}" for line in LINES)]
    assert stripped(lines) == ["$ iozone -a", *LINES]


def test_lines_of_half_the_file_are_no_prefix():
    lines = [*LINES, *(f"# {line}" for line in LINES)]
    assert stripped(lines) == lines


def test_a_quote_in_an_answer_is_read_as_what_it_quotes():
    own = ["I see the same:", "> 2 lines", "> of a prompt", "and so on"]
    lines = [*own, *(f"> {line}".rstrip() for line in LINES), "Regards"]
    assert stripped(lines) == [*own, *LINES, "Regards"]


def test_times_in_an_answer_and_in_what_it_quotes_are_two():
    times = "$ time cp -a a b\n\nreal\t0m{}s\nuser\t0m0.840s\nsys\t0m1.120s\n"
    quoted = "> " + times.format("3.210").replace("\n", "\n> ")
    text = f"Hello,\n{quoted}\nand here\n{times.format('1.210')}"
    runs = read_document(without_prefix(decode("mail.txt", text.encode()))).runs
    assert [run.cells.value[0] for run in runs] == [3.21, 1.21]


MORE = DATA.parent


@pytest.mark.parametrize(
    "path",
    ["rsync/3.5.0/stats.out.txt", "fio/3.33/read.json", "iozone/3.489/auto_a.txt"],
)
def test_what_is_indented_among_prose_is_read(path):
    log = (MORE / path).read_text()
    text = "Here it is:\n\n" + "".join(f"    {line}" for line in log.splitlines(True))
    shown = read_document(without_prefix(decode("a.md", f"{text}\nBye\n".encode())))
    whole = read_document(decode("a.txt", log.encode()))
    values = [[run.cells.value for run in r.runs] for r in (shown, whole)]
    assert values[0] == values[1]


def test_quotation_marks_of_a_web_page_are_read_as_iozone_s():
    log = (DATA / "3.489" / "auto_cpu_R_b.txt").read_text()
    curly = decode("a.txt", log.replace('"', "“").encode())
    one, other = (read_document(d) for d in (decode("a.txt", log.encode()), curly))
    assert one.runs[0].cells.value == other.runs[0].cells.value
    assert "cpu" in other.runs[0].cells.metric


def test_several_hosts_are_not_one_output():
    lines = [f"node-{n % 3}: {line}" for n, line in enumerate(LINES)]
    assert stripped(lines) == lines


WHOLE = [p for p in sorted(DATA.glob("3.*/*.txt")) if b"complete." in p.read_bytes()]


@each(WHOLE)
def test_a_log_of_iozone_has_none(path):
    whole = decode(path.name, path.read_bytes())
    assert without_prefix(whole) is whole


@pytest.mark.parametrize(
    "sign", ["a=20", "Content-Transfer-Encoding: quoted-printable"]
)
def test_quoted_printable_is_known_by_other_signs_than_that_of_an_equals_sign(sign):
    assert stripped([sign, "row 1 =", "2"])[1:] == ["row 1 2", ""]
    assert stripped(["a", "row 1 =", "2"]) == ["a", "row 1 =", "2"]


def test_an_empty_document_stays_empty():
    assert stripped(["", "", ""]) == ["", "", ""]


@pytest.mark.parametrize("end", ["\x07", "\x1b\\"])
def test_a_terminals_title_swallows_no_row(root, end):
    """An OSC sequence ends with BEL or ST; one without an end stays as it is."""
    log = (root / "data/raw/loopback-2026/iozone/nfs-v3/rep1.txt").read_bytes()
    whole = read_document(decode("a.txt", log)).runs[0].cells.value
    title = f"\x1b]0;root@host: ~{end}".encode()
    lines = log.split(b"\n")
    for at in range(30, len(lines) - 1, 7):
        lines[at] = title + lines[at]
    shown = read_document(decode("a.txt", b"\n".join(lines))).runs[0].cells.value
    assert shown == whole
    begun = decode("a.txt", b"\x1b]0;title\nrow\n\x1b]0;again\x07end").lines
    assert begun[1:] == ["row", "end"]


LOG = "\n".join(["\tiozone -a", "", "     kB  reclen", "     64       4", "done."] * 8)


@pytest.mark.parametrize(
    "quoted",
    [
        "\n".join(f"> {line}" for line in LOG.split("\n")),
        "He wrote:\n" + "\n".join(f"> {line}" for line in LOG.split("\n")) + "\nBye",
        "\n".join(f"<pre>{line}</pre>" for line in LOG.split("\n")),
        LOG.replace("\n", "=0A=\n").replace("=0A=\n", "\n").replace("done.", "do=\nne.")
        + "\nx=3D1",
    ],
)
def test_text_and_lines_say_the_same_after_unquoting(quoted):
    plain = without_prefix(document(quoted.split("\n")))
    assert plain.text == "\n".join(plain.lines)
    assert "     kB  reclen" in plain.lines
    assert plain.text != quoted


@pytest.mark.parametrize("marked, taken", [(2, False), (3, True)])
def test_so_many_lines_are_a_quote(marked, taken):
    lines = ["He wrote:", *["> x"] * marked, *["plain"] * 9]
    plain = stripped(lines)
    assert (plain[1] == "x") is taken


@pytest.mark.parametrize(
    "data, text",
    [
        (b"\xef\xbb\xbfabc", "abc"),
        (b"\xff\xfea\0b\0c\0", "abc"),
        (b"\xfe\xff\0a\0b\0c", "abc"),
        (b"a\0b\0c\0\n\0", "abc\n"),
        (b"\0a\0b\0c\0\n", "abc\n"),
        (b"caf\xe9", "café"),
        (b"", ""),
    ],
)
def test_encodings_by_mark_and_by_sight(data, text):
    assert decode("t.txt", data).text == text


@pytest.mark.parametrize(
    "data, line, said",
    [
        (b"one\ntw\0o\n", 2, "text, found a NUL byte"),
        (b"\xff\xfea\0\n\0\x00\xd8", 2, "utf-16"),
    ],
)
def test_bytes_that_are_no_text_are_named_by_their_line(data, line, said):
    with pytest.raises(ParseError, match=said) as told:
        decode("t.txt", data)
    assert told.value.line == line


def test_quoted_printable_is_undone_and_lines_keep_their_numbers():
    lines = ["a =3D 1 =", "kB/sec", "b =3D 2", "c =", "=", "d", "e=3Df=", ""]
    assert stripped(lines) == ["a = 1 kB/sec", "", "b = 2", "c d", "", "", "e=f", ""]
