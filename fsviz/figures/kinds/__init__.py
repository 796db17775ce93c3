"""One module a kind of figure; `fsviz.figures.plot` draws any by its name."""

from typing import Literal, get_args

Kind = Literal[
    "explorer",
    "versus",
    "buckets",
    "lines",
    "overview",
    "maps",
    "ratios",
]
KINDS: tuple[str, ...] = get_args(Kind)
"""Names of the kinds: each is a module here with a function of its name."""

Theme = Literal["light", "dark", "paper"]
"""How a picture looks."""
