"""Run the queries of a suite, read the log back, and score."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mesh.errors import UsageError
from orchestrator.agents import Registry
from orchestrator.evaluation.evaluation_clinics import SPEAKER, EvaluationClinics
from orchestrator.evaluation.figures import Evaluation, figures_of
from orchestrator.evaluation.judgement import Observation, SeenTurn, judge
from orchestrator.evaluation.suite import Query, SlotName, Suite
from orchestrator.evaluation.turn_log import LoggedTurn, log_files, read_turns
from orchestrator.journal import EventChannel
from orchestrator.stages import TurnTaker
from orchestrator.turn import Session


@dataclass(frozen=True, slots=True)
class Bench:
    """What an evaluation runs on."""

    ground: EvaluationClinics  # for this evaluation alone
    conversation: TurnTaker  # the pipeline over them, with consent given, logging to `log_dir`
    registry: Registry
    log_dir: Path  # the folder of the log; lines of other sessions are ignored
    events: EventChannel  # what the pipeline tells of its turns


def evaluate(suite: Suite, bench: Bench, runs: int = 1, report: Callable[[Query], None] | None = None) -> Evaluation:
    """Return the figures of a suite; `report` is told each query. Raise FleetError, SuiteError or UsageError."""
    observations = list(run_suite(suite, bench, runs, report))
    turns = _by_session(observations, bench.log_dir)
    scores = [judge(seen, turns[seen.session_id], bench.registry) for seen in observations]
    return figures_of(scores, [turn for lines in turns.values() for turn in lines])


def _by_session(observations: Sequence[Observation], log_dir: Path) -> Mapping[str, Sequence[LoggedTurn]]:
    lines: dict[str, list[LoggedTurn]] = {seen.session_id: [] for seen in observations}
    for turn in read_turns(log_files(log_dir)):
        if turn.session_id in lines:
            lines[turn.session_id].append(turn)
    for seen in observations:
        if len(lines[seen.session_id]) != len(seen.turns):
            raise UsageError(f"{log_dir}: turns of {seen.query.id} are missing; can the log be written?")
    return lines


def run_suite(
    suite: Suite, bench: Bench, runs: int = 1, report: Callable[[Query], None] | None = None
) -> Iterator[Observation]:
    """Yield an observation for every query of every run; raise as `evaluate`, the log aside."""
    for run in range(1, runs + 1):
        for query in suite.queries:
            if report is not None:
                report(query)
            bench.ground.prepare(held=query.held, taken=query.taken)
            yield _observe(query, run, bench)


def _observe(query: Query, run: int, bench: Bench) -> Observation:
    session = Session(SPEAKER, role=query.role)
    seen: list[SeenTurn] = []
    fault: str | None = None
    try:
        for turn in query.turns:
            reply, session = bench.conversation.turn(session, turn.say)
            seen.append(SeenTurn(reply.plain, frozenset(SlotName.of(offer.slot) for offer in session.offers)))
    except Exception as error:  # noqa: BLE001 - a stage that breaks down is a result of the evaluation, not its end
        fault = type(error).__name__
    return Observation(query, run, session.session_id, tuple(seen), bench.ground.bookings(), fault)
