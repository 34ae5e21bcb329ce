"""What the terminal says around a turn: while it waits, when it was interrupted, and when clinics were silent.

Placeholders are named and filled with `str.format`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from orchestrator.turn import Language, StepStatus


class TurnTexts(NamedTuple):
    """The texts in one language.

    Attributes:
        cancelling: That the turn is being stopped.
        answered: How a clinic answered.
        items: What it answered with; placeholder count.
        seconds: A duration; placeholder elapsed.
        waiting: A clinic that has not answered yet; placeholders clinic, elapsed.
        slow: The same after a while; placeholders clinic, elapsed.
        hint: How to stop; shown where something is slow.
        verifying: That a write was sent before it was interrupted, and its outcome is being found out.
        rest: That what was to come after an interrupted write was not sent.
        retry: How to ask the silent clinics again; placeholder command.
        page: The line below a page; placeholders first, last, total.
    """

    cancelling: str
    answered: Mapping[StepStatus, str]
    items: str
    seconds: str
    waiting: str
    slow: str
    hint: str
    verifying: str
    rest: str
    retry: str
    page: str


PORTUGUESE = TurnTexts(
    cancelling="Cancelando…",
    answered={
        StepStatus.DONE: "respondeu",
        StepStatus.REFUSED: "recusou",
        StepStatus.UNREACHED: "não respondeu",
        StepStatus.UNKNOWN: "resultado desconhecido",
        StepStatus.SKIPPED: "não consultada",
    },
    items="{count} resultados",
    seconds="{elapsed} s",
    waiting="{clinic}: consultando… ({elapsed})",
    slow="{clinic}: demora a responder… ({elapsed})",
    hint="Esc ou Ctrl-C cancela.",
    verifying=(
        "O pedido já tinha sido enviado: resultado desconhecido, verificando… "
        "Repito o mesmo pedido, e a clínica não o faz duas vezes."
    ),
    rest="O que viria depois não foi enviado. Se ainda quiser:",
    retry="{command} pergunta de novo só a quem falta; /why conta os detalhes.",
    page="linhas {first} a {last} de {total} · espaço avança · b volta · q sai",
)

ENGLISH = TurnTexts(
    cancelling="Cancelling…",
    answered={
        StepStatus.DONE: "answered",
        StepStatus.REFUSED: "refused",
        StepStatus.UNREACHED: "did not answer",
        StepStatus.UNKNOWN: "outcome unknown",
        StepStatus.SKIPPED: "not asked",
    },
    items="{count} results",
    seconds="{elapsed} s",
    waiting="{clinic}: asking… ({elapsed})",
    slow="{clinic}: slow to answer… ({elapsed})",
    hint="Esc or Ctrl-C cancels.",
    verifying=(
        "The request had been sent already: outcome unknown, finding out… "
        "I repeat the same request, and the clinic does not carry it out twice."
    ),
    rest="What was to come after it was not sent. If you still want it:",
    retry="{command} asks only those again; /why tells the details.",
    page="lines {first} to {last} of {total} · space goes on · b goes back · q leaves",
)

TURN_TEXTS: Mapping[Language, TurnTexts] = {Language.PT: PORTUGUESE, Language.EN: ENGLISH}
