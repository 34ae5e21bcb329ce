"""What is said around the replies of a script, in both languages; the replies themselves are the responder's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from orchestrator.turn import Language, TurnOutcome


class ScriptTexts(NamedTuple):
    """The texts in one language.

    Attributes:
        how_to_confirm: What is said below a proposal, and below a write of unknown outcome: {id}.
        not_what_was_confirmed: Nothing of the run was what --confirm stands for.
    """

    how_to_confirm: Mapping[TurnOutcome, str]
    not_what_was_confirmed: str


SCRIPT_TEXTS: Mapping[Language, ScriptTexts] = {
    Language.PT: ScriptTexts(
        how_to_confirm={
            TurnOutcome.CONFIRM: "Para confirmar, repita o pedido com: --confirm {id}",
            TurnOutcome.UNKNOWN_WRITE: (
                "Para saber o resultado sem repetir a mudança, repita o pedido com: --confirm {id}"
            ),
        },
        not_what_was_confirmed="nada foi gravado com esse --confirm: o que seria feito agora não é o que foi proposto "
        "(outras palavras, outro dia, outra pessoa, ou os horários mudaram)",
    ),
    Language.EN: ScriptTexts(
        how_to_confirm={
            TurnOutcome.CONFIRM: "To confirm, repeat the request with: --confirm {id}",
            TurnOutcome.UNKNOWN_WRITE: "To learn the outcome, without doing it twice, repeat the request with: "
            "--confirm {id}",
        },
        not_what_was_confirmed="nothing was written with that --confirm: what would be done now is not what was "
        "proposed (other words, another day, another person, or the openings have changed)",
    ),
}
