"""Lesson 5: the benchmark that measured the wrong disk."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from exercises.commands import hint_on_file, read_command
from exercises.verdicts import Exercise
from fsviz.answers.comparison import compare
from fsviz.model.units import significant
from fsviz.readers.iozone.options import Options, parse_options

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

MEANT = "ramdisk"
REPAIRED = "ramdisk-f"
_WHERE = (
    "Which option names the test file? Is this option on the command line? Without it, "
    "the file is iozone.tmp in the working directory."
)


def too_alike(campaign: Campaign) -> Exercise:
    """Ask for the write ratio of the supposed RAM disk to the disk."""
    row = _write(campaign, MEANT)
    right = float(row["ratio"])
    read = _row(campaign, MEANT, "read")
    return Exercise(
        right,
        "Take the ratio in the row of the operation write.",
        f"{significant(right, 4)} ({significant(row['ci_low'])} to "
        f"{significant(row['ci_high'])}, n = {row['n_baseline']} and "
        f"{row['n_candidate']}). "
        "A RAM disk should not wait for a disk when it "
        "writes. Two systems that agree within the noise may well be the same system.",
        (
            (1 / right, "That is baseline ÷ candidate."),
            (read["ratio"], "That is the row of read; take write."),
            (
                _write(campaign, REPAIRED)["ratio"],
                f"That is {REPAIRED}; take {MEANT}.",
            ),
        ),
        tolerance=0.01,
    )


def where_it_wrote(campaign: Campaign) -> Exercise:
    """Ask for the path of the file that IOzone tested."""
    line = _command_line(campaign)
    given = parse_options(line).operands[0]
    # where every run was started, by the notes of the campaign
    folder = str(campaign.systems.set_index("system").loc["disk", "mount_point"])
    right = posixpath.join(folder, "iozone.tmp")
    wrong = {
        given: "That was the intention, but IOzone ignores a path without an option.",
        posixpath.join(given, "iozone.tmp"): (
            "The name is right. But IOzone ignores the path at the end of the line: in "
            "which folder did the command run?"
        ),
        "iozone.tmp": "The name is right. Give the full path: in which folder?",
        "./iozone.tmp": "The name is right. Give the full path: in which folder?",
        folder: "The folder is right. What is the file's name?",
        posixpath.join(folder, "testfile"): (
            "That is the file of the other system's command, which has -f."
        ),
    }
    return Exercise(
        lambda answer: _hint_on_path(answer, right, wrong),
        _WHERE,
        f"{right}: `{line}` has no -f, so IOzone took its default name, iozone.tmp, in "
        f"the working directory, {folder}. It ignored {given} without a warning.",
        example=right,
    )


def which_rule(campaign: Campaign) -> Exercise:
    """Ask which rule finds it."""
    from fsviz.checks.engine import check

    found = check(campaign)
    right = "test-file-elsewhere"
    row = found.loc[found["rule"] == right].iloc[0]
    return Exercise(
        right,
        "Read the errors. Which error is about the place of the test file?",
        f"{right}, for {row['system']}: {row['message']}. Evidence: "
        f"{row['evidence']}. To settle it: {row['advice']}.",
        tuple(
            (
                name,
                "That rule applies here too, but is about something else.",
            )
            for name in found["rule"].unique()
            if name != right
        )
        + tuple(
            (
                name,
                "That is a severity. The name of the rule is in the column beside it.",
            )
            for name in found["severity"].unique()
        ),
        known=list(map(str, found["rule"].unique())),
    )


def repair(campaign: Campaign) -> Exercise:
    """Ask for a command line that measures what was meant."""
    line = _command_line(campaign)
    before = parse_options(line)
    mount = before.operands[0]
    repaired = f"{line.rsplit(' ', 1)[0]} -f {mount}/testfile"

    def hint(answer: object) -> str:
        return _hint_on_command(answer, before, mount)

    return Exercise(
        hint,
        "Keep the options, drop the path at the end, and name a file on the mount "
        "with -f, as the command of the disk does.",
        f"`{repaired}`. Any file name will do, but the file must be on the mount. If "
        "you state mount_point in campaign.toml, `fsviz check` compares it with the "
        "path of the file.",
        example=repaired,
    )


def damage(campaign: Campaign) -> Exercise:
    """Ask by what factor the first measurement was wrong."""
    rows = compare(
        campaign,
        baseline=MEANT,
        candidate=[REPAIRED],
        operation=["write"],
        sizes="all",
    ).rows
    row = rows.iloc[0]
    right = float(row["ratio"])
    return Exercise(
        right,
        f"Call `fsviz.compare` as for `again`, but with the baseline {MEANT}. Or "
        "divide the ratios of the two rows of `again`.",
        f"{significant(right)} times (95 % interval {significant(row['ci_low'])} to "
        f"{significant(row['ci_high'])}): a published number would have been wrong by "
        "that factor, and the surface would have looked normal. Repeats do not reveal "
        "such a mistake. You have to know where the test file was.",
        (
            (1 / right, f"That is {MEANT} ÷ {REPAIRED}."),
            (
                _write(campaign, MEANT)["ratio"],
                f"That is {MEANT} against disk, the first measurement itself.",
            ),
            (
                _write(campaign, REPAIRED)["ratio"],
                f"That is {REPAIRED} against disk. Compare it with {MEANT}.",
            ),
        ),
        tolerance=0.002,
        also=(float(f"{right:.2g}"),),
    )


def _hint_on_path(answer: object, right: str, wrong: dict[str, str]) -> str:
    """Judge a path: here capitals and slashes count, unlike in other names."""
    if not isinstance(answer, str):
        return "Give one path in quotes."
    path = answer.strip()
    if path == right:
        return ""
    if path.rstrip("/") in wrong:
        return wrong[path.rstrip("/")]
    if path.lower() == right.lower():
        return "Capitals count in a path."
    if "\\" in path:
        return "Here the parts of a path are joined by /."
    if not path.startswith("/"):
        return "A full path begins with /."
    if posixpath.basename(path) == posixpath.basename(right):
        return "The name is right. In which folder were all commands started?"
    return _WHERE


def _hint_on_command(answer: object, before: Options, mount: str) -> str:
    after = read_command(answer)
    if isinstance(after, str):
        return after
    if hint := hint_on_file(after, mount):
        return hint
    lost = [f"-{name}" for name in before.values if name not in after]  # noqa: PD011
    if lost:
        return f"{' '.join(lost)} got lost, so this is another benchmark."
    if after.configuration != before.configuration:
        return (
            f"That asks for {after.configuration}, but the first command asked for "
            f"{before.configuration}. That is another benchmark."
        )
    return ""


def _command_line(campaign: Campaign) -> str:
    runs = campaign.runs
    return str(runs.loc[runs["system"] == MEANT, "command_line"].iloc[0])


def _write(campaign: Campaign, candidate: str) -> pd.Series:
    return _row(campaign, candidate, "write")


def _row(campaign: Campaign, candidate: str, operation: str) -> pd.Series:
    rows = compare(
        campaign,
        candidate=[candidate],
        operation=[operation],
        sizes="all",
    ).rows
    return rows.iloc[0]
