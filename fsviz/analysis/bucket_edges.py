"""What a person writes for ``--buckets`` → edges of the buckets."""

from __future__ import annotations

from itertools import pairwise

from fsviz.analysis.groupings import EDGES
from fsviz.analysis.regimes import memory_of
from fsviz.model.errors import UsageError, quoted
from fsviz.model.units import format_size, parse_size


def edges_of(data: object, text: str) -> dict[str, float]:
    """Turn a text into bucket edges.

    Parameters
    ----------
    data : Campaign
        Needed for ``regimes``, which takes the edges from the machine's facts.
    text : str
        Largest file sizes, ascending, such as ``64k,1m``; ``regimes``; or empty for
        the published classes.

    Returns
    -------
    dict of str to float
        Largest file size [B] of each bucket by name.

    Raises
    ------
    UsageError
        If it is neither, or the campaign does not state what ``regimes`` needs.

    Examples
    --------
    >>> edges_of(None, "64k,1m")
    {'to 64 KiB': 65536.0, 'to 1 MiB': 1048576.0, 'over 1 MiB': inf}
    """
    if not text:
        return dict(EDGES)
    if text == "regimes":
        return regime_edges(data)
    try:
        sizes = [parse_size(part) for part in text.split(",")]
    except ValueError:
        sizes = []
    if not sizes or any(low >= high for low, high in pairwise([0, *sizes])):
        raise UsageError(
            "buckets: expected ascending sizes such as 64k,1m or the word regimes, "
            f"found {quoted(text)}"
        )
    names = {f"to {format_size(size)}": float(size) for size in sizes}
    return {**names, f"over {format_size(sizes[-1])}": float("inf")}


def check_confidence(confidence: float) -> None:
    """Check that a confidence lies between 0 and 1.

    Raises
    ------
    UsageError
        If not; 95 is not 0.95.
    """
    if not 0 < confidence < 1:
        raise UsageError(
            f"confidence: expected a number between 0 and 1, found {confidence:g}"
        )


def regime_edges(data: object, cpu_cache: int | None = None) -> dict[str, float]:
    """Take the edges of the buckets from the machine.

    Parameters
    ----------
    data : Campaign
        Its systems must state one and the same ``client_ram``.
    cpu_cache : int or None
        Size of the processor's cache [B]; by default what IOzone was told (``-S``).

    Returns
    -------
    dict of str to float
        Largest file size [B] within the processor's cache, within memory, beyond it.

    Raises
    ------
    UsageError
        If the memory is not stated, or differs between systems.
    """
    memory = set(memory_of(data).values())
    if len(memory) != 1:
        found = " and ".join(format_size(size) for size in sorted(memory)) or "none"
        raise UsageError(
            "buckets: regimes: expected one client_ram for all systems in "
            f"campaign.toml, found {found}; or give the edges, such as 1m,256m"
        )
    ram = float(memory.pop())
    cache = cpu_cache or _stated_cache(data)
    inner = {"cpu_cache": float(cache)} if cache and cache < ram else {}
    return {**inner, "memory": ram, "beyond_memory": float("inf")}


def _stated_cache(data: object) -> int | None:
    """Smallest processor cache that IOzone's banners state."""
    import json

    runs = getattr(data, "runs", None)
    facts = [json.loads(text) for text in runs["facts"]] if runs is not None else []
    sizes = [fact["cache_size_bytes"] for fact in facts if "cache_size_bytes" in fact]
    return min(sizes, default=None)
