"""What keeps somebody for good is noted in any frame, and what is of one day is not; notes are asked about."""

from dataclasses import replace
from datetime import date, datetime, time
from itertools import product
from pathlib import Path

import pytest

from mesh.clock import ZONE
from orchestrator.planner.about_self.memory_plan import reminders_of
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.turn.identity import Language
from orchestrator.turn.memory_calls import ForgetMemory, ListMemories, Memory, MemoryKind, SaveMemory, Source
from orchestrator.turn.opening_filter import Axis, axes_of, fits
from orchestrator.turn.plan import Plan, Topic
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
    offer = offered(NOW.date(), NOW.time())
    session = replace(desk.session, recalled=tuple(kept), offers=(offer,) if listing else ())
    return OfflinePlanner().plan(utterance, session, CLINICS, NOW)


def offered(day: date, at: time) -> Offer:
    """Return an opening of one doctor."""
    return Offer(1, "clinic_a", RICARDO, "Cardiology", day, at)


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
    assert not fits(remark.suits, offered(NOW.date(), inside))
    assert fits(remark.suits, offered(NOW.date(), outside))


NEVER = {
    Language.PT: (
        "nunca mais com {}",
        "não quero {} nunca mais",
        "não me ponha com {} nunca mais",
        "daqui pra frente {} não",
    ),
    Language.EN: (
        "never again with {}",
        "i don't want {} ever again",
        "don't ever put me with {} again",
        "keep {} away from me from now on",
    ),
}
ALONE = {
    Language.PT: ("só {} cuida de mim", "é sempre {} que me atende", "daqui pra frente só com {}"),
    Language.EN: ("only {} looks after me", "from now on only {}", "one thing to keep: only {}"),
}
DOCTORS = {Language.PT: ("o Dr. Ricardo Lopes", "a Dra. Marina Teles"), Language.EN: ("Dr. Lopes", "Dr. Teles")}


@pytest.mark.parametrize("language", list(Language))
def test_with_whom_it_is_for_good_is_noted_also_where_openings_are_asked_for(language: Language) -> None:
    frames = (*NEVER[language], *ALONE[language])
    wrong = [said for one, who in product(frames, DOCTORS[language]) if len(saved(said := one.format(who))) != 1]
    assert wrong == []


@pytest.mark.parametrize("said", ["quero um cardiologista, menos o Lopes", "cardiology, but not with Lopes please"])
def test_whom_one_does_not_want_this_time_is_not_noted(said: str) -> None:
    assert saved(said) == []


TRIP = "viajo do dia 23 de julho ao dia 31 de julho"


@pytest.mark.parametrize(
    "said",
    [
        "a viagem caiu, não vou mais",
        "o passeio melou, fico por aqui",
        "cancelaram meu voo, não viajo mais",
        "a excursão não vingou",
        "the trip fell through, i'm not going anymore",
        "turns out i'm staying home, trip's off",
        "my flight got cancelled so i'm here that week",
    ],
)
@pytest.mark.parametrize("listing", [False, True])
def test_a_trip_that_falls_through_is_forgotten(said: str, listing: bool) -> None:
    assert hear(said, TRIP, listing=listing).memory == (ForgetMemory(TRIP),)


@pytest.mark.parametrize(
    "said",
    [
        "they switched us to Amil this month",
        "we moved to Amil last month",
        "it's Amil now, the company switched",
        "a firma trocou pra Amil este mês",
        "mudaram meu plano pra Amil essa semana",
        "agora é Amil, trocou esse mês",
    ],
)
def test_another_insurance_takes_the_place_of_the_one_that_was_noted(said: str) -> None:
    plan = hear(said, "meu plano é Unimed", listing=True)
    assert ForgetMemory("meu plano é Unimed") in plan.memory
    assert ["amil" in one.content.lower() for one in plan.memory if isinstance(one, SaveMemory)] == [True]
    assert Axis.DAY not in axes_of(plan.wish.widest)


SWIMMING = "my kid has swimming tuesdays, and saturdays are for church"
CLASS = "às terças tenho aula e aos sábados tenho igreja"


