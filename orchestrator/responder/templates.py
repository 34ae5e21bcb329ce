"""Word replies from the texts of the catalogue: the responder that needs no model."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from orchestrator.responder.clinic_fact_words import clinic_facts
from orchestrator.responder.filter_words import unknown_words, wish_words
from orchestrator.responder.memory_replies import memory_outcomes, preference_conflicts, preference_notes
from orchestrator.responder.own_appointment_list import appointment_list, appointments_asked_about, not_listed
from orchestrator.responder.patient_replies import patient_list, record
from orchestrator.responder.reply_context import Label, ReplyContext
from orchestrator.responder.step_replies import openings_told, said_first
from orchestrator.responder.write_replies import close_visit_notes, proposal_card, receipt_blocks, still_open, writes
from orchestrator.turn import (
    BOOK,
    CANCEL,
    GET_PATIENT,
    LIST,
    LIST_APPOINTMENTS,
    LIST_PATIENTS,
    MOVE,
    QUERY,
    Block,
    Clinic,
    MemoryResult,
    Openings,
    Paragraph,
    Part,
    Plan,
    PlanKind,
    Proposal,
    Receipt,
    Reply,
    Rule,
    Session,
    StepResult,
    StepStatus,
    Table,
    Topic,
    TurnOutcome,
    Verdict,
    numbered,
    openings_of,
)

_SEVEREST_FIRST = (
    TurnOutcome.UNKNOWN_WRITE,
    TurnOutcome.CANCELLED,
    TurnOutcome.REFUSED,
    TurnOutcome.PARTIAL,
    TurnOutcome.ALL_DOWN,
)

_OPENINGS = frozenset({Part.SLOTS, Part.ALTERNATIVES})
_REFUSALS = frozenset({PlanKind.REFUSE, PlanKind.OUT_OF_SCOPE})


@dataclass(frozen=True, slots=True)
class _Turn:
    """What the sections of one reply share."""

    plan: Plan
    openings: Openings
    session: Session
    context: ReplyContext


class TemplateResponder:
    """The `Responder` that fills in the texts of the catalogue; `orchestrator.stages` documents its methods."""

    def answer(self, plan: Plan, results: Sequence[StepResult], session: Session, clinics: Sequence[Clinic]) -> Reply:
        """Return the answer to a plan of steps, one section for each kind of tool."""
        context = ReplyContext.of(session, plan.language, clinics)
        openings = openings_of(results, plan.wish, plan.reminders)
        openings = replace(openings, listed=numbered(openings.listed, plan, session))
        turn = _Turn(plan, openings, session, context)
        sections: dict[_Section, list[StepResult]] = {}
        for result in results:
            sections.setdefault(_SECTIONS[result.step.action], []).append(result)
        blocks = (block for section, answered in sections.items() for block in section.words(answered, turn))
        return Reply(
            context.language,
            _combined([section.outcome(answered) for section, answered in sections.items()]),
            (*_caution(plan, context), *said_first(plan.reply, context), *blocks, *clinic_facts(plan.asked, context)),
            wish=wish_words(plan.wish, context),
        )

    def say(self, plan: Plan, session: Session, clinics: Sequence[Clinic]) -> Reply:
        """Return the text of the plan's topic and its choices as a numbered table."""
        if plan.topic is None:
            raise ValueError("a plan without steps needs a topic")
        context = ReplyContext.of(session, plan.language, clinics)
        texts, facts, asked = context.texts, _facts(plan, context), plan.question
        if plan.caution is not None and plan.topic in texts.table("responder.after_caution"):
            text = texts.text(f"responder.after_caution.{plan.topic}", **facts)
        elif asked is not None and asked.times > 1 and plan.topic in texts.table("responder.again"):
            text = texts.text(f"responder.again.{plan.topic}", **facts)
        else:
            text = texts.text(f"responder.topics.{plan.topic}", **facts)
        blocks: list[Block] = [*_caution(plan, context), *said_first(plan.reply, context), Paragraph(text)]
        if plan.topic in {Topic.MY_APPOINTMENTS, Topic.NO_APPOINTMENT_THEN}:
            blocks.append(appointments_asked_about(plan, session, context))
        elif plan.choices:
            columns = (context.label(Label.NUMBER), context.label(Label.OPTION))
            rows = zip(_numbers(plan, session), _told_apart(plan, context), strict=True)
            blocks.append(Table(columns, tuple((str(number), choice) for number, choice in rows)))
        blocks += clinic_facts(plan.asked, context)
        return Reply(context.language, TurnOutcome.REFUSED if plan.kind in _REFUSALS else TurnOutcome.OK, tuple(blocks))

    def propose(self, proposal: Proposal, session: Session, clinics: Sequence[Clinic]) -> Reply:
        """Return a card for each write and the question; an attempt of unknown outcome comes first."""
        context = ReplyContext.of(session, proposal.plan.language, clinics)
        texts = context.texts
        left = session.proposal is not None and session.proposal.in_doubt - proposal.in_doubt
        superseded = (Paragraph(texts.text("responder.consent.superseded"), Part.NOTICE),) if left else ()
        again = (Paragraph(texts.text("responder.consent.again")),) if proposal.attempted else ()
        first = said_first(proposal.plan.reply, context)
        cards = (proposal_card(step, context) for step in proposal.plan.steps)
        against = preference_conflicts(proposal.plan.steps, proposal.plan.reminders, context)
        told = (*against, *close_visit_notes(proposal, context), *clinic_facts(proposal.plan.asked, context))
        asked = (*again, *cards, *told, Paragraph(texts.text("responder.consent.confirm")))
        blocks = (*_caution(proposal.plan, context), *superseded, *first, *asked)
        return Reply(context.language, TurnOutcome.CONFIRM, blocks)

    def remembered(
        self, reply: Reply, plan: Plan, results: Sequence[MemoryResult], session: Session, clinics: Sequence[Clinic]
    ) -> Reply:
        """Return the reply with the outcome of memory calls and notes on preferences before it, but after a caution."""
        context = ReplyContext(reply.language, session.identity, tuple(clinics))
        shows_openings = plan.reminders and any(block.part in _OPENINGS for block in reply.blocks)
        reminders = preference_notes(session.printed, plan.reminders, context) if shows_openings else ()
        outcomes = memory_outcomes(results, context) if results else ()
        first = 0 if plan.caution is None else 1
        unlisted, outcome = not_listed(plan, session, context), reply.outcome
        if unlisted and outcome is TurnOutcome.OK:
            outcome = TurnOutcome.PARTIAL if len(session.silent) < len(clinics) else TurnOutcome.ALL_DOWN
        notes = (*outcomes, *_notes(plan, context), *unlisted, *reminders)
        open_still = (*still_open(plan, session, context), *_waiting(plan, reply, context))
        blocks = (*reply.blocks[:first], *notes, *reply.blocks[first:], *open_still)
        return replace(reply, outcome=outcome, blocks=blocks, memory=tuple(results))

    def dropped(self, session: Session) -> Reply:
        """Return the reply that nothing was changed, or that the outcome of an attempt stays unknown."""
        context = ReplyContext.of(session, session.language, ())
        if session.proposal is not None and session.proposal.attempted:
            said = context.texts.text("responder.consent.abandoned")
            return Reply(context.language, TurnOutcome.UNKNOWN_WRITE, (Paragraph(said),))
        return Reply(context.language, TurnOutcome.OK, (Paragraph(context.texts.text("responder.consent.dropped")),))

    def cancelled(self, session: Session) -> Reply:
        """Return the reply for a stopped turn."""
        context = ReplyContext.of(session, session.language, ())
        said = context.texts.text("responder.consent.cancelled")
        return Reply(context.language, TurnOutcome.CANCELLED, (Paragraph(said),))

    def blocked(
        self, verdict: Verdict, receipts: Sequence[Receipt], session: Session, clinics: Sequence[Clinic]
    ) -> Reply:
        """Return the note for the rule that blocked the reply, and the receipts."""
        # Nothing that a clinic states in its own words is shown where something was wrong.
        known = [replace(one, details=None) for one in clinics]
        context = ReplyContext.of(session, session.language, known)
        note = context.texts.text(f"responder.blocked.{verdict.rule or Rule.R4}")
        blocks = (Paragraph(note), *receipt_blocks(receipts, context, closing=False))
        return Reply(context.language, TurnOutcome.REFUSED, blocks)


