"""``fsviz.run``: rounds in random order until the answer stands."""

from __future__ import annotations

import datetime as dt
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from fsviz.analysis.tests import FEWEST
from fsviz.campaigns.campaign_toml import Measured
from fsviz.campaigns.machine import Machine
from fsviz.measuring import _plan as plan
from fsviz.measuring._counters import between, count
from fsviz.measuring._folder import Results, campaign_text
from fsviz.measuring._stopping import SPENT, tests_of, why_stop
from fsviz.measuring.places import (
    SHARE,
    Place,
    drop_caches,
    guarded,
    memory_group,
    out_of_memory,
    places_of,
    reserved,
    shared_lines,
    started,
)
from fsviz.measuring.tools import TOOLS, chosen_tools, make_tree, tree_files
from fsviz.model.campaign import Campaign
from fsviz.model.errors import FsvizError, UsageError, printable
from fsviz.model.names import Names, names_of
from fsviz.model.units import format_size, significant
from fsviz.model.writing import replacing, write_file
from fsviz.store.load import load

Tell = Callable[[str], object]

_PATIENCE = 4.0
"""Times longer than expected that a run may take."""
_LEAST = 20.0
"""Time [s] that a run may take at least."""
_WARM_UPS = 3
"""Times that a round may show another design to fit better."""


class RunFailedError(FsvizError):
    """A tool failed, or took longer than it may."""


def run(
    campaign: str | os.PathLike[str],
    mounts: Mapping[str, str | os.PathLike[str]],
    *,
    within: float = 1800.0,
    question: str = "throughput",
    tool: Names = None,
    seed: int | None = None,
    tell: Tell = lambda _: None,
    now: Tell = lambda _: None,
) -> Iterator[Campaign]:
    """Measure systems in rounds until the answer is clear.

    After a trial and a warm-up, each round measures every system once, in a random
    order that the next round reverses. From the third on, `run` looks at the answers,
    and spreads the allowed error over the looks (Lan & DeMets, Biometrika 70, 1983).

    Parameters
    ----------
    campaign : path-like
        Folder of the results; what an earlier call began there is continued.
    mounts : mapping of str to path-like
        Name of each system, and a folder on it; the first is the baseline.
    within : float
        Budget [s].
    question : {'throughput', 'small-files', 'latency', 'everything'}
        Determines the tools and their tests.
    tool : str, iterable of str or None
        By default those that the question needs.
    seed : int or None
        Seed of the random order; by default drawn, and recorded.
    tell, now : callable
        Called with each decision and failure, and with what is running.

    Returns
    -------
    iterator of Campaign
        The campaign after each round; ``campaign.toml`` records why it ended.

    Raises
    ------
    UsageError
        If a folder, tool or question cannot be used, or the budget is too small.
    FsvizError
        If a mount is lost, or every tool fails.
    """
    results = Results(Path(campaign))
    places = places_of(mounts, results.campaign)
    chosen = chosen_tools(question, names_of(tool))
    with reserved(places), results.locked():
        design = results.design_stored(places)
        if design is None:
            design = _first(question, chosen, within, seed, tell)
        elif design.ended:
            tell(f"{results.folder}: it has ended before: {design.ended}")
            yield load(results.folder)
            return
        else:
            tell(f"goes on as {results.folder} says: {design.rounds} rounds")
        yield from _Session(results, places, design, tell, now).rounds()


def _first(
    question: str,
    chosen: tuple[list[str], list[str]],
    within: float,
    seed: int | None,
    tell: Tell,
) -> Measured:
    """Design the trial, and tell which tools are missing."""
    here, missing = chosen
    for line in missing:
        tell(line)
    seed = random.SystemRandom().getrandbits(31) if seed is None else seed
    return plan.first_design(question, here, within, seed)


def planned(
    mounts: Mapping[str, str | os.PathLike[str]],
    campaign: Path,
    within: float,
    question: str,
    tool: Names,
) -> list[str]:
    """Say what would be measured if the systems were as fast as is assumed.

    Units: `within` [s].
    """
    results = Results(campaign)
    places = places_of(mounts, results.campaign)
    here, missing = chosen_tools(question, names_of(tool))
    tried = plan.first_design(question, here, within, 0)
    machine = Machine()
    ram = machine.memory() or plan.SMALLEST
    with memory_group(plan.SMALLEST, machine) as group:
        design = plan.fitting(
            tried,
            plan.assumed(tried, len(places)),
            within * (1 - plan.TRIAL),
            min(place.room for place in places),
            ram=ram,
            can_limit=group is not None,
        )
    return [
        *missing,
        *shared_lines(places),
        *plan.size_lines(
            design, [printable(p.system) for p in places], ram, results.servers(places)
        ),
        *plan.round_lines(design, len(places)),
        "assumed: every system moves 200 MiB/s, which a trial will measure",
    ]


