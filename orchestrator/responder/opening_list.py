"""Word answers about openings: those to questions, one table over all clinics, and what the filter hid (Rule 9)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

from orchestrator import turn
from orchestrator.responder.answer_clauses import AnswerClauses
from orchestrator.responder.filter_words import FilterPhrases, filter_words
from orchestrator.responder.memory_replies import memory_mark
from orchestrator.responder.question_answers import (
    FoundOpenings,
    OpeningSnapshot,
    QuestionAnswer,
    RefusedQuestion,
    answer_of,
    silent_clinics,
    snapshot_of,
)
from orchestrator.responder.reply_context import Label, ReplyContext, unanswered
from orchestrator.texts import Texts

_SHORT = 240  # characters; longer answers are paragraphs of their own


def words_of(
    questions: Iterable[turn.OpeningQuestion], snapshot: OpeningSnapshot, context: ReplyContext
) -> tuple[turn.Paragraph, ...]:
    """Return the answers in sentences, those of one scope together; a question that is refused adds nothing."""
    phrases = FilterPhrases(context, snapshot.today, snapshot.asked)
    answers = _answers(questions, snapshot).items()
    answered = ((one, answer) for one, answer in answers if not isinstance(answer, RefusedQuestion))
    paragraphs: list[turn.Paragraph] = []
    quotes: set[str] = set()
    by_scope = groupby(answered, key=lambda one: (turn.scope_of(one[0]), isinstance(one[0], turn.Fits)))
    for (scope, is_criterion), group in by_scope:
        together = dict(group)
        wording = AnswerClauses.of(phrases, scope.filter if scope else None)
        lead = _lead(scope, phrases, quotes) if scope else ""
        words = _sentences(together, "" if is_criterion else lead, wording, snapshot)
        if is_criterion and lead:
            words = context.texts.text("responder.questions.criterion", scope=lead, answer=words)
        is_private = bool(scope and scope.quote) or any(isinstance(one, turn.Treats) for one in together)
        paragraphs.append(turn.Paragraph(words, private=is_private))
    return _joined(paragraphs)


def refusals_of(questions: Iterable[turn.OpeningQuestion], snapshot: OpeningSnapshot) -> tuple[RefusedQuestion, ...]:
    """Return the questions that have no answer, each with its reason in a line of English for the model."""
    return tuple(one for one in _answers(questions, snapshot).values() if isinstance(one, RefusedQuestion))


def _answers(
    questions: Iterable[turn.OpeningQuestion], snapshot: OpeningSnapshot
) -> dict[turn.OpeningQuestion, QuestionAnswer | RefusedQuestion]:
    """Return the answers to different questions, without those that a recommendation gives with its reason."""
    answers = {one: answer_of(one, snapshot) for one in questions}
    for one, answer in tuple(answers.items()):
        if isinstance(one, turn.Pick) and not isinstance(answer, RefusedQuestion):
            answers.pop(one.best, None)
    return answers


def _sentences(
    answers: Mapping[turn.OpeningQuestion, QuestionAnswer], lead: str, wording: AnswerClauses, snapshot: OpeningSnapshot
) -> str:
    """Return the answers in sentences; one for all under the words of their scope, unless they are lists."""
    texts, context = wording.texts, wording.phrases.context
    clauses: dict[str, tuple[str, ...]] = {}
    for question, answer in answers.items():
        clauses[wording.clause(answer)] = silent_clinics(question, snapshot)
        match answer:
            case FoundOpenings(question=turn.AskedOfAll(turn.OfAll.COUNT | turn.OfAll.SPAN), openings=openings):
                is_one = len({one.doctor for one in openings}) == 1
                wording = replace(wording, names_doctor=wording.names_doctor or is_one)
    if lead:
        first, *others = clauses
        if any("; " in clause for clause in others):
            then = {texts.text("responder.questions.then", words=one): clauses[one] for one in others}
            clauses = {f"{lead}, {first}": clauses[first], **then}
        else:
            clauses = {f"{lead}, {'; '.join(clauses)}": tuple({one: None for ids in clauses.values() for one in ids})}
    said = []
    for clause, silent in clauses.items():
        names = texts.all_of(texts.text("responder.phrases.the_clinic", clinic=context.clinic(one)) for one in silent)
        values = {"words": clause, "clinics": names}
        words = texts.counted("responder.questions.silent", len(silent), **values) if silent else clause
        said.append(f"{words[:1].upper()}{words[1:]}.")
    return " ".join(said)


def _joined(paragraphs: Sequence[turn.Paragraph]) -> tuple[turn.Paragraph, ...]:
    joined: list[turn.Paragraph] = []
    for one in paragraphs:
        if joined and max(len(joined[-1].text), len(one.text)) <= _SHORT:
            last = joined.pop()
            joined.append(turn.Paragraph(f"{last.text} {one.text}", private=last.private or one.private))
        else:
            joined.append(one)
    return tuple(joined)


def _lead(scope: turn.OpeningScope, phrases: FilterPhrases, quotes: set[str]) -> str:
    texts = phrases.context.texts
    shown = texts.text("responder.questions.shown") if scope.among_shown else ""
    words = ", ".join(filter(None, (shown, phrases.scope(scope.filter, scope.assumed))))
    if not words or not scope.quote or scope.quote in quotes:
        return words
    quotes.add(scope.quote)
    return texts.text("responder.questions.quote", words=words, said=scope.quote)


def openings_told(
    results: Sequence[turn.StepResult],
    context: ReplyContext,
    openings: turn.Openings,
    plan: turn.Plan,
    session: turn.Session,
) -> Iterator[turn.Block]:
    """Yield the answers to the questions about openings and their table, as far as the reply has them."""
    reply = plan.reply
    if reply is None or not (reply.questions or reply.shown):
        yield from listing(results, openings, plan, context)
        return
    yield from words_of(reply.questions, snapshot_of(results, plan, session, context.clinics), context)
    yield from listing(results, openings, plan, context) if reply.shown else unanswered(results, context)


def listing(
    results: Sequence[turn.StepResult], openings: turn.Openings, plan: turn.Plan, context: ReplyContext
) -> Iterator[turn.Block]:
    """Yield the blocks for list steps; only clinics that answered are said to have nothing free."""
    texts = context.texts
    answered = [result.step.clinic for result in results if result.status is turn.StepStatus.DONE]
    if not openings.listed and not openings.hidden:
        if answered:
            yield turn.Paragraph(texts.text("responder.listing.none_free", specialties=context.specialties(answered)))
        yield from unanswered(results, context)
        return
    printed = sorted((one for one in openings.listed if one.number > plan.printed), key=attrgetter("number"))
    # The earliest is said once: in a sentence where it was asked for, else in the table.
    has_earliest = openings.fits and not plan.printed
    table = offer_table(printed, plan, context, says_earliest=has_earliest and not plan.nearest)
    yield _opening(openings, answered, plan, context)
    yield from unanswered(results, context)
    if printed:
        yield replace(table, marked=0 if has_earliest else None)
    if rest := sum(not one.number for one in openings.listed):
        yield turn.Paragraph(texts.counted("responder.listing.rest", rest))
    if openings.hidden:
        yield turn.Paragraph(texts.counted("responder.listing.hidden", openings.hidden))
    yield from choosing(printed, context, nearest=has_earliest and plan.nearest)


def choosing(offers: Sequence[turn.Offer], context: ReplyContext, *, nearest: bool = False) -> Iterator[turn.Block]:
    """Yield how to choose one of some openings; where the `nearest` was wanted, a yes takes it."""
    if offers:
        one, texts = not offers[1:], context.texts
        several = texts.text("responder.listing.choose_nearest") if nearest else texts.text("responder.listing.choose")
        yield turn.Paragraph(texts.text("responder.listing.choose_one") if one else several)


def _opening(
    openings: turn.Openings, answered: Sequence[str], plan: turn.Plan, context: ReplyContext
) -> turn.Paragraph:
    texts = context.texts
    conditions = filter_words(openings.filter if openings.fits else plan.wish.filter, context)
    if not openings.fits:
        return turn.Paragraph(_none_fits(openings, conditions, texts))
    printed = sum(one.number > plan.printed for one in openings.listed)
    clinics = {"specialties": context.specialties(answered), "clinics": context.clinic_names(answered)}
    total = len(openings.listed)
    sentences = [
        texts.counted("responder.listing.more", printed, total=total, **clinics)
        if plan.printed
        else texts.counted("responder.listing.found", total, **clinics)
    ]
    if conditions:
        sentences.append(texts.text("responder.listing.filtered", filter=conditions))
    shown = () if plan.reply is None else plan.reply.shown
    sentences += _rests_on(shown, context)
    if plan.nearest and not plan.printed:
        first = openings.listed[0]
        where = {"doctor": first.doctor, "clinic": context.clinic(first.clinic)}
        sentences.append(texts.text("responder.listing.earliest", moment=texts.moment(first.date, first.time), **where))
    return turn.Paragraph(" ".join(sentences), private=any(scope.quote for scope in shown))


def _rests_on(shown: Sequence[turn.OpeningScope], context: ReplyContext) -> Iterator[str]:
    """Yield the words of the person that a filter rests on, and the conditions of it that none of their words name."""
    if quotes := dict.fromkeys(f"“{scope.quote}”" for scope in shown if scope.quote):
        yield context.texts.text("responder.listing.rests_on", said=context.texts.all_of(quotes))
    assumed = turn.all_of(one for scope in shown for one in scope.assumed)
    if words := filter_words(assumed, context):
        yield context.texts.text("responder.listing.assumed", filter=words)


def _none_fits(openings: turn.Openings, conditions: str, texts: Texts) -> str:
    if not openings.listed:
        return texts.text("responder.listing.none_at_all", filter=conditions)
    if openings.until is not None:
        return texts.text("responder.listing.too_late", filter=conditions, last=texts.long_date(openings.until))
    return texts.text("responder.listing.none_fits", filter=conditions)


def offer_table(
    offers: Sequence[turn.Offer], plan: turn.Plan, context: ReplyContext, *, says_earliest: bool = True
) -> turn.Table:
    """Return openings as a numbered table; remarks name the first as the earliest, and what suits or not."""
    texts, reminders = context.texts, plan.reminders
    clinics = {clinic: context.clinic(clinic) for clinic in {offer.clinic for offer in offers}}
    specialties = {clinic: context.specialty_of(clinic) for clinic in clinics}
    mixed, earliest = len(set(specialties.values())) > 1, 0 if says_earliest else None
    telling = reminders and [r for r in reminders if r.binding or not all(turn.fits(r.suits, one) for one in offers)]
    labels, rows = [Label.NUMBER, Label.DATE, Label.TIME, Label.DOCTOR, Label.CLINIC], []
    for position, offer in enumerate(offers):
        at = str(offer.number), texts.long_date(offer.date), turn.clock(offer.time)
        where = clinics[offer.clinic], *([specialties[offer.clinic]] if mixed else [])
        marks = [texts.text("responder.listing.earliest_mark")] if position == earliest else []
        remark = ", ".join([*marks, *(memory_mark(offer, telling, context) if telling else ())])
        rows.append((*at, offer.doctor, *where, remark))
    columns = context.labels(*labels, *([Label.SPECIALTY] if mixed else []), Label.REMARK)
    return turn.Table(columns, tuple(rows), marked=earliest, part=turn.Part.SLOTS)
