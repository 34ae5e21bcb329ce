"""Compare conditions by the openings that they could accept; correct and widen by them what was wanted before."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, time, timedelta
from itertools import product

from orchestrator import turn
from orchestrator.planner.wishes.named_entities import doctors_of

_AHEAD = 60  # days that are compared besides those that conditions name
_ENDLESS = time(23)
_OF_DOCTORS = frozenset({turn.Axis.GENDER, turn.Axis.CLINIC, turn.Axis.SPECIALTY, turn.Axis.PLACE})
WHEN = frozenset({turn.Axis.DAY, turn.Axis.TIME})


def domains_of(wanted: turn.Filter) -> frozenset[turn.Axis]:
    """Return the domains that a filter restricts: its axes, those of doctors and where they work as `Axis.DOCTOR`."""
    return frozenset(turn.Axis.DOCTOR if axis in _OF_DOCTORS else axis for axis in turn.axes_of(wanted))


def members(wanted: turn.Filter) -> tuple[turn.Filter, ...]:
    """Return the alternatives of a list of conditions; a single one is its own."""
    return wanted.parts if isinstance(wanted, turn.AnyOf) else (wanted,)


def axis_of(wanted: turn.Filter) -> turn.Axis:
    """Return the axis of a condition or of a list of them; a doctor's gender counts as a doctor."""
    axes = turn.axes_of(members(wanted)[0])
    axis = next(iter(axes))
    return turn.Axis.DOCTOR if axis is turn.Axis.GENDER else axis


class Universe:
    """The openings that are thinkable: every doctor, the days and times around those that are spoken of."""

    def __init__(self, spoken_of: Iterable[turn.Filter], clinics: Sequence[turn.Clinic], today: date) -> None:
        self.today = today
        self._spoken_of = tuple(spoken_of)
        self._clinics = clinics
        # Most utterances compare nothing, so that a domain's openings are made when they are first asked for.
        self._probes: dict[turn.Axis, tuple[turn.Appointment, ...]] = {}

    def accepted(self, wanted: turn.Filter, domain: turn.Axis) -> frozenset[int]:
        """Return which openings of a domain a filter accepts."""
        if domain not in self._probes:
            self._probes[domain] = tuple(self._openings(domain))
        return frozenset(n for n, probe in enumerate(self._probes[domain]) if turn.fits(wanted, probe))

    def _openings(self, domain: turn.Axis) -> Iterator[turn.Appointment]:
        spoken_of = turn.all_of(self._spoken_of)
        tomorrow, noon = self.today + timedelta(days=1), time(12)
        match domain:
            case turn.Axis.TIME:
                ends = {at for span in turn.hours_of(spoken_of) for at in (span.first, span.last)}
                times = ends.union(time(*at) for at in product(range(24), (0, 15, 20, 30, 45)))
                yield from (turn.Appointment("", "", tomorrow, at) for at in sorted(times))
            case turn.Axis.DAY | turn.Axis.MOMENT:
                ends_of_days = {day for span in turn.spans_of(spoken_of) for day in (span.first, span.last)}
                days = ends_of_days.union(self.today + timedelta(days=n) for n in range(1, _AHEAD))
                yield from (turn.Appointment("", "", day, noon) for day in sorted(days - {date.min, date.max}))
            case _:
                yield from (turn.Appointment(one.clinic, one.name, tomorrow, noon) for one in doctors_of(self._clinics))

    def overlap(self, one: turn.Filter, other: turn.Filter, domain: turn.Axis) -> bool:
        """Return whether two filters of a domain can both hold."""
        return bool(self.accepted(one, domain) & self.accepted(other, domain))

    def narrows(self, one: turn.Filter, other: turn.Filter) -> bool:
        """Return whether `other` narrows `one` and is no alternative to it: an hour and its part of the day."""
        return not isinstance(one, turn.AnyOf) and all(self._narrows(one, member) for member in members(other))

    def _narrows(self, one: turn.Filter, other: turn.Filter) -> bool:
        axis = axis_of(one)
        if axis != axis_of(other) or axis not in WHEN or not (_is_stretch(one) or _is_stretch(other)):
            return False
        (domain,) = domains_of(one)
        first, second = self.accepted(one, domain), self.accepted(other, domain)
        if not first & second:
            return False
        days = axis is turn.Axis.DAY and _is_stretch(one) != _is_stretch(other)
        return self._is_open(one) or self._is_open(other) or days or second < first

    def _is_open(self, wanted: turn.Filter) -> bool:
        match wanted:
            case turn.AtTimes((span,)) if span.first < span.last:
                return span.first == time.min or span.last >= _ENDLESS
            case turn.OnDates((span,)) if span.first < span.last:
                return span.last == date.max or span.last - span.first > timedelta(days=20) or span.first <= self.today
            case _:
                return False

    def allows(self, wanted: turn.Filter) -> bool:
        """Return whether the conditions about one domain, taken together, leave anything in it."""
        for domain in (turn.Axis.DAY, turn.Axis.TIME, turn.Axis.DOCTOR):
            own = [part for part in turn.conjuncts(wanted) if domains_of(part) == {domain}]
            if own and not self.accepted(turn.all_of(own), domain):
                return False
        return True

    def agrees(self, alternative: turn.Filter, wanted: turn.Filter) -> bool:
        """Return whether an alternative can hold together with a condition."""
        domains = domains_of(wanted)
        parts = [part for part in turn.conjuncts(alternative) if domains_of(part) == domains]
        return not parts or len(domains) > 1 or self.overlap(turn.all_of(parts), wanted, *domains)

    def within(self, narrow: Iterable[turn.Filter], wide: Iterable[turn.Filter]) -> bool:
        """Return whether whatever some conditions accept others do, as far as they are about the same domains."""
        pairs = [(one, other) for one in narrow for other in wide if domains_of(one) == domains_of(other)]
        return bool(pairs) and not any(self.allows(turn.all_of((one, turn.Not(other)))) for one, other in pairs)


