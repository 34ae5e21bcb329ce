"""Take the turns of operators about agendas; every other turn is a conversation's.

A change waits for a yes, as every write does. Appointments in the way of a closing are moved one by one, each as one
change: by a move, or by a booking and then a cancellation.
"""

import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from datetime import time as clock_time

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator import turn
from orchestrator.agents import Registry
from orchestrator.front_desk import agenda_request as requests
from orchestrator.front_desk import agenda_words as words
from orchestrator.journal import EventChannel, TurnFinished, TurnStarted
from orchestrator.planner.text import guess_language, normalise
from orchestrator.planner.understanding import answer, find_danger
from orchestrator.responder import ReplyContext
from orchestrator.stages import Cancel, Router, TurnRules, TurnTaker
from orchestrator.texts import texts_in
from orchestrator.turn import AgendaProposal, Directory, PatientVisit, Plan, Reply, Session, Step, StepResult, TurnScope

_Answer = tuple[turn.TurnOutcome, Sequence[turn.Block], AgendaProposal | None]


@dataclass(frozen=True, slots=True)
class FrontDesk:
    """A conversation that also keeps agendas and knows whom an operator serves."""

    conversation: TurnTaker
    registry: Registry
    router: Router
    directory: Directory
    events: EventChannel
    rules: TurnRules

    def turn(
        self, session: Session, utterance: str, cancel: Cancel = None, plan: Plan | None = None, *, agrees: bool = False
    ) -> tuple[Reply, Session]:
        """Answer one utterance; return the reply and the next session."""
        if session.role is not turn.Role.OPERATOR or plan is not None or agrees:
            return self.conversation.turn(session, utterance, cancel, plan, agrees=agrees)
        text = normalise(utterance)
        if find_danger(text).emergency:
            return self.conversation.turn(session, utterance, cancel)
        language = session.pinned_language or guess_language(text, session.language)
        session = replace(session, language=language)
        clinics, agenda = self.directory.clinics(), session.agenda or AgendaProposal()
        if (following := _served(session, utterance, clinics)) is not None:
            return following
        consent = answer(utterance) if agenda.waits else None
        now = self.rules.clock()
        request = None if consent is not None else requests.read_request(utterance, language, clinics, now)
        if request == AgendaProposal() and not agenda.visits:
            request = None
        if request is None and consent is None:
            return self.conversation.turn(replace(session, agenda=None), utterance, cancel)
        context = ReplyContext(language, session.identity, clinics)
        scope = TurnScope(session.identity, session.role, cancel or threading.Event())
        self.events.publish(TurnStarted(session.session_id, scope.turn_id))
        started = time.monotonic()
        if request is not None:
            outcome, blocks, proposal = self._answer(scope, context, request, agenda)
        elif consent:
            outcome, blocks, proposal = self._carry_out(scope, context, agenda)
        else:
            dropped = turn.Paragraph(context.texts.text("responder.consent.dropped"))
            outcome, blocks, proposal = turn.TurnOutcome.OK, [dropped], None
        reply = Reply(language, outcome, tuple(blocks))
        self.events.publish(TurnFinished(outcome, "", time.monotonic() - started))  # what is said names patients
        history = (*session.history, turn.Exchange(utterance, reply.plain, private=True, blocks=reply.blocks))
        return reply, replace(session, agenda=proposal, proposal=None, question=None, history=history)

    def _answer(
        self, scope: TurnScope, context: ReplyContext, request: requests.AgendaRequest, agenda: AgendaProposal
    ) -> _Answer:
        match request:
            case requests.ListDay(steps):
                results = self._dispatch(scope, steps)
                return _outcome(results), words.day_of_clinics(results, context), agenda
            case requests.AskAgain(doctors):
                return turn.TurnOutcome.REFUSED, [words.lacking(doctors, context.texts)], None
            case AgendaProposal(change=Step() as step):
                proposal = replace(request, proposes_moves=request.proposes_moves or self.rules.moves_patients)
                if self.rules.consent_given:
                    return self._carry_out(scope, context, proposal)
                return turn.TurnOutcome.CONFIRM, words.change_proposed(step, context), proposal
            case AgendaProposal():
                return self._propose_moves(scope, context, agenda.visits)

    def _carry_out(self, scope: TurnScope, context: ReplyContext, proposal: AgendaProposal) -> _Answer:
        if proposal.change is None:
            return self._move(scope, context, proposal.moves)
        (result,) = self._dispatch(scope, [proposal.change])
        blocks = [*words.change_made(result, context.texts)]
        if not isinstance(result.response, pb.CloseSlotsResponse):
            return _outcome([result]), blocks, None
        visits = [*_visits_in(result.response, proposal.change.clinic)]
        if not visits or not proposal.proposes_moves:
            return turn.TurnOutcome.OK, blocks, AgendaProposal(visits=visits)
        outcome, moves, following = self._propose_moves(scope, context, visits)
        return outcome, [*blocks, *moves], following

    def _propose_moves(self, scope: TurnScope, context: ReplyContext, visits: Sequence[PatientVisit]) -> _Answer:
        own = {visit.held.clinic for visit in visits}
        specialties = {clinic.specialty for clinic in context.clinics if clinic.id in own}
        asked = [clinic.id for clinic in context.clinics if clinic.specialty in specialties]
        steps = [replace(turn.listing_step(clinic), step_id=number) for number, clinic in enumerate(asked, 1)]
        openings = turn.Evidence.of(self._dispatch(scope, steps)).listed
        in_order = sorted(openings, key=lambda one: (asked.index(one.clinic), one.begin, one.doctor))
        moves = [*_moves_for(visits, in_order)]
        proposal = AgendaProposal(moves=moves, visits=visits)
        if self.rules.consent_given and proposal.waits:
            return self._move(scope, context, moves)
        outcome = turn.TurnOutcome.CONFIRM if proposal.waits else turn.TurnOutcome.REFUSED
        return outcome, words.moves_proposed(moves, context), proposal

    def _move(self, scope: TurnScope, context: ReplyContext, moves: Sequence[PatientVisit]) -> _Answer:
        made = [(move, self._dispatch(replace(scope, identity=move.patient), move.steps)) for move in moves]
        results = [result for _, each in made for result in each]
        # What may have been made is asked again under the same request_ids.
        unknown = [move for move, each in made if turn.has_unknown_outcome(each)]
        left = AgendaProposal(moves=unknown) if unknown else None
        return _outcome(results), words.moves_made(made, context), left

    def _dispatch(self, scope: TurnScope, steps: Sequence[Step]) -> tuple[StepResult, ...]:
        # Nothing is called that the registry does not allow, nor half of a change.
        allowed = [step for step in steps if self.registry[step.clinic].takes(step.action)]
        allowed = allowed if len(allowed) == len(steps) else [one for one in allowed if not turn.is_write(one.action)]
        done = {result.step.step_id: result for result in self.router.dispatch(allowed, scope)}
        return tuple(done.get(step.step_id, StepResult(step, turn.StepStatus.SKIPPED)) for step in steps)


