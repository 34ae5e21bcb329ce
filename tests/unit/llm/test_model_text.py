"""What counts as a model's JSON, and what does not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.llm.model_text import json_in

PLAN = (
    '{"kind": "steps", "steps": [{"step_id": 1, "action": "query", "parameters": {"query": "dor \\"no\\" {peito]"}}]}'
)

SCALARS = st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    SCALARS | TEXTS,
    lambda children: st.lists(children, max_size=4) | st.dictionaries(TEXTS, children, max_size=4),
    max_leaves=12,
).filter(lambda value: isinstance(value, dict | list))
PROSE = st.text(st.characters(exclude_characters='{}[]"<'), max_size=30)


@pytest.mark.parametrize(
    "text",
    [
        PLAN,
        f"  \n{PLAN}\n",
        f"```json\n{PLAN}\n```",
        f"```\n{PLAN}\n```",
        f"Here is the plan [as asked] for {{you}}:\n\n```JSON\n{PLAN}\n```\nAnything else?",
        f"<think>Perhaps {{'a': 1}}, or []? No: {{}}</think>\n{PLAN}",
        f"Maybe {{}}?</think>{PLAN}",
        f"{PLAN}\n\nOr, once more:\n{PLAN}",
        f"{PLAN}}}",
    ],
)
def test_the_one_value_is_found_whatever_is_around_it(text: str) -> None:
    assert json_in(text) == json.loads(PLAN)


def test_a_bare_list_is_a_value() -> None:
    assert json_in('[{"step_id": 1}]') == [{"step_id": 1}]


@given(VALUES, PROSE, PROSE, st.sampled_from(["{}", "```json\n{}\n```", "```{}```"]))
def test_any_value_comes_back_as_it_was_written(value: Any, before: str, after: str, fence: str) -> None:
    assert json_in(f"{before}{fence.replace('{}', json.dumps(value))}{after}") == value


@given(VALUES, st.data())
def test_of_a_value_that_was_cut_nothing_is_taken(value: Any, data: st.DataObject) -> None:
    whole = json.dumps(value)
    cut = whole[: data.draw(st.integers(1, len(whole) - 1))]
    with pytest.raises(ValueError, match="not closed"):
        json_in(f"```json\n{cut}")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot help with that.",
        '"yes"',
        "42",
        "null",
        "{'kind': 'steps', 'steps': [1]}",
        '{"kind": "steps", "steps": [1],}',
        '{"kind": "steps", /* why */ "steps": [1]}',
        '{"safe": true, "safe": false}',
        '{"steps": [{"action": "a", "action": "b"}]}',
        '{"a": NaN}',
        "[-Infinity]",
        "[1e999]",
        "[01]",
        '["\\ud800"]',
        '["a\nb"]',
        f"[{'9' * 5000}]",
    ],
)
def test_what_is_no_json_is_refused_and_no_part_of_it_taken(text: str) -> None:
    with pytest.raises(ValueError, match=r"no JSON object or list|malformed"):
        json_in(text)


def test_two_values_that_differ_are_none() -> None:
    for text in ('{"safe": true} {"safe": false}', "[1] [true]", '{"step_id": 1}\n{"step_id": 2}'):
        with pytest.raises(ValueError, match="several"):
            json_in(text)


def test_a_malformed_value_is_not_passed_over_for_a_good_one() -> None:
    for text in ('{"safe": false,} {"safe": true}', '[{"safe": false, "safe": true}] {"safe": true}'):
        with pytest.raises(ValueError, match="malformed"):
            json_in(text)


@given(st.text(max_size=60) | st.text('[]{}",:\\0a', max_size=40))
def test_any_text_gives_a_value_or_a_value_error(text: str) -> None:
    try:
        value = json_in(text)
    except ValueError:
        return
    assert isinstance(value, dict | list)


@pytest.mark.parametrize("unit", ["[", "{", '{"a":', '["a', "[]", '{"a":1}', '\\"', "a", '"', "</think>"])
@pytest.mark.parametrize("size", [199_000, 10_000_000])
def test_garbage_of_any_size_is_refused(unit: str, size: int) -> None:
    with pytest.raises(ValueError, match=r"characters|deep|several|not closed"):
        json_in("[0]x[1]" + unit * (size // len(unit)))


def test_a_value_may_be_as_deep_as_anybody_writes_and_no_deeper() -> None:
    assert json_in("[" * 64 + "]" * 64)
    with pytest.raises(ValueError, match="deep"):
        json_in("[" * 65 + "]" * 65)


def test_what_is_longer_than_any_answer_is_refused_though_it_is_json() -> None:
    with pytest.raises(ValueError, match="characters"):
        json_in(json.dumps(["a" * 200_000]))


def test_no_error_repeats_the_text() -> None:
    for text in ('{"cpf": "123.456.789-00"', '{"cpf": 123.456.789-00}', '["Carlos"] ["Teste"]'):
        with pytest.raises(ValueError, match=r"^[A-Za-z ]+$") as caught:
            json_in(text)
        assert caught.value.__context__ is None
