"""What of a conversation a model is reminded of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mesh.arguments import Json
from orchestrator.llm.exposure import Pseudonyms, recollect
from orchestrator.turn.session import Exchange, Session
from tests.support.clinic_turns import CLINICS, CPF, NAME, SESSION

PLENTY = 100_000


def after(*exchanges: Exchange) -> Session:
    return replace(SESSION, history=exchanges)


def recollected(session: Session, max_tokens: int = PLENTY) -> list[Json]:
    return recollect(session, Pseudonyms.of(session, CLINICS), max_tokens)


def texts(turns: list[Json]) -> list[Any]:
    return [text for turn in turns if isinstance(turn, dict) for text in turn.values()]


def test_turns_come_back_oldest_first() -> None:
    session = after(Exchange("oi", "Olá!"), Exchange("quero um cardiologista", "Há dois horários."))
    assert recollected(session) == [
        {"user": "oi", "assistant": "Olá!"},
        {"user": "quero um cardiologista", "assistant": "Há dois horários."},
    ]


def test_without_a_history_there_is_nothing_to_recollect() -> None:
    assert recollected(SESSION) == []


def test_who_speaks_is_a_token_in_both_texts() -> None:
    session = after(Exchange(f"sou {NAME}, {CPF}", f"Olá, {NAME}! O CPF {CPF} está anotado."))
    assert recollected(session) == [
        {"user": "sou [PATIENT], [CPF-1]", "assistant": "Olá, [PATIENT]! O CPF [CPF-1] está anotado."}
    ]


def test_a_private_reply_is_not_shown_and_what_it_holds_gets_no_token() -> None:
    session = after(
        Exchange("mostre CARD-001", "Beatriz, (11) 98765-4321", private=True), Exchange("ligue (11) 3456-7890", "Não.")
    )
    assert recollected(session) == [
        {"user": "mostre CARD-001", "assistant": "[not shown]"},
        {"user": "ligue [PHONE-1]", "assistant": "Não."},
    ]


def test_a_long_text_is_cut_where_that_leaves_no_half_number() -> None:
    for length in range(560, 605):
        (turn,) = recollected(after(Exchange("oi", f"{'x' * length} {CPF} {NAME} {'y' * 100}")))
        assert isinstance(turn, dict)
        assert str(turn["assistant"]).endswith("…")
        assert not any(part in str(turn["assistant"]) for part in ("123", "456", "Carlos", "Teste"))


def test_the_newest_turns_are_kept_and_no_turn_is_left_out_between_two() -> None:
    session = after(Exchange("um", "a"), Exchange("dois", "b" * 500), Exchange("três", "c"))
    assert recollected(session, 60) == [{"user": "três", "assistant": "c"}]
    assert recollected(session, 0) == []


WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)


@given(st.lists(st.builds(Exchange, WORDS, WORDS), max_size=6), st.integers(0, 400))
def test_what_is_kept_is_the_end_of_all_there_is_and_fits(exchanges: list[Exchange], max_tokens: int) -> None:
    session = after(*exchanges)
    kept = recollected(session, max_tokens)
    assert kept == recollected(session)[len(exchanges) - len(kept) :]
    assert sum(len(text.encode()) for text in texts(kept)) <= 3 * max_tokens
