"""SOURCE → which file measured which system."""

from __future__ import annotations

import errno
import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from fsviz.campaigns._globs import MAGIC, Matcher, Parts, matcher, parts_of
from fsviz.campaigns.folders import leads_out, systems_of
from fsviz.model.errors import CampaignError, UnreadableFileError, UsageError, quoted
from fsviz.model.escaping import printable
from fsviz.model.names import names_of, natural, normalised_name
from fsviz.readers.fio_log import NAME as LOG
from fsviz.readers.formats import STANDARD_INPUT, shown_path

if TYPE_CHECKING:
    from fsviz.campaigns.campaign_toml import CampaignFile, SystemEntry


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file and the system that it measured."""

    system: str
    path: str
    named: bool = False
    spelled: str = ""
    """The name as it was found; `system` has one spelling for all of them."""
    headings: Mapping[str, str] | None = None
    """Systems by patterns of headings; None where these name systems themselves."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "spelled", self.spelled or self.system)
        object.__setattr__(self, "system", normalised_name(self.system))


def find(path: str, beside: Path | None = None) -> Path:
    """Find a path here (or in a folder) or, if relative, in the parent folders."""
    try:
        start = beside or Path()
        folders = (start, *start.resolve().parents)
    except OSError:
        folders = (Path(),)  # the current one was deleted
    for place in (folder / path for folder in folders):
        if exists(str(place)):
            if place.is_dir() and not os.access(place, os.R_OK | os.X_OK):
                raise _unreadable(path, errno.EACCES)
            return place
    raise unfound(path)


def unfound(path: str) -> UsageError:
    """Say why a path cannot be used that `exists` does not see."""
    try:
        Path(path).stat()
    except ValueError:
        pass  # a NUL in it
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EIO, errno.ENOTCONN, errno.ESTALE):
            # no permission, or a mount that has gone
            return _unreadable(path, error.errno)
    return UsageError(f"{printable(path)}: expected a file or folder, found none")


def _unreadable(path: str, code: int) -> UsageError:
    return UnreadableFileError(
        f"{printable(path)}: expected a readable file or folder, found "
        f"{os.strerror(code)}"
    )


def labelled(sources: Sequence[str]) -> list[SourceFile]:
    """List the files of several ``label=path[,path…]``, lone files and lone folders.

    A lone file is a system of its own, named after the file; where two in different
    folders have one name, each is named after its folder. A lone folder is a system.
    """
    files: list[SourceFile] = []
    lone: list[Path] = []
    for text in sources:
        if is_labelled(text):
            label, _, paths = text.partition("=")
            files += _of_label(label, paths)
        elif text == STANDARD_INPUT:
            files.append(SourceFile(shown_path(text), text))
        elif find(text).is_dir():
            files += of_folder(find(text))
        else:
            lone.append(find(text))
    systems = systems_of_files(lone, named_after_files=True)
    refuse_read_twice(file.path for file in files)
    return [*files, *(SourceFile(systems[path], str(path)) for path in lone)]


Paths: TypeAlias = "str | os.PathLike[str] | Sequence[str | os.PathLike[str]]"
Sources: TypeAlias = "Paths | Mapping[str, Paths]"
"""What people name in Python: one source, several, or paths by their labels."""


def listed(sources: Sources) -> list[str]:
    """List sources one by one, as a command line names them.

    >>> listed("data/raw"), listed("a=1.txt b='my log.txt'"), listed('["x", "y"]')
    (['data/raw'], ['a=1.txt', 'b=my log.txt'], ['x', 'y'])
    >>> listed({"a": "1.txt", "b": ["2.txt", "3.txt"]})
    ['a=1.txt', 'b=2.txt,3.txt']
    """
    if isinstance(sources, Mapping):
        return [f"{k}={','.join(paths_in(p))}" for k, p in sources.items()]
    if not isinstance(sources, str):
        return paths_in(sources)
    if sources.startswith("["):
        return names_of(sources)
    return shlex.split(sources) if is_labelled(sources) else [sources]


def paths_in(paths: Paths) -> list[str]:
    """List one path or several as texts."""
    if isinstance(paths, str | os.PathLike):
        return [os.fspath(paths)]
    return [os.fspath(path) for path in paths]


