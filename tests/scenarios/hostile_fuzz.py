"""Steps by chance, and good outputs of a model broken by chance: cut, doubled, flipped, wrapped, disguised.

Its seed repeats a run.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence

from tests.scenarios.hostile_audits import hostile_audits
from tests.scenarios.hostile_case import (
    Case,
    HostileModel,
    Request,
    Said,
    condition,
    plan_of,
    planned_well,
    proposing,
    scope,
)
from tests.scenarios.hostile_plans import hostile_plans
from tests.scenarios.hostile_requests import FOR_ANOTHER_EN, LISTINGS, OF_STAFF, QUESTIONS, REFUSED, WRITES
from tests.scenarios.hostile_texts import any_lie
from tests.support.played_model import SAFE

_INVISIBLE = "\u200b\u200c\u200d\u2060\u00ad\ufeff\u202e\u2066\x00\x1b\x08"
_LOOKALIKES = str.maketrans("aeopcxyi0", "аеорсхуіО")
_REQUESTS = (*LISTINGS, FOR_ANOTHER_EN, *WRITES, *REFUSED, *QUESTIONS, *OF_STAFF)


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


_MUTATIONS: dict[str, Callable[[str, random.Random], str]] = {
    "cut": _cut,
    "doubled": _doubled,
    "dropped": _dropped,
    "flipped": _flipped,
    "miscounted": _miscounted,
    "strewn": _strewn,
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

_VALUES: dict[str, tuple[str, ...]] = {
    "date": ("2025-07-18", "2025-07-19", "2025-07-21", "2025-07-25", "2025-07-16", "2031-01-01", "18/07", ""),
    "weekday": ("mon", "fri", "sat", "sun", "segunda"),
    "time": ("08:00", "10:00", "12:00", "14:00", "18:00", "23:59", "9h"),
    "doctor": ("Dr. Fernando Mendes", "Ricardo", "Dra. Marina Couto", "Marina", "Dra. Helena Prado"),
    "clinic": ("clinic_a", "clinic_c", "clinic_f", "Clínica D", "clinic_z"),
    "specialty": ("Cardiology", "Cardiology", "Dermatology", "orthopedics", "Neurology"),
}
_RELATIONS = ("in", "in", "in", "not_in", "from", "after", "until", "before", "near")
_ORDERS = ("soonest", "latest", "earliest_hour", "latest_hour", "nearest")


def _condition(chance: random.Random) -> object:
    field = chance.choice(list(_VALUES))
    op = chance.choice(_RELATIONS) if field in {"date", "time"} else chance.choice(("in", "in", "not_in"))
    return condition(
        field, *chance.sample(_VALUES[field], 1 if op not in {"in", "not_in"} else chance.randint(1, 2)), op=op
    )


def _scope(chance: random.Random) -> dict[str, object]:
    found = scope(
        *(_condition(chance) for _ in range(chance.randint(0, 3))), among=chance.choice(("read", "read", "shown"))
    )
    if chance.random() < 0.3:
        found["except"] = [[_condition(chance)]]
    return found


def _wanted(chance: random.Random) -> object:
    return chance.randint(0, 14) if chance.random() < 0.5 else _scope(chance)


def _ordered(do: str, chance: random.Random, **more: object) -> object:
    order = chance.choice(_ORDERS)
    return {"do": do, "scope": _scope(chance), "order": order, "at": "15:00" if order == "nearest" else None, **more}


def _among(*choices: str) -> Callable[[random.Random], str]:
    return lambda chance: chance.choice(choices)


def _question(chance: random.Random) -> object:
    return {"do": _among("count", "in_words", "span", "why_not")(chance), "scope": _scope(chance)}


def _comparison(chance: random.Random) -> object:
    sides = [_condition(chance) for _ in range(2)]
    return {"do": _among("compare", "days_of_both")(chance), "scope": _scope(chance), "sides": sides}


def _by_ids(chance: random.Random) -> object:
    ids = [f"s{chance.randint(0, 12)}" for _ in range(2)]
    return {"do": _among("gap", "fits")(chance), "openings": ids, "scope": _scope(chance)}


def _changes(chance: random.Random) -> object:
    held = _among("clinic_c/2025-07-18/10:00", "clinic_a/2025-07-21/09:00", "clinic_a/2025-07-22/14:00")(chance)
    moves = [(held, _wanted(chance))] if chance.random() < 0.3 else []
    cancels = [] if moves or chance.random() < 0.6 else [held]
    return proposing(cancels, [_wanted(chance) for _ in range(chance.randint(0, 2))], moves)


_STEPS: Sequence[Callable[[random.Random], object]] = (
    lambda chance: {"do": "read", "filters": [_scope(chance) for _ in range(chance.randint(1, 2))]},
    _question,
    lambda chance: _ordered(_among("show", "best")(chance), chance),
    lambda chance: _ordered("pick", chance, opening=f"s{chance.randint(0, 12)}"),
    _comparison,
    _by_ids,
    lambda chance: {"do": "say", "what": _among("greet", "up_to_you", "none_suits", "nothing_booked", "done")(chance)},
    lambda chance: {"do": "answer", "topic": _among("help", "clinic_matters", "diagnosis", "thanks", "paid")(chance)},
    _changes,
    _changes,
)
"""Steps that mostly have the right form; whether they mean anything is left to chance."""


def random_plan(chance: random.Random) -> str:
    """Return a plan of such steps."""
    steps = [chance.choice(_STEPS)(chance) for _ in range(chance.randint(1, 4))]
    return plan_of(steps, more=chance.random() < 0.3, confidence=chance.choice((0.1, 0.9, 1)))


def by_chance(rng: random.Random, count: int) -> Iterator[Case]:
    """Yield models that plan and choose replies by chance; some turns are followed by a yes."""
    for number in range(count):
        request = rng.choice(_REQUESTS)
        plan, write = random_plan(rng), random_plan(rng)
        waits = request.scene.name.startswith("asked")
        then = () if waits or rng.random() < 0.5 else ("yes" if request.is_english else "sim",)
        yield Case(
            f"chance {number}; {request.scene.name}: {request.utterance}",
            request,
            HostileModel(plan=_says(plan), write=_says(write)),
            consent=rng.random() < 0.6,
            then=then,
            always=rng.random() < 0.3,
        )


def _says(text: str) -> Said:
    return lambda _: text


def mutated(said: Said, names: tuple[str, ...], seed: int) -> Said:
    """Return a model that says the same, broken in these ways, each time alike."""

    def say(data: object) -> str:
        text, chance = str(said(data)), random.Random(seed)  # type: ignore[arg-type]
        for name in names:
            text = _MUTATIONS[name](text or " ", chance)
        return text

    return say


def fuzzed(rng: random.Random, count: int) -> Iterator[Case]:
    """Yield good plans, steps of a reply and audits, one of the three broken by one to three mutations."""
    for number in range(count):
        request = rng.choice(_REQUESTS)
        names = tuple(rng.choices(list(_MUTATIONS), k=rng.randint(1, 3)))
        kind = ("plan", "steps", "reply", "audit")[number % 4]
        yield Case(
            f"fuzz {number}, {kind} {', '.join(names)}; {request.scene.name}: {request.utterance}",
            request,
            _broken(kind, request, names, rng),
            consent=rng.random() < 0.7,
            clears=kind != "audit",
            always=kind in {"reply", "audit"},
        )


def _broken(kind: str, request: Request, names: tuple[str, ...], rng: random.Random) -> HostileModel:
    seed, steps = rng.randrange(2**32), _says(random_plan(rng))
    match kind:
        case "plan":
            return HostileModel(plan=mutated(planned_well(request), names, seed))
        case "steps":
            return HostileModel(plan=mutated(steps, names, seed))
        case "reply":
            return HostileModel(write=mutated(steps, names, seed))
        case _:
            return HostileModel(audit=mutated(_says(SAFE), names, seed))


def mixed(rng: random.Random, count: int) -> Iterator[Case]:
    """Yield models that plan, audit and choose replies badly all at once."""
    plans, audits = list(hostile_plans(rng)), list(hostile_audits(rng))
    for number in range(count):
        plan, audit = rng.choice(plans), rng.choice(audits)
        lie, write = any_lie(plan.request, rng, number)
        yield Case(
            f"mixed {number}, {lie!r}, {audit.name.partition(';')[0]}; {plan.name}",
            plan.request,
            HostileModel(plan.model.plan, audit.model.audit, write),
            consent=plan.consent,
            lies=(lie, *audit.lies),
            then=plan.then,
            clears=False,
            always=number % 2 == 0,
        )
