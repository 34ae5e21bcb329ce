"""A visit that is spoken of as one that there is, is the one that is held: asked about, moved, kept or given back."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, time
from itertools import product

import pytest

from orchestrator import turn
from orchestrator.turn import Appointment, Language, Receipt, ReceiptKind
from tests.unit.planner.desk import FERNANDO, MARINA_TELES, RICARDO, Desk

HEART = Appointment("clinic_c", FERNANDO, date(2025, 7, 18), time(10))
SKIN = Appointment("clinic_b", MARINA_TELES, date(2025, 7, 22), time(16))
LATER = Appointment("clinic_a", RICARDO, date(2025, 7, 23), time(14))
SOONER = replace(LATER, date=date(2025, 7, 21), time=time(9))

NAMED = {
    Language.PT: {
        HEART: ("a de sexta", "a consulta do cardiologista", "a do Dr. Mendes", "meu cardiologista", "a das 10h"),
        SKIN: ("minha consulta do dia 22", "a de dermato", "a consulta com a Marina Teles", "meu dermatologista"),
    },
    Language.EN: {
        HEART: ("the Friday one", "my cardiologist", "the one with Dr. Mendes", "my heart appointment", "the 10am one"),
        SKIN: ("the appointment on the 22nd", "the skin one", "my visit with Marina Teles", "my dermatologist"),
    },
}
ASKED = {
    Language.PT: (
        "até quando posso cancelar {}?",
        "posso cancelar {} até quando?",
        "com quanta antecedência preciso cancelar {}?",
        "quando é {}?",
        "{} já foi cancelada?",
        "quem cancelou {}?",
    ),
    Language.EN: (
        "until when can I cancel {}?",
        "how much notice do I need to cancel {}?",
        "when is {}?",
        "is {} still on?",
        "has {} been cancelled?",
        "was {} moved?",
        "I'm coming to {}",
    ),
}
MOVED = {
    Language.PT: ("passa {} pra uma semana depois?", "tem como jogar {} pra quinta?", "muda {} pra quarta"),
    Language.EN: ("could we push {} a week later?", "if you have anything on Thursday, move {}", "move {} to Thursday"),
}
KEPT = {
    Language.PT: ("cancela tudo mas mantém {}", "cancela todas menos {}"),
    Language.EN: ("cancel all of them but keep {}", "cancel everything but {}"),
}


def said(frames: Mapping[Language, tuple[str, ...]], language: Language) -> Iterator[tuple[Appointment, str]]:
    for meant, words in NAMED[language].items():
        for frame, name in product(frames[language], words):
            yield meant, frame.format(name)


@pytest.mark.parametrize("language", list(Language))
def test_what_is_asked_of_a_visit_changes_nothing_and_looks_for_nothing(language: Language) -> None:
    plans = ((text, Desk.holding(language, HEART, SKIN).say(text)) for _, text in said(ASKED, language))
    assert [text for text, plan in plans if plan.steps or plan.topic is turn.Topic.ASK_SPECIALTY] == []


@pytest.mark.parametrize("language", list(Language))
def test_before_the_clinics_were_asked_what_names_a_visit_rests_on_what_is_held(language: Language) -> None:
    plans = ((text, Desk.open(language).say(text)) for _, text in said(MOVED, language) if "ista" not in text)
    assert [text for text, plan in plans if not plan.about_own] == []


@pytest.mark.parametrize("language", list(Language))
def test_the_visit_that_is_named_is_moved_in_any_plain_words(language: Language) -> None:
    wrong = []
    for meant, text in said(MOVED, language):
        plan = Desk.holding(language, HEART, SKIN).say(text)
        known = plan.question.known if plan.question is not None else {}
        held = (known.get("doctor"), known.get("original_date"))
        if [step.given_back for step in plan.steps] != [meant] and held != (meant.doctor, meant.date.isoformat()):
            wrong.append(text)
    assert wrong == []


@pytest.mark.parametrize("language", list(Language))
def test_the_visit_that_is_to_stay_is_never_the_one_that_goes(language: Language) -> None:
    wrong = []
    for meant, text in said(KEPT, language):
        plan = Desk.holding(language, HEART, SKIN).say(text)
        if {step.given_back for step in plan.steps} != {HEART, SKIN} - {meant}:
            wrong.append(text)
    assert wrong == []


@pytest.mark.parametrize(
    "text", ["muda a de quarta pra quinta", "passa a das 14h pra sexta", "muda a do dia 23 pra uma semana depois"]
)
def test_of_two_visits_with_one_doctor_the_day_tells_which(text: str) -> None:
    plan = Desk.holding(Language.PT, SOONER, LATER).say(text)
    assert plan.question is not None
    assert plan.question.known.get("original_date") == "2025-07-23"


@pytest.mark.parametrize(
    "text", ["desfaz", "desfaz o que você fez", "volta atrás", "undo", "undo that", "revert that", "put it back"]
)
@pytest.mark.parametrize("others", [(), (HEART,)])
def test_undoing_a_cancellation_books_again_and_cancels_nothing_else(
    text: str, others: tuple[Appointment, ...]
) -> None:
    desk = Desk.holding(Language.PT, *others, SKIN)
    receipt = turn.Exchange("sim", "", blocks=(turn.Table((), (), part=turn.Part.RECEIPT),))
    desk.session = replace(
        desk.session, receipts=(Receipt(ReceiptKind.CANCELLED, SKIN),), history=(receipt,), listed_receipts=0
    )
    assert [step.slots for step in desk.say(text).steps] == [(SKIN,)]
    assert [step.action for step in desk.say(text).steps] in ([], ["book_appointment"])


@pytest.mark.parametrize("text", ["cancela a próxima", "desmarca a próxima", "cancel the next one", "drop my next one"])
def test_the_next_one_is_the_earliest_that_is_held(text: str) -> None:
    plan = Desk.holding(Language.PT, HEART, SKIN).say(text)
    assert [step.given_back for step in plan.steps] == [HEART]
