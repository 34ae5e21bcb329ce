"""What a model is told of the conversation so far: the newest turns that fit, without what identifies anybody.

Replies that tell of patients stay out (`Exchange.private`). Nothing here summarises or judges.
"""

from __future__ import annotations

from mesh.arguments import Json
from orchestrator.llm.pseudonyms import Pseudonyms
from orchestrator.turn import Exchange, Session, estimated_tokens

NOT_SHOWN = "[not shown]"
"""Stands for a reply that no model may read."""

_MAX_CHARACTERS = 600  # of one text: the gist of a reply, and a few of its openings

# No tokenizer is at hand, and each model has its own. English and Portuguese take about four characters a token; three
# bytes of UTF-8 overestimate both, so that the budget holds. The names and brackets around a turn take the rest.
_BYTES_PER_TOKEN = 3
_TOKENS_AROUND = 12


def recollect(session: Session, pseudonyms: Pseudonyms, max_tokens: int) -> list[Json]:
    """Return the latest turns as `{"user", "assistant"}`, oldest first.

    Args:
        session: Whose history it is.
        pseudonyms: Of this session.
        max_tokens: What all turns together may take, by an estimate that is rather too high.
    """
    turns: list[Json] = []
    left = max_tokens
    for exchange in reversed(session.history):
        user, assistant = _shown(exchange, pseudonyms)
        left -= estimated_tokens(user) + estimated_tokens(assistant) + _TOKENS_AROUND
        if left < 0:
            break
        turns.append({"user": user, "assistant": assistant})
    return turns[::-1]


def _shown(exchange: Exchange, pseudonyms: Pseudonyms) -> tuple[str, str]:
    # Hidden first, cut then: half a number would not be known for one.
    user = _cut(pseudonyms.hide(exchange.utterance))
    return user, NOT_SHOWN if exchange.private else _cut(pseudonyms.hide(exchange.reply))


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_CHARACTERS else text[: _MAX_CHARACTERS - 1] + "…"
