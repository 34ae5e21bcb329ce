"""Say a change of a visit in plain words: "take me off Monday and put me on Friday", "I'm skipping the skin one"."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from orchestrator import turn
from orchestrator.planner.dialogue.on_the_table import NOTHING_ASKED, in_hand, just_cancelled, lists_openings, noted
from orchestrator.planner.dialogue.visits_named import Clinics, Visits, visits_like
from orchestrator.planner.dialogue.written_out import told_of
from orchestrator.planner.lexicon import each_match, expression, pairs, table
from orchestrator.planner.text import Text, guess_language, normalise
from orchestrator.planner.understanding import Intent

# The ways of moving a visit, by the groups of their patterns; the first that was said counts.
_VERBS = ("be", "whom", "doctor", "another", "sure", "later", "earlier")


@dataclass(frozen=True, slots=True)
class Told:
    """A change of a visit in plain words, and the session that they are said in."""

    said: str
    session: turn.Session
    meant: Visits | None = None  # the visits that are called; none of them where they have still to be looked up
    then: str = ""  # the second of two changes, in words of its own


def plain_change(utterance: str, session: turn.Session, clinics: Clinics, now: datetime) -> Told:
    """Return an utterance with a change of a visit in plain words; as it is where it tells of none."""
    two = _Change(normalise(utterance), session, clinics, now).two()
    first, then = two or (utterance, "")
    told = _Change(normalise(first), session, clinics, now)
    return replace(told.wanted_again() or told.given_up() or told.moved() or Told(first, session), then=then)


@dataclass(frozen=True, slots=True)
class _Change:
    """One reading of what is said of a change."""

    text: Text
    session: turn.Session
    clinics: Clinics
    now: datetime

    @property
    def _plain(self) -> Mapping[str, str]:
        return pairs("written_out", f"phrases_{self.session.language}")

    @property
    def _unchanged(self) -> Told:
        """The same words, which are about visits: these are looked up first where they are not known."""
        looks = not self.session.knows_own and self.session.role is not turn.Role.OPERATOR
        return Told(self.text.original, self.session, () if looks else None)

    def _says(self, section: str) -> re.Match[str] | None:
        return next(each_match(section, self.text.folded), None)

    def _typed(self, match: re.Match[str], group: str) -> str:
        return self.text.typed(*match.span(group)) if match[group] else ""

    def _like(self, typed: str, visits: Visits | None = None) -> Visits | None:
        held = self.session.appointments if visits is None else visits
        return visits_like(typed, held, self.session, self.clinics, self.now)

    def two(self) -> tuple[str, str] | None:
        """Return two changes of visits, one a move: "cancela a de pele e a do Ricardo pra sexta"."""
        text, own, cancels = self.text, self.session.appointments, table("requests", Intent.CANCEL).search
        swaps = self._says("visits_swapped") if len(own) > 1 else None
        if swaps is not None:
            names = [self._typed(swaps, name) for name in ("who", "other") if name in swaps.groupdict()]
            pair = [self._like(one) or () for one in names] if names else [own[:1], own[1:]]
            if [len(one) for one in pair] == [1, 1] and pair[0][0].doctor != pair[1][0].doctor:
                return self._swapped(pair[0][0], pair[1][0]), self._swapped(pair[1][0], pair[0][0])
        for joint in expression("visit_after_visit").finditer(text.folded) if own else ():
            first, then = text.typed(0, joint.start()), text.typed(joint.end(), len(text.folded))
            ways = [normalise(first), normalise(then)]
            if not cancels(ways[1].folded):
                ways.append(normalise(f"{self._plain['moves']} {then}"))  # "..., e a do Ricardo pra sexta"
            moves = [next(each_match("visit_moved", way.folded), None) for way in ways]
            whole = [way.original if cancels(way.folded) else "" for way in ways]
            who = [
                way.typed(*it.span("who")) if it else all_of for way, it, all_of in zip(ways, moves, whole, strict=True)
            ]
            meant = [self._like(one) if one else None for one in who]
            if any(moves) and meant[0] and any(one and one != meant[0] for one in meant[1:]):
                return first, ways[1 if moves[1] or whole[1] else -1].original
        return None

    def _swapped(self, one: turn.Appointment, other: turn.Appointment) -> str:
        return self._plain["swapped"].format(WHOSE=one.doctor, FROM=one.date, **told_of(other))

    def wanted_again(self) -> Told | None:
        """Return the booking of a visit that was just cancelled: "remarca pra segunda", "I want the skin one back"."""
        gone, match = just_cancelled(self.session), self._says("wanted_again")
        if gone is None or match is None:
            return None
        who = self._typed(match, "who")
        if who and (self._like(who, (gone,)) != (gone,) or self._like(who)):
            return None  # another one is named
        said = f"{self._plain['again'].format(WHO=gone.doctor)} {self._typed(match, 'to')}".rstrip()
        return Told(said, replace(self.session, question=None))

    def given_up(self) -> Told | None:
        """Return what gives a visit back, or tells that it cannot be kept: "não vou na de sexta"."""
        session = self.session
        shown = [*(one.slot for one in session.offers if lists_openings(session)), *filter(None, [in_hand(session)])]
        for kind in ("given_up", "day_lost"):
            if (match := self._says(f"visit_{kind}")) is None:
                continue
            who = self._typed(match, "who")
            if shown and not expression("of_own").search(match["who"]) and self._like(who, tuple(shown)):
                return None  # the row, or what is on the card
            found = self._like(who)
            if found is not None and len(found) == 1:
                return Told(self._plain[kind].format(WHO=found[0].doctor, DAY=found[0].date), session)
            if found is not None and not session.knows_own:
                return self._unchanged
            if found is not None and kind == "given_up" and not shown:
                return Told(f"{self._plain['none_given_up']} {who}", session)
        return None

    def moved(self) -> Told | None:
        """Return what is said of the new time of a visit, in a session in which just that is asked."""
        session, card, question = self.session, self.session.proposal, self.session.question or NOTHING_ASKED
        match, instead, listed = self._says("visit_moved"), None, lists_openings(session)
        if card is None and (match is None or expression("any_visit").fullmatch(match["who"])):
            instead = self._says("visit_instead")
        if instead is not None and (not listed or expression("of_own").search(instead["who"])):  # else of the rows
            match = instead
        if match is None:
            return self._unchanged if card is None and self._says("visits_swapped") else None
        meant = self._like(self.text.typed(*match.span("who")))
        notes = [noted(one.date, one.time, "original_").items() for one in session.appointments]
        of_it = card is not None or any(note <= question.known.items() for note in notes)
        if of_it and expression("any_visit").fullmatch(match["who"]):
            return None
        if not meant and (match is instead or not session.appointments):  # it may be a wish
            return self._unchanged if match is instead or (listed and card is None) else None
        if not meant or (card is not None and any(step.given_back for step in card.plan.steps)):
            return Told(self.text.original, session, None if card is not None else meant)
        return self._to_new_time(match, meant)

    def _to_new_time(self, match: re.Match[str], meant: Visits) -> Told:
        session, question = self.session, self.session.question or NOTHING_ASKED
        known = {"doctor": meant[0].doctor, **noted(meant[0].date, meant[0].time, "original_")}
        if not known.items() <= question.known.items() or len(meant) > 1:
            question = turn.Question(turn.Topic.ASK_NEW_TIME, turn.MOVE, known)
            session = replace(session, question=question, offers=(), proposal=None)
        language = guess_language(self.text, session.language, first=not session.history)
        verb = next((one for one in _VERBS if match.groupdict().get(one) is not None), "moves")
        lead, to = self.text.typed(0, match.start("ask")), self.text.typed(*match.span("to")).rstrip(" ?")
        return Told(f"{lead}{pairs('written_out', f'phrases_{language}')[verb]} {to}", session, meant)
