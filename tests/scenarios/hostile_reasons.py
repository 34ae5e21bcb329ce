"""Good plans for lying reasons: what a planning model says that it thought can be read, too (/why)."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

from tests.scenarios.hostile_case import Case, Data, HostileModel, Said, planned_well
from tests.scenarios.hostile_lies import FOR_REASONS, LIES
from tests.scenarios.hostile_requests import CANCELS_OTHERS_PT, FOR_ANOTHER_EN, LISTINGS
from tests.scenarios.hostile_texts import DISGUISES

_HONEST = {False: "A pessoa quer ver horários.", True: "The person wants to see openings."}


def hostile_reasons(rng: random.Random, count: int) -> Iterator[Case]:
    """Yield untrue reasons, plain and disguised, in one line and over several, among honest ones."""
    requests = (*LISTINGS, FOR_ANOTHER_EN, CANCELS_OTHERS_PT)
    for number in range(count):
        request = rng.choice(requests)
        lie = rng.choice((FOR_REASONS if number % 2 else LIES)[request.is_english])
        disguise = rng.choice([*DISGUISES, *["plainly"] * len(DISGUISES)])
        said = DISGUISES[disguise](lie)
        lines = [_HONEST[request.is_english], said] if number % 3 else said.split(" ", 2)
        yield Case(
            f"reason {number}, {lie!r} {disguise}; {request.scene.name}: {request.utterance}",
            request,
            HostileModel(plan=_reasoning(planned_well(request), lines)),
            lies=(lie,),
        )


def _reasoning(good: Said, lines: list[str]) -> Said:
    def plan(turn: Data) -> str:
        return json.dumps({"reasoning": lines, **json.loads(str(good(turn)))})

    return plan
