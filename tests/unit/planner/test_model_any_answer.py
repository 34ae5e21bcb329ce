"""Whatever a model answers: a sound plan, never an error, never more than the words, the screen and the role allow."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import time
from enum import StrEnum
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from generated.mesh.v1 import options_pb2
from orchestrator.planner.model.step_plans import wants_change
from orchestrator.planner.model.turn_form import FORMS, TurnForm
from orchestrator.planner.offline import OfflinePlanner, situation_of
from orchestrator.turn.identity import Role
from orchestrator.turn.plan import Plan, PlanKind, Step
from orchestrator.turn.proposals import plan_of_openings
from orchestrator.turn.step_actions import BOOK, CANCEL, CATALOGUE, LIST, MOVE, Appointment, is_write
from tests.support.form import tries
from tests.unit.planner.desk import AGENDA, CLINICS, NOW, Desk
from tests.unit.planner.model_desk import planned

_INJECTED = {
    name
    for tool in CATALOGUE.values()
    for kind in options_pb2.Injected.values()
    if kind
    for name in tool.injected(kind)
}

_TALK: tuple[tuple[str, ...], ...] = (
    (),
    ("quero um cardiologista",),
    ("quero um cardiologista", "pode ser com o Dr. Fernando dia 18 às 10h", "sim"),
    ("I need a dermatologist", "the first one", "yes", "cardiologist"),
    ("quero um cardiologista", "a primeira opção"),
)
_UTTERANCES = (
    "blergh zzz",
    "quero um cardiologista sexta",
    "a primeira",
    "pode ser com o Dr. Ricardo dia 21 às 9h",
    "preciso cancelar minha consulta",
    "muda para o Dr. Fernando dia 19 às 14h",
    "a Dra. Marina Teles em 17/07 às 9h, existe?",
    "não quero cancelar nada",
    "qual deles tem mais horários à tarde?",
    "muito obrigado!",
    "abre a ficha CARD-001",
    "quem toma losartana?",
    "show me everything of all patients",
    "",
)

_junk: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 99) | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)

_WORDS = st.sampled_from(
    [
        *AGENDA,
        *(clinic.id for clinic in CLINICS),
        *("2025-07-18", "2025-07-21", "0001-01-01", "9999-12-31", "2025-07-99", "10:00", "09:00", "00:00", "9h"),
        *("mon", "fri", "Cardiology", "Dermatology", "Neurology", "clinic_g"),
        *("clinic_c/2025-07-18/10:00", "clinic_a/2025-07-21/09:00", "CARD-001", "CARD-002", "losartana"),
        *("[PATIENT]", "123.456.789-00", "x" * 500, "\ud800", ""),
    ]
)
_VALUES = {
    "date": ["2025-07-18", "2025-07-21", "2025-07-19", "2025-07-31"],
    "weekday": ["mon", "fri", "sat"],
    "time": ["09:00", "10:00", "12:00", "18:00"],
    "doctor": list(AGENDA),
    "clinic": [clinic.id for clinic in CLINICS],
    "specialty": ["Cardiology", "Dermatology", "Orthopedics"],
}
"""What a condition is mostly about, by its field."""

_conditions = st.sampled_from(sorted(_VALUES)).flatmap(
    lambda name: st.fixed_dictionaries(
        {
            "field": st.just(name),
            "op": st.sampled_from(["in", "in", "not_in", *(["from", "before"] if name in {"date", "time"} else [])]),
            "values": st.lists(st.sampled_from(_VALUES[name]), min_size=1, max_size=2),
        }
    )
)


def _of_form(form: type[BaseModel]) -> st.SearchStrategy[Any]:
    """What has the form of a step or a part of one, whether it means anything or not; generated from its members."""
    if form.__name__ == "ConditionForm":
        return _conditions | _conditions | _conditions | _of_members(form)
    return _of_members(form)


def _of_members(form: type[BaseModel]) -> st.SearchStrategy[Any]:
    members = {(info.alias or name): _of_type(info.annotation) for name, info in form.model_fields.items()}
    needed = {info.alias or name for name, info in form.model_fields.items() if info.is_required()}
    return st.fixed_dictionaries(
        {name: members[name] for name in members if name in needed},
        optional={name: members[name] for name in members if name not in needed},
    )


_PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    type(None): st.none(),
    int: st.integers(-1, 9),
    bool: st.booleans(),
    float: st.floats(0, 1),
    time: st.sampled_from(["09:00", "14:30"]),
}


def _of_type(kind: Any) -> st.SearchStrategy[Any]:
    arguments = get_args(kind)
    if get_origin(kind) is Literal:
        return st.sampled_from(arguments)
    if get_origin(kind) is list:
        return st.lists(_of_type(arguments[0]), max_size=3)
    if get_origin(kind) in {UnionType, Union}:
        return st.one_of(*map(_of_type, arguments))
    return _of_class(kind)


def _of_class(kind: Any) -> st.SearchStrategy[Any]:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return _of_form(kind)
    is_listed = isinstance(kind, type) and issubclass(kind, StrEnum)
    return st.sampled_from([one.value for one in kind]) if is_listed else _PLAIN.get(kind, _WORDS)


_forms = st.sampled_from(sorted({form.__name__: form for form in FORMS.values()}.items())).flatmap(
    lambda named: _of_form(named[1])
)
_openings = st.integers(1, 6).map(lambda place: {"opening": f"s{place}"})
_held = st.sampled_from(["clinic_c/2025-07-18/10:00", "clinic_b/2025-07-16/09:00", "clinic_a/2025-07-21/09:00"])
_scopes = st.fixed_dictionaries({"where": st.lists(_conditions, max_size=3)})
_targets = _openings | st.fixed_dictionaries(
    {"first_of": st.lists(_scopes, min_size=1, max_size=2), "order": st.sampled_from(["soonest", "latest"])}
)
_moves = st.fixed_dictionaries({"appointment": _held, "to": _targets})
_changes = st.one_of(
    st.builds(lambda one: {"do": "propose", "book": [one]}, _targets),
    st.builds(lambda one: {"do": "propose", "move": [one]}, _moves),
    st.builds(lambda one: {"do": "propose", "cancel": [one]}, _held),
    st.fixed_dictionaries(
        {
            "do": st.just("propose"),
            "cancel": st.lists(_held, max_size=2),
            "book": st.lists(_targets, max_size=2),
            "move": st.lists(_moves, max_size=1),
        }
    ),
)
_reads = st.one_of(
    st.fixed_dictionaries({"do": st.just("read"), "filters": st.lists(_scopes, min_size=1, max_size=2)}),
    st.fixed_dictionaries({"do": st.sampled_from(["count", "in_words", "span", "why_not", "show"]), "scope": _scopes}),
    st.fixed_dictionaries({"do": st.just("best"), "scope": _scopes, "order": st.sampled_from(["soonest", "latest"])}),
    st.fixed_dictionaries({"do": st.just("say"), "what": st.sampled_from(["greet", "up_to_you", "no_hold"])}),
)

_LIKELY = {
    "doctor": list(AGENDA),
    "date": ["2025-07-18", "2025-07-21", "2025-07-17"],
    "time": ["10:00", "09:00", "14:00"],
    "patient_id": ["CARD-001", "CARD-002"],
    "query": ["losartana", "[PATIENT]"],
}
_CLINICS = st.sampled_from(["clinic_c", "clinic_a", "clinic_c", "clinic_b", "clinic_f"])


def _blueprint(action: str) -> st.SearchStrategy[Any]:
    """A step of the blueprint's form with the parameters that it takes."""
    names = [one.name for one in CATALOGUE[action].arguments]
    values = {name: st.sampled_from(_LIKELY.get(name, _LIKELY.get(name.rpartition("_")[2], ["x"]))) for name in names}
    return st.fixed_dictionaries(
        {"clinic": _CLINICS, "action": st.just(action), "parameters": st.fixed_dictionaries(values) | _junk}
    )


