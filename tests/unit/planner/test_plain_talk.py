"""What hurried people say between a list and a yes: what is for or against a day, and the first but one."""

from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from orchestrator.planner.offline import OfflinePlanner
from orchestrator.turn import Appointment, Language, Offer, Plan
from tests.unit.planner.desk import WEEKDAYS, Desk

PT, EN = Language.PT, Language.EN
ASKED = {PT: ("quero cardiologista", "um ortopedista"), EN: ("a cardiologist please", "an orthopedist")}


@cache
def after(language: Language, *turns: str) -> Desk:
    desk = Desk.open(language, consent_given=False)
    desk.say(*turns)
    return desk


def said_after(language: Language, turns: tuple[str, ...], words: str) -> tuple[Plan, Desk]:
    before = after(language, *turns)
    desk = Desk(before.session, before.consent_given)
    return desk.say(words), desk


def slots(desk: Desk) -> set[str]:
    return {f"{one.doctor} {one.date} {one.time:%H:%M}" for one in desk.session.offers}


def named(one: Offer | Appointment) -> str:
    return f"{one.doctor} {one.date} {one.time:%H:%M}"


def taken(plan: Plan) -> list[Appointment]:
    return [step.taken for step in plan.steps if step.taken is not None]


def day_and_hour(one: Offer, language: Language) -> Iterator[str]:
    name = WEEKDAYS[language][one.date.weekday()]
    at = f"{one.time.hour}h{one.time:%M}" if language is PT else f"{one.time:%H:%M}"
    yield from (name, at, f"{name} {at}")


def fits(one: Offer, words: str, like: Offer, language: Language) -> bool:
    name = WEEKDAYS[language][like.date.weekday()]
    same_day, same_hour = one.date.weekday() == like.date.weekday(), one.time == like.time
    return (same_day or name not in words) and (same_hour or not any(letter.isdigit() for letter in words))


BOOKED = {PT: ("cardio segunda às 10h30", "isso", "sim"), EN: ("cardiologist on Monday at 10:30", "yes", "yes")}
FIRST_BUT = {
    PT: ("o primeiro que não seja {}", "o primeiro tirando {}", "a primeira que não é {}", "me dá o primeiro menos {}"),
    EN: ("the first one that's not {}", "the first except {}", "first one that isn't {}", "first available, not {}"),
}


@pytest.mark.parametrize("language", Language)
def test_the_first_but_what_is_refused_is_the_first_of_the_others(language: Language) -> None:
    wrong = []
    for turns in ASKED[language]:
        rows = after(language, turns).session.offers
        for words, frame in product(day_and_hour(rows[0], language), FIRST_BUT[language]):
            left = next(one for one in rows if not fits(one, words, rows[0], language))
            plan, desk = said_after(language, (turns,), frame.format(words))
            first = named(taken(plan)[0] if taken(plan) else desk.session.offers[0])
            if first != named(left):
                wrong.append((frame.format(words), first))
    assert wrong == []


FOR_IT = {
    PT: ("{} não é ruim", "até que {} não é má ideia", "{} não me atrapalha", "{} não seria nada mau"),
    EN: ("{} isn't too bad", "{} is not a bad idea", "{} wouldn't hurt", "I don't mind {}", "no objection to {}"),
}
AGAINST_IT = {
    PT: ("{} me quebra", "{} tá muito em cima", "{} não dá tempo", "{} já é daqui a pouco, não chego"),
    EN: ("{} is tough for me", "{} is taken for me", "{} is a stretch", "{} kills me"),
}


