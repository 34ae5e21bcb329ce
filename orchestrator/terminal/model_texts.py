"""What the terminal says of a language model at work, in both languages.

Placeholders are named and filled with `str.format`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from orchestrator.turn import Language, ModelFailure, Purpose


class ModelTexts(NamedTuple):
    """The texts in one language.

    Attributes:
        at_work: What it is doing, by purpose; shown while it does.
        calls: What a call was for, by purpose; shown by /why.
        failures: Why it gave no text.
        suspended: That the offline engine takes over; placeholders why, seconds.
        tokens: What a call consumed; placeholders prompt, completion.
        retries: How often it was asked again; placeholder count.
        completed: That code changed what the model proposed.
        replaced: That the offline engine planned instead.
    """

    at_work: Mapping[Purpose, str]
    calls: Mapping[Purpose, str]
    failures: Mapping[ModelFailure, str]
    suspended: str
    tokens: str
    retries: str
    completed: str
    replaced: str


PORTUGUESE = ModelTexts(
    at_work={
        Purpose.PLAN: "Modelo: planejando…",
        Purpose.REPAIR: "Modelo: corrigindo o plano…",
        Purpose.AUDIT: "Modelo: auditando…",
        Purpose.WRITE: "Modelo: escrevendo…",
        Purpose.ANSWER: "Modelo: respondendo…",
        Purpose.CHECK: "Modelo: testando…",
        Purpose.STRUCTURE: "Modelo: lendo a observação…",
        Purpose.REVIEW: "Modelo: revendo a pergunta…",
        Purpose.REFLECT: "Modelo: formulando uma provocação…",
    },
    calls={
        Purpose.PLAN: "modelo, plano",
        Purpose.REPAIR: "modelo, correção do plano",
        Purpose.AUDIT: "modelo, auditoria",
        Purpose.WRITE: "modelo, redação",
        Purpose.ANSWER: "modelo, resposta direta",
        Purpose.CHECK: "modelo, teste",
        Purpose.STRUCTURE: "modelo, leitura da observação",
        Purpose.REVIEW: "modelo, revisão da pergunta",
        Purpose.REFLECT: "modelo, provocação",
    },
    failures={
        ModelFailure.UNREACHABLE: "sem conexão",
        ModelFailure.TIMED_OUT: "tempo esgotado",
        ModelFailure.RATE_LIMITED: "limite de uso atingido",
        ModelFailure.SERVER_ERROR: "falha no servidor",
        ModelFailure.REJECTED: "pedido não aceito; veja clinic-mesh doctor",
        ModelFailure.REFUSED: "recusou-se a responder",
        ModelFailure.CUT: "resposta incompleta",
        ModelFailure.SUSPENDED: "em pausa",
        ModelFailure.THROTTLED: "pedidos demais em pouco tempo",
        ModelFailure.CANCELLED: "cancelado",
    },
    suspended="Modelo de linguagem indisponível ({why}): por {seconds} s respondo sem ele.",
    tokens="{prompt} + {completion} tokens",
    retries="novas tentativas: {count}",
    completed="o plano do modelo, completado e conferido",
    replaced="o plano do modelo não serviu; vale o do motor local",
)

ENGLISH = ModelTexts(
    at_work={
        Purpose.PLAN: "Model: planning…",
        Purpose.REPAIR: "Model: mending the plan…",
        Purpose.AUDIT: "Model: auditing…",
        Purpose.WRITE: "Model: writing…",
        Purpose.ANSWER: "Model: answering…",
        Purpose.CHECK: "Model: testing…",
        Purpose.STRUCTURE: "Model: reading the observation…",
        Purpose.REVIEW: "Model: reviewing the question…",
        Purpose.REFLECT: "Model: wording a reflection…",
    },
    calls={
        Purpose.PLAN: "model, plan",
        Purpose.REPAIR: "model, repair of the plan",
        Purpose.AUDIT: "model, audit",
        Purpose.WRITE: "model, wording",
        Purpose.ANSWER: "model, direct answer",
        Purpose.CHECK: "model, test",
        Purpose.STRUCTURE: "model, reading of the observation",
        Purpose.REVIEW: "model, review of the question",
        Purpose.REFLECT: "model, reflection",
    },
    failures={
        ModelFailure.UNREACHABLE: "no connection",
        ModelFailure.TIMED_OUT: "timed out",
        ModelFailure.RATE_LIMITED: "rate limit reached",
        ModelFailure.SERVER_ERROR: "server error",
        ModelFailure.REJECTED: "request not accepted; see clinic-mesh doctor",
        ModelFailure.REFUSED: "declined to answer",
        ModelFailure.CUT: "incomplete answer",
        ModelFailure.SUSPENDED: "paused",
        ModelFailure.THROTTLED: "too many requests in a short time",
        ModelFailure.CANCELLED: "cancelled",
    },
    suspended="Language model unavailable ({why}): for {seconds} s I answer without it.",
    tokens="{prompt} + {completion} tokens",
    retries="retries: {count}",
    completed="the model's plan, completed and checked",
    replaced="the model's plan was of no use; the offline engine's stands",
)

MODEL_TEXTS: Mapping[Language, ModelTexts] = {Language.PT: PORTUGUESE, Language.EN: ENGLISH}
