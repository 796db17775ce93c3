"""Tasks on published figures: their numbers, from the printed digits."""

import re

import exercises
import pytest
from exercises.transfers import compare_with_ours, transfer
from scipy import stats

from fsviz.model.errors import UsageError


@pytest.mark.parametrize("lesson", exercises.TRANSFERS)
def test_each_task_has_a_folded_answer_and_four_points(lesson):
    shown = compare_with_ours(lesson, "It <b>is</b>.")._repr_html_()
    mine, _, ours = shown.partition("<details>")
    assert "It &lt;b&gt;is&lt;/b&gt;." in mine
    assert ours.count("<li>") == 4
    assert transfer(lesson).model not in transfer(lesson)._repr_html_()


def test_the_numbers_of_the_answers():
    # 16 files by 13 records, 8 + 7 + … + 1 above the diagonal
    assert "16 files by 13 records are 208 places; in 36" in transfer(1).model
    # 130,749 KiB/s are 127.7 MiB/s, 125e6 B/s are 119.2
    assert "128 MiB/s is more than the 119 MiB/s" in transfer(2).model
    afp, smb = (15924, 16234, 130749), (11416, 4504, 7642)
    geometric = stats.gmean([a / s for a, s in zip(afp, smb, strict=True)])
    times = sum(1 / s for s in smb) / sum(1 / a for a in afp)
    said = f"mean {geometric:.3g}, ratio of means {sum(afp) / sum(smb):.3g}, total time"
    assert f"{said} {times:.3g}." in transfer(4).model
    # 32 s / 1800 and 36 s / 1800
    assert transfer(7).model.startswith("17.8 to 20 ms a file, and 1.67 to 2.22")
    # the same; less than 1 s / 1800; 32 s / 1 s
    assert "17.8 to 20 ms a file over NFS, less than 0.556 ms" in transfer(11).model
    assert "at least 32 times as fast" in transfer(11).model
    # 5,853,721 / 5,769,185; about 16 × (0.04 / 0.01465)², a little more
    assert "The ratio is 1.015" in transfer(8).model
    # 130,749 / 7,642; 1169 ms and 565 ms
    assert "17.1 times faster" in transfer(9).task
    assert "1.17 s for AFP and 0.565 s for SMB" in transfer(9).task
    rule_of_thumb = 16 * (0.04 / 0.01465) ** 2
    (needed,) = re.findall(r"is (\d+) runs of each", transfer(8).model)
    assert rule_of_thumb <= int(needed) <= rule_of_thumb + 2


def test_an_unknown_lesson_is_refused():
    with pytest.raises(UsageError, match="lesson"):
        transfer(12)
