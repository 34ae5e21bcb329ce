"""Make the plan of a turn from the steps that a model chose: reads for every clinic they concern, the reply, a choice.

A plan of reads never becomes a write. A change is only proposed, and only where the person wants or chooses one.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from operator import attrgetter

from orchestrator import turn
from orchestrator.planner.dialogue import Situation, ask, call, say, shown_appointments
from orchestrator.planner.model.chosen_steps import Chosen, appointment_id
from orchestrator.planner.model.turn_form import TOPICS
from orchestrator.planner.understanding import Intent

_READS_ONLY = frozenset({turn.Topic.MOMENT_IN_PAST, turn.Topic.NO_SUCH_DAY, turn.Topic.OPERATORS_ONLY})
"""Where a model may know what to read, but the words name no moment that could be booked."""
_WHY_READ = "A language model chose what to read; code asks every clinic that it concerns."
_WHY_CHANGE = "A language model chose a change; it is looked up and asked about first."
_WHY_SAY = "A language model found nothing to ask the clinics for."
_ASKED = {
    turn.Topic.ASK_SPECIALTY: turn.LIST,
    turn.Topic.ASK_PATIENT_ID: turn.GET_PATIENT,
    turn.Topic.ASK_QUERY: turn.QUERY,
    turn.Topic.ASK_CHANGE: None,
}  # what the answer to a question leads to


def wants_change(here: Situation, offline: turn.Plan) -> bool:
    """Return whether the person wants or chooses something; thanks, a denial and a mere question do neither."""
    cues, pointer = here.said.cues, here.said.pointer
    if offline.writes:
        return True
    points = here.said.moments or here.said.doctors.found or pointer.numbers or pointer.this
    only_chats = cues.chat is not None and not cues.intents and not points
    if cues.denied or cues.hypothetical or only_chats or offline.topic in _READS_ONLY:
        return False
    asks_for_one = cues.books or cues.missing or not {Intent.MOVE, Intent.CANCEL}.isdisjoint(cues.intents)
    if (cues.clinic_matter or cues.clinic_facts) and not asks_for_one:
        return False
    asks = cues.question or pointer.asking or here.said.text.original.rstrip().endswith("?")
    return asks_for_one or pointer.choosing or pointer.taking or not asks


def plan_of(chosen: Chosen, here: Situation, offline: turn.Plan, *, remembers: bool) -> turn.Plan:
    """Return the plan of a turn from what a model chose, or the grammar's where that comes to nothing.

    `remembers` says whether something is remembered or forgotten besides. `chosen` notes what became of its steps.
    """
    chosen.notes += chosen.faults
    if chosen.choice is not None and not wants_change(here, offline):
        chosen.choice = None
        chosen.notes.append("A change was left out: the person neither wants nor chooses one.")
    if chosen.choice is not None:
        plan = _changing(chosen.choice, chosen, here, offline)
    elif chosen.records:
        plan = call(here, chosen.records, _WHY_READ)
    elif chosen.read or chosen.shown or chosen.questions:
        plan = _reading(chosen, here)
    elif chosen.own is not None and not chosen.topics:
        own, held = chosen.own.filter, sorted(here.session.appointments, key=attrgetter("begin"))
        plan = shown_appointments(here, turn.Wish(own), [one for one in held if turn.fits(own, one)])
        return _with_courtesies(replace(plan, about_own=_must_look(here)), chosen, here)
    else:
        if (remembers or chosen.asked is not None) and not chosen.topics:
            chosen.topics.append(turn.Topic.CLINIC_FACTS if chosen.asked is not None else turn.Topic.WHAT_ELSE)
        return _with_courtesies(_saying(chosen, here, offline), chosen, here)
    if plan.steps:
        return replace(plan, about_own=chosen.own is not None and _must_look(here))
    chosen.notes.append("No clinic has what the steps are about.")
    chosen.is_used = False
    return offline


def _with_courtesies(plan: turn.Plan, chosen: Chosen, here: Situation) -> turn.Plan:
    """Return a plan that says the courtesies and the topics behind the first, too."""
    topics = tuple(dict.fromkeys(chosen.topics[1:])) if chosen.is_used else ()
    if not (chosen.courtesies or topics):
        return plan
    shown = (turn.OpeningScope(plan.wish.filter),) if plan.steps else ()
    reply = turn.ReplySteps(tuple(dict.fromkeys(chosen.courtesies)), topics, shown=shown, today=here.now.date())
    return replace(plan, reply=reply)


def _must_look(here: Situation) -> bool:
    return not (here.session.knows_own or here.is_operator)


def _changing(choice: turn.Choice, chosen: Chosen, here: Situation, offline: turn.Plan) -> turn.Plan:
    if _agrees(choice, offline):
        return offline
    targets = [*choice.book, *(one.target for one in choice.move)]
    if all(target.slot is not None for target in targets):
        changes = turn.changes_of(choice, here.session.printed, here.session.printed)
        if changes is not None:
            plan = call(here, changes, _WHY_CHANGE, question=_question_after(changes))
            return replace(plan, asks_first=True, reply=_reply(chosen, here))
    scopes = [scope for target in targets for scope in target.first_of]
    steps = _reads(scopes, here, ())
    wish = turn.Wish(turn.any_of(scope.filter for scope in scopes)) if scopes else turn.Wish()
    plan = call(here, steps, _WHY_CHANGE, question=_question_of(steps, here, wish), wish=wish)
    return replace(plan, asks_first=True, reply=_reply(chosen, here, shown=scopes or [turn.OpeningScope()]))


def _agrees(choice: turn.Choice, offline: turn.Plan) -> bool:
    taken = [step.taken for step in offline.steps if step.taken is not None]
    given = [step.given_back for step in offline.steps if step.given_back is not None]
    targets = [*choice.book, *(one.target for one in choice.move)]

    def suits(target: turn.Target, slot: turn.Appointment) -> bool:
        by_scope = (turn.verdict(scope.filter, slot.clinic, slot.doctor, slot.begin) for scope in target.first_of[:1])
        return target.slot == slot or (target.slot is None and True in by_scope)

    return (
        all(turn.is_write(step.action) for step in offline.steps)
        and bool(taken or given)
        and sorted(map(appointment_id, given)) == sorted(map(appointment_id, choice.given_back))
        and len(taken) == len(targets)
        and all(any(suits(target, slot) for target in targets) for slot in taken)
    )


def _reading(chosen: Chosen, here: Situation) -> turn.Plan:
    asked = [one for question in chosen.questions if (one := turn.scope_of(question)) is not None]
    scopes = [*chosen.read, *chosen.shown] or [one for one in asked if not one.among_shown]
    also = {slot.clinic for question in chosen.questions for slot in turn.openings_named(question)}
    if not scopes:
        also |= {offer.clinic for offer in here.session.offers}
    steps = _reads(scopes, here, also)
    shows = bool(chosen.shown) or not chosen.questions
    told = chosen.shown or chosen.read
    wish = turn.Wish(turn.any_of(scope.filter for scope in (told or asked or [turn.OpeningScope()])))
    question = _question_of(steps, here, wish) if shows else here.session.question
    plan = call(here, steps, _WHY_READ, question=question, wish=wish)
    keeps = here.session.proposal is not None and not shows
    reply = _reply(chosen, here, shown=(told or [turn.OpeningScope()]) if shows else ())
    return replace(plan, reply=reply, keeps_proposal=keeps)


def _reply(chosen: Chosen, here: Situation, *, shown: Sequence[turn.OpeningScope] = ()) -> turn.ReplySteps:
    return turn.ReplySteps(
        tuple(dict.fromkeys(chosen.courtesies)),
        tuple(dict.fromkeys(chosen.topics)),
        tuple(dict.fromkeys(chosen.questions)),
        tuple(shown),
        choice=chosen.choice,
        today=here.now.date(),
        refused=tuple(chosen.faults),
        own=chosen.own,
    )


def _reads(scopes: Sequence[turn.OpeningScope], here: Situation, also: Collection[str]) -> list[turn.Step]:
    """Return a step for each clinic of which a scope may hold an opening (Rule 10), in the registry's order."""
    talked_of = {clinic for code in here.specialties_talked_of for clinic in here.clinics_of(code)}
    steps: list[turn.Step] = []
    # A scope that does not say of which clinics it is means those that are being talked of.
    placed = [one for one in scopes if not all(turn.fitting_doctors(one.filter, clinic) for clinic in here.clinics)]
    for clinic in here.clinics:
        meant = scopes if not talked_of or clinic.id in talked_of else placed
        doctors = {name for scope in meant for name in turn.fitting_doctors(scope.filter, clinic)}
        if clinic.id in also or doctors:
            only = doctors if len(doctors) == 1 < len(clinic.doctors) and clinic.id not in also else set()
            steps.append(turn.listing_step(clinic.id, next(iter(only), None)))
    return steps


