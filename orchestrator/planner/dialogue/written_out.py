"""Write out what is said of a slot or a visit as its day and hours: "the week after", "same day as the skin one"."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta

from orchestrator import turn
from orchestrator.planner.calendar import Moment, minute_beside, read_moments, week_of
from orchestrator.planner.dialogue import on_the_table
from orchestrator.planner.lexicon import each_match, expression, pairs, patterns, sieve, words
from orchestrator.planner.text import Text, normalise
from orchestrator.planner.understanding import row_said, rows_said
from orchestrator.planner.wishes import name_words
from orchestrator.texts import texts_in

_WAY_MIN = 90  # from the beginning of one visit to that of another: half an hour there, and the way
_STEM = 5  # letters that two forms of a word share: "pedalo", "pedalar"
_VALUES = ("value_dates", "value_days", "value_hours", "value_hour", "value_part", "value_plan")
_PLACES = {"first": 0, "second": 1, "third": 2, "second_last": -2, "third_last": -3, "nearest": 0}
_OF_NAMES = (turn.Topic.ASK_WHICH_DOCTOR, turn.Topic.ASK_WHICH_APPOINTMENT, turn.Topic.MY_APPOINTMENTS)
Written = tuple[tuple[int, int], str]  # where something stands in the folded text, and what is written for it


def beside(folded: str, session: turn.Session, near: turn.Appointment | None) -> Iterator[Written]:
    """Yield what is written out of what an utterance is said beside: slots, `near` among them, visits and days."""
    for kind, values in (_slots_beside(session, near) | _days_beside(session) | _rows_beside(folded, session)).items():
        meant = pairs("written_out", f"{session.language}_{kind}")
        for name, way in sieve(tuple(meant)).tries(folded):
            yield from ((one.span(), one.expand(meant[name].format(**values))) for one in way.finditer(folded))


def _slots_beside(session: turn.Session, near: turn.Appointment | None) -> dict[str, dict[str, object]]:
    """Return what is known of the one slot on the table, the visit that was just booked, and the only one held."""
    only_visit = held[0] if len(held := session.appointments) == 1 else None
    on_table = session.proposal is not None or on_the_table.lists_openings(session)
    slots = {"in_hand": on_the_table.in_hand(session), "beside": near, "only_visit": only_visit}
    card = session.proposal.plan.steps[0] if session.proposal is not None else None
    slots["put_off"] = (card.taken or card.given_back) if card is not None and card.given_back else None
    known_kept = (session.question or on_the_table.NOTHING_ASKED).known
    if "kept_doctor" in known_kept and (kept := on_the_table.moment_noted(known_kept, "kept_").slot) is not None:
        slots["kept"] = turn.Appointment("", known_kept["kept_doctor"], *kept)
    slots["moved"] = None if on_table or not session.receipts else session.receipts[-1].original
    slots["held_alone"] = None if on_table else only_visit
    slots["just_booked"] = None if on_table or near not in held else near
    return {kind: told_of(slot) for kind, slot in slots.items() if slot is not None}


def _rows_beside(folded: str, session: turn.Session) -> dict[str, dict[str, object]]:
    """Return the rows before and behind the slot on the table; what is later is behind the last, or asked about."""
    slot = on_the_table.in_hand(session) or on_the_table.named_above(session)
    if slot is None:
        return {}
    printed = [one.slot for one in session.printed]
    rows = printed if slot in printed else [one.slot for one in session.offers]
    place = rows.index(slot) if slot in rows else len(rows)
    known = {"row_before": told_of(rows[place - 1])} if 0 < place < len(rows) else {}
    follows = place + 1 < len(rows) and (session.proposal is not None or "?" not in folded)
    return known | ({"row_behind": told_of(rows[place + 1])} if follows else {"later": {}})


def _days_beside(session: turn.Session) -> dict[str, dict[str, object]]:
    """Return what is known of the days that are listed or were looked for, and of those on which somebody is away."""
    shown = sorted({one.date for one in session.offers})
    known: dict[str, dict[str, object]] = {"list": {"DAYS": ", ".join(map(str, shown))}}  # "nesses dias"
    known |= {"none_held": {}} if told_none(session) else {}
    known |= {"rows": {}} if not session.appointments and on_the_table.lists_openings(session) else {}
    if len(shown) > 1 and len({day.weekday() for day in shown}) == 1:
        known["weekday"] = {"FIRST": shown[0], "SECOND": shown[1]}
    known |= {"day": told_of(session.offers[0].slot)} if len(shown) == 1 else {}
    known |= {"told": {}} if session.asked is not None and not session.offers and session.proposal is None else {}
    known |= {"served": {}} if session.operator is not None else {}
    known |= {"for_another": {}} if (session.question or on_the_table.NOTHING_ASKED).for_whom else {}
    if session.asked is not None and session.asked.clinics[1:]:
        known["asked"] = dict(zip(("FIRST", "SECOND"), session.asked.clinics, strict=False))
    for part in turn.conjuncts(on_the_table.list_wish(session).filter):
        kind, days = ("away", part.part) if isinstance(part, turn.Not) else ("week", part)
        spans = turn.spans_of(days) if isinstance(days, turn.OnDates) else ()
        if len(spans) == 1 and 0 < (spans[0].last - spans[0].first).days < (7 if kind == "week" else 90):
            week, (first, last) = week_of(spans[0].last), (spans[0].first, spans[0].last)
            known[kind] = {"UNTIL": first - timedelta(days=1), "FROM": last + timedelta(days=1)}
            known[kind] |= {"NEXT_FROM": week.first + timedelta(days=7), "NEXT_TO": week.last + timedelta(days=7)}
    return known


def answered(text: Text, session: turn.Session, clinics: Sequence[turn.Clinic], now: datetime) -> Iterator[Written]:
    """Yield what answers the open question: whose row is named, with what is behind it, or which of the days."""
    question, phrases, whole = session.question, f"phrases_{session.language}", (0, len(text.folded))
    if question is None or not (question.choices or "days" in question.known) or session.proposal is not None:
        return
    names, of_doctors = [one.partition(",")[0] for one in question.choices], question.topic is _OF_NAMES[0]
    row = next(each_match("row_answered", text.folded), None) if question.topic in _OF_NAMES else None
    number = (row_said(text.folded) or row_said(f"a {text.folded}")) if of_doctors else None  # "segunda" is no Monday
    span = whole if number or row is None else row.span("row")
    number = number or (row and (row_said(row["row"]) or (1 if row["first"] else len(names)))) or 0
    for name in names[number - 1 : number] if of_doctors or len(names) == len({*names}) else ():
        there = [one.name for one in clinics if name in one.doctors][names[:number].count(name) - 1]
        visit = pairs("written_out", phrases)["with"].format(NAME=name.partition(" ")[2])
        yield span, (f"{name}, {there}" if names.count(name) > 1 else name) if of_doctors else visit
    days, number = question.known.get("days", "").split(), row_said(text.folded)
    day = pairs("written_out", phrases)["on_day"]
    if "days" in question.known and number and re.search(r"\d", text.folded):
        yield whole, day.format(DAY=number)
    for one in moments_in(text.original, now, session) if days and not number else ():
        meant = [it for it in map(date.fromisoformat, days) if it.weekday() == one.weekday]
        yield from (((one.start, one.start), f"{day.format(DAY=it.day)} ") for it in meant)


def of_two(folded: str, session: turn.Session) -> Iterator[Written]:
    """Yield "the later of the two", said of more rows, as the one of their two hours, or else of their two days."""
    for match in expression("of_two").finditer(folded):
        ways = {turn.clock(one.time) for one in session.offers}, {one.date.isoformat() for one in session.offers}
        pairs_of_two = [sorted(one) for one in ways if len(one) == 2]
        yield from ((match.span(), pair[match["later"] is not None]) for pair in pairs_of_two[:1])


def told_none(session: turn.Session) -> bool:
    """Return whether the reply right before told that the person holds no appointment."""
    told = texts_in(session.language).text("responder.topics.no_appointments")
    return any(told in one.reply for one in session.history[-1:])


def shows_others(session: turn.Session) -> bool:
    """Return whether a list is on the table in which nothing is as it was wanted: it shows what is nearest to it."""
    wish = on_the_table.list_wish(session).widest
    return on_the_table.lists_openings(session) and not any(turn.fits(wish, one) for one in session.offers)


def rows_by_place(folded: str, session: turn.Session, now: datetime) -> Iterator[Written]:
    """Yield a row by its place among those of the day and doctor named with it as its number, 0 where there is none."""
    for match in each_match("row_by_place", folded):
        [(place, said)] = match.groupdict().items()
        rest, shown = folded.replace(said, " ", 1), session.printed
        moments, named = moments_in(rest, now, session), {*re.findall("[a-z]{2,}", rest)}
        rows = [one for one in shown if all(when.matches(one.date, one.time) for when in moments)]
        rows = rows or [one for one in shown if all(when.weekday == one.date.weekday() for when in moments)]
        rows = [one for one in rows if one.date == rows[0].date or not re.search("first day|primeiro dia", rest)]
        rows = [one for one in rows if not named.isdisjoint(name_words(one.doctor))] or rows
        rows = sorted(rows, key=lambda one: one.slot.begin) if expression("by_hour").search(said) else rows
        at = len(rows) // 2 if place == "middle" and len(rows) % 2 else _PLACES.get(place, len(rows))
        if rows and (place != "nearest" or shows_others(session)):
            yield match.span(), f"item {rows[at].number if -len(rows) <= at < len(rows) else 0} "


def told_of(slot: turn.Appointment) -> dict[str, object]:
    """Return what may be written of a slot: who, its day and hours, and those around it."""
    times = {"THERE": -_WAY_MIN, "HOUR_BACK": -60, "AT": 0, "END": turn.USUAL_MIN, "HOUR_ON": 60, "BACK": _WAY_MIN}
    days = {"BACK_5": -5, "PREVIOUS": -1, "DAY": 0, "NEXT": 1, "IN_2": 2, "IN_3": 3, "IN_5": 5, "WEEK_ON": 7}
    known = {"WHO": slot.doctor, **{name: slot.date + timedelta(days=ahead) for name, ahead in days.items()}}
    known |= {"MON": week_of(slot.date).first, "SUN": week_of(slot.date).last, "NAME": slot.doctor.partition(" ")[2]}
    return known | {name: turn.clock(minute_beside(slot.time, way)) for name, way in times.items()}


def rows_refused(folded: str, session: turn.Session) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the day and hour of rows that are not wanted: "anything but the last", "esquece o 2"."""
    refuses, shown = "não" if session.language is turn.Language.PT else "not", {it.number: it for it in session.printed}
    waiting = (session.question or on_the_table.NOTHING_ASKED).waiting  # "drop the second" is of these
    cards = () if session.proposal is None else (*session.proposal.plan.steps, *waiting)
    for one in each_match("row_refused", folded):
        parts, said = one.groupdict(), re.split(r",? (?:e|and) |, ", one["said"])
        rows = [max(shown) if re.search(r"last|ultim", row) else row_said(row) for row in said]
        meant = [shown[row] for row in rows_said(one["said"], shown) or rows if row in shown]
        slots = [f"{'' if 'hour' in parts else f'{it.doctor} {it.date}'} {turn.clock(it.time)}" for it in meant]
        refused = [f"{refuses} {slot}" for slot in slots if "instead" not in parts]  # "esquece o 2, quero o 3"
        if slots and (not cards or (len(cards) == 1 and one.end() == len(folded))):
            yield (one.span("let_go"), ", ".join(refused)) if "let_go" in parts else (one.span("said"), slots[0])