def is_labelled(source: str) -> bool:
    """Say whether a source is ``label=path``, and no file or folder of that name.

    >>> [is_labelled(text) for text in ("nfs=1.txt", "data/raw", "-")]
    [True, False, False]
    """
    return "=" in source and not exists(source)


def exists(path: str) -> bool:
    r"""Say whether a path as a person gave it exists; one too long does not.

    >>> [exists(path) for path in (".", "a" * 5000, "a\0b")]
    [True, False, False]
    """
    # os.path answers where Path raises
    return os.path.exists(path)  # noqa: PTH110


def reads_standard_input(source: str) -> bool:
    """Say whether a source takes files from standard input.

    >>> [reads_standard_input(text) for text in ("-", "a=1.txt,-", "a-b=1.txt")]
    [True, True, False]
    """
    return STANDARD_INPUT in source.rpartition("=")[2].split(",")


def refuse_read_twice(paths: Iterable[str]) -> None:
    """Refuse standard input under two names: it can be read once only."""
    count = list(paths).count(STANDARD_INPUT)
    if count > 1:
        name = shown_path(STANDARD_INPUT)
        raise UsageError(f"{name}:1: expected it once, found it {count} times")


def _of_label(label: str, paths: str) -> Iterator[SourceFile]:
    names = list(filter(None, paths.split(",")))
    if not names or not label:
        raise UsageError(
            f"{label}={paths}: expected label=path[,path…], found no "
            f"{'path' if label else 'label'}"
        )
    for name in names:
        if name == STANDARD_INPUT:
            yield SourceFile(label, name, named=True)
            continue
        place = find(name)
        if not place.is_dir():
            yield SourceFile(label, str(place), named=True)
            continue
        from fsviz.campaigns.campaign_toml import described_in

        inside = of_folder(place)
        if not inside:
            raise UsageError(f"{place}: expected result files, found an empty folder")
        systems = list(dict.fromkeys(file.system for file in inside))
        if len(systems) > 1 or len(described_in(place).system) > 1:
            raise UsageError(
                f"{label}={name}: expected files of one system, found a campaign of "
                f"several ({', '.join(map(quoted, systems[:5]))}); give each folder a "
                "label of its own"
            )
        for file in inside:
            yield SourceFile(label, file.path, named=True)


def of_folder(folder: Path) -> list[SourceFile]:
    """List the files of a folder, each under the system that its folder names."""
    return _under(folder, files_inside(folder))


def _under(folder: Path, files: Sequence[Path]) -> list[SourceFile]:
    parts = [path.relative_to(folder).parts[:-1] for path in files]
    systems = systems_of(str(folder.resolve()), parts)
    return [
        SourceFile(systems[levels], str(path))
        for path, levels in zip(files, parts, strict=True)
    ]


def systems_of_files(
    files: Sequence[Path], named_after_files: bool = False
) -> dict[Path, str]:
    """Name the systems of lone files."""
    if not files:
        return {}
    stems = {path: path.stem for path in files}
    folders = {path: path.resolve().parent for path in files}
    places = {(stem, folders[path]) for path, stem in stems.items()}
    if named_after_files and len({stem for stem, _ in places}) == len(places):
        return stems
    above = Path(os.path.commonpath(list(folders.values())))
    parts = {path: folder.relative_to(above).parts for path, folder in folders.items()}
    systems = systems_of(str(above), parts.values())
    return {path: systems[levels] for path, levels in parts.items()}


def files_inside(folder: Path) -> list[Path]:
    """List the files of a folder that may be results: not hidden, not our own."""
    return _files_under(folder, lambda name: not name.startswith("."))


_UNREAD = "(files of this folder)"
_OUTSIDE = " (a link out of the campaign)"


