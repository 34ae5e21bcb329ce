"""Make filters of bundles: lists, pairs, shared conditions, exclusions; a second specialty is a second request."""

from collections.abc import Sequence

from orchestrator import turn
from orchestrator.planner.wishes.bundles import Bundle, Run
from orchestrator.planner.wishes.universe import WHEN, Universe, axis_of, domains_of, join, members
from orchestrator.planner.wishes.wish_tokens import Kind

_REFUSED_THROUGHOUT = frozenset({turn.Axis.DOCTOR, turn.Axis.CLINIC, turn.Axis.PLACE, turn.Axis.GENDER, turn.Axis.TIME})
_OF_TWO = frozenset({turn.Axis.DOCTOR, turn.Axis.TIME})


def filters_of(runs: Sequence[Run], universe: Universe) -> list[turn.Filter]:
    """Return the filter of each request that some runs of bundles make."""
    found: list[turn.Filter] = [turn.ANY_OPENING]
    refuses = False
    for run in runs:
        if run.denied:
            refuses, denied = True, _denied(run.bundles, universe)
            unless = run.bundles[0].denial is Kind.UNLESS
            for n in range(0 if run.bundles[0].of_both else len(found) - 1, len(found)):
                found[n] = _readmitting(found[n], denied) if unless else turn.all_of([found[n], *denied])
            continue
        shared = [bundle for bundle in run.bundles if bundle.of_both]
        alternatives = _alternatives([bundle for bundle in run.bundles if not bundle.of_both], universe, denied=False)
        if any(bundle.several for bundle in run.bundles):
            alternatives = _one_a_specialty(alternatives)
        lead = found[-1]
        for place, group in enumerate(_by_specialty(alternatives)):
            wanted = _together(group, universe)
            named = turn.specialties_named(wanted)
            before = named if found[-1] == turn.ANY_OPENING else turn.specialties_named(found[-1])
            if place or (named and before and named != before):
                of_all = lead if turn.axes_of(lead) <= WHEN else turn.ANY_OPENING  # "Thursday? derm here, ortho there"
                found.append(turn.all_of([turn.without(of_all, turn.axes_of(wanted)), wanted]))
            else:
                found[-1] = join(found[-1], wanted, universe)
        for bundle in shared:
            found = [join(one, _conjunction(bundle.conditions, universe), universe) for one in found]
    found = _insured(found) if len(found) > 1 else found
    return [_without_refused(one, universe) for one in found] if refuses else found


def _readmitting(wanted: turn.Filter, exceptions: Sequence[turn.Filter]) -> turn.Filter:
    """Return a filter whose denials hold but for exceptions, which are denials as well: "no Fridays unless early"."""
    parts = turn.conjuncts(wanted)
    but = (turn.Not(turn.all_of([one.part, *exceptions])) if isinstance(one, turn.Not) else one for one in parts)
    return turn.all_of(but)


def _insured(found: list[turn.Filter]) -> list[turn.Filter]:
    """Return requests with the one insurance that is named: whoever has it has it for all that take it."""
    parts = {part for one in found for part in turn.conjuncts(one) if turn.axes_of(part) == {turn.Axis.INSURANCE}}
    own = next(iter(parts), None)
    if len(parts) != 1 or not isinstance(own, turn.ClinicFact):
        return found
    lacking = [one for one in found if turn.Axis.INSURANCE not in turn.axes_of(one)]
    codes = {one: [of for of in turn.conditions_of(one) if isinstance(of, turn.OfSpecialty)] for one in lacking}
    covered = {one for one, named in codes.items() if any(of.clinics & (own.clinics or frozenset()) for of in named)}
    return [turn.all_of([one, own]) if one in covered else one for one in found]


def _without_refused(wanted: turn.Filter, universe: Universe) -> turn.Filter:
    """Return a filter without what it refuses as well: "not Saturday, my course is on Saturdays" wants no Saturday."""
    parts = turn.conjuncts(wanted)
    refused = [part.part for part in parts if isinstance(part, turn.Not)]
    alike = [(one, other) for one in parts for other in refused if turn.axes_of(one) == turn.axes_of(other)]
    taken = {one for one, other in alike if not isinstance(one, turn.Not) and universe.within([one], [other])}
    return turn.all_of(one for one in parts if one not in taken)


