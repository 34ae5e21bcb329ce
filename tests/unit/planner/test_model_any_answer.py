"""Whatever a model answers: a sound plan, never an error, never more than the words, the screen and the role allow."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hypothesis import example, given, settings
from hypothesis import strategies as st

from generated.mesh.v1 import options_pb2
from orchestrator.planner.model.plan_form import tool_forms
from orchestrator.planner.text.normalised_text import normalise
from orchestrator.planner.wishes.named_entities import find_doctors
from orchestrator.turn.identity import Role
from orchestrator.turn.plan import Plan, PlanKind, Step
from orchestrator.turn.step_actions import CATALOGUE, is_write
from tests.support.siege import tries
from tests.unit.planner.desk import AGENDA, CLINICS, Desk
from tests.unit.planner.model_desk import planned

Slot = tuple[str, str, str]

_INJECTED = {
    name
    for tool in CATALOGUE.values()
    for kind in options_pb2.Injected.values()
    if kind
    for name in tool.injected(kind)
}
_PARAMETERS = {argument.name for tool in CATALOGUE.values() for argument in tool.arguments} | {
    slot.handle for form in tool_forms().values() for slot in form.slots
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


def _mostly(good: st.SearchStrategy[str]) -> st.SearchStrategy[object]:
    """What belongs there, three times out of four."""
    return st.integers(0, 3).flatmap(lambda die: good if die else _junk)


_clinic = _mostly(st.sampled_from([*(clinic.id for clinic in CLINICS), "clinic_g", "Clínica A"]))
_action = _mostly(st.sampled_from([*CATALOGUE, "delete_all", "raw_response"]))
_handle = st.builds(
    "{}:{}".format, st.sampled_from(["slot", "appointment", "named", "patient"]), st.integers(0, 9)
) | st.sampled_from(["{slot:1}", "slot 2", "slot:1; slot:2", "\ud800"])
_value = _mostly(
    st.one_of(
        _handle,
        st.sampled_from(list(AGENDA)),
        st.sampled_from(["2025-07-18", "2025-07-21", "2025-07-99", "10:00", "09:00", "9h", "CARD-001", "DERM-B001"]),
        st.sampled_from(["losartana", "[PATIENT]", "123.456.789-00", "x" * 500]),
    )
)
_name = st.sampled_from([*sorted(_PARAMETERS), "slots", "note"])
_parameters = _mostly(st.just("")).flatmap(
    lambda junk: st.dictionaries(_name, _value, max_size=3) if junk == "" else st.just(junk)
)


_LIKELY = {
    "slot": ["slot:1", "slot:2", "slot:3", "appointment:1", "named:1", "named:2"],
    "original_slot": ["appointment:1", "named:1"],
    "new_slot": ["slot:2", "slot:1", "named:1"],
    "doctor": list(AGENDA),
    "patient_id": ["CARD-001", "CARD-002"],
    "query": ["losartana", "[PATIENT]"],
}
"""Values that are often right in the conversations above."""


_CLINICS = st.sampled_from(["clinic_c", "clinic_a", "clinic_c", "clinic_b", "clinic_f"])


def _complete(action: str) -> st.SearchStrategy[object]:
    """A step whose form is right; whether clinic, slot and role fit is left to chance."""
    values = st.fixed_dictionaries({name: st.sampled_from(_LIKELY[name]) for name in tool_forms()[action].parameters})
    return st.fixed_dictionaries({"clinic": _CLINICS, "action": st.just(action), "parameters": values})


def _likely(action: str) -> st.SearchStrategy[object]:
    """The same, perhaps without some of its parameters."""
    values = {name: st.sampled_from(_LIKELY[name]) for name in tool_forms()[action].parameters}
    return st.fixed_dictionaries(
        {"clinic": _CLINICS, "action": st.just(action), "parameters": st.fixed_dictionaries({}, optional=values)}
    )


def _shaped(action: str) -> st.SearchStrategy[object]:
    """A step of an action with the parameters that it takes, whatever is in them."""
    names = tool_forms()[action].parameters
    return st.fixed_dictionaries(
        {
            "clinic": _clinic,
            "action": st.just(action),
            "parameters": st.fixed_dictionaries(dict.fromkeys(names, _value)),
        }
    )


_actions = st.sampled_from(list(tool_forms()))
_step = st.one_of(
    _actions.flatmap(_likely),
    _actions.flatmap(_shaped),
    st.fixed_dictionaries({"step_id": _junk, "clinic": _clinic, "action": _action, "parameters": _parameters}),
    _junk,
)
_likely_plan = st.lists(_actions.flatmap(_likely), min_size=1, max_size=2).map(
    lambda given: {"kind": "steps", "topic": None, "steps": given}
)
_plan = st.one_of(
    _likely_plan,
    _likely_plan,
    _likely_plan,
    st.lists(_step, max_size=4),
    st.fixed_dictionaries({"steps": st.lists(_step, max_size=4)}, optional={"reasoning": _junk, "kind": _junk}),
    st.fixed_dictionaries(
        {
            "kind": st.sampled_from([*PlanKind]),
            "topic": _mostly(st.sampled_from(["help", "diagnosis", "medical_emergency", "my_appointments"])),
            "steps": st.just([]),
        }
    ),
)


@st.composite
def answers(draw: st.DrawFn) -> str:
    """A plan from the grammar, in prose, in a fence, cut off or whole; or anything at all."""
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


def slots_of(step: Step) -> Iterator[Slot]:
    """The slots that a write touches."""
    for form in tool_forms()[step.action].slots:
        yield step.parameters["doctor"], step.parameters[form.date], step.parameters[form.time]


def known_to(desk: Desk, utterance: str) -> set[Slot]:
    """Doctor, day and time of what is shown, held or proposed."""
    session = desk.session
    known = {(one.doctor, one.date.isoformat(), f"{one.time:%H:%M}") for one in session.appointments}
    known |= {(one.doctor, one.date.isoformat(), f"{one.time:%H:%M}") for one in session.offers}
    named = {doctor.name for doctor in find_doctors(normalise(utterance), CLINICS).found}
    # Of the days and times in `_UTTERANCES`, those of one sentence belong together.
    said = {"21 às 9h": ("2025-07-21", "09:00"), "19 às 14h": ("2025-07-19", "14:00"), "17/07": ("2025-07-17", "09:00")}
    return known | {(name, *slot) for words, slot in said.items() if words in utterance for name in named}


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
            assert set(slots_of(step)) <= known_to(desk, utterance)
            assert step.parameters["doctor"] in {c.id: c.doctors for c in CLINICS}[step.clinic]
        if step.action in {"list_patients", "query"}:
            assert desk.session.role is Role.OPERATOR
        if step.action == "get_patient":
            assert step.parameters["patient_id"] in utterance


def check(talk: tuple[str, ...], text: str, role: Role, script: list[str]) -> None:
    """Plans a turn after some talk, with a model that says this, and checks all that must hold."""
    desk = Desk.open(role=role, consent_given=False)
    if talk:
        desk.say(*talk)
    plan, asker = planned(desk, text, *script, cot=len(script[0]) % 2 == 0)
    sound(plan, desk, text)
    assert len(asker.requests) <= 2
    if plan.proposed is not None:
        json.dumps([dict(step.parameters) for step in plan.proposed.steps], ensure_ascii=False).encode()
        assert not plan.asks_first or plan.proposed.used
        for note in plan.proposed.notes:
            assert "123.456.789-00" not in note


_talk, _text, _role = st.sampled_from(_TALK), st.sampled_from(_UTTERANCES), st.sampled_from(Role)


@given(_talk, _text, _role, st.lists(answers(), min_size=2, max_size=2))
@settings(max_examples=tries(300), deadline=None)
@example((), "blergh zzz", Role.PATIENT, ["", ""])
@example((), "blergh zzz", Role.PATIENT, ['{"steps": [{"clinic": "\\ud800"}]}'] * 2)
def test_any_answer_leaves_a_sound_plan(talk: tuple[str, ...], text: str, role: Role, script: list[str]) -> None:
    check(talk, text, role, script)


_RISKY = ("get_patient", "list_patients", "query", *(name for name in CATALOGUE if is_write(name)))
_risky_plan = st.lists(st.sampled_from(_RISKY).flatmap(_complete), min_size=1, max_size=2)


@given(_talk, _text, _role, _risky_plan)
@settings(max_examples=tries(400), deadline=None)
def test_any_change_or_look_into_records_stays_within_the_rules(
    talk: tuple[str, ...], text: str, role: Role, risky: list[object]
) -> None:
    check(talk, text, role, [json.dumps(risky)])
