"""What authors write, against the intervals that it allows."""

import math

import pytest

from fsviz.readers.tables.values import decimal_sign, parse_written, plain

NAN = math.nan


@pytest.mark.parametrize(
    "text,value,low,high",
    [
        ("33", 33, 32.5, 33.5),
        ("33 s", 33, 32.5, 33.5),
        ("3.20 s", 3.2, 3.195, 3.205),
        ("1.2e+03", 1200, 1150, 1250),
        ("1.383E3 s", 1383, 1382.5, 1383.5),
        ("5e-03", 0.005, 0.0045, 0.0055),
        ("32-35", NAN, 32, 35),
        ("32–35 s", NAN, 32, 35),
        ("32 – 35", NAN, 32, 35),
        ("32—35", NAN, 32, 35),
        ("32−35", NAN, 32, 35),
        ("32 to 35", NAN, 32, 35),
        ("between 32 and 35", NAN, 32, 35),
        ("3–4 s", NAN, 3, 4),
        ("900 ms–1.2 s", NAN, 0.9, 1.2),
        ("<1", NAN, 0, 1),
        ("< 1 s", NAN, 0, 1),
        ("under 1 s", NAN, 0, 1),
        ("≤ 1", NAN, 0, 1),
        (">600", NAN, 600, NAN),
        ("≥ 10 min", NAN, 600, NAN),
        ("10+ min", NAN, 600, NAN),
        ("timeout (600 s)", NAN, 600, NAN),
        ("~3", 3, NAN, NAN),
        ("≈3", 3, NAN, NAN),
        ("ca. 3", 3, NAN, NAN),
        ("about 3 s", 3, NAN, NAN),
        ("~30", 30, NAN, NAN),
        ("32 ± 3", 32, NAN, NAN),
        ("32 (30–36)", 32, 30, 36),
        ("32 [30, 36]", 32, 30, 36),
        ("0m3.2s", 3.2, 3.15, 3.25),
        ("1m02s", 62, 61.5, 62.5),
        ("1 min 2 s", 62, 61.5, 62.5),
        ("1h02m", 3720, 3690, 3750),
        ("1:02.3", 62.3, 62.25, 62.35),
        ("1:02:03", 3723, 3722.5, 3723.5),
        ("28744 ms", 28.744, 28.7435, 28.7445),
        ("3.2*", 3.2, 3.15, 3.25),
        ("3.2[1]", 3.2, 3.15, 3.25),
        ("3.2¹", 3.2, 3.15, 3.25),
        ("**3.2**", 3.2, 3.15, 3.25),
        ("0", 0, 0, 0.5),
        ("0.0", 0, 0, 0.05),
    ],
)
def test_times(text, value, low, high):
    found = parse_written(text, "s")
    numbers = (found.value, found.low, found.high)
    assert numbers == pytest.approx((value, low, high), nan_ok=True)
    assert found.kind == "elapsed"


@pytest.mark.parametrize(
    "text,value,low,high,kind",
    [
        ("32 MiB/s", 32 * 1024**2, 31.5 * 1024**2, 32.5 * 1024**2, "throughput"),
        ("32 MB/s", 32e6, 31.5e6, 32.5e6, "throughput"),
        ("253k IOPS", 253e3, 252.5e3, 253.5e3, "rate"),
        ("5 MBytes/sec", 5e6, 4.5e6, 5.5e6, "throughput"),
        ("1.5 GiB/s", 1.5 * 1024**3, 1.45 * 1024**3, 1.55 * 1024**3, "throughput"),
        ("347 IOPS", 347, 346.5, 347.5, "rate"),
        ("12%", 12, 11.5, 12.5, "cpu"),
    ],
)
def test_other_units(text, value, low, high, kind):
    found = parse_written(text)
    numbers = (found.value, found.low, found.high)
    assert numbers == pytest.approx((value, low, high), nan_ok=True)
    assert found.kind == kind


@pytest.mark.parametrize(
    "text", ["n/a", "N/A", "-", "–", "—", "", "?", "DNF", "failed", "timeout", "OOM"]
)
def test_words_for_nothing(text):
    found = parse_written(text, "s")
    assert found.reason
    assert math.isnan(found.value)
    assert math.isnan(found.low)


@pytest.mark.parametrize(
    "text",
    [
        "1:02",  # minutes and seconds, or hours and minutes?
        "35-32",
        "1-2-3",
        "-3",
        "fast",
        "3 4",
        "3 MiB",
        "32 MiB/s",
        "32 (40–50)",
        "1e",
        "1e-3e",
        "1e999",
        "12,34,567",
    ],
)
def test_refused(text):
    with pytest.raises(ValueError, match=r".+"):
        parse_written(text, "s")


@pytest.mark.parametrize(
    "texts,sign",
    [
        (["33", "32-35"], "."),
        (["3.2"], "."),
        (["3,2", "1.234"], ","),
        (["1.234,5"], ","),
        (["1,234.5"], "."),
        (["1,234,567"], "."),
        (["0,137"], ","),
        (["0.137"], "."),
        (["32..35"], "."),
    ],
)
def test_decimal_sign(texts, sign):
    assert decimal_sign(texts) == sign


@pytest.mark.parametrize("texts", [["1.234"], ["1,234", "5"], ["3.2", "3,2"]])
def test_decimal_sign_that_cannot_be_told(texts):
    with pytest.raises(ValueError, match="decimal sign"):
        decimal_sign(texts)


@pytest.mark.parametrize(
    "text,sign,expected",
    [
        ("1.234,5", ",", "1234.5"),
        ("1,234", ".", "1234"),
        ("1 234 s", ".", "1234 s"),
        ("1'234'567", ".", "1234567"),
        ("3,2–3,9", ",", "3.2–3.9"),
        ("32..35", ".", "32–35"),
    ],
)
def test_plain(text, sign, expected):
    assert plain(text, sign) == expected


def test_bad_grouping():
    with pytest.raises(ValueError, match="threes"):
        plain("12,34", ".")