def _is_stretch(wanted: turn.Filter) -> bool:
    return isinstance(wanted, turn.AtTimes | turn.OnDates) and any(span.first < span.last for span in wanted.spans)  # type: ignore[operator]


def merge(
    before: turn.Filter, said: turn.Filter, universe: Universe, freed: frozenset[turn.Axis] = frozenset()
) -> turn.Filter:
    """Return what is wanted now: a clause replaces what it names and keeps the rest."""
    parts = turn.conjuncts(said)
    olds = (_kept(turn.without(old, freed), parts, universe) for old in turn.conjuncts(before))
    kept = [part for part in olds if part is not None]
    while kept and not universe.allows(turn.all_of([*kept, *parts])):
        kept.pop(0)
    return turn.all_of([*kept, *parts])


def _kept(old: turn.Filter, parts: tuple[turn.Filter, ...], universe: Universe) -> turn.Filter | None:
    domains = domains_of(old)
    related = [part for part in parts if domains_of(part) & domains]
    if not related or not domains:
        return old
    if len(domains) > 1:
        return _kept_across(old, related, universe)
    (domain,) = domains
    wanted = [part for part in related if not isinstance(part, turn.Not)]
    new = universe.accepted(turn.all_of(part for part in related if len(domains_of(part)) == 1), domain)
    accepted = universe.accepted(old, domain)
    if domain not in {turn.Axis.DAY, turn.Axis.TIME, turn.Axis.MOMENT} and wanted:
        replaced = any(turn.axes_of(part) & turn.axes_of(old) for part in wanted) and not isinstance(old, turn.Not)
        return None if replaced or not accepted & new else old
    across = [one for part in wanted if len(domains_of(part)) > 1 for one in members(part)]
    if across and domain is turn.Axis.DAY and any(map(_is_stretch, members(old))):  # "next week", "Saturday or after 4"
        return old if all(universe.agrees(one, old) for one in across) else None
    if (across and not isinstance(old, turn.Not)) or not accepted & new:
        return None
    contained = new <= accepted or accepted <= new
    # "Saturday or Sunday", then "Friday or Saturday": such days take the place of the others; a stretch of days stays,
    # and bounds what was there before it: "on Tuesdays", then "before the 10th".
    named = [one for part in wanted for one in members(part)]
    bounds = any(map(_is_stretch, named))
    of_dates = len(named) == 1 < len(turn.spans_of(old)) and isinstance(named[0], turn.OnWeekdays)  # "21st or 23rd"
    weekly = bounds and all(isinstance(one, turn.OnWeekdays) and not one.coming for one in members(old))
    stretches = bounds or of_dates or any(map(_is_stretch, members(old)))
    replaced = (contained and not weekly and not of_dates) or (domain is turn.Axis.DAY and not stretches)
    return None if wanted and replaced and not isinstance(old, turn.Not) else old


