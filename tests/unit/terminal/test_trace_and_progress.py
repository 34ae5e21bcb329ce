"""A turn's events as people see them: live lines while it runs, and /why afterwards."""

from dataclasses import replace

from orchestrator.console.turn_runner import Progress
from orchestrator.journal.events import (
    AgentStarted,
    ClinicAnswered,
    ClinicAsked,
    Event,
    ModelAnswered,
    ModelAsked,
    ModelFailure,
    ModelSuspended,
    ModelThrottled,
    Planned,
    Purpose,
    Routed,
    TurnFinished,
    TurnStarted,
    Usage,
    Verified,
)
from orchestrator.terminal.turn_trace import TurnTrace
from orchestrator.turn.identity import Language
from orchestrator.turn.plan import Classification, GivenClassification, Plan, PlanKind, Proposed, Topic
from orchestrator.turn.reply import Card, Rule, TurnOutcome, Verdict
from orchestrator.turn.routing import Candidate, RoutingDecision, StepStatus, task_of
from tests.support.steps import step_of

ACTION = "list_available_slots"
PLAN = Plan(
    PlanKind.STEPS,
    Language.PT,
    steps=(step_of(1, "clinic_a", ACTION), step_of(2, "clinic_c", ACTION)),
    reasoning=("Why.",),
)
ASKED_A = ClinicAsked(1, "clinic_a", ACTION)
ASKED_C = ClinicAsked(2, "clinic_c", ACTION)
ANSWERED_A = ClinicAnswered(1, "clinic_a", ACTION, StepStatus.DONE, None, 6, 0.25)
ANSWERED_C = ClinicAnswered(2, "clinic_c", ACTION, StepStatus.UNREACHED, "TIMED_OUT", None, 2.0)


def rows(trace: TurnTrace, language: Language = Language.PT) -> tuple[tuple[str, str], ...]:
    (card,) = trace.blocks(language)
    assert isinstance(card, Card)
    return card.rows


