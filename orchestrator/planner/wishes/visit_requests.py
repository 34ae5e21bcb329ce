"""Read an utterance as requests: what is wanted in each, and what of the words was not understood."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from operator import attrgetter

from orchestrator import turn
from orchestrator.planner.calendar import Reference
from orchestrator.planner.lexicon import expression
from orchestrator.planner.text import Text
from orchestrator.planner.wishes.bundles import runs_of
from orchestrator.planner.wishes.coordination import each_once, filters_of, of_its_specialty, refused_throughout
from orchestrator.planner.wishes.relative_words import grounded, lifted
from orchestrator.planner.wishes.universe import (
    WHEN,
    Universe,
    allowed_again,
    axis_of,
    besides,
    beyond_standing,
    domains_of,
    merge,
    widen,
    without_other_clinics,
)
from orchestrator.planner.wishes.wish_scanner import scan
from orchestrator.planner.wishes.wish_tokens import PAUSES, RELATIVE, Kind, Token

_PLACE, _PLACES = frozenset({turn.Axis.PLACE}), frozenset({turn.Axis.DOCTOR, turn.Axis.CLINIC})


@dataclass(frozen=True, slots=True)
class VisitRequest:
    """One thing that is wanted."""

    wish: turn.Wish = turn.ANYTHING  # the openings that suit
    freed: frozenset[turn.Axis] = frozenset()  # what was left open now


@dataclass(frozen=True, slots=True)
class Wishes:
    """What an utterance wants: its tokens, read against what was wanted before."""

    tokens: tuple[Token, ...]
    clinics: tuple[turn.Clinic, ...]
    today: date
    unread: tuple[str, ...] = ()  # phrases that stand where a condition would, as typed, and were not understood
    unsure: bool = False  # whether a condition is wanted or denied is not certain
    permits: bool = False  # it says that something will do: "actually Tuesday is fine"
    alone: tuple[VisitRequest, ...] = ()  # what it wants when nothing was wanted before

    @classmethod
    def scanned(cls, text: Text, reference: Reference, clinics: Sequence[turn.Clinic]) -> "Wishes":
        """Return the wishes of a normalised and corrected text."""
        tokens, unread, unsure = scan(text, reference, clinics)
        permits = expression("permits").search(text.folded) and all(one.kind is not Kind.ONLY for one in tokens)
        scanned = cls(tuple(tokens), tuple(clinics), reference.today, unread, unsure, bool(permits))
        return replace(scanned, alone=scanned.requests())

    def with_tokens(self, *tokens: Token) -> "Wishes":
        """Return the wishes that some tokens make, each at its place."""
        scanned = replace(self, tokens=tuple(sorted(tokens, key=lambda one: one.start)), alone=())
        return replace(scanned, alone=scanned.requests())

    @property
    def corrects(self) -> bool:
        """Whether it corrects or adds to something: "na verdade", "e também", "menos", "another cardiologist"."""
        first = next((token.kind for token in self.tokens if token.kind is not Kind.THEN), None)
        leads = {Kind.OR, Kind.AND, Kind.BUT, Kind.EXCEPT, Kind.NOR, Kind.CORRECTING}
        return first in leads or any(one.kind in {Kind.CORRECTING, Kind.ALSO, Kind.OTHER} for one in self.tokens)

    @property
    def is_certain(self) -> bool:
        """Whether all that it wants is understood and can be looked up: else openings are shown and none is taken."""
        unknown = any(isinstance(one.wanted, turn.ClinicFact) and one.wanted.clinics is None for one in self.tokens)
        # "Menos a clínica A na quinta" may refuse A on Thursdays alone, or want a Thursday elsewhere.
        either = any(turn.axes_of(one) & _PLACES and turn.Axis.DAY in turn.axes_of(one) for one in self.refused)
        return not (self.unsure or self.unread or unknown or either)

    @property
    def is_relative(self) -> bool:
        """Whether it asks for something earlier, later or other than what there is."""
        return any(token.kind in RELATIVE for token in self.tokens)

    @property
    def turns_from_doctor(self) -> bool:
        """Whether it speaks of the doctor talked of: "com ela não", "outro médico"."""
        return any(token.kind in {Kind.SAME, Kind.OTHER} and token.axis is turn.Axis.DOCTOR for token in self.tokens)

    @property
    def named(self) -> frozenset[turn.Axis]:
        """What its conditions are about."""
        return frozenset[turn.Axis]().union(*map(turn.axes_of, filter(None, map(attrgetter("wanted"), self.tokens))))

    @property
    def only_tells(self) -> bool:
        """Whether its times are those of somebody's days, and none is wished."""
        return {one.kind for one in self.tokens if one.wanted is not None} == {Kind.BOUND}

    @property
    def refused_days(self) -> tuple[turn.Filter, ...]:
        """The days that do not suit."""
        return tuple(one for one in self.refused if turn.axes_of(one) == {turn.Axis.DAY})

    @property
    def refused(self) -> tuple[turn.Filter, ...]:
        """What does not suit."""
        parts = [part for request in self.alone for part in turn.conjuncts(request.wish.filter)]
        return tuple(part.part for part in parts if isinstance(part, turn.Not))

    @property
    def denied(self) -> tuple[tuple[int, int], ...]:
        """Where conditions stand that do not suit."""
        links = [link for request in self.alone for link in (request.wish.filter, *request.wish.otherwise)]
        said = turn.AnyOf(tuple(links))
        refused = {*turn.conditions_of(said)} - {*turn.conditions_of(said, denied=False)}
        return tuple((one.start, one.end) for one in self.tokens if one.kind is Kind.BOUND or one.wanted in refused)

    def requests(
        self,
        before: turn.Wish | None = None,
        held: turn.Appointment | None = None,
        beside: turn.Appointment | None = None,
        waiting: Sequence[turn.Wish] = (),
    ) -> tuple[VisitRequest, ...]:
        """Return what is wanted, in order, at least one: clauses correct what was wanted `before`, or is `waiting`."""
        several = len(self.alone) > 1 and waiting
        if self.alone and before is None and held is None and not (several or (beside and self.is_relative)):
            return self.alone
        spoken_of = [token.wanted for token in self.tokens if token.wanted is not None]
        known = [link for wish in (*waiting, *([before] if before else [])) for link in (wish.filter, *wish.otherwise)]
        universe = Universe((*spoken_of, *known), self.clinics, self.today)
        bounds = [one.wanted for one in self.tokens if one.kind is Kind.BOUND and one.wanted is not None]
        said = [one for one in self.tokens if one.kind is not Kind.BOUND]
        tokens = grounded(said, held, before.filter if before else turn.ANY_OPENING, beside)
        rest, freed = lifted(tokens)
        wishes = _Reader(universe, follows_up=before is not None).read(rest) or [turn.ANYTHING]
        if bounds and any(isinstance(one, turn.OnDates) for one in spoken_of):  # "Tuesday is my exam, Tuesday after?"
            bounds = [turn.Not(turn.on_coming_days(one.part)) if isinstance(one, turn.Not) else one for one in bounds]
        wishes = [one.and_also(*bounds) for one in wishes] if bounds else wishes
        if before is not None and len(wishes) == 1:
            wishes = [self._on(before, wishes[0], universe, freed)]
        elif len(wishes) > 1:
            pairs = [(of_its_specialty(new, waiting, before), new) for new in each_once(wishes)]
            wishes = [new if old is None else self._on(old, new, universe, freed) for old, new in pairs]
        possible = map(without_other_clinics, wishes) if len(wishes) > 1 else wishes
        return tuple(VisitRequest(wish, freed) for wish in possible)

    def _on(self, before: turn.Wish, said: turn.Wish, universe: Universe, freed: frozenset[turn.Axis]) -> turn.Wish:
        kinds, named = [token.kind for token in self.tokens], turn.axes_of(said.filter)
        plain = turn.conditions_of(said.filter, denied=False)
        in_order = any(isinstance(one, turn.Beside) for one in plain)
        behind = kinds[kinds.index(Kind.ALSO) :] if Kind.ALSO in kinds else kinds
        replaces = not {Kind.CORRECTING, Kind.PREFERABLY}.isdisjoint(behind)  # "Thursdays too? that instead"
        adds = (kinds[:1] == [Kind.OR] or (Kind.ALSO in kinds and not replaces)) and not in_order
        # "Friday afternoon is fine", of one who wished for mornings, is one more time.
        adds = adds or (self.permits and not replaces and besides(before.filter, said.filter, universe))
        if (adds or self.permits) and (allowed := allowed_again(before.filter, said.filter, universe, adds=adds)):
            return turn.Wish(allowed, before.otherwise)
        excludes = any(isinstance(part, turn.Not) for part in turn.conjuncts(said.filter))
        if adds and turn.Axis.SPECIALTY not in named and not excludes:
            return turn.Wish(widen(before.filter, said.filter))
        moments = turn.moments_of(before.filter) if turn.Axis.DAY in named else ()
        elsewhere = any(turn.verdict(said.filter, "", "", one) is False for one in moments)  # "later", then "Friday"
        if in_order or elsewhere or {turn.Axis.DOCTOR, turn.Axis.TIME} <= named:
            before = before.lifted(turn.Beside)
        links = [merge(link, said.filter, universe, freed) for link in (before.filter, *before.otherwise)]
        links += [merge(link, instead, universe, freed) for instead in said.otherwise for link in links]
        if replaces and named and turn.Axis.TIME not in named:  # what was mistaken had hours of its own
            links += [turn.without(one, frozenset({turn.Axis.TIME})) for one in links]
        merged, *wider = dict.fromkeys(links)
        wish = turn.Wish(merged, tuple(wider))
        return beyond_standing(wish, frozenset(one.axis for one in plain)) if in_order else wish


