"""Cases of the research desk: what a researcher says, and the versions, gaps and verdicts that must come of it."""

import uuid
from collections import defaultdict
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field
from rich.console import Group

from mesh.text_folding import fold
from orchestrator.evaluation import Rate, drawn_table, share_of
from orchestrator.evaluation.suite import Form
from orchestrator.research import ResearchDesk, SessionSummary
from orchestrator.turn import Language


class DeskTurn(Form):
    """One utterance, and the session after it."""

    say: Annotated[str, Field(min_length=1)]
    version: int  # how many versions there are
    verdict: Literal["approved", "needs_refinement", "rejected"] | None  # the last one; None before the first
    gaps: frozenset[str] = frozenset()  # the aspects of what the last version lacks
    intent: str = "test_hypothesis"
    question: str | None = None  # the last version, to the letter; None: what `holds` and `lacks` say of it
    holds: tuple[str, ...] = ()  # parts of it, whatever their case and accents
    lacks: tuple[str, ...] = ()  # what it must not hold


class DeskCase(Form):
    """A session."""

    id: str
    language: Language
    turns: Annotated[tuple[DeskTurn, ...], Field(min_length=1)]


class DeskSuite(Form):
    """A file of cases."""

    version: Annotated[Literal["clinic-mesh.desk-cases/1"], Field(alias="schema")]
    cases: Annotated[tuple[DeskCase, ...], Field(min_length=1)]


def evaluate_desk(suite: DeskSuite, desk: ResearchDesk) -> Group:
    """Hold the sessions of a suite at a desk, and return what was right by language, as rich draws it."""
    outcomes: dict[str, dict[Language, list[bool]]] = defaultdict(lambda: {language: [] for language in Language})
    missed = []
    for case in suite.cases:
        checks = list(held(case, desk))
        for name, is_right, seen in checks:
            outcomes[name][case.language].append(is_right)
            missed += [] if is_right else [f"missed: {case.id}: {name}: {seen}"]
        outcomes["whole sessions"][case.language].append(all(is_right for _, is_right, _ in checks))
    rows = ((name, *(share_of(Rate.of(each)) for each in of.values())) for name, of in outcomes.items())
    return Group(drawn_table("Research desk", ("right", *Language), rows), *missed)


def held(case: DeskCase, desk: ResearchDesk) -> Iterator[tuple[str, bool, str]]:
    """Hold a session, and yield for each turn what was looked at, whether it is right, and what there is."""
    session = str(uuid.uuid4())
    for turn in case.turns:
        desk.answer(session, turn.say)
        seen = desk.summary(session)
        yield "versions", seen.versions == turn.version, f"V{seen.versions}, not V{turn.version}: {seen.question}"
        yield "verdicts", seen.status == (turn.verdict or ""), f"{seen.status}, not {turn.verdict}: {seen.question}"
        gaps = frozenset(map(str, seen.gaps))
        yield "gaps", gaps == turn.gaps, f"{sorted(gaps)}, not {sorted(turn.gaps)}: {seen.question}"
        yield "intents", seen.intent == turn.intent, f"{seen.intent}, not {turn.intent}"
        yield "questions", _is_worded(turn, seen), seen.question


def _is_worded(turn: DeskTurn, seen: SessionSummary) -> bool:
    question = fold(seen.question)
    is_whole = turn.question in {None, seen.question} and all(fold(part) in question for part in turn.holds)
    return is_whole and not any(fold(part) in question for part in turn.lacks)
