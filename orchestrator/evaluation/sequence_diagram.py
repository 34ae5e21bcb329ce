"""A turn from the log as a Mermaid sequence diagram (blueprint 5, task 5.9)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from orchestrator.evaluation.turn_log import LoggedResult, LoggedStep, LoggedTurn
from orchestrator.turn import StepStatus


def sequence_of(turn: LoggedTurn) -> str:
    """Return the diagram of a turn: who called whom, and the answers."""
    return "\n".join(("sequenceDiagram", *(f"    {line}" for line in _lines(turn)))) + "\n"


def find_turn(turns: Iterable[LoggedTurn], turn_id: str) -> LoggedTurn | None:
    """Return the newest turn whose id begins with `turn_id`, or the newest of all for "last"; None if there is none."""
    found = [turn for turn in turns if turn_id == "last" or turn.turn_id.startswith(turn_id)]
    # Of two in one millisecond the one further down is newer.
    return max(reversed(found), key=lambda turn: turn.at, default=None)


def _lines(turn: LoggedTurn) -> Iterator[str]:
    clinics = list(dict.fromkeys(step.clinic for step in turn.steps))
    yield "actor Person"
    for name in ("Planner", "Router", *clinics, "Verifier", "Responder"):
        yield f"participant {_plain(name)}"
    yield "Person->>Planner: an utterance"
    if turn.plan is None:
        yield "Planner-->>Person: the open proposal was dropped"
        return
    kind = ": ".join(part for part in (turn.plan.kind, turn.plan.topic) if part)
    yield f"Note over Planner: {_plain(kind)}{_time(turn.elapsed_ms, 'plan')}"
    if turn.results:
        yield from _routed(turn, clinics)
    yield from _verified(turn, "data", "Router")
    yield f"{'Router' if turn.results else 'Planner'}->>Responder: {'answers' if turn.results else 'what to say'}"
    yield from _verified(turn, "reply", "Responder")
    yield f"Responder->>Person: {_plain(turn.outcome)}{_time(turn.elapsed_ms, 'turn')}"


def _routed(turn: LoggedTurn, clinics: Sequence[str]) -> Iterator[str]:
    yield f"Planner->>Router: {len(turn.steps)} step{'s' if len(turn.steps) > 1 else ''}"
    results = {result.step_id: result for result in turn.results}
    for place, clinic in enumerate(clinics):
        if len(clinics) > 1:
            yield f"{'and' if place else 'par'} {_plain(clinic)}"
        for step in turn.steps:
            if step.clinic == clinic:
                yield from _called(step, results.get(step.step_id))
    if len(clinics) > 1:
        yield "end"


def _called(step: LoggedStep, result: LoggedResult | None) -> Iterator[str]:
    clinic = _plain(step.clinic)
    if result is None:
        yield f"Note over {clinic}: {_plain(step.action)} is not asked"
        return
    arguments = ", ".join(step.parameters.values())
    yield f"Router->>{clinic}: {_plain(f'{step.action}({arguments})')}"
    if result.status is StepStatus.DONE:
        count = "" if result.items is None else f", {result.items} found"
        yield f"{clinic}-->>Router: {_plain(f'{result.status}{count}')} ({result.elapsed_ms:.1f} ms)"
    else:
        yield f"{clinic}--xRouter: {_plain(f'{result.status} {result.reason or str()}')} ({result.elapsed_ms:.1f} ms)"


def _verified(turn: LoggedTurn, subject: str, who: str) -> Iterator[str]:
    for verdict in turn.verdicts:
        if verdict.subject == subject:
            yield f"{who}->>Verifier: {subject}"
            yield f"Verifier-->>{who}: {_plain(verdict.note)}{_time(turn.elapsed_ms, f'verify_{subject}')}"


def _time(elapsed_ms: Mapping[str, float], stage: str) -> str:
    return f" ({elapsed_ms[stage]:.1f} ms)" if stage in elapsed_ms else ""


def _plain(text: str) -> str:
    # Without the characters that are syntax in Mermaid.
    return re.sub(r"[;#\s]+", " ", text).strip()
