"""What words point at: a row, an hour, a price, a place, a doctor on the table, written or read as what they denote.

The rules then see an utterance that names it: "the 930 one" is an hour, "com ela" a doctor, "there" a clinic.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from itertools import zip_longest

from orchestrator import turn
from orchestrator.planner.calendar import calendar_math
from orchestrator.planner.dialogue import on_the_table, visits_named, written_out
from orchestrator.planner.dialogue.on_the_table import Shown, in_hand, just_cancelled, proposed_slot, shown_last
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.dialogue.written_out import Written, moments_in
from orchestrator.planner.lexicon import each_match, expression, numbers, pairs, sieve, spelled_numbers, table, words
from orchestrator.planner.text import Text, guess_language, normalise, respell
from orchestrator.planner.understanding import Intent, Understanding, row_said, rows_said
from orchestrator.planner.wishes import Kind, NamedDoctor, Token, find_doctors, name_words, prices_of

_ELSEWHERE = frozenset({turn.Axis.PLACE, turn.Axis.CLINIC, turn.Axis.GENDER})
_Named = tuple[re.Match[str], frozenset[str]] | None  # words that name clinics by what was said before, and their ids


def spelled_out(utterance: str, session: turn.Session, clinics: Sequence[turn.Clinic], now: datetime) -> str:
    """Return an utterance with what points at the table, or at a day named before, written as what it denotes."""
    served = name_words(session.identity.name) if session.operator is not None else ()
    text = normalise(utterance)
    text = respell(text, {f"{one}{end}": f"served{end}" for one in served for end in ("", "'s")}) if served else text
    session = replace(session, language=guess_language(text, session.language, first=not session.history))
    if (session.offers or session.proposal) and (right := written_out.right_alone(text, now, session)) is not None:
        utterance, text = right, normalise(right)
    held, card = session.appointments, proposed_slot(session)
    shown = len(held) == 1 and session.question is not None and session.question.topic is turn.Topic.MY_APPOINTMENTS
    booked = held[-1] if held and (shown or on_the_table.told_receipt(session, 4)) else None
    found = [*_hours_meant(text.folded, session)]
    found += written_out.answered(text, session, clinics, now)
    if held or card or session.history or session.offers or session.asked or served:
        found += written_out.beside(text.folded, session, card or booked)
    above = on_the_table.named_above(session)
    found += _days_meant(text, now, session, card or just_cancelled(session) or above or booked)
    found += written_out.of_two(text.folded, session) if len(session.offers) > 2 else ()
    if held:
        found += visits_named.visits_told(text.folded, session, clinics, now)
        found += visits_named.visits_meant(text.folded, session)
    for one in expression("row_changed").finditer(text.folded):
        for row in (offer for offer in session.printed if offer.number == row_said(one["said"])):
            later, week = row.date + timedelta(days=7), calendar_math.week_of(row.date + timedelta(days=7))
            told = f"{later} {turn.clock(row.time)}" if one["later"] else f"{week.first} - {week.last}"
            found.append((one.span(), f"{row.doctor} {told if one['later'] or one['week'] else ''}"))
    on_table = session.printed and (card or on_the_table.lists_openings(session))
    found += written_out.rows_refused(text.folded, session) if on_table else ()
    beside = card or (session.proposal is None and on_the_table.told_receipt(session, 2))
    apart = {"told_beside": not beside, "in_the_day": session.proposal is None and above is None}
    of_slot = bool(session.offers or session.proposal) and in_hand(session) is not None  # "muito tarde" is said of it
    against = of_slot and any(expression(one).search(text.folded) for one in ("slot_too_late", "slot_too_early"))
    apart |= dict.fromkeys(words("of_openings", "written_out"), not (session.offers or session.proposal))
    apart |= {"complained_late": of_slot, "complained_early": of_slot, "hour_refused": against}
    written = pairs("written_out", session.language)
    for name, way in sieve(tuple(written)).tries(text.folded):
        for one in () if apart.get(name) else way.finditer(text.folded):
            found.append((one.span("said"), one.expand(written[name])))
    found += written_out.rows_by_place(text.folded, session, now) if session.printed else ()
    for span, meant in sorted(dict(found).items(), reverse=True):
        if any(one != span and one[0] <= span[0] and span[1] <= one[1] for one, _ in found):
            continue  # within what is written out as a whole
        start, end = text.original_span(*span)
        utterance = f"{utterance[:start]}{meant}{utterance[end:]}"
    return utterance


def _hours_meant(folded: str, session: turn.Session) -> Iterator[Written]:
    card = session.proposal.plan.steps[0].taken if session.proposal is not None else None
    if card is None and shown_last(session) not in {Shown.OPENINGS, Shown.QUESTION}:
        return
    near = card or in_hand(session)
    corrects = near is not None and table("references", "slip").search(folded) is not None
    shown = {number for one in session.offers for number in (one.number, one.date.day)}
    by_hour = expression("number_suits").fullmatch(folded) is not None  # "3pm?", and then "3 is fine"
    by_hour = by_hour and turn.Axis.TIME in turn.axes_of(on_the_table.list_wish(session).widest)
    for match in expression("minute_alone").finditer(folded):  # "the one at quarter past"
        at = {one.time for one in session.offers if f"_{one.time:%M}" == match.lastgroup}
        yield from ((match.span(), turn.clock(one)) for one in at if len(at) == 1)
    for match in each_match("hour_alone", folded):
        hour = int(spelled_numbers().get(match["hour"], match["hour"]))
        halves = [time((hour + half) % 24, int(match["minute"] or 0)) for half in (0, 12)]
        open_then = [one for one in session.offers if one.time in halves]
        of_day = [one for one in open_then if corrects and card and one.date == card.date]
        hours = {one.time for one in of_day or open_then}
        # "2" of one row, which is none, is asked about.
        alone = card is None and match.group() == folded and hour <= len(session.offers) + 1
        hours = {at for at in hours if at == halves[0]} if alone and match["minute"] is None else hours
        is_hour = corrects or (by_hour and not alone) or bool(expression("day_behind").match(folded, match.end()))
        is_hour = is_hour or bool(expression("down_for").search(folded[: match.start("said")]))
        if day := match.groupdict().get("day"):  # "Thursday 3", which is the 3rd where that day is listed, too
            weekday = next(n for name, n in numbers("memories", "weekdays").items() if name.startswith(day[:3]))
            of_day = [one for one in session.offers if one.date.weekday() == weekday]
            hours, is_hour = {one.time for one in of_day} & {*halves}, hour not in {one.date.day for one in of_day}
        if not (is_hour and hours) and match["minute"] is None and hour in shown:
            continue
        if len(hours) != 1 and near and (corrects or "?" in folded or (card and match.group() == folded)):
            hours = {min(halves, key=lambda at: abs(at.hour - near.time.hour))}
        if len(hours) == 1:
            yield match.span("said"), turn.clock(hours.pop())


def _days_meant(text: Text, now: datetime, session: turn.Session, beside: turn.Appointment | None) -> Iterator[Written]:
    asked = session.question.known.get("asked_date") if session.question is not None else None
    yield from ((one.span(), asked) for one in expression("that_day").finditer(text.folded) if asked)
    for match in expression("around_day").finditer(text.folded):
        for named in (one.dates[0] for one in moments_in(match["day"], now, session)[:1] if one.dates):
            first, last = ((named + timedelta(days=way)).isoformat() for way in (-2, 2))
            yield match.span(), f"{first} - {last}"
    for match in expression("part_of_week").finditer(text.folded):
        if beside is None:
            break
        earlier = re.search(r"earl|soon|start|begin|come|inic|cedo|antes", match.group())
        days = [calendar_math.week_of(beside.date).first + timedelta(days=n) for n in range(6)]
        days = [day for day in days if (day < beside.date if earlier else day > beside.date) and day >= now.date()]
        if days:
            yield match.span(), (" or " if session.language is turn.Language.EN else " ou ").join(map(str, days))
    for match in each_match("nth_day", text.folded):
        weekdays = {one.weekday for one in moments_in(match["day"], now, session)}  # none in "on the first day"
        shown = session.offers if weekdays else session.printed
        days = sorted({one.date for one in shown if not weekdays or one.date.weekday() in weekdays})
        nth = {"f": 0, "p": 0, "1": 0, "s": 1, "2": 1, "t": 2, "3": 2}.get(match["nth"][0], len(days) - 1)
        if len(weekdays) < len(days) > nth:
            yield match.span(), days[nth].isoformat()
    for match in each_match("day_after", text.folded):
        said = [one.date for one in moments_in(text.typed(0, match.start()), now, session) if one.date is not None]
        day, groups = said[-1] if said else beside.date if beside else None, match.groupdict()
        if day is not None and (said or groups.get("day")):
            day = calendar_math.week_of(day).first - timedelta(days=1) if groups.get("week") else day
            weekday = moments_in(groups["day"], now, session)[0].weekday if groups.get("day") else None
            ahead = 1 if weekday is None else (weekday - day.weekday() - 1) % 7 + 1
            yield match.span(), (day + timedelta(days=ahead - 7 * ("before" in groups) or -7)).isoformat()


def with_row(said: Understanding, session: turn.Session) -> Understanding:
    """Return an utterance that is nothing but rows of what was shown last as those: "the first" is no day then."""
    match shown_last(session):
        case Shown.CHOICES:
            rows = {row for row, _ in enumerate((session.question or on_the_table.NOTHING_ASKED).choices, 1)}
            weekdays, days = frozenset(range(7)), frozenset[int]()
        case Shown.PROPOSAL | Shown.OPENINGS:
            taken = [step.taken for step in session.proposal.plan.steps] if session.proposal is not None else []
            if taken and not {*filter(None, taken)} <= {offer.slot for offer in session.offers}:
                return said  # what is proposed is of no list
            rows = {offer.number for offer in session.printed}
            # "A segunda" is a row of a list of Mondays only, and "the 3rd" the third row where that is on the 3rd.
            listed = frozenset(offer.date.weekday() for offer in session.offers)
            weekdays = listed - {one.date.weekday() for one in taken if one} if len(listed) > 1 else frozenset()
            days = frozenset(offer.date.day for offer in session.offers)
            days -= {offer.number for offer in session.offers if offer.number == offer.date.day}
        case _:
            return said
    row = row_said(said.text.folded, weekdays, days)
    if len(rows) > 1 and session.proposal is None and expression("earlier_row").fullmatch(said.text.folded):
        row = min(session.printed, key=lambda one: one.slot.begin, default=session.offers[0]).number
    named = (row,) if row is not None and row in rows else rows_said(said.text.folded, rows)
    if not named:
        return said
    if str(named[0]) in said.text.folded and expression("number_suits").fullmatch(said.text.folded):
        hours = {time(hour % 24) for hour in (named[0], named[0] + 12)}
        if not hours.isdisjoint(one.time for one in session.printed):  # "3 is fine", of a row that is not the third
            return replace(said, pointer=replace(said.pointer, numbers=(), choosing=False, taking=False))
    pointer = replace(said.pointer, numbers=named, perhaps=(), earliest=False, latest=False)
    either = tuple(token for token in said.wishes.tokens if token.kind is Kind.OR)
    wishes = replace(said.wishes, tokens=either, unread=(), unsure=False)
    return replace(said, moments=(), shift=None, pointer=pointer, wishes=wishes)


def with_place(said: Understanding, session: turn.Session) -> Understanding:
    """Return an utterance with what only the conversation makes a clinic: "lá", "the 310 one", "longe demais"."""
    named, far = on_the_table.by_price(said, session), _refused_as_far(said, session)
    named = named if named or far else _there(said, session)
    tokens = [Token(Kind.NOT, far[0].start(), far[0].start(), "not")] if far else []
    before = said.wishes.tokens
    if named:  # "just that clinic" is not also that of the list
        before = tuple(one for one in before if (one.kind, one.axis) != (Kind.SAME, turn.Axis.CLINIC))
    for match, clinic in filter(None, (named, far)):
        if match.lastgroup == "other":  # another clinic, and no other opening
            before = tuple(one for one in before if one.kind is not Kind.OTHER)
        if match.lastgroup in {"other", "bare"}:  # which need not be the cheapest, or within what was to be paid
            tokens.append(Token(Kind.FREEING, match.start(), match.start(), axis=turn.Axis.PRICE))
        tokens.append(Token(Kind.CONDITION, *match.span(), match.group(), turn.AtClinics(clinic)))
    if not tokens:
        return said
    wishes = said.wishes.with_tokens(*before, *tokens)
    return replace(said, wishes=wishes, clinics=() if named is None else tuple(sorted(named[1])))


def _there(said: Understanding, session: turn.Session) -> _Named:
    """Return the clinics that an answer came to, or that of the openings where another doctor of it is wanted: "lá"."""
    asked, place, slot = session.asked, expression("there").search(said.text.folded), proposed_slot(session)
    if asked is not None and (session.proposal is None or (slot is not None and not asked.beside)):
        that, of_list = expression("that_place").search(said.text.folded), asked.beside or slot  # whose "esse" is a row
        place = that if (place is None and not of_list) or (that and that["other"]) else place
    if place is None or said.clinics or turn.Axis.PRICE in said.wishes.named:  # the cheaper one is none of these
        return None
    told, meant = said.wishes.named | said.wishes.alone[0].freed, frozenset[str]()  # "any of the doctors there"
    if asked is not None:
        asked = asked if slot is None or place.lastgroup != "other" else turn.FactQuestion((), (slot.clinic,))
        meant = answered_with(asked, said.wishes.clinics, other=place.lastgroup == "other")  # than that of the card
    elif (said.pointer.other_doctor or turn.Axis.GENDER in told) and not said.doctors.found:
        booked = on_the_table.told_receipt(session, 2) and session.appointments[-1:]
        meant = frozenset(one.clinic for one in ([slot] if slot is not None else booked or session.offers))
    return (place, meant) if len(meant) == 1 or (meant and place.lastgroup in {"only", "alone"}) else None


def answered_with(asked: turn.FactQuestion, clinics: Sequence[turn.Clinic], *, other: bool = False) -> frozenset[str]:
    """Return the clinics asked about that an answer came to, being as it was asked, or the others of the specialty."""
    codes = {one.specialty for one in clinics if one.id in asked.clinics}
    alike = frozenset(one.id for one in clinics if one.specialty in codes)
    stating = [one.clinics for one in asked.wanted if one.clinics]
    stating += [frozenset(one.id for one in clinics if one.stated(fact)) for fact in asked.facts if fact == "parking"]
    meant = frozenset(asked.clinics).intersection(*stating)
    if stating and not meant:  # "the one that does", where the clinics asked about do not
        meant = alike.intersection(*stating)
    if any(one.axis is turn.Axis.PRICE for one in asked.wanted):  # the cheapest of them was told
        prices = prices_of(one for one in clinics if one.id in meant)
        meant = frozenset(one.id for one, cents in prices.items() if cents == min(prices.values()))
    return alike - meant if other else meant


def _refused_as_far(said: Understanding, session: turn.Session) -> _Named:
    """Return the clinic on the table as refused, where it is said to be too far and no place or day is named."""
    far = expression("too_far").search(said.text.folded) if session.offers or session.proposal else None
    if far is None:
        return None
    slot, shown = proposed_slot(session), shown_last(session)
    ids = {slot.clinic} if slot is not None else {one.clinic for one in session.offers if shown is Shown.OPENINGS}
    told = said.moments or said.wishes.refused or {turn.Axis.PLACE, turn.Axis.CLINIC} & said.wishes.named
    return None if told or len(ids) != 1 else (far, frozenset(ids))


def with_doctor(here: Situation) -> Understanding:
    """Return the utterance with "com ela", "his first" as the doctor; "forget her" may speak of a relative."""
    said, tokens = here.said, here.said.wishes.tokens
    leaning = [one for one in tokens if one.kind is Kind.SAME and one.axis is turn.Axis.DOCTOR]
    by_title = re.search(r"\b(?:doctor|dr|doutora?|medic[oa])\b", said.text.folded)  # "me then, same doctor"
    if here.question.for_whom is not None and not by_title and table("wishes", "for_me").search(said.text.folded):
        ends = {one.start for one in leaning}
        kept = [one for one, after in zip_longest(tokens, tokens[1:]) if not ends & {one.start, after and after.start}]
        return replace(said, wishes=said.wishes.with_tokens(*kept)) if leaning else said
    spans = [(one.start, one.end) for one in leaning]
    spans += [one.span() for one in table("references", "same_doctor").finditer(said.text.folded)]
    slot = in_hand(here.session) if Intent.MOVE in said.cues.intents and not _ELSEWHERE & said.wishes.named else None
    if slot is not None and said.specialties == (here.specialty_of(slot.clinic),) and not said.pointer.other_doctor:
        spans += [(one.start, one.end) for one in tokens if isinstance(one.wanted, turn.OfSpecialty)]  # of a card
    if (other := on_the_table.other_of_two(here.session, said.text.folded)) is not None:
        spans = [one.span() for one in table("references", "other").finditer(said.text.folded)]
        said = replace(said, pointer=replace(said.pointer, other=False, other_doctor=False))
    doctor = here.doctor_called(other) if other else None
    if spans and doctor is None:
        doctor = doctor_meant(here, " ".join(said.text.folded[start:end] for start, end in spans))
    if doctor is None or said.doctors.found:
        return said
    named = turn.WithDoctors(frozenset({doctor.name}))
    rest = [one for one in tokens if one not in leaning and not (other and one.kind is Kind.OTHER)]
    start, end = spans[0]
    wishes = said.wishes.with_tokens(*rest, Token(Kind.CONDITION, start, end, said.text.folded[start:end], named))
    kin = expression("own_relative").search(said.text.folded)  # else "book her at 10" is of the doctor
    whom = said.for_whom if kin or not said.for_whom or said.for_whom.start not in range(start, end) else None
    doctors = said.doctors if wishes.denied else replace(said.doctors, found=(doctor,), spans=((start, end),))
    return replace(said, wishes=wishes, doctors=doctors, for_whom=whom)


def doctor_meant(here: Situation, words: str = "") -> NamedDoctor | None:
    """Return the doctor of the open question, of all that was shown, or of what was written last, of that gender."""
    woman = None if not (match := expression("of_gender").search(words)) else match["woman"] is not None
    session, offers = here.session, here.session.offers
    written = (*session.appointments[-1:], *filter(None, [just_cancelled(session)]))
    shown = {one.doctor for one in here.at_every_moment(offers) or offers if woman in {None, turn.is_woman(one.doctor)}}
    card = () if here.proposed is None else (here.proposed.doctor,)
    before = {one.doctor for one in session.known_openings}
    # "Get me in with him", of a doctor who was only named, or of the two who were compared.
    heard = [find_doctors(normalise(one.utterance), here.clinics).found for one in reversed(session.history[-2:])]
    told = [[one.name for one in found if woman in {None, turn.is_woman(one.name)}] for found in heard]
    alone, compared = [names[0] for names in told if len(names) == 1], any(len(found) > 1 for found in heard)
    names = [*card, here.known.get("doctor", ""), *(alone if compared else ()), *(shown if len(shown) == 1 else ())]
    names += [*(one.doctor for one in written), *(before if len(before) == 1 else ()), *alone]
    named = (one for one in names if woman in {None, turn.is_woman(one)})
    return next((doctor for name in named if (doctor := here.doctor_called(name)) is not None), None)


def compares(here: Situation) -> bool:
    """Return whether several doctors or clinics are named: "who can see me sooner, A or C, and who is cheaper?"."""
    return len(here.doctors) > 1 or len(here.said.clinics) > 1


def goes_back_to(here: Situation, kept: turn.Appointment) -> bool:
    """Return whether what was proposed before is named again, or what else was wanted let go: "forget the mole"."""
    said, wanted = here.said, here.said.wishes.alone[0].wish.filter
    others = {*said.specialties, *said.complaints, *said.body} - {here.specialty_of(kept.clinic)}
    named = others or (turn.axes_of(wanted) and turn.fits(wanted, kept))
    return bool(named) and here.says("patterns", "wish_dropped" if others else "back_to")
