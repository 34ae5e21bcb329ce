"""A turn's events as people see them: live lines while it runs, and /why afterwards."""

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from orchestrator.events import (
    AgentFinished,
    AgentStarted,
    ClinicAnswered,
    ClinicAsked,
    ModelAnswered,
    ModelAsked,
    ModelSuspended,
    ModelThrottled,
    Planned,
    Routed,
    TurnFinished,
    TurnStarted,
    Verified,
)
from orchestrator.language import Language
from orchestrator.llm.model import ModelFailure, Purpose, Usage
from orchestrator.plan import Plan, PlanKind, Proposed, Step, Topic
from orchestrator.reply import Card, Outcome
from orchestrator.result import StepStatus
from orchestrator.routing.candidates import Candidate
from orchestrator.routing.classification import Classification
from orchestrator.routing.contracts import task_of
from orchestrator.routing.decision import Decision
from orchestrator.terminal.progress import Progress
from orchestrator.terminal.trace import TurnTrace
from orchestrator.verdict import Rule, Verdict

ACTION = "list_available_slots"
PLAN = Plan(
    PlanKind.STEPS, Language.PT, steps=(Step(1, "clinic_a", ACTION), Step(2, "clinic_c", ACTION)), reasoning=("Why.",)
)
ASKED_A = ClinicAsked("t", 1, "clinic_a", ACTION)
ASKED_C = ClinicAsked("t", 2, "clinic_c", ACTION)
ANSWERED_A = ClinicAnswered("t", 1, "clinic_a", ACTION, StepStatus.DONE, None, 6, 0.25)
ANSWERED_C = ClinicAnswered("t", 2, "clinic_c", ACTION, StepStatus.UNREACHED, "TIMED_OUT", None, 2.0)


def rows(trace: TurnTrace, language: Language = Language.PT) -> tuple[tuple[str, str], ...]:
    (card,) = trace.blocks(language)
    assert isinstance(card, Card)
    return card.rows


def test_the_trace_tells_every_stage_of_the_last_turn() -> None:
    trace = TurnTrace()
    for event in (
        TurnStarted("s", "t"),
        Planned("t", PLAN, 0.001),
        ASKED_A,
        ASKED_C,
        ANSWERED_A,
        ANSWERED_C,
        Verified("t", "data", Verdict(), 0.002),
        Verified("t", "reply", Verdict(Rule.R1, "R1: a dosage"), 0.002),
        TurnFinished("t", Outcome.PARTIAL, "", 2.1),
    ):
        trace(event)
    assert rows(trace) == (
        ("plano (1,0 ms)", "steps: clinic_a.list_available_slots, clinic_c.list_available_slots"),
        ("", "Why."),
        ("clinic_a (250,0 ms)", "respondeu, 6 resultados"),
        ("clinic_c (2000,0 ms)", "não respondeu, TIMED_OUT"),
        ("verificação dos dados (2,0 ms)", "OK"),
        ("verificação da resposta (2,0 ms)", "R1: a dosage"),
        ("ao todo (2100,0 ms)", "partial"),
    )


def test_the_trace_begins_anew_with_each_turn() -> None:
    trace = TurnTrace()
    assert trace.blocks(Language.PT) == ()
    for event in (TurnStarted("s", "t"), ANSWERED_A, TurnStarted("s", "u")):
        trace(event)
    trace(Planned("u", Plan(PlanKind.SMALLTALK, Language.EN, topic=Topic.GREETING), 0.0))
    assert rows(trace, Language.EN) == (("plan (0.0 ms)", "smalltalk: greeting"),)


def test_the_trace_tells_what_a_model_proposed_what_code_did_to_it_and_what_it_cost() -> None:
    proposed = Proposed(PLAN.steps[:1], used=True, notes=("Rule 10 added clinic_c",))
    trace = TurnTrace()
    for event in (
        TurnStarted("s", "t"),
        ModelAnswered("t", Purpose.PLAN, "gpt-x", Usage(900, 50, 0.0125), 1, None, 0.7),
        Planned("t", replace(PLAN, proposed=proposed), 0.8),
        ModelAnswered("t", Purpose.WRITE, "gpt-x", Usage(), 0, ModelFailure.CUT, 0.2),
        Verified("t", "draft", Verdict(Rule.R4, "R4: a part was left out"), 0.001),
    ):
        trace(event)
    assert rows(trace) == (
        ("modelo, plano (700,0 ms)", "gpt-x, 900 + 50 tokens, US$ 0.0125, novas tentativas: 1"),
        ("plano (800,0 ms)", "steps: clinic_a.list_available_slots, clinic_c.list_available_slots"),
        ("", "Why."),
        ("", "o plano do modelo, completado e conferido"),
        ("", "Rule 10 added clinic_c"),
        ("modelo, redação (200,0 ms)", "gpt-x, resposta incompleta"),
        ("verificação do texto do modelo (1,0 ms)", "R4: a part was left out"),
    )


