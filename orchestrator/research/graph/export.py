"""Write a session as Markdown; what a person typed is escaped, so that it cannot add a heading, a link or HTML."""

from orchestrator.research.graph.feasibility import FeasibilityTable
from orchestrator.research.graph.replies import feasibility_blocks, verdict_blocks, version_blocks
from orchestrator.research.graph.state import MultiAgentState
from orchestrator.research.graph.study_plans import plan_blocks
from orchestrator.texts import texts_in
from orchestrator.turn import Paragraph, Table


def exported(state: MultiAgentState, counts: FeasibilityTable | None) -> str:
    """Return a session as Markdown; `counts` is None where no clinic was asked."""
    texts, judged = texts_in(state.language), state.methodologist_output
    focal = () if state.focal_argument is None else (texts.text(f"research.export.intents.{state.intent}"),)
    blocks = [*map(Paragraph, focal), *version_blocks(state), *(verdict_blocks(judged, texts) if judged else ())]
    blocks += plan_blocks(state)
    if counts is not None:
        blocks += [*feasibility_blocks(counts, texts), Paragraph(texts.text("research.export.suppression"))]
    elif state.intent != "review_literature":
        blocks.append(Paragraph(texts.text("research.counts_unavailable")))
    title, session = texts.text("research.export.title"), texts.text("research.export.session")
    return "\n\n".join((f"# {title}", f"{session}: `{state.session_id}`", *map(_markdown, blocks))) + "\n"


def _markdown(block: Paragraph | Table) -> str:
    if isinstance(block, Paragraph):
        return _text(block.text)
    rows = (block.columns, ["---"] * len(block.columns), *block.rows)
    return "\n".join(f"| {' | '.join(map(_text, row))} |" for row in rows)


def _text(text: str) -> str:
    for character in "\\`*_[]<>|#":
        text = text.replace(character, f"\\{character}")
    return text
