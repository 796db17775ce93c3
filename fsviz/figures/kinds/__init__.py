"""One module a kind of figure; `fsviz.figures.plot` draws any by its name."""

from typing import Literal, get_args

Kind = Literal[
    "explorer",
    "versus",
    "buckets",
    "slices",
    "intervals",
    "dumbbells",
    "dots",
    "scaling",
    "overview",
    "maps",
    "ratios",
    "cpu",
    "strips",
    "tail",
]
KINDS: tuple[str, ...] = get_args(Kind)
"""Names of the kinds: each is a module here with a function of its name."""

Theme = Literal["light", "dark", "paper"]
"""How a picture looks."""

OTHERWISE = {"slices": "slice_bands"}
"""Functions that have another name than their module."""
