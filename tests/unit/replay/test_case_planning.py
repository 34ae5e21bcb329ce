"""Cases are read line by line; what is no case is named by its line and place, without its values."""

from __future__ import annotations

import json

import pytest

from orchestrator.evaluation.replay.case_planning import Case, CaseError, Said, read_cases

GOOD = '{"id": "one", "history": [{"role": "user", "content": "oi"}], "utterance": "quero um ortopedista"}'


def test_a_case_has_its_history_and_other_fields_are_not_read() -> None:
    line = json.dumps(json.loads(GOOD) | {"expected": {"kind": "steps"}, "tags": ["own"]})
    assert read_cases([line], "cases") == (
        Case(id="one", history=(Said(role="user", content="oi"),), utterance="quero um ortopedista"),
    )


def test_a_case_without_a_history_is_the_first_turn_and_its_id_may_be_a_number() -> None:
    assert read_cases(['{"id": 7, "utterance": "oi"}'], "cases")[0] == Case(id=7, utterance="oi")


def test_blank_lines_count_but_are_no_cases() -> None:
    with pytest.raises(CaseError, match=r"^cases:3: no JSON object$"):
        read_cases(["", GOOD, "{"], "cases")


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("[]", "no JSON object"),
        ('{"id": "x"}', "utterance: Field required"),
        ('{"id": true, "utterance": "oi"}', "id"),
        ('{"id": "x", "utterance": 5}', "utterance"),
        ('{"id": "x", "utterance": "oi", "history": [{"role": "robot", "content": ""}]}', r"history\.0\.role"),
        ('{"id": "x", "utterance": "oi", "history": [{"role": "user"}]}', r"history\.0\.content"),
    ],
)
def test_a_line_that_is_no_case_is_named_with_its_place(line: str, place: str) -> None:
    with pytest.raises(CaseError, match=rf"^cases:1: {place}"):
        read_cases([line], "cases")


def test_all_bad_lines_are_named_at_once() -> None:
    with pytest.raises(CaseError) as caught:
        read_cases(["x", GOOD, "y"], "cases")
    assert [line.split(": ")[0] for line in str(caught.value).splitlines()] == ["cases:1", "cases:3"]


def test_what_a_bad_line_holds_is_not_repeated() -> None:
    with pytest.raises(CaseError) as caught:
        read_cases(['{"id": "x", "utterance": ["529.982.247-25"]}', '{"id": "529.982.247-25"'], "cases")
    assert "529" not in str(caught.value)
    assert caught.value.__cause__ is None