@pytest.mark.parametrize("wanted", [True, False])
@pytest.mark.parametrize("language", Language)
def test_what_is_not_bad_is_wanted_and_what_is_hard_is_not(language: Language, wanted: bool) -> None:
    wrong = []
    for turns in ASKED[language]:
        rows = after(language, turns).session.offers
        said = {words: one for one in rows for words in day_and_hour(one, language)}
        for (words, one), frame in product(said.items(), (FOR_IT if wanted else AGAINST_IT)[language]):
            plan, desk = said_after(language, (turns,), frame.format(words))
            meant = {named(it) for it in rows if fits(it, words, one, language) is wanted}
            kept = {named(it) for it in taken(plan)} or slots(desk)
            if meant and not (kept and kept <= meant):
                wrong.append((frame.format(words), sorted(kept)))
    assert wrong == []


BARE_HOUR = {PT: ("{} {}", "pode ser {} {}", "{} {} ok"), EN: ("{} {}", "{} {} it is", "ok, {} {} works")}


@pytest.mark.parametrize("language", Language)
def test_a_number_behind_a_weekday_is_an_hour_of_that_day_on_the_list(language: Language) -> None:
    wrong = []
    for turns in ASKED[language]:
        rows = after(language, turns).session.offers
        for one, frame in product(rows, BARE_HOUR[language]):
            hour = one.time.hour if language is PT else one.time.hour % 12 or 12
            same = [it for it in rows if it.date.weekday() == one.date.weekday()]
            if one.time.minute or any(it.date.day == hour for it in same):
                continue
            words = frame.format(WEEKDAYS[language][one.date.weekday()], hour)
            plan, desk = said_after(language, (turns,), words)
            meant = {named(it) for it in same if it.time == one.time}
            kept = {named(it) for it in taken(plan)} or slots(desk)
            if not (kept and kept <= meant):
                wrong.append((words, sorted(kept)))
    assert wrong == []


ARRANGED = {
    PT: (
        *("falei com meu chefe, {}", "conferi na agenda, {}", "consegui folga. {}", "meu marido me leva, {}"),
        *("minha chefe liberou, {}", "vi aqui e dá. {}", "já pensei, {}", "estou livre nesse dia, {}"),
    ),
    EN: (
        *("boss says fine. {}", "checked with work, {}", "I got the day off. {}", "my husband can drive me, {}"),
        *("I thought about it, {}", "talked to my manager, {}", "my calendar is free then, {}", "good news. {}"),
    ),
}
CLEARLY = {PT: ("sim", "pode marcar", "confirma"), EN: ("yes", "book it", "go ahead")}
NOT_YET = {
    PT: ("falei com meu chefe", "conferi na agenda", "consegui folga", "tá livre", "falei com meu chefe e não"),
    EN: ("checked with work", "I got the day off", "my husband can drive me", "talked to my manager, no"),
}


@pytest.mark.parametrize("language", Language)
def test_a_yes_behind_what_was_arranged_for_it_is_a_yes_and_that_alone_is_none(language: Language) -> None:
    proposal = after(language, *BOOKED[language][:2]).session.proposal
    assert proposal is not None
    agreed = [frame.format(yes) for frame, yes in product(ARRANGED[language], CLEARLY[language])]
    assert [words for words in agreed if OfflinePlanner().consent(words, proposal) is not True] == []
    assert [words for words in NOT_YET[language] if OfflinePlanner().consent(words, proposal) is True] == []


SLIPS = {
    PT: (
        ("qualquer um {} segunda", "menos", ("meos", "mnos", "meenos", "mennos")),
        ("não {} segunda", "posso", ("poso", "possoo", "psoso")),
    ),
    EN: (("Monday is no {}", "good", ("goodd", "godo")),),
}


@pytest.mark.parametrize("language", Language)
def test_a_slip_in_a_short_word_on_which_a_reply_hangs_changes_nothing(language: Language) -> None:
    for turns, (frame, right, slips) in product(ASKED[language], SLIPS[language]):
        plan, desk = said_after(language, (turns,), frame.format(right))
        meant = [named(it) for it in taken(plan)] or slots(desk)
        for slip in slips:
            plan, desk = said_after(language, (turns,), frame.format(slip))
            assert ([named(it) for it in taken(plan)] or slots(desk)) == meant, slip
