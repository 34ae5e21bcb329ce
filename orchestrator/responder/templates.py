"""Word replies by the texts of the catalogue."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from orchestrator import turn
from orchestrator.responder import patient_replies
from orchestrator.responder.clinic_fact_words import clinic_facts
from orchestrator.responder.filter_words import unknown_words, wish_words
from orchestrator.responder.memory_replies import memory_outcomes, preference_conflicts, preference_notes
from orchestrator.responder.opening_list import choosing, offer_table, openings_told
from orchestrator.responder.reply_context import Label, ReplyContext, not_listed, remarks
from orchestrator.responder.write_replies import close_visit_notes, proposal_card, receipt_blocks, step_words, writes

_SEVEREST_FIRST = (
    turn.TurnOutcome.UNKNOWN_WRITE,
    turn.TurnOutcome.CANCELLED,
    turn.TurnOutcome.REFUSED,
    turn.TurnOutcome.PARTIAL,
    turn.TurnOutcome.ALL_DOWN,
)

_SectionWords = Callable[[Sequence[turn.StepResult], ReplyContext], Iterator[turn.Block]]

_REFUSALS = frozenset({turn.PlanKind.REFUSE, turn.PlanKind.OUT_OF_SCOPE})


class TemplateResponder:
    """Word what a turn comes to; a model may choose what is said, never how."""

    def answer(
        self, plan: turn.Plan, results: Sequence[turn.StepResult], session: turn.Session, clinics: Sequence[turn.Clinic]
    ) -> turn.Reply:
        """Return the answer to a plan of steps, one section for each kind of tool."""
        context = ReplyContext.of(session, plan.language, clinics)
        openings = turn.openings_of(results, plan.wish, plan.reminders)
        openings = replace(openings, listed=turn.numbered(openings.listed, plan, session))
        of_writes = partial(writes, openings=openings, plan=plan)
        words: Mapping[str, _SectionWords] = {
            turn.LIST: partial(openings_told, openings=openings, plan=plan, session=session),
            turn.LIST_PATIENTS: patient_replies.patient_list,
            turn.QUERY: patient_replies.patient_list,
            turn.GET_PATIENT: patient_replies.record,
            turn.LIST_APPOINTMENTS: patient_replies.appointment_list,
        }
        sections: dict[_SectionWords, list[turn.StepResult]] = {}
        for result in results:
            sections.setdefault(words.get(result.step.action, of_writes), []).append(result)
        blocks = [block for section, answered in sections.items() for block in section(answered, context)]
        said_after = (*remarks(results, context), *clinic_facts(plan.asked, context))
        return turn.Reply(
            context.language,
            _combined([_outcome(answered) for answered in sections.values()]),
            (*_before(plan, session, context), *blocks, *said_after),
            wish=wish_words(plan.wish, context),
        )

    def say(self, plan: turn.Plan, session: turn.Session, clinics: Sequence[turn.Clinic]) -> turn.Reply:
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
        told = turn.Paragraph(text, private=plan.topic is turn.Topic.HABIT_NOTED)  # it repeats what was told
        blocks: list[turn.Block] = [*_before(plan, session, context), told]
        if plan.topic in {turn.Topic.MY_APPOINTMENTS, turn.Topic.NO_APPOINTMENT_THEN}:
            blocks.append(patient_replies.appointments_asked_about(plan, session, context))
        elif plan.choices:
            # An opening keeps the number of the list that it was printed in.
            numbers = [offer.number for offer in session.printed] if plan.topic is turn.Topic.ASK_WHICH_OFFER else []
            numbers = numbers if len(numbers) == len(plan.choices) else [*range(1, len(plan.choices) + 1)]
            rows = zip(map(str, numbers), _told_apart(plan, context), strict=True)
            blocks.append(turn.Table(context.labels(Label.NUMBER, Label.OPTION), tuple(rows)))
        blocks += clinic_facts(plan.asked, context)
        outcome = turn.TurnOutcome.REFUSED if plan.kind in _REFUSALS else turn.TurnOutcome.OK
        return turn.Reply(context.language, outcome, tuple(blocks))

    def propose(self, proposal: turn.Proposal, session: turn.Session, clinics: Sequence[turn.Clinic]) -> turn.Reply:
        """Return a card for each write and the question; the session still holds what it was proposed before."""
        context, plan = ReplyContext.of(session, proposal.plan.language, clinics), proposal.plan
        texts = context.texts
        blocks: list[turn.Block] = [*_caution(plan, context)]
        if session.proposal is not None and session.proposal.in_doubt - proposal.in_doubt:
            blocks.append(turn.Paragraph(texts.text("responder.consent.superseded")))
        blocks += _said_first(plan.reply, session, context)
        if proposal.attempted:
            blocks.append(turn.Paragraph(texts.text("responder.consent.again")))
        blocks += (proposal_card(step, context) for step in plan.steps)
        blocks += preference_conflicts(plan.steps, plan.reminders, context)
        blocks += close_visit_notes(proposal, context)
        blocks += clinic_facts(plan.asked, context)
        blocks.append(turn.Paragraph(texts.text("responder.consent.confirm")))
        return turn.Reply(context.language, turn.TurnOutcome.CONFIRM, tuple(blocks))

    def remembered(
        self,
        reply: turn.Reply,
        plan: turn.Plan,
        results: Sequence[turn.MemoryResult],
        session: turn.Session,
        clinics: Sequence[turn.Clinic],
    ) -> turn.Reply:
        """Return the reply with the outcome of memory calls and notes on preferences before it, but after a caution."""
        context = ReplyContext(reply.language, session.identity, tuple(clinics))
        unlisted, outcome = [*not_listed(plan, session, context)], reply.outcome
        if unlisted and outcome is turn.TurnOutcome.OK:
            outcome = turn.TurnOutcome.PARTIAL if len(session.silent) < len(clinics) else turn.TurnOutcome.ALL_DOWN
        first = 0 if plan.caution is None else 1
        blocks = [*reply.blocks[:first], *memory_outcomes(results, context), *_notes(plan, context), *unlisted]
        if any(block.part is turn.Part.SLOTS for block in reply.blocks):
            blocks += preference_notes(session.offers, plan.reminders, context)
        blocks += reply.blocks[first:]
        if session.proposal is not None and plan.keeps_proposal:
            waiting = context.texts.all_of(step_words(step, context) for step in session.proposal.plan.steps)
            blocks.append(turn.Paragraph(context.texts.text("responder.consent.still_open", writes=waiting)))
        blocks += _waiting(plan, reply, session, context)
        return replace(reply, outcome=outcome, blocks=tuple(blocks), memory=tuple(results))

    def dropped(self, session: turn.Session) -> turn.Reply:
        """Return the reply that nothing was changed, or that the outcome of an attempt stays unknown."""
        context = ReplyContext.of(session, session.language, ())
        stays_unknown = turn.proposal_in_doubt(session.proposal) is not None
        said = context.texts.text("responder.consent.abandoned" if stays_unknown else "responder.consent.dropped")
        outcome = turn.TurnOutcome.UNKNOWN_WRITE if stays_unknown else turn.TurnOutcome.OK
        return turn.Reply(context.language, outcome, (turn.Paragraph(said),))

    def cancelled(self, session: turn.Session) -> turn.Reply:
        """Return the reply for a stopped turn."""
        context = ReplyContext.of(session, session.language, ())
        said = context.texts.text("responder.consent.cancelled")
        return turn.Reply(context.language, turn.TurnOutcome.CANCELLED, (turn.Paragraph(said),))

    def blocked(
        self, verdict: turn.Verdict, answers: turn.Answers, session: turn.Session, clinics: Sequence[turn.Clinic]
    ) -> turn.Reply:
        """Return the note for the rule that blocked the reply, and the receipts."""
        # Nothing that a clinic states in its own words is shown where something was wrong.
        context = ReplyContext.of(session, session.language, [replace(one, details=None) for one in clinics])
        note = context.texts.text(f"responder.blocked.{verdict.rule or turn.Rule.R4}")
        blocks: tuple[turn.Block, ...] = (turn.Paragraph(note), *receipt_blocks(answers.receipts, context))
        return turn.Reply(context.language, turn.TurnOutcome.REFUSED, blocks)


def _told_apart(plan: turn.Plan, context: ReplyContext) -> Iterator[str]:
    """Yield the choices; doctors with their specialties and clinics, in whose order those of one name stand."""
    for place, choice in enumerate(plan.choices):
        clinics, earlier = [one for one in context.clinics if choice in one.doctors], plan.choices[:place].count(choice)
        places = (f"{choice} ({one.specialty_name(context.texts.language)}, {one.name})" for one in clinics[earlier:])
        yield next(places, choice)


def _before(plan: turn.Plan, session: turn.Session, context: ReplyContext) -> Iterator[turn.Block]:
    yield from _caution(plan, context)
    yield from _said_first(plan.reply, session, context)


def _caution(plan: turn.Plan, context: ReplyContext) -> Iterator[turn.Block]:
    if plan.caution is not None:
        yield turn.Paragraph(context.texts.table("responder.topics")[plan.caution])


def _said_first(reply: turn.ReplySteps | None, session: turn.Session, context: ReplyContext) -> Iterator[turn.Block]:
    """Yield the courtesies that a model chose, in one paragraph, its fixed answers, and what the person holds."""
    if reply is None:
        return
    courtesies = context.texts.table("responder.courtesies")
    if reply.courtesies:
        yield turn.Paragraph(" ".join(courtesies[one] for one in reply.courtesies))
    for topic in reply.topics:
        yield turn.Paragraph(context.texts.text(f"responder.topics.{topic}", **context.of_all_clinics()))
    if reply.own is not None:
        yield turn.Paragraph(patient_replies.appointments_in_words(reply.own.filter, reply.today, session, context))


def _notes(plan: turn.Plan, context: ReplyContext) -> Iterator[turn.Block]:
    """Yield what is said beside the answer; it repeats the person's own words, and is not logged."""
    if plan.note is not None:
        said = context.texts.text(f"responder.topics.{plan.note}", **_facts(plan, context))
        yield turn.Paragraph(said, private=plan.note is turn.Topic.UNDERSTOOD)
    if plan.unread:
        said = context.texts.all_of(f"“{words}”" for words in dict.fromkeys(plan.unread))
        yield turn.Paragraph(context.texts.text("responder.listing.unread", said=said), private=True)
    yield from (turn.Paragraph(words, private=True) for words in unknown_words(plan.wish, context))


