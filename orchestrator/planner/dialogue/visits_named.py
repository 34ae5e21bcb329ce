"""Write out a visit that is held, where it is named, as its doctor or its day: "the skin one", "the second one"."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from operator import attrgetter

from orchestrator import turn
from orchestrator.planner.dialogue.on_the_table import NOTHING_ASKED, in_hand, lists_openings
from orchestrator.planner.dialogue.written_out import Written, moments_in, told_of
from orchestrator.planner.lexicon import expression, pairs, table
from orchestrator.planner.text import normalise
from orchestrator.planner.wishes import BODY, doctors_of, find_clinics, find_specialties, name_words


def visits_told(folded: str, session: turn.Session, clinics: Sequence[turn.Clinic], now: datetime) -> Iterator[Written]:
    """Yield what is written out of the visit that is named: "the same day as the skin one", "a das 9h"."""
    specialties, own = {one.id: one.specialty for one in clinics}, session.appointments
    question = session.question or NOTHING_ASKED
    of_choices = question.choices and question.topic is not turn.Topic.MY_APPOINTMENTS
    rows = of_choices or session.proposal is not None or lists_openings(session)
    kinds = ["visit", *(["own", *([] if rows else ["row"])] if expression("of_one_visit").match(folded) else [])]
    for name, meant in (one for kind in kinds for one in pairs("written_out", f"{session.language}_{kind}").items()):
        for match in expression(name).finditer(folded):
            who = match["who"]
            codes = find_specialties(who, clinics) or find_specialties(who, clinics, BODY)
            ids = find_clinics(normalise(who), clinics)[0]
            named = [one for one in own if specialties.get(one.clinic) in codes or one.clinic in ids]
            said = {*who.split()} & {word for one in doctors_of(clinics) for word in name_words(one.name)}
            named += [one for one in own if said and said <= {*name_words(one.doctor)}]
            when = moments_in(who, now, session)[:1]
            named += [one for one in own for it in when if one.date.weekday() == it.weekday]
            named += [one for one in own for it in when if it.matches(one.date, one.time)]
            named += [one for one in own if not when and str(one.date.day) in re.findall(r"\d+", who)]
            others = {one.doctor for one in own} - {one.doctor for one in named}
            if len({*named}) == 1 and (len(others) == 1 or "{OTHER}" not in meant):
                known, several = told_of(named[0]), [one.doctor for one in own].count(named[0].doctor) > 1
                of_day = f"{' of' if session.language is turn.Language.EN else ' de'} {named[0].date}" * several
                known |= {one: f"{known[one]}{of_day}" for one in ("NAME", "WHO")}
                told = meant.format(**known, OTHER=next(iter(others), ""))
                yield match.span("said" if "said" in match.groupdict() else 0), told


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