def _question_of(steps: Sequence[turn.Step], here: Situation, wish: turn.Wish) -> turn.Question:
    asked = here.session.question
    if asked is not None and asked.topic is turn.Topic.ASK_NEW_TIME and here.awaits_answer:
        return replace(asked, wish=wish)
    doctors = {step.doctor or "" for step in steps}
    codes = " ".join(sorted({here.specialty_of(step.clinic) or "" for step in steps}))
    known = {"doctor": doctors.pop()} if len(doctors) == 1 and "" not in doctors else {"specialty": codes}
    return turn.Question(turn.Topic.ASK_WHICH_OFFER, turn.BOOK, known, wish)


def _question_after(steps: Sequence[turn.Step]) -> turn.Question | None:
    if len(steps) != 1 or steps[0].given_back is None or steps[0].taken is None:
        return None
    known = {name: steps[0].parameters[name] for name in ("doctor", "original_date", "original_time")}
    return turn.Question(turn.Topic.ASK_NEW_TIME, steps[0].action, known)


def _saying(chosen: Chosen, here: Situation, offline: turn.Plan) -> turn.Plan:
    """Return what the desk says; where the words alone call clinics, those are called, and a change is asked about."""
    topic = chosen.topics[0] if chosen.topics else None
    if offline.kind is turn.PlanKind.STEPS:
        chosen.is_used = False
        return offline if topic in {None, turn.Topic.ASK_REQUEST} else replace(offline, asks_first=offline.writes)
    if topic is None or topic is offline.topic:
        chosen.is_used = topic is not None
        return offline
    said = say(here, topic, _WHY_SAY)
    # A topic that no model may choose stands, and so does another of the same kind.
    is_alike = offline.kind is said.kind and offline.topic is not turn.Topic.ASK_REQUEST
    if (offline.topic not in TOPICS or is_alike) and topic not in {turn.Topic.WHAT_ELSE, turn.Topic.CLINIC_FACTS}:
        chosen.is_used = False
        return offline
    return ask(here, topic, _WHY_SAY, action=_ASKED[topic]) if topic in _ASKED else said
