"""Signs of danger, over a corpus that was written from public lists of warning signs without sight of the lexicon."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from orchestrator.planner.lexicon.tables import rows, sections, table
from orchestrator.planner.text.normalised_text import fold_phrase, normalise
from orchestrator.planner.understanding.danger import find_danger
from orchestrator.turn import Language
from orchestrator.turn.plan import PlanKind, Topic
from tests.unit.planner.desk import Desk

SENTENCES = Path(__file__).parents[2] / "sentences"
TOPICS = {
    "medical": Topic.MEDICAL_EMERGENCY,
    "poisoning": Topic.POISONING,
    "self_harm": Topic.SELF_HARM,
    "violence": Topic.VIOLENCE,
}


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    kind: str
    topic: Topic | None


def read(name: str) -> tuple[Sentence, ...]:
    lines = (SENTENCES / f"{name}.jsonl").read_text("utf-8").splitlines()
    return tuple(
        Sentence(row["text"], row["kind"], TOPICS[row["topic"]] if "topic" in row else None)
        for row in map(json.loads, lines)
    )


def heard(text: str) -> Topic | None:
    return find_danger(normalise(text)).emergency


SIGNS = read("danger_signs_develop") + read("danger_signs_held")
LOOKALIKES = read("danger_lookalikes_develop") + read("danger_lookalikes_held")


def test_the_corpus_is_wide_enough() -> None:
    assert len(SIGNS) >= 400
    assert len(LOOKALIKES) >= 400
    assert len({one.kind for one in SIGNS}) >= 20


def test_signs_of_danger_are_heard() -> None:
    missed = [one.text for one in SIGNS if heard(one.text) is None]
    assert len(missed) / len(SIGNS) <= 0.01, missed


def test_signs_are_heard_in_every_kind() -> None:
    counted = Counter(one.kind for one in SIGNS)
    missed = Counter(one.kind for one in SIGNS if heard(one.text) is None)
    assert {kind: (missed[kind], counted[kind]) for kind in missed if missed[kind] > max(1, counted[kind] // 10)} == {}


def test_a_sign_gets_the_help_of_its_kind() -> None:
    others = [(one.text, heard(one.text)) for one in SIGNS if heard(one.text) not in {None, one.topic}]
    assert len(others) / len(SIGNS) <= 0.01, others


def test_what_only_sounds_like_danger_is_none() -> None:
    alarms = [one.text for one in LOOKALIKES if heard(one.text) is not None]
    assert len(alarms) / len(LOOKALIKES) < 0.02, alarms


def test_every_class_holds_folded_phrases() -> None:
    for section in sections("danger_words"):
        assert not table("danger_words", section).fullmatch(""), section
        assert [row for row in rows("danger_words", section) if row != fold_phrase(row)] == [], section
        assert len(rows("danger_words", section)) == len(set(rows("danger_words", section))), section


def test_every_class_of_a_sign_exists_and_every_class_is_used() -> None:
    named = {
        name
        for signs in sections("danger").values()
        for row in signs
        for name in row.replace(" - ", " + ").split(" + ")
    }
    context = {
        "harmless",
        "talk_about",
        "question_about",
        "past",
        "just_now",
        "denial",
        "denial_next",
        "right_as_typed",
    }
    assert named | context == set(sections("danger_words"))


BEFORE = (
    "quero marcar cardio, ",
    "tem ortopedista amanhã? ",
    "1, ",
    "sim, mas ",
    "book me for Friday, ",
    "the second one please. ",
    "yes but ",
)
AFTER = ("", ", me ajuda", "!!!", ", tem horário hoje?", ", can I come today?", " o que eu faço")


def misspelt(text: str, chance: Random) -> str:
    """Return the text with one slip in one of its longer words: a letter lost, doubled or swapped with the next."""
    words = text.split()
    long = [n for n, word in enumerate(words) if len(word) >= 7 and word.isalpha()]
    if not long:
        return text
    n = chance.choice(long)
    word, at = words[n], chance.randrange(1, len(words[n]) - 2)
    swapped = word[at + 1] + word[at]
    slips = (word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:], word[:at] + swapped + word[at + 2 :])
    return " ".join([*words[:n], chance.choice(slips), *words[n + 1 :]])


def without_accents(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


CHANGES: Mapping[str, Callable[[str, Random], str]] = {
    "misspelt": misspelt,
    "in capitals": lambda text, _: text.upper(),
    "without accents": lambda text, _: without_accents(text),
    "amid a request": lambda text, chance: chance.choice(BEFORE) + text + chance.choice(AFTER),
    "all at once": lambda text, chance: (
        chance.choice(BEFORE) + without_accents(misspelt(text, chance)) + chance.choice(AFTER)
    ).upper(),
}


@pytest.mark.parametrize(
    ("change", "least"), [(name, 0.92 if name in {"misspelt", "all at once"} else 0.98) for name in CHANGES]
)
def test_signs_are_heard_however_they_are_typed(change: str, least: float) -> None:
    chance = Random(17)
    typed = [CHANGES[change](one.text, chance) for one in SIGNS]
    missed = [text for text in typed if heard(text) is None]
    assert 1 - len(missed) / len(typed) >= least, missed


@pytest.mark.parametrize("change", ["misspelt", "in capitals", "without accents"])
def test_what_only_sounds_like_danger_is_none_however_it_is_typed(change: str) -> None:
    chance = Random(17)
    typed = [CHANGES[change](one.text, chance) for one in LOOKALIKES]
    alarms = [text for text in typed if heard(text) is not None]
    assert len(alarms) / len(typed) < 0.03, alarms


@pytest.mark.parametrize("number", [40, 41, 42, 104, 105, 106, 107])
def test_a_number_beside_a_child_is_a_fever_only_where_it_is_measured(number: int) -> None:
    everyday = (
        f"pego minha filha às 8 e {number}",
        f"deixo meu filho na escola 7:{number}",
        f"minha filha já tem {number} anos",
        f"a consulta do meu filho custou {number} reais?",
        f"I drop my daughter at kindergarten at 8:{number}",
        f"my son lives at number {number}",
        f"my daughter is {number} years old",
    )
    measured = [f"my baby has {number}.2", f"my son has a fever of {number}"]
    if number < 100:  # in Portuguese degrees are Celsius
        measured += [f"meu filho está com {number}", f"minha bebê chegou a {number} de febre"]
    assert [text for text in everyday if heard(text) is not None] == []
    assert [text for text in measured if heard(text) is None] == []


@pytest.mark.parametrize("asked", ["quero um cardiologista", "cancela minha consulta", "oi"])
def test_danger_is_answered_whatever_is_open(asked: str) -> None:
    desk = Desk.open()
    desk.say(asked)
    plan = desk.say("1, espera, meu marido está convulsionando")
    assert (plan.kind, plan.topic, plan.steps) == (PlanKind.EMERGENCY, Topic.MEDICAL_EMERGENCY, ())


def test_an_open_proposal_outlives_danger() -> None:
    desk = Desk.open()
    proposed = desk.say("marca com o Dr. Fernando dia 18 às 10h")
    assert desk.say("sim, mas meu filho engoliu uma moeda").topic is Topic.MEDICAL_EMERGENCY
    assert proposed.steps


@pytest.mark.parametrize(
    ("text", "topic", "besides"),
    [
        ("eu me corto faz meses e hoje foi fundo, não para de sangrar", Topic.SELF_HARM, Topic.MEDICAL_EMERGENCY),
        ("mixed my pills with vodka because i don't want to live", Topic.SELF_HARM, Topic.POISONING),
        ("my husband stabbed me in the arm", Topic.VIOLENCE, Topic.MEDICAL_EMERGENCY),
        ("my brother swallowed 40 paracetamol", Topic.POISONING, Topic.DISTRESS),
        ("cortei o pulso no vidro da janela e o sangue está jorrando", Topic.MEDICAL_EMERGENCY, None),
        ("meu filho engoliu a pilha do relógio", Topic.POISONING, None),
        ("my friend texted goodbye forever and isn't picking up", Topic.SELF_HARM_OF_ANOTHER, None),
        ("my kids would be better off without me", Topic.SELF_HARM, None),
    ],
)
def test_each_danger_of_a_message_is_answered(text: str, topic: Topic, besides: Topic | None) -> None:
    plan = Desk.open().say(text)
    assert (plan.topic, plan.caution) == (topic, besides)


def test_in_danger_nobody_is_told_whom_one_may_book_for() -> None:
    plan = Desk.open().say("cancel everything for me and my mother, she is passing out")
    assert (plan.topic, plan.note) == (Topic.MEDICAL_EMERGENCY, None)


def test_low_spirits_are_no_emergency_but_name_who_listens() -> None:
    assert Desk.open().say("to muito triste ultimamente").topic is Topic.DISTRESS
    assert Desk.open().say("quero um dermato, estou muito deprimida").caution is Topic.DISTRESS


@pytest.mark.parametrize("text", ["to infartando socorro", "to muito triste ultimamente", "to sangrando muito"])
def test_the_short_word_for_estou_does_not_make_it_english(text: str) -> None:
    assert Desk.open().say(text).language is Language.PT