def _together(group: list[Bundle], universe: Universe) -> turn.Filter:
    """Return alternatives; a specialty that is named again with something new is narrowed: "o orto só de tarde"."""
    wanted = _conjunction(group[0].conditions, universe)
    for bundle in group[1:]:
        other = _conjunction(bundle.conditions, universe)
        same, joined = turn.axes_of(wanted) & turn.axes_of(other), bundle.separator is not Kind.OR
        wanted = (turn.all_of if joined and same == {turn.Axis.SPECIALTY} else turn.any_of)([wanted, other])
    return wanted


def _one_a_specialty(alternatives: list[Bundle]) -> list[Bundle]:
    split: list[Bundle] = []
    for one in alternatives:
        listed = next((part for part in one.conditions if axis_of(part) is turn.Axis.SPECIALTY), None)
        rest = [part for part in one.conditions if part is not listed]
        named = [[member, *rest] for member in members(listed)] if listed else [rest]
        split += [Bundle(said, Kind.AND if place else one.separator) for place, said in enumerate(named)]
    return split


def _by_specialty(alternatives: list[Bundle]) -> list[list[Bundle]]:
    groups: list[tuple[set[turn.Filter], list[Bundle]]] = []
    for one in alternatives:
        named = {member for part in one.conditions if axis_of(part) is turn.Axis.SPECIALTY for member in members(part)}
        before = groups[-1][0] if groups else None
        if before is None or (one.separator is not Kind.OR and named and before and named != before):
            groups.append((named, [one]))
        else:
            groups[-1][1].append(one)
    return [group for _, group in groups]


def _denied(bundles: list[Bundle], universe: Universe) -> list[turn.Filter]:
    # A specialty beside what is denied is the topic and stays wanted, "cardio segunda não", as a place behind "except".
    topic: list[turn.Filter] = []
    for bundle in bundles:
        if len(bundle.conditions) > 1:
            placed = bundle.denial is Kind.EXCEPT and axis_of(bundle.conditions[0]) is not turn.Axis.PLACE
            of_all = {turn.Axis.SPECIALTY, *([turn.Axis.PLACE] if placed else [])}
            if placed and axis_of(bundle.conditions[0]) in WHEN:  # "any day but Friday with Lopes"
                of_all |= {turn.Axis.DOCTOR, turn.Axis.CLINIC}
            topic += [one for one in bundle.conditions if axis_of(one) in of_all]
            bundle.conditions = [one for one in bundle.conditions if axis_of(one) not in of_all]
    alternatives = _alternatives([bundle for bundle in bundles if bundle.conditions], universe, denied=True)
    denied = [turn.Not(_conjunction(one.conditions, universe)) for one in alternatives]
    return [*([_conjunction(topic, universe)] if topic else []), *denied]


def _conjunction(conditions: Sequence[turn.Filter], universe: Universe) -> turn.Filter:
    groups: list[list[turn.Filter]] = []  # two points of one axis are alternatives; everything else must hold
    for condition in conditions:
        axes = turn.axes_of(members(condition)[0])
        alike = (group for group in groups if turn.axes_of(members(group[0])[0]) == axes)
        group = next((one for one in alike if not universe.narrows(one[0], condition)), None)
        if group is None:
            groups.append([condition])
        else:
            group.append(condition)
    return turn.all_of(turn.any_of(group) for group in groups)


def _alternatives(bundles: Sequence[Bundle], universe: Universe, *, denied: bool) -> list[Bundle]:
    found: list[Bundle] = []
    for bundle in bundles:
        said = list(bundle.conditions)
        echoes = bundle.separator is not Kind.OR and all(any(part in one.conditions for one in found) for part in said)
        again = bundle.separator is not Kind.OR and len(found) == 1 and all(one in said for one in found[0].conditions)
        if not found or (again and not denied):  # "Mondays I am off, an ortho that day in the afternoon?"
            found = [Bundle(said)]
        elif denied or not (echoes or _narrowed_again(said, found)):
            _add(bundle, found, universe, denied=denied)
    shares = not denied and len(found) > 1 and len(said) > 1  # and no "takes Unimed or costs under 400"
    last = found[-1].conditions[-1] if shares else turn.ANY_OPENING
    named = domains_of(last) - WHEN
    if named and not any(domains_of(part) & named for one in found[:-1] for part in one.conditions):
        _share([last], found)  # "Tuesday at 9 or Thursday at 3 for cardio", "... with Lopes"
    return found


