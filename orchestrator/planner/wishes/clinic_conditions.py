"""Read conditions on clinics themselves - insurance, price, place, language - against what the clinics state."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from orchestrator.planner.lexicon import pairs, pattern, table
from orchestrator.planner.text import Text, fold_phrase
from orchestrator.planner.wishes.wish_tokens import Token
from orchestrator.turn import (
    FACT_OF,
    AskedFact,
    Axis,
    Clinic,
    ClinicFact,
    Condition,
    Wish,
    axes_of,
    fitting_doctors,
    without,
)


def named_by_clinics(text: Text, clinics: Sequence[Clinic]) -> Iterator[tuple[int, int, ClinicFact]]:
    """Yield where a text names an insurance, a city or a district that a clinic states."""
    for axis, naming in _named(tuple(clinics)):
        for match in naming.finditer(text.folded):
            yield *match.span(), ClinicFact(axis, text.typed(*match.span()))


@lru_cache(maxsize=8)
def _named(clinics: tuple[Clinic, ...]) -> tuple[tuple[Axis, re.Pattern[str]], ...]:
    insurances = {name for one in clinics for name in one.stated(AskedFact.INSURANCE)}
    places = {text.rpartition(", ")[2] for one in clinics for text in one.stated("address", "city")}
    places |= {short for text in places if " " in (short := re.split(r" d[aeo]s? ", text)[0])}  # "São Caetano"
    stated = ((Axis.INSURANCE, "takes", insurances), (Axis.PLACE, "near", places))
    return tuple((axis, _naming(lead, names)) for axis, lead, names in stated if names)


def _naming(lead: str, names: Iterable[str]) -> re.Pattern[str]:
    longest_first = "|".join(re.escape(fold_phrase(name)) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?<![a-z]){pattern('patterns', lead).pattern}(?:{longest_first})(?![a-z0-9])")


def _stated(axis: Axis, clinic: Clinic) -> tuple[str, ...]:
    where = " ".join(clinic.stated("address", "city", "directions"))
    return clinic.stated(FACT_OF[axis]) if axis is not Axis.PLACE else (where,) if where else ()


def as_stated(token: Token, clinics: Sequence[Clinic]) -> Token:
    """Return a token with its condition on clinics, if it has one, resolved to those that state it."""
    fact = token.wanted
    return replace(token, wanted=resolved(fact, token.text, clinics)) if isinstance(fact, ClinicFact) else token


def resolved(fact: ClinicFact, folded: str, clinics: Sequence[Clinic]) -> ClinicFact:
    """Return a condition on clinics, said in a folded text, with those that state it; as it is where none can tell."""
    known = [(one.id, text) for one in clinics for text in _stated(fact.axis, one)]
    name = _name(fact.axis, folded, [text for _, text in known])
    if not known or name is None:
        return fact
    match fact.axis:
        case Axis.PRICE:
            found = {clinic: name for clinic, cents in known if not name or int(cents) <= int(name)}
        case Axis.PLACE:
            words = re.compile("".join(rf"(?=.*\b{word}\b)" for word in name.split()))
            found = {clinic: "" for clinic, text in known if words.match(fold_phrase(text))}
        case _:
            found = {clinic: text for clinic, text in known if _joined(name) in _joined(text)}
    if fact.axis is Axis.PLACE and not found:
        return fact  # no address tells what is near "minha casa"
    return replace(fact, value=next(iter(found.values()), name), clinics=frozenset(found))


def _name(axis: Axis, folded: str, stated: Sequence[str]) -> str | None:
    """Return what a condition names, a price in hundredths, empty for the lowest; None where it names nothing."""
    match axis:
        case Axis.PRICE:
            amount = re.search(r"\d+", folded)
            return "" if amount is None else str(int(amount.group()) * 100)
        case Axis.PLACE:
            names = pairs("clinic_facts", "place_as_stated")
            bare = table("clinic_facts", "place_small").sub(" ", folded)
            return " ".join(names.get(word, word) for word in re.findall(r"[a-z0-9]+", bare)) or None
        case Axis.INSURANCE:
            own = next((name for name in map(fold_phrase, stated) if name in folded), None)
            named = table("wishes", "insurer", " ").search(folded)
            return own or (named.group() if named else None)
        case _:
            spoken = table("wishes", "tongue").search(folded)
            return pairs("clinic_facts", "tongue_as_stated").get(spoken.group(), spoken.group()) if spoken else None


def _joined(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", fold_phrase(name))  # "sul america" is "SulAmérica"


def with_lowest_price(wish: Wish, clinics: Sequence[Clinic]) -> Wish:
    """Return a wish for the lowest price as one for the clinics of each specialty that have it, of those that fit."""
    if Axis.PRICE not in axes_of(wish.widest):
        return wish
    rest = without(wish.widest, frozenset({Axis.PRICE}))
    prices = {one: int(cents) for one in clinics if fitting_doctors(rest, one) for cents in one.stated(AskedFact.PRICE)}

    def is_lowest(clinic: Clinic) -> bool:
        return prices[clinic] == min(cents for one, cents in prices.items() if one.specialty == clinic.specialty)

    def changed(one: Condition) -> Condition:
        if isinstance(one, ClinicFact) and one.axis is Axis.PRICE and one.clinics and not one.value:
            return replace(one, clinics=frozenset(clinic.id for clinic in prices if is_lowest(clinic)))
        return one

    return wish.replaced(changed)
