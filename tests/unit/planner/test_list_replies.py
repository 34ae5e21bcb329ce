"""A reply at a list, said in any plain way, keeps exactly the openings that are as it says, or takes the only one."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import product

import pytest

from orchestrator.turn import Language, Offer
from tests.unit.planner.desk import NOW, WEEKDAYS, Desk

Fits = Callable[[Offer], bool]

LISTS = ("quero cardiologista", "dermatologista", "an orthopedist please", "cardiologist please")
WANTED = {
    Language.PT: (
        *("{}", "pode ser {}", "prefiro {}", "e {}?", "tem {}?", "só {}", "quero {}", "então {}", "{} seria melhor"),
        *("{} mesmo", "hmm, {} então", "me vê {}", "vou querer {}", "consigo {}?", "{} rola?", "pra mim {} tá ótimo"),
    ),
    Language.EN: (
        *("{}", "{} please", "can I do {}?", "what about {}?", "I'd rather {}", "{} works best", "make it {}"),
        *("only {}", "{} then", "is {} possible?", "I could do {}", "{} would be great", "do you have {}?"),
        "{} sounds good",
    ),
}
REFUSED = {
    Language.PT: ("menos {}", "não posso {}", "tirando {}", "{} não dá", "sem ser {}", "não quero {}", "nada {}"),
    Language.EN: ("not {}", "I can't do {}", "anything but {}", "except {}", "{} is no good", "nothing {}", "avoid {}"),
}


def day_said(one: Offer, language: Language) -> Iterator[tuple[str, Fits]]:
    name = WEEKDAYS[language][one.date.weekday()]
    same = one.date.weekday()
    yield (
        (f"n{'oa'[same < 5]} {name}" if language is Language.PT else f"on {name}"),
        lambda it: it.date.weekday() == same,
    )


def date_said(one: Offer, language: Language) -> Iterator[tuple[str, Fits]]:
    written = f"dia {one.date.day}" if language is Language.PT else f"the {one.date.day}th"
    yield written, lambda it: it.date == one.date
    if language is Language.PT:
        yield f"{one.date.day}/{one.date.month}", lambda it: it.date == one.date


def hour_said(one: Offer, language: Language) -> Iterator[tuple[str, Fits]]:
    at = "às" if language is Language.PT else "at"
    yield f"{at} {one.time:%H:%M}".replace(" 0", " "), lambda it: it.time == one.time


def half_said(one: Offer, language: Language) -> Iterator[tuple[str, Fits]]:
    morning = one.time.hour < 12
    halves = {Language.PT: ("à tarde", "de manhã"), Language.EN: ("in the afternoon", "in the morning")}
    yield halves[language][morning], lambda it: (it.time.hour < 12) == morning


def doctor_said(one: Offer, language: Language) -> Iterator[tuple[str, Fits]]:
    title, *_, last = one.doctor.split()
    with_whom = f"com {'a' if title == 'Dra.' else 'o'}" if language is Language.PT else "with"
    yield f"{with_whom} {title} {last}", lambda it: it.doctor == one.doctor


SAID = (day_said, date_said, hour_said, half_said, doctor_said)


def replies(first: str) -> Iterator[tuple[str, Language, set[tuple[str, str]], bool]]:
    """Replies to a list, their language, the openings that are meant, and whether the others were refused."""
    desk = Desk.open()
    desk.say(first)
    for place, (language, refuses) in enumerate(product(Language, (False, True))):
        said = dict(words for one in desk.session.offers for say in SAID for words in say(one, language))
        for number, (words, fits) in enumerate(said.items()):
            meant = {_slot(one) for one in desk.session.offers if fits(one) is not refuses}
            for frame in (REFUSED if refuses else WANTED)[language][(number + place) % 3 :: 3]:
                if meant:
                    yield frame.format(words), language, meant, refuses


def _slot(one: Offer) -> tuple[str, str]:
    return one.doctor, f"{one.date} {one.time:%H:%M}"


@pytest.mark.parametrize("first", LISTS)
def test_a_reply_keeps_the_openings_that_are_as_it_says(first: str) -> None:
    wrong = []
    for reply, language, meant, refuses in replies(first):
        desk = Desk.open(language, consent_given=False)
        desk.say(first)
        plan = desk.say(reply)
        taken = {(step.taken.doctor, f"{step.taken.date} {step.taken.time:%H:%M}") for step in plan.steps if step.taken}
        kept = taken or {_slot(one) for one in desk.session.offers}
        coming = meant if refuses else {min(meant, key=lambda one: one[1])}  # "na segunda" is the coming Monday
        if not coming <= kept <= meant or (taken and (refuses or len(meant) > 1)):
            wrong.append((reply, sorted(kept)))
    assert wrong == []


@pytest.mark.parametrize("text", ["sexta", "a de sexta", "pode ser na sexta", "the Friday one", "Friday sounds good"])
def test_on_a_friday_both_fridays_of_a_list_are_meant(text: str) -> None:
    desk = Desk.open()
    desk.now = NOW + timedelta(days=3)
    desk.say("quero um cardiologista")
    desk.say(text)
    assert {moment for _, moment in map(_slot, desk.session.offers)} == {"2025-07-18 10:00", "2025-07-25 08:30"}
