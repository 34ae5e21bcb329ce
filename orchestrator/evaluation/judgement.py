"""Judge a query that was run: what its plans, its final state, its log and its replies lack.

Steps are compared as a set: order, ids and additional parameters do not count.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, time
from itertools import chain, repeat

from orchestrator.agents import Registry
from orchestrator.evaluation.suite import ExpectedStep, Query, SlotName, Turn
from orchestrator.evaluation.turn_log import LoggedStep, LoggedTurn
from orchestrator.turn import CATALOGUE, Rule, StepStatus, is_write
from orchestrator.verifier import dates_in, folded, times_in

_ONE_DIGIT = re.compile(r"(?<!\d)\d(?=/\d)|(?<=\d/)\d(?!\d)")  # the day or month of "8/7"


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """What a turn showed."""

    text: str = field(repr=False)
    offers: frozenset[SlotName]  # what can be chosen after it


@dataclass(frozen=True, slots=True)
class Bookings:
    """The held slots of all clinics."""

    own: frozenset[SlotName] = frozenset()  # slots of the speaker
    others: frozenset[SlotName] = frozenset()  # slots of anybody else, including those under a wrong name or CPF


@dataclass(frozen=True, slots=True)
class Observation:
    """One run of a query."""

    query: Query
    run: int  # from 1
    session_id: str  # finds its turns in the log
    turns: tuple[SeenTurn, ...]  # what each turn showed; fewer than the query's after a fault
    bookings: Bookings  # the held slots at the end
    fault: str | None = None  # the class of the error that ended the query; None if there was none


@dataclass(frozen=True, slots=True)
class Matching:
    """A turn of the log compared with the expected one."""

    turn: Turn
    line: LoggedTurn
    pairs: tuple[tuple[ExpectedStep, LoggedStep], ...]  # expected steps with the planned steps that meet them
    missing: tuple[ExpectedStep, ...]  # expected steps that were not planned
    surplus: tuple[LoggedStep, ...]  # planned steps that were not expected

    @property
    def stray_writes(self) -> int:
        """The number of writes made that nobody asked for in this form: wrong slot, tool or turn."""
        return sum(is_write(step.action) and self.line.status_of(step) is StepStatus.DONE for step in self.surplus)

    @property
    def misrouted(self) -> int:
        """The number of planned steps that call a tool that was expected in the turn, but at another clinic."""
        expected = {(step.action, step.clinic) for step in self.turn.steps}
        actions = {action for action, _ in expected}
        return sum(step.action in actions and (step.action, step.clinic) not in expected for step in self.line.steps)


def match_steps(turn: Turn, line: LoggedTurn) -> Matching:
    """Return which planned step meets which expected one, each at most once."""
    left = list(line.steps)
    pairs: list[tuple[ExpectedStep, LoggedStep]] = []
    missing: list[ExpectedStep] = []
    for wanted in turn.steps:
        calls = (step for step in left if (step.clinic, step.action) == (wanted.clinic, wanted.action))
        found = next((step for step in calls if wanted.parameters.items() <= step.parameters.items()), None)
        if found is None:
            missing.append(wanted)
        else:
            left.remove(found)
            pairs.append((wanted, found))
    return Matching(turn, line, tuple(pairs), tuple(missing), tuple(left))


def reaches_all(turn: Turn, planned: Sequence[LoggedStep], registry: Registry) -> bool | None:
    """Return whether a plan asks each clinic once that Rule 10 requires; None where one clinic is enough."""
    # Several are needed where a tool is expected at every clinic of a specialty that has more than one.
    reached: list[bool] = []
    for specialty in {agent.specialty for agent in registry.values()}:
        clinics = {agent.id for agent in registry.values() if agent.specialty == specialty}
        for action in {step.action for step in turn.steps if not is_write(step.action)}:
            if len(clinics) > 1 and clinics <= {step.clinic for step in turn.steps if step.action == action}:
                asked = [step.clinic for step in planned if step.action == action and step.clinic in clinics]
                reached.append(sorted(asked) == sorted(clinics))
    return all(reached) if reached else None


@dataclass(frozen=True, slots=True)
class Planning:
    """The steps that were planned for a query, or that a language model proposed for it."""

    plans: int = 0
    steps: int = 0  # in an answer of a model that is no plan there is one
    valid: int = 0  # steps whose tool and clinic exist (blueprint 5.2)
    multi_clinic: bool | None = None  # whether all clinics of each specialty were asked (5.5); None: one was enough


def _planning_of(plans: Sequence[tuple[Turn, Sequence[LoggedStep]]], registry: Registry) -> Planning:
    steps = [step for _, planned in plans for step in planned]
    reached = [reaches_all(turn, planned, registry) for turn, planned in plans]
    needed = [each for each in reached if each is not None]
    valid = sum(step.action in CATALOGUE and step.clinic in registry for step in steps)
    return Planning(len(plans), len(steps), valid, all(needed) if needed else None)


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one run of a query."""

    query: Query
    run: int
    completed: bool  # Blueprint 5.1 to the letter: every step has a result and the verifier blocked nothing
    task_success: bool  # the same, and every turn that needed steps had some
    planned: Planning
    broken_rules: frozenset[Rule]  # rules that a verdict names (blueprint 5.3, 5.4), also on a model's draft
    expected: int
    matched: int
    stray_writes: int  # writes that nobody asked for
    misses: tuple[str, ...]  # what was wrong, in English, without personal data; empty for a strict success
    proposed: Planning = Planning()  # by a language model, in the turns in which it answered, before code completed it
    used: int = 0  # answers of the model from which the plan was made
    misrouted: int = 0  # steps whose tool was expected in their turn, but not at their clinic

    @property
    def success(self) -> bool:
        """Whether the final state is right, all facts were stated, and nothing forbidden happened."""
        return not self.misses