class TerminalFile(io.StringIO):
    """A file that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_each_clinic_has_a_line_that_vanishes_with_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    file = TerminalFile()
    progress = Progress(Console(file=file, width=80), {"clinic_a": "Clínica A", "clinic_c": "Clínica C"})
    with progress.shown(Language.PT):
        for event in (ASKED_A, ASKED_C, ANSWERED_A):
            progress(event)
        progress.cancelling()
    drawn = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", file.getvalue())
    assert "Clínica A: respondeu, 6 resultados (0,2 s)" in drawn
    assert "Clínica C: consultando…" in drawn
    assert "Cancelando…" in drawn
    assert file.getvalue().rstrip().endswith("\x1b[2K")


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_elsewhere_only_answers_are_lines(term: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", term)
    file = TerminalFile() if term == "dumb" else io.StringIO()
    progress = Progress(Console(file=file, width=80), {})
    with progress.shown(Language.EN):
        for event in (ASKED_A, ANSWERED_A, ANSWERED_C):
            progress(event)
    assert file.getvalue() == "clinic_a: answered, 6 results (0.2 s)\nclinic_c: did not answer (2.0 s)\n"


def test_a_model_at_work_has_a_line_and_its_pause_is_said_once_and_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    file = TerminalFile()
    progress = Progress(Console(file=file, width=100), {})
    with progress.shown(Language.PT):
        progress(ModelAsked("t", Purpose.PLAN))
    with progress.shown(Language.PT):
        progress(ModelSuspended("t", ModelFailure.TIMED_OUT, 29.2))
    drawn = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", file.getvalue())
    assert "Modelo: planejando…" in drawn
    assert drawn.count("Modelo de linguagem indisponível (tempo esgotado): por 30 s respondo sem ele.") == 1


def test_an_agent_of_the_research_desk_at_work_has_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    file = TerminalFile()
    progress = Progress(Console(file=file, width=100), {})
    with progress.shown(Language.PT):
        progress(AgentStarted("t", "orchestrator"))
        progress(AgentFinished("t", "orchestrator", 0.1))
        progress(AgentStarted("t", "methodologist"))
    drawn = file.getvalue()
    assert "Metodologista…" in drawn
    assert "Orquestrador…" not in drawn


def test_a_script_is_told_of_the_pause_in_one_line() -> None:
    file = io.StringIO()
    progress = Progress(Console(file=file, width=100), {})
    with progress.shown(Language.EN):
        progress(ModelAsked("t", Purpose.PLAN))
        progress(ModelAnswered("t", Purpose.PLAN, "gpt-x", Usage(), 2, ModelFailure.RATE_LIMITED, 3.0))
        progress(ModelSuspended("t", ModelFailure.RATE_LIMITED, 30.0))
    assert file.getvalue() == "Language model unavailable (rate limit reached): for 30 s I answer without it.\n"


def test_why_tells_who_was_chosen_for_what_and_how_well_they_fitted() -> None:
    steps = (Step(1, "clinic_a", "list_available_slots"), Step(2, "clinic_c", "list_available_slots"))
    decision = Decision(
        Classification("list_available_slots", ("Cardiology",)),
        tuple(Candidate(agent, 0.8, "Cardiology", 1) for agent in ("clinic_a", "clinic_c")),
        (task_of("list_available_slots", "Cardiology", steps, "t"),),
    )
    trace = TurnTrace()
    trace(Routed("t", decision))
    (card,) = trace.blocks(Language.PT)
    assert isinstance(card, Card)
    assert card.rows == (("encaminhamento", "list_available_slots (Cardiology): clinic_a 0.8, clinic_c 0.8"),)


def test_a_model_that_was_asked_too_often_is_told_once_with_the_delay() -> None:
    file = io.StringIO()
    progress = Progress(Console(file=file, width=120), {})
    progress(ModelThrottled("t", Purpose.PLAN, 11.2))
    assert "pedidos demais em pouco tempo" in file.getvalue()
    assert "12 s" in file.getvalue()
