"""Word replies from the texts of the catalogue: the responder that needs no model."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from orchestrator.responder.clinic_fact_words import clinic_facts
from orchestrator.responder.filter_words import unknown_words, wish_words
from orchestrator.responder.memory_replies import memory_outcomes, preference_conflicts, preference_notes
from orchestrator.responder.opening_list import openings_told
from orchestrator.responder.patient_replies import (
    appointment_list,
    appointments_asked_about,
    appointments_in_words,
    not_listed,
    patient_list,
    record,
)
from orchestrator.responder.reply_context import Label, ReplyContext, remarks
from orchestrator.responder.write_replies import close_visit_notes, proposal_card, receipt_blocks, still_open, writes
from orchestrator.turn import (
    GET_PATIENT,
    LIST,
    LIST_APPOINTMENTS,
    LIST_PATIENTS,
    QUERY,
    Block,
    Clinic,
    MemoryResult,
    Paragraph,
    Part,
    Plan,
    PlanKind,
    Proposal,
    Receipt,
    Reply,
    ReplySteps,
    Rule,
    Session,
    StepResult,
    StepStatus,
    Table,
    Topic,
    TurnOutcome,
    Verdict,
    is_write,
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

_SectionWords = Callable[[Sequence[StepResult], ReplyContext], Iterator[Block]]  # words the answers of one kind of tool

_OPENINGS = frozenset({Part.SLOTS, Part.ALTERNATIVES})
_REFUSALS = frozenset({PlanKind.REFUSE, PlanKind.OUT_OF_SCOPE})


class TemplateResponder:
    """The `Responder` that fills in the texts of the catalogue; `orchestrator.stages` documents its methods."""

    def answer(self, plan: Plan, results: Sequence[StepResult], session: Session, clinics: Sequence[Clinic]) -> Reply:
        """Return the answer to a plan of steps, one section for each kind of tool."""
        context = ReplyContext.of(session, plan.language, clinics)
        openings = openings_of(results, plan.wish, plan.reminders)
        openings = replace(openings, listed=numbered(openings.listed, plan, session))
        of_writes = partial(writes, openings=openings, reminders=plan.reminders)
        words: Mapping[str, _SectionWords] = {
            LIST: partial(openings_told, openings=openings, plan=plan, session=session),
            LIST_PATIENTS: patient_list,
            QUERY: patient_list,
            GET_PATIENT: record,
            LIST_APPOINTMENTS: appointment_list,
        }
        sections: dict[_SectionWords, list[StepResult]] = {}
        for result in results:
            sections.setdefault(words.get(result.step.action, of_writes), []).append(result)
        blocks = [block for section, answered in sections.items() for block in section(answered, context)]
        said_after = (*remarks(results, context), *clinic_facts(plan.asked, context))
        return Reply(
            context.language,
            _combined([_outcome(answered) for answered in sections.values()]),
            (*_before(plan, session, context), *blocks, *said_after),
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
        blocks: list[Block] = [*_before(plan, session, context), Paragraph(text)]
        if plan.topic in {Topic.MY_APPOINTMENTS, Topic.NO_APPOINTMENT_THEN}:
            blocks.append(appointments_asked_about(plan, session, context))
        elif plan.choices:
            rows = zip(map(str, _numbers(plan, session)), _told_apart(plan, context), strict=True)
            blocks.append(Table(context.labels(Label.NUMBER, Label.OPTION), tuple(rows)))
        blocks += clinic_facts(plan.asked, context)
        return Reply(context.language, TurnOutcome.REFUSED if plan.kind in _REFUSALS else TurnOutcome.OK, tuple(blocks))

    def propose(self, proposal: Proposal, session: Session, clinics: Sequence[Clinic]) -> Reply:
        """Return a card for each write and the question; an attempt of unknown outcome comes first."""
        context, plan = ReplyContext.of(session, proposal.plan.language, clinics), proposal.plan
        texts = context.texts
        blocks: list[Block] = [*_caution(plan, context)]
        if session.proposal is not None and session.proposal.in_doubt - proposal.in_doubt:
            blocks.append(Paragraph(texts.text("responder.consent.superseded"), Part.NOTICE))
        blocks += _said_first(plan.reply, session, context)
        if proposal.attempted:
            blocks.append(Paragraph(texts.text("responder.consent.again")))
        blocks += (proposal_card(step, context) for step in plan.steps)
        blocks += preference_conflicts(plan.steps, plan.reminders, context)
        blocks += close_visit_notes(proposal, context)
        blocks += clinic_facts(plan.asked, context)
        blocks.append(Paragraph(texts.text("responder.consent.confirm")))
        return Reply(context.language, TurnOutcome.CONFIRM, tuple(blocks))

    def remembered(
        self, reply: Reply, plan: Plan, results: Sequence[MemoryResult], session: Session, clinics: Sequence[Clinic]
    ) -> Reply:
        """Return the reply with the outcome of memory calls and notes on preferences before it, but after a caution."""
        context = ReplyContext(reply.language, session.identity, tuple(clinics))
        unlisted, outcome = [*not_listed(plan, session, context)], reply.outcome
        if unlisted and outcome is TurnOutcome.OK:
            outcome = TurnOutcome.PARTIAL if len(session.silent) < len(clinics) else TurnOutcome.ALL_DOWN
        first = 0 if plan.caution is None else 1
        blocks = [*reply.blocks[:first], *memory_outcomes(results, context), *_notes(plan, context), *unlisted]
        if any(block.part in _OPENINGS for block in reply.blocks):
            blocks += preference_notes(session.printed, plan.reminders, context)
        blocks += reply.blocks[first:]
        blocks += still_open(plan, session, context)
        blocks += _waiting(plan, reply, context)
        return replace(reply, outcome=outcome, blocks=tuple(blocks), memory=tuple(results))

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
        blocks: tuple[Block, ...] = (Paragraph(note), *receipt_blocks(receipts, context))
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


def _before(plan: Plan, session: Session, context: ReplyContext) -> Iterator[Block]:
    """Yield what is said before the answer itself."""
    yield from _caution(plan, context)
    yield from _said_first(plan.reply, session, context)


def _caution(plan: Plan, context: ReplyContext) -> Iterator[Block]:
    if plan.caution is not None:
        yield Paragraph(context.texts.table("responder.topics")[plan.caution], Part.NOTICE)


def _said_first(reply: ReplySteps | None, session: Session, context: ReplyContext) -> Iterator[Block]:
    """Yield the courtesies that a model chose, in one paragraph, its fixed answers, and what the person holds."""
    if reply is None:
        return
    courtesies = context.texts.table("responder.courtesies")
    if reply.courtesies:
        yield Paragraph(" ".join(courtesies[one] for one in reply.courtesies))
    for topic in reply.topics:
        yield Paragraph(context.texts.text(f"responder.topics.{topic}", **context.of_all_clinics()))
    if reply.own is not None:
        yield Paragraph(appointments_in_words(reply.own.filter, reply.today, session, context))


def _notes(plan: Plan, context: ReplyContext) -> Iterator[Block]:
    """Yield what is said beside the answer; it repeats the person's own words, and is not logged."""
    if plan.note is not None:
        yield Paragraph(context.texts.text(f"responder.topics.{plan.note}", **_facts(plan, context)), Part.NOTICE)
    if plan.unread:
        said = context.texts.all_of(f"“{words}”" for words in dict.fromkeys(plan.unread))
        yield Paragraph(context.texts.text("responder.listing.unread", said=said), Part.NOTICE, private=True)
    yield from (Paragraph(words, Part.NOTICE, private=True) for words in unknown_words(plan.wish, context))