def right_alone(text: Text, now: datetime, session: turn.Session) -> str | None:
    """Return "not the 2nd, the 9th" or "not this Saturday, the next" as what is right; the wrong is not refused."""
    rightly = pairs("written_out", f"phrases_{session.language}")["correcting"]
    if this := next(each_match("not_this", text.folded), None):
        return f"{rightly}, {text.typed(0, this.end('right'))}"
    begin = lead.end() if (lead := expression("correction").match(text.folded)) else 0
    names = ("not_but", "day_then_next", "row_then_next", *(["hour_spoilt"] if session.proposal is not None else []))
    ways = [one for name in names for one in patterns("patterns", name)]
    match = next((found for start in (0, begin) for one in ways if (found := one.fullmatch(text.folded, start))), None)
    if match is None:
        return None
    beside = on_the_table.in_hand(session)
    if match["next"] is None:
        right = text.typed(*match.span("right"))
    else:
        wrong = moments_in(text.typed(*match.span("wrong")), now, session)
        coming = [day for one in wrong for day in one.dates]
        coming = [beside.date] if beside and wrong and beside.date.weekday() == wrong[0].weekday else coming
        if not coming:
            return None
        said, behind = match.groupdict(default=""), text.typed(match.end("next"), match.end())
        right = f"{said.get('lead', '')} {coming[0] + timedelta(days=7)} {behind} {said.get('hour', '')}".rstrip()
    return f"{rightly}, {right}"


