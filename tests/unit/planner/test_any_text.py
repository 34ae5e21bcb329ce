"""Whatever is typed: a plan, never an error, never a write on a guess."""

from __future__ import annotations

import random
import re
from collections.abc import Container, Mapping, Sequence
from datetime import date, datetime, time
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.agents.registry_file import read_registry
from orchestrator.planner.calendar.moment_parser import read_moments
from orchestrator.planner.calendar.shifts import find_shift
from orchestrator.planner.lexicon.tables import rows, sections
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.planner.text.normalised_text import correct, normalise
from orchestrator.planner.wishes.named_entities import find_doctors, name_words
from orchestrator.turn.identity import Language, Role
from orchestrator.turn.plan import Plan, PlanKind
from tests.support.form import tries
from tests.unit.planner.desk import AGENDA, CLINICS, NOW, Desk


def _typed_in(file: Path) -> list[str]:
    return [one for line in file.read_text("utf-8").splitlines() if line.startswith("> ") for one in line.split(" / ")]


_FILES = ("requests", "references", "shifts", "specialties", "smalltalk")
_TABLES = [rows(file, name) for file in _FILES for name in sections(file)]
_FRAGMENTS = [
    *(row for table in _TABLES for row in table),
    *AGENDA,
    *("dia 18", "às 10h", "sexta", "amanhã", "18/07", "31/02", "às 7", "para", "do", "não", "?", ",", "2", "CARD-001"),
    *("Monday", "at 9 AM", "July 21", "next week", "from", "to", "not", "clínica A", "clinic_g", "Dr. João", "👍"),
    *("adia uma semana", "uma hora mais cedo", "no dia seguinte", "dor no peito", "sim", "yes", "the next day"),
]
_CONVERSATIONS = (Path(__file__).parents[2] / "sentences" / "receptionist").glob("*.txt")
_TYPED = sorted({one.removeprefix("> ") for file in _CONVERSATIONS for one in _typed_in(file) if re.search(r"\d", one)})
_NUMBERS = ("0", "9", "12", "24:00", "25", "31", "31/02", "45", "2026", "12345678901")

_WRITES = {"book_appointment", "cancel_appointment", "reschedule_appointment"}
_CALLABLE = {"list_available_slots", "list_patients", "get_patient", "query", *_WRITES}


def utterances() -> st.SearchStrategy[str]:
    """Anything at all, nonsense made of what people say, and what they say with other numbers in it."""
    sentences = st.lists(st.sampled_from(_FRAGMENTS), max_size=8).map(" ".join)
    retyped = st.builds(_with_number, st.sampled_from(_TYPED), st.sampled_from(_NUMBERS))
    return st.one_of(st.text(max_size=80), sentences, retyped)


def _with_number(sentence: str, number: str) -> str:
    return re.sub(r"\d+", number, sentence)


def sound(plan: Plan) -> None:
    """What every plan must be, whatever it was made for."""
    clinics = read_registry(8001)
    assert (plan.kind is PlanKind.STEPS) == bool(plan.steps)
    assert (plan.topic is None) == bool(plan.steps)
    assert plan.reasoning
    for step in plan.steps:
        assert step.clinic in clinics
        assert step.action in _CALLABLE
        if step.action in _WRITES:
            determined(step.parameters)


def grounded(plan: Plan, said: Sequence[str], shown: Container[tuple[str, str, str]]) -> None:
    """Every slot of a write was shown, or its doctor, day and time were all said, or follow from what is held."""
    for step in plan.steps:
        if step.action not in _WRITES:
            continue
        given = step.parameters
        day, at = given.get("new_date") or given["date"], given.get("new_time") or given["time"]
        if (given["doctor"], day, at) not in shown:
            assert any(names(text, given["doctor"]) for text in said) or "new_date" in given
            assert may_mean(said, day, at, given.get("original_date"), given.get("original_time"))


def names(text: str, doctor: str) -> bool:
    """Whether a text names a doctor, perhaps among others."""
    read = correct(normalise(text), {word for name in AGENDA for word in name_words(name)})
    return doctor in {found.name for found in find_doctors(read, CLINICS).found}


def may_mean(said: Sequence[str], day: str, at: str, old_day: str | None, old_at: str | None) -> bool:
    """Whether a day and a time were said, or taken over or counted from those of an appointment."""
    moments = [
        moment
        for text in said
        for language in Language
        for moment in read_moments(correct(normalise(text)), NOW, language)
    ]
    shifts = [shift for text in said if (shift := find_shift(correct(normalise(text)).folded)) is not None]
    says_day = any(day in {one.isoformat() for one in moment.dates} for moment in moments)
    says_time = any(at in {one.isoformat("minutes") for one in moment.times} for moment in moments)
    return bool(shifts) or ((says_day or day == old_day) and (says_time or at == old_at))


def determined(parameters: Mapping[str, str]) -> None:
    """A write names a doctor of the directory, and slots that a calendar and a clock have."""
    slots = [name for name in parameters if name != "doctor"]
    assert sorted(slots) in (["date", "time"], ["new_date", "new_time", "original_date", "original_time"])
    assert parameters["doctor"] in AGENDA
    for name in slots:
        kind = date if name.endswith("date") else time
        assert kind.fromisoformat(parameters[name]).isoformat().startswith(parameters[name])


@given(st.lists(utterances(), min_size=1, max_size=4), st.sampled_from(Role), st.booleans())
@settings(max_examples=tries(150), deadline=None)
def test_any_conversation_has_a_sound_plan_for_every_turn(said: list[str], role: Role, consent_given: bool) -> None:
    desk = Desk.open(role=role, consent_given=consent_given)
    for utterance in said:
        sound(desk.say(utterance))


@given(st.lists(utterances(), min_size=1, max_size=4))
@settings(max_examples=tries(150), deadline=None)
def test_no_slot_is_written_that_was_neither_shown_nor_said(said: list[str]) -> None:
    desk = Desk.open()
    for turn, utterance in enumerate(said, 1):
        held = {(one.doctor, one.date, one.time) for one in desk.session.appointments}
        offers = {(one.doctor, one.date, one.time) for one in desk.session.offers}
        shown = {(doctor, day.isoformat(), at.isoformat("minutes")) for doctor, day, at in held | offers}
        grounded(desk.say(utterance), said[:turn], shown)


@given(utterances())
@settings(max_examples=tries(150), deadline=None)
def test_nothing_is_written_in_a_first_turn_without_doctor_day_and_time(utterance: str) -> None:
    desk = Desk.open()
    plan = desk.say(utterance)
    for step in plan.steps:
        if step.action == "book_appointment":
            assert datetime.fromisoformat(f"{step.parameters['date']}T{step.parameters['time']}") > NOW


def test_a_very_long_utterance_is_harmless() -> None:
    words = random.Random(7).choices(_FRAGMENTS, k=5000)
    for utterance in ("a" * 100_000, "marcar " * 20_000, "\x00\ufffd" * 9_000, " ".join(words), "(" * 5_000):
        sound(Desk.open().say(utterance))


def test_a_directory_that_knows_no_doctor_is_harmless() -> None:
    desk = Desk.open(Language.EN)
    plan = OfflinePlanner().plan("book Dr. Ricardo on July 21 at 9", desk.session, (), NOW)
    assert not plan.steps
