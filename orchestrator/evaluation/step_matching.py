"""Compare the steps of a plan, and those that a language model proposed, with the expected ones.

Steps are compared as a set: order, ids and additional parameters do not count.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from orchestrator.agents import Registry
from orchestrator.evaluation.suite import ExpectedStep, Query, Turn
from orchestrator.evaluation.turn_log import LoggedStep, LoggedTurn
from orchestrator.turn import CATALOGUE, StepStatus, is_write


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


def required_clinics(turn: Turn, registry: Registry) -> Mapping[tuple[str, str], frozenset[str]]:
    """Return what Rule 10 requires of a turn: by tool and specialty, all clinics of the specialty.

    A turn needs several clinics when a tool is expected at every clinic of a specialty that has more than one.
    """
    required: dict[tuple[str, str], frozenset[str]] = {}
    for specialty in {agent.specialty for agent in registry.values()}:
        clinics = frozenset(agent.id for agent in registry.values() if agent.specialty == specialty)
        for action in {step.action for step in turn.steps}:
            asked = {step.clinic for step in turn.steps if step.action == action}
            if len(clinics) > 1 and clinics <= asked and not is_write(action):
                required[action, specialty] = clinics
    return required


def all_reached(answers: Iterable[bool | None]) -> bool | None:
    """Return whether all clinics were reached in every turn that needed several; None where none did."""
    asked = [answer for answer in answers if answer is not None]
    return all(asked) if asked else None


def reaches_all(turn: Turn, planned: Sequence[LoggedStep], registry: Registry) -> bool | None:
    """Return whether a plan has exactly one step for each required clinic; None where one clinic is enough."""
    required = required_clinics(turn, registry)
    if not required:
        return None
    return all(
        sorted(step.clinic for step in planned if step.action == action and step.clinic in clinics) == sorted(clinics)
        for (action, _), clinics in required.items()
    )


@dataclass(frozen=True, slots=True)
class Proposals:
    """What a model proposed in one query."""

    plans: int = 0  # turns in which it answered
    used: int = 0  # answers from which the plan was made
    steps: int = 0  # proposed steps; an answer that is no plan counts as one
    valid: int = 0  # proposed steps whose tool and clinic exist (blueprint 5.2)
    # Blueprint 5.5 for the turns in which it answered; None where one clinic was enough
    multi_clinic: bool | None = None


def proposals_of(query: Query, logged: Sequence[LoggedTurn], registry: Registry) -> Proposals:
    """Return a model's proposals in the turns of a query."""
    answered = [
        (turn, proposed)
        for turn, line in zip(query.turns, logged, strict=False)
        if line.plan is not None and (proposed := line.plan.proposed) is not None
    ]
    steps = [step for _, proposed in answered for step in proposed.steps]
    return Proposals(
        plans=len(answered),
        used=sum(proposed.used for _, proposed in answered),
        steps=len(steps),
        valid=sum(step.action in CATALOGUE and step.clinic in registry for step in steps),
        multi_clinic=all_reached(reaches_all(turn, proposed.steps, registry) for turn, proposed in answered),
    )
