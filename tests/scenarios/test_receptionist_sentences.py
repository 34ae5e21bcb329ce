"""Conversations as people type them, played against one set of clinics: the files of tests/sentences/receptionist."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from orchestrator.turn.identity import Identity
from orchestrator.turn.reply import Reply
from orchestrator.turn.session import Offer, Session
from tests.support.clinics import Clinics
from tests.support.talk import CARLOS, Talk, open_talk

CONVERSATIONS = Path(__file__).parents[1] / "sentences" / "receptionist"


@dataclass(frozen=True, slots=True)
class Turn:
    """What is typed, in several ways, and what is checked of the answer."""

    typed: tuple[str, ...]
    checks: tuple[str, ...]


def conversations() -> Iterator[tuple[str, tuple[Turn, ...]]]:
    """The title and the turns of each conversation."""
    blocks = (
        block
        for path in sorted(CONVERSATIONS.glob("*.txt"))
        for block in re.split(r"^\[", path.read_text("utf-8"), flags=re.MULTILINE)[1:]
    )
    for block in blocks:
        title, *lines = (line for line in block.splitlines() if line.strip())
        turns = [
            Turn(tuple(typed[2:].split(" / ")), tuple(checks[2:].split("; ")))
            for typed, checks in zip(lines[::2], lines[1::2], strict=True)
        ]
        yield title.rstrip("]"), tuple(turns)


Play = tuple[tuple[str, tuple[str, ...]], ...]


def played() -> Iterator[tuple[str, int, Play]]:
    """Each conversation as often as one of its turns has ways to be typed: its title, which way it is, its turns."""
    for title, turns in conversations():
        for way in range(max(len(turn.typed) for turn in turns)):
            yield title, way + 1, tuple((turn.typed[way % len(turn.typed)], turn.checks) for turn in turns)


# Each second way of a conversation is long; the first is always played.
PLAYED = [
    pytest.param(play, id=f"{title}, {way}", marks=[pytest.mark.long] if way % 2 == 0 else [])
    for title, way, play in played()
]
PEOPLE = count()
_OF_ONE_PERSON = 8


@pytest.fixture(scope="module")
def desk(running: Clinics) -> Iterator[Talk]:
    """The desk of all conversations, which ask before they write."""
    with open_talk(running.registry, consent_given=False) as talk:
        yield talk


@pytest.fixture
def talk(running: Clinics, desk: Talk) -> Iterator[Talk]:
    """A new conversation, of somebody new now and then, since a clinic takes so many requests of one person a day.

    What it booked is cancelled behind it, at the clinics.
    """
    desk.session = Session(Identity.of(CARLOS.name, f"{12345600000 + next(PEOPLE) // _OF_ONE_PERSON:011}"))
    yield desk
    running.give_back(desk.session)


@pytest.mark.parametrize("play", PLAYED)
def test_people_are_served_as_a_good_receptionist_serves_them(play: Play, talk: Talk) -> None:
    before: Reply | None = None
    for typed, checks in play:
        reply = talk.say(typed)
        for check in checks:
            name = next(name for name in sorted(CHECKS, key=len, reverse=True) if check.startswith(name))
            wanted = check[len(name) :].strip()
            held = CHECKS[name](wanted, Answer(reply, before, talk.session))
            assert held, f"{typed!r}: {check}\n{reply.plain}"
        before = reply


@dataclass(frozen=True, slots=True)
class Answer:
    """What a turn left."""

    reply: Reply
    before: Reply | None
    session: Session

    @property
    def cards(self) -> list[str]:
        """The writes that are proposed, as "c 18 10:00"."""
        steps = self.session.proposal.plan.steps if self.session.proposal else ()
        slots = [step.taken or step.given_back for step in steps]
        return [f"{slot.clinic[-1]} {slot.date.day} {slot.time:%H:%M}" for slot in slots if slot is not None]

    def all(self, holds: Callable[[Offer], bool]) -> bool:
        """Return whether there are offers and all are so."""
        return bool(self.session.offers) and all(map(holds, self.session.offers))


def _has_one_of(wanted: str, text: str) -> bool:
    return any(one.casefold() in text.casefold() for one in wanted.split("|"))


def _days(wanted: str) -> set[int]:
    return {int(day) for day in re.findall(r"\d+", wanted)}


def _in_pairs(wanted: str, offer: Offer) -> bool:
    part = "morning" if offer.time.hour < 12 else "afternoon"
    return f"{offer.date.day} {part}" in wanted


CHECKS: Mapping[str, Callable[[str, Answer], bool]] = {
    "says": lambda wanted, answer: _has_one_of(wanted, answer.reply.plain),
    "hides": lambda wanted, answer: not _has_one_of(wanted, answer.reply.plain),
    "once": lambda wanted, answer: sum(answer.reply.plain.count(one) for one in wanted.split("|")) == 1,
    "differs": lambda _, answer: answer.before is not None and answer.reply.plain != answer.before.plain,
    "lang": lambda wanted, answer: answer.reply.language == wanted,
    "card": lambda wanted, answer: wanted in answer.cards if wanted else bool(answer.cards),
    "cards": lambda wanted, answer: len(answer.cards) == int(wanted),
    "no card": lambda _, answer: not answer.cards,
    "open": lambda _, answer: bool(answer.cards),
    "booked": lambda wanted, answer: len(answer.session.appointments) == int(wanted),
    "offers": lambda _, answer: bool(answer.session.offers),
    "no offers": lambda _, answer: not answer.session.offers,
    "unlisted": lambda wanted, answer: wanted not in {_where(offer) for offer in answer.session.offers},
    "first": lambda wanted, answer: _where(answer.session.offers[0]) == wanted,
    "first hour": lambda wanted, answer: f"{answer.session.offers[0].time:%H}" == wanted,
    "only": lambda wanted, answer: answer.all(lambda offer: offer.date.day in _days(wanted)),
    "only days": lambda wanted, answer: answer.all(lambda offer: offer.date.day in _days(wanted)),
    "only until day": lambda wanted, answer: answer.all(lambda offer: offer.date.day <= int(wanted)),
    "only clinics": lambda wanted, answer: answer.all(lambda offer: offer.clinic[-1] in wanted),
    "only doctors": lambda wanted, answer: answer.all(lambda offer: wanted in offer.doctor),
    "only from": lambda wanted, answer: answer.all(lambda offer: f"{offer.time:%H:%M}" >= wanted),
    "only until": lambda wanted, answer: answer.all(lambda offer: f"{offer.time:%H:%M}" <= wanted),
    "only pairs": lambda wanted, answer: answer.all(lambda offer: _in_pairs(wanted, offer)),
    "without": lambda wanted, answer: answer.all(lambda offer: f"{offer.time:%H:%M}" != wanted),
    "without day": lambda wanted, answer: answer.all(lambda offer: offer.date.day != int(wanted)),
}


def _where(offer: Offer) -> str:
    return f"{offer.clinic[-1]} {offer.date.day} {offer.time:%H:%M}"
