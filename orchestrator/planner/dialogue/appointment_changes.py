"""Plan to cancel an appointment or to move it; what is not certain is asked for.

A slot of another doctor is booked first, and only then is the appointment cancelled.
"""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from orchestrator import turn
from orchestrator.planner.dialogue import appointments_held as appointments
from orchestrator.planner.dialogue import move_target as targets
from orchestrator.planner.dialogue.acts import gives_back
from orchestrator.planner.dialogue.appointments_held import End, all_of, ends
from orchestrator.planner.dialogue.on_the_table import in_hand, noted, told_receipt
from orchestrator.planner.dialogue.plan_builders import ask, ask_question, call, choice, none_held, say, which_offer
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.dialogue.visits_named import given_up, visit_alone, visits_like
from orchestrator.planner.lexicon import expression, words
from orchestrator.planner.understanding import Intent, answer
from orchestrator.planner.wishes import Kind

_ASKED = frozenset(map(turn.Topic, words("of_a_change", "topics")))
_WHICH = turn.Topic.ASK_WHICH_APPOINTMENT
_WHEN = frozenset({turn.Axis.DAY, turn.Axis.TIME, turn.Axis.MOMENT, turn.Axis.GENDER})


def change_with_a_sign(here: Situation) -> turn.Plan | None:
    """Ask before a change that comes with a sign of a possible emergency."""
    intents = here.said.cues.intents
    if not here.said.may_be_emergency or not {Intent.MOVE, Intent.CANCEL} & set(intents):
        return None
    moves = Intent.MOVE in intents
    old, new = ends(here) if moves else (all_of(here), None)
    known = appointments.partly_known(here, old) | (targets.partly_known(here, new) if new else {})
    why = "A sign that may not wait was told; whether to go on is asked first."
    return ask(here, turn.Topic.ASK_GO_ON, why, action=turn.MOVE if moves else turn.CANCEL, known=known)


def change(here: Situation) -> turn.Plan | None:
    """Plan a cancellation or a move, asked for now or continued from a question."""
    intents, own = here.said.cues.intents, here.session.appointments
    looks = here.session.knows_own and not own and here.session.offers and here.said.wishes.named
    on_table = own or here.session.proposal or Intent.MOVE in intents
    if Intent.CANCEL not in intents and (looks or (on_table and targets.is_of_what_is_shown(here))):
        return None  # "muda pra quinta", of what is proposed or only being looked for
    drops = Intent.CANCEL in intents and not on_table and here.awaits_answer
    if drops and answer(here.said.text.original, here.question.action) is False:  # "cancela isso", of a list
        return None
    gives = gives_back(here) and Intent.MOVE not in intents
    if Intent.MOVE in intents or here.meant is not None or (_replaces(here) and not gives):
        return _move(here)
    if Intent.CANCEL in intents or gives:
        return _cancel(here)
    if not _goes_on(here):
        return None
    return _cancel(here) if here.question.action == turn.CANCEL else _move(here)


def keep(here: Situation) -> turn.Plan | None:
    """Leave what somebody has as it is, where it is said to stay; where one visit will do, give back the others."""
    said, own = here.said, here.session.appointments
    if not own:
        return None
    words, only = expression("keeps").search(said.text.folded), here.says("requests", "keeping_only")
    depends = any(one.kind is Kind.FALLBACK for one in said.wishes.tokens) or "?" in said.text.folded
    changes = {Intent.MOVE, Intent.CANCEL} & {*said.cues.intents}
    if not (words or only) or depends or (changes and not (only and len(own) > 1)):
        return None  # "if not, leave it how it is"
    slot, every = in_hand(here.session), words and (words["own"] or words["own_pt"])
    behind = said.text.typed(words.end(), len(said.text.folded)) if words else said.text.original
    visits = (*own, *filter(None, [slot]))
    named = visits_like(behind, visits, here.session, here.clinics, here.now)
    weak = words["weak"] if words else only and said.pointer.this  # "that one is fine"
    if weak and here.is_asked(turn.Topic.ASK_NEW_TIME) and not (said.doctors.found or said.specialties):
        return None  # "fico com esse", "prefiro à tarde", of the openings to which it is to be moved
    kept = visits if every else named or ()
    if only and named == () and not kept and len(own) > 1:
        return _ask_which(here, (), turn.Question(_WHICH, turn.CANCEL, appointments.partly_known(here, all_of(here))))
    given = [replace(turn.cancelling_step(one), after=1 if slot in kept else None) for one in own if one not in kept]
    if only and kept and given:  # "não preciso dos dois, fica só o de quarta", which may be on the card
        taken = [turn.booking_step(slot)] if slot is not None and slot in kept else []
        return call(here, [*taken, *given], "Of several visits only some are wanted.")
    rows = here.session.offers if words and words["weak"] else ()  # "fico com a de quinta"
    listed = rows and visits_like(behind, tuple(one.slot for one in rows), here.session, here.clinics, here.now)
    shown = turn.Question(turn.Topic.MY_APPOINTMENTS, choices=tuple(choice(one, here.language) for one in own))
    left = say(here, turn.Topic.NOTHING_DONE, "What is booked stays as it is.", question=shown)
    return None if listed or set(own).isdisjoint(kept) else left


