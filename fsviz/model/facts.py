"""Facts that people state in words → numbers that rules can use."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from fsviz.model.units import parse_link_rate, parse_stated_size

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")

_LOCAL = frozenset({"local", "none", "disk", "direct"})
_SYNC = re.compile(
    r"(?<![\w-])(?<!strict )sync(?:hronous)?\b(?! ?always)", re.IGNORECASE
)
_ASYNC = re.compile(r"\basync(?:hronous)?\b", re.IGNORECASE)
_MOUNTED_SYNC = re.compile(r"(?:^|,)\s*sync\s*(?:,|$)", re.IGNORECASE)
_SYNC_ALWAYS = re.compile(r"\bsync always\s*=\s*(yes|true|1)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class System:
    """What the campaign states about a system.

    Parameters
    ----------
    name : str
    stated : mapping of str to str
        The facts in their words; those not stated are absent.
    """

    name: str
    stated: Mapping[str, str]

    @property
    def network(self) -> bool | None:
        """Whether data crosses a network; None if the protocol is not stated."""
        protocol = self.stated.get("protocol", "").strip().lower()
        return protocol not in _LOCAL if protocol else None

    @property
    def ram(self) -> int | None:
        """Memory of the client [B]."""
        return _number(parse_stated_size, self.stated.get("client_ram"))

    @property
    def link(self) -> float | None:
        """Rate of the link [B/s]."""
        return _number(parse_link_rate, self.stated.get("link"))

    @property
    def mtu(self) -> float | None:
        """Largest packet [B]."""
        return _number(_first_number, self.stated.get("mtu"))

    @property
    def synchronous(self) -> bool | None:
        """Whether a finished write is on stable storage; None if not stated."""
        return _synchronous(self.stated)


def systems_of(frame: pd.DataFrame) -> dict[str, System]:
    """Take the facts of each system out of a campaign's systems frame."""
    found = {}
    for row in frame.to_dict("records"):
        stated = {k: str(v) for k, v in row.items() if isinstance(v, str) and v.strip()}
        found[str(row["system"])] = System(str(row["system"]), stated)
    return found


def payload_share(mtu: float) -> float:
    """Say which share of an Ethernet link TCP can fill, with time stamps.

    Each packet carries 52 bytes of IP and TCP header, and 38 bytes on the wire that no
    packet holds: preamble, Ethernet header, checksum and gap.

    Examples
    --------
    >>> round(payload_share(1500), 3), round(payload_share(9000), 2)
    (0.941, 0.99)
    """
    return (mtu - 52) / (mtu + 38)


def first_word(text: str) -> str:
    """Take the word by which a fact is known, without what follows it.

    Examples
    --------
    >>> first_word("ext4 (noatime) on the server")
    'ext4'
    """
    words = re.findall(r"[\w.+-]+", text.lower())
    return words[0] if words else ""


def _synchronous(stated: Mapping[str, str]) -> bool | None:
    """Read the fact itself, else what the options say."""
    said = stated.get("durability", "")
    texts = [said] if said else [stated.get("export_options", "")]
    for text in texts:
        if _SYNC_ALWAYS.search(text):
            return True
        if _ASYNC.search(text):
            return False
        if _SYNC.search(text):
            return True
    return True if _MOUNTED_SYNC.search(stated.get("mount_options", "")) else None


def _first_number(text: str) -> float:
    match = re.search(r"\d+", text)
    if match is None:
        raise ValueError(f"expected a number, found {text!r}")
    return float(match[0])


def _number(parse: Callable[[str], T], text: str | None) -> T | None:
    """Parse a fact; words that state no number are as good as none."""
    try:
        return parse(text) if text else None
    except ValueError:
        return None
