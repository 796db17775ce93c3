"""Text to number and back."""

import math

import pytest
from each import each

from fsviz.model.units import format_size, format_value, parse_size, significant


@pytest.mark.parametrize(
    "text,size",
    [("64k", 65536), ("64K", 65536), ("64 KiB", 65536), ("2G", 2**31), ("1t", 2**40)],
)
def test_sizes_are_powers_of_1024(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "k", "-1k", "1.5k", "64 kilo", "1k2"])
def test_what_is_no_size_is_refused(text):
    with pytest.raises(ValueError, match="expected a size"):
        parse_size(text)


@each(range(10, 50))
def test_power_of_two_sizes_survive_the_round_trip(exponent):
    assert parse_size(format_size(2**exponent)) == 2**exponent


def test_missing_is_a_dash_and_never_nan():
    assert format_value(math.nan, "B/s") == "–"
    assert significant(math.nan) == "–"


def test_no_number_is_written_in_scientific_notation():
    assert significant(1.5e-7) == "0.00000015"
    assert significant(1.5e12) == "1500000000000"
