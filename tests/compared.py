"""Rows of a comparison, for tests of its numbers: of all sizes unless asked."""

import fsviz


def compare(data, *, by="bucket", cells=False, edges=None, sizes="all", **choices):
    """Return the rows of one kind."""
    comparison = fsviz.compare(data, sizes=sizes, **choices)
    if cells:
        return comparison.cells
    return comparison.by(by, edges) if edges else comparison.by(by)
