"""Compressed files and archives: gzip, bzip2, xz, zstd, ZIP and tar.

The first bytes say what a file is, never its name. Nothing is written anywhere: members
are read in memory, no link is followed, and the name of a member is only for messages.
A few kB may stand for terabytes, so all of it is bounded, as workbooks are.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

from fsviz.model.errors import ParseError, UnknownFormatError, printable, quoted
from fsviz.model.units import MIB

LARGEST_ARCHIVE = 256 * MIB
"""Bytes that all members together may unpack to."""
MOST_MEMBERS = 5_000
_GROWTH = 200
"""Times that content may be larger than the file; logs are packed to a tenth."""
_MEMORY = 128 * MIB
"""Bytes that xz may take to unpack; its largest preset takes 65 MiB (xz(1), -9)."""
_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"
_TAR_AT, _TAR = 257, b"ustar"
_WORKBOOKS = (b"[Content_Types].xml", b"mimetypeapplication/vnd.oasis.opendocument")
"""In every package of Office Open XML (ECMA-376, part 2) and OpenDocument (part 2)."""

Member = tuple[str, bytes | ParseError]


_BZIP2, _XZ, _ZSTD = b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd"
_MAGIC = (_GZIP, _BZIP2, _XZ, _ZSTD)
_MOST_STREAMS = 200
"""Of one xz file after another, each of which has the rest copied."""


def unpacked(path: str, data: bytes, most: int) -> bytes:
    """Unpack a compressed file; what is not compressed is returned as it is.

    A tar archive may be as large as all its members may be, other content `most` [B].
    """
    if not data.startswith(_MAGIC):
        return data
    largest = _largest(data)
    try:
        content = _content(data, largest + 1)
    except (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError) as error:
        raise _refused(path, "a whole compressed file", _why(error)) from error
    if not content:
        raise _refused(path, "output of a benchmark", "a compressed empty file")
    limit = largest if _is_tar(content) else min(most, largest)
    if len(content) > limit:
        raise _refused(path, f"at most {limit} bytes unpacked", "more")
    return content


def _largest(data: bytes) -> int:
    """Bytes that a file of this size may unpack to."""
    return min(LARGEST_ARCHIVE, max(MIB, _GROWTH * len(data)))


def _content(data: bytes, most: int) -> bytes:
    if data.startswith(_ZSTD):
        import pyarrow as pa

        with pa.CompressedInputStream(pa.BufferReader(data), "zstd") as stream:
            return stream.read(most)
    if not data.startswith(_XZ):
        opened = gzip.open if data.startswith(_GZIP) else bz2.open
        with opened(io.BytesIO(data)) as file:
            return file.read(most)
    return _of_xz(data, most)


def _of_xz(data: bytes, most: int) -> bytes:
    """Unpack one or more streams within limits of memory, which LZMAFile has not."""
    parts, size = [], 0
    for _ in range(_MOST_STREAMS):
        stream = lzma.LZMADecompressor(memlimit=_MEMORY)
        parts.append(stream.decompress(data, most - size))
        size += len(parts[-1])
        if not stream.eof and size < most:
            raise EOFError("one that ends before its end")
        data = stream.unused_data
        if size >= most or not data.strip(b"\0"):
            return b"".join(parts)
    raise ValueError(f"more than {_MOST_STREAMS} streams")


def is_archive(data: bytes) -> bool:
    """Tell whether unpacked bytes are a tar or ZIP archive, and no workbook."""
    return _is_tar(data) or (
        data.startswith(_ZIP) and not any(mark in data for mark in _WORKBOOKS)
    )


def _is_tar(data: bytes) -> bool:
    return data.startswith(_TAR, _TAR_AT)


def members(path: str, data: bytes, most: int) -> Iterator[Member]:
    """List the members of an archive that may be results, or why one is not read.

    `most` [B] of each are read. Hidden ones are left out, as those of a folder are.
    """
    left = largest = LARGEST_ARCHIVE if _is_tar(data) else _largest(data)
    opened = _of_tar if _is_tar(data) else _of_zip
    try:
        for number, (name, content) in enumerate(opened(data, min(most, largest))):
            left -= len(content) if isinstance(content, bytes) else 0
            expected = ""
            if number >= MOST_MEMBERS:
                expected = f"at most {MOST_MEMBERS} members"
            elif left < 0:
                expected = f"at most {largest} bytes in all members"
            if expected:
                yield name, _refused(path, expected, "more")
                return
            yield name, _checked(f"{path}/{name}", name, content, most)
    except Exception as error:  # both let anything through on bad bytes
        raise _refused(path, "a whole archive", _why(error)) from error


def _checked(
    path: str, name: str, content: bytes | str, most: int
) -> bytes | ParseError:
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if name.startswith(("/", "\\")) or ".." in parts:
        return _refused(path, "a name inside the archive", quoted(name))
    if isinstance(content, str):
        return _refused(path, "a file", content)
    if len(content) > most:
        return _refused(path, f"output of at most {most} bytes", "more")
    if content.startswith(_MAGIC) or is_archive(content):
        return _refused(path, "output of a benchmark", "an archive in an archive")
    return content


def _of_tar(data: bytes, most: int) -> Iterator[tuple[str, bytes | str]]:
    """Read the members; a text says why one has no content."""
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as tar:
        for member in tar:
            if not member.isdir() and not _is_hidden(member.name):
                file = tar.extractfile(member) if member.isreg() else None
                yield (
                    member.name,
                    file.read(most + 1) if file else "a link or a device",
                )


def _of_zip(data: bytes, most: int) -> Iterator[tuple[str, bytes | str]]:
    """Read the members; a text says why one has no content."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in archive.infolist():
            if entry.is_dir() or _is_hidden(entry.filename):
                continue
            content: bytes | str = ""
            # the upper half has the mode of Unix, where a link is 0o12
            if entry.external_attr >> 28 == 0o12:
                content = "a link"
            elif entry.flag_bits & 1:
                content = "an encrypted file"
            else:
                try:
                    with archive.open(entry) as file:
                        content = file.read(most + 1)
                except (
                    zipfile.BadZipFile,
                    zlib.error,
                    EOFError,
                    NotImplementedError,
                ) as e:
                    content = _why(e)
            yield entry.filename, content


def _is_hidden(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return any(part.startswith(".") and part != ".." for part in parts)


def _why(error: Exception) -> str:
    """Say what a library found wrong."""
    return printable(str(error) or type(error).__name__)


def _refused(path: str, expected: str, found: str) -> ParseError:
    return UnknownFormatError(path, 1, expected, found)
