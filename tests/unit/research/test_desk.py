"""Sessions of the desk: three versions at most, nothing approved with a gap, nothing lost, nobody identified."""

from __future__ import annotations

import json
import re
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mesh.errors import UsageError
from orchestrator.evaluation.turn_log import log_files, read_turns
from orchestrator.journal import PipelineLog
from orchestrator.journal.events import EventChannel
from orchestrator.research.graph.desk import Checkpoints, Desk, open_checkpoints
from orchestrator.research.graph.feasibility import Count, FeasibilityTable, Population
from orchestrator.research.graph.state import MultiAgentState
from orchestrator.research.rules.question import gaps, parse
from orchestrator.turn.identity import NOBODY, Identity, Language
from orchestrator.turn.reply import Table, TurnOutcome
from orchestrator.turn.routing import TurnScope
from tests.support.form import examples
from tests.unit.research.test_question_properties import texts

OBSERVATION = "Percebi que pacientes com hipertensão que fazem caminhada faltam menos às consultas"
SILENT = EventChannel()


@pytest.fixture
def checkpoints(tmp_path: Path) -> Iterator[Checkpoints]:
    with open_checkpoints(tmp_path / "research") as opened:
        yield opened


class Counting:
    """A `Feasibility` that has counted before, and remembers what it was asked."""

    def __init__(self, table: FeasibilityTable) -> None:
        self._table = table
        self.asked: list[str] = []

    def __call__(self, _scope: TurnScope, population: str, _language: Language) -> FeasibilityTable:
        self.asked.append(population)
        return self._table


TABLE = FeasibilityTable(
    Population(("hypertension",), ("adherence",)),
    (
        Count("Cardiology", 2, 2, 25, "Cardiologia"),
        Count("Dermatology", 2, 1, None, "Dermatologia"),
        Count("Orthopedics", 2, 2, 0, "Ortopedia"),
    ),
    Count("", 6, 5, None),
)


def stored(desk: Desk, session: str) -> dict[str, Any]:
    """The state of a session as plain values."""
    return desk.state(session).model_dump(mode="json")


def talk(desk: Desk, *utterances: str) -> dict[str, Any]:
    session = str(uuid.uuid4())
    for utterance in utterances:
        desk.answer(session, utterance)
    return stored(desk, session)


def test_gaps_that_are_answered_make_a_version_that_is_approved(checkpoints: Checkpoints) -> None:
    state = talk(Desk(checkpoints, SILENT), OBSERVATION, "quem não caminha; 12 meses")
    first, second = state["hypothesis_versions"]
    assert [gap["aspect"] for gap in first["feedback"]["improvements"]] == ["testabilidade", "testabilidade"]
    assert (first["feedback"]["status"], second["feedback"]["status"]) == ("needs_refinement", "approved")
    assert second["question"].endswith(
        "em pacientes com hipertensão, em comparação com quem não caminha, no período de 12 meses?"
    )
    assert state["structurer_output"] is not None
    assert [gap["answer"] for gap in state["structurer_output"]["addressed_gaps"]] == ["quem não caminha", "12 meses"]
    assert state["structurer_output"]["elements"]["context"] == OBSERVATION
    assert state["methodologist_output"] is not None
    assert state["methodologist_output"]["clarifications"] == {"testabilidade": "quem não caminha; 12 meses"}
    assert state["current_stage"] == "done"
    assert state["next_step"] is None
    assert state["stage_suggestion"] is not None
    assert (state["stage_suggestion"]["from_stage"], state["stage_suggestion"]["to_stage"]) == (
        "hypothesis",
        "methodology",
    )


def test_the_focal_argument_grows_with_the_conversation(checkpoints: Checkpoints) -> None:
    desk = Desk(checkpoints, SILENT)
    state = talk(desk, "pacientes com diabetes")
    assert state["focal_argument"] == {
        "intent": "test_hypothesis",
        "subject": "",
        "population": "pacientes com diabetes",
        "metrics": "",
        "article_type": "empirical",
    }
    state = talk(desk, "quero fazer uma revisão da literatura", OBSERVATION)
    assert state["focal_argument"] == {
        "intent": "review_literature",
        "subject": "fazer caminhada → as faltas às consultas",
        "population": "pacientes com hipertensão",
        "metrics": "as faltas às consultas",
        "article_type": "review",
    }