@pytest.mark.parametrize(
    ("note", "said", "right"),
    [
        (SWIMMING, "the church bit is wrong, it's sundays", "sundays are for church"),
        (SWIMMING, "church is on sundays, not saturdays", "sundays are for church"),
        (CLASS, "a parte da igreja tá errada, é domingo", "aos domingos tenho igreja"),
        (CLASS, "a aula é na quarta, errei", "às quartas tenho aula"),
    ],
)
def test_the_day_of_one_thing_in_a_note_is_put_right(note: str, said: str, right: str) -> None:
    gone, new = hear(said, note).memory
    assert gone == ForgetMemory(note)
    assert isinstance(new, SaveMemory)
    assert right in new.content.lower()


@pytest.mark.parametrize(
    "said",
    [
        "school's out from july 24, so that doesn't count anymore after that",
        "from july 24 on that no longer applies",
        "a partir de 24 de julho isso não vale mais",
        "a escola acaba dia 23, depois disso não vale mais",
    ],
)
def test_a_note_that_ends_holds_until_then(said: str) -> None:
    note = "busco minha filha na escola às segundas ao meio-dia"
    gone, kept = hear(said, note, listing=True).memory
    assert gone == ForgetMemory(note)
    assert isinstance(kept, SaveMemory)
    assert (kept.content, kept.expires_on) == (note, date(2025, 7, 23))


@pytest.mark.parametrize(
    "why",
    [
        "meu chefe me liberou nesse dia",
        "nesse dia eu tô de folga",
        "nesse dia não trabalho",
        "fui dispensado nesse dia",
        "my boss let me off that day",
        "i have that day off",
        "i'm not working that day",
        "work is closed that day",
    ],
)
def test_an_exception_is_of_its_day_alone(why: str) -> None:
    note = "não posso à tarde, trabalho"
    day = "dia 24 de julho à tarde" if "nesse" in why else "july 24 in the afternoon"
    plan = hear(f"cardiologista {day}, {why}", note)
    free, kept = (offered(date(2025, 7, one), time(14)) for one in (24, 25))
    assert saved(f"cardiologista {day}, {why}") == []
    assert [fits(one.suits, free) for one in plan.reminders] == [True]
    assert [fits(one.suits, kept) for one in plan.reminders] == [False]
    assert fits(plan.wish.widest, free)


@pytest.mark.parametrize(
    "said",
    [
        "abre uma exceção, pode ser cedo dessa vez",
        "dessa vez aceito de manhã",
        "por essa vez qualquer hora serve",
        "just this once mornings are fine too",
        "make an exception, early is ok this time",
        "my wife retired last week, so any time works",
        "i changed jobs and now any hour is fine",
        "agora eu posso em qualquer horário",
        "saí da firma, então qualquer hora serve",
    ],
)
def test_a_permission_widens_and_never_narrows(said: str) -> None:
    plan = hear(said, "só posso depois das 11", listing=True)
    assert (plan.reminders, plan.memory) == ((), ())
    assert Axis.TIME not in axes_of(plan.wish.widest)


@pytest.mark.parametrize(
    "said",
    [
        *("this time works for me", "dessa vez não posso de manhã", "dessa vez com o Lopes"),
        *("any time works", "i'm flexible so any time works", "qualquer hora serve", "tanto faz, então qualquer hora"),
    ],
)
def test_what_is_no_permission_leaves_the_notes(said: str) -> None:
    assert hear(said, "só posso depois das 11", listing=True).reminders != ()


@pytest.mark.parametrize("note", ["trabalho às terças e quintas o dia inteiro", "i can't do tuesdays or thursdays"])
@pytest.mark.parametrize(
    "said",
    [
        *("quinta dia 24 eu peguei folga, tem algo?", "consegui folga no dia 24", "dia 24 a firma me liberou"),
        *("i got thursday the 24th off", "i'm off on the 24th, anything?", "my boss gave me thursday the 24th off"),
    ],
)
def test_a_day_off_is_an_exception_of_what_is_noted(note: str, said: str) -> None:
    plan = hear(said, note, listing=True)
    free, kept = (offered(date(2025, 7, one), time(14)) for one in (24, 22))
    assert [fits(one.suits, free) for one in plan.reminders] == [True]
    assert [fits(one.suits, kept) for one in plan.reminders] == [False]