def _kept_across(old: turn.Filter, related: list[turn.Filter], universe: Universe) -> turn.Filter | None:
    if isinstance(old, turn.Not):  # "not on Friday at 8" without its hour would refuse the whole Friday
        positive = [part for part in related if not isinstance(part, turn.Not) and len(domains_of(part)) == 1]
        named = frozenset[turn.Axis]().union(*map(domains_of, positive))
        # This Friday morning, wanted now in so many words, lifts "never on Friday mornings", lunch "I work till six".
        lifts = named == domains_of(old) <= WHEN or (named == {turn.Axis.TIME} and len(turn.weekdays_of(old.part)) > 3)
        return None if lifts and universe.within(positive, turn.conjuncts(old.part)) else old
    if isinstance(old, turn.AnyOf):
        agreeing = [part for part in old.parts if all(universe.agrees(part, one) for one in related)]
        if agreeing:
            return turn.any_of(agreeing)
    rest = turn.without(old, frozenset[turn.Axis]().union(*map(turn.axes_of, related)))
    return rest if domains_of(rest) else None


def widen(before: turn.Filter, said: turn.Filter) -> turn.Filter:
    """Return what was wanted with one more alternative on its axis, a day with its hours on both: "ou terça"."""
    parts = list(turn.conjuncts(before))
    when: list[turn.Filter] = [one for one in parts if turn.axes_of(one) <= WHEN and not isinstance(one, turn.Not)]
    if when and turn.axes_of(said) == WHEN:
        when += [one for one in parts if isinstance(one, turn.Not) and turn.axes_of(one) == WHEN]  # hours of other days
        return turn.all_of([*(one for one in parts if one not in when), turn.any_of([turn.all_of(when), said])])
    for new in turn.conjuncts(said):
        alike = (n for n, old in enumerate(parts) if turn.axes_of(old) == turn.axes_of(new))
        place = next((n for n in alike if not isinstance(parts[n], turn.Not)), None)
        old = None if place is None else parts[place]
        if place is None:
            parts.append(new)
        elif isinstance(old, turn.OnWeekdays) and isinstance(new, turn.OnWeekdays) and not old.coming:
            parts[place] = turn.OnWeekdays(old.weekdays | new.weekdays)  # of any week, as the others are
        else:
            parts[place] = turn.any_of([parts[place], new])
    return turn.all_of(parts)


def besides(before: turn.Filter, said: turn.Filter, universe: Universe) -> bool:
    """Return whether a day with its hours lies outside the hours that are wished: it is no choice among them."""
    parts = [[one for one in turn.conjuncts(wish) if not isinstance(one, turn.Not)] for wish in (before, said)]
    hours = [turn.all_of(one for one in those if turn.axes_of(one) == {turn.Axis.TIME}) for those in parts]
    apart = turn.ANY_OPENING not in hours and not universe.overlap(hours[0], hours[1], turn.Axis.TIME)
    return apart and turn.axes_of(said) == WHEN


