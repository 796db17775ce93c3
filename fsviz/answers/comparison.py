"""One comparison: rows, first words, table and trust, each made once when asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from fsviz.analysis.answers import (
    DIFFERENT,
    NOT_COMPARABLE,
    UNTESTED,
    answer_rows,
    answer_tests,
)
from fsviz.analysis.arrangement import Arranged
from fsviz.analysis.buckets import EDGES, By
from fsviz.analysis.cells import present
from fsviz.analysis.comparison import PLACE, compare_cells, compare_rows
from fsviz.analysis.looks import strictness
from fsviz.analysis.scaling import usual_kind
from fsviz.answers.answer import Answer, answers_of
from fsviz.answers.first_words import FirstWords, first_words
from fsviz.answers.table import (
    Table,
    make_table,
    meanings,
    other_metric_notes,
    scope_notes,
)
from fsviz.answers.trust import Questions, trust
from fsviz.answers.words import factor_of
from fsviz.campaigns.read import BASELINES
from fsviz.checks.engine import run_checks
from fsviz.checks.findings import findings_about
from fsviz.checks.judgement import apply_findings, without_findings
from fsviz.checks.measurable import Measurable, measurable, measurable_line
from fsviz.model.campaign import Campaign, Data, baseline_of
from fsviz.model.errors import FsvizError, UsageError, printable
from fsviz.model.escaping import markdown_text
from fsviz.model.libraries import pd
from fsviz.model.names import Names, choose, unknown
from fsviz.model.table import MAIN_METRICS, METRICS, measurements_of, plain_rows

if TYPE_CHECKING:
    from fsviz.checks.case import Case
    from fsviz.checks.findings import Examination

SizesChoice = Literal["measurable", "all"]
_HIDDEN = (
    *("parts", "by_size", "pooled", "total_low", "total_high", "total_answer"),
    *("is_part", "is_test", "order", "drift", "incomplete", "nearest", "total"),
)
_SHOWN_FIRST = (
    *("tool", "operation", "setting", "threads", "metric", "bucket"),
    *("file_size_bytes", "record_size_bytes", "baseline", "candidate"),
    *("n_baseline", "n_candidate", "cells", "cells_unmatched", "ratio", "ci_low"),
    *("ci_high", "range_low", "range_high", "answer", "total_time_ratio"),
    *("mean_ratio", "p_value", "q_value", "paired", "scope", "caveats", "rule"),
)


class Comparison:
    """Every test of some systems against a baseline; displays itself.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or a part of one that `Campaign.select` returned, or measurements
        (without facts to check).
    baseline : str or None
        System to compare with; by default the campaign's baseline, else the first.
    candidates, operations, metrics : str, iterable of str or None
        What to show; by default all. The choice changes no answer.
    sizes : {'measurable', 'all'}
        Sizes that count: those that IOzone could measure on every system, or all.
    examination : Examination or None
        Result of `fsviz.run_checks` for this campaign and baseline, if known.

    Raises
    ------
    UsageError
        If a name is unknown, or there are fewer than two systems.

    Examples
    --------
    >>> import fsviz
    >>> comparison = fsviz.compare("data/raw/onehost-2026")
    >>> rows = comparison.rows.query("operation == 'write' and metric == 'throughput'")
    >>> list(zip(rows["candidate"], rows["answer"]))
    [('xfs', 'faster'), ('btrfs', 'slower')]
    """

    def __init__(
        self,
        data: Data,
        baseline: str | None = None,
        *,
        candidates: Names = None,
        operations: Names = None,
        metrics: Names = None,
        sizes: SizesChoice = "measurable",
        examination: Examination | None = None,
    ) -> None:
        selected = data.origin if isinstance(data, Campaign) else None
        self.data = data
        self._campaign: Data = selected or data
        self.sizes = sizes
        systems, every_operation, every_metric = (
            present(measurements_of(data), column)
            for column in ("system", "operation", "metric")
        )
        self.baseline, self.why = _baseline(data, baseline, systems)
        named = choose("candidate", candidates, systems) or systems
        self.candidates = [name for name in named if name != self.baseline]
        if candidates and not self.candidates:
            raise self._is_alone()
        chosen = choose("operation", operations, every_operation)
        self.operations = chosen or every_operation
        self.metrics = choose("metric", metrics, every_metric)
        self._strict = strictness(self._campaign)
        self._examination = examination

    # What is compared.

    def _is_alone(self) -> UsageError:
        """Say that there is nothing to compare with, and what would do."""
        return UsageError(
            "compare: expected two systems or more, found one, "
            f"{printable(self.baseline)}; name another as LABEL=FILES, or use "
            "fsviz summary"
        )

    @cached_property
    def _measurable(self) -> tuple[Data, list[Measurable]]:
        if self.sizes == "all" or not isinstance(self._campaign, Campaign):
            return self._campaign, []
        return measurable(self._campaign, self._case)

    @property
    def _case(self) -> Case | None:
        """The campaign as the rules saw it; None without facts to check."""
        return None if self.examination is None else self.examination.case

    def counted_sizes(self, tool: str, operation: str) -> frozenset[tuple[int, int]]:
        """File and record sizes [B] of a test that count, of any system."""
        data, _ = self._measurable
        table = measurements_of(data)
        rows = (table["tool"] == tool) & (table["operation"] == operation)
        sizes = table.loc[rows, ["file_size_bytes", "record_size_bytes"]].dropna()
        return frozenset(
            (int(file), int(record))
            for file, record in sizes.drop_duplicates().itertuples(index=False)
        )

    @cached_property
    def _arranged(self) -> Arranged:
        data, _ = self._measurable
        if len(present(measurements_of(data), "system")) < 2:
            raise self._is_alone()
        return self._arrange(data)

    def _arrange(self, data: Data) -> Arranged:
        if self._case is not None and data is self._case.campaign:
            return self._case.arranged
        return Arranged(data)

    @cached_property
    def examination(self) -> Examination | None:
        """What the rules of `fsviz check` find; None without facts to check."""
        if self._examination is None and isinstance(self._campaign, Campaign):
            self._examination = run_checks(self._campaign, baseline=self.baseline)
        return self._examination

    @cached_property
    def findings(self) -> pd.DataFrame | None:
        """What `fsviz check` finds about what is shown; None without facts to check."""
        if self.examination is None:
            return None
        systems = [self.baseline, *self.candidates]
        tools = present(measurements_of(self.data), "tool")
        return findings_about(self.examination.findings, systems, tools)

    # Rows.

    @cached_property
    def _tests(self) -> pd.DataFrame:
        """A row a test of the whole campaign, with what only fsviz reads."""
        tests = answer_tests(self._arranged, self.baseline, self._strict)
        self._by_size, self._cells = tests.sizes, tests.cells
        return self._judged(tests.rows, "operation")

    def _judged(
        self, rows: pd.DataFrame, by: By, edges: Mapping[str, float] = EDGES
    ) -> pd.DataFrame:
        rows = _with_counts(rows)
        if self.examination is None:
            return without_findings(rows)
        return apply_findings(
            rows, self._arranged, self.examination, by=by, edges=edges
        )

    def _chosen(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Keep what is shown of the whole campaign's rows."""
        table = measurements_of(self.data)
        is_chosen = rows["candidate"].isin(self.candidates)
        is_chosen &= rows["tool"].isin(present(table, "tool"))
        if "setting" in rows and self.data is not self._campaign:
            is_chosen &= rows["setting"].isin(table["setting"].unique())
        if "all" not in set(rows["operation"]):
            is_chosen &= rows["operation"].isin(self.operations)
        if self.metrics:
            is_chosen &= rows["metric"].isin(self.metrics)
        return rows.loc[is_chosen].reset_index(drop=True)

    @cached_property
    def rows(self) -> pd.DataFrame:
        """One row per test, metric and candidate, with all columns."""
        return _public(self._chosen(self._tests))

    @cached_property
    def cells(self) -> pd.DataFrame:
        """One row per cell, metric and candidate."""
        _ = self._tests
        return _public(self._chosen(self._judged(self._cells, "operation")))

    @cached_property
    def all_cells(self) -> pd.DataFrame:
        """As `cells`, with the sizes that do not count: ``measurable`` tells them."""
        data, _ = self._measurable
        cells = self.cells.assign(measurable=True)
        if data is self._campaign:
            return cells
        arranged = self._arrange(self._campaign)
        every = compare_cells(arranged, self.baseline, self._strict)
        every["answer"] = UNTESTED
        every = self._chosen(without_findings(_with_counts(every)))
        key = [*PLACE, "file_size_bytes", "record_size_bytes"]
        counted = pd.MultiIndex.from_frame(cells[key].astype(str))
        is_extra = ~pd.MultiIndex.from_frame(every[key].astype(str)).isin(counted)
        extra_cells = _public(every.loc[is_extra]).assign(measurable=False)
        return pd.concat([cells, extra_cells], ignore_index=True)

    def by(
        self, kind: By = "bucket", edges: Mapping[str, float] = EDGES
    ) -> pd.DataFrame:
        """Return rows of another kind, each with its answer.

        Parameters
        ----------
        kind : {'bucket', 'operation', 'tool', 'file_size', 'record_size'}
            What one row covers. Units: `edges` [B].
        edges : mapping of str to float
            Largest file size [B] of each bucket, ascending.

        Returns
        -------
        DataFrame
            As `rows`; q is corrected over all rows of the kind in the campaign.
        """
        if kind == "operation":
            return self.rows
        if kind == "file_size":
            _ = self._tests
            rows = self._by_size
        else:
            rows = compare_rows(
                self._arranged, self.baseline, kind, self._strict, edges
            )
            rows = answer_rows(rows, self._tests)
        return _public(self._chosen(self._judged(rows, kind, edges)))

    # What is said.

    @cached_property
    def answers(self) -> list[Answer]:
        """The answers of all tests, in the metric that says who is faster."""
        if len(present(measurements_of(self._campaign), "system")) < 2:
            return []
        rows = self._chosen(self._tests)
        return answers_of(rows if self.metrics else rows.loc[_is_main(rows)])

    @cached_property
    def every_answer(self) -> list[Answer]:
        """The answers of all tests in all metrics."""
        if not self.answers:
            return []
        return answers_of(self._chosen(self._tests))

    @cached_property
    def sizes_line(self) -> str:
        """How many sizes count, and why the others do not; empty if all do."""
        tools = present(measurements_of(self.data), "tool")
        _, chosen = self._measurable
        return measurable_line(chosen) if chosen and "iozone" in tools else ""

    @cached_property
    def first_words(self) -> FirstWords:
        """What is said first."""
        notes = filter(None, (self.sizes_line, self._untimed))
        return first_words(self.answers, self.why, self.findings, notes)

    @property
    def _untimed(self) -> str:
        """Count the tests that took no measurable time on any system."""
        tests: dict[object, bool] = {}
        for answer in self.answers:
            ran = min(answer.n_baseline, answer.n_candidate) > 0
            tests[answer.test] = tests.get(answer.test, False) or (
                answer.is_measured or not ran
            )
        number = sum(not measured for measured in tests.values())
        if not number:
            return ""
        tests_words = "test" if number == 1 else "tests"
        return f"{number} {tests_words} took no measurable time on any system"

    @cached_property
    def table(self) -> Table:
        """One cell a test."""
        words = {answer.answer for answer in self.answers if answer.is_measured}
        notes = [
            *scope_notes(self.answers),
            *other_metric_notes(self.answers, self.every_answer),
            *meanings(words & _TO_EXPLAIN),
        ]
        return make_table(self.answers, notes)

    @cached_property
    def trust(self) -> Questions:
        """Four questions that decide whether the answers can be believed."""
        if self.examination is None or not isinstance(self.data, Campaign):
            return Questions()
        tools = present(self.data.measurements, "tool")
        systems = [self.baseline, *self.candidates]
        tool = tools[0] if len(tools) == 1 else ""
        return Questions(trust(self.data, self.examination, systems, tool))

    @cached_property
    def tests(self) -> list[Test]:
        """Every test that a system ran, with the answers of those that can be had."""
        grouped: dict[tuple, list[Answer]] = {test: [] for test in self._every_test}
        for answer in self.answers:
            grouped.setdefault(answer.test, []).append(answer)
        return [
            Test(self, test, tuple(answers_of_test))
            for test, answers_of_test in grouped.items()
        ]

    @property
    def _every_test(self) -> list[tuple]:
        """The tests whose sizes a system varied, by what `Answer.test` returns."""
        table = measurements_of(self.data)
        sized = table.loc[table["record_size_bytes"].notna() & table["value"].notna()]
        sized = sized.loc[sized["metric"].isin(self.metrics or MAIN_METRICS)]
        keys = ["tool", "operation", "metric", "setting", "threads"]
        rows = sized[keys].drop_duplicates()
        return [
            (str(tool), str(operation), str(metric), str(setting), threads)
            for tool, operation, metric, setting, threads in plain_rows(rows, keys)
            if operation in self.operations
        ]

    @cached_property
    def opens(self) -> tuple[str, str]:
        """The operation and candidate of the test that opens a page."""
        drawn = {test.operation for test in self.sized_tests}
        opening = most_telling(a for a in self.answers if a.operation in drawn)
        return (opening.operation, opening.candidate) if opening else ("", "")

    @property
    def sized_tests(self) -> list[Test]:
        """The tests whose file or record sizes were varied."""
        table = measurements_of(self.data)
        sizes = table.groupby(["tool", "operation"], observed=True)
        sizes_of_test = (
            sizes[["file_size_bytes", "record_size_bytes"]].nunique().max(axis=1)
        )
        return [
            t for t in self.tests if sizes_of_test.get((t.tool, t.operation), 0) > 1
        ]

    def lines(self, x: str = "", **choices: Any) -> Any:
        """Draw every test over what varies, else as a strip of its runs."""
        systems = [self.baseline, *self.candidates]
        return _figure(self.data, "lines", x=x, system=systems, **choices)

    def ratios(self) -> Any:
        """Draw the ratio of each test, with its interval, by size class."""
        if not self.answers:
            return Reason("no test was run on two systems")
        return _figure(self.data, "ratios", comparison=self)

    def __str__(self) -> str:
        return str(import_module("fsviz.text.terminal").comparison_text(self))

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        return str(import_module("fsviz.text.terminal").comparison_markdown(self))

    def _repr_html_(self) -> str:
        return str(import_module("fsviz.text.html").comparison_html(self))