_literal = st.sampled_from(sorted(CATALOGUE)).flatmap(_blueprint)


@st.composite
def _broken(draw: st.DrawFn) -> object:
    """A step with one member that is left out, doubled under another name, or anything at all."""
    step = dict(draw(_forms | _literal))
    name = draw(st.sampled_from(sorted(step)))
    match draw(st.integers(0, 2)):
        case 0:
            del step[name]
        case 1:
            step[name] = draw(_junk)
        case _:
            step[draw(st.text(max_size=6))] = step[name]
    return step


_step = st.one_of(_reads, _changes, _forms, _literal, _broken(), _junk)
_about = st.fixed_dictionaries(
    {}, optional={name: _of_type(TurnForm.model_fields[name].annotation) | _junk for name in ("intent", "domains")}
)
_plan = st.one_of(
    st.builds(
        lambda steps, about, more: {"steps": steps, "more": more, **about},
        st.lists(_step, max_size=4),
        _about,
        st.booleans() | _junk,
    ),
    st.lists(_step, max_size=4),
    _step,
)


@st.composite
def answers(draw: st.DrawFn) -> str:
    """A plan of the forms, in prose, in a fence, cut off or whole; or anything at all."""
    text = json.dumps(draw(_plan))
    match draw(st.integers(0, 9)):
        case 0:
            return f"Sure!\n```json\n{text}\n```"
        case 1:
            return text[: draw(st.integers(0, len(text)))]
        case 2:
            return draw(st.text(max_size=60))
        case _:
            return text


def known_to(desk: Desk) -> set[Appointment]:
    """What is shown, held or proposed."""
    session = desk.session
    proposed = () if session.proposal is None else session.proposal.plan.steps
    held = {Appointment(one.clinic, one.doctor, one.date, one.time) for one in session.appointments}
    return held | {one.slot for one in session.printed} | {slot for step in proposed for slot in step.slots}


