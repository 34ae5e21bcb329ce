"""R4 for drafts: what is remembered, or forgotten, is code's to say; a model that says so says what it cannot know.

The sentence about a memory stands behind the reply, whoever wrote the reply. So no draft needs one of its own, true or
not.
"""

from __future__ import annotations

import re

from orchestrator.verifier.drafts.review import DraftReview
from orchestrator.verifier.folding import one_of

_NOTED = r"(?:seu|sua|meu|este|esse) (?:pedido|solicitacao|escolha)\b"  # "anotei o seu pedido" is a way to say hello
_CLAIM = re.compile(
    one_of(
        # "anotei", "já guardei isso", "vou lembrar disso", "fica anotado", "esqueci", "apaguei tudo"
        rf"\b(?:anot|guard|memoriz|grav|salv|apagu)(?:ei|amos)\b(?! (?:[oa] )?{_NOTED})|\besque(?:ci|cemos)\b",
        r"\b(?:vou|vamos|irei|iremos) (?:sempre |me |ja )?(?:lembr|memoriz|guard|anot|registr|salv|apag|esquec)[ae]r"
        r"(?:-me)?\b",
        r"\b(?:lembrarei|lembraremos|anotarei|guardarei|memorizarei|esquecerei)\b|\b(?:me lembro|lembro que)\b",
        r"(?:^|\b(?:fica|ficou|esta|foi|deixei|tudo) (?:\w+ )?)(?:anotad|memorizad|guardad|apagad|esquecid)[oa]s?\b",
        r"\b(?:na|em|da) (?:minha |nossa )?memoria\b|\bpelo que (?:me )?(?:lembro|sei)\b",
        # "I've noted that", "I'll remember", "noted!", "forgotten", "I saved your preference"
        r"\b(?:i|we)(?:'ve| have)? (?:\w+ly |just |already |also |now )?(?:noted|memori[sz]ed|remember(?:ed)?"
        r"|forgot(?:ten)?|erased|jotted|made a note|taken note|took note)\b",
        r"\b(?:i|we)(?:'ve| have)? (?:just |already )?(?:saved|stored|recorded|deleted) (?:that|this|it|everything"
        r"|your (?:preference|restriction|note|memor|information|availability|detail))",
        r"\b(?:i|we)(?:'ll| will| shall) (?:always |also )?(?:remember|forget|memori[sz]e|make a note|erase"
        r"|note (?:that|it|this)|(?:keep|bear) (?:that|this|it) in mind)\b",
        r"^(?:duly )?(?:noted|forgotten)\b|\b(?:my|our|in|to|from) memory\b",
    )
)


def claimed_memory(review: DraftReview) -> str | None:
    """Return a note when a model's words say that something is or will be remembered or forgotten."""
    return "a claim of remembering or forgetting" if any(map(_CLAIM.search, review.clauses)) else None
