"""Write a session as Markdown; what a person typed is escaped, so that it cannot add a heading, a link or HTML."""

from collections.abc import Iterator, Sequence

from orchestrator.research.graph.dialogue import improvement_rows, listed
from orchestrator.research.graph.feasibility import FeasibilityTable
from orchestrator.research.graph.replies import feasibility_blocks
from orchestrator.research.graph.state import Improvement, MultiAgentState
from orchestrator.texts import Texts, texts_in
from orchestrator.turn import Table


def exported(state: MultiAgentState, counts: FeasibilityTable | None, diagram: str) -> str:
    """Return a session as Markdown, with LangGraph's Mermaid drawing; `counts` is None where no clinic was asked."""
    texts = texts_in(state.language)
    sections = (
        f"# {texts.text('research.export.title')}",
        f"{texts.text('research.export.session')}: `{state.session_id}`",
        *_versions(state, texts),
        *_verdict(state, texts),
        *_focus(state, texts),
        *_counts(counts, texts),
        *_path(state, texts, diagram),
    )
    return "\n\n".join(sections) + "\n"


def _versions(state: MultiAgentState, texts: Texts) -> Iterator[str]:
    yield f"## {texts.text('research.export.versions')}"
    if not state.hypothesis_versions:
        yield texts.text("research.export.no_version")
    before: Sequence[Improvement] = ()
    for version in state.hypothesis_versions:
        left = {improvement.gap for improvement in version.feedback.improvements}
        closed = [improvement for improvement in before if improvement.gap not in left]
        yield f"### V{version.version}: {_text(version.question)}"
        if closed:
            aspects = listed((each.aspect for each in closed), texts)
            yield f"{texts.text('research.export.closed')}: {aspects}"
        status = texts.text(f"research.export.statuses.{version.feedback.status}")
        yield f"{texts.text('research.export.status')}: {status}"
        if version.feedback.improvements:
            rows = improvement_rows(version.feedback.improvements, texts)
            yield _table(texts.lines("research.improvement_columns"), rows)
        before = version.feedback.improvements


def _verdict(state: MultiAgentState, texts: Texts) -> Iterator[str]:
    judged = state.methodologist_output
    if judged is None:
        return
    yield f"## {texts.text('research.export.verdict')}"
    yield f"**{texts.text(f'research.export.statuses.{judged.status}')}**. {_text(judged.justification)}"
    if judged.clarifications:
        names = texts.table("research.aspects")
        yield _table(
            texts.lines("research.export.clarification_columns"),
            [(names.get(aspect, aspect), answer) for aspect, answer in judged.clarifications.items()],
        )


def _focus(state: MultiAgentState, texts: Texts) -> Iterator[str]:
    focal = state.focal_argument
    if focal is None:
        return
    yield f"## {texts.text('research.export.focus')}"
    values = (
        texts.text(f"research.export.intents.{focal.intent}"),
        *(known or texts.text("research.export.nothing") for known in (focal.subject, focal.population, focal.metrics)),
        texts.text(f"research.export.articles.{focal.article_type}"),
    )
    named = zip(texts.lines("research.export.focus_names"), values, strict=True)
    yield "\n".join(f"- {name}: {_text(value)}" for name, value in named)


def _counts(counts: FeasibilityTable | None, texts: Texts) -> Iterator[str]:
    yield f"## {texts.text('research.export.feasibility')}"
    if counts is None:
        yield texts.text("research.counts_unavailable")
        return
    for block in feasibility_blocks(counts, texts):
        if isinstance(block, Table):
            yield _table(block.columns, block.rows)
            yield texts.text("research.export.suppression")
        else:
            yield block.text


def _path(state: MultiAgentState, texts: Texts, diagram: str) -> Iterator[str]:
    yield f"## {texts.text('research.export.path')}"
    yield f"```mermaid\n{diagram.strip()}\n```"
    taken = [texts.text(f"research.speakers.{saying.speaker}") for saying in state.conversation_history]
    if taken:
        steps = "\n".join(f"    s{place}[{name}]" for place, name in enumerate(taken))
        arrows = " --> ".join(f"s{place}" for place in range(len(taken)))
        yield f"{texts.text('research.export.taken')}:"
        yield f"```mermaid\ngraph LR\n{steps}\n    {arrows}\n```"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(_text(cell) for cell in line)} |" for line in lines)


def _text(text: str) -> str:
    for character in "\\`*_[]<>|#":
        text = text.replace(character, f"\\{character}")
    return text
