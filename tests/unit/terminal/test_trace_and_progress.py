"""A turn's events as people see them: live lines while it runs, and /why afterwards."""

import io
import re

import pytest
from rich.console import Console

from orchestrator.events import ClinicAnswered, ClinicAsked, Planned, TurnFinished, TurnStarted, Verified
from orchestrator.language import Language
from orchestrator.plan import Plan, PlanKind, Step, Topic
from orchestrator.reply import Card, Outcome
from orchestrator.result import StepStatus
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
