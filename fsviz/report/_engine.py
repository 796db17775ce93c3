"""How papermill runs a notebook here: it is written once, when it has ended."""

from __future__ import annotations

from typing import Any

import fsviz.report._jsonschema  # noqa: F401 # isort: skip
from papermill.engines import NBClientEngine, papermill_engines

ENGINE = "fsviz"
"""Its name, for papermill."""


class WriteAtEnd(NBClientEngine):
    """Runs the cells; papermill's own writes the whole notebook twice a cell.

    Where papermill found the notebook is left out: what it makes is published.
    """

    @classmethod
    def execute_managed_notebook(cls, nb_man: Any, *args: Any, **kwargs: Any) -> Any:
        """Run the cells of a notebook."""
        for name in ("input_path", "output_path"):
            nb_man.nb.metadata.papermill.pop(name, None)
        path, nb_man.output_path = nb_man.output_path, None
        try:
            return super().execute_managed_notebook(nb_man, *args, **kwargs)
        except BaseException:
            # a kernel that died or hung; what it had done until then is kept.
            # Otherwise papermill writes it after this, failed cells too
            nb_man.output_path = path
            raise


papermill_engines.register(ENGINE, WriteAtEnd)