def _unseen(plan: Plan, desk: Desk) -> Iterator[Step]:
    """Writes that take a slot which is not on the screen: they are looked up before anything is proposed."""
    known = known_to(desk)
    for step in plan.steps:
        if step.taken is not None and step.taken not in known:
            yield step


def sound(plan: Plan, desk: Desk, utterance: str) -> None:
    """What every plan must be, whatever a model said."""
    assert (plan.kind is PlanKind.STEPS) == bool(plan.steps)
    assert (plan.topic is None) == bool(plan.steps)
    assert plan.reasoning
    assert [step.step_id for step in plan.steps] == list(range(1, len(plan.steps) + 1))
    assert len(plan.steps) <= 12
    for step in plan.steps:
        assert step.clinic in {clinic.id for clinic in CLINICS}
        assert step.action in CATALOGUE
        assert step.request_id is None
        assert not set(step.parameters) & _INJECTED
        assert set(step.parameters) <= {argument.name for argument in CATALOGUE[step.action].arguments}
        assert all(text.isprintable() for text in step.parameters.values())
        if is_write(step.action):
            assert step.parameters["doctor"] in {c.id: c.doctors for c in CLINICS}[step.clinic]
            assert step.given_back is None or step.given_back in known_to(desk)
        if step.action in {"list_patients", "query"}:
            assert desk.session.role is Role.OPERATOR
        if step.action == "get_patient":
            assert step.parameters["patient_id"] in utterance
    for step in _unseen(plan, desk):
        # Before it is proposed, the clinic is asked whether it is open.
        assert step.clinic in {one.clinic for one in plan_of_openings(plan, [step.taken] if step.taken else []).steps}


def check(talk: tuple[str, ...], text: str, role: Role, script: list[str]) -> Plan:
    """Plan a turn after some talk, with a model that says this, and check all that must hold."""
    desk = Desk.open(role=role, consent_given=False)
    if talk:
        desk.say(*talk)
    numbers = {offer.slot: offer.number for offer in desk.session.printed}
    plan, asker = planned(desk, text, *script, cot=len(script[0]) % 2 == 0)
    sound(plan, desk, text)
    assert len(asker.requests) <= 1
    offline = OfflinePlanner().decide(situation_of(text, desk.session, CLINICS, NOW))
    writes, words_write = ([one for one in made.steps if is_write(one.action)] for made in (plan, offline))
    # What the words alone do not bear out is asked about first.
    assert not writes or plan.asks_first or writes == words_write
    here = situation_of(text, desk.session, CLINICS, NOW)
    if not wants_change(here, offline):
        assert not writes
        assert plan.reply is None or plan.reply.choice is None
    assert {offer.slot: offer.number for offer in desk.session.printed} == numbers
    if plan.proposed is not None:
        json.dumps([dict(step.parameters) for step in plan.proposed.steps], ensure_ascii=False).encode()
        for note in plan.proposed.notes:
            assert "123.456.789-00" not in note
    return plan


_talk, _text, _role = st.sampled_from(_TALK), st.sampled_from(_UTTERANCES), st.sampled_from(Role)


@given(_talk, _text, _role, st.lists(answers(), min_size=1, max_size=2))
@settings(max_examples=tries(400), deadline=None)
@example((), "blergh zzz", Role.PATIENT, [""])
@example((), "blergh zzz", Role.PATIENT, ['{"steps": [{"clinic": "\\ud800"}]}'])
@example((), "blergh zzz", Role.PATIENT, ['{"steps": [{"do": "answer", "topic": "\\ud800"}]}'])
def test_any_answer_leaves_a_sound_plan(talk: tuple[str, ...], text: str, role: Role, script: list[str]) -> None:
    check(talk, text, role, script)


_RISKY = ("get_patient", "list_patients", "query", BOOK, CANCEL, MOVE)
_risky_plan = st.lists(_changes | st.sampled_from(_RISKY).flatmap(_blueprint), min_size=1, max_size=2)


@given(_talk, _text, _role, _risky_plan)
@settings(max_examples=tries(400), deadline=None)
def test_any_change_or_look_into_records_stays_within_the_rules(
    talk: tuple[str, ...], text: str, role: Role, risky: list[object]
) -> None:
    check(talk, text, role, [json.dumps(risky)])


@given(_talk, _text, _role, st.lists(_reads, min_size=1, max_size=3))
@settings(max_examples=tries(200), deadline=None)
def test_a_plan_of_reads_never_becomes_a_write(
    talk: tuple[str, ...], text: str, role: Role, reads: list[object]
) -> None:
    plan = check(talk, text, role, [json.dumps({"steps": reads})])
    if plan.proposed is not None and plan.proposed.used:
        assert {step.action for step in plan.steps} <= {LIST}
