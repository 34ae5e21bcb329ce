"""Correct and widen what was wanted before by what is said now."""

from orchestrator.planner.wishes.universe import Universe, domains_of
from orchestrator.turn import AnyOf, Axis, Filter, Not, all_of, any_of, axes_of, conjuncts, without


def merge(before: Filter, said: Filter, universe: Universe, freed: frozenset[Axis] = frozenset()) -> Filter:
    """Return what is wanted now: a clause replaces what it names and keeps the rest."""
    parts = conjuncts(said)
    kept = [part for old in conjuncts(before) if (part := _kept(without(old, freed), parts, universe)) is not None]
    merged = all_of([*kept, *parts])
    while kept and not universe_allows(merged, universe):
        kept.pop(0)
        merged = all_of([*kept, *parts])
    return merged


def universe_allows(wanted: Filter, universe: Universe) -> bool:
    """Return whether the conditions about one domain, taken together, leave anything in it."""
    parts = conjuncts(wanted)
    for domain in (Axis.DAY, Axis.TIME, Axis.DOCTOR):
        own = [part for part in parts if domains_of(part) == {domain}]
        if own and not universe.accepted(all_of(own), domain):
            return False
    return True


def _kept(old: Filter, parts: tuple[Filter, ...], universe: Universe) -> Filter | None:
    domains = domains_of(old)
    related = [part for part in parts if domains_of(part) & domains]
    if not related or not domains:
        return old
    if len(domains) > 1:
        return _kept_across(old, related, universe)
    (domain,) = domains
    wanted = [part for part in related if not isinstance(part, Not)]
    plain = [part for part in related if len(domains_of(part)) == 1]
    new = universe.accepted(all_of(plain), domain)
    accepted = universe.accepted(old, domain)
    if domain not in {Axis.DAY, Axis.TIME, Axis.MOMENT} and wanted:
        replaced = any(axes_of(part) & axes_of(old) for part in wanted) and not isinstance(old, Not)
        return None if replaced or not accepted & new else old
    if any(len(domains_of(part)) > 1 for part in wanted) and not isinstance(old, Not):
        return None
    if not accepted & new:
        return None
    contained = new <= accepted or accepted <= new
    return None if wanted and contained and not isinstance(old, Not) else old


def _kept_across(old: Filter, related: list[Filter], universe: Universe) -> Filter | None:
    if isinstance(old, AnyOf):
        agreeing = [part for part in old.parts if all(universe.agrees(part, one) for one in related)]
        if agreeing:
            return any_of(agreeing)
    rest = without(old, frozenset[Axis]().union(*map(axes_of, related)))
    return rest if domains_of(rest) else None


def widen(before: Filter, said: Filter) -> Filter:
    """Return what was wanted with what is said as one more alternative on its axis ("ou terça")."""
    parts = list(conjuncts(before))
    for new in conjuncts(said):
        place = next(
            (n for n, old in enumerate(parts) if axes_of(old) == axes_of(new) and not isinstance(old, Not)), None
        )
        if place is None:
            parts.append(new)
        else:
            parts[place] = any_of([parts[place], new])
    return all_of(parts)


def join(one: Filter, other: Filter, universe: Universe) -> Filter:
    """Return two runs of one request together; two points of one axis that exclude each other are alternatives."""
    kept: list[Filter] = []
    added = list(conjuncts(other))
    for part in conjuncts(one):
        clash = next((n for n, new in enumerate(added) if _exclude_each_other(part, new, universe)), None)
        if clash is None:
            kept.append(part)
        else:
            added[clash] = any_of([part, added[clash]])
    return all_of([*kept, *added])


def _exclude_each_other(one: Filter, other: Filter, universe: Universe) -> bool:
    domains = domains_of(one)
    if len(domains) != 1 or domains_of(other) != domains or axes_of(one) != axes_of(other):
        return False
    if isinstance(one, Not) or isinstance(other, Not):
        return False
    return not universe.overlap(one, other, *domains)
