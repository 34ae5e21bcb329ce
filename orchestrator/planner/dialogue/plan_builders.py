"""Build plans: the shapes that the planning rules share, each once."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from operator import attrgetter

from orchestrator import turn
from orchestrator.planner.dialogue.on_the_table import Shown, in_hand, named_above, noted, shown_last
from orchestrator.planner.dialogue.references import answered_with
from orchestrator.planner.dialogue.situation import NAMED_PLACES, Situation
from orchestrator.planner.lexicon import expression, words
from orchestrator.planner.understanding import Intent
from orchestrator.planner.wishes import RELATIVE, Kind, at_times
from orchestrator.texts import Texts, texts_in

_FEW = 4  # words of a question that goes on with an answer
_SAYING = ("refuse", "out_of_scope", "smalltalk", "emergency")
_KINDS = {turn.Topic(name): turn.PlanKind(kind) for kind in _SAYING for name in words(kind, "topics")}
"""Of what is said; every other topic is a question."""

_WITHOUT_DOMAINS = turn.URGENT | {turn.PlanKind.SMALLTALK, turn.PlanKind.OUT_OF_SCOPE}


def say(here: Situation, topic: turn.Topic, why: str, *, question: turn.Question | None = None) -> turn.Plan:
    """Return a plan that calls no clinic; `question`, or else what is open, can be gone on with afterwards."""
    kind = _KINDS.get(topic, turn.PlanKind.CLARIFY)
    return turn.Plan(kind, here.language, topic=topic, question=question or _still_open(here), reasoning=(why,))


def with_insurance(here: Situation, kept: turn.ClinicFact) -> Situation:
    """Return the situation with the insurance named before, unless it was told that nobody who would do takes it."""
    codes, wanted = here.specialties_talked_of, here.wish.widest
    if turn.Axis.INSURANCE in turn.axes_of(wanted) | here.said.wishes.named | here.requests[0].freed:
        return here
    told = codes if codes and turn.axes_of(wanted).isdisjoint(NAMED_PLACES) else [one.specialty for one in here.clinics]
    fitting = [one for one in here.clinics if one.specialty in told and turn.fitting_doctors(wanted, one)]
    taken = any(one.id in (kept.clinics or ()) or one.specialty not in codes for one in fitting)
    if not taken and not here.says("patterns", "takes_it"):
        return here
    return replace(here, requests=tuple(replace(one, wish=one.wish.and_also(kept)) for one in here.requests))


def talk_of(specialties: Iterable[str]) -> dict[str, str]:
    """Return specialties for a question's `known`, which later turns speak of."""
    return {"specialty": " ".join(specialties)}


def carried(here: Situation, *names: str) -> dict[str, str]:
    """Return what is already known of these names, for the `known` of the question that goes on."""
    return {name: here.known[name] for name in names if name in here.known}


def named_in(here: Situation) -> dict[str, str]:
    """Return the doctor that was named, else the specialties, for a question's `known`; nothing where neither was."""
    if here.doctor is not None:
        return {"doctor": here.doctor.name}
    return talk_of(here.said.specialties) if here.said.specialties else {}


def none_held(here: Situation, why: str) -> turn.Plan:
    """Say that nothing is held; "marca uma, então" is then of the specialty or doctor that was named."""
    wish = turn.Wish(turn.WithDoctors(frozenset({here.doctor.name}))) if here.doctor is not None else turn.ANYTHING
    about = {} if here.session.offers else talk_of(named_specialties(here))
    instead = turn.Question(turn.Topic.OFFER_SPECIALTY, turn.LIST, about, wish)
    return say(here, turn.Topic.NO_APPOINTMENTS, why, question=instead if any(about.values()) else None)


def clinics_talked_of(here: Situation) -> tuple[str, ...]:
    """Return the clinics of what is on the table, which a question that names none is about."""
    session, asked = here.session, here.session.asked
    doctor = here.doctor_called(here.known.get("doctor", ""))
    asks_on = len(here.said.text.words) <= _FEW or here.says("patterns", "those_clinics")
    asks_on = asks_on and here.said.wishes.named <= {turn.Axis.PRICE}
    if asked is not None and session.proposal is None and asks_on:  # "onde fica?", of those that an answer came to
        return tuple(one.id for one in here.clinics if one.id in answered_with(asked, here.clinics))
    if "clinics" in here.known:
        return tuple(here.known["clinics"].split())
    if session.proposal is not None:
        clinics: Iterable[str] = (step.clinic for step in session.proposal.plan.steps)
    elif session.receipts and not (here.awaits_answer and session.offers):
        clinics = (one.clinic for one in (session.receipts[-1].appointment, *session.appointments)[-1:])
    elif doctor is not None:
        clinics = (doctor.clinic,)
    elif shown_last(session) is Shown.OPENINGS:
        rows = [one for one in session.printed if one.number in here.said.pointer.numbers]
        when = here.said.moments
        first = named_above(session) if here.said.pointer.this and not when else None  # "where is it?", of the earliest
        rows = rows or [one for one in session.printed if all(moment.matches(one.date, one.time) for moment in when)]
        clinics = (offer.clinic for offer in ([first] if first is not None else rows or session.printed))
    else:
        clinics = (clinic for code in here.known.get("specialty", "").split() for clinic in here.clinics_of(code))
    return tuple(dict.fromkeys(clinics))