def another_meant(here: Situation) -> turn.Plan | None:
    """Change another visit than the one that is about to be moved or cancelled: "não, a outra", "a de pele"."""
    session, said = here.session, here.said
    steps = session.proposal.plan.steps if session.proposal is not None else ()
    cancels = bool(steps) and {one.action for one in steps} == {turn.CANCEL}
    only = here.in_question if session.question is not None and here.is_asked(turn.Topic.ASK_NEW_TIME) else None
    only = steps[0].given_back if cancels and len(steps) == 1 else only
    does = said.cues.books or "?" in said.text.folded or {Intent.MOVE, Intent.CANCEL} & {*said.cues.intents}
    if not (cancels or only) or does:
        return None
    others, told = {*session.appointments} - {only}, expression("other_visit").search(said.text.folded)
    if cancels:
        meant = others if told else visit_alone(here, only, timed=True)
        return call(here, map(turn.cancelling_step, meant), "This one is meant.") if len(meant) == 1 else None
    rows = len(session.offers) == 2 and told and told.lastgroup is None  # "a outra" is the other row
    meant = others if told and not rows else visit_alone(here, only) - {one.slot for one in session.offers}
    if len(meant) > 1:
        return _ask_which(here, sorted(meant, key=attrgetter("begin")), turn.Question(_WHICH, turn.MOVE))
    slot = None if session.offers else in_hand(session)  # what was said for the other stays, and not what was picked
    day = turn.ANYTHING if slot is None else turn.Wish(turn.OnDates((turn.DateRange(slot.date, slot.date),)))
    return next((_list_for(here, one, targets.place_of(here, End(), one), day) for one in meant), None)


def _replaces(here: Situation) -> bool:
    said, pointer, cues = here.said, here.said.pointer, here.said.cues
    cancels = Intent.CANCEL in cues.intents or (here.question.action == turn.CANCEL and here.is_asked(*_ASKED))
    if not here.session.appointments or cancels or here.says("requests", "second_visit"):
        return False  # "I meant the week after, the 8th", of what is to be cancelled
    if cues.missing or _leans_on_a_receipt(here):
        return not cues.missing or pointer.instead or said.wishes.is_relative
    if pointer.other and said.moments and here.session.receipts and here.session.proposal is None:
        return here.session.receipts[-1].kind is turn.ReceiptKind.RESCHEDULED  # "and the other one to the 28th"
    if cues.states and not (cues.regrets or pointer.instead):
        return False
    # "4pm is too late for me", "não gostei dessa médica, tem homem?" of what was just booked
    refused = [one for one in said.wishes.refused if said.moments or one not in said.wishes.refused_days]
    unsuited = cues.regrets or any(turn.fits(one, here.session.appointments[-1]) for one in refused)
    corrects = (unsuited or said.puts_right) and _was_just_booked(here)
    if (pointer.instead or corrects) and not (said.specialties or cues.books):
        told = said.moments or turn.Axis.GENDER in said.wishes.named or pointer.other_doctor  # "I'd rather see a man"
        return bool(told or (unsuited and (said.wishes.named or pointer.earliest or pointer.latest)))
    relative = said.shift is not None or (pointer.same_time and bool(said.moments))
    elsewhere = pointer.asking or (said.specialties and not here.says("references", "own"))
    return relative and Intent.BOOK not in cues.intents and not elsewhere


def _leans_on_a_receipt(here: Situation) -> bool:
    # "Quinta rola?", "dá pra ser às 11?" behind a booking is about what was booked, and asks for no second one.
    said = here.said
    shown = here.is_asked(turn.Topic.MY_APPOINTMENTS) and len(here.session.appointments) == 1
    told = told_receipt(here.session, replies=2) and here.session.receipts[-1].kind is not turn.ReceiptKind.CANCELLED
    if not (shown or told) or here.session.proposal is not None or not _was_just_booked(here):
        return False
    wishes, cues = said.wishes, said.cues
    adds = cues.books or any(token.kind is Kind.ALSO for token in wishes.tokens)
    adds = adds or (Intent.BOOK in cues.intents and not wishes.is_relative)
    tells = cues.states and not (wishes.is_relative or (said.moments and "?" in said.text.folded))
    tells = tells or cues.chat is turn.Topic.FAREWELL or said.pointer.asking or said.pointer.mine
    own = {one.name for one in said.doctors.found} <= {here.session.appointments[-1].doctor}  # "com ela mesmo"
    when = _WHEN | ({turn.Axis.DOCTOR} if own else set())
    when |= {turn.Axis.CLINIC} if here.says("patterns", "of_there") else set()  # "another doctor of the same clinic"
    ills = {*said.complaints, *said.body} - {here.specialty_of(here.session.appointments[-1].clinic)}
    elsewhere = said.specialties or not own or ills or not wishes.named <= when  # "sooner? the rash is spreading"
    cannot_come = wishes.refused_days and not said.moments  # whether to move or to cancel is asked
    says_when = said.moments or said.shift or wishes.named or wishes.is_relative
    return bool(says_when) and not (adds or tells or elsewhere or cannot_come)


