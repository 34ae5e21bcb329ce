"""Proposals and consent: a keyed id of all that would be done, from which the request_ids of its writes follow.

To confirm twice repeats the same write. One of unknown outcome keeps its request_id until the clinic answers.
"""

import hmac
import json
import re
import secrets
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from operator import attrgetter

from orchestrator.turn.clinic import Clinic
from orchestrator.turn.opening_filter import WithDoctors, any_of
from orchestrator.turn.plan import Plan, Question, Step, Topic, listing_step
from orchestrator.turn.routing import StepResult, StepStatus
from orchestrator.turn.session import CloseVisit, Proposal, Session
from orchestrator.turn.step_actions import BOOK, REASONS, USUAL_MIN, Appointment, is_write
from orchestrator.turn.wish import Wish, of_slot

_LETTERS = "bcdfghjklmnpqrstvwxz"
"""No digits, so that nothing that hides numbers takes an id for one, and no vowels, so that no id is a word."""

_SALT, _DIGEST = 6, 12
"""Letters of each: a proposal made again has another id (26 bits); 52 bits are what a wrong plan would have to meet."""


def looked_for(proposal: Proposal | None) -> Question | None:
    """Return what a booking was chosen from, or which visit was to be moved: it goes on when that is turned down."""
    wish, asked = (None, None) if proposal is None else (proposal.plan.chosen_from, proposal.plan.question)
    if asked is not None and asked.topic is Topic.ASK_NEW_TIME:
        return asked
    return Question(Topic.ASK_ANOTHER_TIME, BOOK, {}, wish) if wish else None


@dataclass(frozen=True, slots=True)
class RepeatablePlan:
    """A plan whose writes can be sent again: a clinic makes each of them once."""

    plan: Plan  # the plan, with a request_id for each write
    id: str = ""  # the proposal's id; empty for a plan without writes
    is_confirmed: bool = False  # its writes may be made: the session brought this very id, or consent was given before


class ProposalIds:
    """Make proposal ids under a secret key, so that nobody finds out a CPF by trying; recognise those of this key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def assign(self, plan: Plan, session: Session, today: date) -> RepeatablePlan:
        """Return a plan with its id: the one that the session brings where that fits, else a new one."""
        if not plan.writes:
            return RepeatablePlan(plan)
        steps = [[step.step_id, step.clinic, step.action, step.parameters, step.after] for step in plan.steps]
        person = [session.identity.name, session.identity.cpf, session.role]
        content = json.dumps([today.isoformat(), person, steps], sort_keys=True).encode()  # what an id stands for
        brought = session.confirmation
        if brought is not None and hmac.compare_digest(brought, self._id(brought.replace("-", "")[:_SALT], content)):
            return RepeatablePlan(self._with_request_ids(plan, brought, content), brought, is_confirmed=True)
        new = self._id("".join(secrets.choice(_LETTERS) for _ in range(_SALT)), content)
        return RepeatablePlan(self._with_request_ids(plan, new, content), new)

    def _id(self, salt: str, content: bytes) -> str:
        number = int.from_bytes(self._digest(f"id\0{salt}", content))
        letters = (_LETTERS[number // len(_LETTERS) ** place % len(_LETTERS)] for place in range(_DIGEST))
        return _grouped(salt + "".join(letters))

    def _with_request_ids(self, plan: Plan, proposal_id: str, content: bytes) -> Plan:
        # Of the whole digest: request_ids of one clinic must never meet by accident.
        namespace = uuid.UUID(bytes=self._digest(f"request_id\0{proposal_id}", content)[:16])
        steps = (
            replace(step, request_id=str(uuid.uuid5(namespace, str(step.step_id)))) if is_write(step.action) else step
            for step in plan.steps
        )
        return replace(plan, steps=tuple(steps))

    def _digest(self, purpose: str, content: bytes) -> bytes:
        return hmac.digest(self._key, purpose.encode() + b"\0" + content, "sha256")


def parse_proposal_id(text: str) -> str:
    """Return an id as it is given out, in lower case with dashes; raise ValueError for any other text, not repeated."""
    letters = re.sub(r"[\s-]", "", text).lower()
    if re.fullmatch(f"[{_LETTERS}]{{{_SALT + _DIGEST}}}", letters) is None:
        raise ValueError("an id of a proposal is expected, as it was printed: three groups of six letters")
    return _grouped(letters)


def _grouped(letters: str) -> str:
    return "-".join(re.findall(".{6}", letters))


def has_unknown_outcome(results: Sequence[StepResult]) -> bool:
    """Return whether a write may or may not have been made."""
    return any(result.status is StepStatus.UNKNOWN for result in results)


def proposal_in_doubt(proposal: Proposal | None) -> Proposal | None:
    """Return a proposal that was tried and whose outcome is not known; None for any other."""
    return proposal if proposal is not None and proposal.attempted else None


def kept_proposal(plan: Plan, proposal: Proposal | None) -> Proposal | None:
    """Return what of an open proposal still waits for a yes after a plan."""
    if proposal is None or plan.keeps_proposal:
        return proposal
    return None if plan.writes else proposal_in_doubt(proposal)


def reuse_request_ids(plan: Plan, proposal: Proposal | None) -> Plan:
    """Return a plan in which each write that is in doubt has its own request_id again."""
    tried = proposal_in_doubt(proposal)
    if tried is None:
        return plan
    in_doubt = [step for step in tried.plan.steps if step.request_id in tried.in_doubt]

    def request_id(step: Step) -> str | None:
        same = (one.request_id for one in in_doubt if (one.clinic, one.call) == (step.clinic, step.call))
        return next(same, step.request_id)

    return replace(plan, steps=tuple(replace(step, request_id=request_id(step)) for step in plan.steps))


def proposal_of(repeatable: RepeatablePlan, proposal: Proposal | None) -> Proposal:
    """Return the proposal of a plan's writes; those that were in doubt before are in doubt still."""
    ids = {step.request_id for step in repeatable.plan.steps}
    in_doubt = frozenset(one for one in proposal.in_doubt if one in ids) if proposal else frozenset()
    return Proposal(repeatable.plan, in_doubt, repeatable.id)