def allowed_again(before: turn.Filter, said: turn.Filter, universe: Universe, *, adds: bool) -> turn.Filter | None:
    """Return what was wanted without the refusal that kept out what will do now; None where nothing did."""
    parts, new = turn.conjuncts(before), [part for part in turn.conjuncts(said) if not isinstance(part, turn.Not)]
    beside = {part.part for part in turn.conjuncts(said) if adds and isinstance(part, turn.Not)}
    refused = {part for part in parts if isinstance(part, turn.Not) and universe.within(turn.conjuncts(part.part), new)}
    lifted = beside.intersection(parts) | refused  # "this Friday" lifts no "never on Fridays"
    known = frozenset[turn.Axis]().union(*map(turn.axes_of, lifted))
    denied = {part for part in turn.conjuncts(said) if isinstance(part, turn.Not) and part.part not in beside}
    kept = turn.all_of([*(part for part in parts if part not in lifted), *denied])
    refusals = [part for part in parts if isinstance(part, turn.Not) and _is_in_way(part, new, universe)]
    opened: dict[turn.Filter, turn.Filter] = {part: _except(part, new) for part in refusals}
    days = any(turn.axes_of(part) == {turn.Axis.DAY} and not isinstance(part, turn.Not) for part in parts)
    if opened and not (days or refused):  # "I work till six", and "Wednesday morning I could"
        return turn.all_of(opened.get(part, part) for part in parts)
    narrow = adds and any(turn.axes_of(part) == turn.axes_of(said) for part in turn.conjuncts(kept) if part in parts)
    wider = widen(kept, said) if narrow and new else kept  # "mornings too" of one who wished for afternoons
    hours = turn.all_of(part for part in new if turn.axes_of(part) == {turn.Axis.TIME})
    if refused and hours != turn.ANY_OPENING and turn.axes_of(said) - known == {turn.Axis.TIME}:
        if turn.Axis.DAY not in known:  # "add Lopes back, after two"
            return merge(kept, hours, universe)
        # "Monday is fine after four", of whom no Monday was: the rest of it stays refused.
        return turn.all_of([*turn.conjuncts(kept), *(_except(part, [hours]) for part in refused)])
    return wider if lifted and turn.axes_of(said) <= known else None


def _except(refused: turn.Not, allowed: Iterable[turn.Filter]) -> turn.Not:
    return turn.Not(turn.all_of([refused.part, turn.Not(turn.all_of(allowed))]))


def _is_in_way(part: turn.Not, new: Sequence[turn.Filter], universe: Universe) -> bool:
    """Return whether hours of some days are refused, of which one is named now: they are no reason any more."""
    if turn.axes_of(part) != WHEN or turn.axes_of(turn.all_of(new)) != WHEN:
        return False
    both = (turn.conjuncts(part.part), new)
    old, day = (turn.all_of(one for one in parts if turn.axes_of(one) == {turn.Axis.DAY}) for parts in both)
    return len(turn.weekdays_of(old)) > 1 and day != turn.ANY_OPENING and universe.overlap(old, day, turn.Axis.DAY)


def beyond_standing(wish: turn.Wish, said: frozenset[turn.Axis]) -> turn.Wish:
    """Return a wish for before or after, which goes on beyond hours, then days, not `said` now; refusals stay."""
    hours = frozenset({turn.Axis.TIME})
    refused = [part for part in turn.conjuncts(wish.filter) if isinstance(part, turn.Not)]
    wider = [turn.all_of([turn.without(wish.filter, axes - said), *refused]) for axes in (hours, WHEN)]
    first, *rest = dict.fromkeys((turn.on_coming_days(wish.filter), *wish.otherwise, *wider))
    return turn.Wish(first, tuple(rest))


def join(one: turn.Filter, other: turn.Filter, universe: Universe) -> turn.Filter:
    """Return two runs of one request together; two points of one axis that exclude each other are alternatives."""
    kept: list[turn.Filter] = []
    added = list(turn.conjuncts(other))
    for part in turn.conjuncts(one):
        clash = next((n for n, new in enumerate(added) if _exclude_each_other(part, new, universe)), None)
        if clash is None:
            kept.append(part)
        else:
            added[clash] = turn.any_of([part, added[clash]])
    return turn.all_of([*kept, *added])


def _exclude_each_other(one: turn.Filter, other: turn.Filter, universe: Universe) -> bool:
    domains = domains_of(one)
    if len(domains) != 1 or domains_of(other) != domains or turn.axes_of(one) != turn.axes_of(other):
        return False
    if isinstance(one, turn.Not) or isinstance(other, turn.Not):
        return False
    return not universe.overlap(one, other, *domains)


def without_other_clinics(wish: turn.Wish) -> turn.Wish:
    """Return one of several wishes without a clinic that was said of another: "um cardio e um dermato na clínica B"."""
    conditions = turn.conditions_of(wish.filter, denied=False)
    own = [one.clinics for one in conditions if isinstance(one, turn.OfSpecialty)]
    said = [one.ids for one in conditions if isinstance(one, turn.AtClinics)]
    strange = own and said and not frozenset.union(*own) & frozenset.union(*said)
    return turn.Wish(turn.without(wish.filter, frozenset({turn.Axis.CLINIC})), wish.otherwise) if strange else wish