def _files_under(folder: Path, included: Callable[[str], bool]) -> list[Path]:
    """List the files in folders of wanted names; no link to a folder is followed.

    What cannot be read, or may not, must not disappear without a word: something stands
    for it that cannot be read either.
    """
    from fsviz.campaigns.campaign_toml import NAME
    from fsviz.campaigns.merge_files import COUNTED

    paths: list[Path] = []

    def missed(error: OSError) -> None:
        if isinstance(error, FileNotFoundError):
            return
        paths.append(Path(error.filename) / _UNREAD)

    for place, folders, names in os.walk(folder, onerror=missed):
        folders[:] = filter(included, folders)
        paths += [
            path.with_name(name + _OUTSIDE) if leads_out(path, folder) else path
            for name in filter(included, names)
            if name != NAME and not name.endswith(COUNTED)
            if _is_file(path := Path(place) / name)
            if not (LOG.fullmatch(name) and path.stat().st_size == 0)
        ]
    return sorted(paths, key=lambda path: natural(str(path)))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        # its folder may not be entered, or its mount has gone: reading says so
        return True


def files_of(folder: Path, described: CampaignFile) -> Iterator[SourceFile]:
    """List the files of a campaign folder with the system that each measured."""
    ignored = [matcher(glob) for glob in described.ignore]
    if not described.system:
        paths = files_inside(folder)
        included = [p for p in paths if not _any(ignored, p.relative_to(folder).parts)]
        for file in _under(folder, included):
            yield file if described.headings else replace(file, headings={})
        return
    files = _claimable(folder, ignored, described)
    claimed: dict[Path, str] = {}
    shared: dict[Path, dict[str, str]] = {}
    for index, entry in enumerate(described.system):
        for glob in _globs_of(entry):
            for path in _matches(folder, files, index, glob):
                if entry.heading and (path in shared or path not in claimed):
                    shared.setdefault(path, {})[entry.heading] = entry.name
                    claimed[path] = entry.name
                    continue
                if path in claimed:
                    raise _refused(
                        folder,
                        (index, glob),
                        "each file under one system",
                        f"{path.relative_to(folder)} also under {claimed[path]}",
                    )
                claimed[path] = entry.name
                file = SourceFile(entry.name, str(path), named=True)
                yield file if described.headings else replace(file, headings={})
    for path, patterns in shared.items():
        yield SourceFile(claimed[path], str(path), named=True, headings=patterns)
    # no pattern names what stands for what cannot be read: anybody's files
    for path in files.values():
        if path.name.endswith((_UNREAD, _OUTSIDE)) and path not in claimed:
            yield SourceFile(described.system[0].name, str(path), named=True)


def _globs_of(entry: SystemEntry) -> list[str]:
    return entry.files or [f"**/{escape(entry.name)}/**"]


def _any(matchers: Iterable[Matcher], parts: Parts) -> bool:
    return any(matches(parts) for matches in matchers)


def _claimable(
    folder: Path, ignored: Sequence[Matcher], described: CampaignFile
) -> dict[Parts, Path]:
    """List the files that a system may claim, by the parts of their paths inside."""
    globs = [glob for entry in described.system for glob in _globs_of(entry)]
    # hidden folders, such as those of git, are searched only if one is named
    hidden = any(part.startswith(".") for glob in globs for part in glob.split("/"))
    paths = _files_under(folder, lambda _: True) if hidden else files_inside(folder)
    files = {path.relative_to(folder).parts: path for path in paths}
    return {parts: path for parts, path in files.items() if not _any(ignored, parts)}


def _matches(
    folder: Path, files: Mapping[Parts, Path], index: int, glob: str
) -> list[Path]:
    matching = []
    with suppress(ValueError):  # a system may be called `..`
        parts = parts_of(glob)
        if parts in files and not MAGIC.search(glob):
            return [files[parts]]
        matches = matcher(glob)
        matching = [path for parts, path in files.items() if matches(parts)]
    if not matching and not any(path.name == _UNREAD for path in files.values()):
        raise _refused(
            folder, (index, glob), "files", f"none in the folder that match {glob}"
        )
    return matching


def _refused(
    folder: Path, place: tuple[int, str], expected: str, actual: str
) -> CampaignError:
    from fsviz.campaigns.campaign_toml import NAME, line_of

    path = folder / NAME
    index, glob = place
    text = path.read_text(encoding="utf-8", errors="replace")
    line = line_of(text, "system", index, "files", glob)
    return CampaignError(str(path), line, expected, actual)
