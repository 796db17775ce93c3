"""Figures in a notebook: data for JupyterLab, and HTML for ``jupyter nbconvert``.

plotly puts out data alone, which only JupyterLab and the like can draw.
"""

from __future__ import annotations

import os
import sys

NAME = "fsviz"
"""Of the renderer, for ``plotly.io.renderers.default``."""
WIDTH = 1232
"""Of a pair whose panels only a page moves; a narrower notebook scrolls it [px]."""


def show_in_pages() -> None:
    """Let figures of this kernel also be shown by ``jupyter nbconvert --to html``.

    A renderer that the user has chosen stays.
    """
    # without a kernel, asking plotly would import IPython
    if "ipykernel" not in sys.modules or "PLOTLY_RENDERER" in os.environ:
        return
    import plotly.io
    from plotly.io.base_renderers import PlotlyRenderer

    class WithPage(PlotlyRenderer):
        library = True
        """Whether the next figure brings plotly.js along: the first one does."""

        def to_mimebundle(self, fig_dict: dict) -> dict:
            layout = fig_dict.get("layout", {})
            meta = layout.get("meta") or {}
            # of one system alone, panels have room beside a list of files
            if "narrow" in meta and meta["cameras"]:
                fig_dict = fig_dict | {"layout": {"width": WIDTH} | layout}
            piece = plotly.io.to_html(
                fig_dict,
                full_html=False,
                include_plotlyjs=self.library,
                include_mathjax=False,  # comes from another server
                validate=False,
            )
            WithPage.library = False  # plotly shows with a copy of this
            return {**super().to_mimebundle(fig_dict), "text/html": piece}

    if plotly.io.renderers.default == "plotly_mimetype":
        plotly.io.renderers[NAME] = WithPage()
        plotly.io.renderers.default = NAME
