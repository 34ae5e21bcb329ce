"""What a reply may rest on: the payload of the turn, read once into typed values.

The payload is JSON because that is what the rules judge, whoever made it (blueprint 2.3.2); this module is the only
place of the verifier that walks JSON. It judges nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, time
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from pydantic import JsonValue

JsonObject: TypeAlias = "dict[str, JsonValue]"

_LIST = "list_available_slots"


@dataclass(frozen=True, slots=True)
class Opening:
    """A doctor at a moment."""

    doctor: str
    date: date
    time: time


@dataclass(frozen=True, slots=True)
class PatientRecord:
    """A full record as get_patient returns it; empty fields are those that it lacks."""

    name: str = field(repr=False)
    cpf: str = field(repr=False)
    birth_date: str = field(repr=False)
    address: str = field(repr=False)
    phone: str = field(repr=False)
    condition: str = field(repr=False)
    medications: tuple[tuple[str, str], ...] = field(repr=False)
    exams: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the clinics returned in one turn.

    Attributes:
        results: The results as JSON, in the payload's order; failed steps have none.
        listed: Openings of list results, each with the id of its clinic.
        unanswered: Only openings were asked for, and no clinic answered.
        offered: Openings of list results and those that refusals name instead, each with the id of its clinic.
        placed: Every doctor at a moment that the data name anywhere: lists, alternatives, appointments; with the id of
            the clinic.
        answered: Ids of the clinics that answered with a result.
        asked: Ids of all clinics of the payload.
        records: Full records.
        patients_of: How many patients the lists and searches of each clinic hold.
        patient_ids: Ids of patient lists and searches.
        strings: Every text of the data, errors included.
    """

    results: tuple[JsonValue, ...] = field(repr=False)
    listed: frozenset[tuple[str, Opening]] = field(repr=False)
    unanswered: bool
    offered: frozenset[tuple[str, Opening]] = field(repr=False)
    placed: frozenset[tuple[str, Opening]] = field(repr=False)
    answered: frozenset[str]
    asked: frozenset[str]
    records: tuple[PatientRecord, ...] = field(repr=False)
    patients_of: Mapping[str, int]
    patient_ids: frozenset[str]
    strings: tuple[str, ...] = field(repr=False)

    @classmethod
    def of(cls, payload: str) -> Evidence:
        """Return the evidence of a payload.

        Raises:
            ValueError: It is not a JSON object with a list `clinic_data` of objects.
        """
        body: JsonValue = json.loads(payload)
        data = body.get("clinic_data") if isinstance(body, dict) else None
        if not isinstance(data, list) or not all(isinstance(entry, dict) for entry in data):
            raise ValueError("a payload is a JSON object with a list clinic_data of objects")
        entries = [entry for entry in data if isinstance(entry, dict)]
        results = tuple(entry.get("result") for entry in entries)
        answers = [result for result in results if isinstance(result, dict)]
        listed = frozenset(
            (text_at(entry, "clinic"), opening)
            for entry in entries
            if isinstance(result := entry.get("result"), dict)
            for opening in _openings(result.get("available_slots"))
        )
        instead = (
            (text_at(entry, "clinic"), opening) for entry in entries for opening in _openings(entry.get("error"))
        )
        return cls(
            results=results,
            listed=listed,
            unanswered=bool(entries)
            and all(text_at(entry, "action") == _LIST and entry.get("result") is None for entry in entries),
            offered=listed.union(instead),
            placed=frozenset((text_at(entry, "clinic"), opening) for entry in entries for opening in _openings(entry)),
            answered=frozenset(text_at(entry, "clinic") for entry in entries if entry.get("result") is not None),
            asked=frozenset(text_at(entry, "clinic") for entry in entries),
            records=tuple(_record(answer["patient"]) for answer in answers if answer.get("patient") is not None),
            patients_of=Counter(text_at(entry, "clinic") for entry in entries for _ in _summaries(entry.get("result"))),
            patient_ids=frozenset(
                text_at(summary, "patient_id") for answer in answers for summary in _summaries(answer)
            ),
            strings=tuple(strings(data)),
        )

    @property
    def openings(self) -> Iterator[Opening]:
        """Every doctor at a moment that the data name anywhere."""
        return (opening for _, opening in self.placed)


def objects(value: JsonValue) -> Iterator[JsonObject]:
    """Yield every object in a JSON value, outermost first."""
    if isinstance(value, dict):
        yield value
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for child in children:
        yield from objects(child)


def strings(value: JsonValue) -> Iterator[str]:
    """Yield every text in a JSON value; names of fields are none."""
    if isinstance(value, str):
        yield value
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for child in children:
        yield from strings(child)


def texts_outside_record(result: JsonValue) -> Iterator[str]:
    """Yield the texts of a result but for a patient's record, and for a search's words, which the speaker wrote."""
    if isinstance(result, dict):
        yield from strings({name: value for name, value in result.items() if name not in {"patient", "query"}})


def text_at(body: JsonObject, name: str) -> str:
    """Return a text field; empty when it is missing or no text."""
    value = body.get(name)
    return value if isinstance(value, str) else ""


def _openings(value: JsonValue) -> Iterator[Opening]:
    for body in objects(value):
        if text_at(body, "doctor"):
            try:
                day, at = date.fromisoformat(text_at(body, "date")), time.fromisoformat(text_at(body, "time"))
            except ValueError:
                continue
            yield Opening(text_at(body, "doctor"), day, at)


def _summaries(result: JsonValue) -> Iterator[JsonObject]:
    if isinstance(result, dict):
        for name in ("patients", "matches"):
            yield from objects(result.get(name))


def _record(value: JsonValue) -> PatientRecord:
    body = value if isinstance(value, dict) else {}
    return PatientRecord(
        name=text_at(body, "name"),
        cpf=text_at(body, "cpf"),
        birth_date=text_at(body, "birth_date"),
        address=text_at(body, "address"),
        phone=text_at(body, "phone"),
        condition=text_at(body, "condition"),
        medications=tuple(
            (text_at(drug, "name"), text_at(drug, "dosage")) for drug in objects(body.get("medications"))
        ),
        exams=tuple(strings(body.get("exams"))),
    )