def _still_open(here: Situation) -> turn.Question | None:
    proposal = here.session.proposal  # where a proposal is open, a yes proposes it again
    if proposal is None or proposal.attempted:
        return here.session.question
    first, *rest = proposal.plan.steps
    if not rest:
        return turn.Question(turn.Topic.ASK_GO_ON, first.action, first.parameters)
    taken, given = first.taken, rest[0].given_back
    if taken is None or given is None or [step.after for step in rest] != [first.step_id]:
        return here.session.question
    known = {"doctor": given.doctor, "to_doctor": taken.doctor}
    known |= noted(given.date, given.time, "original_") | noted(taken.date, taken.time, "new_")
    return turn.Question(turn.Topic.ASK_GO_ON, turn.MOVE, known)


def ask(
    here: Situation, topic: turn.Topic, why: str, *, action: str | None = None, known: Mapping[str, str] | None = None
) -> turn.Plan:
    """Return a question that the next turn may answer, with the filter of this utterance."""
    return ask_question(here, turn.Question(topic, action, known or {}, here.wish), why)


def ask_question(here: Situation, question: turn.Question, why: str) -> turn.Plan:
    """Return a question as a plan."""
    facts = question.known if question.topic is turn.Topic.OFFER_SPECIALTY else {}
    plan = turn.Plan(turn.PlanKind.CLARIFY, here.language, topic=question.topic, facts=facts, choices=question.choices)
    return replace(plan, question=question, reasoning=(why,))


def which_offer(here: Situation, why: str = "The reference fits no single opening.") -> turn.Plan:
    """Return the question which of the openings on the screen is meant."""
    rows = [choice(offer, here.language) for offer in here.session.printed]
    asked = replace(here.question, topic=turn.Topic.ASK_WHICH_OFFER, action=turn.BOOK, choices=tuple(rows))
    return ask_question(here, asked, why)


def call(
    here: Situation,
    steps: Iterable[turn.Step],
    *why: str,
    question: turn.Question | None = None,
    wish: turn.Wish = turn.ANYTHING,
) -> turn.Plan:
    """Return a plan of steps, numbered in their order."""
    numbered = tuple(replace(step, step_id=n) for n, step in enumerate(steps, 1))
    return turn.Plan(turn.PlanKind.STEPS, here.language, numbered, question=question, wish=wish, reasoning=why)


def choice(slot: turn.Offer | turn.Appointment, language: turn.Language) -> str:
    """Return one line for a slot among several to choose from."""
    texts = texts_in(language)
    return texts.text("planner.opening", doctor=slot.doctor, day=texts.long_date(slot.date), time=turn.clock(slot.time))


def until(visits: Iterable[turn.Appointment], now: datetime, language: turn.Language) -> str:
    """Return how long it is until each of some visits, in their order, and from one to the next."""
    texts, told, end = texts_in(language), list[str](), None
    for one in sorted(visits, key=attrgetter("begin")):
        told += [] if end is None else [texts.text("planner.between", time=_span(end, one.begin, texts))]
        told.append(texts.text("planner.until", visit=choice(one, language), left=_span(now, one.begin, texts)))
        end = one.begin + timedelta(minutes=one.duration_min or turn.USUAL_MIN)
    return "; ".join(told)


