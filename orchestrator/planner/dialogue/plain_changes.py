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
from orchestrator.planner.wishes import find_specialties


@dataclass(frozen=True, slots=True)
class Told:
    """A change of a visit in plain words, and the session that they are said in."""

    said: str
    session: turn.Session
    meant: Visits | None = None  # the visits that are called; none of them where they have still to be looked up
    then: str = ""  # the second of two changes, in words of its own


def plain_change(utterance: str, session: turn.Session, clinics: Clinics, now: datetime) -> Told:
    """Return an utterance with a change of a visit in plain words; as it is where it tells of none."""
    first, then = _Change(normalise(utterance), session, clinics, now).two() or (utterance, "")
    told = _Change(normalise(first), session, clinics, now)
    readings = (told.wanted_again, told.moved, told.in_its_place, told.of_one_visit)
    return replace(next(filter(None, (read() for read in readings)), Told(first, session)), then=then)


@dataclass(frozen=True, slots=True)
class _Change:
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
        changes = any(map(self._asks, (Intent.MOVE, Intent.CANCEL)))  # for which they are in any case
        known = changes or self.session.knows_own or self.session.role is turn.Role.OPERATOR
        return Told(self.text.original, self.session, None if known else ())

    def _asks(self, intent: Intent) -> bool:
        return table("requests", intent).search(self.text.folded) is not None

    def _says(self, section: str) -> re.Match[str] | None:
        return next(each_match(section, self.text.folded), None)

    def _typed(self, match: re.Match[str], group: str) -> str:
        return self.text.typed(*match.span(group)) if match[group] else ""

    def _like(self, typed: str, visits: Visits | None = None) -> Visits | None:
        return visits_like(typed, visits or self.session.appointments, self.session, self.clinics, self.now)

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
            ways += [] if cancels(ways[1].folded) else [normalise(f"{self._plain['moves']} {then}")]  # "..., e a outra"
            moves = [next(each_match("visit_moved", way.folded), None) for way in ways]
            whole = [way.original if cancels(way.folded) else "" for way in ways]
            who = [way.typed(*it.span("who")) if it else said for way, it, said in zip(ways, moves, whole, strict=True)]
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

    def moved(self) -> Told | None:
        """Return what is said of the new time of a visit, in a session in which just that is asked."""
        session, card, question = self.session, self.session.proposal, self.session.question or NOTHING_ASKED
        if (match := self._says("visit_moved")) is None:
            return self._unchanged if card is None and self._says("visits_swapped") else None
        meant = self._like(self.text.typed(*match.span("who")))
        notes = [noted(one.date, one.time, "original_").items() for one in session.appointments]
        of_it = card is not None or any(note <= question.known.items() for note in notes)
        bare = expression("any_visit").fullmatch(match["who"])
        if bare and (of_it or (away := self.in_its_place()) is not None):
            return None if of_it else away  # "I have an exam on Friday, push it back"
        if not meant and not session.appointments:  # it may be a wish
            return self._unchanged if card is None and lists_openings(session) else None
        if not meant or (card is not None and any(step.given_back for step in card.plan.steps)):
            return Told(self.text.original, session, None if card is not None else meant)
        said = match.groupdict()
        verb = next((one for one in ("be", "sure", "later", "earlier") if said.get(one) is not None), "moves")
        return self._to(verb, self._typed(match, "to"), meant, lead=self.text.typed(0, match.start("ask")))

    @property
    def _shown(self) -> Visits:
        """The slots on the table, which "a de sexta" may be."""
        listed = [one.slot for one in self.session.offers if lists_openings(self.session)]
        return (*listed, *filter(None, [in_hand(self.session)]))

    def of_one_visit(self) -> Told | None:
        """Return the change of a visit that is named, by what else is said: a day, a doctor, that it is given up."""
        named = () if self._asks(Intent.CANCEL) else expression("visit_in_sentence").finditer(self.text.folded)
        for match in named:
            start, end = match.span()
            rest = f"{self.text.folded[:start]}{'_' * (end - start)}{self.text.folded[end:]}"
            times = [*expression("time_said").finditer(rest)]
            doctor = next(each_match("doctor_in_place", rest), None)
            goes = expression("gives_visit_up").search(rest)
            wanted = (times or doctor) and expression("changes_visit").search(rest)
            if find_specialties(rest, self.clinics):
                return None  # which is wished beside it
            if not (wanted or goes) or expression("beside_change").search(re.sub("_+", "_", rest)):
                continue
            who = self.text.typed(start, end)
            found = self._like(who) if expression("of_visit").search(match[0]) else None
            of_rows = found is not None and self._shown and not expression("of_own").search(match[0])
            if found is None or (of_rows and self._like(who, self._shown)):
                continue
            if not (found or self.session.knows_own):
                return self._unchanged
            if goes and not wanted and (len(found) == 1 or not self._shown):
                plainly = self._plain["given_up"].format(**told_of(found[0])) if found else ""
                return Told(plainly if len(found) == 1 else f"{self._plain['none_given_up']} {who}", self.session)
            if found and wanted:
                if doctor is None:
                    return self._to("be", self.text.typed(times[0].start(), times[-1].end()), found)
                return self._to(doctor.lastgroup or "", "" if doctor.lastgroup == "doctor" else doctor[0], found)
        return None

    def in_its_place(self) -> Told | None:
        """Return the move of a visit from one of two days or hours to the other, or to any; or that its day is lost."""
        folded = self.text.folded
        times = [one for one in expression("time_said").finditer(folded) if not one["any"]]
        aside = expression("beside_change").search(folded)
        two = len(times) == 2 and not aside and expression("in_its_place").search(folded)
        away = expression("for_another_day").search(folded, times[0].end()) if len(times) == 1 else None
        suits = away and expression("day_suits").search(folded, 0, away.start())
        lost = away is not None and not (suits or self._says("doctor_in_place") or self._asks(Intent.CANCEL))
        gone = len(times) == 1 and self._says("visit_day_lost")
        if self._shown or not (two or lost or gone) or expression("a_doctor").search(folded):
            return None
        if find_specialties(folded, self.clinics):
            return None  # which is wished beside it
        said = [self.text.typed(*one.span()) for one in times]
        held = [self._like(one) or () for one in said]
        if not (any(held) or self.session.knows_own):
            return self._unchanged
        if two and [bool(one) for one in held] in ([True, False], [False, True]):
            return self._to("be", said[held.index(())], held[0] or held[1])
        if gone and len(held[0]) == 1:
            return Told(self._plain["day_lost"].format(**told_of(held[0][0])), self.session)
        return self._to("another", "", held[0]) if lost and held[0] else None

    def _to(self, verb: str, to: str, meant: Visits, *, lead: str = "") -> Told:
        session, question = self.session, self.session.question or NOTHING_ASKED
        known = {"doctor": meant[0].doctor, **noted(meant[0].date, meant[0].time, "original_")}
        if not known.items() <= question.known.items() or len(meant) > 1:
            question = turn.Question(turn.Topic.ASK_NEW_TIME, turn.MOVE, known)
            session = replace(session, question=question, offers=(), proposal=None)
        language = guess_language(self.text, session.language, first=not session.history)
        return Told(f"{lead}{pairs('written_out', f'phrases_{language}')[verb]} {to}".rstrip(" ?"), session, meant)
