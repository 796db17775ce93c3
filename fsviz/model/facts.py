"""Facts that people state in words → numbers: memory, link, payload, durability.

This is the one place that knows what a stated fact means. ``campaign.toml`` is refused
where one of `CHECKED` does not state what its name promises.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fsviz.model.thresholds import THRESHOLDS
from fsviz.model.units import MINUS, parse_link_rate, parse_stated_size

if TYPE_CHECKING:
    import pandas as pd

MTU = THRESHOLDS["assumed_mtu"].default
"""Largest packet [B] of Ethernet where none is stated."""

LOCAL = frozenset(
    (
        *("bcachefs", "btrfs", "exfat", "ext2", "ext3", "ext4", "f2fs", "fuseblk"),
        *("jfs", "ntfs3", "tmpfs", "vfat", "xfs", "zfs"),
    )
)
"""File systems whose data cross no network by themselves."""
_NO_PROTOCOL = LOCAL | {"local", "none", "disk", "direct"}
_OF_NETWORKS = ("server", "server_ram", "link", "round_trip", "export_options")
_SYNC = re.compile(
    r"(?<![\w-])(?<!strict )sync(?:hronous)?\b(?! ?always)", re.IGNORECASE
)
_ASYNC = re.compile(r"\basync(?:hronous)?\b", re.IGNORECASE)
_MOUNTED_SYNC = re.compile(r"(?:^|,)\s*sync\s*(?:,|$)", re.IGNORECASE)
_SYNC_ALWAYS = re.compile(r"\bsync always\s*=\s*(yes|true|1)\b", re.IGNORECASE)
_STRICT_SYNC = re.compile(r"\bstrict sync\s*=\s*(yes|true|1)\b", re.IGNORECASE)
"""Without it, ``sync always`` has no effect (smb.conf(5)); it was off by default before
Samba 4.7."""


_ABOUT_STORAGE = ("file_system", "mount_options", "storage", "server")
_SHRINKING = ("compress", "dedup", "gzip", "zstd", "lz4", "lzo", "vdo")
_OFF = {"compression=off", "compress=no", "dedup=off"}
_NOT = {"no", "not", "non", "off", "without", "un"}
_WORD = re.compile(r"[\w=+-]+")


@dataclass(frozen=True, slots=True)
class System:
    """What the campaign states about a system."""

    name: str
    stated: Mapping[str, str]

    @property
    def network(self) -> bool | None:
        """Whether data crosses a network; None if nothing stated says so.

        A local file system alone is one of this machine; behind a server it is not.
        """
        if protocol := self.stated.get("protocol", "").strip().lower():
            return protocol not in _NO_PROTOCOL
        local = first_word(self.stated.get("file_system", "")) in LOCAL
        served = any(fact in self.stated for fact in _OF_NETWORKS)
        return False if local and not served else None

    def _number(self, fact: str) -> Any:
        """Read a fact; a frame that somebody made by hand may state anything."""
        try:
            return CHECKED[fact][1](self.stated[fact])
        except (KeyError, ValueError):
            return None

    @property
    def ram(self) -> int | None:
        """Memory of the client [B]."""
        return self._number("client_ram")

    @property
    def cpu_cache(self) -> int | None:
        """Cache of the client's processor [B]."""
        return self._number("cpu_cache")

    @property
    def shrinks(self) -> str:
        """What says that it compresses or deduplicates: a fact, its name or nothing."""
        for fact in _ABOUT_STORAGE:
            words = {*_WORD.findall(self.stated.get(fact, "").lower())} - _OFF
            if any(word.startswith(_SHRINKING) for word in words):
                return fact
        parts = re.split(r"[\W_]+", self.name.lower())
        named = any(part.startswith(_SHRINKING) for part in parts)
        return "name" if named and not _NOT & set(parts) else ""

    @property
    def link(self) -> float | None:
        """Rate of the link [B/s]."""
        return self._number("link")

    @property
    def mtu(self) -> float | None:
        """Largest packet [B]."""
        return self._number("mtu")

    def payload(self, assumed_mtu: float = MTU) -> float | None:
        """Data that the link can carry [B/s].

        Units: `assumed_mtu` [B].
        """
        if self.link is None:
            return None
        return self.link * payload_share(self.mtu or assumed_mtu)

    @property
    def ignores_flush(self) -> bool:
        """Whether its server answers a flush at once: an NFS export with ``async``.

        exports(5): it replies before the changes are on stable storage.
        """
        return bool(_ASYNC.search(self.stated.get("export_options", "")))

    @property
    def synchronous(self) -> bool | None:
        """Whether a finished write is on stable storage; None if not stated.

        The fact itself says so, else what the options say.
        """
        text = self.stated.get("durability") or self.stated.get("export_options", "")
        if _SYNC_ALWAYS.search(text) and _STRICT_SYNC.search(text):
            return True
        if _ASYNC.search(text):
            return False
        mounted = _MOUNTED_SYNC.search(self.stated.get("mount_options", ""))
        return True if _SYNC.search(text) or mounted else None


def systems_of(frame: pd.DataFrame) -> dict[str, System]:
    """Take the facts of each system out of a campaign's systems frame."""
    systems = {}
    for row in frame.to_dict("records"):
        stated = {k: str(v) for k, v in row.items() if isinstance(v, str) and v.strip()}
        systems[str(row["system"])] = System(str(row["system"]), stated)
    return systems


def parse_mtu(text: str) -> float:
    """Read the largest packet of a link [B].

    >>> parse_mtu("9000 (jumbo frames)")
    9000.0
    """
    match = re.search(MINUS + r"(?<![\w.])(\d{3,5})(?![\w.])", text)
    if match is None or match[1] or not 576 <= int(match[2]) <= 65535:
        raise ValueError(f"expected a number of bytes such as 1500, found {text!r}")
    return float(match[2])


def payload_share(mtu: float) -> float:
    """Say which share of an Ethernet link TCP can fill.

    Units: `mtu` [B].

    >>> round(payload_share(1500), 3), round(payload_share(9000), 2)
    (0.941, 0.99)
    """
    return data_of_packet(mtu) / bytes_on_wire(mtu)


def data_of_packet(mtu: float) -> float:
    """Say how much of a packet is data [B]: without IPv4, TCP and its time stamps.

    The headers take 20, 20 and 12 bytes (RFC 791, RFC 9293, RFC 7323).

    Units: `mtu` [B].
    """
    return mtu - 52


def bytes_on_wire(mtu: float) -> float:
    """Say how much of the wire's time a packet takes [B].

    Ethernet adds 38 bytes that no packet holds: preamble and start 8, header 14, check
    sum 4, gap 12 (IEEE 802.3, clauses 3 and 4.4).

    Units: `mtu` [B].
    """
    return mtu + 38


_SIZE = ("a size such as 8 GiB", parse_stated_size)

CHECKED: Mapping[str, tuple[str, Callable[[str], float]]] = {
    "client_ram": _SIZE,
    "server_ram": _SIZE,
    "cpu_cache": _SIZE,
    "link": ("a rate such as 1 Gbit/s", parse_link_rate),
    "mtu": ("a number of bytes such as 1500", parse_mtu),
}
"""Facts that must state a number: what is expected, and the function that reads it."""


def first_word(text: str) -> str:
    """Take the word by which a fact is known, without what follows it.

    >>> first_word("ext4 (noatime) on the server")
    'ext4'
    """
    words = re.findall(r"[\w.+-]+", text.lower())
    return words[0] if words else ""
