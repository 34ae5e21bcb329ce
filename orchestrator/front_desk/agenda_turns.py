"""Take the turns of operators about agendas; every other turn is a conversation's.

A change waits for a yes, as every write does. Appointments in the way of a closing are moved one by one, each as one
change: by a move, or by a booking and then a cancellation.
"""

import threading
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from datetime import time as clock_time

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.clock import Clock
from orchestrator.agents import Registry
from orchestrator.front_desk import agenda_words as words
from orchestrator.front_desk.agenda_request import AgendaRequest, AskAgain, ListDay, read_request
from orchestrator.front_desk.serving import ends_serving, served_in, session_for
from orchestrator.journal import EventChannel, TurnFinished, TurnStarted
from orchestrator.planner.text import guess_language, normalise
from orchestrator.planner.understanding import answer, find_danger
from orchestrator.responder import ReplyContext
from orchestrator.stages import Router, TurnTaker
from orchestrator.texts import texts_in
from orchestrator.turn import (
    AgendaProposal,
    Appointment,
    Block,
    Directory,
    Evidence,
    Exchange,
    Identity,
    IdentityError,
    Paragraph,
    PatientVisit,
    Plan,
    Reply,
    Role,
    Session,
    Step,
    StepResult,
    StepStatus,
    TurnOutcome,
    TurnScope,
    booking_step,
    cancelling_step,
    has_unknown_outcome,
    listing_step,
    moving_step,
)


@dataclass(frozen=True, slots=True)
class _Turn:
    id: str
    session: Session
    cancel: threading.Event
    context: ReplyContext


_Answer = tuple[TurnOutcome, Sequence[Block], AgendaProposal | None]


@dataclass(frozen=True, slots=True)
class FrontDesk:
    """A conversation that also keeps agendas and knows whom an operator serves."""

    conversation: TurnTaker
    registry: Registry
    router: Router
    directory: Directory
    events: EventChannel
    clock: Clock
    consent_given: bool = False  # changes are made without asking
    proposes_moves: bool = False  # those in the way of a closing are moved, too

    def turn(
        self,
        session: Session,
        utterance: str,
        cancel: threading.Event | None = None,
        plan: Plan | None = None,
        *,
        agrees: bool = False,
    ) -> tuple[Reply, Session]:
        """Answer one utterance; return the reply and the next session."""
        if session.role is not Role.OPERATOR or plan is not None or agrees:
            return self.conversation.turn(session, utterance, cancel, plan, agrees=agrees)
        text = normalise(utterance)
        if find_danger(text).emergency:
            return self.conversation.turn(session, utterance, cancel)
        language = session.pinned_language or guess_language(text, session.language)
        session = replace(session, language=language)
        if (following := _served(session, utterance)) is not None:
            return following
        clinics, agenda = self.directory.clinics(), session.agenda or AgendaProposal()
        consent = answer(utterance) if agenda.waits else None
        request = None if consent is not None else read_request(utterance, language, clinics, self.clock())
        if request == AgendaProposal() and not agenda.visits:
            request = None
        if request is None and consent is None:
            return self.conversation.turn(replace(session, agenda=None), utterance, cancel)
        context = ReplyContext(language, session.identity, clinics)
        turn = _Turn(str(uuid.uuid4()), session, cancel or threading.Event(), context)
        self.events.publish(TurnStarted(session.session_id, turn.id))
        started = time.monotonic()
        if request is not None:
            outcome, blocks, proposal = self._answer(turn, request, agenda)
        elif consent:
            outcome, blocks, proposal = self._carry_out(turn, agenda)
        else:
            dropped = Paragraph(context.texts.text("responder.consent.dropped"))
            outcome, blocks, proposal = TurnOutcome.OK, [dropped], None
        reply = Reply(language, outcome, tuple(blocks))
        # What is said names patients.
        self.events.publish(TurnFinished(outcome, "", time.monotonic() - started))
        history = (*session.history, Exchange(utterance, reply.plain, private=True, blocks=reply.blocks))
        return reply, replace(session, agenda=proposal, proposal=None, question=None, history=history)

    def _answer(self, turn: _Turn, request: AgendaRequest, agenda: AgendaProposal) -> _Answer:
        match request:
            case ListDay(steps):
                results = self._dispatch(turn, steps)
                return _outcome(results), words.day_of_clinics(results, turn.context), agenda
            case AskAgain(doctors):
                return TurnOutcome.REFUSED, [words.lacking(doctors, turn.context.texts)], None
            case AgendaProposal(change=Step() as step):
                proposal = replace(request, proposes_moves=request.proposes_moves or self.proposes_moves)
                if self.consent_given:
                    return self._carry_out(turn, proposal)
                return TurnOutcome.CONFIRM, words.change_proposed(step, turn.context), proposal
            case AgendaProposal():
                return self._propose_moves(turn, agenda.visits)

    def _carry_out(self, turn: _Turn, proposal: AgendaProposal) -> _Answer:
        if proposal.change is None:
            return self._move(turn, proposal.moves)
        (result,) = self._dispatch(turn, [proposal.change])
        blocks = [*words.change_made(result, turn.context.texts)]
        if not isinstance(result.response, pb.CloseSlotsResponse):
            return _outcome([result]), blocks, None
        visits = _visits_in(result.response, proposal.change.clinic)
        if not visits or not proposal.proposes_moves:
            return TurnOutcome.OK, blocks, AgendaProposal(visits=visits)
        outcome, moves, following = self._propose_moves(turn, visits)
        return outcome, [*blocks, *moves], following

    def _propose_moves(self, turn: _Turn, visits: Sequence[PatientVisit]) -> _Answer:
        own = {visit.held.clinic for visit in visits}
        specialties = {clinic.specialty for clinic in turn.context.clinics if clinic.id in own}
        asked = [clinic.id for clinic in turn.context.clinics if clinic.specialty in specialties]
        steps = [replace(listing_step(clinic), step_id=number) for number, clinic in enumerate(asked, 1)]
        openings = Evidence.of(self._dispatch(turn, steps)).listed
        in_order = sorted(openings, key=lambda one: (asked.index(one.clinic), one.begin, one.doctor))
        moves = moves_for(visits, in_order)
        proposal = AgendaProposal(moves=moves, visits=visits)
        if self.consent_given and proposal.waits:
            return self._move(turn, moves)
        outcome = TurnOutcome.CONFIRM if proposal.waits else TurnOutcome.REFUSED
        return outcome, words.moves_proposed(moves, turn.context), proposal

    def _move(self, turn: _Turn, moves: Sequence[PatientVisit]) -> _Answer:
        made = [(move, self._dispatch(turn, move.steps, move.patient) if move.steps else ()) for move in moves]
        results = [result for _, each in made for result in each]
        # What may have been made is asked again under the same request_ids.
        unknown = [move for move, each in made if has_unknown_outcome(each)]
        left = AgendaProposal(moves=unknown) if unknown else None
        return _outcome(results), words.moves_made(made, turn.context), left

    def _dispatch(self, turn: _Turn, steps: Sequence[Step], patient: Identity | None = None) -> tuple[StepResult, ...]:
        # Nothing is called that the registry does not allow.
        allowed = [step for step in steps if self.registry[step.clinic].takes(step.action)]
        scope = TurnScope(patient or turn.session.identity, Role.OPERATOR, turn.cancel, turn.id)
        done = {result.step.step_id: result for result in self.router.dispatch(allowed, scope)}
        return tuple(done.get(step.step_id, StepResult(step, StepStatus.SKIPPED)) for step in steps)