def _span(start: datetime, end: datetime, texts: Texts) -> str:
    hours, minutes = divmod(max(int((end - start).total_seconds()) // 60, 0), 60)
    if hours >= 48:  # from then on in days
        return texts.text("planner.days", count=(end.date() - start.date()).days)
    return f"{hours} h {minutes} min" if hours and minutes else f"{hours} h" if hours else f"{minutes} min"


def put_off(booking: Situation, plan: turn.Plan) -> turn.Plan:
    """Return the plan of a change with the booking that was asked for in the same sentence waiting behind it."""
    waiting = tuple(request.wish for request in booking.requests)
    if plan.question is not None and not plan.writes:
        return replace(plan, question=replace(plan.question, waiting=waiting))
    return with_waiting(booking, plan, waiting) if plan.steps else plan


def with_waiting(here: Situation, plan: turn.Plan, waiting: tuple[turn.Wish, ...]) -> turn.Plan:
    """Return the plan with wishes that are gone on with behind it, of its own specialty where they name none."""
    code = here.specialty_of(plan.steps[0].clinic) or ""
    own = here.of_specialties([code])
    waiting = tuple(one if turn.axes_of(one.widest) & NAMED_PLACES else one.and_also(own) for one in waiting)
    codes = dict.fromkeys(code for wish in waiting for code in sorted(turn.specialties_named(wish.widest)))
    known = (talk_of(codes) if codes else {}) | carried(here, "nearest", "apart", "same_day")
    wish = turn.Wish(turn.any_of(one.widest for one in waiting))
    return replace(plan, question=turn.Question(turn.Topic.ASK_WHICH_OFFER, turn.BOOK, known, wish, waiting=waiting))


def answered_above(here: Situation, wish: turn.Wish, *, takes: bool = False) -> turn.ReplySteps | None:
    """Return the steps of a reply that answers above a list how many there are, or when both of two doctors can.

    Where the earliest is to be booked, it is chosen: "book me in as early as you can". So is the only opening of a day
    that is to be booked once a list was seen: "put me in with Gustavo on the 25th". `takes` is whether what is said
    decides on a day or an hour: the one opening that fits it is chosen.
    """
    questions = tuple(_questions_of_list(here, wish))
    choice = _best_to_book(here, wish) or (_named_in_full(here, wish) if takes else None)
    shown = (turn.OpeningScope(wish.filter),)
    reply = turn.ReplySteps(questions=questions, shown=shown, choice=choice, today=here.now.date())
    return reply if questions or choice else None


def _best_to_book(here: Situation, wish: turn.Wish) -> turn.Choice | None:
    said, pointer, timed = here.said, here.said.pointer, any(moment.times for moment in here.said.moments)
    each = (here.requests[1:] or said.doctors.found[1:]) and here.says("patterns", "of_each")  # of several requests
    books = said.cues.books or (pointer.taking and here.session.offers)
    best = pointer.earliest != pointer.latest or (pointer.either and (timed or turn.Axis.DAY in said.wishes.named))
    # An hour or an amount of time at a proposal corrects it; the best of what is shown is chosen, unless it is asked.
    slot, shifts = here.proposed if said.shift is None else in_hand(here.session), said.shift is not None or timed
    leans = said.specialties or any(token.kind in RELATIVE - {Kind.SAME} for token in said.wishes.tokens)
    corrects = slot is not None and shifts and not leans
    asks_or_denies = said.cues.wonders or said.cues.question or said.cues.denies or here.says("patterns", "asks_of_row")
    printed = said.moments or pointer.earliest or len(here.session.printed) == len(here.session.offers)
    chooses = books or corrects or each or (best and (slot or here.session.offers) and printed and not asks_or_denies)
    one = chooses and (each or len(here.requests) == 1) and said.for_whom is None and said.wishes.is_certain
    asks = "?" in said.text.folded and not (corrects and said.shift)
    if not one or (pointer.numbers and not each) or pointer.other or asks:
        return None
    if best or each:
        hours, days = (turn.Order.EARLIEST_HOUR, turn.Order.LATEST_HOUR), (turn.Order.SOONEST, turn.Order.LATEST)
        return _only_one(wish.filter, (hours if pointer.of_day else days)[pointer.latest])
    return _only_one(wish.filter) if corrects and not pointer.earliest else None


def _named_in_full(here: Situation, wish: turn.Wish) -> turn.Choice | None:
    """Return the one opening of a doctor, day and hour that are named in full, or that correct a proposal."""
    said, slot = here.said, here.proposed
    timed, axes = any(one.times for one in said.moments), turn.axes_of(wish.filter)
    leaves = said.cues.missing or Intent.MOVE in said.cues.intents
    begins = said.specialties or any(here.specialty_of(slot.clinic) != one.specialty for one in here.doctors if slot)
    adds = any(one.kind is Kind.ALSO for one in said.wishes.tokens)
    elsewhere = (begins or leaves) if slot is not None else here.question.waiting and not timed
    if adds or len(here.requests) > 1 or said.for_whom is not None or elsewhere:
        return None
    listed, named = {here.specialty_of(one.clinic) for one in here.session.offers}, {*said.specialties}
    if slot is None and not (listed and named | {one.specialty for one in here.doctors} <= listed):
        # No list is narrowed: two of with whom, at what hour, and that it is to be booked are said of a day.
        books = bool(said.cues.books or said.pointer.choosing)
        whom = any(isinstance(one, turn.WithDoctors) for one in turn.conditions_of(wish.filter, denied=False))
        return _only_one(wish.filter) if turn.Axis.DAY in axes and timed + books + whom > 1 else None
    if slot is None or timed:
        return _only_one(wish.filter) if slot is None or turn.Axis.DAY in axes else None
    endless = any(one.last - one.first > timedelta(days=31) for one in turn.spans_of(wish.filter))  # "after Monday"
    keeps = not endless and turn.Axis.DAY in said.wishes.named and turn.Axis.TIME not in said.wishes.named
    return _only_one(turn.all_of([wish.filter, at_times([slot.time])])) if keeps else None


def _only_one(wanted: turn.Filter, order: turn.Order | None = None) -> turn.Choice:
    scopes = dict.fromkeys((turn.on_coming_days(wanted), wanted))  # "Wednesday, the later" is the coming one
    return turn.Choice(book=(turn.Target(first_of=tuple(map(turn.OpeningScope, scopes)), order=order),))


def _questions_of_list(here: Situation, wish: turn.Wish) -> Iterator[turn.OpeningQuestion]:
    sides = here.sides_of_one_day
    if sides and all(span.first < span.last for span in turn.spans_of(wish.widest)):
        yield turn.DaysOfBoth(turn.OpeningScope(turn.without(wish.filter, NAMED_PLACES)), sides)
    if (each := expression("asks_of_each").search(here.said.text.folded)) is not None:
        fitting = (one.id for one in here.clinics if turn.fitting_doctors(wish.filter, one))
        clinics = tuple(turn.AtClinics(frozenset({one})) for one in fitting)
        days_of_week = tuple(turn.OnWeekdays(frozenset({day})) for day in range(6))
        by = (clinics, turn.Order.SOONEST) if each["clinic"] else (days_of_week, None)
        yield turn.Compare(turn.OpeningScope(wish.filter), *by)
    pointer, days = here.said.pointer, {one.date for one in here.session.offers}
    if pointer.latest and (not pointer.of_day or pointer.this or len(days) < 2) and not pointer.numbers:
        timed = pointer.of_day or turn.Axis.TIME in turn.axes_of(here.question.wish.widest) - turn.axes_of(wish.filter)
        order = turn.Order.LATEST_HOUR if timed else turn.Order.LATEST
        yield turn.Best(turn.OpeningScope(turn.on_coming_days(wish.filter)), order)
    if here.says("requests", "how_many"):
        yield turn.AskedOfAll(turn.OfAll.COUNT, turn.OpeningScope(turn.on_coming_days(wish.filter)))


def classified(here: Situation, plan: turn.Plan) -> turn.Classification:
    """Return the classification of a turn from its plan and the grammar."""
    named = named_specialties(here)
    if plan.kind is turn.PlanKind.STEPS:
        asked = {here.specialty_of(step.clinic) for step in plan.steps}
        confidence = turn.CERTAIN if asked <= {*named} else turn.SUPPLIED
        return turn.classification_of(plan.steps, here.specialty_of, confidence)
    if plan.topic is turn.Topic.ASK_REQUEST:
        return turn.Classification(turn.UNKNOWN, _talked_of(here), (), turn.DOUBTFUL)
    asked_for = plan.question.action if plan.question is not None and plan.kind is turn.PlanKind.CLARIFY else None
    intent = asked_for or (plan.topic.value if plan.topic is not None else turn.UNKNOWN)
    if plan.kind in _WITHOUT_DOMAINS:
        return turn.Classification(intent, named if plan.kind is turn.PlanKind.REFUSE else ())
    domains = named or tuple(plan.facts.get("specialty", "").split()) or _talked_of(here)
    return turn.Classification(intent, domains, (), turn.CERTAIN if named else turn.SUPPLIED)


def named_specialties(here: Situation) -> tuple[str, ...]:
    """Return the codes of the specialties that are named, be it by a doctor, a clinic or a patient of theirs."""
    said, by_doctor = here.said, (one.specialty for one in here.doctors)
    codes = (*said.specialties, *by_doctor, *map(here.specialty_of, said.clinics), *dict(said.patients).values())
    return tuple(dict.fromkeys(filter(None, codes)))


def _talked_of(here: Situation) -> tuple[str, ...]:
    session = here.session
    proposed = session.proposal.plan.steps if session.proposal is not None else ()
    clinics = (*(step.clinic for step in proposed), *(held.clinic for held in reversed(session.appointments)))
    codes = (*(here.specialty_of(clinic) for clinic in clinics), *here.specialties_talked_of)
    return tuple(dict.fromkeys(filter(None, codes)))
