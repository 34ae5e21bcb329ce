"""Word the answers to questions about openings; `question_answers` computes them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from orchestrator import turn
from orchestrator.responder.answer_clauses import AnswerClauses
from orchestrator.responder.filter_words import FilterPhrases
from orchestrator.responder.question_answers import (
    FoundOpenings,
    OpeningSnapshot,
    QuestionAnswer,
    RefusedQuestion,
    answer_of,
    silent_clinics,
)
from orchestrator.responder.reply_context import ReplyContext

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
    """Return the paragraphs, short ones that follow each other as one."""
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
