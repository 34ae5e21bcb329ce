"""What keeps somebody for good is noted in any frame, and what is of one day is not; notes are asked about."""

from dataclasses import replace
from datetime import datetime, time
from itertools import product
from pathlib import Path

import pytest

from mesh.clock import ZONE
from orchestrator.planner.about_self.memory_plan import reminders_of
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.turn.identity import Language
from orchestrator.turn.memory_calls import ForgetMemory, ListMemories, Memory, MemoryKind, SaveMemory, Source
from orchestrator.turn.opening_filter import fits
from orchestrator.turn.plan import Plan
from orchestrator.turn.session import Offer
from tests.unit.planner.desk import CLINICS, NOW, RICARDO, Desk

SENTENCES = Path(__file__).parents[2] / "sentences"
SAID_AT = datetime(2025, 7, 14, 9, tzinfo=ZONE)


def hear(utterance: str, *remembered: str, listing: bool = False) -> Plan:
    desk = Desk.open(remembers=True)
    kinds = {one: call.kind for one in remembered for call in _saves(one)}
    kept = (
        Memory(one, one, kinds.get(one, MemoryKind.RESTRICTION), Source.CONVERSATION, "", SAID_AT, SAID_AT)
        for one in remembered
    )
    offer = Offer(1, "clinic_a", RICARDO, "Cardiology", NOW.date(), NOW.time())
    session = replace(desk.session, recalled=tuple(kept), offers=(offer,) if listing else ())
    return OfflinePlanner().plan(utterance, session, CLINICS, NOW)


def _saves(utterance: str) -> list[SaveMemory]:
    return [one for one in hear(utterance).memory if isinstance(one, SaveMemory)]


def saved(utterance: str) -> list[str]:
    return [one.content for one in _saves(utterance)]


DAYS = {Language.PT: ("segunda", "quarta", "sexta à tarde"), Language.EN: ("monday", "wednesday", "friday afternoon")}
LIMITS = {
    Language.PT: ("{} não posso", "{} não dá pra mim", "{} é ruim pra mim"),
    Language.EN: ("i can't do {}", "{} doesn't work for me", "{} is bad for me"),
}
REASONS = {
    Language.PT: ("tenho aula", "trabalho", "busco meu filho", "tenho terapia", "tenho plantão"),
    Language.EN: ("i have a class", "i work", "i pick up my son", "i have therapy", "i have choir practice"),
}
FRAMES = {
    Language.PT: ("{}", "preciso de um cardiologista, {}", "oi, {}"),
    Language.EN: ("{}", "i need a cardiologist, {}", "hi, {}"),
}


@pytest.mark.parametrize("language", list(Language))
def test_a_day_with_a_reason_of_life_is_noted_and_one_without_is_not(language: Language) -> None:
    wrong = []
    for day, limit, frame in product(DAYS[language], LIMITS[language], FRAMES[language]):
        once = frame.format(limit.format(day))
        wrong += [once] if saved(once) else []
        for reason in REASONS[language]:
            said = frame.format(f"{limit.format(day)}, {reason}")
            notes = saved(said)
            told = [note for note in notes if day.split()[0] in note.lower()]
            wrong += [] if len(told) == 1 and "terapia" not in str(notes) and "therapy" not in str(notes) else [said]
    assert wrong == []


@pytest.mark.parametrize(
    "said",
    [
        "quinta nem pensar",
        "sábado pra mim é o melhor dia",
        "from now on saturdays only please",
        "mondays are a no go and wednesdays only after 3",
        "que santana lugar imundo, a clínica f é um nojo",
        "preciso de um cardio, só que seg e qua de manhã tô de plantão",
    ],
)
def test_what_is_said_to_hold_for_good_is_noted(said: str) -> None:
    assert saved(said)


FACTS = {
    Language.PT: ("trampo na bela vista", "moro em mauá", "não dirijo", "o dr fernando é um amor", "o lopes é grosso"),
    Language.EN: ("i'm over in mauá", "don't have a car", "wasn't a fan of dr fernando", "lopes was great"),
}
JOINTS = {Language.PT: (". ", " mas ", " e "), Language.EN: (". ", " but ", " and ")}


@pytest.mark.parametrize("language", list(Language))
def test_each_fact_of_a_sentence_is_noted(language: Language) -> None:
    pairs = product(FACTS[language], FACTS[language], JOINTS[language])
    said = [f"{one}{joint}{other}" for one, other, joint in pairs if one != other]
    assert [one for one in said if len(saved(one)) != 2 or hear(one).steps] == []