FAR = 4.0
"""Times faster or slower from which a system is another kind of thing."""
_TO_EXPLAIN = {"inconclusive", "mixed", NOT_COMPARABLE}


def most_telling(answers: Iterable[Answer]) -> Answer | None:
    """Choose the largest decided difference, if any is decided.

    One without another difference that may be its cause, and of a candidate that is
    not typically far from the baseline, if there is such a one.
    """
    decided = [a for a in answers if a.answer in DIFFERENT and a.limit > 0]
    clean = [a for a in decided if not any(":" in w for w in a.scope)] or decided
    near = [a for a in clean if factor_of(a.limit) < FAR] or clean
    return max(near, key=lambda a: factor_of(a.limit), default=None)


class Test:
    """One test of a comparison: a tool's operation under one setting."""

    __test__ = False  # pytest collects what is called so

    def __init__(
        self, comparison: Comparison, test: tuple, answers: Sequence[Answer]
    ) -> None:
        self.comparison, self.answers = comparison, answers
        self.tool, self.operation, self.metric, self.setting, self.threads = test

    def __repr__(self) -> str:
        lines = ", ".join(f"{a.candidate} {a.words}" for a in self.answers)
        return f"<Test {self.tool} {self.operation}: {lines or 'one system'}>"

    def _repr_html_(self) -> str:
        return str(import_module("fsviz.text.html").test_html(self))

    @property
    def systems(self) -> list[str]:
        """The systems that have numbers of it, the baseline first."""
        table = measurements_of(self.comparison.data)
        ran = (table["tool"] == self.tool) & (table["operation"] == self.operation)
        if self.setting:
            ran &= table["setting"] == self.setting
        measured = present(table.loc[ran & table["value"].notna()], "system")
        every = [self.comparison.baseline, *self.comparison.candidates]
        return [name for name in every if name in measured]

    def _figure(self, kind: str, **more: Any) -> Any:
        """Draw a figure of this test alone."""
        part = self.comparison.data
        if isinstance(part, Campaign):
            part = part.select(tool=self.tool, setting=self.setting or None)
        return _figure(part, kind, self.operation, system=self.systems, **more)

    def explorer(self) -> Any:
        """Draw baseline and candidate cell by cell, or lines if sizes do not vary."""
        if usual_kind(self.comparison.data, self.operation) != "explorer":
            return self._figure("lines")
        return self._figure("explorer", comparison=self.comparison)

    def ratio_map(self) -> Any:
        """Draw the baseline's heatmap and each candidate's ratios, cell by cell."""
        if not self.answers:
            return Reason("only one system has this test")
        if usual_kind(self.comparison.data, self.operation) != "explorer":
            return Reason("its numbers have no matrix of file and record sizes")
        return self._figure("maps", comparison=self.comparison)

    def numbers(self, by: Literal["bucket", "file_size"] = "bucket") -> Any:
        """Show size classes: n, mean, standard deviation, median, interval."""
        import fsviz

        frame = fsviz.summary(self.comparison.data, operation=self.operation, by=by)
        is_shown = (frame["tool"] == self.tool) & (frame["metric"] == self.metric)
        return import_module("fsviz.text.html").numbers_html(frame.loc[is_shown])


