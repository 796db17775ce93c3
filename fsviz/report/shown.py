"""A figure, or the reason why there is none: a report has no silent gap."""

from __future__ import annotations

from fsviz.figures.plot import plot
from fsviz.model.errors import FsvizError
from fsviz.model.escaping import markdown_text as escape


def figure_or_reason(
    data: object, kind: str, operation: str | None = None, **more: object
) -> object:
    """Draw a figure; where that is not possible, say why in a sentence.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    kind : str
        One of `fsviz.figures.plot.KINDS`.
    operation : str, optional
        Which operation.
    **more
        What else the kind takes.

    Returns
    -------
    plotly Figure or IPython Markdown
        For `display`.
    """
    from IPython.display import Markdown

    try:
        return plot(data, kind, operation, **more)
    except FsvizError as error:
        of = f" of {operation.replace('_', ' ')}" if operation else ""
        return Markdown(f"*No {kind} figure{of}: {escape(str(error))}.*")