def _served(session: Session, utterance: str, clinics: Sequence[turn.Clinic]) -> tuple[Reply, Session] | None:
    texts, served = texts_in(session.language), requests.served_in(utterance)
    following = None
    if served is None:
        if session.operator is not None and requests.ends_serving(utterance):
            following, said = requests.session_for(session, None), texts.text("front_desk.serving.done")
        elif requests.names_patient(utterance, session, clinics):
            said = texts.text("front_desk.serving.whom_first")
        else:
            return None
    elif served.cpf is None:
        said = texts.text("front_desk.serving.cpf_lacks")
    else:
        try:
            following = requests.session_for(session, turn.Identity.of(served.name, served.cpf))
            said = texts.text("front_desk.serving.begun", cpf=following.identity.masked_cpf)
        except turn.IdentityError:
            said = texts.text("terminal.bad_cpf")
    outcome = turn.TurnOutcome.REFUSED if following is None else turn.TurnOutcome.OK
    return Reply(session.language, outcome, (turn.Paragraph(said),)), following or replace(session, proposal=None)


def _outcome(results: Sequence[StepResult]) -> turn.TurnOutcome:
    statuses = {result.status for result in results}
    if turn.StepStatus.UNKNOWN in statuses:
        return turn.TurnOutcome.UNKNOWN_WRITE
    if statuses <= {turn.StepStatus.DONE}:
        return turn.TurnOutcome.OK
    if turn.StepStatus.DONE in statuses:
        return turn.TurnOutcome.PARTIAL
    return turn.TurnOutcome.REFUSED if turn.StepStatus.REFUSED in statuses else turn.TurnOutcome.ALL_DOWN


def _visits_in(answer: pb.CloseSlotsResponse, clinic: str) -> Iterator[PatientVisit]:
    """Yield the appointments in the way of a closing; those whose holders are not told are left out."""
    for entry in answer.held:
        if entry.patient_name and entry.cpf:
            day, at = date.fromisoformat(entry.date), clock_time.fromisoformat(entry.time)
            held = turn.Appointment(clinic, entry.doctor, day, at)
            yield PatientVisit(turn.Identity(entry.patient_name, entry.cpf), held)


def _moves_for(visits: Sequence[PatientVisit], openings: Sequence[turn.Appointment]) -> Iterator[PatientVisit]:
    """Yield a move for each visit, in their order: to the nearest opening, which no two of them share."""
    free = list(openings)
    for visit in visits:
        held = visit.held
        own = [one for one in free if (one.clinic, one.doctor) == (held.clinic, held.doctor)]
        to = min(own or free, key=lambda one: abs(one.begin - held.begin), default=None)
        if to is None:
            yield visit
            continue
        free.remove(to)
        steps = turn.exchanging_steps(held, to)
        numbered = (replace(one, step_id=number, request_id=str(uuid.uuid4())) for number, one in enumerate(steps, 1))
        yield replace(visit, to=to, steps=tuple(numbered))