def _numbers(plan: Plan, session: Session) -> Sequence[int]:
    # An opening keeps the number of the list that it was printed in.
    shown = [offer.number for offer in session.printed] if plan.topic is Topic.ASK_WHICH_OFFER else []
    return shown if len(shown) == len(plan.choices) else range(1, len(plan.choices) + 1)


def _told_apart(plan: Plan, context: ReplyContext) -> Iterator[str]:
    """Yield the choices; doctors with their specialties and clinics, in whose order those of one name stand."""
    for place, choice in enumerate(plan.choices):
        clinics, earlier = [one for one in context.clinics if choice in one.doctors], plan.choices[:place].count(choice)
        places = (f"{choice} ({one.specialty_name(context.texts.language)}, {one.name})" for one in clinics[earlier:])
        yield next(places, choice)


def _caution(plan: Plan, context: ReplyContext) -> tuple[Block, ...]:
    return (
        () if plan.caution is None else (Paragraph(context.texts.table("responder.topics")[plan.caution], Part.NOTICE),)
    )


def _notes(plan: Plan, context: ReplyContext) -> Iterator[Block]:
    """Yield what is said beside the answer; it repeats the person's own words, and is not logged."""
    if plan.note is not None:
        yield Paragraph(context.texts.text(f"responder.topics.{plan.note}", **_facts(plan, context)), Part.NOTICE)
    if plan.unread:
        said = context.texts.all_of(f"“{words}”" for words in dict.fromkeys(plan.unread))
        yield Paragraph(context.texts.text("responder.listing.unread", said=said), Part.NOTICE, private=True)
    yield from (Paragraph(words, Part.NOTICE, private=True) for words in unknown_words(plan.wish, context))


