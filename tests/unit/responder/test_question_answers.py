"""Whatever is asked over whatever agenda, the answer is what a plain count over the openings gives."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.responder import refusals_of, words_of
from orchestrator.responder.question_answers import (
    CommonDays,
    ComparedSides,
    FoundOpenings,
    RefusedQuestion,
    WhyRefused,
    answer_of,
)
from orchestrator.responder.reply_context import ReplyContext
from orchestrator.turn import (
    AskedOfAll,
    Best,
    Compare,
    DaysOfBoth,
    Fits,
    Gap,
    Language,
    OfAll,
    Offer,
    Order,
    Pick,
    openings_named,
)
from tests.support.clinic_turns import SESSION
from tests.support.form import examples, is_siege
from tests.support.plain_questions import CLINICS, TIMES, TODAY, Asked, RandomQuestions

EXAMPLES = 10_000 if is_siege() else examples(500)
SEEDS = st.integers(0, 2**32)
PROBE_DAYS = [TODAY + timedelta(days=ahead) for ahead in range(22)]


def moment(one: Offer) -> datetime:
    return datetime.combine(one.date, one.time)


def minutes(one: Offer) -> int:
    return one.time.hour * 60 + one.time.minute


def as_good(openings: list[Offer], order: Order, best: Best | None = None) -> set[Offer]:
    """Return the openings that no other beats."""
    beats: dict[str, Callable[[Offer, Offer], bool]] = {
        "soonest": lambda one, other: moment(one) < moment(other),
        "latest": lambda one, other: moment(one) > moment(other),
        "earliest_hour": lambda one, other: one.time < other.time,
        "latest_hour": lambda one, other: one.time > other.time,
        "nearest": lambda one, other: off(one, best) < off(other, best),
    }
    better = beats[order.value]
    return {one for one in openings if not any(better(other, one) for other in openings)}


def off(one: Offer, best: Best | None) -> int:
    assert best is not None
    assert best.at is not None
    return abs(minutes(one) - (best.at.hour * 60 + best.at.minute))


def check_found(it: Asked, answer: FoundOpenings, inside: list[Offer]) -> None:
    """Compare an answer with openings in it with a plain reading of the agenda."""
    found = list(answer.openings)
    assert [moment(one) for one in found] == sorted(moment(one) for one in found)
    match it.question:
        case AskedOfAll(OfAll.COUNT | OfAll.IN_WORDS | OfAll.SPAN):
            assert set(found) == set(inside)
            assert {one.doctor for one in inside}.isdisjoint(answer.doctors_without)
        case Best(order=order):
            assert set(found) == as_good(inside, order, it.question)
        case Pick(opening, best):
            assert {*found, *answer.others} == as_good(inside, best.order, best)
            assert [one.slot for one in found] == [opening]
        case Gap(first, second):
            assert {one.slot for one in found} == {first, second}
        case Fits(openings):
            assert {one.slot for one in found} == set(openings) & {one.slot for one in inside}
            assert {one.slot for one in answer.others} == set(openings) - {one.slot for one in inside}
        case AskedOfAll(OfAll.WHY_NOT):
            assert {*found, *answer.others} == set(inside)
        case _:
            raise AssertionError(it.question)


def check_compared(it: Asked, answer: ComparedSides, inside: list[Offer]) -> None:
    sides = [[one for one in inside if holds(one)] for holds in it.sides]
    assert isinstance(it.question, Compare)
    if it.question.by is None:
        assert [len(side) for side in answer.sides] == [len(side) for side in sides]
        most = max(map(len, sides))
        assert set(answer.winners) == {at for at, side in enumerate(sides) if side and len(side) == most}
        return
    top = as_good([one for side in sides for one in side], it.question.by)
    assert set(answer.winners) == {at for at, side in enumerate(sides) if top & set(side)}
    assert [set(side) for side in answer.sides] == [as_good(side, it.question.by) for side in sides]


@settings(max_examples=EXAMPLES, deadline=None)
@given(SEEDS)
def test_an_answer_is_what_the_openings_say(seed: int) -> None:
    it = RandomQuestions(seed).asked()
    answer = answer_of(it.question, it.snapshot)
    inside = [one for one in it.snapshot.openings if it.holds(one)]
    match answer:
        case RefusedQuestion(why=WhyRefused.PICK_OUTSIDE | WhyRefused.PICK_NOT_BEST):
            assert isinstance(it.question, Pick)
            best = it.question.best
            assert it.question.opening not in {one.slot for one in as_good(inside, best.order, best)}
        case RefusedQuestion(why=WhyRefused.NOT_OPEN):
            assert not {one.slot for one in it.snapshot.openings}.issuperset(openings_named(it.question))
        case FoundOpenings():
            check_found(it, answer, inside)
        case ComparedSides():
            check_compared(it, answer, inside)
        case CommonDays(days=days):
            assert isinstance(it.question, DaysOfBoth)
            held = [{one.date for one in inside if holds(one)} for holds in it.sides]
            assert list(days) == sorted(set.intersection(*held))
        case _:
            assert isinstance(answer, RefusedQuestion)


def could_change(it: Asked) -> bool:
    """Return whether an opening of a clinic that did not answer could lie in the scope."""
    silent = [one for one in CLINICS if one.id in it.snapshot.silent]
    probes = (
        Offer(0, clinic.id, doctor, "", day, at)
        for clinic in silent
        for doctor, day, at in product(clinic.doctors or ("Dra. Nova", "Dr. Novo"), PROBE_DAYS, TIMES)
    )
    has_sides = isinstance(it.question, Compare | DaysOfBoth)
    return any(it.holds(one) and (not has_sides or any(side(one) for side in it.sides)) for one in probes)


@settings(max_examples=EXAMPLES, deadline=None)
@given(SEEDS)
def test_words_name_no_opening_outside_the_scope_and_qualify_what_was_not_read(seed: int) -> None:
    it = RandomQuestions(seed).asked()
    openings = it.snapshot.openings
    named = {one.number for one in openings if one.slot in openings_named(it.question)}
    inside = {one.number for one in openings if it.holds(one)}
    inside = named if isinstance(it.question, Gap | Fits) else inside
    refused = refusals_of((it.question,), it.snapshot)
    for language in Language:
        context = ReplyContext(language, SESSION.identity, it.snapshot.clinics)
        words = " ".join(one.text for one in words_of((it.question,), it.snapshot, context))
        assert bool(words) != bool(refused)
        assert {int(one) for one in re.findall(r"(?:nº|No\.) (\d+)", words)} <= inside
        assert not re.search(r"[{}]|  | ,|,,|\.\.|\(\)|: \.|None", words)
        asked = it.question.what if isinstance(it.question, AskedOfAll) else None
        if words and not (isinstance(it.question, Gap | Fits) or asked is OfAll.WHY_NOT) and could_change(it):
            assert re.search("não respond|did not answer", words)
        if asked is OfAll.COUNT and words:
            counts = Counter(one.doctor for one in it.snapshot.openings if it.holds(one))
            expected = {0: "(?:as agendas não mostram|the clinics show no)", 1: "(?:único|only one)"}
            total = sum(counts.values())
            assert re.search(expected.get(total, rf"(?:há|there are) {total} "), words, re.IGNORECASE)


@settings(max_examples=EXAMPLES, deadline=None)
@given(SEEDS)
def test_several_questions_are_answered_together_or_refused(seed: int) -> None:
    it = RandomQuestions(seed).asked()
    questions = (it.question, *it.others, it.question)
    context = ReplyContext(Language.PT, SESSION.identity, it.snapshot.clinics)
    alone = [words_of((one,), it.snapshot, context) for one in questions]
    together = words_of(questions, it.snapshot, context)
    assert bool(together) == any(alone)
    assert any(one.private for one in together) == any(one.private for each in alone for one in each)
    named = set(re.findall(r"nº (\d+)", " ".join(one.text for one in together)))
    assert named <= set(re.findall(r"nº (\d+)", " ".join(one.text for each in alone for one in each)))
    assert len(refusals_of(questions, it.snapshot)) == sum(
        not each for each in dict(zip(questions, alone, strict=True)).values()
    )
