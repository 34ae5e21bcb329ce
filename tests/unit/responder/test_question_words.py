"""Questions about openings are answered with what is so, in both languages, or refused with a reason."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, time

import pytest

from orchestrator.responder import refusals_of, words_of
from orchestrator.responder.question_answers import OpeningSnapshot
from orchestrator.responder.reply_context import ReplyContext
from orchestrator.turn import (
    AllOf,
    AnyOf,
    AskedOfAll,
    AtClinics,
    AtTimes,
    Beside,
    Best,
    Compare,
    DateRange,
    DaysOfBoth,
    Filter,
    Fits,
    Gap,
    Language,
    Not,
    OfAll,
    OfSpecialty,
    OnDates,
    OnWeekdays,
    OpeningQuestion,
    OpeningScope,
    Order,
    Pick,
    TimeRange,
    WithDoctors,
    WithWoman,
    all_of,
)
from tests.support.clinic_turns import FERNANDO, RICARDO, SESSION
from tests.support.plain_questions import CLOSED
from tests.support.question_cases import Case, cases, filter_of, question_of, snapshot_of

CARDIOLOGY = snapshot_of("ac")
NUMBERED = {one.number: one.slot for one in CARDIOLOGY.openings}
ANY = OpeningScope()
SATURDAYS = OnWeekdays(frozenset({5}))
BEFORE_25 = Beside(datetime.combine(date(2025, 7, 25), time.min), later=False)
MORNING = AtTimes((TimeRange(time.min, time(11, 59)),))
BOTH = (WithDoctors(frozenset({FERNANDO})), WithDoctors(frozenset({RICARDO})))


def said(
    *questions: OpeningQuestion, snapshot: OpeningSnapshot = CARDIOLOGY, language: Language = Language.EN
) -> list[str]:
    context = ReplyContext(language, SESSION.identity, snapshot.clinics)
    return [one.text for one in words_of(questions, snapshot, context)]


def reasons(*questions: OpeningQuestion, snapshot: OpeningSnapshot = CARDIOLOGY) -> list[str]:
    return [one.reason for one in refusals_of(questions, snapshot)]


def lead(wanted: Filter, language: Language) -> str:
    """Return the words of a scope, as they stand before what the clinics show of it."""
    (words,) = said(AskedOfAll(OfAll.COUNT, OpeningScope(wanted)), language=language)
    return re.split(", (?:as agendas|há|the clinics|there) ", words)[0]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("case", cases(), ids=[case["id"] for case in cases()])
def test_every_sentence_is_said_and_none_of_the_false_ones(case: Case, language: Language) -> None:
    snapshot = snapshot_of(case["clinics"], list_filter=filter_of(case.get("list_filter", {})))
    questions = tuple(question_of(one, snapshot.openings) for one in case["questions"])
    words = said(*questions, snapshot=snapshot, language=language)
    assert words == case[language]
    assert reasons(*questions, snapshot=snapshot) == case.get("refused", [])
    if language is Language.EN:
        lacking = [fact for fact in case["facts"] if fact.casefold() not in " ".join(words).casefold()]
        assert lacking == []
    assert bool(words) == bool(case["facts"])


@pytest.mark.parametrize(
    ("wanted", "portuguese", "english"),
    [
        (
            OnDates((DateRange(date(2025, 7, 15), date(2025, 7, 15)),)),
            "Hoje, terça-feira, 15/07",
            "Today, Tuesday, July 15",
        ),
        (OnDates((DateRange(date(2025, 7, 19), date(2025, 7, 19)),)), "No sábado, 19/07", "On Saturday, July 19"),
        (OnDates((DateRange(date(2026, 1, 5), date.max),)), "A partir de 05/01/2026", "From January 5, 2026 on"),
        (BEFORE_25, "Antes de 25/07", "Before July 25"),
        (Beside(datetime.combine(date(2025, 7, 25), time(23, 59)), later=True), "Depois de 25/07", "After July 25"),
        (
            Beside(datetime.combine(date(2025, 7, 25), time(14)), later=True),
            "Depois de 25/07 às 14:00",
            "After July 25 at 14:00",
        ),
        (OnWeekdays(frozenset({1, 3})), "Às terças e às quintas", "On Tuesdays and Thursdays"),
        (OnWeekdays(frozenset({4}), (date(2025, 7, 18),)), "Na sexta-feira", "On Friday"),
        (OnWeekdays(frozenset(range(5))), "De segunda a sexta", "On weekdays"),
        (OnWeekdays(frozenset({5, 6})), "Nos fins de semana", "On weekends"),
        (OnWeekdays(frozenset(range(6))), "Em dias que não são domingo", "On days other than Sunday"),
        (
            WithDoctors(frozenset({FERNANDO, RICARDO})),
            f"Com o {FERNANDO} ou com o {RICARDO}",
            f"With {FERNANDO} or with {RICARDO}",
        ),
        (WithWoman(woman=False), "Com um médico homem", "With a man"),
        (AtClinics(frozenset({"clinic_a"})), "Na Clínica A", "At Clínica A"),
        (AnyOf((SATURDAYS, BEFORE_25)), "Aos sábados ou antes de 25/07", "On Saturdays or before July 25"),
        (Not(Not(SATURDAYS)), "Aos sábados", "On Saturdays"),
    ],
)
def test_a_scope_is_worded_as_people_do(wanted: Filter, portuguese: str, english: str) -> None:
    assert lead(wanted, Language.PT) == portuguese
    assert lead(wanted, Language.EN) == english


@pytest.mark.parametrize(
    ("first", "last", "portuguese", "english"),
    [
        (time(12), time(17, 59), "À tarde", "In the afternoon"),
        (time(12), time.max, "Do meio-dia em diante", "From noon on"),
        (time(18), time.max, "À noite", "In the evening"),
        (time(15), time.max, "A partir das 15:00", "From 15:00 on"),
        (time(12), time(23, 59), "Do meio-dia em diante", "From noon on"),
        (time(0), time(11, 59), "De manhã", "In the morning"),
        (time(18), time(23, 59), "À noite", "In the evening"),
        (time(15, 1), time(23, 59), "Depois das 15:00", "After 15:00"),
        (time(15), time(23, 59), "A partir das 15:00", "From 15:00 on"),
        (time(0), time(9, 59), "Antes das 10:00", "Before 10:00"),
        (time(0), time(10), "Até as 10:00", "Until 10:00"),
        (time(9), time(16), "Das 09:00 às 16:00", "From 09:00 to 16:00"),
        (time(9), time(9), "Às 09:00", "At 09:00"),
    ],
)
def test_hours_are_worded_as_people_do(first: time, last: time, portuguese: str, english: str) -> None:
    scope = OpeningScope(AtTimes((TimeRange(first, last),)))
    for language, words in ((Language.PT, portuguese), (Language.EN, english)):
        (sentence,) = said(AskedOfAll(OfAll.COUNT, scope), language=language)
        assert sentence.startswith(f"{words}, ")


def test_days_from_and_until_are_one_range() -> None:
    week = AllOf(
        (OnDates((DateRange(date(2025, 7, 21), date.max),)), OnDates((DateRange(date.min, date(2025, 7, 27)),)))
    )
    (words,) = said(DaysOfBoth(OpeningScope(week), BOTH))
    assert words.startswith("From July 21 to July 27, there are openings both ")


def test_what_was_assumed_is_marked_and_the_rest_is_not() -> None:
    scope = OpeningScope(AllOf((SATURDAYS, MORNING)), assumed=(MORNING,))
    assert said(AskedOfAll(OfAll.COUNT, scope))[0].startswith("On Saturdays, in the morning (my assumption), ")


def test_a_quote_is_said_once_and_never_logged() -> None:
    scope = OpeningScope(BEFORE_25, quote="I travel on the 25th")
    other = replace(scope, filter=SATURDAYS)
    context = ReplyContext(Language.EN, SESSION.identity, CARDIOLOGY.clinics)
    (paragraph,) = words_of((AskedOfAll(OfAll.COUNT, scope), AskedOfAll(OfAll.COUNT, other)), CARDIOLOGY, context)
    assert paragraph.text.count("“I travel on the 25th”") == 1
    assert paragraph.private
    (paragraph,) = words_of((AskedOfAll(OfAll.COUNT, ANY),), CARDIOLOGY, context)
    assert not paragraph.private


def test_questions_of_one_scope_share_its_words_and_the_same_question_is_answered_once() -> None:
    scope = OpeningScope(BEFORE_25)
    (words,) = said(Best(scope, Order.SOONEST), Best(scope, Order.LATEST), Best(scope, Order.SOONEST))
    assert words.count("efore July 25") == 1
    assert words.count("the soonest") == 1


@pytest.mark.parametrize(
    "question",
    [
        AskedOfAll(OfAll.COUNT, ANY),
        AskedOfAll(OfAll.IN_WORDS, ANY),
        AskedOfAll(OfAll.SPAN, ANY),
        Best(ANY, Order.SOONEST),
        Pick(NUMBERED[1], Best(ANY, Order.SOONEST)),
        AskedOfAll(OfAll.COUNT, OpeningScope(SATURDAYS)),
        AskedOfAll(OfAll.COUNT, OpeningScope(AtTimes((TimeRange(time(19), time(20)),)))),
    ],
)
def test_a_clinic_that_did_not_answer_is_named(question: OpeningQuestion) -> None:
    snapshot = snapshot_of("ac", silent="a")
    (words,) = said(question, snapshot=snapshot)
    assert words.endswith(" (without Clínica A, which did not answer).")
    (words,) = said(question, snapshot=snapshot, language=Language.PT)
    assert words.endswith(" (sem a Clínica A, que não respondeu).")


def test_a_clinic_that_could_not_have_changed_the_answer_is_not_named() -> None:
    (words,) = said(AskedOfAll(OfAll.COUNT, OpeningScope(BOTH[0])), snapshot=snapshot_of("ac", silent="a"))
    assert "did not answer" not in words


def test_ties_are_told() -> None:
    first, *others = CARDIOLOGY.openings
    twin = replace(first, number=20, clinic="clinic_a", doctor=RICARDO)
    snapshot = replace(CARDIOLOGY, openings=(first, twin, *others))
    (words,) = said(Best(ANY, Order.SOONEST), snapshot=snapshot)
    assert words == (
        "The soonest are Friday, July 18, at 10:00, with Dr. Fernando Mendes (No. 1) and"
        " Friday, July 18, at 10:00, with Dr. Ricardo Lopes (No. 20)."
    )
    assert "a tie with Friday, July 18" in said(Pick(twin.slot, Best(ANY, Order.SOONEST)), snapshot=snapshot)[0]
    assert said(Compare(ANY, BOTH, Order.SOONEST), snapshot=snapshot)[0].startswith(
        "It is a tie for the soonest opening: with Dr. Fernando Mendes, "
    )
    assert "start at the same time" in said(Gap(first.slot, twin.slot), snapshot=snapshot)[0]


def test_an_opening_without_a_number_is_named_without_one() -> None:
    snapshot = replace(CARDIOLOGY, openings=tuple(replace(one, number=0) for one in CARDIOLOGY.openings))
    assert said(Best(ANY, Order.SOONEST), snapshot=snapshot) == [
        "The soonest is Friday, July 18, at 10:00, with Dr. Fernando Mendes."
    ]
    first, second = CARDIOLOGY.openings[:2]
    assert said(Pick(first.slot, Best(ANY, Order.SOONEST)), snapshot=snapshot) == [
        "I suggest the opening on Friday, July 18, at 10:00, with Dr. Fernando Mendes, since it is the soonest."
    ]
    (words,) = said(Gap(first.slot, second.slot), snapshot=snapshot, language=Language.PT)
    assert words == (
        "O horário de sexta-feira, 18/07, às 10:00, com o Dr. Fernando Mendes vem um dia antes do horário de sábado,"
        " 19/07, às 14:00, com o Dr. Fernando Mendes."
    )


def test_only_the_list_on_the_screen_is_looked_at_where_that_is_asked() -> None:
    snapshot = replace(CARDIOLOGY, shown=frozenset({4, 9}))
    scope = OpeningScope(among_shown=True)
    (words,) = said(AskedOfAll(OfAll.COUNT, scope), Best(scope, Order.LATEST), snapshot=snapshot)
    assert words.startswith("In the list shown, there are 2 openings: ")
    assert words.endswith("(No. 9).")


def test_many_openings_are_counted_and_the_first_are_named() -> None:
    (words,) = said(AskedOfAll(OfAll.IN_WORDS, ANY), snapshot=snapshot_of("acde"))
    assert words.startswith("The first 12 of 24 openings are: ")
    assert words.count("No. ") == 12


def test_what_the_filter_hid_is_told_and_how_it_is_lifted() -> None:
    friday = OnWeekdays(frozenset({4}))
    snapshot = snapshot_of("ac", list_filter=friday)
    thursdays = OpeningScope(OnWeekdays(frozenset({3})))
    (words,) = said(AskedOfAll(OfAll.WHY_NOT, thursdays), snapshot=snapshot)
    assert words == (
        "On Thursdays, the filter of the list (on Fridays) left out 2 openings: with Dr. Ricardo Lopes, Thursday,"
        " July 24 at 15:30 (No. 8); with Dr. Fernando Mendes, Thursday, July 24 at 16:00 (No. 9)."
        " To see them all, say “all openings”."
    )
    (words,) = said(AskedOfAll(OfAll.WHY_NOT, OpeningScope(friday)), snapshot=snapshot)
    assert words.startswith("On Fridays, the filter of the list left out no opening; the openings are: with ")


DERMATOLOGY = OfSpecialty("Dermatology", frozenset({"clinic_b", "clinic_f"}))


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (Fits((NUMBERED[1], CLOSED), OpeningScope(SATURDAYS)), "2025-10-13 09:00 Dr. Ricardo Lopes is no longer open"),
        (Gap(NUMBERED[3], NUMBERED[3]), "a gap needs two different openings, and fits one or more"),
        (Fits((), OpeningScope(SATURDAYS)), "a gap needs two different openings, and fits one or more"),
        (Fits((NUMBERED[1],), ANY), "the scope has no condition"),
        (AskedOfAll(OfAll.COUNT, OpeningScope(DERMATOLOGY)), "clinic_b was not read in this turn; read it first"),
        (
            AskedOfAll(OfAll.COUNT, OpeningScope(WithDoctors(frozenset({"Dra. Marina Teles"})))),
            "Dra. Marina Teles was not read in this turn; read it first",
        ),
        (Best(ANY, Order.NEAREST), "nearest needs a time, and nothing else takes one"),
        (Compare(ANY, (BOTH[0], SATURDAYS), None), "sides must be two or more, different, and conditions of one kind"),
        (DaysOfBoth(ANY, BOTH[:1]), "sides must be two or more, different, and conditions of one kind"),
        (
            Pick(NUMBERED[2], Best(ANY, Order.SOONEST)),
            "the reason does not hold for this opening, but for 2025-07-18 10:00 Dr. Fernando Mendes",
        ),
        (
            Pick(NUMBERED[1], Best(OpeningScope(SATURDAYS), Order.SOONEST)),
            "2025-07-18 10:00 Dr. Fernando Mendes does not lie in the scope",
        ),
    ],
)
def test_a_question_without_an_answer_is_refused_with_a_reason(question: OpeningQuestion, reason: str) -> None:
    assert said(question) == []
    assert reasons(question) == [reason]


def test_nothing_is_said_of_clinics_none_of_which_answered() -> None:
    snapshot = snapshot_of("ac", silent="c")
    questions = (AskedOfAll(OfAll.COUNT, OpeningScope(BOTH[0])), Compare(ANY, BOTH, None))
    assert reasons(*questions, snapshot=snapshot) == ["no clinic of this scope answered"] * 2


def test_nothing_is_said_of_a_list_that_is_not_on_the_screen() -> None:
    snapshot = replace(CARDIOLOGY, shown=frozenset())
    questions = (AskedOfAll(OfAll.COUNT, OpeningScope(among_shown=True)), AskedOfAll(OfAll.WHY_NOT, ANY))
    assert reasons(*questions, snapshot=snapshot) == ["no list is on the screen"] * 2


def test_one_day_is_no_span() -> None:
    monday = OpeningScope(OnDates((DateRange(date(2025, 7, 21), date(2025, 7, 21)),)))
    assert said(AskedOfAll(OfAll.SPAN, monday)) == [
        "On Monday, July 21, the openings are: with Dr. Ricardo Lopes, at 09:00 (No. 3) and at 10:30 (No. 4)."
    ]


def test_a_specialty_is_said_where_others_were_asked_too() -> None:
    cardiology = OpeningScope(OfSpecialty("Cardiology", frozenset({"clinic_a", "clinic_c"})))
    assert said(AskedOfAll(OfAll.COUNT, cardiology))[0].startswith("There are 12 openings: ")
    assert said(AskedOfAll(OfAll.COUNT, cardiology), snapshot=snapshot_of("abcf"))[0].startswith(
        "In Cardiology, there are 12 "
    )


def test_a_clinic_that_has_nothing_of_a_scope_in_any_case_need_not_have_been_asked() -> None:
    cardiology = OfSpecialty("Cardiology", frozenset({"clinic_a", "clinic_c"}))
    scope = OpeningScope(all_of((cardiology, WithDoctors(frozenset({FERNANDO})))))
    assert reasons(AskedOfAll(OfAll.COUNT, scope), snapshot=snapshot_of("c")) == []
    assert reasons(AskedOfAll(OfAll.COUNT, OpeningScope(cardiology)), snapshot=snapshot_of("c")) == [
        "clinic_a was not read in this turn; read it first"
    ]
