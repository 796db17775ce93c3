"""jsonschema without its check of internationalised addresses; import before nbformat.

jsonschema looks for ``rfc3987_syntax``, which jupyter_server brings along and which
builds a grammar as it is imported: 1.5 of the 1.8 s that ``import nbformat`` takes.
The schema of notebooks (``nbformat/v4/nbformat.v4.schema.json``) asks for no such,
so it is hidden from jsonschema, which goes without (``jsonschema/_format.py``).

nbformat gives cells the identities that they lack or share, and warns of it each of the
dozen times that it looks; nothing here needs them.
"""

import sys
import warnings

_GRAMMAR = "rfc3987_syntax"

if _GRAMMAR not in sys.modules:
    # None makes an import fail: https://docs.python.org/3/reference/import.html
    sys.modules[_GRAMMAR] = None  # type: ignore[assignment]
    try:
        import jsonschema  # noqa: F401
    finally:
        del sys.modules[_GRAMMAR]

warnings.filterwarnings("ignore", "Non-unique cell id|Cell is missing an id field")
# it then takes a folder of its own, which is what is wanted
warnings.filterwarnings("ignore", "IPython parent .* is not a writable location")
