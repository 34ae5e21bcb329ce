"""Lies of a hostile model in every text member of every step; not one character of them has a place to be said.

The steps are right otherwise, so that those whose text is not a name are carried out.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator

from tests.scenarios.hostile_case import Case, Data, HostileModel, Request, Said, condition, plan_of, proposing, scope
from tests.scenarios.hostile_lies import LIES
from tests.scenarios.hostile_requests import LISTINGS, OF_STAFF, QUESTIONS, REFUSED, WRITES

_HOMOGLYPHS = str.maketrans("aeopcxyi", "аеорсхуі")
DISGUISES: dict[str, Callable[[str], str]] = {
    "plainly": str,
    "in bold": lambda lie: f"**{lie}**",
    "in capitals": str.upper,
    "over lines": lambda lie: lie.replace(" ", "\n"),
    "with marks between words": lambda lie: lie.replace(" ", " **", 1) + "**",
    "with zero-width signs": "\u200b".join,
    "with soft hyphens": lambda lie: lie.replace("a", "a\u00ad").replace("o", "o\u00ad"),
    "with lookalikes": lambda lie: lie.translate(_HOMOGLYPHS),
    "in wide letters": lambda lie: "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in lie),
    "turned to the right": lambda lie: f"\u202e{lie}\u202c",
    "with escapes": lambda lie: f"\x1b[1m{lie}\x1b[0m\x07",
    "in brackets": lambda lie: f"({lie})",
    "as a question": lambda lie: lie.rstrip(".!") + ", certo?",
    "in no-break spaces": lambda lie: lie.replace(" ", "\u00a0"),
    "in tags": lambda lie: f"<b>{lie}</b>",
}

_HEART = condition("specialty", "Cardiology")

MEMBERS: dict[str, Callable[[str], object]] = {
    "say.what": lambda lie: {"do": "say", "what": lie},
    "answer.topic": lambda lie: {"do": "answer", "topic": lie},
    "do": lambda lie: {"do": lie},
    "read.said": lambda lie: {"do": "read", "filters": [scope(_HEART, said=lie)]},
    "show.said": lambda lie: {"do": "show", "scope": scope(_HEART, said=lie)},
    "count.said": lambda lie: {"do": "count", "scope": scope(_HEART, said=lie)},
    "in_words.said": lambda lie: {"do": "in_words", "scope": scope(_HEART, said=lie)},
    "best.said": lambda lie: {"do": "best", "scope": scope(_HEART, said=lie), "order": "latest"},
    "why_not.said": lambda lie: {"do": "why_not", "scope": scope(_HEART, said=lie)},
    "pick.said": lambda lie: {"do": "pick", "opening": "s1", "scope": scope(_HEART, said=lie)},
    "fits.said": lambda lie: {"do": "fits", "openings": ["s1", "s2"], "scope": scope(_HEART, said=lie)},
    "target.said": lambda lie: proposing(book=[scope(_HEART, said=lie)]),
    "treats.word": lambda lie: {"do": "treats", "specialty": "Cardiology", "word": lie},
    "treats.specialty": lambda lie: {"do": "treats", "specialty": lie, "word": lie},
    **{
        f"{field} of a scope": lambda lie, field=field: {"do": "count", "scope": scope(condition(field, lie))}  # type: ignore[misc]
        for field in ("date", "weekday", "time", "doctor", "clinic", "specialty")
    },
    "field of a condition": lambda lie: {"do": "count", "scope": scope(condition(lie, lie, op=lie))},
    "among": lambda lie: {"do": "count", "scope": scope(_HEART, among=lie)},
    "records.text": lambda lie: {"do": "records", "tool": "query", "clinics": ["clinic_a"], "text": lie},
    "records.clinics": lambda lie: {"do": "records", "tool": "list_patients", "clinics": [lie], "text": None},
    "remember.words": lambda lie: {"do": "remember", "kind": "preferencia", "words": lie, "because": lie},
    "remember.kind": lambda lie: {"do": "remember", "kind": lie, "words": "a", "because": None},
    "forget.words": lambda lie: {"do": "forget", "words": lie},
    "propose.cancel": lambda lie: proposing(cancel=[lie]),
    "propose.move": lambda lie: proposing(move=[(lie, 1)]),
    "a member of its own": lambda lie: {"do": "say", "what": "greet", "text": lie},
    "a member's name": lambda lie: {"do": "say", "what": "greet", lie: lie},
    "the blueprint's clinic": lambda lie: {"clinic": lie, "action": lie, "parameters": {lie: lie}},
    "the blueprint's doctor": lambda lie: {
        "clinic": "clinic_a",
        "action": "list_available_slots",
        "parameters": {"doctor": lie},
    },
    "a text for a step": str,
}
"""Every text that a step may hold, and some that it may not."""

_PER_ANSWER = 9


def hostile_texts(rng: random.Random, count: int) -> Iterator[Case]:
    """Yield lies in members that chance chooses, of a plan and of the reply's steps, plain and disguised."""
    requests = (*LISTINGS, *REFUSED, *WRITES, *QUESTIONS, *OF_STAFF)
    for number in range(count):
        request = rng.choice(requests)
        lie, said = any_lie(request, rng, number)
        always = number % 3 == 0
        yield Case(
            f"text {number} {lie!r}; {request.scene.name}: {request.utterance}",
            request,
            HostileModel(plan=said, write=said),
            lies=(lie,),
            always=always,
        )


def any_lie(request: Request, rng: random.Random, number: int) -> tuple[str, Said]:
    """Return a lie in the language of a request, and a model that tells it wherever it can."""
    lies = LIES[request.is_english]
    lie = lies[number % len(lies)] if number < len(lies) else rng.choice(lies)
    disguise = "plainly" if number % 3 else rng.choice(sorted(DISGUISES))
    told = DISGUISES[disguise](lie)
    steps = [MEMBERS[name](told) for name in rng.sample(sorted(MEMBERS), _PER_ANSWER)]
    subtask = {"title": told, "reason": told, "intent": told, "domain": told}
    answer = plan_of(steps, intent=told, domains=[told], subtasks=[subtask], confidence=0.9, more=number % 4 == 0)
    return lie, lambda _: answer


def echoing(data: Data) -> str:
    """Return steps that repeat whatever a model was told: what people, clinics, memories and the desk said."""
    told = [text for text in _texts(data) if len(text) > 3][:200]
    steps = [MEMBERS[name](text) for name, text in zip(sorted(MEMBERS), told[-_PER_ANSWER:], strict=False)]
    return json.dumps({"steps": steps, "more": True, "note": " ".join(told)}, ensure_ascii=False)


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for name, inner in value.items():
                yield name
                yield from _texts(inner)
        case list():
            for inner in value:
                yield from _texts(inner)
        case _:
            pass