@pytest.mark.parametrize(
    "said",
    [
        "the kids are off school next week so any time is fine",
        "my grandson is away next week so anytime",
        "semana que vem a avó fica com a menina, pode ser qualquer hora",
        "meu neto viaja semana que vem, então qualquer horário serve",
    ],
)
def test_a_week_in_which_any_hour_does_is_an_exception(said: str) -> None:
    plan = hear(said, "só posso depois das 11", listing=True)
    free, kept = (offered(date(2025, 7, one), time(9)) for one in (24, 29))
    assert [(fits(one.suits, free), fits(one.suits, kept)) for one in plan.reminders] == [(True, False)]
    assert fits(plan.wish.widest, free)
    assert not fits(plan.wish.widest, kept)
    assert not plan.writes


@pytest.mark.parametrize("said", ["a avó fica com ela semana que vem, então qualquer hora serve", "now any day works"])
def test_no_free_day_makes_a_doctor_liked(said: str) -> None:
    assert hear(said, "não gostei do Dr. Ricardo Lopes", listing=True).reminders != ()


@pytest.mark.parametrize(
    ("said", "note", "hour", "days"),
    [
        ("mornings only on Saturdays", "I can't do mornings, except Saturdays", 9, {26}),
        ("in the afternoons I can only do Fridays", "I can't do afternoons, except Fridays", 14, {25}),
        ("de manhã só aos sábados", "não posso de manhã, exceto aos sábados", 9, {26}),
        ("à tarde só consigo às quintas e sextas", "não posso à tarde, exceto às quintas e sextas", 14, {24, 25}),
    ],
)
def test_a_part_of_the_day_on_some_days_alone_leaves_the_others(
    said: str, note: str, hour: int, days: set[int]
) -> None:
    assert [one.casefold() for one in saved(said)] == [note.casefold()]
    memory = Memory(note, note, MemoryKind.RESTRICTION, Source.CONVERSATION, "", SAID_AT, SAID_AT)
    (remark,) = reminders_of((memory,), CLINICS, Language.PT)
    first = offered(date(2025, 7, 21), time(hour))
    week = [replace(first, date=date(2025, 7, day)) for day in range(21, 27)]
    assert {one.date.day for one in week if fits(remark.suits, one)} == days
    assert fits(remark.suits, replace(first, time=time(23 - hour)))


@pytest.mark.parametrize(
    ("note", "said", "axis"),
    [
        ("meu plano é Unimed", "cardiologista que atenda o plano", Axis.INSURANCE),
        ("meu plano é Unimed", "cardiologista sem pagar do meu bolso", Axis.INSURANCE),
        ("meu plano é Unimed", "cardiologista pelo convênio", Axis.INSURANCE),
        ("i have unimed", "a cardiologist without paying out of pocket", Axis.INSURANCE),
        ("i have unimed", "a cardiologist that takes what i have", Axis.INSURANCE),
        ("estou de férias de 21 a 31 de julho", "cardiologista nas minhas férias", Axis.DAY),
        ("i'm on vacation from july 21 to 31", "a cardiologist while i'm off", Axis.DAY),
        ("folgo às terças", "cardiologista na minha folga", Axis.DAY),
        ("i'm off on tuesdays", "a cardiologist on my day off", Axis.DAY),
        ("moro em Santo André", "tem cardiologista por aqui?", Axis.PLACE),
        ("i live in Santo André", "any cardiologist round here?", Axis.PLACE),
        ("estudo à noite em Santo André", "tem cardiologista perto da faculdade?", Axis.PLACE),
        ("i study in Santo André", "any cardiologist near my school?", Axis.PLACE),
    ],
)
def test_what_a_note_tells_is_wished_where_it_is_referred_to(note: str, said: str, axis: Axis) -> None:
    plan = hear(said, note)
    assert axis in axes_of(plan.wish.widest)
    assert plan.unread == ()


