"""Plan to take several openings: at once, "o Fernando às 10 e o Gustavo às 8", or one behind the other, in a queue."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from orchestrator import turn
from orchestrator.planner.dialogue.booking import commits
from orchestrator.planner.dialogue.plan_builders import ask, call, carried, put_off, with_waiting
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.dialogue.visits_apart import apart, behind
from orchestrator.planner.lexicon import expression
from orchestrator.planner.understanding import Intent
from orchestrator.planner.wishes import BODY, COMPLAINTS, Kind, doctors_of, specialties_at

_MOST, _PARTS = 4, {turn.OnDates: 1, turn.AtTimes: 2, turn.WithDoctors: 3}
_ONE_OF_THEM = frozenset({Kind.OR, Kind.EITHER, Kind.NOT, Kind.EXCEPT, Kind.FALLBACK})
"""Words with which several openings are named and not all are wanted."""


def book_several(here: Situation) -> turn.Plan | None:
    """Propose two to four openings, each chosen by its row, or named with its doctor and time."""
    proposal = here.session.proposal
    corrects = proposal is not None and len(proposal.plan.steps) > 1
    cues = here.said.cues
    asks = "?" in here.said.text.folded or (cues.question and not cues.books)
    one_of_them = any(token.kind in _ONE_OF_THEM for token in here.said.wishes.tokens)
    if (proposal is not None and not corrects) or cues.denies or asks or one_of_them:
        return None
    books = cues.intents or here.session.printed or (here.said.doctors.found and here.says("patterns", "visits_of_one"))
    takes = commits(here) or (books and {*cues.intents} <= {Intent.BOOK} and not (cues.question or cues.states))
    numbers = () if here.said.moments else here.said.pointer.numbers
    rows = [one.slot for one in here.session.printed if one.number in numbers] if numbers else []
    rows = rows if len(rows) == len(numbers) else []
    slots = _first_of_each(here) or rows or (takes and (_named_one_by_one(here) or _at_hours(here))) or ()
    if not (1 if corrects else 2) <= len(slots) <= _MOST or len({slot.begin for slot in slots}) < len(slots):
        return None
    plan = call(here, map(turn.booking_step, slots), "Several openings were chosen, each by itself.")
    return replace(plan, asks_first=True)


def in_place_of_visit(here: Situation) -> turn.Plan | None:
    """Propose the slot on the card in place of the one visit of its specialty: "instead", "no lugar da outra"."""
    said = here.said
    if not said.pointer.instead or (slot := here.proposed) is None:
        return None
    card = here.session.proposal.plan.steps if here.session.proposal is not None else ()
    if said.moments or said.wishes.named or len(card) != 1:
        return None
    code = here.specialty_of(slot.clinic)
    alike = [one for one in here.session.appointments if here.specialty_of(one.clinic) == code]
    if len(alike) != 1 or card[0].given_back:
        return None
    steps = turn.exchanging_steps(alike[0], slot)
    return call(here, steps, "What is proposed takes the place of a visit of the same specialty.")


def _first_of_each(here: Situation) -> Sequence[turn.Appointment]:
    """Return the first opening of each request that is listed, on one day where one day was asked for."""
    question, offers = here.session.question, sorted(here.session.offers, key=attrgetter("date", "time"))
    both = here.said.pointer.both and not here.said.wishes.named  # "both in the morning" takes none yet
    if question is None or not (both or here.says("patterns", "of_each")):
        return ()
    if len(question.waiting) < 2:  # of a list of one opening of each specialty all are meant
        codes = {here.specialty_of(offer.clinic) for offer in offers}
        return [offer.slot for offer in offers] if len(codes) == len(offers) else ()
    one_day = "same_day" in here.known
    for day in dict.fromkeys(offer.date for offer in offers):
        open_then = [offer.slot for offer in offers if offer.date == day or not one_day]
        found = [next((one for one in open_then if turn.fits(wish.widest, one)), None) for wish in question.waiting]
        if all(found):
            return sorted((one for one in found if one is not None), key=attrgetter("begin"))
    return ()


def _named_one_by_one(here: Situation) -> Sequence[turn.Appointment]:
    question = here.session.question
    if not here.said.doctors.found and question is not None and len(question.waiting) < 2:
        return ()  # a yes to "A or B" wants no two
    whole = turn.conjuncts(here.wish.filter)
    several = (part.parts for part in whole if isinstance(part, turn.AnyOf))
    named = {turn.Axis.DOCTOR, turn.Axis.TIME}
    parts = next((parts for parts in several if all(named <= turn.axes_of(part) for part in parts)), ())
    fitting = [turn.all_of([part, here.wish.filter]) for part in parts]
    shown = [[one.slot for one in here.session.offers if turn.fits(wanted, one.slot)] for wanted in fitting]
    said = [slot_named(turn.on_coming_days(part), here) for part in parts]
    found = [one[0] if len(one) == 1 else slot for one, slot in zip(shown, said, strict=True)]
    return [one for one in found if one and not here.is_past(one.date, one.time)] if parts and all(found) else ()


def _at_hours(here: Situation) -> Sequence[turn.Appointment]:
    """Return the rows at hours that are each that of one: "marca a das 9 e a das 4 e meia"."""
    wanted = here.said.wishes.alone[0].wish.filter
    if not any(token.kind is Kind.AND for token in here.said.wishes.tokens):
        return ()
    hours = [span.first for span in turn.hours_of(wanted) if span.first == span.last]
    rows = [[one.slot for one in here.session.printed if one.time == at and turn.fits(wanted, one)] for at in hours]
    return [row[0] for row in rows] if all(len(row) == 1 for row in rows) else ()


def queued(here: Situation, plan: turn.Plan) -> turn.Plan:
    """Return the plan with the requests that wait: all that were listed together, or those that a booking leaves."""
    part = plan.asks_first and plan.question is not None  # what is left of several
    several = not part and (len(here.requests) > 1 or len(here.said.doctors.found) > 1)
    each = _wanted_each(here, plan) if several else _complained_of_each(here, plan)
    repeated = () if each or plan.question is None else _visits_of_one(here, plan)
    each = each or repeated
    waiting = () if part or here.session.question is None else here.session.question.waiting
    plan = plan if each else _with_proposed(here, plan)
    steps = here.session.proposal.plan.steps if here.session.proposal is not None and not (each or part) else ()
    for slot in () if any(one.given_back for one in steps) else [one.taken for one in steps if one.taken]:
        card, changed = turn.Wish(turn.of_slot(slot)), next((step for step in plan.steps if step.given_back), None)
        if _is_besides(here, slot) and any(step.action == turn.LIST for step in plan.steps):
            each = (*each, card)  # "e um dermato quinta", or of two that are proposed, the other one
        if changed is not None and here.specialty_of(changed.clinic) != here.specialty_of(slot.clinic):
            waiting = (card, *waiting)  # a visit of another specialty is changed first
    choice = plan.reply.choice if each and plan.reply is not None else None
    if choice is not None and plan.reply is not None and choice.book[0].order is not None:  # the first of each
        scopes = [(turn.on_coming_days(one.widest), one.widest) for one in each]
        book = [replace(choice.book[0], first_of=tuple(map(turn.OpeningScope, one))) for one in scopes]
        plan, each = replace(plan, reply=replace(plan.reply, choice=turn.Choice(book=tuple(book)))), ()
    if each and plan.question is not None:
        between = apart(here)
        known = {**plan.question.known, **between}
        plan = replace(plan, question=replace(plan.question, waiting=each, known=known))
        return replace(plan, note=plan.note or turn.Topic.VISIT_BY_VISIT) if between or repeated else plan
    if not waiting or not plan.steps:
        return plan
    if plan.steps[0].given_back is not None:
        return with_waiting(here, plan, waiting)
    if taken := [step.taken for step in plan.steps if isinstance(step.call, turn.Book) and step.taken is not None]:
        return _with_those_behind(here, plan, waiting, taken)
    if plan.question is not None and here.wanted_before is not None:
        known = {**plan.question.known, **carried(here, "apart")}
        left = _still_waiting(here, plan, waiting)
        return replace(plan, question=replace(plan.question, waiting=left, known=known))
    return plan


def _visits_of_one(here: Situation, plan: turn.Plan) -> tuple[turn.Wish, ...]:
    """Return the wish as often as it is wanted: "two visits a week apart", "dia 21 e de novo dia 28"."""
    said = expression("visits_of_one").search(here.said.text.folded) if len(here.requests) == 1 else None
    if said is None or not plan.steps or plan.steps[0].action != turn.LIST:
        return ()
    wish, days = here.wish, [span for span in turn.spans_of(here.wish.widest) if span.first == span.last]
    rest = turn.Wish(turn.without(wish.filter, frozenset({turn.Axis.DAY})))
    if len(days) > 1:
        return tuple(rest.and_also(turn.OnDates((day,))) for day in days)
    count = said["count"] or said["times"] or ""
    return (wish, *(rest if days and apart(here) else wish,) * (2 if count.startswith(("3", "three", "tres")) else 1))


def left_unread(here: Situation, plan: turn.Plan) -> tuple[str, ...]:
    """Return what was not understood of a list; what lies between several visits was."""
    understood = plan.question is not None and "apart" in plan.question.known
    spans = expression("apart").finditer(here.said.text.folded) if understood else ()
    read = {here.said.text.typed(*one.span()) for one in spans}
    return tuple(one for one in here.said.wishes.unread if one not in read)


def _still_waiting(here: Situation, plan: turn.Plan, waiting: tuple[turn.Wish, ...]) -> tuple[turn.Wish, ...]:
    """Return what waits behind a list; what is said of one, or of a card, is said of no other."""
    said, codes = here.said, {*here.said.specialties, *(doctor.specialty for doctor in here.doctors)}
    of_card = here.session.proposal is not None and not (said.pointer.both or said.pointer.all)
    if (said.specialties or here.complained_of) and any(token.kind is Kind.ONLY for token in said.wishes.tokens):
        return ()  # "então só o cardio"
    if codes and plan.reply is not None and plan.reply.choice is not None:
        return tuple(one for one in waiting if not _codes_of(here, one) <= codes)
    if codes or of_card or said.pointer.row or said.pointer.numbers or said.pointer.earliest:
        return waiting
    return tuple(said.wishes.requests(one)[0].wish for one in waiting)  # "todas na semana que vem"


def _wanted_each(here: Situation, plan: turn.Plan) -> tuple[turn.Wish, ...]:
    """Return the visits of a list that are each wanted: requests, or doctors of two specialties without an "or"."""
    if all(step.action != turn.LIST for step in plan.steps):
        return ()
    if len(here.requests) > 1:
        return tuple(request.wish for request in here.requests)
    if here.wanted_before is not None or any(token.kind in _ONE_OF_THEM for token in here.said.wishes.tokens):
        return ()
    whole = turn.conjuncts(here.wish.filter)
    for several in (part for part in whole if isinstance(part, turn.AnyOf)):
        rest = [part for part in whole if part is not several]
        sides = {part: _codes_of(here, turn.Wish(part)) for part in several.parts}
        if all(len(one) == 1 for one in sides.values()) and len(set[str]().union(*sides.values())) == len(sides):
            return tuple(turn.Wish(turn.all_of([*rest, part, here.of_specialties(of)])) for part, of in sides.items())
    return ()


def _complained_of_each(here: Situation, plan: turn.Plan) -> tuple[turn.Wish, ...]:
    """Return a visit for each of the complaints that several specialties see: "my knee hurts and I have a rash"."""
    offered = plan.topic is turn.Topic.OFFER_SPECIALTY or plan.note is turn.Topic.USUALLY_SEEN
    codes, kind = here.complained_of if offered else (), COMPLAINTS if here.said.complaints else BODY
    told = specialties_at(here.said.text.folded, here.clinics, kind) if len(codes) > 1 else ()
    codes = codes if len({start for start, _, _ in told}) > 1 else ()  # both see "tornozelos inchados"
    return tuple(here.wish.and_also(here.of_specialties((code,))) for code in codes)


def _with_those_behind(
    here: Situation, plan: turn.Plan, waiting: Sequence[turn.Wish], taken: Sequence[turn.Appointment]
) -> turn.Plan:
    """Return a booking with those that were chosen before it, and the other wishes waiting."""
    codes, left = {here.specialty_of(slot.clinic) for slot in taken}, [*waiting]
    for taken_one in taken:  # one wish for each: two visits of one doctor are wanted alike
        if met := [wish for wish in left if turn.fits(wish.widest, taken_one)]:
            left.remove(met[0])
    if len(left) == len(waiting):
        left = [wish for wish in left if not _codes_of(here, wish) or not _codes_of(here, wish) <= codes]  # corrected
    left = [wish.and_also(behind(here, taken[-1])) for wish in left]
    chosen = {n: slot for n, wish in enumerate(left) if (slot := slot_named(wish.widest, here)) is not None}
    steps = [*plan.steps, *map(turn.booking_step, chosen.values())]
    plan = replace(plan, steps=tuple(replace(step, step_id=n) for n, step in enumerate(steps, 1)))
    rest = tuple(wish for n, wish in enumerate(left) if n not in chosen)
    return with_waiting(here, plan, rest) if rest else plan


def slot_named(wanted: turn.Filter, here: Situation) -> turn.Appointment | None:
    """Return the slot of a filter that names one doctor, one day and one time, and excludes nothing."""
    match sorted(turn.conjuncts(wanted), key=lambda part: _PARTS.get(type(part), 0)):
        case [*_, turn.OnDates(spans=[day]), turn.AtTimes(spans=[at]), turn.WithDoctors(names=names)]:
            doctor = here.doctor_called(*names) if len(names) == 1 else None
            if doctor is not None and day.first == day.last and at.first == at.last:
                return turn.Appointment(doctor.clinic, doctor.name, day.first, at.first)
    return None


def _codes_of(here: Situation, wish: turn.Wish) -> set[str]:
    doctors = map(here.doctor_called, turn.doctors_named(wish.widest))
    return {*turn.specialties_named(wish.widest)} | {doctor.specialty for doctor in doctors if doctor is not None}


def _is_besides(here: Situation, slot: turn.Appointment) -> bool:
    same_day = any((one.kind, one.axis) == (Kind.SAME, turn.Axis.DAY) for one in here.said.wishes.tokens)
    codes = {*here.said.specialties, *(doctor.specialty for doctor in here.doctors)}
    wants = codes and (same_day or here.proposed is None or here.says("patterns", "besides"))
    return bool(wants) and here.specialty_of(slot.clinic) not in codes


def _with_proposed(here: Situation, plan: turn.Plan) -> turn.Plan:
    """Return a booking with what else waits for a yes: "also Dr. Paulo at 8", and the rest where one is corrected."""
    proposal, new = here.session.proposal, plan.steps[0] if len(plan.steps) == 1 else None
    if proposal is None or proposal.attempted or new is None or new.given_back or new.taken is None:
        return plan
    kept, slot, code = list(proposal.plan.steps), here.proposed, here.specialty_of(new.clinic)
    if new.taken in [step.taken for step in kept]:
        return plan
    if len(kept) > 1 and all(isinstance(step.call, turn.Book) for step in kept):
        same = [step for step in kept if step.taken and step.taken.doctor == new.taken.doctor]
        same = same or [step for step in kept if here.specialty_of(step.clinic) == code]
        if len(same) != 1:
            return plan
        steps = [new if step is same[0] else step for step in kept]
    elif slot and code != here.specialty_of(slot.clinic) and (here.question.waiting or _is_besides(here, slot)):
        steps = [turn.booking_step(slot), new]
    else:
        return plan
    numbered = tuple(replace(step, step_id=n, request_id=None) for n, step in enumerate(steps, 1))
    return replace(plan, steps=numbered, asks_first=True)


def specialties_left(here: Situation) -> tuple[str, ...]:
    """Return all specialties where they are asked about, or the one that a place leaves: "a médica de Santo André"."""
    named, asks = here.said.wishes.named, here.says("requests", "any_specialty")
    asked = Intent.OPENINGS in here.said.cues.intents  # "what's free at the clinic in Vila Mariana?"
    wants = here.said.cues.books or here.said.pointer.choosing or asked  # "moro em Santo André" wants nothing
    told = here.said.pointer.latest if asks else wants and turn.Axis.PLACE in named
    if here.session.offers or not (told or (asks and named)):
        return ()
    wanted, doctors = here.wish.filter, doctors_of(here.clinics)
    left = [one.specialty for one in doctors if turn.verdict(wanted, one.clinic, one.name) is not False]
    return tuple(dict.fromkeys(left)) if asks or len({*left}) == 1 else ()


def together(whole: Situation, here: Sequence[Situation], plans: Sequence[turn.Plan]) -> turn.Plan:
    """Return the plan of two requests; one that asks which comes first where neither waits for the other."""
    for own, other, after in ((plans[0], plans[1], here[1]), (plans[1], plans[0], here[0])):
        if own.kind is turn.PlanKind.STEPS and other.topic is turn.Topic.OPERATORS_ONLY:
            return replace(own, note=other.topic)
        changes = not {Intent.MOVE, Intent.CANCEL}.isdisjoint(after.said.cues.intents)  # what waits is to be booked
        if own.writes and other.steps and {step.action for step in other.steps} == {turn.LIST} and not changes:
            return put_off(after, own)
    if any(plan.kind is not turn.PlanKind.STEPS or plan.writes for plan in plans):
        return ask(whole, turn.Topic.ASK_WHICH_FIRST, "Two things are wanted.")
    steps = {(step.clinic, step.action, *step.parameters.items()): step for plan in plans for step in plan.steps}
    listing = [plan for plan in plans if any(step.action == turn.LIST for step in plan.steps)]
    base = listing[0] if listing else plans[0]
    if len(listing) == 2:
        wish = turn.Wish(turn.any_of(plan.wish.widest for plan in plans))
        waiting = tuple(plan.wish for plan in plans)
        question = turn.Question(turn.Topic.ASK_WHICH_OFFER, turn.BOOK, {}, wish, waiting=waiting)
        base = replace(base, wish=wish, question=question)
    numbered = tuple(replace(step, step_id=number) for number, step in enumerate(steps.values(), 1))
    unread = tuple(phrase for plan in plans for phrase in plan.unread)
    why = tuple(line for plan in plans for line in plan.reasoning)
    return replace(base, steps=numbered, unread=unread, reasoning=why)