def moments_in(typed: str, now: datetime, session: turn.Session) -> tuple[Moment, ...]:
    """Return the days and hours that a part of an utterance names."""
    return read_moments(normalise(typed), now, session.language)


def of_notes(text: Text, session: turn.Session) -> Text:
    """Return a text with what notes tell in place of "perto de casa", "na minha folga", and of an exception of them."""
    if session.offers and session.proposal is None and expression("permitted_list").search(text.folded):
        return normalise(pairs("written_out", f"phrases_{session.language}")["shown_again"])
    if note := note_moved(text.folded, session.recalled):
        noted, kinds = normalise(note), map(expression, ("days_of_note", "hours_of_note"))
        left = [None if kind.search(text.folded) else kind.search(noted.folded) for kind in kinds]
        return normalise(" ".join((text.original.rstrip(".! "), *(noted.typed(*one.span()) for one in left if one))))
    if (near := expression("near_own_place").search(text.folded)) is None:
        return without_reason(text, session.language)
    kind, (start, end) = str(near.lastgroup)[:4], text.original_span(*near.span())
    found = [it for note in session.recalled for it in expression("own_place").finditer(normalise(note.content).folded)]
    found = [one for one in found if one[kind]] or [one for one in found if kind == "free" and one["vaca"]]
    lead = pairs("written_out", "note_leads").get(near.lastgroup or "", "") if found and not found[0]["vaca"] else ""
    told = [f"{lead} {one[one.lastgroup or 0]}".lstrip() for one in found[:1]]
    return normalise(f"{text.original[:start]}{told[0]}{text.original[end:]}") if told else text