@pytest.mark.parametrize(
    "said",
    [
        "list what you've memorised",
        "tell me every single thing you've stored",
        "what exactly is saved?",
        "nobody told me you'd keep notes on me. what exactly is saved?",
        "you keep notes on me?",
        "ninguém me avisou que vocês guardam anotações sobre mim",
        "o que exatamente está salvo?",
        "o que você sabe das minhas férias?",
        "quando são as minhas férias mesmo?",
        "what do you know about my vacation?",
    ],
)
def test_who_asks_what_is_kept_is_shown_it(said: str) -> None:
    assert hear(said, "estou de férias de 21 a 31 de julho").memory == (ListMemories(),)


@pytest.mark.parametrize(
    "said",
    [
        "delete the diabetes thing",
        "erase the part about my cancer",
        "forget my blood pressure",
        "apaga o negócio da diabetes",
        "esquece a história da minha depressão",
    ],
)
def test_what_is_never_kept_is_not_forgotten_either(said: str) -> None:
    plan = hear(said, "não posso às sextas")
    assert (plan.topic, plan.memory) == (Topic.NO_HEALTH_MEMORY, ())


@pytest.mark.parametrize(
    "said", ["never been to clinic B", "nunca passei com a Helena Prado", "i've never seen Dr. Lopes"]
)
def test_where_one_has_not_been_yet_is_no_refusal(said: str) -> None:
    assert saved(said) == []


@pytest.mark.parametrize(
    "said", ["moro em Santo André, pertinho da estação, não tenho carro", "i live in São Caetano, small flat, no car"]
)
def test_who_only_tells_of_themselves_is_not_told_that_nobody_can_answer(said: str) -> None:
    plan = hear(said)
    assert plan.memory
    assert plan.topic is Topic.WHAT_ELSE


@pytest.mark.parametrize(
    ("utterance", "content"),
    [
        ("pego às 11h e só largo lá pelas 20h, todo dia de semana", "trabalho das 11h às 20h"),
        ("começo 8h e acabo largando só às 17", "trabalho das 8h às 17"),
        ("trampo na Paulista, saio às 18", "saio às 18"),
        ("i work at a bakery on Augusta and finish at 4", "I finish at 4"),
        ("faço hemodiálise segunda, quarta e sexta das 6 às 10 e meia, anota aí", "das 6 da manhã às 10:30"),
        ("só tem cuidadora de terça e quinta, fora isso não saio de casa", "só posso às terças e quintas"),
        ("i only get a sitter on Tuesdays, otherwise I can't leave the house", "I can only do tuesdays"),
        ("férias de 7 a 16 de dezembro, nem adianta me chamar", "vou estar fora de 7 a 16 de dezembro"),
        ("flying on December 10th and won't be back before Christmas", "back on Christmas"),
        ("i've got swimming on Mondays and Wednesdays, half four to six", "from half four to six"),
        ("o Dr. Ricardo é amigo do meu ex, prefiro não passar com ele", "prefiro não passar com o dr. ricardo"),
        ("i work nights, get home at 7 and sleep till two", "I sleep till two"),
        ("trabalho em escala 12x36 e nunca sei direito, mas terça é sempre minha folga", "folgo às terças"),
        ("reunião toda quinta à noite e sábado de manhã saio no campo", "todo sábado de manhã saio no campo"),
        ("I take her to school at noon every weekday so I gotta be out by 11:30 latest", "out by 11:30 on weekdays"),
        ("não posso antes das 10 às segundas", "às segundas só posso a partir das 10"),
        ("on Mondays I can't do after 11", "on Mondays I can only come until 11"),
    ],
)
def test_what_keeps_somebody_is_noted_in_words_that_tell_it(utterance: str, content: str) -> None:
    told = [one.lower() for one in saved(utterance)]
    assert any(one.endswith(content.lower()) for one in told), told


MONDAY, SATURDAY = date(2025, 7, 21), date(2025, 7, 19)