ASKED = {
    Language.PT: (
        *("vc guardou das {}?", "o que vc anotou das {}?", "vc lembra que eu não posso às {}?"),
        *("ainda tem as minhas {}?", "lista aí o que vc sabe", "isso tá anotado?", "quem eu disse que gosto?"),
        *("pq esse tá marcado?", "por que o primeiro veio com aviso?", "o que do you know sobre mim"),
    ),
    Language.EN: (
        *("you still have my {} right?", "did you note my {}?", "do you remember that i can't do {}?"),
        *("what i told you about {}?", "is that updated?", "read me back what you have", "so who did i say i like?"),
        *("what made you flag those?", "why is the first one marked?", "whats with the flag on those"),
    ),
}
WEEKDAYS = {Language.PT: ("sextas", "segundas"), Language.EN: ("fridays", "mondays and wednesdays")}


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("listing", [False, True])
def test_a_question_about_notes_shows_them(language: Language, listing: bool) -> None:
    asked = [one.format(days) for one, days in product(ASKED[language], WEEKDAYS[language])]
    heard = {one: hear(one, "não posso às sextas", listing=listing) for one in asked}
    assert [one for one, plan in heard.items() if plan.memory != (ListMemories(),) or plan.steps] == []


@pytest.mark.parametrize(
    "other",
    [
        *(
            "você guardou o horário das sextas pra mim?",
            "por que minha consulta tá marcada?",
            "lembra da dra marina couto?",
        ),
        *("do you have mondays?", "why is there nothing on monday?", "do you remember that i have an appointment?"),
        *("is that booked?", "o que você tem às sextas?", "what have you got on fridays?"),
    ],
)
def test_a_question_about_anything_else_shows_no_notes(other: str) -> None:
    assert ListMemories() not in hear(other, "não posso às sextas").memory


@pytest.mark.parametrize(
    ("note", "said"),
    [
        ("meu convênio é unimed", "na real mudei pra amil esse mês"),
        ("i am with unimed", "i switched to amil"),
        ("lopes was great", "no wait other way round, fernando was great"),
        ("não dirijo", "tira a parte de não dirigir, comprei um carro"),
        ("got friday afternoons off", "hold on, my boss just took my fridays away"),
    ],
)
def test_what_is_put_right_takes_the_place_of_the_note(note: str, said: str) -> None:
    assert ForgetMemory(note) in hear(said, note).memory


@pytest.mark.parametrize("said", ["qual cardiologista aceita o meu plano?", "which cardiologists take my insurance?"])
def test_an_insurance_that_was_noted_is_asked_about(said: str) -> None:
    assert (
        hear(said, "meu convênio é unimed").asked
        == hear(said.replace("o meu plano", "unimed").replace("my insurance", "unimed")).asked
    )


TAKEN_BACK = [
    line.split(" | ")
    for line in (SENTENCES / "notes_taken_back.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("note", "said", "left"), TAKEN_BACK)
def test_what_is_taken_back_is_forgotten_and_what_is_asked_of_notes_lists_them(note: str, said: str, left: str) -> None:
    before = saved(note) or [note]
    calls = hear(said, *before).memory
    gone = {one.about for one in calls if isinstance(one, ForgetMemory)}
    kept = [one for one in before if one not in gone]
    kept += [one.content for one in calls if isinstance(one, SaveMemory)]
    listed = any(isinstance(one, ListMemories) for one in calls)
    assert listed == (left == "?")
    wanted = {"-": [], "?": before, "=": before}.get(left, left.split(" + "))
    assert [one.casefold() for one in kept] == [one.casefold() for one in wanted]


@pytest.mark.parametrize("hour", ["before 10", "before 11", "after 3", "after 4"])
@pytest.mark.parametrize("frame", ["i never make it {}", "i can never make it {}", "i never get there {}"])
def test_what_is_never_made_is_refused_and_not_wished(frame: str, hour: str) -> None:
    (note,) = hear(frame.format(hour)).memory
    assert isinstance(note, SaveMemory)
    memory = Memory(note.content, note.content, note.kind, Source.CONVERSATION, "", SAID_AT, SAID_AT)
    (remark,) = reminders_of((memory,), CLINICS, Language.EN)
    inside = time(9) if hour.startswith("before") else time(17)
    outside = time(13)
    assert not fits(remark.suits, Offer(1, "clinic_a", RICARDO, "Cardiology", NOW.date(), inside))
    assert fits(remark.suits, Offer(1, "clinic_a", RICARDO, "Cardiology", NOW.date(), outside))