def _waiting(plan: turn.Plan, reply: turn.Reply, session: turn.Session, context: ReplyContext) -> Iterator[turn.Block]:
    """Yield what comes next, after one of several requests was done or proposed: what is left of the list for it."""
    waiting = plan.question.waiting if plan.question is not None else ()
    words = context.texts.all_of(wish_words(wish, context) for wish in waiting)
    if waiting and reply.outcome is turn.TurnOutcome.CONFIRM:
        yield turn.Paragraph(context.texts.text("responder.consent.afterwards", wishes=words))
    elif waiting and any(block.part is turn.Part.RECEIPT for block in reply.blocks):
        left = session.printed
        said = context.texts.text("responder.consent.next" if left else "responder.consent.next_unlisted", wishes=words)
        yield turn.Paragraph(said)
        if left:
            nearest = plan.question is not None and "nearest" in plan.question.known
            yield offer_table(left, plan, context, says_earliest=nearest)
            yield from choosing(left, context, nearest=nearest)


def _facts(plan: turn.Plan, context: ReplyContext) -> dict[str, str]:
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


def _outcome(results: Sequence[turn.StepResult]) -> turn.TurnOutcome:
    statuses, action = {result.status for result in results}, results[0].step.action
    if turn.StepStatus.UNKNOWN in statuses:
        return turn.TurnOutcome.UNKNOWN_WRITE
    if turn.StepStatus.REFUSED in statuses and turn.is_write(action):
        return turn.TurnOutcome.REFUSED
    if turn.StepStatus.DONE in statuses:  # a record is of one clinic, and the others know it not
        return turn.TurnOutcome.OK if len(statuses) == 1 or action == turn.GET_PATIENT else turn.TurnOutcome.PARTIAL
    if turn.StepStatus.REFUSED in statuses:
        return turn.TurnOutcome.PARTIAL if turn.StepStatus.UNREACHED in statuses else turn.TurnOutcome.REFUSED
    return turn.TurnOutcome.CANCELLED if statuses == {turn.StepStatus.SKIPPED} else turn.TurnOutcome.ALL_DOWN


def _combined(outcomes: Collection[turn.TurnOutcome]) -> turn.TurnOutcome:
    if len(set(outcomes)) > 1:
        outcomes = [turn.TurnOutcome.PARTIAL if one is turn.TurnOutcome.ALL_DOWN else one for one in outcomes]
    return next((outcome for outcome in _SEVEREST_FIRST if outcome in outcomes), turn.TurnOutcome.OK)
