"""Published throughput compared with every link that it may have crossed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from claims.intervals import bounds_of
from fsviz.campaigns.publication import quoted_values
from fsviz.campaigns.source_files import find
from fsviz.model.units import format_throughput, parse_link_rate, significant

if TYPE_CHECKING:
    import pandas as pd

LINKS = ("1 Gbit/s", "10 Gbit/s", "25 Gbit/s", "40 Gbit/s", "100 Gbit/s")


def link_table(folder: str, links: Sequence[str] = LINKS) -> pd.DataFrame:
    """Say for each link how many of the published figures it cannot carry."""
    import pandas as pd

    known = [f for f in quoted_values(find(folder)).values() if f.unit == "B/s"]
    largest = max(f.value for f in known if not math.isnan(f.value))
    top = format_throughput(largest)
    rows = []
    for link in links:
        rate = parse_link_rate(link)
        over = sum(bounds_of(figure).low > rate for figure in known)
        rows.append(
            {
                "link": link,
                "carries at most": format_throughput(rate),
                "published figures above it": f"{over} of {len(known)}",
                f"the largest, {top}, in links": significant(largest / rate),
            }
        )
    return pd.DataFrame(rows, dtype="string")
