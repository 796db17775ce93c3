"""Lesson 7: what an NFS client sent to its server, by its own counters.

``nfsstat -l -c -S before`` prints how many calls were made since ``before`` was saved
(nfsstat(8)), a line for each kind and one for all::

    nfs v4 client        total:      147
    ------------- ------------- --------
    nfs v4 client        write:      128
    nfs v4 client       commit:        2

WRITE may leave data in the server's memory (UNSTABLE4) or not (FILE_SYNC4); COMMIT asks
the server to put on stable storage what it left (RFC 8881, 18.32 and 18.3). A kind
that was not called is not printed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from exercises.verdicts import Exercise
from fsviz.campaigns.source_files import find
from fsviz.model.units import KIB, significant

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

RECORDED = "data/lessons/counted-2026"
SYSTEMS = ("cached", "flushed", "remounted", "synchronous", "direct")
_KINDS = ("read", "write", "commit")
_LINE = re.compile(r"^nfs v\d client +(\w+): +(\d+) *$", re.MULTILINE)


def calls_sent() -> pd.DataFrame:
    """Read what nfsstat counted during each of the runs."""
    import pandas as pd

    rows = {}
    for system in SYSTEMS:
        path = find(RECORDED) / system / "nfsstat.txt"
        lines = _LINE.findall(path.read_text(encoding="utf-8"))
        count = {kind: int(number) for kind, number in lines}
        named = {kind.upper(): count.get(kind, 0) for kind in _KINDS}
        rows[system] = named | {"other": count["total"] - sum(named.values())}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("system")


def data_of_a_write(campaign: Campaign) -> Exercise:
    """Ask how much data a WRITE carried [KiB]."""
    rows = campaign.measurements
    own = rows.loc[rows["system"] == "flushed"].set_index("operation")
    written = own.loc[["write", "rewrite"]]
    record = int(own.loc[["write"], "record_size_bytes"].item())
    data = int(written["file_size_bytes"].sum())
    sent = calls_sent()
    calls = int(sent.loc["flushed", "WRITE"])
    commits = int(sent.loc["flushed", "COMMIT"])
    right = data / calls / KIB
    single = data / int(sent.loc["synchronous", "WRITE"]) / KIB
    return Exercise(
        right,
        "Divide the data that IOzone wrote by the number of WRITE calls. IOzone writes "
        "the file twice: write and rewrite.",
        f"{data // KIB} KiB ÷ {calls} calls = {significant(right)} KiB, the mount's "
        f"`wsize` (nfs(5)). IOzone wrote records of {record // KIB} KiB, and the "
        f"client put {significant(right * KIB / record)} records into a call. It sent "
        f"{commits} COMMIT calls, one for each write of the file (RFC 8881, 18.3).\n\n"
        f"With `-o` and with `-I`, each call carried one record, {significant(single)} "
        "KiB, without COMMIT. The data were just as safe, because a WRITE can itself "
        "ask for stable storage (RFC 8881, 18.32). Linux asks for it if everything "
        "fits into one call (fs/nfs/pagelist.c, nfs_pgio_rpcsetup).",
        (
            (right / 2, "That is for the file written once. IOzone writes it twice."),
            (single, "That is IOzone's record size, and a call of `synchronous`."),
            (data / commits / KIB, "You divided by the COMMIT calls."),
            (data / KIB, "That is all data that was written. Divide it by the calls."),
        ),
        unit="KiB",
        tolerance=0.01,
    )
