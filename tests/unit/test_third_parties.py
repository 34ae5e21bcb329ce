"""Who a sentence names besides the speaker: recall and precision over sentences written without sight of the code."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from orchestrator.privacy import PersonalKind, Redactor
from orchestrator.turn import Identity

SENTENCES = Path(__file__).parents[1] / "sentences"
FLOOR = 0.95
REDACTOR = Redactor()
FORM_OF_ADDRESS = re.compile(r"\b(?:dona|seu|sra?|senhora?|mrs?|ms|miss)\b", re.IGNORECASE)  # identifies nobody


def marked(text: str, spans: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    places: list[tuple[int, int]] = []
    for span, _kind in spans:
        start = text.index(span, places[-1][1] if places else 0)
        places.append((start, start + len(span)))
    return places


def is_covered(text: str, place: tuple[int, int], by: Sequence[tuple[int, int]]) -> bool:
    """Return whether each letter and digit of a place, but for forms of address, stands in one of some places."""
    covered = {index for start, end in (*by, *(match.span() for match in FORM_OF_ADDRESS.finditer(text)))
               for index in range(start, end)}  # fmt: skip
    return all(index in covered for index in range(*place) if text[index].isalnum())


@pytest.mark.parametrize("half", ["develop", "held"])
def test_almost_all_that_identifies_somebody_is_found_and_hardly_anything_else(half: str) -> None:
    found_of_marked: list[bool] = []
    right_of_found: list[bool] = []
    for line in (SENTENCES / f"third_parties_{half}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        text, wanted = row["text"], marked(row["text"], row["spans"])
        found = [(one.start, one.end) for one in REDACTOR.find(text)]
        found_of_marked += (is_covered(text, place, found) for place in wanted)
        right_of_found += (is_covered(text, place, wanted) for place in found)
    assert sum(found_of_marked) >= FLOOR * len(found_of_marked)
    assert sum(right_of_found) >= FLOOR * len(right_of_found)


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("minha mãe, dona Maria de Lourdes, e meu pai Ivo", "minha mãe, dona [NAME], e meu pai [NAME]"),
        ("meus filhos Pedro e Lucas", "meus filhos [NAME] e [NAME]"),
        ("o RG dela é 12.345.678-9 e o CNS 898 0012 3456 7890", "o RG dela é [DOCUMENT] e o CNS [DOCUMENT]"),
        ("passport FT123456, plate BRA2E19", "passport [DOCUMENT], plate [PLATE]"),
        (
            "nascida em 4 de maio de 1962, quer consulta em 12/03/2026",
            "nascida em [BIRTH], quer consulta em 12/03/2026",
        ),
        ("o Dr. Fernando Mendes e a Clínica Santa Helena", "o Dr. Fernando Mendes e a Clínica Santa Helena"),
        ("a rafaela mora em Santo André", "a [NAME] mora em Santo André"),
        ("Mark Evans may come on Fridays", "[NAME] may come on Fridays"),
    ],
)
def test_what_names_somebody_is_replaced_and_nothing_around_it(text: str, redacted: str) -> None:
    assert REDACTOR.redact(text) == redacted


def test_the_first_name_of_a_known_doctor_is_a_person_only_where_a_word_says_so() -> None:
    redactor = Redactor(public=["Dra. Marina Teles"])
    assert redactor.redact("quero a marina para a minha filha Marina") == "quero a marina para a minha filha [NAME]"
    assert redactor.redact("a consulta da Marina Silva") == "a consulta da [NAME]"


def test_a_single_word_of_the_speakers_own_name_stays() -> None:
    assert Redactor(Identity("Regina Souza", "")).redact("Olá, Regina! E a Juliana?") == "Olá, Regina! E a [NAME]?"


def test_names_of_others_stay_where_they_are_not_looked_for() -> None:
    kinds = frozenset(PersonalKind) - {PersonalKind.PERSON}
    assert Redactor(kinds=kinds).redact("Juliana, RG 12.345.678-9") == "Juliana, RG [DOCUMENT]"
