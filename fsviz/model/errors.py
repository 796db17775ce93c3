"""What fsviz raises on purpose.

Every complaint about input has the form ``PATH:LINE: expected …, found …``, so that an
editor can jump to it and a person can act on it.

Examples
--------
>>> print(MalformedRowError("rep1.txt", 40, "a throughput in kB/s", quoted("12,345")))
rep1.txt:40: expected a throughput in kB/s, found '12,345'
"""

from collections.abc import Sequence

from fsviz.model.escaping import printable, printable_lines

LONGEST_QUOTE = 60


class FsvizError(Exception):
    """Base of every error that fsviz raises on purpose.

    Attributes
    ----------
    others : tuple of FsvizError
        Other errors that were found, if nothing usable is left.
    """

    others: "tuple[FsvizError, ...]" = ()

    def __str__(self) -> str:
        # a traceback prints it on whatever terminal there is
        return printable_lines(super().__str__())

    def _render_traceback_(self) -> list[str]:
        """Be one line in a notebook; IPython asks an error for that."""
        return [f"{type(self).__name__}: {printable(str(self))}"]


class ParseError(FsvizError):
    """A file contains something other than expected.

    Parameters
    ----------
    path : str
        The file, as the user named it.
    line : int or str
        Line number from 1, also as ``line 7``, a spreadsheet cell such as
        ``Sheet 1!C7``, or empty if ``path`` is a folder.
    expected, found : str
        Noun phrases that complete "expected …, found …".
    """

    def __init__(self, path: str, line: int | str, expected: str, found: str) -> None:
        super().__init__(str(path), line, expected, found)
        if isinstance(line, str) and line[:5] == "line " and line[5:].isdecimal():
            line = int(line[5:])
        self.path = str(path)
        self.line = line
        self.expected = expected
        self.found = found

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return printable(f"{place}: expected {self.expected}, found {self.found}")


def nothing_usable(problems: Sequence[FsvizError]) -> FsvizError:
    """Make one error of all that was found, to be raised."""
    first, *further = map(without_frames, problems)
    first.others = tuple(further)
    return first


def without_frames(error: FsvizError) -> FsvizError:
    """Drop the traceback of an error to be stored: its frames hold whole files."""
    error.__traceback__ = error.__cause__ = error.__context__ = None
    return error


class UnknownFormatError(ParseError):
    """No known format's signature is in the file, or more than one is."""

    is_strange = False
    """Whether it is a text of no known format, as somebody's notes are."""


def strange_text(path: str, line: int, expected: str, found: str) -> UnknownFormatError:
    """Make the error of a text that may be somebody's notes."""
    error = UnknownFormatError(path, line, expected, found)
    error.is_strange = True
    return error


class EncodingError(ParseError):
    """The bytes cannot be decoded as text."""


class AmbiguousColumnsError(ParseError):
    """A number cannot be tied to exactly one column."""


class AmbiguousValueError(ParseError):
    """A number can be read in more than one way, such as ``1,234`` or ``1:02``."""


class MalformedRowError(ParseError):
    """A line that must be a row of results is not one."""


class TruncatedInputError(ParseError):
    """The input ends inside a row, or before the tool's end mark."""


class ToolFailureError(ParseError):
    """The tool itself reported an error, or was interrupted."""


class TooManyRunsError(ParseError):
    """A file holds more runs than are read of one; the first are used."""


class UnsupportedVersionError(ParseError):
    """A known tool, but a layout that fsviz does not know."""


class CoarserFormError(UnsupportedVersionError):
    """A form of a run's output lacks what another form of the same run has."""


class InconsistentDataError(ParseError):
    """Two places that must agree do not."""


class InvalidModeError(ParseError):
    """These measurements are not of what fsviz compares."""


class DeclaredInvalidError(InvalidModeError):
    """The tool says itself that these measurements are invalid."""


class CampaignError(ParseError):
    """``campaign.toml`` says something that cannot be followed."""


class AmbiguousFoldersError(CampaignError):
    """The folders of a campaign can be read in more than one way."""

    def __init__(
        self,
        path: str,
        line: int | str,
        expected: str,
        found: str,
        advice: tuple[str, ...] = (),
    ) -> None:
        super().__init__(path, line, expected, found)
        self.advice = advice

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *map(printable, self.advice)])


class UsageError(FsvizError):
    """The request is wrong: unknown operation, missing path, or bad option."""


class UnreadableFileError(UsageError):
    """A file that cannot be opened: none there, no permission, a folder."""


class MixedCellError(FsvizError):
    """Numbers that are not repeats of one another would share one cell."""

    def __init__(self, message: str, system: str = "") -> None:
        super().__init__(message)
        self.system = system


class MissingSoftwareError(FsvizError):
    """A program that fsviz cannot install itself is not there."""


def quoted(text: str) -> str:
    """Quote a piece of input for a message: one line, shortened, no control characters.

    >>> quoted("x" * 100)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'"
    """
    shown = printable(text[: LONGEST_QUOTE + 1])
    if len(shown) > LONGEST_QUOTE:
        shown = shown[: LONGEST_QUOTE - 1] + "…"
    return f"'{shown}'"