def test_a_vague_start_is_explored_and_what_it_told_is_kept(checkpoints: Checkpoints) -> None:
    desk = Desk(checkpoints, SILENT)
    session = str(uuid.uuid4())
    desk.answer(session, "pacientes com diabetes")
    state = stored(desk, session)
    assert (state["next_step"], state["current_stage"], state["hypothesis_versions"]) == ("explore", "classifying", [])
    assert state["reflection_prompt"]
    desk.answer(session, "a adesão ao tratamento")
    question = stored(desk, session)["hypothesis_versions"][0]["question"]
    assert question == "O que influencia a adesão ao tratamento em pacientes com diabetes?"


@pytest.mark.parametrize(
    ("people", "said", "question"),
    [
        ("idosos", "acho que é a solidão", "O que muda com a solidão em idosos?"),
        ("we study older adults", "I think it is loneliness", "What changes with loneliness in older adults?"),
        ("we study older adults", "maybe the distance", "What changes with the distance in older adults?"),
        ("idosos", "a solidão", "O que influencia a solidão em idosos?"),
    ],
)
def test_an_opinion_is_about_what_makes_the_difference(
    checkpoints: Checkpoints, people: str, said: str, question: str
) -> None:
    desk = Desk(checkpoints, SILENT)
    session = str(uuid.uuid4())
    desk.answer(session, people)
    desk.answer(session, said)
    assert desk.summary(session).question == question


def test_an_answer_that_closes_nothing_costs_no_version(checkpoints: Checkpoints) -> None:
    state = talk(Desk(checkpoints, SILENT), OBSERVATION, "não sei", "talvez", "o que é comparação?")
    assert len(state["hypothesis_versions"]) == 1
    assert (state["next_step"], state["current_stage"]) == ("clarify", "validating")


def test_the_third_version_ends_the_session_and_its_open_gaps_are_told(checkpoints: Checkpoints) -> None:
    desk = Desk(checkpoints, SILENT)
    session = str(uuid.uuid4())
    for utterance in ("a adesão piora em idosos que moram sozinhos", "escala de Morisky"):
        desk.answer(session, utterance)
    state = talk(desk, "quero estudar a adesão", "idosos", "lembretes")
    assert [version["version"] for version in state["hypothesis_versions"]] == [1, 2, 3]
    assert state["current_stage"] == "done"
    assert state["methodologist_output"] is not None
    assert state["methodologist_output"]["status"] == "needs_refinement"
    assert "sem aprovação" in state["methodologist_output"]["justification"]


@pytest.mark.parametrize("said", ["não, são adolescentes", "12 meses"])
def test_what_comes_after_the_third_version_is_refused_with_the_reason_and_the_question_to_begin_with(
    checkpoints: Checkpoints, said: str
) -> None:
    desk = Desk(checkpoints, SILENT)
    session = str(uuid.uuid4())
    for answer in ("Como a telemedicina impacta as faltas?", "adultos", "comparado com quem não usa"):
        desk.answer(session, answer)
    told = desk.answer(session, said).plain
    assert "V3 é a última versão" in told
    (asked,) = re.findall("“(.+?)”", told)
    assert len(desk.state(session).hypothesis_versions) == 3
    other = str(uuid.uuid4())
    desk.answer(other, asked)
    assert desk.summary(other).question == asked
    assert said.rpartition(" ")[2] in asked


def test_nothing_changes_after_the_end(checkpoints: Checkpoints) -> None:
    desk = Desk(checkpoints, SILENT)
    state = talk(desk, OBSERVATION, "quem não caminha; 12 meses")
    desk.answer(state["session_id"], "em idosos")
    after = stored(desk, state["session_id"])
    assert after["hypothesis_versions"] == state["hypothesis_versions"]
    assert after["current_stage"] == "done"


@pytest.mark.parametrize(
    "said", ["me dê os nomes dos pacientes hipertensos", "quero marcar uma consulta", "devo tomar losartana?"]
)
def test_what_is_no_research_is_rejected_and_makes_no_version(checkpoints: Checkpoints, said: str) -> None:
    desk = Desk(checkpoints, SILENT)
    session = str(uuid.uuid4())
    assert desk.answer(session, said).outcome is TurnOutcome.REFUSED
    state = stored(desk, session)
    assert state["methodologist_output"] is not None
    assert (state["methodologist_output"]["status"], state["hypothesis_versions"]) == ("rejected", [])
    assert desk.answer(session, OBSERVATION).outcome is TurnOutcome.OK