def without_reason(text: Text, language: turn.Language) -> Text:
    """Return a text in which only "dessa vez" is left of why a day is free on which a note keeps somebody."""
    if (why := next(each_match("excused", text.folded), None)) is None:
        return text
    (start, end), once = text.original_span(*why.span("said")), pairs("written_out", f"phrases_{language}")["this_once"]
    return normalise(f"{text.original[:start]}{once}{text.original[end:]}")


def was_of_its_day(session: turn.Session) -> bool:
    """Return whether the turn before told why its day alone is free, and so the hours that were wanted of it."""
    told = [normalise(one.utterance) for one in session.history[-1:] if session.recalled]
    return any(without_reason(one, session.language) is not one for one in told)


def note_moved(folded: str, notes: Sequence[turn.Memory]) -> str | None:
    """Return the note of what is now at another time, "now I have yoga on Fridays"; of a treatment it has no name."""
    moved, told = expression("moved").search(folded), {one.content: normalise(one.content).folded for one in notes}
    found = [one for one in told if moved and subjects_of(moved["part"]) & subjects_of(told[one])]
    unnamed = expression("cannot_then").match if moved and moved["unnamed"] and not found else None
    found += [one for one in told if unnamed and unnamed(told[one])]
    return found[0] if len(found) == 1 else None


def subjects_of(folded: str) -> frozenset[str]:
    """Return what a text is about: the words that name something, one word for each subject."""
    one_word, small = pairs("memories", "subjects"), words("no_subject", "memories") | words("small", "own_words")
    kept, said = frozenset(one_word.values()), expression("subject").findall(folded)
    return frozenset(one_word.get(word, word if word in kept else word[:_STEM]) for word in said if word not in small)


def put_right(said: Text, session: turn.Session) -> tuple[turn.Memory, str] | None:
    """Return a note and how it is right: with what is said in the place of a value of it, "now it's Thursdays"."""
    for match in each_match("now_instead", said.folded) if session.recalled else ():
        old, kind = match["old"], next((one for one in _VALUES if expression(one).fullmatch(match["new"])), None)
        way = expression(kind or "value_place")
        told = [(note, text) for note in session.recalled for text in (normalise(note.content),)]
        told = [one for one in told if not old or subjects_of(old) & subjects_of(one[1].folded)]
        spots = [(note, text, one) for note, text in told for one in way.finditer(text.folded) if kind or old]
        sure = old or kind == "value_dates" or (kind == "value_days" and match["new"].endswith("s"))
        if len(spots) == 1 and (sure or not (session.offers or session.proposal or session.appointments)):
            note, text, spot = spots[0]
            (start, end), new = text.original_span(*spot.span()), said.typed(*match.span("new"))
            new = f"{new.rstrip('sS')}{'s' * spot[0].endswith('s')}" if kind == "value_days" else new
            return note, f"{note.content[:start]}{new}{note.content[end:]}"
    return _day_put_right(said, session.recalled)


def _day_put_right(said: Text, notes: Sequence[turn.Memory]) -> tuple[turn.Memory, str] | None:
    """Return a note with the day that is said of one thing in it, "the church bit is wrong, it's Sundays"."""
    if not notes or (match := next(each_match("wrong_day", said.folded), None)) is None:
        return None
    about, day = subjects_of(match["part"]), said.typed(*match.span("day")).rstrip("s")
    for note in notes:
        text = normalise(note.content)
        spots = [one.start() for one in re.finditer("[a-z]{3,}", text.folded) if about & subjects_of(one[0])]
        named = [one.span() for one in re.finditer(rf"\b(?:{'|'.join(pairs('memories', 'weekdays'))})\b", text.folded)]
        if spots and named:
            ways = [(sorted((spot, span[0])), span) for spot in spots for span in named]
            nearest = min((len(re.findall(r",|;| e | and ", text.folded[a:b])), b - a, span) for (a, b), span in ways)
            start, end = text.original_span(*nearest[2])
            return note, f"{note.content[:start]}{day}{'s' * (note.content[end - 1] in 'sS')}{note.content[end:]}"
    return None
