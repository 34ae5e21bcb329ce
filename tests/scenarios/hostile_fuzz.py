"""Good outputs of a model, broken by chance: cut, doubled, flipped, wrapped, disguised. Its seed repeats a run."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator

from tests.scenarios.hostile_audits import hostile_audits
from tests.scenarios.hostile_case import Case, Data, HostileModel, Request, Said, good_words, planned_well
from tests.scenarios.hostile_plans import hostile_plans
from tests.scenarios.hostile_requests import FOR_ANOTHER_EN, LISTINGS, OF_STAFF, REFUSED, WRITES
from tests.scenarios.hostile_texts import any_lie
from tests.support.played_model import SAFE

_INVISIBLE = "\u200b\u200c\u200d\u2060\u00ad\ufeff\u202e\u2066\x00\x1b\x08"
_LOOKALIKES = str.maketrans("aeopcxyi0", "аеорсхуіО")


def _cut(text: str, chance: random.Random) -> str:
    return text[: chance.randrange(len(text) + 1)]


def _doubled(text: str, chance: random.Random) -> str:
    start, end = sorted(chance.randrange(len(text) + 1) for _ in range(2))
    return text[:end] + text[start:]


def _dropped(text: str, chance: random.Random) -> str:
    start = chance.randrange(len(text) + 1)
    return text[:start] + text[start + chance.randint(1, 12) :]


def _flipped(text: str, chance: random.Random) -> str:
    raw = bytearray(text.encode("utf-8", "replace"))
    for _ in range(chance.randint(1, 4)):
        raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(7)
    return raw.decode("utf-8", "replace")


def _miscounted(text: str, chance: random.Random) -> str:
    places = [place for place, sign in enumerate(text) if sign.isdigit()]
    for place in chance.sample(places, min(2, len(places))):
        text = text[:place] + chance.choice("0123456789") + text[place + 1 :]
    return text


def _strewn(text: str, chance: random.Random) -> str:
    for _ in range(6):
        place = chance.randrange(len(text) + 1)
        text = text[:place] + chance.choice(_INVISIBLE) + text[place:]
    return text


def _shuffled(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    chance.shuffle(lines)
    return "\n".join(lines)


_MUTATIONS: dict[str, Callable[[str, random.Random], str]] = {
    "cut": _cut,
    "doubled": _doubled,
    "dropped": _dropped,
    "flipped": _flipped,
    "miscounted": _miscounted,
    "strewn": _strewn,
    "shuffled": _shuffled,
    "twice": lambda text, _: text * 2,
    "lookalikes": lambda text, _: text.translate(_LOOKALIKES),
    "capitals": lambda text, _: text.upper(),
    "a mark first": lambda text, _: "\ufeff" + text,
    "fenced": lambda text, _: f"```json\n{text}\n```",
    "in JSON": lambda text, _: json.dumps({"answer": text}),
    "in a list": lambda text, _: f"[{text}]",
    "right to left": lambda text, _: "\u202e" + text[::-1],
    "huge": lambda text, _: text + " \n" * 20_000,
    "escaped": lambda text, _: "".join(f"\\u{ord(sign):04x}" for sign in text),
    "half a pair": lambda text, _: text + "\ud83d",
    "other quotes": lambda text, _: text.replace('"', "'").replace("{", "{{"),
}


def mutated(said: Said, names: tuple[str, ...], seed: int) -> Said:
    """Return a model that says the same, broken in these ways, each time alike."""

    def say(data: Data) -> str:
        text, chance = str(said(data)), random.Random(seed)
        for name in names:
            text = _MUTATIONS[name](text or " ", chance)
        return text

    return say


def fuzzed(rng: random.Random, count: int) -> Iterator[Case]:
    """Yield good plans, audits and texts, one of the three broken by one to three mutations."""
    requests = (*LISTINGS, FOR_ANOTHER_EN, *WRITES, *REFUSED, *OF_STAFF)
    for number in range(count):
        request = rng.choice(requests)
        names = tuple(rng.choices(list(_MUTATIONS), k=rng.randint(1, 3)))
        kind = ("plan", "text", "text", "audit")[number % 4]
        seed = rng.randrange(2**32)
        yield Case(
            f"fuzz {number}, {kind} {', '.join(names)}; {request.scene.name}: {request.utterance}",
            request,
            _broken(kind, request, names, seed),
            consent=rng.random() < 0.7,
        )


def _broken(kind: str, request: Request, names: tuple[str, ...], seed: int) -> HostileModel:
    match kind:
        case "plan":
            return HostileModel(plan=mutated(planned_well(request), names, seed))
        case "text":
            return HostileModel(write=mutated(_saying_facts, names, seed))
        case _:
            return HostileModel(audit=mutated(lambda _: SAFE, names, seed))


def _saying_facts(brief: Data) -> str:
    """Return a good reply that says the first opening in its own words, where there is one."""
    opening, closing = good_words(brief)
    slots = list(brief["openings"].values())[:1]
    joined = "{weekday}, {date}, às {time}, com {doctor} ({clinic})"
    if "Portuguese" not in brief["language"]:
        joined = "{weekday}, {date} at {time}, with {doctor} ({clinic})"
    facts = [f"{joined.format(**slot)}." for slot in slots]
    return "\n\n".join((opening, *facts, *brief["parts"], closing))


def mixed(rng: random.Random, count: int) -> Iterator[Case]:
    """Yield models that plan, audit and write badly all at once."""
    plans, audits = list(hostile_plans(rng)), list(hostile_audits(rng))
    for number in range(count):
        plan, audit = rng.choice(plans), rng.choice(audits)
        lie, write = any_lie(plan.request, rng)
        yield Case(
            f"mixed {number}, {lie!r}, {audit.name.partition(';')[0]}; {plan.name}",
            plan.request,
            HostileModel(plan.model.plan, audit.model.audit if number % 2 else None, write),
            consent=plan.consent,
            lies=(lie, *(audit.lies if number % 2 else ())),
            then=plan.then,
        )
