"""How a simulated patient words things: templates of a file for each language, and slips of tongue and keyboard."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from mesh.text_folding import fold
from orchestrator.turn import Appointment, Language

Facts = Mapping[str, object]


@cache
def _wording(language: Language) -> Mapping[str, Any]:
    return tomllib.loads((Path(__file__).parent / f"wording_{language}.toml").read_text("utf-8"))


class Voice:
    """One speaker of a language, with a source of chance."""

    def __init__(self, language: Language, chance: Random) -> None:
        self._words = _wording(language)
        self._chance = chance
        self._mistypes = chance.choice((0.0, 0.0, 0.03, 0.08))  # the share of long words
        self._types_plainly = chance.random() < 0.4

    def say(self, key: str, facts: Facts) -> str:
        """Return one wording of what is to be said."""
        text = self._one(self._words["says"][key]).format_map(facts)
        text = re.sub(r" +(?=[,?.]|$)", "", re.sub(r"  +", " ", text))
        text = re.sub(r"[^\W\d_]{5,}", lambda word: self._mistyped(word.group()), text)
        return fold(text) if self._types_plainly else text

    def key_of(self, topic: str) -> str | None:
        """Return the key of the wordings that answer a question; None where nothing does."""
        return dict[str, str](self._words["answers"]).get(topic)

    def aspects(self, names: Iterable[str], slot: Appointment, *, bare: bool = False) -> str:
        """Return what a visit has to be like; `bare` as it stands behind "para"."""
        said = [self.aspect(name, slot, bare=bare) for name in names]
        self._chance.shuffle(said)
        return " ".join(said)

    def aspect(self, name: str, slot: Appointment, *, bare: bool = False) -> str:
        """Return one aspect of a slot; a weekday is now and then corrected in the same breath."""
        key = name if name != "part" else "morning" if slot.time.hour < 12 else "afternoon"
        forms = self._words["bare" if bare and key in self._words["bare"] else "aspects"][key]
        said = self._one(forms).format_map(self.facts(slot))
        if key != "weekday" or bare or self._chance.random() > 0.06:
            return said
        other = replace(slot, date=slot.date + timedelta(2 if slot.date.weekday() < 4 else -2))
        wrong = self._one(forms).format_map(self.facts(other))
        return self._one(self._words["says"]["slip"]).format(wrong=wrong, aspect=said)

    def facts(self, slot: Appointment, number: int = 0) -> dict[str, object]:
        """Return what templates may name of a slot and of the row where it stands."""
        words, weekday, (title, *names) = self._words, slot.date.weekday(), slot.doctor.split()
        facts: dict[str, object] = {"day": slot.date, "at": slot.time, "n": number, "full": slot.doctor}
        minutes = f"{slot.time:%M}" if slot.time.minute else ""
        facts |= {"h": (slot.time.hour - 1) % 12 + 1, "mm": minutes, "colon": minutes and f":{minutes}"}
        facts |= {"weekday": self._one(words["weekdays"][weekday]), "on": words["on_weekday"][weekday]}
        facts |= {"th": _ending(slot.date.day), "nth": _ending(number), "month": words["months"][slot.date.month - 1]}
        facts["doctor"] = self._one(words["titles"][title]) + self._one((" ".join(names), names[0]))
        facts["ordinal"] = words["ordinals"][number] if number < len(words["ordinals"]) else ""
        facts["letter"] = self._one((slot.clinic[-1], slot.clinic[-1].upper()))
        return facts | {"hour": self._one(words["hours"]).format_map(facts)}

    def _one(self, options: Sequence[str]) -> str:
        return self._chance.choice(options)

    def _mistyped(self, word: str) -> str:
        if self._chance.random() >= self._mistypes:
            return word
        place = self._chance.randrange(1, len(word) - 1)
        before, one, two, after = word[:place], word[place], word[place + 1], word[place + 2 :]
        return self._one((f"{before}{two}{one}{after}", f"{before}{two}{after}", f"{before}{one}{one}{two}{after}"))


def _ending(number: int) -> str:
    return "th" if 10 < number < 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