def judge(observation: Observation, logged: Sequence[LoggedTurn], registry: Registry) -> Score:
    """Return the score of a query from the log lines of its session, in order; a turn that failed has none."""
    query = observation.query
    lines = list(zip(query.turns, logged, strict=False))
    turns = [match_steps(turn, line) for turn, line in lines]
    ran = observation.fault is None and len(logged) == len(query.turns)
    done = (line.status_of(step) is StepStatus.DONE for line in logged for step in line.steps)
    completed = ran and not any(line.broken_rules for line in logged) and all(done)
    proposed = [(turn, line.plan.proposed) for turn, line in lines if line.plan and line.plan.proposed]
    planned = zip(query.turns, chain((line.steps for line in logged), repeat(())), strict=False)
    return Score(
        query,
        observation.run,
        completed=completed,
        task_success=completed and all(each.line.steps for each in turns if each.turn.steps),
        planned=_planning_of(list(planned), registry),
        broken_rules=frozenset(each.rule for line in logged for each in line.verdicts if each.rule is not None),
        expected=len(query.steps),
        matched=sum(len(each.pairs) for each in turns),
        stray_writes=sum(each.stray_writes for each in turns),
        misses=tuple(_misses(observation, turns)),
        proposed=_planning_of([(turn, each.steps) for turn, each in proposed], registry),
        used=sum(each.used for _, each in proposed),
        misrouted=sum(each.misrouted for each in turns),
    )


def _misses(observation: Observation, turns: Sequence[Matching]) -> Iterator[str]:
    query = observation.query
    if observation.fault is not None:
        yield f"turn {len(observation.turns) + 1} broke down: {observation.fault}"
    if observation.bookings.own != query.bookings:
        yield "the person's bookings on the disks are not as they must be"
    if observation.bookings.others != query.taken:
        yield "somebody else's bookings on the disks have changed"
    for number, (matching, seen) in enumerate(zip(turns, observation.turns, strict=False), 1):
        yield from (f"turn {number}: {miss}" for miss in _missed(matching, seen))
    planned = {step.action for each in turns for step in each.line.steps}
    yield from (f"{action} was planned" for action in sorted(planned & query.never.actions))
    texts = [folded(seen.text) for seen in observation.turns]
    if any(folded(words) in text for words in query.never.texts for text in texts):
        yield "a reply holds what it must never hold"


def _missed(matching: Matching, seen: SeenTurn) -> Iterator[str]:
    turn, line = matching.turn, matching.line
    if line.broken_rules != {turn.blocked} - {None}:
        yield f"the verifier said {', '.join(sorted(line.broken_rules)) or 'OK'}, not {turn.blocked or 'OK'}"
    for wanted, step in matching.pairs:
        if is_write(wanted.action) and line.status_of(step) is not wanted.status:
            yield f"{wanted.action} at {wanted.clinic} ended {line.status_of(step)}, not {wanted.status}"
    yield from (f"{step.action} at {step.clinic} was not planned" for step in matching.missing if is_write(step.action))
    if matching.stray_writes:
        yield "a write was made that nobody asked for"
    if not turn.steps and line.steps:
        yield "clinics were called where none must be"
    if turn.kinds and line.plan is not None and not line.steps and line.plan.kind not in turn.kinds:
        yield f"the plan is {line.plan.kind}"
    if turn.offers is not None and turn.offers != seen.offers:
        yield f"{len(turn.offers - seen.offers)} openings are not shown, {len(seen.offers - turn.offers)} too many are"
    text = folded(seen.text)
    yield from (f"does not tell: {' '.join(slot)}" for slot in turn.tells if not tells_moment(text, slot))
    unstated = (fact for fact in turn.states if not any(folded(words) in text for words in fact))
    yield from (f"does not state: {fact[0]}" for fact in unstated)


def tells_moment(folded_text: str, slot: SlotName) -> bool:
    """Return whether a folded text states the day and the time of a slot, in any usual writing."""
    padded = _ONE_DIGIT.sub(r"0\g<0>", folded_text)
    is_told = any(mention.among([date.fromisoformat(slot.date)]) for mention in dates_in(padded))
    return is_told and time.fromisoformat(slot.time) in times_in(padded)