class _Reader:
    def __init__(self, universe: Universe, *, follows_up: bool) -> None:
        self._universe = universe
        self._follows_up = follows_up

    def read(self, tokens: Sequence[Token]) -> list[turn.Wish]:
        """Return the wishes; what comes behind a correction replaces what it names."""
        wishes: list[turn.Wish] = []
        for corrects, stretch in groupby(tokens, key=lambda token: token.kind is Kind.CORRECTING):
            said = [] if corrects else list(stretch)
            if not _restricts(said):
                continue
            new, *more = self._stretch(said)
            if wishes:
                last = wishes.pop()
                first, *rest = [merge(link, new.filter, self._universe) for link in (last.filter, *last.otherwise)]
                new = turn.Wish(first, (*rest, *new.otherwise))
            wishes += [new, *more]
        return wishes

    def _stretch(self, tokens: Sequence[Token]) -> list[turn.Wish]:
        if (place := _place(tokens, lambda token: token.kind is Kind.FALLBACK)) is not None:
            return self._with_fallback(tokens[:place], tokens[place + 1 :])
        if (place := _place(tokens, lambda token: token.kind is Kind.PREFERABLY)) is not None:
            end = _place(tokens[place + 2 :], lambda token: token.kind in PAUSES)  # one right behind counts for nothing
            clause = tokens[place + 1 : None if end is None else place + 2 + end]
            beside = tokens[place - 1 : place + 2] if place else ()  # "se possível" behind what it weakens
            closes = len(beside) == 3 and beside[0].wanted is not None and beside[2].kind in PAUSES
            if _restricts(clause) and not closes:
                return self._with_preference(tokens, place)
            start = _preferred_before(tokens, place)
            if start is not None:
                behind = tokens[place + 1 :]  # which stands for itself
                pause = [Token(Kind.COMMA, one.start, one.start) for one in behind[:1] if one.kind not in PAUSES]
                said = [*tokens[:start], tokens[place], *tokens[start:place], *pause, *behind]
                return self._with_preference(said, start)
        return self._plain(tokens)

    def _with_preference(self, tokens: Sequence[Token], place: int) -> list[turn.Wish]:
        ends = {Kind.COMMA, Kind.STOP, Kind.BUT}
        end = next((n for n in range(place + 2, len(tokens)) if tokens[n].kind in ends), len(tokens))
        wishes = self._plain([*tokens[:place], *tokens[end:]])
        preferred = self._plain(tokens[place + 1 : end])[0].filter
        topic = [part for part in turn.conjuncts(preferred) if turn.axes_of(part) == {turn.Axis.SPECIALTY}]
        of_all = any(one.kind is Kind.BOTH for one in tokens[max(place - 2, 0) : place + 2]) and not topic
        for n in range(0 if of_all else len(wishes) - 1, len(wishes)):  # "as duas na terça, se der" is said of both
            needed = turn.all_of([wishes[n].filter, *topic])
            both = turn.all_of([needed, preferred])
            apart = turn.axes_of(preferred).isdisjoint(turn.axes_of(needed))  # "ortho, preferably near the metro"
            allowed = apart or self._universe.allows(both)
            wishes[n] = turn.Wish(both if allowed else merge(needed, preferred, self._universe), (needed,))
        return wishes

    def _plain(self, tokens: Sequence[Token]) -> list[turn.Wish]:
        return [turn.Wish(wanted) for wanted in filters_of(runs_of(tokens, self._universe), self._universe)]

    def _with_fallback(self, before: Sequence[Token], after: Sequence[Token]) -> list[turn.Wish]:
        first, second = self._parted(before, after)
        wishes, instead = self._plain(first), self._stretch(second)[0]
        alone = domains_of(wishes[0].filter) <= WHEN and WHEN & _axes(second)  # "Monday, otherwise Friday. Dr. Mendes"
        of_both = WHEN if alone else {*turn.Axis} - {turn.Axis.SPECIALTY}
        topic = [part for part in turn.conjuncts(instead.filter) if turn.axes_of(part).isdisjoint(of_both)]
        if topic and turn.Axis.SPECIALTY not in turn.axes_of(wishes[0].filter) and not self._follows_up:
            topic += [one for one in turn.conjuncts(instead.filter) if turn.axes_of(one) == _PLACE - _axes(first)]
            wishes[0] = turn.Wish(turn.all_of([*topic, wishes[0].filter]))
        chain = [turn.all_of([wishes[-1].filter, *refused_throughout(instead.filter, _axes(first))])]
        bound = _place(first, lambda token: token.text.startswith(("so se ", "only if")))
        kept = chain[0] if bound is None else turn.without(chain[0], frozenset(_axes(first[bound:])))
        for link in (instead.filter, *instead.otherwise):
            kept = merge(kept, link, self._universe)
            chain.append(kept)
        lifts = frozenset(token.axis for token in second if token.kind is Kind.LIFTED and token.axis is not None)
        chain[-1] = turn.without(chain[-1], lifts)
        wishes[-1] = turn.Wish(chain[0], tuple(chain[1:]))
        return wishes

    def _parted(self, before: Sequence[Token], after: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]]:
        """Return the tokens of what is wanted, "if not on Monday" too, and of what does, whichever was said first."""
        for joint, token in [] if _restricts(after) else [*enumerate(before)][::-1]:
            parts = before[:joint], before[joint + 1 :]
            if token.kind in {Kind.OR, *PAUSES} and not _axes(parts[0]).isdisjoint(_axes(parts[1])):
                return parts  # "Friday, or Monday if there is nothing", "9 if possible, 10:30 if not"
        lifts = any(token.kind is Kind.LIFTED for token in after)
        end = _place(after, lambda token: token.kind in {Kind.COMMA, Kind.THEN})
        lacks = bool(end) and _restricts(after[end:]) and _axes(before).isdisjoint(_axes(after[:end]))
        if not _restricts(before) or lacks or (_axes(before).isdisjoint(_axes(after)) and not lifts):
            if end is None and self._follows_up and not _restricts(before):
                return (), after
            end = len(after) if end is None else end
            return [*before, *after[:end]], after[end:]
        said = {token.wanted for token in before if token.wanted is not None}
        if end and _restricts(after[end:]):  # "Saturday, but if there is no cardio on Saturday, then Friday"
            after = [*(one for one in after[:end] if one.wanted not in said), *after[end:]]
        while after and after[0].wanted in said and sum(token.wanted is not None for token in after) > 1:
            after = after[1:]
        return before, after


def _place(tokens: Sequence[Token], fits: Callable[[Token], bool]) -> int | None:
    return next((place for place, token in enumerate(tokens) if fits(token)), None)


def _preferred_before(tokens: Sequence[Token], place: int) -> int | None:
    """Return where the conditions begin that "de preferência" behind them weakens: days and their hours, or others."""
    start = place
    while start and tokens[start - 1].kind in {Kind.CONDITION, Kind.OR}:
        axes = _axes(tokens[start - 1 : place])
        if turn.Axis.SPECIALTY in axes or (len(axes) > 1 and not axes <= {turn.Axis.DAY, turn.Axis.TIME}):
            break
        start -= 1
    return start + (tokens[start].kind is Kind.OR) if start < place else None


def _restricts(tokens: Sequence[Token]) -> bool:
    return any(token.wanted is not None for token in tokens)


def _axes(tokens: Sequence[Token]) -> set[turn.Axis]:
    return {axis_of(token.wanted) for token in tokens if token.wanted is not None}
