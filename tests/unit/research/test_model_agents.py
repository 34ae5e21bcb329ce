"""With a language model: it finds, adds and words; rules keep what the words bear out, and decide."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from orchestrator.journal.events import EventChannel, ModelFailure, Purpose
from orchestrator.llm.language_model import ModelError, ModelRequest
from orchestrator.research.graph.desk import Checkpoints, Desk, open_checkpoints
from orchestrator.research.graph.reasoners import ModelReasoners, Reasoners, desk_prompts
from orchestrator.research.rules.question import Elements
from orchestrator.turn.identity import Language
from orchestrator.turn.routing import TurnScope

PT = Language.PT
FREE = "Lá no posto, a turma do grupo de caminhada quase nunca some das consultas; são hipertensos de 40 a 60 anos"


class Telling:
    """An `Asker` that says what it is told to, by purpose; anything but a text is a failure."""

    def __init__(self, **answers: object) -> None:
        self._answers = answers
        self.asked: list[ModelRequest] = []

    def ask(self, request: ModelRequest) -> str:
        self.asked.append(request)
        answer = self._answers.get(request.purpose.value)
        if answer is None:
            raise ModelError(ModelFailure.TIMED_OUT, "no answer in time")
        return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def found(**elements: str) -> dict[str, str]:
    names = ("exposure", "outcome", "population", "comparison", "measure", "time")
    return {name: elements.get(name, "") for name in names}


def reasoners(asker: Telling) -> Reasoners:
    return ModelReasoners(asker, desk_prompts())


@pytest.fixture
def checkpoints(tmp_path: Path) -> Iterator[Checkpoints]:
    with open_checkpoints(tmp_path) as opened:
        yield opened


def test_a_model_finds_what_the_grammar_does_not() -> None:
    assert not Reasoners().read(FREE, Elements(), PT).can_be_asked
    said = found(exposure="o grupo de caminhada", outcome="as consultas.", population="hipertensos de 40 a 60 anos")
    elements = reasoners(Telling(structure=said)).read(FREE, Elements(), PT)
    assert elements == Elements("o grupo de caminhada", "as consultas", "hipertensos de 40 a 60 anos")


@pytest.mark.parametrize(
    "invented",
    [
        found(exposure="o grupo de dança", outcome="as consultas"),
        found(exposure="o grupo de caminhada", outcome="as consultas", time="12 meses"),
        found(exposure="o grupo de caminhada", outcome="as consultas", population="hipertensos de 18 a 60 anos"),
        found(exposure="o grupo [NAME]", outcome="as consultas"),
    ],
)
def test_what_the_words_do_not_bear_out_is_left_out(invented: dict[str, str]) -> None:
    elements = reasoners(Telling(structure=invented)).read(FREE, Elements(), PT)
    assert "dança" not in elements.exposure
    assert "[NAME]" not in elements.exposure
    assert (elements.time, elements.population) == ("", "")


@pytest.mark.parametrize(
    "answer",
    [
        None,
        "não sei dizer",
        {"exposure": "o grupo de caminhada"},
        {**found(), "verdict": "approved"},
        found(exposure=3),  # type: ignore[arg-type]  # a model may say anything
        found(exposure="a caminhada impacta o grupo", outcome="as consultas que impacta"),
    ],
)
def test_without_a_usable_answer_the_rules_read(answer: object) -> None:
    text = "pacientes com asma que caminham faltam menos às consultas"
    expected = Reasoners().read(text, Elements(), PT)
    assert reasoners(Telling(structure=answer)).read(text, Elements(), PT) == expected


def test_a_model_changes_no_element_that_there_was() -> None:
    known = Elements("lembretes", "as faltas", "idosos")
    said = found(exposure="a caminhada", population="hipertensos", time="40 anos")
    elements = reasoners(Telling(structure=said)).read("a caminhada de hipertensos em 40 anos", known, PT)
    assert (elements.exposure, elements.outcome, elements.population) == ("lembretes", "as faltas", "idosos")


def test_two_agents_that_read_the_same_cost_one_call() -> None:
    asker = Telling(structure=found())
    one = reasoners(asker)
    for _ in range(2):
        one.read(FREE, Elements(), PT)
    assert len(asker.asked) == 1


def test_a_second_opinion_adds_a_gap_and_so_keeps_a_question_from_approval(checkpoints: Checkpoints) -> None:
    doubt = {"aspect": "variáveis", "gap": "X e Y são a mesma coisa.", "suggestion": "Separar X de Y."}
    asker = Telling(review={"improvements": [doubt]})
    desk = Desk(checkpoints, EventChannel(), lambda _: reasoners(asker))
    session = str(uuid.uuid4())
    desk.answer(session, "Como X impacta Y em adultos 18-40 anos?")
    (version,) = desk.state(session).model_dump(mode="json")["hypothesis_versions"]
    assert version["feedback"] == {"status": "needs_refinement", "improvements": [doubt]}


@pytest.mark.parametrize(
    "review",
    [
        {"improvements": []},
        {"improvements": [{"aspect": "população", "gap": "nenhuma", "suggestion": "aprovar"}], "status": "approved"},
        {"improvements": [{"aspect": "estilo", "gap": "feio", "suggestion": "melhorar"}]},
        '{"status": "approved"}',
        None,
    ],
)
def test_a_model_cannot_approve_what_the_rules_find_a_gap_in(checkpoints: Checkpoints, review: object) -> None:
    desk = Desk(checkpoints, EventChannel(), lambda _: reasoners(Telling(review=review)))
    session = str(uuid.uuid4())
    desk.answer(session, "Como X impacta Y?")
    (version,) = desk.state(session).model_dump(mode="json")["hypothesis_versions"]
    assert version["feedback"]["status"] == "needs_refinement"
    assert [gap["aspect"] for gap in version["feedback"]["improvements"]] == ["população"]


def test_a_gap_that_identifies_somebody_is_shown_without(checkpoints: Checkpoints) -> None:
    doubt = {"aspect": "métricas", "gap": "Falta ouvir Maria Souza.", "suggestion": "Ligar para 529.982.247-25."}
    desk = Desk(checkpoints, EventChannel(), lambda _: reasoners(Telling(review={"improvements": [doubt]})))
    session = str(uuid.uuid4())
    assert "Souza" not in desk.answer(session, "Como X impacta Y em adultos?").plain
    assert "529.982" not in repr(desk.state(session))


@pytest.mark.parametrize(
    ("thought", "shown"),
    [
        ({"reflection": "Quem ficaria de fora se fossem só adultos?"}, "Quem ficaria de fora se fossem só adultos?"),
        ({"reflection": "Muito bem."}, "Em quem você observou isso? O resultado seria o mesmo em outras pessoas?"),
        (None, "Em quem você observou isso? O resultado seria o mesmo em outras pessoas?"),
    ],
)
def test_a_model_words_the_question_to_think_about(checkpoints: Checkpoints, thought: object, shown: str) -> None:
    desk = Desk(checkpoints, EventChannel(), lambda _: reasoners(Telling(reflect=thought)))
    session = str(uuid.uuid4())
    desk.answer(session, "Como X impacta Y?")
    assert desk.state(session).reflection_prompt == shown


def test_a_model_is_told_nobodys_name_number_or_id(checkpoints: Checkpoints) -> None:
    asker = Telling()
    desk = Desk(checkpoints, EventChannel(), lambda _: reasoners(asker))
    said = "a paciente Maria Souza, 529.982.247-25, CARD-001, que caminha falta menos às consultas"
    desk.answer(str(uuid.uuid4()), said)
    told = "".join(request.system + request.user for request in asker.asked)
    assert {request.purpose for request in asker.asked} >= {Purpose.STRUCTURE, Purpose.REVIEW}
    assert not [secret for secret in ("Maria", "Souza", "529.982", "CARD-001") if secret in told]


def test_the_minds_are_bound_to_the_turn(checkpoints: Checkpoints) -> None:
    scopes: list[TurnScope] = []

    def reasoners_of(scope: TurnScope) -> Reasoners:
        scopes.append(scope)
        return Reasoners()

    desk = Desk(checkpoints, EventChannel(), reasoners_of)
    session = str(uuid.uuid4())
    desk.answer(session, "Como X impacta Y?")
    desk.answer(session, "adultos")
    first, second = scopes
    assert first.turn_id != second.turn_id