def test_help_comes_before_research(checkpoints: Checkpoints) -> None:
    desk = Desk(checkpoints, SILENT)
    reply = desk.answer(str(uuid.uuid4()), "quero morrer")
    assert "192" in reply.plain
    assert "188" in reply.plain


def test_english_is_answered_in_english(checkpoints: Checkpoints) -> None:
    desk = Desk(checkpoints, SILENT)
    session = str(uuid.uuid4())
    desk.answer(session, "I noticed that patients with asthma who walk miss fewer appointments")
    reply = desk.answer(session, "those who do not walk; 12 meses")
    assert reply.language is Language.EN
    assert "Approved" in reply.plain


def test_the_clinics_are_asked_once_for_a_population_and_small_cells_stay_hidden(checkpoints: Checkpoints) -> None:
    counts = tuple(replace(count, answered=2) for count in TABLE.counts)
    counting = Counting(replace(TABLE, counts=counts, total=Count("", 6, 6, None)))
    desk = Desk(checkpoints, SILENT, feasibility=counting)
    session = str(uuid.uuid4())
    reply = desk.answer(session, OBSERVATION)
    tables = [block for block in reply.blocks if isinstance(block, Table)]
    assert tables[-1].rows[1] == ("Dermatologia", "2/2", "omitido (menos de 3, ou revelaria)")
    assert "hipertensão arterial" in reply.plain
    assert "adesão" in reply.plain
    assert "omitido" not in desk.answer(session, "12 meses").plain
    assert "omitido" in desk.export(session)
    assert counting.asked == ["pacientes com hipertensão"]


def test_a_count_that_is_not_complete_is_asked_for_again(checkpoints: Checkpoints) -> None:
    counting = Counting(TABLE)
    desk = Desk(checkpoints, SILENT, feasibility=counting)
    session = str(uuid.uuid4())
    assert desk.answer(session, OBSERVATION).outcome is TurnOutcome.PARTIAL
    desk.export(session)
    assert len(counting.asked) == 2


def test_sessions_are_listed_found_by_their_beginning_and_deleted(checkpoints: Checkpoints) -> None:
    desk = Desk(checkpoints, SILENT)
    older, newer = talk(desk, OBSERVATION)["session_id"], talk(desk, "oi")["session_id"]
    assert [summary.session_id for summary in desk.sessions()] == [newer, older]
    assert [summary.versions for summary in desk.sessions()] == [0, 1]
    assert desk.find(older[:8]) == older
    for unknown in ("", "no-such-session"):
        with pytest.raises(UsageError, match="no such session"):
            desk.find(unknown)
    desk.delete(older[:8])
    assert [summary.session_id for summary in desk.sessions()] == [newer]


def test_a_session_goes_on_where_it_was_left(tmp_path: Path) -> None:
    with open_checkpoints(tmp_path) as first:
        session = talk(Desk(first, SILENT), OBSERVATION)["session_id"]
    with open_checkpoints(tmp_path) as second:
        desk = Desk(second, SILENT)
        reply = desk.resume(session)
        assert reply is not None
        assert "V1" in reply.plain
        desk.answer(session, "quem não caminha; 12 meses")
        assert [version["version"] for version in stored(desk, session)["hypothesis_versions"]] == [1, 2]


def test_the_first_words_of_a_session_stay_its_input(checkpoints: Checkpoints) -> None:
    state = talk(Desk(checkpoints, SILENT), OBSERVATION, "quem não caminha", "12 meses")
    assert state["user_input"] == OBSERVATION
    assert [version["version"] for version in state["hypothesis_versions"]] == [1, 2, 3]


def test_a_session_keeps_one_checkpoint_however_long_it_is(tmp_path: Path) -> None:
    with open_checkpoints(tmp_path) as opened:
        desk = Desk(opened, SILENT)
        sessions = [talk(desk, OBSERVATION, *["não sei"] * turns)["session_id"] for turns in (0, 4)]
        for session in sessions:
            assert len(list(opened.list({"configurable": {"thread_id": session}}))) == 1
            assert len(stored(desk, session)["hypothesis_versions"]) == 1


def test_a_failure_of_who_uses_the_sessions_is_not_told_as_the_files(tmp_path: Path) -> None:
    with pytest.raises(BrokenPipeError), open_checkpoints(tmp_path):
        raise BrokenPipeError


