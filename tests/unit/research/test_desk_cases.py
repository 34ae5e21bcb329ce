"""The sessions of tests/desk_cases.json, in a researcher's words: the versions, gaps and verdicts that come of them."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from bench.desk_cases import DeskCase, DeskSuite, held
from orchestrator.journal.events import EventChannel
from orchestrator.research.graph.desk import Desk, open_checkpoints
from tests.support.form import second_ones_long

CASES = DeskSuite.read(Path(__file__).parents[2] / "desk_cases.json").cases


@pytest.mark.parametrize("case", second_ones_long(CASES), ids=lambda case: case.id)
def test_a_session_comes_to_what_its_case_expects(case: DeskCase, tmp_path: Path) -> None:
    with open_checkpoints(tmp_path) as checkpoints:
        desk = Desk(checkpoints, EventChannel())
        assert [f"{name}: {seen}" for name, is_right, seen in held(case, desk) if not is_right] == []
        (session,) = desk.sessions()
        assert desk.state(session.session_id).user_input == case.turns[0].say


def test_there_are_as_many_cases_in_either_language() -> None:
    assert [sum(case.language == language for case in CASES) for language in ("pt", "en")] == [20, 20]


def test_a_review_has_terms_in_both_languages_databases_and_criteria(tmp_path: Path) -> None:
    with open_checkpoints(tmp_path) as checkpoints:
        desk = Desk(checkpoints, EventChannel())
        reply = desk.answer(
            str(uuid.uuid4()), "revisão da literatura sobre como a telemedicina impacta o zumbido em idosos"
        )
    assert '("telemedicina" OR "telessaúde"' in reply.plain
    assert '("telemedicine" OR "telehealth"' in reply.plain
    assert '"o zumbido"' in reply.plain
    assert "decs.bvsalud.org" in reply.plain  # for the term that is not known in English
    for part in ("LILACS", "PubMed", "Incluir: estudos com idosos", "Excluir:"):
        assert part in reply.plain


def test_a_theory_is_set_beside_its_rivals_and_exported_with_them(tmp_path: Path) -> None:
    with open_checkpoints(tmp_path) as checkpoints:
        desk = Desk(checkpoints, EventChannel())
        session = str(uuid.uuid4())
        reply = desk.answer(session, "build a theory of how loneliness affects missed visits in seniors")
        exported = desk.export(session)
    for told in (reply.plain, exported):
        assert "loneliness → missed visits, in seniors" in told
        assert "The other way round: missed visits → loneliness" in told
        assert "Compare people who are equal in the suspected cause" in told
