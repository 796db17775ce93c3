r"""Text from files, file names and parameters, made harmless for one medium each.

Text is kept as it was found until it is written; whoever writes it escapes it once, by
the function of the medium:

=====================  ==========================================
terminal, messages     `printable`
HTML                   `html_text`, `html_with_code`
Markdown               `markdown_text`
text in plotly         `figure_text`
name of a file         `file_name`, `folder_name`
word of a shell        `shlex.quote`
TOML                   `toml_text`
=====================  ==========================================
"""

from __future__ import annotations

import html
import json
import re

LONGEST_NAME = 100
"""Bytes of a file name; 255 is the limit of most file systems."""

_MARKS = re.compile(
    r"[*`\[\]()|~@]"
    r"|(?<![^\W_])_|_(?![^\W_])"  # within a word it means nothing
    r"|(?<=[Ww]{3})\.|:(?=//)|(?<=mailto):|(?<=xmpp):"  # GitHub makes links of these
    r"|^[ #+=:-]",
    re.IGNORECASE,
)
"""What Markdown gives a meaning: to the character, at its place."""

_FORMULA = re.compile(r"[$\\]")
"""What MathJax looks for in the finished page, where a reference is a character."""

_NUMBERED = re.compile(r"^(\d+)\.(?=\s|$)")


def unicode_name(text: str) -> str:
    r"""Write a name that is not UTF-8 with escapes, so that every output can hold it.

    Python keeps such a byte of a file's name as a surrogate, which cannot be encoded.

    >>> unicode_name("caf\udce9"), unicode_name("café")
    ('caf\\udce9', 'café')
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def printable(text: str) -> str:
    r"""Show control characters as escapes, so that input cannot steer a terminal.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    if text.isprintable():  # nearly all are
        return text
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii")
        for c in text.encode("utf-8", "replace").decode("utf-8")
    )


_UNSEEN = re.compile(r"[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What JSON may hold as it is, though it steers terminals or turns a line around: C1,
and the characters of bidirectional text (https://trojansource.codes)."""


def json_text(text: str) -> str:
    r"""Write such characters of finished JSON as escapes, which read back the same.

    >>> json_text('"nfs\u202e\x9b"')
    '"nfs\\u202e\\u009b"'
    """
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def printable_lines(text: str) -> str:
    r"""Do as `printable` does with each line of a text.

    >>> printable_lines("a\x1b\nb")
    'a\\x1b\nb'
    """
    if text.replace("\n", "").isprintable():
        return text
    return "\n".join(map(printable, text.split("\n")))


def html_text(text: object) -> str:
    """Make a text mean nothing in HTML, within an element or a quoted attribute.

    >>> html_text("<b onclick='x'>")
    '&lt;b onclick=&#x27;x&#x27;&gt;'
    """
    return html.escape(printable(str(text)))


def html_with_code(text: object) -> str:
    """Make a text mean nothing in HTML, but show as code what is between backticks.

    >>> html_with_code("use `-g <n>`")
    'use <code>-g &lt;n&gt;</code>'
    """
    return re.sub("`([^`]*)`", r"<code>\1</code>", html_text(text))


def markdown_text(text: object) -> str:
    """Escape a text for Markdown, HTML and MathJax.

    Character references are not marks in any dialect, and they are valid in the HTML
    that Markdown may contain. A dollar sign gets its own element, because MathJax does
    not join text across elements:
    https://docs.mathjax.org/en/latest/input/tex/delimiters.html

    Parameters
    ----------
    text : object
        One line; a line break is shown as an escape.

    Returns
    -------
    str

    Examples
    --------
    >>> markdown_text("<b>*a*"), markdown_text("# http://a_b.c")
    ('&lt;b&gt;&#42;a&#42;', '&#35; http&#58;//a_b.c')
    """
    marked = _MARKS.sub(lambda m: f"\0{ord(m[0])};", printable(str(text)))
    safe = _NUMBERED.sub(r"\1&#46;", html.escape(marked).replace("\0", "&#"))
    return _FORMULA.sub(lambda m: f"<span>&#{ord(m[0])};</span>", safe)


def figure_text(text: object) -> str:
    """Make a text mean nothing in plotly, which draws some HTML and fills in templates.

    https://plotly.com/javascript/reference/layout/annotations/#layout-annotations-items-annotation-text

    >>> figure_text("<a href='x'>%{y}")
    '&lt;a href=&#x27;x&#x27;&gt;&#37;{y}'
    """
    return html_text(text).replace("%", "&#37;").replace("$", "&#36;")


def file_name(name: str) -> str:
    """Make a name of a file or folder that means nothing to a shell or a browser.

    It has no separator and does not start with a dot, so it cannot leave its folder.

    >>> file_name("../<b> a"), file_name("nfs-v4.1"), file_name("..")
    ('b__a', 'nfs-v4.1', 'report')
    """
    kept = "".join(c if c.isalnum() or c in "-_." else "_" for c in name)
    short = kept.lstrip("._-")[:80].encode()[:LONGEST_NAME].decode(errors="ignore")
    return short or "report"


def folder_name(label: str) -> str:
    """Keep a label that is the name of a folder; make any other one a `file_name`.

    A system that was read from a folder is named after it, so spaces and marks stay.

    >>> folder_name("nfs v4, sync"), folder_name("../../x"), folder_name("-rf")
    ('nfs v4, sync', 'x', 'rf')
    """
    is_one = label.isprintable() and "/" not in label and len(label) <= LONGEST_NAME
    return label if label and is_one and label[0] not in ".-~" else file_name(label)


def toml_text(text: str) -> str:
    r"""Write a text as a string of TOML, with its quotation marks.

    >>> print(toml_text('a "b"\n'))
    "a \"b\"\n"
    """
    # JSON's strings are TOML's, but for this one control character
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