def _was_just_booked(here: Situation) -> bool:
    own = here.session.appointments
    shown = here.session.question is None or here.is_asked(turn.Topic.MY_APPOINTMENTS)
    return bool(own) and (shown or here.known.get("doctor") == own[-1].doctor)


def _goes_on(here: Situation) -> bool:
    said, pointer, question = here.said, here.said.pointer, here.question
    changes = question.action in {turn.MOVE, turn.CANCEL} or question.topic is turn.Topic.ASK_CHANGE
    if not changes or question.topic not in _ASKED or here.says("patterns", "asks_of_visit"):
        return False
    elsewhere = "?" in said.text.folded or Intent.OPENINGS in said.cues.intents or pointer.choosing
    elsewhere = elsewhere and here.is_asked(_WHICH) and not (pointer.row or said.is_bare)
    elsewhere = elsewhere and not any(appointments.fits(here, one, all_of(here)) for one in here.session.appointments)
    begins = not here.session.appointments and here.is_asked(turn.Topic.ASK_APPOINTMENT) and said.cues.books
    if elsewhere or begins or (question.topic is turn.Topic.ASK_NEW_TIME and here.in_question is None):
        return False  # "então marca com ele dia 23" begins something else
    agrees = answer(said.text.original, question.action)
    if question.topic is turn.Topic.ASK_GO_ON or agrees is False:
        return bool(agrees)
    names_place = bool(said.specialties or said.clinics or said.body)
    if names_place and not (here.is_asked(turn.Topic.ASK_WHICH_APPOINTMENT) and Intent.BOOK not in said.cues.intents):
        return False
    points = here.chosen or pointer.numbers or pointer.earliest or pointer.latest or pointer.either
    points = points or pointer.taking or pointer.this or pointer.all or pointer.same_time
    when = bool(said.moments or said.shift or said.wishes.named or said.wishes.is_relative or here.requests[0].freed)
    if question.topic is turn.Topic.ASK_CHANGE:
        return when or pointer.any_day
    return bool(when or said.doctors.found or points or agrees or names_place)


def _cancel(here: Situation) -> turn.Plan:
    proposal = here.session.proposal
    end, own, every = all_of(here), here.session.appointments, here.said.pointer.all
    if here.said.pointer.both and own:  # of two, unless one of them is at two o'clock: then it is asked which
        at_two = (one.matches(held.date, held.time) for one in here.said.moments for held in own)
        every = len(own) <= 2 and not any(at_two)
    steps, named = proposal.plan.steps if proposal else (), end.moments or end.doctors or end.clinics
    taken = tuple(step.taken for step in steps if isinstance(step.call, turn.Book) and step.taken)
    of_own, of_card = (any(appointments.fits(here, one, end) for one in some) for some in (own, taken))
    of_card = of_card and given_up(here, taken, every=False) != ()  # "cancel the skin one, keep the heart one"
    moved = [one.given_back for one in steps if one.given_back is not None] if any(one.taken for one in steps) else []
    if moved and not (named or every) and here.says("requests", "a_visit"):  # "melhor cancelar a consulta"
        return call(here, map(turn.cancelling_step, moved), "The visit is not moved, but given back.")
    if proposal is not None and not (own and every) and (not named or (of_card and not of_own)):
        if any(one.action == turn.CANCEL for one in steps):
            return proposal.plan
        plan = say(here, turn.Topic.NOTHING_DONE, "The open proposal is dropped; it was not made.")
        return replace(plan, question=turn.looked_for(proposal))
    apart = given_up(here, own, every=every)
    held = appointments.held(here, end) if apart is None else apart
    if len(held) == 1 or (held and (every or apart)):
        return call(here, map(turn.cancelling_step, held), "These appointments fit what was said.")
    return _ask_which(here, held, turn.Question(_WHICH, turn.CANCEL, appointments.partly_known(here, end)))


