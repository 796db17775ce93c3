"""Read file-system benchmarks; say which is faster, where, and by how much.

>>> import fsviz
>>> campaign = fsviz.load("data/raw/onehost-2026")        # doctest: +SKIP
>>> fsviz.summary(campaign)                               # doctest: +SKIP
>>> fsviz.explorer(campaign, operation="write")           # doctest: +SKIP

What only the templates of reports need is in `fsviz.report`. Nothing heavy is imported
before it is used; the names are listed in ``__init__.pyi``.
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
