"""The documentation site: `make docs` builds it into site/, without a network."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

project = "fsviz"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["generated/.*", "_*"]

# Markdown is what the rest of the project is written in
myst_heading_anchors = 3
myst_enable_extensions = ["attrs_block", "colon_fence"]

# numpydoc's docstrings; `name` links to what the reference knows, and is code else
napoleon_google_docstring = False
napoleon_use_rtype = False
default_role = "py:obj"
autodoc_typehints = "none"
autodoc_member_order = "bysource"

html_theme = "furo"
html_title = "fsviz"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = ["generated/beside"]
html_copy_source = False
html_show_copyright = False
html_theme_options = {"top_of_page_buttons": []}
pygments_style = "default"
pygments_dark_style = "monokai"


def setup(app) -> None:
    """Write the generated pages before Sphinx looks for pages."""
    from generate import write_pages

    # Sphinx looks for the folder of html_extra_path at 800
    app.connect("config-inited", lambda *_: write_pages(HERE), priority=100)
