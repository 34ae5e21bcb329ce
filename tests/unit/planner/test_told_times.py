"""A time at which somebody does something is no wish: one's own is left out, and what suits or is asked is wished."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from orchestrator.turn import Language
from tests.unit.planner.desk import Desk

OTHERS = {
    Language.PT: (
        *("meu enteado tem capoeira {}", "a faxineira pega o carro {}", "o pedreiro sobe o muro {}"),
        *("minha vizinha ensaia {}", "a feira da rua é {}", "meu genro fecha a loja {}"),
    ),
    Language.EN: (
        *("hubby has the truck {}", "our flatmate bakes bread {}", "the movers come {}", "my stepson rehearses {}"),
        *("the ferry leaves {}", "Josh drives to Leeds {}", "the twins have judo {}"),
    ),
}
OWN = {
    Language.PT: (
        *("eu tô no quartel {}", "rodo no uber {}", "preciso ficar com a bebê {}", "vendo pastel na feira {}"),
        *("a gente grava um programa {}", "eu reúno com a equipe {}"),
    ),
    Language.EN: (
        *("I do pottery {}", "I see clients {}", "I'm at the warehouse {}", "we host a radio show {}"),
        *("I shovel snow {}", "I'm chairing a panel {}"),
    ),
}
WISHES = {
    Language.PT: (
        *("minha mãe prefere {}", "meu marido me leva {}", "meu chefe me libera {}", "me encaixa {}", "eu viria {}"),
        *("tô sossegado {}", "vou praí {}", "minha vizinha me dá carona {}", "eu dou um jeito {}"),
    ),
    Language.EN: (
        *("my son gives me a lift {}", "my boss lets me leave {}", "I can be there {}", "my mum prefers {}"),
        *("put me down {}", "I'm off {}", "I'm around {}", "I hope to come {}", "does she work {}?"),
    ),
}
DAYS = {
    Language.PT: {0: ("na segunda", "às segundas"), 2: ("na quarta", "toda quarta"), 4: ("na sexta", "às sextas")},
    Language.EN: {0: ("on Monday", "Mondays"), 2: ("on Wednesday", "Wednesdays"), 4: ("on Friday", "Fridays")},
}
FRAMES = {
    Language.PT: ("{}", "mas {}", "é que {}", "ah, {}", "porque {}"),
    Language.EN: ("{}", "but {}", "well, {}", "ugh, {}", "because {}"),
}
FIRST = "quero cardiologista"


@cache
def desk_after(*turns: str, language: Language) -> Desk:
    desk = Desk.open(language, consent_given=False)
    desk.say(*turns)
    return desk


def said(clauses: Mapping[Language, tuple[str, ...]]) -> Iterator[tuple[str, Language, int]]:
    for language in Language:
        days = [(day, words) for day, each in DAYS[language].items() for words in each]
        for n, (clause, (day, words)) in enumerate(product(clauses[language], days)):
            if (n + n // len(days)) % 4 == 0:
                frame = FRAMES[language][n % len(FRAMES[language])] if clause[-1] != "?" else "{}"
                yield frame.format(clause.format(words)), language, day


def weekdays(slots: Iterable[object]) -> set[int]:
    return {slot.date.weekday() for slot in slots}  # type: ignore[attr-defined]


@pytest.mark.parametrize(("clauses", "own"), [(OTHERS, False), (OWN, True)])
def test_at_a_list_what_is_told_of_a_day_wishes_none_and_ones_own_is_left_out(
    clauses: Mapping[Language, tuple[str, ...]], own: bool
) -> None:
    wrong = []
    for text, language, day in said(clauses):
        desk = replace(desk_after(FIRST, language=language))
        shown = weekdays(desk.session.offers)
        desk.say(text)
        left = weekdays(desk.session.offers)
        if left not in ([shown - {day}] if own else [shown, shown - {day}]):  # what keeps a relative may keep one, too
            wrong.append((text, left))
    assert wrong == []


@pytest.mark.parametrize(("clauses", "own"), [(OTHERS, False), (OWN, True)])
def test_at_a_card_what_is_told_takes_it_away_only_where_one_is_busy_oneself(
    clauses: Mapping[Language, tuple[str, ...]], own: bool
) -> None:
    wrong = []
    for text, language, day in said(clauses):
        desk = replace(desk_after(FIRST, "o 1", language=language))
        assert desk.session.proposal is not None
        (card,) = [step.taken for step in desk.session.proposal.plan.steps]
        assert card is not None
        plan = desk.say(text)
        kept = [step.taken for step in plan.steps if step.taken] == [card] or plan.keeps_proposal
        if kept is (own and card.date.weekday() == day):
            wrong.append(text)
    assert wrong == []


def test_what_is_told_beside_a_wish_leaves_the_wish_alone() -> None:
    wrong = []
    for text, language, day in said(OTHERS):
        wished = next(one for one in DAYS[language] if one != day)
        words = DAYS[language][wished][0]
        first = {Language.PT: "quero cardiologista {}, {}", Language.EN: "I want a cardiologist {}, {}"}[language]
        desk = Desk.open(language)
        desk.say(first.format(words, text))
        if weekdays(desk.session.offers) != {wished}:
            wrong.append((words, text))
    assert wrong == []


def test_what_suits_somebody_or_is_asked_is_wished() -> None:
    wrong = []
    for text, language, day in said(WISHES):
        desk = replace(desk_after(FIRST, language=language))
        desk.say(text)
        if weekdays(desk.session.offers) != {day}:
            wrong.append((text, weekdays(desk.session.offers)))
    assert wrong == []


@pytest.mark.parametrize("refused", ["não posso às segundas", "eu treino às segundas", "menos segunda"])
def test_a_day_refused_beside_a_part_of_the_day_bounds_where_a_visit_is_moved_to(refused: str) -> None:
    desk = Desk.open()
    desk.say("marca com o Dr. Ricardo dia 23 às 8h", "sim", "quero remarcar minha consulta")
    desk.say(f"de manhã, {refused}")
    assert 0 not in weekdays(desk.session.offers)
