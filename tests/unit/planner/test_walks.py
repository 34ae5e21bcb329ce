"""A conversation of several turns keeps what is on the table: a list, a card, a visit that is moved, the limits."""

from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from orchestrator.planner.offline import OfflinePlanner
from orchestrator.turn import Beside, Language, Plan, conditions_of, looked_for
from tests.unit.planner.desk import RICARDO, Desk

LIMITS = {"day": ("na segunda", "on Monday"), "time": ("de manhã", "in the morning"), "clinic": ("na clínica A",) * 2}
OPENED = {
    "day": ("tanto faz o dia", "qualquer dia serve", "o dia é indiferente", "I don't mind which day", "any day works"),
    "time": ("a hora tanto faz", "qualquer horário serve", "the time doesn't matter", "it can be at any time"),
    "clinic": ("tanto faz a clínica", "a clínica é indiferente", "I don't mind which clinic", "whichever clinic"),
}
CORRECTIONS = ("pensando bem, {}", "na verdade {}", "melhor {}", "actually {}", "muda pra {}", "troca pra {}")
HESITATIONS = (
    "just a second",
    "wait a second",
    "one second",
    "um segundo",
    "espera um pouco",
    "cold today",
    "que frio",
)
LIST_AGAIN = (
    "lista de novo",
    "a lista de novo",
    "repete as opções",
    "list again",
    "repeat the options",
    "o que mais tinha?",
)
ASIDES = ("onde fica a clínica E?", "where is clinic E?", "a clínica D tem estacionamento?", "when does clinic D open?")
HELD = ("cardiologista", "o 2", "sim")


@cache
def table(*turns: str) -> Desk:
    desk = Desk.open(Language.PT, consent_given=False)
    desk.say(*turns)
    return desk


def at(*turns: str) -> Desk:
    return replace(table(*turns))


def rows(desk: Desk) -> set[tuple[str, str]]:
    return {(one.doctor, f"{one.date:%d} {one.time:%H:%M}") for one in desk.session.offers}


def clinics(plan: Plan) -> set[str]:
    return {step.clinic for step in plan.steps}


def moves(plan: Plan) -> bool:
    return [step.action for step in plan.steps] == ["reschedule_appointment"]


@pytest.mark.parametrize("axis", LIMITS)
def test_what_is_open_again_widens_the_list_that_was_limited_by_it(axis: str) -> None:
    every = rows(at("cardiologista"))
    wrong = []
    for limit, said in product(LIMITS[axis], OPENED[axis]):
        desk = at("cardiologista", limit)
        narrowed = rows(desk)
        plan = desk.say(said)
        if not narrowed < every or plan.writes or rows(desk) != every:
            wrong.append((limit, said, sorted(rows(desk))))
    assert wrong == []


def test_a_correction_at_a_card_is_of_the_card_and_of_no_visit_that_is_held() -> None:
    wrong = []
    for frame, when in product(CORRECTIONS, ("dia 22", "às 10h", "sexta")):
        desk = at(*HELD, "quero um dermatologista", "o 2")
        plan = desk.say(said := frame.format(when))
        if not clinics(plan) <= {"clinic_b", "clinic_f"} or any(step.given_back for step in plan.steps):
            wrong.append((said, [step.parameters for step in plan.steps]))
    assert wrong == []


@pytest.mark.parametrize("said", HESITATIONS)
def test_what_is_said_aside_at_a_card_takes_no_row_and_leaves_what_would_do_instead(said: str) -> None:
    desk = at("cardiologista", "o 1")
    waiting = desk.session.proposal
    assert waiting is not None
    plan = desk.say(said)
    assert (plan.writes, plan.keeps_proposal) == (False, True)
    desk.session = replace(desk.session, proposal=waiting)
    desk.say("então na segunda")
    assert rows(desk) == {(RICARDO, "21 09:00"), (RICARDO, "21 10:30")}


@pytest.mark.parametrize("said", LIST_AGAIN)
def test_a_list_is_shown_again_at_a_card(said: str) -> None:
    desk = at("cardiologista", "o 2")
    plan = desk.say(said)
    assert (plan.writes, rows(desk)) == (False, rows(at("cardiologista")))


@pytest.mark.parametrize("said", ASIDES)
def test_a_question_about_a_clinic_of_others_leaves_the_list_and_the_move(said: str) -> None:
    desk = at("cardiologista")
    desk.say(said)
    assert clinics(desk.say("depois das 9h")) == {"clinic_a", "clinic_c"}
    moving = at(*HELD, "muda pra semana que vem")
    moving.say(said)
    assert moves(moving.say("o 1"))


@pytest.mark.parametrize("no", ["não", "não quero", "no", "no thanks", "esse não", "not that one"])
@pytest.mark.parametrize("then", ["o 3", "quero o 3", "number 3", "dia 23 às 8h"])
def test_a_visit_goes_on_being_moved_when_its_card_is_turned_down(no: str, then: str) -> None:
    desk = at("marca com o Dr. Ricardo dia 21 às 9h", "sim", "muda pra semana que vem", "o 2")
    proposal = desk.session.proposal
    assert proposal is not None
    assert OfflinePlanner().consent(no, proposal) is False
    desk.session = replace(desk.session, proposal=None, question=looked_for(proposal))
    assert moves(desk.say(then))


@pytest.mark.parametrize("said", ["that one is fine", "that one", "pode marcar o 1", "esse", "pode ser esse"])
def test_the_only_opening_for_a_visit_that_is_moved_is_taken_by_that_visit(said: str) -> None:
    assert moves(at("marca com o Dr. Ricardo dia 21 às 9h", "sim", "muda pra quarta").say(said))


@pytest.mark.parametrize("said", ["o 3", "number 3", "quero o 3"])
def test_a_row_of_the_screen_is_taken_where_the_card_came_from_a_search_beside_it(said: str) -> None:
    desk = at("dermatologista", "menos terça", "marca com a Dra. Teles dia 22 às 10h")
    shown = {offer.number: offer.doctor for offer in desk.session.offers}
    assert [step.doctor for step in desk.say(said).steps] == [shown[3]]


@pytest.mark.parametrize(
    "asked", ["não tem mais cedo?", "tem mais tarde?", "anything earlier?", "is there a later one?"]
)
@pytest.mark.parametrize("day", ["e na segunda?", "na terça", "on Friday?", "dia 24"])
def test_a_day_that_is_named_next_is_not_held_to_earlier_or_later(asked: str, day: str) -> None:
    desk = Desk.open(Language.PT, consent_given=False)
    desk.say("ortopedista na quarta", asked, day)
    wish = looked_for(desk.session.proposal) if desk.session.proposal else desk.session.question
    assert wish is not None
    assert not [one for one in conditions_of(wish.wish.widest) if isinstance(one, Beside)]
