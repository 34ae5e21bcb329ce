"""The offline planner: an utterance, a session and a directory in; a plan out. No model and no call.

One request is decided by the first of `_RULES` that has a plan; two in one sentence are parted before.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from orchestrator import turn
from orchestrator.planner.about_self import memory_plan as memories
from orchestrator.planner.about_self import reminders_of
from orchestrator.planner.dialogue import Situation, acts, booking
from orchestrator.planner.dialogue import appointment_changes as changes
from orchestrator.planner.dialogue import appointments_held as mine
from orchestrator.planner.dialogue import asides as talk
from orchestrator.planner.dialogue import opening_search as openings
from orchestrator.planner.dialogue import other_people as others
from orchestrator.planner.dialogue import plan_builders as build
from orchestrator.planner.dialogue import several_bookings as several
from orchestrator.planner.dialogue import visits_apart as between
from orchestrator.planner.dialogue.asked_again import asked_again, at_a_loss
from orchestrator.planner.dialogue.clinic_questions import clinic_question, clinics_named, with_facts
from orchestrator.planner.dialogue.on_the_table import agrees, background_of, just_cancelled, named_above
from orchestrator.planner.dialogue.plain_changes import Told, plain_change
from orchestrator.planner.dialogue.references import doctor_meant, spelled_out, with_doctor, with_place, with_row
from orchestrator.planner.dialogue.written_out import was_of_its_day
from orchestrator.planner.lexicon import expression, table
from orchestrator.planner.text import normalise, without_courtesies
from orchestrator.planner.understanding import OF_RECORDS, Intent, asked_apart, facts_in, is_only, parted, understand
from orchestrator.planner.wishes import RELATIVE, Kind, opening_days

_RULES: Mapping[str, tuple[Callable[[Situation], turn.Plan | None], ...]] = {
    "before all": (talk.emergency, memories.command, talk.refusal, acts.after_warning, openings.for_the_speaker),
    "let go or kept": (at_a_loss, between.part_of_card, several.in_place_of_visit, changes.keep, acts.let_go),
    "about the desk": (talk.foreign, between.time_left, between.visit_length, acts.checked, talk.question, talk.denied),
    "to be shown": (talk.until_then, others.patients, openings.shown_again, mine.own_appointments),
    "the list": (changes.another_meant, openings.list_before, openings.more_openings, openings.other_openings),
    "on the table": (acts.go_on, talk.parting, acts.correct_proposal),
    "own appointments": (changes.change_with_a_sign, changes.change, mine.absence),
    "with whom": (openings.who_attends, talk.help_wanted),
    "not certain": (openings.no_such_day, openings.which_day, talk.unknown_name, openings.which_doctor),
    "taken": (several.book_several, booking.pick_offer, booking.book_named_slot),
    "openings": (openings.list_openings, talk.other_specialty, talk.off_topic),
    "complaints": (openings.for_complaint, talk.complaint),
    "gone on with": (acts.none_suits, openings.continue_openings),
    "talk": (talk.courtesy, acts.declined, talk.nothing_to_agree),
    "what is left": (others.somebody_else, openings.ask_specialty, talk.unwell, talk.strange_question),
}  # the policy: each rule under what it is about, in the order in which they are asked
_ADVICE = frozenset({turn.Topic.DOSAGE, turn.Topic.DIAGNOSIS})  # which is not given, and decides nothing
_SHORT = 2  # words of a question that may only ask a yes back: "né?", "is it?"


def situation_of(utterance: str, session: turn.Session, clinics: Sequence[turn.Clinic], now: datetime) -> Situation:
    """Return the situation in which an utterance is decided."""
    local, told = now.replace(tzinfo=None), Told(without_courtesies(utterance, session.language), session)
    if expression("moves_at_all").search(normalise(told.said).folded):
        told = plain_change(told.said, session, clinics, local)
    utterance, session = spelled_out(told.said, told.session, clinics, local), told.session
    utterance = memories.with_notes(utterance, session, clinics) if session.recalled else utterance
    said = understand(utterance, session.language, clinics, local, background_of(session))
    said = with_place(with_row(said, session), session)
    here = Situation(said, session, tuple(clinics), local, meant=told.meant, then=told.then)
    here = replace(here, said=(said := with_doctor(here)))
    before, doctor = here.wanted_before, doctor_meant(here) if said.wishes.turns_from_doctor else None
    if doctor is not None and not (before and turn.Axis.DOCTOR in turn.axes_of(before.filter)):
        before = (before or turn.ANYTHING).and_also(turn.WithDoctors(frozenset({doctor.name})))
    if before is not None and turn.Axis.DAY in said.wishes.named and was_of_its_day(session):
        before = turn.Wish(turn.without(before.filter, frozenset({turn.Axis.TIME})))  # "e no dia 10?"
    cancelled = just_cancelled(session) if said.wishes.is_relative or said.shift else None
    if cancelled is not None and not (before or said.specialties or said.doctors.found or said.clinics):
        before = turn.Wish(turn.WithDoctors(frozenset({cancelled.doctor})))
    # "Tem mais tarde?" is later than what is proposed, or than the one that was named.
    proposed = here.proposed or named_above(session, said.wishes) or cancelled if said.wishes.is_relative else None
    requests = said.wishes.requests(before, proposed, here.beside, here.question.waiting)
    here = replace(here, requests=tuple(replace(one, wish=here.in_order(one.wish)) for one in requests))
    return here if session.insured is None else build.with_insurance(here, session.insured)


def _change_and_booking(here: Situation) -> tuple[Situation, Situation] | None:
    said, halves = here.said, parted(here.said)
    if halves is None:
        return None
    change, booking = (situation_of(half, here.session, here.clinics, here.now) for half in halves)
    told = Intent.CANCEL in change.said.cues.intents and booking.said.cues.books and booking.said.moments
    if not (booking.said.specialties or booking.said.doctors.found or told):
        return None
    heard = replace(change.said, language=said.language, danger=said.danger, for_whom=said.for_whom)
    return replace(change, said=heard), booking


def _two_requests(here: Situation) -> Sequence[Situation]:
    listed = here.session.offers and here.session.proposal is None
    cues, records = here.said.cues, here.said.patients or OF_RECORDS & {*here.said.cues.intents}
    gives_back = cues.intents[:1] == (Intent.CANCEL,) and not (cues.books or Intent.OPENINGS in cues.intents)
    if gives_back or not (listed or records or len(build.named_specialties(here)) > 1):
        return ()
    agreed = acts.parts_of_yes(here.said.text.original, turn.BOOK) if listed else None
    for way in (*([agreed] if agreed else []), *asked_apart(here.said)):
        behind = situation_of(way[1], here.session, here.clinics, here.now)
        if not (second := {*build.named_specialties(behind)}):
            continue  # no second request, so that the first half need not be read
        halves = [situation_of(way[0], here.session, here.clinics, here.now), behind]
        first = {*build.named_specialties(halves[0])}
        # "Pega o das 8, e mais um ortopedista": the row is of a specialty though it names none.
        row = None if first else booking.pick_offer(halves[0])
        taken = {here.specialty_of(step.clinic) or "" for step in row.steps if row.writes} if row is not None else set()
        one_doctor = bool(halves[0].doctors) != bool(halves[1].doctors)  # specialties alone are requests of one wish
        apart = (one_doctor or taken) and (first or taken).isdisjoint(second)
        of_records = any(one.said.patients or OF_RECORDS & {*one.said.cues.intents} for one in halves)
        depends = halves[1].says("patterns", "yes_depends") or (way is agreed and halves[1].said.shift)
        if (first or taken) and not depends and (apart or (first and of_records)):
            return halves
    return ()


def _told_beside(here: Situation, plan: turn.Plan) -> turn.Plan:
    """Return a plan with what was asked about clinics beside it, whether they open on a day, and whom to call."""
    asked, topic, hours = plan.asked, plan.topic, turn.AskedFact.HOURS
    if asked is not None and (most := tuple(one for one in turn.MOST if here.says("clinic_facts", one))):
        asked = replace(asked, most=most)
        plan = replace(plan, asked=asked)
    if topic is turn.Topic.CLINIC_MATTERS and (near := clinics_named(here) or build.clinics_talked_of(here)):
        return replace(plan, asked=turn.FactQuestion((turn.AskedFact.PHONE,), near, beside=True))
    if asked is None and topic is not turn.Topic.ASK_SPECIALTY:
        return with_facts(here, plan)
    if asked is not None and turn.AskedFact.CHANGE_UNTIL in asked.facts and here.says("requests", "unpriced"):
        asked = replace(asked, facts=(*asked.facts, turn.AskedFact.PHONE))  # what it costs is not known
        return replace(plan, asked=asked, note=turn.Topic.CLINIC_MATTERS)
    days = opening_days(here.said.moments, here.clinics)
    plainly = here.said.cues.question and not here.says("clinic_facts", "which_clinic")  # "which opens on Saturday?"
    told = tuple(one for one in days if not (asked and one.clinics and plainly))
    if asked is not None and hours in asked.facts:
        told = (*(one for one in asked.wanted if one.axis is not turn.Axis.DAY), *told)
        return replace(plan, asked=replace(asked, wanted=told))
    if asked is not None or plan.question is None or not told or any(one.clinics for one in told):
        return with_facts(here, plan)
    rest = turn.Wish(turn.without(plan.question.wish.filter, frozenset({turn.Axis.DAY})))  # "do you do Sundays?"
    asked = turn.FactQuestion((hours,), tuple(one.id for one in here.clinics), told)
    return replace(plan, topic=turn.Topic.CLINIC_FACTS, question=replace(plan.question, wish=rest), asked=asked)


class OfflinePlanner:
    """Understands Portuguese and English without a model."""

    def plan(self, utterance: str, session: turn.Session, clinics: Sequence[turn.Clinic], now: datetime) -> turn.Plan:
        """Return what to do about any utterance; a naive `now` is in the clinics' time zone, America/Sao_Paulo."""
        return self.decide(situation_of(utterance, session, clinics, now))

    def decide(self, here: Situation) -> turn.Plan:
        """Return the plan of the first rule that has one; of two requests in one sentence, the plan of both."""
        if (two := _change_and_booking(here)) is not None:
            plan, booking = self._decide(two[0]), two[1]
            if plan.topic is turn.Topic.NO_APPOINTMENTS:
                return replace(self._decide(booking), note=plan.topic)
            slot = several.slot_named(turn.on_coming_days(booking.wish.widest), booking)
            if slot is None or {step.action for step in plan.steps} != {turn.CANCEL}:
                return build.put_off(booking, plan)
            given_back = (replace(step, after=1) for step in plan.steps)  # "cancela essa e marca o Caio sexta às 13h"
            return build.call(here, (turn.booking_step(slot), *given_back), "One visit takes the place of another.")
        of_card = here.proposed is not None and turn.AskedFact.INSURANCE in here.said.cues.clinic_facts
        yes = acts.parts_of_yes(here.said.text.original, turn.BOOK) if of_card and here.said.cues.books else None
        if yes is not None and "?" in yes[1]:  # which is answered before anything is booked
            return self._decide(situation_of(yes[1], here.session, here.clinics, here.now))
        whole = self._decide(here)
        apart = () if whole.asks_first and whole.question is not None else _two_requests(here)
        if not apart or (whole.kind in turn.URGENT and whole.topic is not turn.Topic.OPERATORS_ONLY):
            return (whole.kind is turn.PlanKind.CLARIFY and self._two_questions(here)) or whole
        plan = several.together(here, apart, [self.decide(one) for one in apart])
        return replace(plan, language=whole.language, classification=build.classified(here, plan))

    def _two_questions(self, here: Situation) -> turn.Plan | None:
        """Return the plan of two questions of one turn, the first about clinics: each is asked of its own clinics."""
        text, known = here.said.text, (here.clinics, here.now)
        for joint in expression("next_question").finditer(text.folded):
            (start, end), told = text.original_span(*joint.span()), facts_in(text.folded[: joint.start()])
            first = told and self._decide(situation_of(text.original[:start], here.session, *known))
            if not first or first.asked is None or first.topic is not turn.Topic.CLINIC_FACTS:
                continue
            session = replace(here.session, question=first.question, asked=first.asked)  # "and what is free there?"
            second = self._decide(situation_of(text.original[end:], session, *known))
            ahead, beside = second.asked and first.asked, second.asked is None
            asked = replace(second.asked or first.asked, ahead=ahead, beside=beside)
            if second.topic is turn.Topic.CLINIC_MATTERS:
                return replace(first, note=second.topic, asked=asked)
            apart = asked.clinics != first.asked.clinics and asked.facts != first.asked.facts  # "between B and F?"
            apart = apart and len(first.asked.clinics) < len(here.clinics)
            listed = second.asked is None and second.steps and not second.writes
            if listed or (second.topic is turn.Topic.CLINIC_FACTS and apart):
                return replace(second, asked=asked)
        return None

    def _decide(self, here: Situation) -> turn.Plan:
        plans = (rule(here) for rules in _RULES.values() for rule in rules)
        plan = next(filter(None, plans), None) or talk.not_understood(here)
        plan = _told_beside(here, several.queued(here, asked_again(here, plan)))
        plan = talk.languages_told(here, talk.kept_open(here, others.kept_to_speaker(here, plan)))
        if here.said.wishes.unread and any(step.action == turn.LIST for step in plan.steps):
            plan = replace(plan, unread=several.left_unread(here, plan))
        plan = memories.with_memory(here, talk.cautioned(here, plan))
        kept = [one for one in here.session.recalled if turn.ForgetMemory(one.content) not in plan.memory]
        reminders = memories.excepted(here, reminders_of(kept, here.clinics, here.language))
        plan = replace(plan, note=plan.note or turn.Topic.CHANGED_ONE_BY_ONE, then=here.then) if here.then else plan
        classification, about_own = build.classified(here, plan), plan.about_own or _is_about_own(here, plan)
        insured = _insured(here, plan)
        return replace(plan, classification=classification, reminders=reminders, about_own=about_own, insured=insured)

    def consent(self, utterance: str, proposal: turn.Proposal) -> bool | None:
        """Return True or False when the whole utterance answers a proposal, else None; empty means no."""
        action, steps, asked = acts.action_of(proposal), proposal.plan.steps, proposal.plan.question
        taken = steps[0].taken if len(steps) == 1 and action == turn.BOOK else None
        several = len(steps) > 1 or bool(asked and asked.waiting)
        return agrees(without_courtesies(utterance, proposal.plan.language), action, taken, several=several)

    def behind_yes(
        self, utterance: str, session: turn.Session, clinics: Sequence[turn.Clinic], now: datetime
    ) -> tuple[str, str] | None:
        """Return a plain yes to the card, or what takes or keeps rows of a list, and what else: "o 2, aceita Amil?"."""
        utterance = without_courtesies(utterance, session.language)
        proposal, bare = session.proposal, replace(session, proposal=None, question=None, offers=(), asked=None)
        action, several = (acts.action_of(proposal), len(proposal.plan.steps) > 1) if proposal else (turn.BOOK, False)
        parts, asks = acts.parts_of_yes(utterance, action, several=several), expression("asks_behind").search(utterance)
        if (parts := parts or (acts.parts_of_pick(utterance) if asks and not proposal else None)) is None:
            return None
        here = situation_of(parts[1], bare, clinics, now)
        if proposal:
            return parts if _is_another_matter(here, proposal.plan.steps, action) else None
        told, picked = clinic_question(here), self.decide(said := situation_of(parts[0], session, clinics, now))
        keeps = said.said.wishes.named and told and {one.action for one in picked.steps} == {turn.LIST}
        if build.named_specialties(here) or not (picked.writes or keeps):  # the first waits behind the card
            return None
        insured = told and told.asked and "?" in utterance and turn.AskedFact.INSURANCE in told.asked.facts
        return parts if (picked.writes and insured) or _is_another_matter(here, picked.steps, action) else None