@pytest.mark.parametrize(
    ("utterance", "suiting", "against"),
    [
        ("pego às 11h e só largo lá pelas 20h", [(MONDAY, 10), (SATURDAY, 15)], [(MONDAY, 11), (MONDAY, 19)]),
        ("trampo na Paulista, saio às 18", [(MONDAY, 18), (SATURDAY, 10)], [(MONDAY, 17)]),
        ("i work nights, get home at 7 and sleep till two", [(MONDAY, 14)], [(MONDAY, 9)]),
        ("I take her to school at noon every weekday so I gotta be out by 11:30", [(SATURDAY, 15)], [(MONDAY, 15)]),
        ("não posso antes das 10 às segundas", [(SATURDAY, 8), (MONDAY, 10)], [(MONDAY, 9)]),
        ("I can't do after 11 on weekdays", [(SATURDAY, 15), (MONDAY, 10)], [(MONDAY, 12)]),
    ],
)
def test_what_keeps_somebody_reaches_no_further(
    utterance: str, suiting: list[tuple[date, int]], against: list[tuple[date, int]]
) -> None:
    told = saved(utterance)
    kept = [Memory(one, one, MemoryKind.RESTRICTION, Source.CONVERSATION, "", SAID_AT, SAID_AT) for one in told]
    filters = [one.suits for one in reminders_of(kept, CLINICS, Language.PT)]
    assert filters
    for day, hour in (*suiting, *against):
        slot = offered(day, time(hour))
        assert all(fits(one, slot) for one in filters) is ((day, hour) in suiting), (day, hour)


@pytest.mark.parametrize("gender", ["prefiro mulher, médico homem me deixa sem jeito", "I'd rather see a woman"])
def test_a_taste_bars_nobody(gender: str) -> None:
    kept = Memory(gender, gender, MemoryKind.PREFERENCE, Source.CONVERSATION, "", SAID_AT, SAID_AT)
    assert not any(one.binding for one in reminders_of([kept], CLINICS, Language.PT))


def rows(name: str) -> list[list[str]]:
    """Return the rows of a file of sentences, cut at their bars."""
    lines = (SENTENCES / name).read_text("utf-8").splitlines()
    return [line.split(" | ") for line in lines if not line.startswith("#")]


def opening(told: str) -> Offer:
    """Return an opening of which only the day of July and the hour are told, or only the doctor."""
    if told[0].isdigit():
        day, clock = told.split()
        hour, minute = map(int, clock.split(":"))
        return offered(date(2025, 7, int(day)), time(hour, minute))
    found = ((clinic, doctor) for clinic in CLINICS for doctor in clinic.doctors if told in doctor)
    clinic, doctor = next(found)
    return Offer(1, clinic.id, doctor, clinic.specialty, date(2025, 7, 22), time(14))


@pytest.mark.parametrize(("typed", "told"), rows("told_for_good.txt"))
def test_what_is_told_for_good_is_noted_and_says_of_openings_what_was_meant(typed: str, told: str) -> None:
    notes = [
        Memory(one.content, one.content, one.kind, Source.CONVERSATION, "", SAID_AT, SAID_AT) for one in _saves(typed)
    ]
    suits = [one.suits for one in reminders_of(notes, CLINICS, Language.PT)]
    assert suits
    fitting, others = (part.strip().split(", ") for part in told.split("!"))
    assert [one for one in fitting if not all(fits(each, opening(one)) for each in suits)] == []
    assert [one for one in others if all(fits(each, opening(one)) for each in suits)] == []


@pytest.mark.parametrize(("note", "said", "left"), rows("notes_moved.txt"))
def test_what_moved_takes_the_place_of_its_note(note: str, said: str, left: str) -> None:
    plan = hear(said, note)
    assert [one.content for one in plan.memory if isinstance(one, SaveMemory)] == [left]
    assert [one.about for one in plan.memory if isinstance(one, ForgetMemory)] == [note]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("nunca mais me marque com o dr lopes", "nunca mais me marque com o Dr. Lopes"),
        ("NUNCA MAIS COM O DR. LOPES", "nunca mais com o Dr. Lopes"),
        ("lopes nunca mais", "Lopes nunca mais"),
        ("gosto muito da dra marina teles", "gosto muito da Dra. Marina Teles"),
        ("i really like dr. marina teles", "I really like Dr. Marina Teles"),
    ],
)
def test_names_are_noted_as_people_write_them(typed: str, kept: str) -> None:
    assert saved(typed) == [kept]