def _move(here: Situation) -> turn.Plan:
    old, new = ends(here)
    held = here.meant
    if held == () and here.session.appointments:  # "muda a da Teles para quinta", who sees them at no visit
        old, new = End(), End(new.moments)
    else:
        timed = replace(old, moments=tuple(one for one in old.moments if one.times))  # not "de manhã não dá mais"
        held = held or appointments.held(here, old) or appointments.held(here, timed)
    if len(held) != 1:
        known = appointments.partly_known(here, old) | targets.partly_known(here, new)
        wish = turn.Wish(new.moments[0].filter) if new.moments else targets.wanted_before(here)
        return _ask_which(here, held, turn.Question(_WHICH, turn.MOVE, known, wish))
    appointment = held[0]
    place = targets.place_of(here, new, appointment)
    question = _question_for(appointment, place)
    if any(not moment.exists for moment in new.moments):
        return say(here, turn.Topic.NO_SUCH_DAY, "The new day is in no calendar.", question=question)
    target = targets.target_of(here, appointment, new, place)
    if target is None or target == appointment:
        return _list_for(here, appointment, place, targets.filter_of(here, appointment, new))
    if here.is_past(target.date, target.time):
        return say(here, turn.Topic.MOMENT_IN_PAST, "The new slot has begun.", question=question)
    own = target.doctor == appointment.doctor
    why = "One appointment and one new slot fit." if own else "A slot of another doctor takes the place of the visit."
    plan = call(here, turn.exchanging_steps(appointment, target), why, question=question)
    day_alone = here.said.is_bare and not here.said.pointer.row and any(not one.times for one in new.moments)
    return replace(plan, asks_first=here.said.pointer.either or day_alone)


def _list_for(here: Situation, held: turn.Appointment, place: targets.Place, wish: turn.Wish) -> turn.Plan:
    said = here.said
    adds = said.wishes.named or said.wishes.is_relative or here.requests[0].freed or said.moments or said.shift
    moves = Intent.MOVE in said.cues.intents or held != here.in_question
    if here.is_asked(turn.Topic.ASK_NEW_TIME) and here.session.offers and not (adds or moves):
        return replace(which_offer(here), question=here.session.question)
    steps = place.steps or [turn.listing_step(held.clinic, held.doctor)]  # a clinic that is gone from the registry
    question = _question_for(held, place)
    nearest = {"nearest": "yes"} if said.pointer.earliest else {}
    question = replace(question, wish=wish, known={**question.known, **nearest})
    plan = call(here, steps, "Openings settle the new slot.", question=question, wish=wish)
    if "?" in said.text.folded or said.pointer.earliest or not said.pointer.latest or turn.spans_of(wish.filter)[1:]:
        return replace(plan, nearest=said.pointer.earliest)
    last = turn.Target(first_of=(turn.OpeningScope(wish.filter),), order=turn.Order.LATEST)  # "muda pra última dela"
    moved = turn.Choice(move=(turn.Rebooking(held, last),))
    return replace(plan, reply=turn.ReplySteps(shown=last.first_of, choice=moved, today=here.now.date()))


def _question_for(held: turn.Appointment, place: targets.Place) -> turn.Question:
    known = {"doctor": held.doctor, **noted(held.date, held.time, "original_"), **place.known}
    return turn.Question(turn.Topic.ASK_NEW_TIME, turn.MOVE, known)


def _ask_which(here: Situation, held: Sequence[turn.Appointment], which: turn.Question) -> turn.Plan:
    own, known, session = held or here.session.appointments, which.known, here.session
    if not held and any(not one.exists for one in here.said.moments):
        question = turn.Question(turn.Topic.ASK_APPOINTMENT, which.action, known)
        return say(here, turn.Topic.NO_SUCH_DAY, "The appointment's day is in no calendar.", question=question)
    if not own and session.knows_own and not session.silent:
        return none_held(here, "No clinic lists an appointment.")
    if not own and len(here.doctors) > len(here.said.doctors.spans):
        names = tuple(doctor.name for doctor in here.doctors)
        question = turn.Question(turn.Topic.ASK_WHICH_DOCTOR, which.action, known, here.wish, names)
        return ask_question(here, question, "The name fits several doctors.")
    if own:
        question = replace(which, choices=tuple(choice(one, here.language) for one in own))
        asked = ask_question(here, question, "Several appointments of this conversation could be meant.")
        if not held and (here.said.wishes.named or here.said.body or not {"doctor", "date", "time"}.isdisjoint(known)):
            return replace(asked, note=turn.Topic.NO_SUCH_APPOINTMENT)
        several = which.action == turn.MOVE and (here.said.pointer.all or here.said.pointer.both)
        return replace(asked, note=turn.Topic.ONE_BY_ONE) if several else asked
    why = "This conversation knows of no appointment; doctor, day and time are needed."
    return ask_question(here, turn.Question(turn.Topic.ASK_APPOINTMENT, which.action, known, here.wish), why)