def _is_another_matter(here: Situation, agreed: Sequence[turn.Step], action: str | None) -> bool:
    said, folded, intents = here.said, here.said.text.folded, {*here.said.cues.intents}
    if said.danger.emergency is not None or is_only(folded, "hesitations"):
        return False
    named, told, refused = {*build.named_specialties(here)}, clinic_question(here), talk.refusal(here)
    waits, changes = table("requests", "waiting_list"), not {Intent.MOVE, Intent.CANCEL}.isdisjoint(intents)
    depends = expression("yes_depends").search(waits.sub(lambda one: one[0].split()[0], folded)) or acts.lets_go(here)
    corrects = said.moments or said.shift or said.pointer.numbers or said.pointer.other
    other = named.isdisjoint(here.specialty_of(step.clinic) for step in agreed)
    more = depends or (named and other) or changes or corrects or here.says("patterns", "more_said")
    aside = here.says("patterns", "yes_of_oneself") or (refused and refused.topic in _ADVICE) or waits.search(folded)
    if (aside and not more) or (here.says("patterns", "tells_doctor") and not said.wishes.named):
        return True  # "... and call me if something opens earlier", "but I am allergic to latex", which settle nothing
    if depends or refused is not None or said.cues.denies or said.cues.hypothetical or said.for_whom is not None:
        return False
    if named or changes or action == turn.CANCEL:
        apart = other or (action == turn.CANCEL and not changes)
        return bool(named) and apart and (told is None or changes)
    wanted = any(one.wanted or one.kind in RELATIVE - {Kind.SAME} for one in said.wishes.tokens)
    if corrects or wanted or said.complaints or turn.AskedFact.INSURANCE in said.cues.clinic_facts:
        return False
    puts = "?" in folded or said.cues.question or said.cues.clinic_matter
    asks = told or said.cues.clinic_facts or (puts and len(folded.split()) > _SHORT and not intents - {Intent.QUERY})
    return bool(asks or said.pointer.mine or said.cues.chat in {turn.Topic.THANKS, turn.Topic.FAREWELL})


