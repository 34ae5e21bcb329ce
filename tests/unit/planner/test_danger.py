"""Signs of danger, over a corpus that was written from public lists of warning signs without sight of the lexicon."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from orchestrator.planner.lexicon.tables import rows, sections, table
from orchestrator.planner.text.normalised_text import fold_phrase, normalise
from orchestrator.planner.understanding.danger import find_danger
from orchestrator.turn.plan import Topic

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


@pytest.mark.parametrize("section", sections("danger_words"))
def test_every_class_holds_folded_phrases(section: str) -> None:
    assert not table("danger_words", section).fullmatch("")
    assert [row for row in rows("danger_words", section) if row != fold_phrase(row)] == []
    assert len(rows("danger_words", section)) == len(set(rows("danger_words", section)))


def test_every_class_of_a_sign_exists_and_every_class_is_used() -> None:
    named = {
        name
        for signs in sections("danger").values()
        for row in signs
        for name in row.replace(" - ", " + ").split(" + ")
    }
    context = {"harmless", "talk_about", "question_about", "past", "just_now", "denial", "denial_next"}
    assert named | context == set(sections("danger_words"))