def _narrowed_again(said: list[turn.Filter], found: list[Bundle]) -> bool:
    """Narrow one of a list that is named again: "quinta ou sexta, na sexta só de tarde"."""
    said.sort(key=lambda one: axis_of(one) is turn.Axis.TIME)  # "the 3rd or the 4th, mornings on the 3rd"
    if len(said) == 1 or axis_of(said[0]) not in {turn.Axis.DAY, turn.Axis.DOCTOR, turn.Axis.CLINIC}:
        return False
    for alternative in found:
        for place, listed in enumerate(alternative.conditions):
            if axis_of(listed) != axis_of(said[0]) or said[0] not in members(listed):
                continue
            rest = [one for one in members(listed) if one != said[0]]
            own = set(map(axis_of, said))
            if own & alternative.axes() >= _OF_TWO:
                return False  # "segunda 9h Gustavo, segunda 10:30 Ricardo"
            others = [one for one in alternative.conditions if one is not listed and axis_of(one) not in own]
            if rest:
                alternative.conditions[place] = turn.any_of(rest)
                found.append(Bundle([*others, *said], Kind.OR))
            else:
                alternative.conditions = [*others, *said]
            return True
    return False


def _add(bundle: Bundle, found: list[Bundle], universe: Universe, *, denied: bool) -> None:
    said, last = list(bundle.conditions), found[-1]
    first = axis_of(said[0])
    place = max((n for n, one in enumerate(last.conditions) if axis_of(one) == first), default=None)
    is_or = bundle.separator is Kind.OR
    if place is not None and not is_or and not denied and universe.narrows(last.conditions[place], said[0]):
        _share(said, found)
    elif place is not None:
        said_axes = set(map(axis_of, said))
        topic = [] if denied else [one for one in last.conditions[place:] if axis_of(one) is turn.Axis.SPECIALTY]
        kept = [one for one in (*last.conditions[:place], *topic) if axis_of(one) not in said_axes]
        found.append(Bundle([*kept, *said], bundle.separator))
    elif is_or or denied or last.axes() & set(map(axis_of, said)):
        own = denied or turn.Axis.SPECIALTY in map(axis_of, said)
        topic = [] if own else [one for one in last.conditions if axis_of(one) is turn.Axis.SPECIALTY]
        found.append(Bundle([*topic, *said], bundle.separator))
    else:  # "Gustavo, Friday at 8, and Sílvia, Thursday at 9"
        _share(said, [one for one in found if turn.Axis.DAY not in one.axes() & {*map(axis_of, said)}])


def _share(conditions: Sequence[turn.Filter], found: list[Bundle]) -> None:
    for alternative in found:
        alternative.conditions += [one for one in conditions if one not in alternative.conditions]


def of_its_specialty(
    wanted: turn.Wish, others: Sequence[turn.Wish], before: turn.Wish | None = None
) -> turn.Wish | None:
    """Return the first of some wishes of the same specialty, else that `before` of more or any: "só coração e osso"."""
    codes = turn.specialties_named(wanted.filter)
    wider = before is not None and (domains_of(before.filter) <= WHEN or codes < turn.specialties_named(before.filter))
    return next((one for one in others if turn.specialties_named(one.filter) & codes), before if wider else None)


def refused_throughout(instead: turn.Filter, named: set[turn.Axis]) -> list[turn.Filter]:
    """Return who, where and when is refused behind a fallback, and so before it: "… and never in Santos"."""
    refused = (part for part in turn.conjuncts(instead) if isinstance(part, turn.Not))
    return [part for part in refused if turn.axes_of(part) <= _REFUSED_THROUGHOUT - named]


def each_once(wishes: Sequence[turn.Wish]) -> list[turn.Wish]:
    """Return wishes in which what is said of one later, "... o cardio de manhã", is said of that one."""
    found: list[turn.Wish] = []
    for wish in wishes:
        codes, parts = turn.specialties_named(wish.filter), turn.conjuncts(wish.filter)
        for n, earlier in enumerate(found):
            new = [part for part in parts if part not in turn.conjuncts(earlier.filter)]
            apart = all(turn.axes_of(part).isdisjoint(turn.axes_of(earlier.filter)) for part in new)
            if codes and codes == turn.specialties_named(earlier.filter) and apart:
                found[n] = earlier.and_also(*new)
                break
        else:
            found.append(wish)
    return found
