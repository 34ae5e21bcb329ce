"""A session as Markdown.

Versions and the gaps that each closed, the verdict, the focal argument, the counts, and the path through the graph.
What a person typed is escaped: it makes no heading, link or HTML of the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orchestrator.research.desk_language import texts_in
from orchestrator.research.export_texts import ExportTexts, export_texts_in
from orchestrator.research.feasibility import FeasibilityTable
from orchestrator.research.graph.dialogue import language_of
from orchestrator.research.graph.replies import count_row, counted, patients_text
from orchestrator.research.graph.state import MultiAgentState
from orchestrator.research.graph.structures import FocalArgument, HypothesisVersion, Improvement, MethodologistOutput
from orchestrator.research.texts import DeskTexts
from orchestrator.turn import Language


def exported(state: MultiAgentState, counts: FeasibilityTable | None, diagram: str) -> str:
    """Return a session as Markdown.

    Args:
        state: The session.
        counts: How many patients there are for the question; None where nobody was asked.
        diagram: The graph as Mermaid, as LangGraph draws it.
    """
    language = language_of(state)
    texts, words = texts_in(language), export_texts_in(language)
    sections = (
        f"# {words.title}",
        f"{words.session}: `{state['session_id']}`",
        *_versions(state, texts, words),
        *_verdict(state, texts, words),
        *_focus(state, words),
        *_counts(counts, texts, words, language),
        *_path(state, texts, words, diagram),
    )
    return "\n\n".join(sections) + "\n"


def _versions(state: MultiAgentState, texts: DeskTexts, words: ExportTexts) -> Iterator[str]:
    yield f"## {words.versions}"
    versions = [HypothesisVersion.model_validate(each) for each in state["hypothesis_versions"]]
    if not versions:
        yield words.no_version
    before: Sequence[Improvement] = ()
    for version in versions:
        left = {improvement.gap for improvement in version.feedback.improvements}
        closed = [improvement for improvement in before if improvement.gap not in left]
        yield f"### V{version.version}: {_text(version.question)}"
        if closed:
            yield f"{words.closed}: {', '.join(dict.fromkeys(texts.aspects[each.aspect] for each in closed))}"
        yield f"{words.status}: {words.statuses[version.feedback.status]}"
        if version.feedback.improvements:
            rows = [(texts.aspects[each.aspect], each.gap, each.suggestion) for each in version.feedback.improvements]
            yield _table(texts.improvement_columns, rows)
        before = version.feedback.improvements


def _verdict(state: MultiAgentState, texts: DeskTexts, words: ExportTexts) -> Iterator[str]:
    if state["methodologist_output"] is None:
        return
    judged = MethodologistOutput.model_validate(state["methodologist_output"])
    yield f"## {words.verdict}"
    yield f"**{words.statuses[judged.status]}**. {_text(judged.justification)}"
    if judged.clarifications:
        yield _table(
            words.clarification_columns,
            [(_aspect(aspect, texts), answer) for aspect, answer in judged.clarifications.items()],
        )


def _aspect(value: str, texts: DeskTexts) -> str:
    return next((name for aspect, name in texts.aspects.items() if aspect.value == value), value)


def _focus(state: MultiAgentState, words: ExportTexts) -> Iterator[str]:
    if state["focal_argument"] is None:
        return
    focal = FocalArgument.model_validate(state["focal_argument"])
    yield f"## {words.focus}"
    values = (
        words.intents[focal.intent],
        focal.subject or words.nothing,
        focal.population or words.nothing,
        focal.metrics or words.nothing,
        words.articles[focal.article_type],
    )
    yield "\n".join(f"- {name}: {_text(value)}" for name, value in zip(words.focus_names, values, strict=True))


def _counts(counts: FeasibilityTable | None, texts: DeskTexts, words: ExportTexts, language: Language) -> Iterator[str]:
    yield f"## {words.feasibility}"
    if counts is None:
        yield texts.counts_unavailable
        return
    if not counts.conditions:
        yield texts.counts_none
    elif not counts.answered:
        yield texts.counts_unanswered
    else:
        yield counted(counts, texts, language)
        total = (texts.counts_total, f"{counts.answered}/{counts.asked}", patients_text(counts.total, texts))
        yield _table(texts.counts_columns, [*(count_row(count, texts) for count in counts.counts), total])
        yield words.suppression
    if counts.unchecked:
        criteria = ", ".join(texts.criteria.get(code, code) for code in counts.unchecked)
        yield texts.unchecked.format(criteria=criteria)


def _path(state: MultiAgentState, texts: DeskTexts, words: ExportTexts, diagram: str) -> Iterator[str]:
    yield f"## {words.path}"
    yield f"```mermaid\n{diagram.strip()}\n```"
    taken = [texts.speakers[saying["speaker"]] for saying in state["conversation_history"]]
    if taken:
        steps = "\n".join(f"    s{place}[{name}]" for place, name in enumerate(taken))
        arrows = " --> ".join(f"s{place}" for place in range(len(taken)))
        yield f"{words.taken}:"
        yield f"```mermaid\ngraph LR\n{steps}\n    {arrows}\n```"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(_text(cell) for cell in line)} |" for line in lines)


def _text(text: str) -> str:
    """Return text that Markdown shows as it stands: what a person typed makes no heading, link, table or HTML."""
    for character in "\\`*_[]<>|#":
        text = text.replace(character, f"\\{character}")
    return text
