"""Update a session that a live turn left with a text of the desk: receipts, a proposal, openings or a question."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from orchestrator import turn
from orchestrator.evaluation.replay.desk_utterance import DeskStatement
from orchestrator.evaluation.replay.slot_mentions import NamedSlot, SlotResolver
from orchestrator.planner.dialogue import choice

_CHOOSING = frozenset({turn.Topic.ASK_WHICH_OFFER, turn.Topic.ASK_NEW_TIME})  # questions that openings answer

_CHANGES = frozenset({turn.MOVE, turn.CANCEL})

_NOTHING_ASKED = turn.Question(turn.Topic.ASK_REQUEST)  # no question is open: no tool, nothing settled or wished

_KINDS = {
    turn.BOOK: turn.ReceiptKind.CONFIRMED,
    turn.MOVE: turn.ReceiptKind.RESCHEDULED,
    turn.CANCEL: turn.ReceiptKind.CANCELLED,
}  # the kind of receipt that acknowledges each tool


@dataclass(frozen=True, slots=True)
class SessionUpdate:
    """The update of a session with one text."""

    statement: DeskStatement
    session: turn.Session  # the session as a live turn would have left it
    plan: turn.Plan | None  # what that turn decided; None if the person had not spoken
    resolver: SlotResolver  # resolves named slots against the clinics' lists

    def following(self) -> turn.Session:
        """Return the session after the text: with its receipts, then what it proposes, offers, asks or denies."""
        here = replace(self, session=self._acknowledged())
        for way in (SessionUpdate._proposed, SessionUpdate._offered, SessionUpdate._asked):
            if (after := way(here)) is not None:
                return after
        if not self.statement.lacks:
            return here.session
        # What a live turn would have listed or proposed is dropped, and which appointment is meant where there is none.
        none_held = self._open.topic is turn.Topic.ASK_APPOINTMENT and not self.statement.doctors
        return replace(here.session, proposal=None, offers=(), question=None if none_held else here.session.question)

    def _acknowledged(self) -> turn.Session:
        said, session = self.statement, self.session
        made: list[turn.Receipt] = []
        for kind, slots in said.done:
            made += self._receipts_for(kind, self._settled(slots))
        if said.done_unsaid and not said.done:
            made += _receipts_of(self._intended)
        owned = self._settled((*said.held, *(said.suggested if self._lists_appointments else ())))
        known = [turn.Receipt(turn.ReceiptKind.CONFIRMED, one) for one in owned if one not in session.appointments]
        after = replace(session, receipts=(*session.receipts, *made, *known))
        if not made:
            return after
        # A single offer is dropped after a receipt, because a mere "ok" would take it.
        left = tuple(offer for offer in after.offers if offer.slot not in after.appointments)
        return replace(after, proposal=None, offers=left if len(left) > 1 else ())

    def _proposed(self) -> turn.Session | None:
        # The writes that the text names, or those that were requested.
        if not self.statement.confirms or self._lists_appointments:
            return None
        steps = self._proposed_steps()
        if not steps:
            return self.session if self.session.proposal and not self.statement.suggested else None
        numbered = tuple(replace(step, step_id=number) for number, step in enumerate(steps, 1))
        question = self._open if self._open.topic in _CHOOSING else None
        source = turn.ANYTHING if self.session.proposal is None else self.session.proposal.plan.chosen_from
        kind, language = turn.PlanKind.STEPS, self.session.language
        plan = turn.Plan(kind, language, steps=numbered, question=question, chosen_from=source)
        return replace(self.session, proposal=turn.Proposal(plan))

    def _proposed_steps(self) -> tuple[turn.Step, ...]:
        said = self.statement
        # "Você tem uma consulta no dia 22. Deseja cancelar?" names what is held.
        groups = {self._action: said.suggested or (said.held if self._action == turn.CANCEL else ())}
        if len(said.actions) > 1:
            groups = {
                action: tuple(one for one in said.suggested if (one.action or said.actions[0]) == action)
                for action in said.actions
            }
        return tuple(step for action, named in groups.items() for step in self._steps_for(action, self._settled(named)))

    def _offered(self) -> turn.Session | None:
        # Unless they belong to the write that was requested.
        slots = () if self._lists_appointments else self._settled(self.statement.suggested)
        if not slots:
            return None
        live = self.session.proposal
        if live is not None and set(slots) == {one.appointment for one in _receipts_of(live.plan.steps)}:
            return self.session
        if self.statement.shows and len(slots) == 1:
            return self._showing()  # "Quer ver outros?": a yes to that must not take the one
        numbered = enumerate(slots, 1)
        offers = tuple(turn.Offer(number, one.clinic, one.doctor, "", one.date, one.time) for number, one in numbered)
        return replace(self.session, proposal=None, offers=offers, question=self._question_about(offers))

    def _question_about(self, offers: Sequence[turn.Offer]) -> turn.Question:
        if self._open.topic in _CHOOSING:
            return self._open
        doctors = {offer.doctor for offer in offers}
        if self._open.action == turn.MOVE:
            # Openings shown to who wants to move are never booked beside the old appointment.
            held = [one for one in self.session.appointments if one.doctor in doctors]
            known = self._open.known
            if len(held) == 1:
                day, at = held[0].date.isoformat(), turn.clock(held[0].time)
                known = {"doctor": held[0].doctor, "original_date": day, "original_time": at}
            return turn.Question(turn.Topic.ASK_NEW_TIME, turn.MOVE, known)
        specialties = dict.fromkeys(self.resolver.specialty_of(offer.doctor) for offer in offers)
        known = {"doctor": doctors.pop()} if len(doctors) == 1 else {"specialty": " ".join(specialties)}
        return turn.Question(turn.Topic.ASK_WHICH_OFFER, turn.BOOK, known)

    def _asked(self) -> turn.Session | None:
        # The question of the text, or that of the live turn where it is the same.
        said, offers = self.statement, self.session.offers
        if said.shows:
            return self._showing()
        # Which one was open; now that they are named, one can be pointed at.
        pointed_at = said.held and self._open.topic is turn.Topic.ASK_APPOINTMENT
        asks = turn.Topic.ASK_WHICH_APPOINTMENT if pointed_at else said.asks
        if self._open.topic is asks:
            return None
        match asks:
            case turn.Topic.ASK_SPECIALTY:
                offers, question = (), turn.Question(turn.Topic.ASK_SPECIALTY, turn.LIST, wish=self._open.wish)
            case turn.Topic.ASK_WHICH_DOCTOR if len(said.doctors) > 1:
                # Numbers mean doctors now, so nothing else may be numbered.
                offers, question = (), turn.Question(turn.Topic.ASK_WHICH_DOCTOR, turn.LIST, choices=said.doctors)
            case turn.Topic.ASK_WHICH_APPOINTMENT:
                question = self._which_appointment()
            case _:
                return None
        return replace(self.session, proposal=None, offers=offers, question=question)

    def _which_appointment(self) -> turn.Question:
        own = self.session.appointments
        action = next((action for action in self.statement.actions if action in _CHANGES), self._open.action)
        if not own:
            return turn.Question(turn.Topic.ASK_APPOINTMENT, action)
        choices = tuple(choice(one, self.session.language) for one in own)
        return turn.Question(turn.Topic.ASK_WHICH_APPOINTMENT, action, choices=choices)

    def _showing(self) -> turn.Session:
        # A yes asks for the openings of the one specialty or doctor in question.
        specialties, known = self.statement.specialties, self._open.known
        if len(specialties) == 1:
            known = {"specialty": specialties[0]}
        asked = turn.Question(turn.Topic.OFFER_SPECIALTY, turn.LIST, known, self._open.wish)
        if len(specialties) > 1 or not {"doctor", "specialty"} & set(known):
            asked = turn.Question(turn.Topic.ASK_SPECIALTY, turn.LIST, wish=self._open.wish)
        return replace(self.session, proposal=None, offers=(), question=asked)

    @property
    def _intended(self) -> tuple[turn.Step, ...]:
        if self.plan is not None and self.plan.writes:
            return tuple(step for step in self.plan.steps if turn.is_write(step.action))
        return self.session.proposal.plan.steps if self.session.proposal is not None else ()

    @property
    def _action(self) -> str:
        asked = self._open.action if self._open.action in _CHANGES else None  # as said, as requested, or booking
        return next(iter((*self.statement.actions, *(step.action for step in self._intended))), asked or turn.BOOK)

    @property
    def _open(self) -> turn.Question:
        return self.session.question or _NOTHING_ASKED

    @property
    def _lists_appointments(self) -> bool:
        return self.statement.asks is turn.Topic.ASK_WHICH_APPOINTMENT

    def _settled(self, named: Sequence[NamedSlot]) -> tuple[turn.Appointment, ...]:
        wish, held = self.plan.wish if self.plan is not None else turn.ANYTHING, self.session.appointments
        settled = (self.resolver.settle(one, self._talked_of, wish, held) for one in named)
        return tuple(dict.fromkeys(slot for slot in settled if slot is not None))

    @property
    def _talked_of(self) -> tuple[str, ...]:
        # The doctors of the clinics that were asked, or of the openings that are on offer.
        steps = self.plan.steps if self.plan is not None else ()
        named = [step.doctor for step in steps if step.doctor]
        asked = [step.clinic for step in steps if not step.doctor]
        doctors = (*named, *self.resolver.doctors_of(asked)) or (offer.doctor for offer in self.session.offers)
        return tuple(dict.fromkeys(doctors))

    def _receipts_for(self, kind: turn.ReceiptKind, slots: Sequence[turn.Appointment]) -> tuple[turn.Receipt, ...]:
        """Return the receipts for what is said to have been done, of what was intended where no slot is named."""
        held = self.session.appointments
        expected = tuple(receipt for receipt in _receipts_of(self._intended) if receipt.kind is kind)
        if kind is turn.ReceiptKind.RESCHEDULED:
            ends = _ends_of_move(slots, held, expected)
            return (turn.Receipt(kind, ends[1], ends[0]),) if ends is not None else expected
        named = tuple(turn.Receipt(kind, slot) for slot in slots) or expected
        if not named and kind is turn.ReceiptKind.CANCELLED and len(held) == 1:
            return (turn.Receipt(kind, held[0]),)
        return named

    def _steps_for(self, action: str, slots: Sequence[turn.Appointment]) -> tuple[turn.Step, ...]:
        """Return the steps of a proposal that names these slots; empty when it names too many or too few."""
        if action == turn.CANCEL:
            return tuple(turn.cancelling_step(slot) for slot in slots)
        if action == turn.MOVE:
            ends = _ends_of_move(slots, self.session.appointments)
            return () if ends is None else (turn.moving_step(*ends),)
        return tuple(turn.booking_step(slot) for slot in slots if len(slots) == 1)


def _receipts_of(steps: Iterable[turn.Step]) -> tuple[turn.Receipt, ...]:
    return tuple(turn.Receipt(_KINDS[step.action], *step.slots[::-1]) for step in steps if step.action in _KINDS)


def _ends_of_move(
    slots: Sequence[turn.Appointment], held: Sequence[turn.Appointment], expected: Sequence[turn.Receipt] = ()
) -> tuple[turn.Appointment, turn.Appointment] | None:
    """Return an appointment before and after a move; None when that is not certain."""
    if len(slots) == 2:  # the held one is the old one, or else the first
        first, second = slots
        return (second, first) if second in held and first not in held else (first, second)
    if len(slots) == 1:  # the new one of the appointment to be moved, or of the only one with its doctor
        (new,) = slots
        before = [receipt.original for receipt in expected if receipt.original is not None]
        own = [one for one in held if one.doctor == new.doctor and one != new]
        for known in (before, own):
            if len(known) == 1:
                return known[0], new
    return None
