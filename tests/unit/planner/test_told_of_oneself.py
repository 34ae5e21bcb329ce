"""What somebody tells of themselves is noted with its sign, however it begins and whatever is open beside it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, time, timedelta
from itertools import product

import pytest

from mesh.clock import ZONE
from orchestrator.planner.about_self import reminders_of
from orchestrator.turn import ForgetMemory, Language, ListMemories, Memory, Offer, Plan, SaveMemory, Source, Topic, fits
from tests.unit.planner.desk import CLINICS, NOW, RICARDO, Desk

Fits = Callable[[Offer], bool]

SAID_AT = NOW.replace(tzinfo=ZONE)
WEEK = [
    Offer(0, "clinic_a", RICARDO, "", date(2025, 7, 21) + timedelta(n % 7), time(9 + n // 7 * 4)) for n in range(21)
]
FRAMES = {
    Language.PT: (
        *("{}", "só avisando que {}", "fica sabendo que {}", "esqueci de falar, {}", "deixa anotado que {}"),
        *("o problema é que {}", "pra sua informação, {}", "lembra que {}", "só pra vc saber, {}"),
    ),
    Language.EN: (
        *("{}", "the thing is {}", "just letting you know {}", "I forgot to say, {}", "heads up, {}", "btw {}"),
        "keep in mind that {}",
    ),
}
TIMES: dict[Language, dict[str, Fits]] = {
    Language.PT: {
        "não posso às quintas": lambda it: it.date.weekday() != 3,
        "de manhã eu nunca consigo": lambda it: it.time.hour >= 12,
        "só posso à tarde, tenho aula": lambda it: it.time.hour >= 12,
        "só posso às terças, tenho faculdade": lambda it: it.date.weekday() == 1,
        "só consigo depois das 16h por causa do trabalho": lambda it: it.time.hour >= 16,
        "levo minha vó na fisio às quintas": lambda it: it.date.weekday() != 3,
    },
    Language.EN: {
        "I can't do Thursdays": lambda it: it.date.weekday() != 3,
        "mornings are always bad for me": lambda it: it.time.hour >= 12,
        "I can only do afternoons, I have class": lambda it: it.time.hour >= 12,
        "I can only do after 4 because of work": lambda it: it.time.hour >= 16,
        "I take my grandma to physio on Thursdays": lambda it: it.date.weekday() != 3,
    },
}
FACTS = {
    Language.PT: ("moro em Santo André", "não dirijo", "meu convênio é Unimed", "tenho dois filhos pequenos"),
    Language.EN: ("I live in Santo André", "I don't drive", "I work on Paulista", "I have two small kids"),
}
ASKS = {Language.PT: "quero marcar uma consulta", Language.EN: "I want to book an appointment"}
LISTS = {Language.PT: "quero um cardiologista", Language.EN: "I need a cardiologist"}


def hear(language: Language, *utterances: str) -> tuple[Plan, Desk]:
    desk = Desk.open(language, consent_given=False, remembers=True)
    return desk.say(*utterances), desk


def saved(plan: Plan) -> list[SaveMemory]:
    return [one for one in plan.memory if isinstance(one, SaveMemory)]


def suits(saves: Sequence[SaveMemory], language: Language) -> list[bool]:
    notes = [Memory("1", it.content, it.kind, Source.CONVERSATION, "", SAID_AT, SAID_AT, it.expires_on) for it in saves]
    reminders = reminders_of(notes, CLINICS, language)
    return [all(fits(one.suits, it) for one in reminders) for it in WEEK]


@pytest.mark.parametrize("language", list(Language))
def test_times_are_noted_with_their_sign_however_they_are_told(language: Language) -> None:
    wrong = []
    for (words, wanted), frame in product(TIMES[language].items(), FRAMES[language]):
        plan, _ = hear(language, frame.format(words))
        right = len(saved(plan)) == 1 and suits(saved(plan), language) == [wanted(it) for it in WEEK]
        wrong += [] if right and plan.topic is Topic.WHAT_ELSE and not plan.steps else [frame.format(words)]
    assert wrong == []


@pytest.mark.parametrize("language", list(Language))
def test_a_fact_is_noted_and_leaves_a_card_a_list_and_a_question_as_they_are(language: Language) -> None:
    wrong = []
    for fact, frame in product(FACTS[language], FRAMES[language]):
        said = frame.format(fact)
        of_card, desk = hear(language, LISTS[language], "1")
        card, of_card = desk.session.proposal, desk.say(said)
        wrong += [] if card and len(saved(of_card)) == 1 and of_card.keeps_proposal else [f"card: {said}"]
        of_list, desk = hear(language, LISTS[language], said)
        wrong += [] if len(saved(of_list)) == 1 and len(desk.session.offers) == 6 else [f"list: {said}"]
        asked, _ = hear(language, ASKS[language], said)
        wrong += [] if len(saved(asked)) == 1 and not asked.steps else [f"question: {said}"]
    assert wrong == []


WISHES = {
    Language.PT: ("{}, me vê um cardiologista", "{} então vê um cardiologista pra mim", "quero um cardiologista e {}"),
    Language.EN: ("{}, find me a cardiologist", "{} so find me a cardiologist please", "I need a cardiologist and {}"),
}
TOLD = {
    Language.PT: ("toda terça levo minha filha no balé", "às segundas e quartas não dá pra mim", "moro em Mauá"),
    Language.EN: (
        "I take my daughter to ballet every Tuesday",
        "Thursdays never work for me",
        "clinic C is too far for me",
    ),
}


@pytest.mark.parametrize("language", list(Language))
def test_a_wish_beside_what_is_told_is_done_and_is_no_part_of_the_note(language: Language) -> None:
    wrong = []
    for words, frame in product(TOLD[language], WISHES[language]):
        plan, _ = hear(language, said := frame.format(words))
        notes = [one.content.lower() for one in saved(plan)]
        right = len(notes) == 1 and "cardio" not in notes[0] and words.split()[-1].lower() in notes[0]
        wrong += (
            [] if right and {one.clinic for one in plan.steps} <= {"clinic_a", "clinic_c"} and plan.steps else [said]
        )
    assert wrong == []


@pytest.mark.parametrize("said", ["não posso antes das 10", "nunca posso antes das 10", "not before 10"])
def test_a_card_that_is_as_an_hour_bounds_it_stays(said: str) -> None:
    language = Language.EN if said.startswith("not") else Language.PT
    _, desk = hear(language, LISTS[language], "1")
    assert desk.session.proposal is not None
    before = replace(desk.session.proposal.plan.steps[0])
    desk.say(said)
    assert desk.session.proposal is not None
    assert desk.session.proposal.plan.steps[0].taken == before.taken


NOTES = {
    "não posso às quintas": "das quintas",
    "viajo de 4 a 8 de agosto": "da viagem",
    "levo minha vó na academia às sextas": "da minha vó",
    "moro em Santo André": "de onde eu moro",
}
UNNEEDED = ("não precisa mais lembrar {}", "esquece isso que falei {}", "pode apagar aquilo {}")


@pytest.mark.parametrize("opening", [(), ("quero um cardiologista",), ("quero um cardiologista", "1")])
def test_one_note_is_forgotten_and_what_is_open_stays(opening: tuple[str, ...]) -> None:
    wrong = []
    for (note, about), frame in product(NOTES.items(), UNNEEDED):
        desk = Desk.open(consent_given=False, remembers=True)
        made = (saved(desk.say(one)) for one in NOTES)
        held = [Memory(it.content, it.content, it.kind, Source.CONVERSATION, "", SAID_AT, SAID_AT) for (it,) in made]
        meant = held[[*NOTES].index(note)].content
        desk = Desk.open(consent_given=False, remembers=True)
        [desk.say(one) for one in opening]
        offers, card = desk.session.offers, desk.session.proposal
        desk.session = replace(desk.session, recalled=tuple(held))
        plan = desk.say(said := frame.format(about))
        stays = desk.session.offers == offers and plan.keeps_proposal is (card is not None)
        wrong += [] if plan.memory == (ForgetMemory(meant),) and stays else [said]
    assert wrong == []


@pytest.mark.parametrize("said", ["o que eu falei da viagem?", "o que eu te disse sobre as quintas?"])
def test_what_was_said_of_something_is_shown(said: str) -> None:
    assert hear(Language.PT, said)[0].memory == (ListMemories(),)


@pytest.mark.parametrize("said", ["my daughter doesn't like Dr. Fernando", "my mother never wants Dr. Lopes again"])
@pytest.mark.parametrize("frame", ["remember that {}", "the thing is {}", "fyi {}"])
def test_whom_somebody_else_dislikes_is_not_noted(frame: str, said: str) -> None:
    assert saved(hear(Language.EN, frame.format(said))[0]) == []


@pytest.mark.parametrize(
    "said", ["anota que tomo insulina", "lembra que sou alérgico a dipirona", "anota que sou diabético"]
)
def test_health_told_beside_a_card_is_not_noted_and_leaves_it_open(said: str) -> None:
    plan, _ = hear(Language.PT, LISTS[Language.PT], "1", said)
    assert (plan.topic, plan.memory, plan.keeps_proposal) == (Topic.NO_HEALTH_MEMORY, (), True)