def test_the_log_tells_what_the_desk_did_and_nobodys_words(tmp_path: Path) -> None:
    with open_checkpoints(tmp_path / "research") as opened:
        desk = Desk(opened, EventChannel([PipelineLog(tmp_path / "logs", NOBODY)]))
        session = talk(desk, OBSERVATION, "quem não caminha; 12 meses")["session_id"]
    (log,) = log_files(tmp_path / "logs")
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert [line["session_id"] for line in lines] == [session] * 2
    assert [line["desk"]["status"] for line in lines] == ["needs_refinement", "approved"]
    assert lines[0]["desk"]["agents"] == ["orchestrator", "structurer", "methodologist", "orchestrator"]
    assert "hipertens" not in log.read_text("utf-8")
    assert "caminha" not in log.read_text("utf-8")
    assert list(read_turns([log])) == []  # the figures of clinics' turns leave the desk's out


def test_a_new_session_has_no_last_answer(checkpoints: Checkpoints) -> None:
    desk = Desk(checkpoints, SILENT)
    assert desk.resume(str(uuid.uuid4())) is None


def test_what_identifies_anybody_is_neither_in_the_state_nor_in_the_file(tmp_path: Path) -> None:
    secrets = ("529.982.247-25", "52998224725", "(11) 98765-4321", "maria@example.com", "CARD-001", "Souza", "Medeiros")
    with _desk_of(tmp_path, Identity.of("João Medeiros", "123.456.789-09")) as desk:
        state = talk(
            desk,
            "Percebi que a paciente Maria Souza, CPF 529.982.247-25, CARD-001, falta menos às consultas",
            "52998224725 (11) 98765-4321 maria@example.com",
            "Aqui é o João Medeiros; pacientes com asma que caminham faltam menos às consultas",
        )
        assert state["hypothesis_versions"]
        kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for secret in secrets:
        assert secret not in repr(state), secret
        assert secret.encode() not in kept, secret


@contextmanager
def _desk_of(folder: Path, speaker: Identity) -> Iterator[Desk]:
    with open_checkpoints(folder) as opened:
        yield Desk(opened, SILENT, speaker=speaker)


def test_a_deleted_session_leaves_nothing_in_the_file(tmp_path: Path) -> None:
    with open_checkpoints(tmp_path) as opened:
        desk = Desk(opened, SILENT)
        session = talk(desk, "A fibromialgia rara piora o sono de idosos")["session_id"]
        assert any(b"fibromialgia" in path.read_bytes() for path in tmp_path.iterdir())
        desk.delete(session)
        assert not any(b"fibromialgia" in path.read_bytes() for path in tmp_path.iterdir())


def test_folder_and_file_are_for_this_user_only(tmp_path: Path) -> None:
    folder = tmp_path / "research"
    with open_checkpoints(folder) as opened:
        talk(Desk(opened, SILENT), OBSERVATION)
        assert folder.stat().st_mode & 0o777 == 0o700
        assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


def test_a_turn_that_is_cancelled_before_it_waits_still_ends(checkpoints: Checkpoints) -> None:
    cancel = threading.Event()
    cancel.set()
    desk = Desk(checkpoints, SILENT)
    assert desk.answer(str(uuid.uuid4()), OBSERVATION, cancel).outcome is TurnOutcome.OK


@settings(max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(utterances=st.lists(texts.filter(str.strip), min_size=1, max_size=6))
def test_whatever_is_said_approval_means_no_gap_and_no_version_loses_an_element(
    checkpoints: Checkpoints, utterances: list[str]
) -> None:
    judged = 0
    for said in range(1, len(utterances) + 1):
        state = talk(Desk(checkpoints, SILENT, durability="exit"), *utterances[:said])
        language, intent = (getattr(MultiAgentState.model_validate(state), name) for name in ("language", "intent"))
        versions = state["hypothesis_versions"]
        for version in versions[judged:]:  # by what was wanted when it was made
            is_approved = version["feedback"]["status"] == "approved"
            left = gaps(parse(version["question"], language), intent)
            assert is_approved == (not left) == (not version["feedback"]["improvements"])
        judged = len(versions)
    read = [parse(version["question"], language) for version in versions]
    assert [version["version"] for version in versions] == list(range(1, len(versions) + 1))
    assert len(versions) <= 3
    for before, after in pairwise(read):
        assert before.present <= after.present  # a correction changes an element, and loses none
    assert (state["current_stage"] == "done") == (
        bool(versions) and (len(versions) == 3 or versions[-1]["feedback"]["status"] == "approved")
    )
