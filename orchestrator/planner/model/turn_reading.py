"""Read a model's text as a turn: untrusted JSON in; steps that have the right form, and what is wrong with others, out.

Text around the JSON is allowed, and so is the blueprint's form (2.3.1): a step of a clinic, an action and parameters.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue, ValidationError

from mesh.sanitizer import clean_text
from orchestrator import turn
from orchestrator.llm import TOKEN, json_in
from orchestrator.planner.model import turn_form

MAX_SUBTASKS = 6
_MAX_REASONING_LINES = 12
_REASONING_CHARACTERS, _TEXT_CHARACTERS = 300, 120
_INTENTS = frozenset({*turn.CATALOGUE, *(topic.value for topic in turn.Topic)})
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")
_NAMES = frozenset(
    field.alias or name
    for form in (*turn_form.FORMS.values(), *turn_form.PARTS)
    for name, field in form.model_fields.items()
)  # members of steps; a fault names no other, for a model may have written anything


class UnreadableError(ValueError):
    """A text that is no turn; the message gives the reason and does not repeat the text."""


@dataclass(frozen=True, slots=True)
class ModelTurn:
    """A turn as a model chose it."""

    steps: tuple[turn_form.StepForm, ...]
    faults: tuple[str, ...] = ()  # why other steps were turned down, in English and without repeating them
    more: bool = False  # it wants to see what is read before it goes on
    # the steps as they were given in the blueprint's form, which has no place for days and times that suit
    given: tuple[turn.Step, ...] = ()
    reasoning: tuple[str, ...] = ()  # its lines, bounded and printable
    classification: turn.GivenClassification | None = None  # what the turn is about; None where it says nothing of it


def read_turn(text: str, clinics: Sequence[turn.Clinic]) -> ModelTurn:
    """Return the turn in a model's text; raise UnreadableError when there is none."""
    try:
        value = json_in(text)
    except ValueError as error:
        raise UnreadableError(f"the answer is not one JSON value: {error}") from error
    fields: Mapping[str, JsonValue] = value if isinstance(value, Mapping) else {"steps": value}
    given = [] if fields.get("steps") is None else fields["steps"]
    if not isinstance(given, list):
        raise UnreadableError("steps is no list")
    if len(given) > turn_form.MAX_STEPS:
        raise UnreadableError(f"more than {turn_form.MAX_STEPS} steps")
    literal = tuple(
        turn.Step(number, _named(one.get("clinic")), turn.ToolCall(_named(one["action"])))
        for number, one in enumerate(given, 1)
        if isinstance(one, Mapping) and "action" in one
    )
    read = [_step(_from_blueprint(one, clinics), number) for number, one in enumerate(given, 1)]
    steps = [one for one in read if not isinstance(one, str)]
    topic = fields.get("topic")
    if not steps and isinstance(topic, str) and topic in turn_form.TOPICS:
        steps.append(turn_form.AnswerForm(do="answer", topic=turn.Topic(topic)))
    faults = tuple(one for one in read if isinstance(one, str))
    if not steps and not faults:
        raise UnreadableError("there are no steps")
    intent, domains, subtasks, confidence = map(fields.get, ("intent", "domains", "subtasks", "confidence"))
    about = turn.GivenClassification(_intent(intent), _texts(domains), _subtasks(subtasks), _confidence(confidence))
    told, why = about != turn.GivenClassification(None, (), (), None), fields.get("reasoning")
    said = (printable(line, _REASONING_CHARACTERS) for line in (why if isinstance(why, list) else [why]))
    lines = tuple(filter(None, said))[:_MAX_REASONING_LINES]
    return ModelTurn(tuple(steps), faults, fields.get("more") is True, literal, lines, about if told else None)


def _named(value: JsonValue) -> str:
    return str(value) if _NAME.fullmatch(str(value)) else ""


