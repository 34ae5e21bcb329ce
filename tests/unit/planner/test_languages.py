"""The language of an utterance: its own, or the conversation's where it tells none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from orchestrator.planner.understanding.understanding import understand
from orchestrator.turn.identity import Language
from orchestrator.turn.plan import PlanKind, Topic
from orchestrator.turn.wish import hours_of, weekdays_of
from tests.unit.planner.desk import CLINICS, NOW, Desk, calls

UTTERANCES = Path(__file__).parents[2] / "sentences" / "languages.txt"


def utterances() -> Iterator[tuple[str, Language | None]]:
    for line in UTTERANCES.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            language, utterance = line.split(" | ")
            yield utterance, None if language == "=" else Language(language)


@pytest.mark.parametrize(("utterance", "language"), list(utterances()))
def test_an_utterance_is_in_its_own_language_or_in_that_of_the_conversation(
    utterance: str, language: Language | None
) -> None:
    for before in Language:
        assert understand(utterance, before, CLINICS, NOW).language is (language or before)


@pytest.mark.parametrize(
    ("utterance", "clinics", "weekdays", "first_hour"),
    [
        ("quiero una cita con un cardiólogo el jueves por la tarde", {"clinic_a", "clinic_c"}, {3}, 12),
        ("necesito un dermatólogo el lunes por la mañana", {"clinic_b", "clinic_f"}, {0}, 6),
        ("hola, ¿tienen hora con el traumatólogo los martes a las 10?", {"clinic_d", "clinic_e"}, {1}, 10),
        ("me duele la rodilla, quiero un ortopedista el viernes", {"clinic_d", "clinic_e"}, {4}, None),
    ],
)
def test_spanish_is_understood_and_answered_in_portuguese_with_what_is_spoken_here(
    utterance: str, clinics: set[str], weekdays: set[int], first_hour: int | None
) -> None:
    plan = Desk.open(Language.EN).say(utterance)
    assert {clinic for clinic, _, _ in calls(plan)} == clinics
    assert weekdays_of(plan.wish.filter) == weekdays
    assert [span.first.hour for span in hours_of(plan.wish.filter)] == ([] if first_hour is None else [first_hour])
    assert (plan.language, plan.note) == (Language.PT, Topic.LANGUAGES)


def test_danger_in_spanish_comes_before_all_else() -> None:
    for utterance in ("tomé veneno, necesito ayuda", "quiero morir, no puedo más"):
        plan = Desk.open().say(utterance)
        assert (plan.kind, plan.note) == (PlanKind.EMERGENCY, None)


@pytest.mark.parametrize("utterance", ["hola", "donde fica?", "a semana, por favor", "no jueves", "con a Dra. Marina"])
def test_one_foreign_word_is_no_other_language(utterance: str) -> None:
    assert Desk.open().say(utterance).note is None