def _served(session: Session, utterance: str) -> tuple[Reply, Session] | None:
    texts = texts_in(session.language)
    served = served_in(utterance)
    following, outcome = session, TurnOutcome.REFUSED
    if served is None:
        if session.operator is None or not ends_serving(utterance):
            return None
        following, outcome = session_for(session, None), TurnOutcome.OK
        said = texts.text("front_desk.serving.done")
    elif served.cpf is None:
        said = texts.text("front_desk.serving.cpf_lacks")
    else:
        try:
            following = session_for(session, Identity.of(served.name, served.cpf))
            outcome = TurnOutcome.OK
            said = texts.text("front_desk.serving.begun", cpf=following.identity.masked_cpf)
        except IdentityError:
            said = texts.text("terminal.bad_cpf")
    return Reply(session.language, outcome, (Paragraph(said),)), following


def _outcome(results: Sequence[StepResult]) -> TurnOutcome:
    statuses = {result.status for result in results}
    if StepStatus.UNKNOWN in statuses:
        return TurnOutcome.UNKNOWN_WRITE
    if statuses <= {StepStatus.DONE}:
        return TurnOutcome.OK
    if StepStatus.DONE in statuses:
        return TurnOutcome.PARTIAL
    return TurnOutcome.REFUSED if StepStatus.REFUSED in statuses else TurnOutcome.ALL_DOWN


def _visits_in(answer: pb.CloseSlotsResponse, clinic: str) -> tuple[PatientVisit, ...]:
    """Return the appointments in the way of a closing; those whose holders are not told are left out."""
    held = (entry for entry in answer.held if entry.patient_name and entry.cpf)
    return tuple(PatientVisit(Identity(entry.patient_name, entry.cpf), _slot(clinic, entry)) for entry in held)


def moves_for(visits: Sequence[PatientVisit], openings: Sequence[Appointment]) -> tuple[PatientVisit, ...]:
    """Return a move for each visit, in their order: to the nearest opening, which no two of them share."""
    free = list(openings)
    moves: list[PatientVisit] = []
    for visit in visits:
        held = visit.held
        own = [one for one in free if (one.clinic, one.doctor) == (held.clinic, held.doctor)]
        to = min(own or free, key=lambda one: abs(one.begin - held.begin), default=None)
        if to is not None:
            free.remove(to)
        moves.append(replace(visit, to=to, steps=_steps(held, to, is_same_doctor=bool(own))))
    return tuple(moves)


def _steps(held: Appointment, to: Appointment | None, *, is_same_doctor: bool) -> tuple[Step, ...]:
    if to is None:
        return ()
    if is_same_doctor:
        steps = [replace(moving_step(held, to.date, to.time), step_id=1)]
    else:
        steps = [replace(booking_step(to), step_id=1), replace(cancelling_step(held), step_id=2, after=1)]
    return tuple(replace(step, request_id=str(uuid.uuid4())) for step in steps)


def _slot(clinic: str, slot: pb.AgendaEntry) -> Appointment:
    return Appointment(clinic, slot.doctor, date.fromisoformat(slot.date), clock_time.fromisoformat(slot.time))
