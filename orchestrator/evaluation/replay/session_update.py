"""Update a session that a live turn left with a text of the desk: receipts, a proposal, openings or a question."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from orchestrator import turn
from orchestrator.evaluation.replay.desk_utterance import DeskStatement
from orchestrator.evaluation.replay.dry_run import DryRunResult
from orchestrator.evaluation.replay.slot_mentions import NamedSlot, SlotResolver
from orchestrator.evaluation.replay.stated_writes import receipt_for, receipts_for, steps_for
from orchestrator.planner.dialogue import choice

_CHOOSING = frozenset({turn.Topic.ASK_WHICH_OFFER, turn.Topic.ASK_NEW_TIME})
"""Questions that openings answer."""


@dataclass(frozen=True, slots=True)
class SessionUpdate:
    """The update of a session with one text."""

    statement: DeskStatement
    session: turn.Session  # the session as a live turn would have left it
    decision: DryRunResult | None  # the decision of that turn; None if the person had not spoken
    resolver: SlotResolver  # resolves named slots against the clinics' lists

    def following(self) -> turn.Session:
        """Return the session after the text."""
        return replace(self, session=self._acknowledged()).next_step()

    def next_step(self) -> turn.Session:
        """Return the session after what the text proposes, offers, asks or denies; receipts are in it already."""
        ways = (self._proposed, self._offered, self._asked)
        # Nothing is available: what a live turn would have listed or proposed is dropped.
        otherwise = replace(self.session, proposal=None, offers=()) if self.statement.lacks else self.session
        return next((after for way in ways if (after := way()) is not None), otherwise)

    def _acknowledged(self) -> turn.Session:
        said, session = self.statement, self.session
        made: list[turn.Receipt] = []
        for done in said.done:
            made += receipts_for(done.kind, self._settled(done.slots), session.appointments, self._intended)
        if said.done_unsaid and not said.done:
            made += [receipt for step in self._intended if (receipt := receipt_for(step)) is not None]
        owned = self._settled((*said.held, *(self._suggested if self._lists_appointments else ())))
        known = [turn.Receipt(turn.ReceiptKind.CONFIRMED, one) for one in owned if one not in session.appointments]
        after = replace(session, receipts=(*session.receipts, *made, *known))
        return replace(after, proposal=None, offers=_worth_choosing(after)) if made else after

    def _proposed(self) -> turn.Session | None:
        # The writes that the text names, or those that were requested.
        if not self.statement.confirms or self._lists_appointments:
            return None
        steps = self._proposed_steps()
        if not steps:
            return self.session if self.session.proposal and not self.statement.suggested else None
        numbered = tuple(replace(step, step_id=number) for number, step in enumerate(steps, 1))
        question = self.session.question
        plan = turn.Plan(
            turn.PlanKind.STEPS,
            self.session.language,
            steps=numbered,
            question=question if question is not None and question.topic in _CHOOSING else None,
        )
        return replace(self.session, proposal=turn.Proposal(plan))

    def _proposed_steps(self) -> tuple[turn.Step, ...]:
        said, held = self.statement, self.session.appointments
        # "Você tem uma consulta no dia 22. Deseja cancelar?" names what is held.
        groups = {self._action: self._suggested or (said.held if self._action == turn.CANCEL else ())}
        if len(said.actions) > 1:
            groups = {
                action: tuple(one.slot for one in said.suggested if (one.action or said.actions[0]) == action)
                for action in said.actions
            }
        return tuple(step for action, named in groups.items() for step in steps_for(action, self._settled(named), held))

    def _offered(self) -> turn.Session | None:
        # Unless they belong to the write that was requested.
        slots = () if self._lists_appointments else self._settled(self._suggested)
        if not slots:
            return None
        live = self.session.proposal
        if live is not None and set(slots) == {one.appointment for one in map(receipt_for, live.plan.steps) if one}:
            return self.session
        if self.statement.shows and len(slots) == 1:
            # "Quer ver outros?": a yes to that must not take the one.
            return self._showing()
        offers = tuple(
            turn.Offer(number, slot.clinic, slot.doctor, "", slot.date, slot.time)
            for number, slot in enumerate(slots, 1)
        )
        return replace(self.session, proposal=None, offers=offers, question=self._question_about(offers))

    def _question_about(self, offers: Sequence[turn.Offer]) -> turn.Question:
        question = self.session.question
        if question is not None and question.topic in _CHOOSING:
            return question
        doctors = {offer.doctor for offer in offers}
        if question is not None and question.action == turn.MOVE:
            # Openings shown to who wants to move are never booked beside the old appointment.
            held = [one for one in self.session.appointments if one.doctor in doctors]
            known = question.known
            if len(held) == 1:
                day, at = held[0].date.isoformat(), turn.clock(held[0].time)
                known = {"doctor": held[0].doctor, "original_date": day, "original_time": at}
            return turn.Question(turn.Topic.ASK_NEW_TIME, turn.MOVE, known)
        specialties = dict.fromkeys(self.resolver.specialty_of(offer.doctor) for offer in offers)
        known = {"doctor": doctors.pop()} if len(doctors) == 1 else {"specialty": " ".join(specialties)}
        return turn.Question(turn.Topic.ASK_WHICH_OFFER, turn.BOOK, known)

    def _asked(self) -> turn.Session | None:
        # The question of the text, or that of the live turn where it is the same.
        said, question = self.statement, self.session.question
        if said.shows:
            return self._showing()
        asks = said.asks
        if said.held and question is not None and question.topic is turn.Topic.ASK_APPOINTMENT:
            # Which one was open; now that they are named, one can be pointed at.
            asks = turn.Topic.ASK_WHICH_APPOINTMENT
        if question is not None and question.topic is asks:
            return None
        offers = self.session.offers
        match asks:
            case turn.Topic.ASK_SPECIALTY:
                offers, question = (), turn.Question(turn.Topic.ASK_SPECIALTY, turn.LIST, wish=self._wish)
            case turn.Topic.ASK_WHICH_DOCTOR if len(said.doctors) > 1:
                # Numbers mean doctors now, so nothing else may be numbered.
                offers, question = (), turn.Question(turn.Topic.ASK_WHICH_DOCTOR, turn.LIST, choices=said.doctors)
            case turn.Topic.ASK_WHICH_APPOINTMENT:
                question = self._which_appointment()
            case _:
                return None
        return replace(self.session, proposal=None, offers=offers, question=question)

    def _which_appointment(self) -> turn.Question:
        question, own = self.session.question, self.session.appointments
        said = next((action for action in self.statement.actions if action in {turn.MOVE, turn.CANCEL}), None)
        action = said or (question.action if question is not None else None)
        if not own:
            return turn.Question(turn.Topic.ASK_APPOINTMENT, action)
        choices = tuple(choice(one, self.session.language) for one in own)
        return turn.Question(turn.Topic.ASK_WHICH_APPOINTMENT, action, choices=choices)

    def _showing(self) -> turn.Session:
        # A yes asks for the openings of the one specialty or doctor in question.
        question = self.session.question
        known = dict(question.known) if question is not None else {}
        if len(self.statement.specialties) == 1:
            known = {"specialty": self.statement.specialties[0]}
        if len(self.statement.specialties) > 1 or not {"doctor", "specialty"} & set(known):
            asked = turn.Question(turn.Topic.ASK_SPECIALTY, turn.LIST, wish=self._wish)
        else:
            asked = turn.Question(turn.Topic.OFFER_SPECIALTY, turn.LIST, known, self._wish)
        return replace(self.session, proposal=None, offers=(), question=asked)

    @property
    def _intended(self) -> tuple[turn.Step, ...]:
        if self.decision is not None and self.decision.writes:
            return self.decision.writes
        return self.session.proposal.plan.steps if self.session.proposal is not None else ()

    @property
    def _action(self) -> str:
        # As said, as requested, or booking.
        question = self.session.question
        asked = question.action if question is not None and question.action in {turn.MOVE, turn.CANCEL} else None
        wanted = (*self.statement.actions, *(step.action for step in self._intended), asked or turn.BOOK)
        return wanted[0]

    @property
    def _wish(self) -> turn.Wish:
        question = self.session.question
        return question.wish if question is not None else turn.ANYTHING

    @property
    def _suggested(self) -> tuple[NamedSlot, ...]:
        return tuple(one.slot for one in self.statement.suggested)

    @property
    def _lists_appointments(self) -> bool:
        return self.statement.asks is turn.Topic.ASK_WHICH_APPOINTMENT

    def _settled(self, named: Sequence[NamedSlot]) -> tuple[turn.Appointment, ...]:
        plan = self.decision.plan if self.decision is not None else None
        wish, held = plan.wish if plan is not None else turn.ANYTHING, self.session.appointments
        settled = (self.resolver.settle(one, self._talked_of, wish, held) for one in named)
        return tuple(dict.fromkeys(slot for slot in settled if slot is not None))

    @property
    def _talked_of(self) -> tuple[str, ...]:
        # The doctors of the clinics that were asked, or of the openings that are on offer.
        steps = self.decision.plan.steps if self.decision is not None else ()
        named = [step.doctor for step in steps if step.doctor]
        asked = [step.clinic for step in steps if not step.doctor]
        doctors = (*named, *self.resolver.doctors_of(asked)) or (offer.doctor for offer in self.session.offers)
        return tuple(dict.fromkeys(doctors))


def _worth_choosing(session: turn.Session) -> tuple[turn.Offer, ...]:
    # A single offer is dropped after a receipt, because a mere "ok" would take it.
    taken = {(held.doctor, held.date, held.time) for held in session.appointments}
    left = tuple(offer for offer in session.offers if (offer.doctor, offer.date, offer.time) not in taken)
    return left if len(left) > 1 else ()