def _waiting(plan: Plan, reply: Reply, context: ReplyContext) -> Iterator[Block]:
    """Yield what comes next, after one of several requests was done or proposed."""
    waiting = plan.question.waiting if plan.question is not None else ()
    words = context.texts.all_of(wish_words(wish, context) for wish in waiting)
    if waiting and reply.outcome is TurnOutcome.CONFIRM:
        yield Paragraph(context.texts.text("responder.consent.afterwards", wishes=words))
    elif waiting and any(block.part is Part.RECEIPT for block in reply.blocks):
        moves = any(step.given_back for step in plan.steps)
        yield Paragraph(
            context.texts.text("responder.consent.next_unlisted" if moves else "responder.consent.next", wishes=words)
        )


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


def _outcome(results: Sequence[StepResult]) -> TurnOutcome:
    """Return what the answers of one section come to."""
    statuses, action = {result.status for result in results}, results[0].step.action
    if StepStatus.UNKNOWN in statuses:
        return TurnOutcome.UNKNOWN_WRITE
    if StepStatus.REFUSED in statuses and is_write(action):
        return TurnOutcome.REFUSED
    if StepStatus.DONE in statuses:  # a record is of one clinic, and the others know it not
        return TurnOutcome.OK if len(statuses) == 1 or action == GET_PATIENT else TurnOutcome.PARTIAL
    if StepStatus.REFUSED in statuses:
        return TurnOutcome.PARTIAL if StepStatus.UNREACHED in statuses else TurnOutcome.REFUSED
    return TurnOutcome.CANCELLED if statuses == {StepStatus.SKIPPED} else TurnOutcome.ALL_DOWN


def _combined(outcomes: Collection[TurnOutcome]) -> TurnOutcome:
    if len(set(outcomes)) > 1:
        outcomes = [TurnOutcome.PARTIAL if outcome is TurnOutcome.ALL_DOWN else outcome for outcome in outcomes]
    return next((outcome for outcome in _SEVEREST_FIRST if outcome in outcomes), TurnOutcome.OK)