def _waiting(plan: Plan, reply: Reply, context: ReplyContext) -> tuple[Block, ...]:
    """Return what comes next, after one of several requests was done or proposed."""
    waiting = plan.question.waiting if plan.question is not None else ()
    wrote = reply.outcome is TurnOutcome.CONFIRM or any(block.part is Part.RECEIPT for block in reply.blocks)
    if not waiting or not wrote:
        return ()
    words = context.texts.all_of(wish_words(wish, context) for wish in waiting)
    if reply.outcome is TurnOutcome.CONFIRM:
        return (Paragraph(context.texts.text("responder.consent.afterwards", wishes=words)),)
    if any(step.given_back for step in plan.steps):
        return (Paragraph(context.texts.text("responder.consent.next_unlisted", wishes=words)),)
    return (Paragraph(context.texts.text("responder.consent.next", wishes=words)),)


def _facts(plan: Plan, context: ReplyContext) -> dict[str, str]:
    texts = context.texts
    facts = {**context.of_all_clinics(), "wish": wish_words(plan.wish, context)}
    known = plan.question.known if plan.question is not None else {}
    asked = texts.table("responder.missing")
    facts["missing"] = texts.all_of([text for name, text in asked.items() if name not in known] or asked.values())
    times = plan.question.times if plan.question is not None else 1
    facts["day"] = texts.lines("names.weekdays")[times % 5]
    facts["example"] = plan.choices[(times - 2) % len(plan.choices)] if plan.choices else ""
    facts |= plan.facts
    facts["who"] = facts.get("who") or texts.text("responder.consent.somebody_else")
    if "specialty" in facts:
        facts["specialty"] = texts.all_of(map(context.specialty, facts["specialty"].split()))
    return facts


def _outcome_of_reads(results: Sequence[StepResult]) -> TurnOutcome:
    statuses = {result.status for result in results}
    if StepStatus.DONE in statuses:
        return TurnOutcome.OK if len(statuses) == 1 else TurnOutcome.PARTIAL
    if statuses == {StepStatus.SKIPPED}:
        return TurnOutcome.CANCELLED
    if StepStatus.REFUSED in statuses:
        return TurnOutcome.PARTIAL if StepStatus.UNREACHED in statuses else TurnOutcome.REFUSED
    return TurnOutcome.ALL_DOWN


def _outcome_of_writes(results: Sequence[StepResult]) -> TurnOutcome:
    statuses = {result.status for result in results}
    if StepStatus.UNKNOWN in statuses:
        return TurnOutcome.UNKNOWN_WRITE
    return TurnOutcome.REFUSED if StepStatus.REFUSED in statuses else _outcome_of_reads(results)


def _combined(outcomes: Collection[TurnOutcome]) -> TurnOutcome:
    if len(set(outcomes)) > 1:
        outcomes = [TurnOutcome.PARTIAL if outcome is TurnOutcome.ALL_DOWN else outcome for outcome in outcomes]
    return next((outcome for outcome in _SEVEREST_FIRST if outcome in outcomes), TurnOutcome.OK)


@dataclass(frozen=True, slots=True)
class _Section:
    """How the answers of tools that share a section are worded, and what they come to."""

    words: Callable[[Sequence[StepResult], _Turn], tuple[Block, ...]]
    outcome: Callable[[Sequence[StepResult]], TurnOutcome] = _outcome_of_reads


_WRITES = _Section(
    lambda results, turn: writes(results, turn.openings, turn.plan.reminders, turn.context), _outcome_of_writes
)
_PATIENTS = _Section(lambda results, turn: patient_list(results, turn.context))
_SECTIONS = {
    LIST: _Section(lambda results, turn: openings_told(results, turn.openings, turn.plan, turn.session, turn.context)),
    **dict.fromkeys((LIST_PATIENTS, QUERY), _PATIENTS),
    GET_PATIENT: _Section(
        lambda results, turn: record(results, turn.context),
        lambda results: _outcome_of_reads([one for one in results if one.status is StepStatus.DONE] or results),
    ),
    LIST_APPOINTMENTS: _Section(lambda results, turn: appointment_list(results, turn.context)),
    **dict.fromkeys((BOOK, MOVE, CANCEL), _WRITES),
}