def test_the_trace_tells_every_stage_of_the_last_turn() -> None:
    trace = TurnTrace()
    for event in (
        TurnStarted("s", "t"),
        Planned(PLAN, 0.001),
        ASKED_A,
        ASKED_C,
        ANSWERED_A,
        ANSWERED_C,
        Verified("data", Verdict(), 0.002),
        Verified("reply", Verdict(Rule.R1, "R1: a dosage"), 0.002),
        TurnFinished(TurnOutcome.PARTIAL, "", 2.1),
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
    trace(Planned(Plan(PlanKind.SMALLTALK, Language.EN, topic=Topic.GREETING), 0.0))
    assert rows(trace, Language.EN) == (("plan (0.0 ms)", "smalltalk: greeting"),)


def test_the_trace_tells_what_a_model_proposed_what_code_did_to_it_and_what_it_cost() -> None:
    proposed = Proposed(PLAN.steps[:1], used=True, notes=("Rule 10 added clinic_c",))
    trace = TurnTrace()
    for event in (
        TurnStarted("s", "t"),
        ModelAnswered(Purpose.PLAN, "gpt-x", Usage(900, 50, 0.0125), 1, None, 0.7),
        Planned(replace(PLAN, proposed=proposed), 0.8),
        ModelAnswered(Purpose.WRITE, "gpt-x", Usage(), 0, ModelFailure.CUT, 0.2),
        Verified("draft", Verdict(Rule.R4, "R4: a part was left out"), 0.001),
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


class Watched:
    """Progress with a clock that is set by hand, and what it told."""

    def __init__(self, *, append_only: bool, language: Language = Language.PT) -> None:
        self.now = 0.0
        self.told: list[str] = []
        names = {"clinic_a": "Clínica A", "clinic_c": "Clínica C"}
        self.progress = Progress(names, self.told.append if append_only else None, lambda: self.now)
        self.progress.begin(language)

    def sees(self, *events: Event) -> None:
        for event in events:
            self.progress(event)


def test_each_clinic_has_a_line_that_counts_the_seconds_until_it_answers() -> None:
    watched = Watched(append_only=False)
    watched.sees(ASKED_A, ASKED_C, ANSWERED_A)
    watched.now = 0.4
    assert watched.progress.lines() == ["Clínica A: respondeu, 6 resultados (0,2 s)", "Clínica C: consultando… (0,4 s)"]
    assert watched.progress.kept() == []


def test_a_clinic_that_takes_a_second_is_called_slow_and_the_way_out_is_named() -> None:
    watched = Watched(append_only=False, language=Language.EN)
    watched.sees(ASKED_A, ASKED_C, ANSWERED_A)
    watched.now = 1.2
    assert watched.progress.lines()[1:] == ["Clínica C: slow to answer… (1.2 s)", "Esc or Ctrl-C cancels."]
    watched.sees(ANSWERED_C)
    assert watched.progress.lines()[1:] == ["Clínica C: did not answer (2.0 s)"]


def test_a_turn_that_is_being_cancelled_says_so_in_place_of_the_way_out() -> None:
    watched = Watched(append_only=False)
    watched.sees(ASKED_C)
    watched.now = 1.2
    watched.progress.cancelling()
    assert watched.progress.lines()[1:] == ["Cancelando…"]


def test_a_new_turn_begins_with_nothing() -> None:
    watched = Watched(append_only=False)
    watched.sees(ASKED_A)
    watched.progress.begin(Language.PT)
    assert watched.progress.lines() == []


def test_where_nothing_is_redrawn_answers_and_slow_clinics_are_lines_each_told_once() -> None:
    watched = Watched(append_only=True)
    watched.sees(ASKED_A, ASKED_C, ANSWERED_A)
    watched.progress.look()
    watched.now = 1.0
    watched.progress.look()
    watched.now = 1.5
    watched.progress.look()
    watched.sees(ANSWERED_C)
    assert watched.told == [
        "Clínica A: respondeu, 6 resultados (0,2 s)",
        "Clínica C: demora a responder… (1,0 s) Esc ou Ctrl-C cancela.",
        "Clínica C: não respondeu (2,0 s)",
    ]


def test_a_model_at_work_has_a_line_and_its_pause_is_told_once_and_stays() -> None:
    watched = Watched(append_only=False)
    watched.sees(ModelAsked(Purpose.PLAN))
    assert watched.progress.lines() == ["Modelo: planejando…"]
    watched.sees(ModelAnswered(Purpose.PLAN, "gpt-x", Usage(), 2, ModelFailure.TIMED_OUT, 3.0))
    watched.sees(ModelSuspended(ModelFailure.TIMED_OUT, 29.2))
    assert watched.progress.lines() == []
    assert watched.progress.kept() == ["Modelo de linguagem indisponível (tempo esgotado): por 30 s respondo sem ele."]
    assert watched.progress.kept() == []


def test_why_tells_what_was_looked_for() -> None:
    trace = TurnTrace()
    trace(TurnFinished(TurnOutcome.OK, "feito", 0.1, "Cardiologia, na sexta-feira"))
    assert ("procurado", "Cardiologia, na sexta-feira") in rows(trace)


def test_why_tells_who_was_chosen_for_what_and_how_well_they_fitted() -> None:
    steps = (step_of(1, "clinic_a", "list_available_slots"), step_of(2, "clinic_c", "list_available_slots"))
    decision = RoutingDecision(
        Classification("list_available_slots", ("Cardiology",), given=GivenClassification("query", (), (), 0.4)),
        tuple(Candidate(agent, 0.8, "Cardiology", 1) for agent in ("clinic_a", "clinic_c")),
        (task_of("list_available_slots", "Cardiology", steps, "t"),),
    )
    trace = TurnTrace()
    trace(Routed(decision))
    (card,) = trace.blocks(Language.PT)
    assert isinstance(card, Card)
    assert card.rows == (
        ("entendido", "list_available_slots Cardiology 1.0"),
        ("entendido pelo modelo", "query 0.4"),
        ("candidatos", "clinic_a 0.8, clinic_c 0.8"),
        ("encaminhamento", "list_available_slots (Cardiology): clinic_a 0.8, clinic_c 0.8"),
    )


def test_an_agent_of_the_research_desk_at_work_has_a_line() -> None:
    watched = Watched(append_only=False)
    watched.sees(AgentStarted("orchestrator"), AgentStarted("methodologist"))
    assert watched.progress.lines() == ["Metodologista…"]


def test_a_model_that_was_asked_too_often_is_told_once_with_the_delay() -> None:
    watched = Watched(append_only=True)
    watched.sees(ModelThrottled(Purpose.PLAN, 11.2))
    (told,) = watched.told
    assert "pedidos demais em pouco tempo" in told
    assert "12 s" in told


def test_the_reads_that_were_not_answered_are_remembered_with_all_that_was_asked_of_them() -> None:
    trace = TurnTrace()
    for event in (TurnStarted("s", "t"), Planned(PLAN, 0.0), ASKED_A, ASKED_C, ANSWERED_A, ANSWERED_C):
        trace(event)
    assert trace.unanswered is not None
    assert trace.unanswered.steps == PLAN.steps[1:]
    assert trace.unanswered.wish == PLAN.wish
    trace(TurnStarted("s", "u"))
    assert trace.unanswered is None


def test_a_write_that_was_not_answered_is_never_asked_again_like_a_read() -> None:
    write = step_of(1, "clinic_c", "book_appointment", {}, "an-id")
    trace = TurnTrace()
    trace(Planned(replace(PLAN, steps=(write,)), 0.0))
    trace(ClinicAnswered(1, "clinic_c", "book_appointment", StepStatus.UNREACHED, "UNREACHABLE", None, 1.0))
    assert trace.unanswered is None


def test_no_line_of_the_progress_shows_a_cpf_that_a_clinic_calls_itself() -> None:
    told: list[str] = []
    for progress in (
        Progress({"clinic_a": "Clínica 529.982.247-25"}, told.append),
        Progress({"clinic_a": "52998224725"}),
    ):
        progress.begin(Language.PT)
        progress(ASKED_A)
        told += progress.lines()
        progress(ANSWERED_A)
        told += progress.lines()
    assert len(told) == 5
    assert not [line for line in told if "529.982" in line or "52998224725" in line]
