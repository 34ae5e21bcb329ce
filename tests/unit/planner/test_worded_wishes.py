"""Wishes drawn at random and worded in many ways are understood as they are meant, or the desk says so."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.support.form import examples, is_siege
from tests.support.wish_grammar import Sentence, draw
from tests.support.wish_measure import Understood, judged

SEEDS = (1, 2, 3) if is_siege() else (1,)
SENTENCES = 1700 if is_siege() else examples(300)


@pytest.fixture(scope="module", params=SEEDS)
def understood(request: pytest.FixtureRequest) -> list[tuple[Sentence, Understood]]:
    sentences = [draw(request.param * 1_000_000 + n) for n in range(SENTENCES)]
    return [(sentence, judged(sentence)) for sentence in sentences]


def _said(understood: list[tuple[Sentence, Understood]], outcome: str) -> list[str]:
    return [sentence.said for sentence, verdict in understood if verdict.outcome == outcome]


def test_what_is_worded_in_many_ways_is_understood_as_it_is_meant(
    understood: list[tuple[Sentence, Understood]],
) -> None:
    outcomes = Counter(verdict.outcome for _, verdict in understood)
    assert outcomes["equal"] >= 0.97 * len(understood), outcomes


def test_no_wish_is_turned_round(understood: list[tuple[Sentence, Understood]]) -> None:
    assert _said(understood, "inverted") == []


def test_what_is_understood_too_widely_is_said(understood: list[tuple[Sentence, Understood]]) -> None:
    wider = _said(understood, "wider")
    assert len(wider) < 0.005 * len(understood), wider


def test_what_no_clinic_knows_is_said(understood: list[tuple[Sentence, Understood]]) -> None:
    unknown = [(sentence.said, verdict.said_so) for sentence, verdict in understood if sentence.unknown]
    missed = [said for said, said_so in unknown if not said_so]
    assert len(missed) <= max(1, 0.1 * len(unknown)), missed


def test_chatter_is_not_called_a_condition(understood: list[tuple[Sentence, Understood]]) -> None:
    equal = [verdict for sentence, verdict in understood if verdict.outcome == "equal" and not sentence.unknown]
    false = [verdict.unread for verdict in equal if verdict.said_so]
    assert len(false) < 0.05 * len(equal), false
