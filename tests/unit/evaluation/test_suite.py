import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from orchestrator.agents.registry_file import read_registry
from orchestrator.evaluation.judgement import reaches_all
from orchestrator.evaluation.suite import Aim, SlotName, Suite, SuiteError
from orchestrator.turn import is_write
from orchestrator.turn.identity import Language, Role
from tests.unit.evaluation.lines import booking, listing, query, talking

OWN = Path(__file__).parents[2] / "test_queries.json"


def content(**fields: Any) -> dict[str, Any]:
    ask = {"id": "one", "language": "pt", "category": "normal", "turns": [talking("smalltalk")]}
    suite = {"schema": "clinic-mesh.queries/1", "agenda": "blueprint", "now": "2025-07-15T08:00-03:00"}
    return {**suite, "queries": [{**ask, **fields}]}


def write(folder: Path, value: object) -> Path:
    path = folder / "queries.json"
    path.write_text(json.dumps(value), "utf-8")
    return path


def test_the_own_suite_covers_what_the_protocol_asks_for() -> None:
    suite = Suite.read(OWN)
    registry = read_registry(8001)
    queries = suite.queries
    assert len(queries) >= 120
    kinds = Counter(query.category for query in queries)
    assert min(kinds[category] for category in ("normal", "edge", "adversarial")) >= 20
    languages = Counter(query.language for query in queries)
    assert min(languages[language] for language in Language) >= 40
    assert sum(len(query.turns) > 1 for query in queries) >= 40
    multi = [query for query in queries if any(reaches_all(turn, (), registry) is False for turn in query.turns)]
    assert len(multi) >= 60
    asked = {registry[step.clinic].specialty for query in multi for step in query.steps if not is_write(step.action)}
    assert asked == {agent.specialty for agent in registry.values()}
    assert {query.aim for query in queries} == set(Aim)
    assert {query.role for query in queries} == set(Role)
    assert sum(query.writes for query in queries) >= 40


def test_no_two_queries_of_the_own_suite_say_the_same() -> None:
    said = Counter((query.role, *(turn.say for turn in query.turns)) for query in Suite.read(OWN).queries)
    assert said.most_common(1)[0][1] == 1


def test_every_task_of_the_own_suite_has_something_to_state_in_every_turn() -> None:
    silent = [
        query.id
        for query in Suite.read(OWN).queries
        for turn in query.turns
        if turn.steps and not (turn.offers or turn.tells or turn.states or turn.blocked)
    ]
    assert silent == []


def test_a_slot_is_written_as_clinic_date_and_time() -> None:
    (turn,) = query(listing("clinic_a", offers=["clinic_a 2025-07-21 09:00"])).turns
    assert turn.offers == frozenset({SlotName("clinic_a", "2025-07-21", "09:00")})


def test_a_fact_may_have_several_wordings() -> None:
    (turn,) = query(talking("smalltalk", states=["olá", ["oi", "hello"]])).turns
    assert turn.states == (("olá",), ("oi", "hello"))


def test_what_a_query_comes_to_follows_from_what_is_expected() -> None:
    refused = {"say": "x", "steps": [{"clinic": "clinic_a", "action": "book_appointment", "status": "refused"}]}
    assert query(talking("smalltalk")).aim is Aim.RESTRAINT
    assert query(talking("smalltalk"), booking()).aim is Aim.TASK
    assert query(booking(), refused).aim is Aim.REFUSAL
    assert query(listing("clinic_a", blocked="R2")).aim is Aim.REFUSAL
    assert query(booking()).writes
    assert not query(refused).writes


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        ({"say": "x"}, "either steps or kinds"),
        ({**listing("clinic_a"), "kinds": ["clarify"], "topic": "greeting"}, "either steps or kinds"),
        ({"say": "x", "kinds": ["clarify"]}, "needs a topic"),
        (listing("clinic_a", offers=["clinic_a 2025-07-21"]), "clinic, date, time"),
        ({**talking("smalltalk"), "expected": []}, "Extra inputs"),
    ],
)
def test_a_turn_that_is_not_decided_is_refused_with_its_place(tmp_path: Path, turn: dict[str, Any], said: str) -> None:
    with pytest.raises(SuiteError, match=rf"queries\.json: queries\.0\.turns\.0.*{said}"):
        Suite.read(write(tmp_path, content(turns=[turn])))


def test_two_queries_of_one_id_are_refused(tmp_path: Path) -> None:
    value = content()
    value["queries"] *= 2
    with pytest.raises(SuiteError, match="one: two queries have this id"):
        Suite.read(write(tmp_path, value))


def test_a_now_without_an_offset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="UTC offset"):
        Suite.read(write(tmp_path, {**content(), "now": "2025-07-15T08:00"}))


def test_a_file_that_is_not_there_or_no_json_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match=r"none\.json: cannot be read"):
        Suite.read(tmp_path / "none.json")
    (tmp_path / "torn.json").write_text("{")
    with pytest.raises(SuiteError, match=r"torn\.json: the file: Invalid JSON"):
        Suite.read(tmp_path / "torn.json")
