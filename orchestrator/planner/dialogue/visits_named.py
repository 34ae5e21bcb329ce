"""Find the visits that are named among those held, and write one out as its doctor or its day: "the skin one"."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from operator import attrgetter

from orchestrator import turn
from orchestrator.planner.calendar import Moment, Reference
from orchestrator.planner.dialogue.on_the_table import NOTHING_ASKED, in_hand, lists_openings, told_receipt
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.dialogue.written_out import Written, told_of
from orchestrator.planner.lexicon import expression, pairs, table
from orchestrator.planner.text import normalise
from orchestrator.planner.understanding import Intent
from orchestrator.planner.wishes import BODY, Wishes, find_specialties

Visits = tuple[turn.Appointment, ...]
Clinics = Sequence[turn.Clinic]


def visits_told(folded: str, session: turn.Session, clinics: Clinics, now: datetime) -> Iterator[Written]:
    """Yield what is written out of the visit that is named: "the same day as the skin one", "a das 9h"."""
    own, question = session.appointments, session.question or NOTHING_ASKED
    of_choices = question.choices and question.topic is not turn.Topic.MY_APPOINTMENTS
    rows = of_choices or session.proposal is not None or lists_openings(session)
    kinds = ["visit", *(["own", *([] if rows else ["row"])] if expression("of_one_visit").match(folded) else [])]
    for name, meant in (one for kind in kinds for one in pairs("written_out", f"{session.language}_{kind}").items()):
        for match in expression(name).finditer(folded):
            bare = expression("any_visit").fullmatch(match["who"])  # "after that" is the visit just made
            named = () if bare else visits_like(match["who"], own, session, clinics, now) or ()
            others = {one.doctor for one in own} - {one.doctor for one in named}
            if len({*named}) == 1 and (len(others) == 1 or "{OTHER}" not in meant):
                known, several = told_of(named[0]), [one.doctor for one in own].count(named[0].doctor) > 1
                of_day = f"{' of' if session.language is turn.Language.EN else ' de'} {named[0].date}" * several
                known |= {one: f"{known[one]}{of_day}" for one in ("NAME", "WHO")}
                told = meant.format(**known, OTHER=next(iter(others), ""))
                yield match.span("said" if "said" in match.groupdict() else 0), told


def in_any_week(moment: Moment, own: Sequence[turn.Appointment]) -> Moment:
    """Return a moment whose weekday is that of the visits held on one, in whatever week they are."""
    held = tuple(one.date for one in own if one.date.weekday() == moment.weekday)
    return replace(moment, dates=held) if held and moment.dates else moment


def given_up(here: Situation, own: Visits, *, every: bool) -> Visits | None:
    """Return which of some visits go: None where no several are named, none where it is not clear or only some stay."""
    going, kept, named, right = set[turn.Appointment](), set[turn.Appointment](), 0, False
    cancels, spares, unheld = every, False, False
    every = every or expression("all_others").search(here.said.text.folded) is not None
    for piece in expression("visit_after_visit").split(here.said.text.folded):
        corrects, stays = expression("corrects_visit").match(piece), expression("keeps_visit").search(piece)
        alone = expression("visit_alone").fullmatch(piece[corrects.end() if corrects else 0 :])
        goes = not stays and table("requests", Intent.CANCEL).search(piece) is not None
        names, cancels, spares = (alone or stays or goes) and own, cancels or goes, spares or bool(stays)
        tells = names and not here.said.pointer.both  # "as duas" are two, and not those at two o'clock
        like = visits_like(piece, own, here.session, here.clinics, here.now) if tells else None
        meant, unheld = {*(like or ())}, unheld or (goes and like == ())
        if named and not stays and (len(meant) > 1 or (alone and not meant)):
            return ()
        if right or (corrects and meant):
            going, every = set(), False
        right = bool(corrects and not meant) or expression("denied_at_end").search(piece) is not None
        kept, going = (kept | meant, going) if stays else (kept, going | meant)
        named += bool(meant)
    if unheld and not named:
        return ()
    left = tuple(one for one in own if one in (going or (own if every else ())) and one not in kept)
    return left if named > 1 or (spares and cancels) or (len(going) == 1 and not here.chosen) else None


def visit_alone(here: Situation, moved: turn.Appointment | None, *, timed: bool = False) -> set[turn.Appointment]:
    """Return the visits of which it is said that they are meant, `timed` also by their day: "não, a do Ricardo"."""
    text = here.said.text
    *_, piece = expression("visit_after_visit").split(text.folded)
    piece = piece[corrects.end() :] if (corrects := expression("corrects_visit").match(piece)) else piece
    if not expression("visit_alone").fullmatch(piece) or (here.said.moments and not timed):  # a day is that of the move
        return set()
    typed = text.typed(len(text.folded) - len(piece), len(text.folded))  # "clinic a" is no clinic
    session = replace(here.session, language=here.said.language)
    meant = visits_like(typed, session.appointments, session, here.clinics, here.now) or ()
    named = timed or expression("visit_itself").search(piece)
    return {one for one in meant if named or (moved and moved.clinic != one.clinic)} - {moved}


def visits_like(typed: str, held: Visits, session: turn.Session, clinics: Clinics, now: datetime) -> Visits | None:
    """Return the visits that are as a part of an utterance says, or denies: "the next one"; None where it says none."""
    who, own = normalise(typed), sorted(held, key=attrgetter("begin"))
    scanned = Wishes.scanned(who, Reference(now, session.language), clinics).alone[0].wish.widest
    codes = () if turn.specialties_named(scanned) else find_specialties(who.folded, clinics, BODY)
    seen_at = turn.AtClinics(frozenset(one.id for one in clinics if one.specialty in codes))
    wanted = turn.all_of([*turn.conditions_of(scanned), *([seen_at] if codes else [])])
    bare, place = expression("any_visit").fullmatch(who.folded), expression("which_visit").search(who.folded)
    if not (turn.axes_of(wanted) or bare or place):
        return None
    found = tuple(one for one in own if turn.fits(wanted, one))
    if (place and place["made"]) or (bare and bare["this"]):
        written = session.receipts[-1].appointment if session.receipts and (place or told_receipt(session, 2)) else None
        return tuple(one for one in found if one == written) or found
    return found if place is None else found[-1:] if place["last"] else found[:1]


def visits_meant(folded: str, session: turn.Session) -> Iterator[Written]:
    """Yield "the second one", of several visits that are held, as its doctor or its day."""
    own, question = sorted(session.appointments, key=attrgetter("begin")), session.question or NOTHING_ASKED
    listed = len(session.offers) > 1 and lists_openings(session) and not {one.slot for one in session.offers} <= {*own}
    given = table("requests", "given_back").search(folded) if len(session.offers) < 2 else None
    own += [one for one in [in_hand(session)] if given and one and one not in own]  # "bin the second one" of a card
    apart = len(own) < 2 or listed or (question.choices and question.topic is not turn.Topic.MY_APPOINTMENTS)
    said = pairs("written_out", f"phrases_{session.language}")
    for match in () if apart else expression("nth_visit").finditer(folded):
        nth = {"p": 0, "f": 0, "s": 1, "t": 2}.get((match["nth"] or match["nth_en"] or "last")[0], len(own) - 1)
        mondays = [one.date.weekday() == 0 for one in own] if match["nth"] == "segunda" else []
        if nth < len(own) and (not any(mondays) or (question.choices and not mondays[1])):
            kind = "with" if [one.doctor for one in own].count(own[nth].doctor) == 1 else "on"
            kind = "visit" if any(mondays) else kind  # the second, or that of Monday: which is asked
            told = said[kind].format(NAME=own[nth].doctor.split(" ", 1)[1], DAY=own[nth].date)
            of_card = given and own[nth] not in session.appointments
            yield ((given.start(), match.end()), said["dropped"]) if given and of_card else (match.span(), told)