def proposal_to_repeat(
    repeatable: RepeatablePlan, results: Sequence[StepResult], proposal: Proposal | None
) -> Proposal | None:
    """Return the steps to send again under the same request_ids when a write's outcome is not known.

    That is the write itself and what was skipped behind it; what was answered is not asked twice. A write in doubt from
    before stays so, too, where the plan was carried out without asking and is about something else.
    """
    left = _left_in_doubt(repeatable.plan, proposal)
    asked_again = (StepStatus.UNKNOWN, StepStatus.SKIPPED)
    again = [result.step for result in results if result.status in asked_again] if has_unknown_outcome(results) else []
    if not left and not again:
        return None
    unknown = [result.step for result in results if result.status is StepStatus.UNKNOWN]
    return Proposal(
        replace(repeatable.plan, steps=(*again, *left)),
        in_doubt=frozenset(str(step.request_id) for step in (*unknown, *left)),
        id=repeatable.id if again or proposal is None else proposal.id,
    )


def visits_close_to(
    taken: Sequence[Appointment], held: Iterable[Appointment], clinics: Sequence[Clinic], travel_min: int
) -> tuple[CloseVisit, ...]:
    """Return what is close to slots, each other among it; between two visits at one address nobody travels.

    A visit of the specialty of a slot is told whatever its day: the slot may be meant in its place.
    """
    codes = {clinic.id: clinic.specialty for clinic in clinics}
    places = {clinic.id: clinic.place or clinic.id for clinic in clinics}
    found = set[CloseVisit]()
    for place, slot in enumerate(taken):
        for other in (*taken[:place], *held):
            first, second = sorted((slot, other), key=attrgetter("begin"))
            end = first.begin + timedelta(minutes=first.duration_min or USUAL_MIN)
            gap = int((second.begin - end).total_seconds() // 60)
            near = places.get(slot.clinic) == places.get(other.clinic)
            close = gap < (0 if near else travel_min)
            alike = other not in taken and codes.get(slot.clinic) == codes.get(other.clinic)
            if other not in taken[place:] and (close or alike):
                found.add(CloseVisit(other, gap, alike=not close))
    return tuple(sorted(found, key=attrgetter("held.begin")))


def with_close_visits(
    proposal: Proposal,
    taken: Sequence[Appointment],
    own: Session,
    clinics: Sequence[Clinic],
    travel_min: int,
    now: datetime,
) -> Proposal:
    """Return a proposal with what the person holds close to the slots that it takes, and which can change no more."""
    given_back = {step.given_back for step in proposal.plan.steps if step.given_back}
    found = visits_close_to(taken, set(own.appointments) - given_back, clinics, travel_min)
    close = tuple(one for one in found if not (given_back and one.alike))
    local = now.replace(tzinfo=None)  # as slots are told
    named = [(one, clinic) for one in taken for clinic in clinics if clinic.id == one.clinic]
    lasting = tuple(one for one, clinic in named if one.begin - clinic.change_notice <= local)
    return replace(proposal, close=close, unchecked=own.silent, lasting=lasting)


def split_in_doubt(proposal: Proposal) -> tuple[Proposal, Plan | None]:
    """Part a proposal into the writes whose outcome is not known, to be asked about, and a plan of those never sent.

    The plan is to be proposed afresh; it is None when there are none.
    """
    steps = proposal.plan.steps
    doubtful = tuple(step for step in steps if step.request_id in proposal.in_doubt)
    unsent = tuple(replace(step, after=None) for step in steps if step.request_id not in proposal.in_doubt)
    asking = replace(proposal, plan=replace(proposal.plan, steps=doubtful))
    return asking, replace(proposal.plan, steps=unsent) if unsent else None


def keep_unknown_outcomes(results: Sequence[StepResult], proposal: Proposal | None) -> tuple[StepResult, ...]:
    """Return results in which a write in doubt stays so, unless its repeat reveals the first attempt's outcome.

    An acknowledgement does, and so does a clinic's no: it would have repeated its answer to a write that it made.
    """
    in_doubt = proposal.in_doubt if proposal is not None else frozenset()

    def kept(result: StepResult) -> StepResult:
        reason = None if result.error is None else REASONS.of(result.error)  # one that no contract lists proves nothing
        decided = result.status is StepStatus.REFUSED and reason is not None and reason.is_decision
        settled = decided or result.status is StepStatus.DONE or result.step.request_id not in in_doubt
        return result if settled else replace(result, status=StepStatus.UNKNOWN)

    return tuple(map(kept, results))


def _left_in_doubt(plan: Plan, proposal: Proposal | None) -> list[Step]:
    if proposal is None or not plan.writes:
        return []
    in_doubt = proposal.in_doubt.difference(step.request_id for step in plan.steps)
    offset = max(step.step_id for step in plan.steps)
    left = (step for step in proposal.plan.steps if step.request_id in in_doubt)
    return [replace(step, step_id=step.step_id + offset, after=None) for step in left]


def plan_of_openings(plan: Plan, taken: Sequence[Appointment], others: Sequence[Appointment] = ()) -> Plan:
    """Return the plan that looks up the slots that a plan takes, and shows what is open near them; others wait."""
    places = dict.fromkeys((slot.clinic, slot.doctor) for slot in taken)
    steps = tuple(replace(listing_step(*place), step_id=number) for number, place in enumerate(places, 1))
    wanted = any_of(map(of_slot, taken))
    moved = plan.question is not None and plan.question.topic is Topic.ASK_NEW_TIME
    alike = [Wish(WithDoctors(frozenset({slot.doctor}))) for slot in taken] if others else []  # as what is near is
    waiting = (*alike, *(Wish(of_slot(slot)) for slot in others)) if others else ()
    wish = Wish.of_either(alike) if others else Wish(wanted)
    offered = Question(Topic.ASK_WHICH_OFFER, BOOK, {"doctor": taken[0].doctor}, wish, waiting=waiting)
    question = plan.question if moved else offered
    return replace(plan, steps=steps, question=question, wish=Wish(wanted), nearest=False, asks_first=False, reply=None)