def _insured(here: Situation, plan: turn.Plan) -> turn.ClinicFact | None:
    """Return the insurance to which later searches keep: the last that was said, unless it is of somebody else."""
    said = {one.wanted for one in here.said.wishes.tokens if isinstance(one.wanted, turn.ClinicFact)}
    said = {one for one in said if one.axis is turn.Axis.INSURANCE and one.clinics}
    ended = here.says("clinic_facts", "insurance") and here.says("patterns", "takes_back")
    if here.said.for_whom is None and not ended and len(said) == 1 and said.isdisjoint(here.said.wishes.refused):
        return said.pop()
    asks = plan.topic is turn.Topic.CLINIC_FACTS and turn.AskedFact.PRICE in here.said.cues.clinic_facts
    pays = turn.Axis.INSURANCE in here.requests[0].freed and not asks  # and not "what would it be out of pocket?"
    return None if pays or ended else here.session.insured


def _is_about_own(here: Situation, plan: turn.Plan) -> bool:
    # A receptionist looks into the book before answering; in danger nobody waits, and notes are none of it.
    of_notes = any(not isinstance(call, turn.SaveMemory) for call in plan.memory)
    if here.session.knows_own or here.is_operator or plan.kind in turn.URGENT or of_notes:
        return False
    cues, is_open = here.said.cues, here.session.question is not None or here.session.offers
    instead, on_card = here.said.pointer.instead, here.session.proposal is not None
    leans = (here.said.wishes.is_relative and not is_open) or (instead and (on_card or not is_open))
    alone = not (is_open or on_card or cues.books or Intent.BOOK in cues.intents)
    leans = leans or ((alone or here.says("patterns", "asks_of_visit")) and mine.speaks_of_own(here))
    leans = leans or here.meant is not None
    return here.said.pointer.mine or cues.missing or leans or not {Intent.MOVE, Intent.CANCEL}.isdisjoint(cues.intents)