class Reason:
    """Why there is no figure: a page has no silent gap."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return f"*No figure: {markdown_text(self.text)}.*"


def _figure(data: Data, kind: str, operation: str | None = None, **choices: Any) -> Any:
    """Draw a figure as `fsviz.plot` does or, if that is not possible, say why not."""
    import fsviz

    try:
        return fsviz.plot(data, kind, operation, **choices)
    except FsvizError as error:
        return Reason(str(error))


def compare(
    data: Any,
    *,
    baseline: str | None = None,
    candidate: Names = None,
    operation: Names = None,
    metric: Names = None,
    sizes: SizesChoice = "measurable",
    examination: Examination | None = None,
) -> Comparison:
    """Compare every system with a baseline.

    Parameters
    ----------
    data : Campaign, DataFrame, path-like or list
        A campaign, measurements, or a source that `fsviz.load` takes.
    baseline, candidate, operation, metric, sizes, examination
        As for `Comparison`.

    Returns
    -------
    Comparison
        Of one system alone it has tests and figures, but no answers.

    Raises
    ------
    UsageError
        If a name is unknown.
    MixedCellError
        If a cell contains runs that are not repeats of each other.
    """
    if not isinstance(data, Campaign | pd.DataFrame):
        import fsviz

        data = fsviz.load(data)
    return Comparison(
        data,
        baseline,
        candidates=candidate,
        operations=operation,
        metrics=metric,
        sizes=sizes,
        examination=examination,
    )


def _baseline(data: Data, named: str | None, systems: list[str]) -> tuple[str, str]:
    """Return the system to compare with, and why it is that one."""
    if not systems:
        raise UsageError("compare: expected measurements, found none")
    stated = baseline_of(data)
    first = named or (stated if stated in systems else None) or systems[0]
    if first not in systems:
        raise unknown("baseline", first, systems)
    if named:
        return first, ""
    if first.casefold() in BASELINES:
        return first, "the baseline by its name"
    return first, "the campaign's baseline" if first == stated else "the first system"


def _with_counts(rows: pd.DataFrame) -> pd.DataFrame:
    """Fill in the counts of runs with bounds where a tool printed none."""
    names = [f"n_{side}_censored" for side in ("baseline", "candidate")]
    return rows.assign(
        **{
            name: rows[name].fillna(0).astype("int64") if name in rows else 0
            for name in names
        }
    )


def _is_main(rows: pd.DataFrame) -> pd.Series:
    """Return a mask of one metric of each operation: a main one if there is any."""
    order = [*MAIN_METRICS, *(name for name in METRICS if name not in MAIN_METRICS)]
    rank = rows["metric"].astype(str).map({name: n for n, name in enumerate(order)})
    keys = [rows["tool"].astype(str), rows["operation"].astype(str)]
    return rank == rank.groupby(keys).transform("min")


def _public(rows: pd.DataFrame) -> pd.DataFrame:
    """Leave out what only fsviz reads, and put first what JSON promises."""
    names = [name for name in rows.columns if name not in _HIDDEN]
    first = [name for name in _SHOWN_FIRST if name in names]
    return rows[[*first, *(name for name in names if name not in first)]]