@dataclass
class _Session:
    """One call: what is measured, where, and how much of the budget is used."""

    results: Results
    places: Sequence[Place]
    design: Measured
    tell: Tell
    now: Tell
    group: Path | None = None
    machine: Machine = field(default_factory=Machine)
    began: float = field(default_factory=time.monotonic)
    took: dict[str, float] = field(default_factory=dict)
    announced: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Go on after the last run that is there."""
        self.last = self.results.latest()

    @cached_property
    def ram(self) -> int:
        """Memory of the client [B]."""
        return self.machine.memory() or plan.SMALLEST

    @cached_property
    def can_limit(self) -> bool:
        """Whether the tools can be given less of it."""
        with memory_group(plan.SMALLEST, self.machine) as group:
            return group is not None

    @property
    def left(self) -> float:
        """Budget that is left [s]."""
        used = self.design.used_s + time.monotonic() - self.began
        return self.design.within_s - used

    def rounds(self) -> Iterator[Campaign]:
        """Try, warm up, and measure round after round; the campaign after each."""
        if not self._is_designed():
            with guarded(self.places, None):
                self._begin()
        for warm_ups in range(1, _WARM_UPS + 1):
            with self._limited():
                if self._warm_up(final=warm_ups == _WARM_UPS):
                    break
        with self._limited():
            yield from self._measure()

    @contextmanager
    def _limited(self) -> Iterator[None]:
        """Hold our folders, and the memory that the design gives to the tools."""
        with ExitStack() as stack:
            if self.design.limited:
                self.group = stack.enter_context(memory_group(self.design.memory))
                if self.group is None:
                    raise UsageError(
                        f"{self.results.folder}: expected the right to limit memory, "
                        "as when it began, found none"
                    )
            stack.enter_context(guarded(self.places, self.group))
            try:
                yield
            finally:
                self._record()

    def _is_designed(self) -> bool:
        return (self.results.folder / "campaign.toml").is_file()

    def _record(self, **changes: object) -> None:
        """Write the design, with the time that was used so far."""
        now = time.monotonic()
        used = self.design.used_s + now - self.began
        self.began = now
        self.design = self.design.model_copy(
            update={"used_s": round(used, 1), **changes}
        )
        if self._is_designed():
            self.results.record(self.design)

    # The design

    def _begin(self) -> None:
        """Try what the systems can do, choose a design, and write both down."""
        tried = self.design
        self._refuse_full(tried)
        self.results.end_trial()  # of a call that was killed
        took = self._tried(tried)
        self.results.end_trial()
        self.design = self._fitting(
            tried.model_copy(update={"tools": list(took)}), took
        )
        self._announce()
        self.results.begin(self._text(), self.design)
        self._record()

    def _fitting(self, tried: Measured, took: Mapping[str, float]) -> Measured:
        """Choose the design that fits the time and the room that are left."""
        room = min(place.room for place in self.places)
        design = plan.fitting(
            tried, took, self.left, room, ram=self.ram, can_limit=self.can_limit
        )
        self._refuse_full(design)
        return design

    def _refuse_full(self, design: Measured) -> None:
        """Refuse a design that would fill more than a share of what is free."""
        needed, place = plan.needed(design), min(self.places, key=lambda p: p.room)
        if needed > place.room:
            raise UsageError(
                f"{place.mount}: expected {format_size(needed)} within {SHARE:.0%} of "
                f"the free space, found {format_size(place.room)}"
            )

    def _announce(self) -> None:
        names = [printable(place.system) for place in self.places]
        servers = self.results.servers(self.places)
        sizes = plan.size_lines(self.design, names, self.ram, servers)
        for line in (*shared_lines(self.places), *sizes):
            if line not in self.announced:  # a design that grows changes some of it
                self.announced.add(line)
                self.tell(line)

    def _tried(self, tried: Measured) -> dict[str, float]:
        """Measure a small run of each tool on each system [s]; leave out what fails."""
        share = plan.TRIAL * tried.within_s / len(tried.tools)
        took = {}
        for tool in tried.tools:
            began = time.monotonic()
            try:
                for place in self.places:
                    self.tell(f"trial: {tool} on {printable(place.system)}")
                    limit = share - (time.monotonic() - began)
                    why = "a trial may take a tenth of --within"
                    self._once(tool, place, 0, 1, limit, why)
            except RunFailedError as error:
                self.tell(f"{error}; left out")
                continue
            took[tool] = time.monotonic() - began
        if not took:
            raise UsageError(
                f"run: expected a tool that ends a trial within "
                f"{significant(share, 2)} s, a tenth of --within, found none"
            )
        return took

    def _text(self) -> str:
        shared = self.machine.facts()
        cold = drop_caches(self.places)
        notes = [
            "each system once a round, in random order",
            "page cache dropped before each run"
            if cold
            else "page cache not dropped before runs, for want of the right to",
        ]
        if self.design.limited:
            shared["client_ram"] = f"{self.design.memory >> 20} MiB"
            notes.append("memory limited by a control group")
        shared["notes"] = "; ".join(notes)
        facts_of = {p.system: self.machine.facts_of_mount(p.mount) for p in self.places}
        return campaign_text(self.results.folder.name, self.places, shared, facts_of)

    # Rounds

    def _warm_up(self, *, final: bool) -> bool:
        """Measure a round that does not count; False where its time asks for more.

        That is blind to the answers, so it costs no error.
        """
        if self.design.looks or all(
            self.results.has(tool, place, 0)
            for tool in self.design.tools
            for place in self.places
        ):
            return True
        self.tell("warming up, which shows whether more fits")
        self.took.clear()
        self._round(0)
        before, a_round = self.design, sum(self.took.values())
        better = self._fitting(before, self.took)
        if better.file_sizes + better.record_sizes == (
            before.file_sizes + before.record_sizes
        ):
            final = True
        if final:
            self.design = plan.with_rounds(before, a_round, self.left)
            self._record()
            for line in plan.round_lines(self.design, len(self.places)):
                self.tell(line)
            return True
        self.design = better
        self._announce()
        self.results.end_trial()
        self.results.begin(self._text(), self.design)
        return False

    def _measure(self) -> Iterator[Campaign]:
        for round_ in range(1, self.design.rounds + 1):
            began = time.monotonic()
            if self._round(round_):
                took = time.monotonic() - began
                mean = (self.design.seconds_a_round + took) / 2
                self._record(seconds_a_round=round(mean, 2))
            elif self.design.looks and self.design.looks[-1] > round_:
                continue
            last = self.left < self.design.seconds_a_round
            campaign, why = self._look(round_, last=last)
            yield campaign
            if why:
                return

    def _look(self, round_: int, *, last: bool) -> tuple[Campaign, str]:
        """Judge the answers after a round, and say why that is enough, if it is."""
        if round_ >= FEWEST:
            # first the look, then what it shows: a kill between costs no error
            looks = [*self.design.looks, round_]
            closed = last and round_ < self.design.rounds
            self._record(looks=list(dict.fromkeys(looks)), closed=closed)
        campaign = load(self.results.folder)
        why = SPENT if last else ""
        if round_ >= FEWEST:
            why = why_stop(tests_of(campaign), campaign)
        if why:
            self._record(ended=why)
        return campaign, why

    def _round(self, round_: int) -> bool:
        """Measure what a round lacks; False where it lacked nothing."""
        anything = False
        for tool in list(self.design.tools):
            order = plan.order(self.places, round_, self.design.seed)
            for at, place in enumerate(order, 1):
                if not self.results.has(tool, place, round_):
                    anything = True
                    self._insist(tool, place, round_, at)
                    if tool not in self.design.tools:
                        break
        return anything

    def _insist(self, tool: str, place: Place, round_: int, at: int) -> None:
        """Measure once; a tool that fails again and again is left out from then on."""
        part = f"round {round_} of {self.design.rounds}" if round_ else "warm-up"
        left = significant(max(self.left, 0.0) / 60, 2)
        self.now(f"{part}: {tool} on {printable(place.system)}, {left} min left")
        usual = max(_LEAST, _PATIENCE * self.design.seconds_a_round)
        limit = min(usual, max(_LEAST, self.left))
        why = f"a run may take {_PATIENCE:g} times as long as a round did"
        for again in ("; trying again", ""):
            began = time.monotonic()
            try:
                self._once(tool, place, round_, at, limit, why)
            except RunFailedError as error:
                self.tell(f"{error}{again}")
            else:
                more = time.monotonic() - began
                self.took[tool] = self.took.get(tool, 0.0) + more
                return
        tools_left = [name for name in self.design.tools if name != tool]
        if not tools_left:
            raise RunFailedError(f"{tool}: expected a run that ends well, found none")
        self.tell(f"{tool}: left out from here on")
        self._record(tools=tools_left)

    def _once(
        self, tool: str, place: Place, round_: int, at: int, limit: float, why: str
    ) -> None:
        """Measure one run and keep its output with what was counted meanwhile.

        Units: `limit` [s], for which `why` is the reason.
        """
        part = self.results.part()
        place.make()
        tree = self.results.tree()
        if TOOLS[tool].copies:
            make_tree(tree, tree_files(self.design), self.design.seed)
        command = TOOLS[tool].command(self.design, place.folder, tree)
        drop_caches(self.places)
        if TOOLS[tool].copies:  # from memory, for all systems alike
            make_tree(tree, tree_files(self.design), self.design.seed)
        first, moment, began = count(place), self._now(), time.monotonic()
        words = started(command, self.group)
        killed = out_of_memory(self.group)
        try:
            used = _run_to_end(words, part / TOOLS[tool].suffix, limit, why)
        except RunFailedError:
            if out_of_memory(self.group) == killed:
                raise
            memory = format_size(self.design.memory)
            raise RunFailedError(
                f"{tool}: expected to need at most {memory} of memory, found more"
            ) from None
        took = time.monotonic() - began
        last = count(place)
        if TOOLS[tool].copies:
            text = f"real {took:.3f}\nuser {used[0]:.3f}\nsys {used[1]:.3f}\n"
            write_file(part / "time.txt", text)
        counted = between(
            first, last, started=moment, seconds=took, round_=round_, at=at
        )
        self.results.keep(tool, place, round_, counted)

    def _now(self) -> str:
        """Return the time: later than the run before, whatever the clock does."""
        now = dt.datetime.now(dt.UTC).replace(tzinfo=None)
        self.last = max(now, self.last + dt.timedelta(seconds=1))
        return self.last.isoformat(timespec="milliseconds")


def _run_to_end(
    command: Sequence[str], output: Path, limit: float, why: str
) -> tuple[float, float]:
    """Run a command to its end; return the user's and the system's time [s]."""
    before, tool = os.times(), command[6]
    with replacing(output) as out:
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.PIPE,
            env=os.environ | {"LC_ALL": "C"},
            start_new_session=True,
        ) as process:
            try:
                errors = process.communicate(timeout=max(limit, 0.0))[1]
            except subprocess.TimeoutExpired:
                most = significant(max(limit, 0.0), 2)
                raise RunFailedError(
                    f"{tool}: expected an end within {most} s ({why}), found none"
                ) from None
            finally:
                process.terminate()  # which ends all that the tool has started
        if process.returncode:
            raise RunFailedError(
                _failure_words(tool, process.returncode, errors, output.parent)
            )
    after = os.times()
    return (
        after.children_user - before.children_user,
        after.children_system - before.children_system,
    )


def _failure_words(tool: str, status: int, errors: bytes, part: Path) -> str:
    """Word a failure with the last line that the tool printed about it."""
    if status < 0:
        name = signal.Signals(-status).name
        return f"{tool}: expected an end of its own, found that {name} ended it"
    printed = b"".join(path.read_bytes()[-_TAIL:] for path in part.iterdir())
    for text in (errors[-_TAIL:], printed):
        lines = text.decode("utf-8", "replace").splitlines()
        if messages := [line.strip() for line in lines if line.strip()]:
            return (
                f"{tool}: expected status 0, found {status}: {printable(messages[-1])}"
            )
    return f"{tool}: expected status 0, found {status}"


_TAIL = 4096
"""Bytes at the end of what a tool printed in which to look for its complaint."""
