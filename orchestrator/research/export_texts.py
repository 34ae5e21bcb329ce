"""The headings of an exported session, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from orchestrator.turn import Language


class ExportTexts(NamedTuple):
    """The words of an export in one language; a field's name says where they stand."""

    title: str
    session: str
    versions: str
    no_version: str
    closed: str
    status: str
    statuses: Mapping[str, str]
    verdict: str
    clarification_columns: tuple[str, str]
    focus: str
    focus_names: tuple[str, str, str, str, str]
    intents: Mapping[str, str]
    articles: Mapping[str, str]
    nothing: str
    feasibility: str
    suppression: str
    path: str
    taken: str


_PORTUGUESE = ExportTexts(
    title="Da observação à pergunta de pesquisa",
    session="Sessão",
    versions="Versões da pergunta",
    no_version="Ainda não há uma pergunta.",
    closed="Lacunas preenchidas",
    status="Situação",
    statuses={"approved": "aprovada", "needs_refinement": "precisa de refinamento", "rejected": "rejeitada"},
    verdict="Parecer do Metodologista",
    clarification_columns=("Aspecto", "O que foi respondido"),
    focus="Argumento focal",
    focus_names=("Intenção", "Assunto", "População", "Métricas", "Tipo de artigo"),
    intents={
        "test_hypothesis": "testar uma hipótese",
        "review_literature": "revisar a literatura",
        "build_theory": "construir uma teoria",
    },
    articles={"empirical": "empírico", "review": "revisão", "theoretical": "teórico"},
    nothing="não especificado",
    feasibility="Viabilidade nas clínicas",
    suppression=(
        "Só contagens: nenhum dado de paciente sai das clínicas. Contagens pequenas, e as que revelariam uma, são "
        "omitidas."
    ),
    path="Caminho",
    taken="Nesta sessão",
)

_ENGLISH = ExportTexts(
    title="From the observation to the research question",
    session="Session",
    versions="Versions of the question",
    no_version="There is no question yet.",
    closed="Gaps closed",
    status="Status",
    statuses={"approved": "approved", "needs_refinement": "needs refinement", "rejected": "rejected"},
    verdict="The methodologist's verdict",
    clarification_columns=("Aspect", "What was answered"),
    focus="Focal argument",
    focus_names=("Intent", "Subject", "Population", "Metrics", "Type of article"),
    intents={
        "test_hypothesis": "test a hypothesis",
        "review_literature": "review the literature",
        "build_theory": "build a theory",
    },
    articles={"empirical": "empirical", "review": "review", "theoretical": "theoretical"},
    nothing="not specified",
    feasibility="Feasibility in the clinics",
    suppression=(
        "Counts only: no patient's data leave the clinics. Small counts, and those that would tell one, are withheld."
    ),
    path="Path",
    taken="In this session",
)


def export_texts_in(language: Language) -> ExportTexts:
    """Return the texts of a language."""
    return _PORTUGUESE if language is Language.PT else _ENGLISH
