"""What nobody may read of anybody else: the judge of replies, log lines and events, quick enough for each of them.

Not made from the verifier or the redactor: it knows the clinics' own files and the people who talk.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from orchestrator.turn.identity import Identity

_RECORDS = (Path(__file__).parents[3] / "clinics").glob("clinic_*/patients.json")
_LONG_NUMBER = re.compile(r"\d(?:[\W_]{0,3}\d){9,}")


class Secrets:
    """Names, CPFs and records.

    Args:
        people: Who talks.
    """

    def __init__(self, people: Iterable[Identity]) -> None:
        self._people = {person: re.compile(rf"\b(?:{'|'.join(_folded(person.name).split())})\b") for person in people}
        patients = [one for path in _RECORDS for one in json.loads(path.read_text("utf-8"))["patients"]]
        assert len(patients) > 30
        self._records = {_folded(patient[name]) for patient in patients for name in ("name", "address", "birth_date")}
        numbers = [patient[name] for patient in patients for name in ("cpf", "phone")]
        self._numbers = {re.sub(r"\D", "", number) for number in (*numbers, *(person.cpf for person in self._people))}

    def leaks(self, text: str, reader: Identity | None = None) -> Iterator[str]:
        """Yield what a text tells, repeating nothing of it.

        Args:
            text: A text.
            reader: Who may read their own name in it, but not their CPF; None: nobody may.
        """
        plain = _folded(re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text))
        if any(name.search(plain) for person, name in self._people.items() if person != reader):
            yield "a word of somebody's name"
        if any(record in plain for record in self._records):
            yield "a name, an address or a birth date of a patient"
        runs = [re.sub(r"\D", "", match[0]) for match in _LONG_NUMBER.finditer(plain)]
        if any(number in run for run in runs for number in self._numbers):
            yield "a CPF or a phone number"


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().casefold().split())
