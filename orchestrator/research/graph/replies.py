"""What the person is shown after a turn: the agents' words, what is missing, and the counts."""

from collections.abc import Iterator
from itertools import takewhile

from orchestrator.research.graph.dialogue import improvement_rows, listed
from orchestrator.research.graph.feasibility import Count, FeasibilityTable
from orchestrator.research.graph.population import condition_name
from orchestrator.research.graph.state import MultiAgentState
from orchestrator.texts import Texts, texts_in
from orchestrator.turn import Block, Language, Paragraph, Reply, Table, TurnOutcome


def reply_of(state: MultiAgentState, counts: FeasibilityTable | None) -> Reply:
    """Return the answer to the person's last words; `counts` is None where no clinic was asked."""
    texts = texts_in(state.language)
    since_the_person = takewhile(lambda saying: saying.speaker != "researcher", reversed(state.conversation_history))
    sayings = [*since_the_person][::-1]
    judged = state.methodologist_output if any(saying.speaker == "methodologist" for saying in sayings) else None
    blocks: list[Block] = []
    for saying in sayings:
        blocks.append(Paragraph(f"{texts.text(f'research.speakers.{saying.speaker}')}: {saying.text}"))
        if saying.speaker == "methodologist" and judged is not None and judged.improvements:
            rows = improvement_rows(judged.improvements, texts)
            blocks.append(Table(texts.lines("research.improvement_columns"), rows))
    rejected = judged is not None and judged.status == "rejected"
    if judged is not None and not rejected and counts is not None:
        blocks += feasibility_blocks(counts, texts)
    return Reply(state.language, TurnOutcome.REFUSED if rejected else _outcome(counts), tuple(blocks))


def version_blocks(state: MultiAgentState) -> tuple[Block, ...]:
    """Return the versions of a question with their gaps; empty before the first."""
    texts = texts_in(state.language)
    rows = []
    for version in state.hypothesis_versions:
        aspects = listed((each.aspect for each in version.feedback.improvements), texts)
        rows.append((f"V{version.version}", version.question, aspects or "—"))
    return (Table(texts.lines("research.version_columns"), tuple(rows)),) if rows else ()


def feasibility_blocks(counts: FeasibilityTable, texts: Texts) -> Iterator[Paragraph | Table]:
    """Yield the counts, or why there are none."""
    if not counts.conditions:
        yield Paragraph(texts.text("research.counts_none"))
    elif not counts.answered:
        yield Paragraph(texts.text("research.counts_unanswered"))
    else:
        names = ", ".join(condition_name(code, texts.language) for code in counts.conditions)
        yield Paragraph(texts.text("research.counts_title", conditions=names))
        rows = [_count_row(count, texts) for count in counts.counts]
        answered, total = f"{counts.answered}/{counts.asked}", _patients_text(counts.total, texts)
        rows.append((texts.text("research.counts_total"), answered, total))
        yield Table(texts.lines("research.counts_columns"), tuple(rows))
    if counts.unchecked:
        criteria = ", ".join(texts.table("research.criteria").get(code, code) for code in counts.unchecked)
        yield Paragraph(texts.text("research.unchecked", criteria=criteria))


def _count_row(count: Count, texts: Texts) -> tuple[str, str, str]:
    specialty = (texts.language is Language.PT and count.portuguese) or count.specialty
    known = _patients_text(count.patients, texts) if count.answered else texts.text("research.unknown")
    return specialty, f"{count.answered}/{count.clinics}", known


def _patients_text(patients: int | None, texts: Texts) -> str:
    return texts.text("research.suppressed") if patients is None else str(patients)


def _outcome(counts: FeasibilityTable | None) -> TurnOutcome:
    if counts is None or counts.answered == counts.asked:
        return TurnOutcome.OK
    return TurnOutcome.PARTIAL if counts.answered else TurnOutcome.ALL_DOWN
