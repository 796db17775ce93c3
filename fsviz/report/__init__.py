"""Reports: notebooks executed by papermill, exported as offline HTML and PDF.

`report` renders campaigns and notebooks; the other names are what the templates call.
They are listed in ``__init__.pyi`` and loaded when used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
