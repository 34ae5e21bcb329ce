"""Group the tokens of an utterance into bundles: neighbouring conditions that belong together, wanted or denied."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import time
from itertools import pairwise, takewhile

from orchestrator.planner.lexicon import expression
from orchestrator.planner.wishes.universe import WHEN, Universe, axis_of, members
from orchestrator.planner.wishes.wish_tokens import DENYING, Kind, Token
from orchestrator.turn import AtTimes, Axis, Filter, OnWeekdays, any_of

_DENIALS = DENYING | {Kind.INSTEAD, Kind.RULED_OUT}
_SEPARATORS = (Kind.COMMA, Kind.AND, Kind.OR, Kind.ALSO, Kind.BUT, Kind.STOP, Kind.QUESTION)  # the weakest first
_STRENGTH = {kind: strength for strength, kind in enumerate(_SEPARATORS, 1)}
_WHO = frozenset({Axis.DOCTOR, Axis.SPECIALTY, Axis.CLINIC})
_JUDGED = frozenset({Axis.DOCTOR, Axis.CLINIC, Axis.PLACE})
_APART = frozenset({Axis.PRICE, Axis.INSURANCE, Axis.LANGUAGE, Axis.GENDER})
_TRANSPARENT = frozenset({Kind.EITHER, Kind.THEN, Kind.ONLY, Kind.NOT, Kind.NOR})


@dataclass(slots=True)
class Bundle:
    """Neighbouring conditions, one for each axis; several of one axis joined by a connective are one list."""

    conditions: list[Filter]
    separator: Kind | None = None  # the strongest connective before it
    denial: Kind | None = None  # what denies it; `RULED_OUT` stands behind it: "quinta não posso"
    goes_on: bool = False  # the denial is that of the bundle before it, in a list
    after_comma: bool = False  # a comma stands before it
    several: bool = False  # its specialties are several requests
    of_both: bool = False  # it holds for all requests before it ("as duas na quinta")
    is_open: bool = True  # a list may still go on

    def axes(self) -> set[Axis]:
        """Return what its conditions are about."""
        return set(map(axis_of, self.conditions))


@dataclass(slots=True)
class Run:
    """Bundles of one polarity, in a row."""

    denied: bool
    bundles: list[Bundle] = field(default_factory=list)


def runs_of(tokens: Sequence[Token], universe: Universe) -> list[Run]:
    """Return the bundles of some tokens in runs of one polarity."""
    bundles = _Bundler(tokens, universe).bundles()
    for before, after in pairwise(bundles):
        _continue_denial(before, after)
    runs: list[Run] = []
    for bundle in bundles:
        if not runs or _starts_run(runs[-1], bundle):
            runs.append(Run(bool(bundle.denial)))
        runs[-1].bundles.append(bundle)
    return runs


def _continue_denial(before: Bundle, after: Bundle) -> None:
    asked = after.axes() & _APART - before.axes()  # "not on Mondays and costs under 400", "menos segunda e com mulher"
    if not before.denial or after.denial or before.denial is Kind.RULED_OUT or asked:
        return
    same = axis_of(before.conditions[0]) == axis_of(after.conditions[0])
    neither = after.separator is Kind.OR and (before.axes() | after.axes()) <= WHEN  # "not on a Monday or before 10"
    lists = before.denial in {Kind.EXCEPT, Kind.UNLESS} or neither
    joined = after.separator in {Kind.OR, Kind.AND} and not after.after_comma and (same or lists)
    in_list = after.separator is Kind.COMMA and same and before.denial in {Kind.EXCEPT, Kind.NOR}
    if joined or (in_list and not _suits(before.conditions[-1], after.conditions[0])):
        after.denial, after.goes_on = before.denial, True


def _suits(refused: Filter, said: Filter) -> bool:
    # "Not in the morning, after 2" says what suits; "except before 9, after 5" does not.
    spans = [one.spans[0] for one in (refused, said) if isinstance(one, AtTimes)]
    return [time.min == one.first or time.max == one.last for one in spans] == [False, True]


def _starts_run(run: Run, bundle: Bundle) -> bool:
    if bool(bundle.denial) != run.denied:
        return True
    if bundle.denial and not bundle.goes_on and bundle.denial is not Kind.RULED_OUT:
        return True
    named = [one for other in run.bundles for listed in other.conditions for one in members(listed)]
    narrows = bundle.separator is Kind.BUT and not bundle.denial and bundle.conditions[0] in named
    weekdays = [any(isinstance(one, OnWeekdays) for one in each.conditions) for each in (run.bundles[-1], bundle)]
    pairs = bundle.separator is Kind.BUT and all(weekdays) and Axis.TIME in bundle.axes()
    return bundle.separator in {Kind.BUT, Kind.STOP, Kind.QUESTION} and not (narrows or pairs)


class _Bundler:
    """Walk the tokens once; the state is the bundle that grows and what stood since the last condition."""

    def __init__(self, tokens: Sequence[Token], universe: Universe) -> None:
        self._tokens = tokens
        self._universe = universe
        self._bundles: list[Bundle] = []
        self._current: Bundle | None = None
        self._start_over()

    def _start_over(self) -> None:
        self._separator: Kind | None = None
        self._denial: Kind | None = None
        self._comma = self._both = False

    def bundles(self) -> list[Bundle]:
        """Return the bundles, those that were replaced left out."""
        for place, token in enumerate(self._tokens):
            if token.wanted is not None:
                self._take(token.wanted, place)
            elif token.kind in _STRENGTH:
                self._separate(token.kind, place)
            elif token.kind in _DENIALS:
                self._deny(token, place)
            elif token.kind is Kind.OTHER and self._bundles and self._separator is not Kind.OR:
                days = all(isinstance(one, OnWeekdays) for one in members(self._bundles[-1].conditions[-1]))
                who = token.axis is Axis.DOCTOR and Axis.DOCTOR in self._bundles[-1].axes()  # "saw Lopes, another one"
                if (who or (days and token.axis is Axis.DAY)) and not self._denied_behind(place):
                    self._deny_last(judged=who)  # "Tuesdays are ballet, so any other day"
            elif token.kind is Kind.BOTH and self._bundles:
                self._both, self._current = True, None
        return [bundle for bundle in self._bundles if bundle.denial is not Kind.INSTEAD]

    def _open(self, condition: Filter) -> None:
        separator = self._separator or (Kind.COMMA if self._bundles else None)
        self._current = Bundle([condition], separator, self._denial, after_comma=self._comma, of_both=self._both)
        self._bundles.append(self._current)
        self._start_over()

    def _take(self, condition: Filter, place: int) -> None:
        if self._lists(condition, place):
            self._current = bundle = self._bundles[-1]
            bundle.conditions[-1] = any_of([bundle.conditions[-1], condition])
            if axis_of(condition) is Axis.SPECIALTY:
                bundle.several = self._separator is not Kind.OR
            self._separator, self._comma = None, False
        elif self._current is None or self._denial:
            self._open(condition)
        else:
            self._add(self._current, condition)
        if self._current is not None and self._current.denial is Kind.INSTEAD:
            self._current = None

    def _add(self, current: Bundle, condition: Filter) -> None:
        alike = (one for one in current.conditions if axis_of(one) == axis_of(condition))
        if all(self._universe.narrows(one, condition) for one in alike):
            current.conditions.append(condition)
        else:
            self._open(condition)

    def _lists(self, condition: Filter, place: int) -> bool:
        if not self._bundles or self._denial or self._both:
            return False
        if self._separator not in {Kind.OR, Kind.AND, Kind.COMMA, Kind.ALSO}:
            return False
        bundle = self._bundles[-1]
        last = bundle.conditions[-1]
        return (
            axis_of(last) == axis_of(condition)
            and bundle.is_open
            and not (self._comma and (bundle.denial is Kind.NOT or (bundle.denial and _suits(last, condition))))
            and bundle.denial not in {Kind.RULED_OUT, Kind.INSTEAD}
            and not (self._separator is not Kind.OR and self._universe.narrows(last, condition))
            and condition not in members(last)
            and not (self._separator is Kind.COMMA and self._denied_behind(place))
            and not self._has_own_hour(condition, place)
        )

    def _has_own_hour(self, condition: Filter, place: int) -> bool:
        """Return whether an hour stands behind as one does before: "segunda 9h Gustavo, Ricardo segunda 10:30"."""
        behind = takewhile(lambda one: one.kind not in _STRENGTH, self._tokens[place + 1 :])
        own = {axis_of(one.wanted) for one in behind if one.wanted is not None}
        return axis_of(condition) in _WHO and Axis.TIME in own & self._bundles[-1].axes()

    def _denied_behind(self, place: int) -> bool:
        rest = [token.kind for token in self._tokens[place + 1 : place + 3]]
        return rest[:1] == [Kind.RULED_OUT] or (rest[:1] == [Kind.NOT] and Kind.CONDITION not in rest)

    def _separate(self, kind: Kind, place: int) -> None:
        after = self._tokens[place + 1] if place + 1 < len(self._tokens) else None
        if kind is Kind.ALSO and (after is None or after.wanted is None):
            repeats = len(self._bundles) > 1 and self._bundles[-2].denial is Kind.RULED_OUT
            if repeats and (after is None or after.kind is not Kind.NOT):
                self._bundles[-1].denial = Kind.RULED_OUT
            return
        begins = self._current if kind is Kind.ALSO and self._separator is None else None
        if begins and after and after.wanted and axis_of(after.wanted) not in {*begins.axes(), Axis.SPECIALTY}:
            return  # "Camargo on Tuesday and Barros also on Tuesday"
        self._current = None
        self._comma = self._comma or kind is Kind.COMMA
        goes_on = kind is Kind.OR and self._separator in {Kind.STOP, Kind.QUESTION}  # "Friday after 2? or Saturday"
        if goes_on or self._separator is None or _STRENGTH[kind] > _STRENGTH[self._separator]:
            self._separator = kind
        if _STRENGTH[kind] > _STRENGTH[Kind.ALSO] and self._bundles:
            self._bundles[-1].is_open = False

    def _deny(self, token: Token, place: int) -> None:
        following = [one for one in self._tokens[place + 1 :] if one.kind not in _TRANSPARENT]
        ahead = bool(following) and following[0].wanted is not None
        discourse = token.text == "no" and place + 1 < len(self._tokens) and self._tokens[place + 1].kind in _STRENGTH
        forward = token.kind is not Kind.RULED_OUT or self._separator is not None or not self._bundles
        if ahead and forward and not discourse and not self._closes(token, following[0]):
            kind = Kind.NOT if token.kind is Kind.RULED_OUT else token.kind
            self._current, self._denial = None, Kind.UNLESS if self._readmits(token) else kind
        elif self._bundles and self._is_joined(token) and token.kind in {Kind.NOT, Kind.EXCEPT, Kind.RULED_OUT}:
            self._deny_last(judged=expression("judges").search(token.text) is not None)
        if token.kind is Kind.NOR and self._separator is None:
            self._separator = Kind.AND

    def _is_joined(self, denial: Token) -> bool:
        """Return whether a denial may be of what stands before it: "I saw Lopes and hated it", "Lopes, no way"."""
        ways = {Kind.AND, Kind.COMMA, Kind.BUT} if denial.kind is Kind.RULED_OUT else {Kind.AND}
        judged = axis_of(self._bundles[-1].conditions[-1]) in _JUDGED
        return self._separator is None or (judged and self._separator in ways)

    def _readmits(self, token: Token) -> bool:
        """Return whether an exception is one from what was just denied: "menos quarta, a não ser quarta à tarde"."""
        denial = self._bundles[-1].denial if self._bundles and self._bundles[-1].is_open else None
        words = expression("readmits").match(token.text) if token.kind is Kind.EXCEPT and denial else None
        return words is not None and (words["unless"] is not None or denial is not Kind.EXCEPT)

    def _closes(self, token: Token, after: Token) -> bool:
        """Return whether a denial is about what stands before it, as its new topic shows: "terça não posso cardio"."""
        if token.kind is not Kind.NOT or self._separator or not self._bundles or after.wanted is None:
            return False
        last = self._bundles[-1].conditions[-1]
        return axis_of(after.wanted) is Axis.SPECIALTY and axis_of(last) is not Axis.SPECIALTY and token.text != "no"

    def _deny_last(self, *, judged: bool = False) -> None:
        bundle = self._bundles[-1]
        parts = constituents(bundle.conditions)
        if judged and Axis.DOCTOR in bundle.axes():  # "I saw Lopes on Monday and he was awful"
            kept = (one for one in parts if axis_of(one[0]) not in WHEN)
            parts = sorted(kept, key=lambda one: axis_of(one[0]) is Axis.DOCTOR)
            bundle.conditions = [one for part in parts for one in part]
        if len(parts) > 1:
            bundle.conditions = [one for part in parts[:-1] for one in part]
            self._bundles.append(Bundle(parts[-1], Kind.AND, Kind.RULED_OUT))
        else:
            bundle.denial = Kind.RULED_OUT
        self._current = None


def constituents(conditions: Sequence[Filter]) -> list[list[Filter]]:
    """Return conditions in groups: a day and its hours are one, everything else stands alone."""
    groups: list[list[Filter]] = []
    for condition in conditions:
        if groups and axis_of(condition) in WHEN and axis_of(groups[-1][-1]) in WHEN:
            groups[-1].append(condition)
        else:
            groups.append([condition])
    return groups
