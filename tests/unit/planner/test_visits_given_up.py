"""What is given back is just what was said to go: of several visits named, of one put right, of all but some."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, time

import pytest

from orchestrator import turn
from orchestrator.turn import Appointment, Language
from tests.unit.planner.desk import FERNANDO, GUSTAVO, MARINA_TELES, Desk

HEART = Appointment("clinic_c", FERNANDO, date(2025, 7, 18), time(10))
SKIN = Appointment("clinic_b", MARINA_TELES, date(2025, 7, 22), time(9))
BONE = Appointment("clinic_d", GUSTAVO, date(2025, 7, 23), time(16))
HELD = (HEART, SKIN, BONE)

NAMED: Mapping[Language, Mapping[Appointment, tuple[str, ...]]] = {
    Language.PT: {
        HEART: ("a de sexta", "a do Dr. Mendes", "a de cardio", "a da clínica C", "a próxima"),
        SKIN: ("a do dia 22", "a consulta com a Marina Teles", "a do dermatologista", "a das 9h"),
        BONE: ("a consulta de quarta", "a do Gustavo", "a de ortopedia", "a última"),
    },
    Language.EN: {
        HEART: ("the Friday one", "the one with Dr. Mendes", "the heart one", "the one at clinic C", "the next one"),
        SKIN: ("my appointment on the 22nd", "my visit with Marina Teles", "the skin one", "the 9am one"),
        BONE: ("the Wednesday one", "Dr. Rezende's appointment", "my orthopedist appointment", "the last one"),
    },
}
GOES: Mapping[Language, Mapping[str, Callable[[Appointment, Appointment], set[Appointment]]]] = {
    Language.PT: {
        "cancela {one} e {two}": lambda one, two: {one, two},
        "desmarca {one} e também {two}": lambda one, two: {one, two},
        "cancela {one}, digo, {two}": lambda _, two: {two},
        "cancela {one}, não, {two}": lambda _, two: {two},
        "desmarca {one}, opa, {two}": lambda _, two: {two},
        "cancela {one}, não {two}": lambda one, _: {one},
        "cancela {one} mas mantém {two}": lambda one, _: {one},
        "cancela tudo menos {one}": lambda one, _: {*HELD} - {one},
        "não vou mais n{one}, cancela": lambda one, _: {one},
        "não cancela {one}": lambda *_: set(),
        "não apaga {one}": lambda *_: set(),
    },
    Language.EN: {
        "cancel {one} and {two}": lambda one, two: {one, two},
        "cancel {one} and also {two}": lambda one, two: {one, two},
        "cancel {one}, sorry, {two}": lambda _, two: {two},
        "cancel {one}, no wait, {two}": lambda _, two: {two},
        "cancel {one} - oops, {two}": lambda _, two: {two},
        "cancel {one}, not {two}": lambda one, _: {one},
        "cancel {one} but keep {two}": lambda one, _: {one},
        "cancel all but {one}": lambda one, _: {*HELD} - {one},
        "cancel the rest, keep {one}": lambda one, _: {*HELD} - {one},
        "don't cancel {one}": lambda *_: set(),
        "please don't drop {one}": lambda *_: set(),
    },
}


def cancellations(language: Language) -> Iterator[tuple[str, set[Appointment]]]:
    """Pair each of the names with some frames, so that each frame is said of every visit."""
    told = [(visit, name) for visit, names in NAMED[language].items() for name in names]
    for place, (frame, goes) in enumerate(GOES[language].items()):
        for number, (one, said) in enumerate(told):
            others = [way for way in told if way[0] != one]
            two, also = others[(number + place) % len(others)]
            yield frame.format(one=said, two=also), goes(one, two)


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("asked", [False, True])
def test_the_visits_that_are_said_to_go_are_given_back_and_no_other(language: Language, asked: bool) -> None:
    which = turn.Question(turn.Topic.ASK_WHICH_APPOINTMENT, turn.CANCEL) if asked else None
    wrong = []
    for text, goes in cancellations(language):
        plan = Desk.holding(language, *HELD, question=which).say(text)
        if {step.given_back for step in plan.steps} != goes:
            wrong.append(text)
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "cancela a que acabei de marcar",
        "desmarca a que marquei agora",
        "cancel the one I just made",
        "scrap the one I just booked",
    ],
)
def test_what_was_just_booked_is_given_back_by_that_name(text: str) -> None:
    told = turn.Exchange("sim", "", blocks=(turn.Table((), (), part=turn.Part.RECEIPT),))
    receipt = turn.Receipt(turn.ReceiptKind.CONFIRMED, BONE)
    desk = Desk.holding(Language.PT, HEART, SKIN, receipts=(receipt,), history=(told,))
    assert [step.given_back for step in desk.say(text).steps] == [BONE]


GIVEN_UP: Mapping[Language, tuple[str, ...]] = {
    Language.PT: ("não vou mais n{}", "não preciso mais d{}", "esquece {}", "desisti d{}", "não quero mais {}"),
    Language.EN: (
        "forget {}",
        "I'm skipping {}",
        "I don't need {} anymore",
        "I'm not going to {}",
        "I've changed my mind about {}",
    ),
}
LOST: Mapping[Language, tuple[str, ...]] = {
    Language.PT: ("na sexta não dá mais pra mim", "surgiu uma reunião na sexta", "não posso mais na sexta"),
    Language.EN: ("something came up on Friday", "I can't do Friday anymore", "Friday doesn't work for me anymore"),
}
LISTS = {Language.PT: "quero ortopedista", Language.EN: "orthopedist please"}


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("listed", [False, True])
def test_a_visit_that_is_given_up_in_other_words_is_given_back(language: Language, listed: bool) -> None:
    wrong = []
    for place, frame in enumerate(GIVEN_UP[language]):
        for visit in (HEART, SKIN):
            desk = Desk.holding(language, *HELD)
            if listed:
                desk.say(LISTS[language])
            names = [one for one in NAMED[language][visit] if not listed or not one.endswith(("22", "22nd"))]
            text = frame.format(names[1 + place % 2])
            wrong += [] if [step.given_back for step in desk.say(text).steps] == [visit] else [text]
    assert wrong == []


@pytest.mark.parametrize("language", list(Language))
def test_a_day_of_a_visit_that_is_lost_asks_what_becomes_of_the_visit(language: Language) -> None:
    for text in LOST[language]:
        desk = Desk.open(language, consent_given=False)
        assert desk.say(text).about_own, text  # the visits are looked up first
        plan = Desk.holding(language, *HELD).say(text)
        assert plan.topic is turn.Topic.ASK_CHANGE, text
        assert plan.question is not None
        assert plan.question.known["doctor"] == HEART.doctor, text


AGAIN: Mapping[Language, tuple[str, ...]] = {
    Language.PT: ("remarca pra semana que vem", "quero a de pele de volta", "agora remarca a Dra. Marina pra quinta"),
    Language.EN: ("rebook it for next week", "I want the skin one back", "now reschedule the skin one for Thursday"),
}


@pytest.mark.parametrize("language", list(Language))
def test_what_was_just_cancelled_is_booked_anew_and_no_other_visit_is_moved(language: Language) -> None:
    told = turn.Exchange("sim", "", blocks=(turn.Table((), (), part=turn.Part.RECEIPT),))
    receipt = turn.Receipt(turn.ReceiptKind.CANCELLED, SKIN)
    for text in AGAIN[language]:
        desk = Desk.holding(language, HEART, receipts=(receipt,), history=(told,))
        plan = desk.say(text)
        assert plan.question is not None
        assert plan.question.action == turn.BOOK, text
        assert {one.doctor for one in desk.session.offers} == {SKIN.doctor}, text
