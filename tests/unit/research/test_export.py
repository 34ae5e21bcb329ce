"""A session as Markdown: all that was worked out, nothing that a person typed works as markup."""

from __future__ import annotations

import uuid
from pathlib import Path

from orchestrator.journal.events import EventChannel
from orchestrator.research.graph.desk import Desk, open_checkpoints


def exported(folder: Path, *utterances: str) -> str:
    with open_checkpoints(folder) as checkpoints:
        desk = Desk(checkpoints, EventChannel())
        session = str(uuid.uuid4())
        for utterance in utterances:
            desk.answer(session, utterance)
        return desk.export(session)


def test_an_export_tells_versions_gaps_verdict_and_counts(tmp_path: Path) -> None:
    text = exported(tmp_path, "Como X impacta Y?", "adultos 18-40 anos")
    assert "| V1 | Como X impacta Y? | população |" in text
    assert "| V2 | Como X impacta Y em adultos 18-40 anos? | — |" in text
    assert "V2 é testável" in text
    assert "As clínicas não puderam ser consultadas" in text


def test_an_export_tells_how_to_fill_the_gaps_that_are_open(tmp_path: Path) -> None:
    assert "| população | Não especificada | Definir de quem se trata" in exported(tmp_path, "Como X impacta Y?")


def test_what_was_typed_makes_no_heading_table_link_or_html(tmp_path: Path) -> None:
    text = exported(tmp_path, "Como # [X](http://a) | <b> impacta Y?")
    question = next(line for line in text.splitlines() if line.startswith("| V1"))
    assert question.startswith(r"| V1 | Como \# \[X\](http://a) \| \<b\> impacta Y? |")


def test_english_is_exported_in_english(tmp_path: Path) -> None:
    text = exported(tmp_path, "How does X affect Y?", "adults 18-40 years")
    assert "# From the observation to the research question" in text
    assert "V2 is testable" in text