def _step(value: JsonValue, number: int) -> turn_form.StepForm | str:
    form = turn_form.FORMS.get(str(value.get("do"))) if isinstance(value, Mapping) else None
    if form is None:
        return f"step {number}: no such step"
    try:
        return form.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        place = ".".join(str(one) for one in first["loc"] if isinstance(one, int) or one in _NAMES)
        return f"step {number}: {place or 'a member'}: {first['type']}"


def _from_blueprint(value: JsonValue, clinics: Sequence[turn.Clinic]) -> JsonValue:
    if not isinstance(value, Mapping) or "do" in value:
        return value
    clinic, given = value.get("clinic"), value.get("parameters")
    parameters = {name: text for name, text in given.items() if text is not None} if isinstance(given, Mapping) else {}
    known = next((one for one in clinics if one.id == clinic), None)
    if known is None or not isinstance(value.get("action"), str):
        return None
    form: JsonValue = None
    match value.get("action"):
        case turn.LIST if parameters.keys() <= {"doctor"}:
            there = _condition("specialty", known.specialty)
            doctor = [_condition("doctor", parameters["doctor"])] if parameters else []
            form = {"do": "read", "filters": [{"where": [there, *doctor]}]}
        case turn.LIST_PATIENTS | turn.GET_PATIENT | turn.QUERY as action:
            text = parameters.get("patient_id") or parameters.get("query")
            form = {"do": "records", "tool": action, "clinics": [known.id], "text": text}
        case turn.BOOK if parameters.keys() == {"doctor", "date", "time"}:
            form = {"do": "propose", "book": [_slot(known, parameters, "")]}
        case turn.CANCEL if parameters.keys() == {"doctor", "date", "time"}:
            form = {"do": "propose", "cancel": [f"{known.id}/{parameters['date']}/{parameters['time']}"]}
        case turn.MOVE if parameters.keys() == {"doctor", "original_date", "original_time", "new_date", "new_time"}:
            held = f"{known.id}/{parameters['original_date']}/{parameters['original_time']}"
            form = {"do": "propose", "move": [{"appointment": held, "to": _slot(known, parameters, "new_")}]}
    return form


def _slot(clinic: turn.Clinic, parameters: Mapping[str, Any], prefix: str) -> JsonValue:
    where: list[JsonValue] = [_condition("clinic", clinic.id), _condition("doctor", parameters["doctor"])]
    where += [_condition(name, parameters[f"{prefix}{name}"]) for name in ("date", "time")]
    return {"first_of": [{"where": where}]}


def _condition(name: str, value: JsonValue) -> JsonValue:
    return {"field": name, "op": "in", "values": [value]}


def printable(value: JsonValue, most: int) -> str:
    """Return a text on one line, at most so long; empty for anything else."""
    return clean_text(value)[:most] if isinstance(value, str) else ""


def _intent(value: JsonValue) -> str | None:
    if not isinstance(value, str) or not value.strip():
        return None
    return value.strip() if value.strip() in _INTENTS else turn.UNKNOWN


def _texts(value: JsonValue) -> tuple[str, ...]:
    entries: Sequence[JsonValue] = value if isinstance(value, list) else [value]
    return tuple(entry.strip() for entry in entries if isinstance(entry, str) and entry.strip())[:MAX_SUBTASKS]


def _confidence(value: JsonValue) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1 else None


def _subtasks(value: JsonValue) -> tuple[turn.Subtask, ...]:
    entries = value if isinstance(value, list) else []
    found = (_subtask(entry) for entry in entries if isinstance(entry, Mapping))
    return tuple(subtask for subtask in found if subtask is not None)[:MAX_SUBTASKS]


def _subtask(entry: Mapping[str, JsonValue]) -> turn.Subtask | None:
    intent, domain = _intent(entry.get("intent")), entry.get("domain")
    told = (entry.get(name) for name in ("title", "reason"))
    plain = ("" if isinstance(one, str) and TOKEN.search(one) else printable(one, _TEXT_CHARACTERS) for one in told)
    title, reason = plain
    if intent is None and not title:
        return None
    return turn.Subtask(title, reason, intent or turn.UNKNOWN, domain.strip() if isinstance(domain, str) else "")
