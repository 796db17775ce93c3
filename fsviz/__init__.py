"""Read file-system benchmarks; say which is faster, where, and by how much.

>>> import fsviz
>>> campaign = fsviz.load("data/raw/onehost-2026")        # doctest: +SKIP
>>> fsviz.summary(campaign)                               # doctest: +SKIP
>>> fsviz.explorer(campaign, operation="write")           # doctest: +SKIP

What only the templates of reports need is in `fsviz.report`. Nothing heavy is imported
before it is used; the names are listed in ``__init__.pyi``.
"""

__version__ = "0.3.0"

_attached: tuple = ()


def _names() -> tuple:
    """Read the stub at the first use.

    Nothing is imported before: under ``python -m fsviz`` the current folder, where
    someone's results are, comes first until ``__main__`` takes it off the path.
    """
    global _attached  # noqa: PLW0603 - a cache, made without any import
    if not _attached:
        import lazy_loader

        _attached = lazy_loader.attach_stub(__name__, __file__)
    return _attached


def __getattr__(name: str) -> object:
    """Load a public name, or the list of all."""
    load, _, names = _names()
    try:
        return names if name == "__all__" else _with_keywords(name, load(name))
    except ModuleNotFoundError as error:
        from fsviz.model.missing import how_to_install

        advice = how_to_install(error.name or "")
        if not advice:
            raise
        raise ModuleNotFoundError(advice, name=error.name) from None


def _with_keywords(name: str, value: object) -> object:
    """Keep a public function that takes keywords in singular and plural."""
    from types import FunctionType

    from fsviz.model.names import as_guessed

    if isinstance(value, FunctionType):
        value = globals()[name] = as_guessed(__name__, value)
    return value


def __dir__() -> list[str]:
    return _names()[1]()
