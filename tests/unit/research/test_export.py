"""A session as Markdown: all that was worked out, nothing that a person typed works as markup."""

from __future__ import annotations

from pathlib import Path

from orchestrator.journal.events import EventChannel
from orchestrator.research.graph.checkpoints import open_checkpoints
from orchestrator.research.graph.desk import Desk


def exported(folder: Path, *utterances: str) -> str:
    with open_checkpoints(folder) as checkpoints:
        desk = Desk(checkpoints, EventChannel())
        session = desk.start()
        for utterance in utterances:
            desk.answer(session, utterance)
        return desk.export(session)


def test_an_export_tells_versions_gaps_verdict_argument_counts_and_path(tmp_path: Path) -> None:
    text = exported(tmp_path, "Como X impacta Y?", "adultos 18-40 anos")
    first, second = (
        text.index("### V1: Como X impacta Y?"),
        text.index("### V2: Como X impacta Y em adultos 18-40 anos?"),
    )
    assert first < second
    assert "| população | Não especificada | Definir de quem se trata" in text[first:second]
    assert "Lacunas preenchidas: população" in text[second:]
    assert "**aprovada**. V2 é testável" in text
    assert "| população | adultos 18-40 anos |" in text
    assert "- População: adultos 18-40 anos" in text
    assert "As clínicas não puderam ser consultadas" in text
    assert text.count("```mermaid") == 2


def test_the_diagram_is_the_graphs_own(tmp_path: Path) -> None:
    text = exported(tmp_path, "Como X impacta Y?")
    for edge in ("structurer --> methodologist", "methodologist --> reflection", "orchestrator -.-> structurer"):
        assert edge in text
    assert "s0[Você]" in text
    assert "s0 --> s1 --> s2 --> s3 --> s4" in text


def test_what_was_typed_makes_no_heading_table_link_or_html(tmp_path: Path) -> None:
    text = exported(tmp_path, "Como # [X](http://a) | <b> impacta Y?")
    question = next(line for line in text.splitlines() if line.startswith("### V1"))
    assert question == r"### V1: Como \# \[X\](http://a) \| \<b\> impacta Y?"


def test_english_is_exported_in_english(tmp_path: Path) -> None:
    text = exported(tmp_path, "How does X affect Y?", "adults 18-40 years")
    assert "# From the observation to the research question" in text
    assert "Gaps closed: population" in text
