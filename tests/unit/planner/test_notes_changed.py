"""What was noted ends, gives way, has its exceptions, is asked about and forgotten in the plainest words for it."""

import random
from dataclasses import replace
from datetime import date, datetime, time
from uuid import uuid4

import pytest

from mesh.clock import ZONE
from orchestrator import turn
from orchestrator.planner.about_self.memory_plan import reminders_of
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.turn import ForgetMemory, Language, ListMemories, Memory, SaveMemory, Source
from tests.support.repository_clinics import CLINICS
from tests.unit.planner.desk import Desk

NOW = datetime.fromisoformat("2026-11-27T08:00")
TOLD = datetime(2026, 11, 27, 7, tzinfo=ZONE)
OPENINGS = [turn.Appointment("clinic_a", "Dra. Helena Prado", date(2026, 12, n), time(9)) for n in range(1, 19)]
DAYS = {Language.PT: ("segunda", "terça", "quarta", "quinta", "sexta")}
DAYS[Language.EN] = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
BUSY = {Language.PT: ("não posso às {}s", "às {}s eu trabalho", "tenho aula às {}s")}
BUSY[Language.EN] = ("I can't do {}s", "I work on {}s", "{}s I have class")
FREE = {Language.PT: ("às {}s agora eu posso", "já posso às {}s", "às {}s não tem mais problema", "agora às {}s dá")}
FREE[Language.EN] = ("{}s are fine now", "I can do {}s now", "{}s are no problem anymore", "{}s freed up")
MOVED = {Language.PT: ("agora é {}", "mudou para {}", "não é mais {old}, é {}", "agora é {} em vez de {old}")}
MOVED[Language.EN] = ("it's {}s now", "they moved it to {}s", "now it's {}s, not {old}s", "it changed to {}s")
ONCE = {Language.PT: ("dia {} eu posso", "dia {} estou de folga", "dia {} eu tenho folga", "eu posso dia {}")}
ONCE[Language.EN] = (
    "on December {} I can",
    "I'm off on December {}",
    "I'm not working on December {}",
    "I have December {} off",
)
FORGOTTEN = {Language.PT: ("esquece as {}s", "apaga o que eu disse sobre as {}s", "esquece que não posso às {}s")}
FORGOTTEN[Language.EN] = ("forget {}s", "forget about {}s", "forget that I can't do {}s")
ASKED = {Language.PT: ("você tem anotado que não posso às {}s?", "tá anotado que não posso às {}s?")}
ASKED[Language.EN] = ("did you note that I can't do {}s?", "is it noted that I can't do {}s?")
AROUND = ("{}", "hmm, {}", "{}.", "oi, {}")


def heard(said: str, language: Language, *notes: Memory) -> turn.Plan:
    session = replace(Desk.open(language, remembers=True).session, recalled=notes)
    return OfflinePlanner().plan(said, session, CLINICS, NOW)


def left(plan: turn.Plan, *notes: Memory) -> list[Memory]:
    """Return the notes that a plan leaves."""
    gone = {one.about for one in plan.memory if isinstance(one, ForgetMemory)}
    new = [one for one in plan.memory if isinstance(one, SaveMemory)]
    made = [Memory(str(uuid4()), one.content, one.kind, Source.CONVERSATION, "", TOLD, TOLD) for one in new]
    return [*(one for one in notes if one.content not in gone), *made]


def free_days(reminders: tuple[turn.SlotPreference, ...]) -> set[date]:
    return {one.date for one in OPENINGS if all(turn.fits(each.suits, one) for each in reminders)}


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("seed", range(3))
def test_a_note_is_what_was_said_of_it_last(language: Language, seed: int) -> None:
    draw, wrong, every = random.Random(seed), list[str](), {one.date for one in OPENINGS}
    for busy in BUSY[language]:
        old, new = draw.sample(range(5), 2)
        kept = left(heard(busy.format(DAYS[language][old]), language))
        off = {day for day in every if day.weekday() == old}
        once = draw.choice([day for day in off if day.day > 7])
        wanted = [(one.format(DAYS[language][old]), every) for one in (*FREE[language], *FORGOTTEN[language])]
        moved = {day for day in every if day.weekday() != new}
        wanted += [(one.format(DAYS[language][new], old=DAYS[language][old]), moved) for one in MOVED[language]]
        for said, free in ((draw.choice(AROUND).format(one), free) for one, free in wanted):
            notes = tuple(left(heard(said, language, *kept), *kept))
            wrong += [] if free_days(reminders_of(notes, CLINICS, language)) == free else [f"{kept} {said}"]
        for said in (draw.choice(AROUND).format(one.format(once.day)) for one in ONCE[language]):
            plan = heard(said, language, *kept)
            wrong += [] if left(plan, *kept) == kept and free_days(plan.reminders) == every - off | {once} else [said]
        for said in (one.format(DAYS[language][old]) for one in ASKED[language]):
            wrong += [] if heard(said, language, *kept).memory == (ListMemories(),) else [said]
    assert wrong == []


@pytest.mark.parametrize("last", ["8 de dezembro", "15 de dezembro", "8/12", "15/12", "9/12"])
@pytest.mark.parametrize("first", ["2 de dezembro", "2/12"])
def test_a_range_that_ends_on_the_8th_or_15th_is_no_count_of_days(first: str, last: str) -> None:
    (note,) = left(heard(f"vou viajar de {first} a {last}", Language.PT))
    end = int(last.partition("/")[0].partition(" ")[0])
    assert free_days(reminders_of((note,), CLINICS, Language.PT)) == {
        one.date for one in OPENINGS if not 2 <= one.date.day <= end
    }
