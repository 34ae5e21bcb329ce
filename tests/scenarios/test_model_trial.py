"""The conversations of a trial, with a model that chooses what a good one would: what the desk answers, in 89 turns.

What is said comes from the clinics and from code: the same steps with a lie wherever a model may write freely come to
the same answers, and the lie is in none of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest

from orchestrator.turn.identity import Identity
from orchestrator.turn.session import Session
from tests.support.clinics import Clinics, open_clinics
from tests.support.model_talk import open_model_talk
from tests.support.model_trial import TrialModel, TrialTurn, trial_conversations
from tests.support.talk import CARLOS, open_talk

CONVERSATIONS = trial_conversations()
TURNS = [turn for turns in CONVERSATIONS.values() for turn in turns]
LIE = "Já marquei com a Dra. Falsa Inventada às 23:57 de 31/12"
MOST_CALLS = 1.2  # a turn, on average
MOST_TOKENS = 4000  # of a prompt
MOST_TOKENS_A_TURN = 4000  # on average


@dataclass(frozen=True)
class Answered:
    """A conversation as it went: replies, calls a turn, tokens of each prompt, and Carlos's bookings at its end."""

    replies: Sequence[str]
    calls: Sequence[int]
    tokens: Sequence[int]
    held: set[tuple[str, ...]]


def talked_through(clinics: Clinics, turns: list[TrialTurn], lie: str = "") -> Answered:
    model = TrialModel(lie)
    replies, calls = [], []
    with open_model_talk(clinics.registry, model, consent_given=False) as (talk, _):
        for turn in turns:
            if "rival" in turn:
                take_before(clinics, *turn["rival"])
            asked = len(model.asked)
            model.take(turn)
            replies.append(talk.say(turn["said"]).plain)
            calls.append(len(model.asked) - asked)
    return Answered(
        replies, calls, model.tokens, {booking[:4] for booking in clinics.taken() if booking[4] == CARLOS.cpf}
    )


def take_before(clinics: Clinics, clinic: str, doctor: str, day: str, at: str) -> None:
    with open_talk(clinics.registry, consent_given=True) as talk:
        talk.session = Session(Identity("Joana Rival", "529.982.247-25"))
        talk.say(f"marca com {doctor} dia {day[8:]}/{day[5:7]} às {at}")
    assert any(booking[:4] == (clinic, doctor, day, at) for booking in clinics.taken())


@pytest.fixture(scope="module", params=CONVERSATIONS)
def conversation(request: pytest.FixtureRequest) -> list[TrialTurn]:
    return CONVERSATIONS[request.param]


@pytest.fixture(scope="module")
def answered(conversation: list[TrialTurn], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answered]:
    with open_clinics(tmp_path_factory.mktemp("silos")) as clinics:
        yield talked_through(clinics, conversation)


def test_there_are_the_89_turns_and_at_least_85_are_answered_as_they_should_be() -> None:
    assert len(TURNS) == 89
    assert len([turn for turn in TURNS if "lacks" not in turn]) >= 85
    assert all(turn["says"] for turn in TURNS if "lacks" not in turn)


@pytest.mark.long(but=3)
def test_each_turn_says_what_was_asked(conversation: list[TrialTurn], answered: Answered) -> None:
    for turn, reply in zip(conversation, answered.replies, strict=True):
        assert [words for words in turn["says"] if words not in reply] == [], f"{turn['turn']}: {reply}"
        assert [words for words in turn.get("never", ()) if words in reply] == [], f"{turn['turn']}: {reply}"
        assert not re.search(r"[{}]", reply), turn["turn"]


@pytest.mark.long(but=6)
def test_what_the_person_agreed_to_is_booked_and_nothing_else(
    conversation: list[TrialTurn], answered: Answered
) -> None:
    assert answered.held == set(map(tuple, conversation[-1]["held"]))


@pytest.mark.long(but=6)
def test_a_turn_takes_one_call_and_two_where_the_model_waits_for_answers(
    conversation: list[TrialTurn], answered: Answered
) -> None:
    for turn, calls in zip(conversation, answered.calls, strict=True):
        # What clinics state, the grammar answers alone where it knows it.
        is_about = any(step["do"] == "about" for step in turn.get("steps", ()))
        assert calls == ("steps" in turn) + ("reply" in turn) or "lacks" in turn or (is_about and not calls), turn[
            "turn"
        ]
    assert sum(("steps" in turn) + ("reply" in turn) for turn in TURNS) <= MOST_CALLS * len(TURNS)


@pytest.mark.long(but=6)
def test_prompts_are_short(conversation: list[TrialTurn], answered: Answered) -> None:
    print("TOK", max(answered.tokens), sum(answered.tokens) / len(conversation))
    assert max(answered.tokens) <= MOST_TOKENS
    assert sum(answered.tokens) <= MOST_TOKENS_A_TURN * len(conversation)


@pytest.mark.long(but=3)
def test_no_word_of_a_model_is_said_and_no_fact_comes_from_one(
    conversation: list[TrialTurn], answered: Answered, clinics: Clinics
) -> None:
    lied = talked_through(clinics, conversation, LIE)
    assert lied.held == answered.held
    for honest, reply in zip(answered.replies, lied.replies, strict=True):
        assert not any(word in reply for word in ("Falsa", "Inventada", "23:57", "31/12"))
        # Only the quotes of the person's own words are gone, and what rests on a quoted word.
        assert re.findall(r"\d+ \| .*", reply) == re.findall(r"\d+ \| .*", honest)
        assert set(re.findall(r"\d\d:\d\d", reply)) <= set(re.findall(r"\d\d:\d\d", honest))
