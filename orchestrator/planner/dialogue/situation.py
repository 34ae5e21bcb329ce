"""What a decision is made from: the understanding of an utterance, the session, the clinics and the time."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from mesh.text_folding import words
from orchestrator import turn
from orchestrator.planner.dialogue import on_the_table
from orchestrator.planner.lexicon import pattern, table
from orchestrator.planner.understanding import Understanding
from orchestrator.planner.wishes import Kind, NamedDoctor, VisitRequest, beyond_standing, doctors_of

NAMED_PLACES = frozenset({turn.Axis.SPECIALTY, turn.Axis.CLINIC, turn.Axis.DOCTOR})
PLACES = NAMED_PLACES | {turn.Axis.GENDER}
_SOON = timedelta(days=300)  # how far ahead a day without a year is believed


@dataclass(frozen=True, slots=True)
class Situation:
    """A turn, as the planner sees it."""

    said: Understanding
    session: turn.Session
    clinics: tuple[turn.Clinic, ...]
    now: datetime  # the current instant in America/Sao_Paulo, without time zone
    requests: tuple[VisitRequest, ...] = (VisitRequest(),)  # what is wanted, with what was wanted before
    meant: tuple[turn.Appointment, ...] | None = None  # the visits that are called as the one that is to be moved
    then: str = ""  # the second of two changes that are asked for in one message, in words of its own

    @property
    def language(self) -> turn.Language:
        """The language to answer in."""
        return self.session.pinned_language or self.said.language

    @property
    def is_operator(self) -> bool:
        """Whether staff is speaking."""
        return self.session.role is turn.Role.OPERATOR

    @property
    def question(self) -> turn.Question:
        """The open question; where none is, one that asks for nothing in particular."""
        return self.session.question or on_the_table.NOTHING_ASKED

    @property
    def known(self) -> Mapping[str, str]:
        """What the open question already settled."""
        return self.session.question.known if self.session.question else {}

    def says(self, file: str, section: str) -> bool:
        """Return whether the utterance holds a phrase, or fits a pattern, of a section of the lexicon."""
        rows = pattern(file, section) if file == "patterns" else table(file, section)
        return rows.search(self.said.text.folded) is not None

    def is_asked(self, *topics: turn.Topic) -> bool:
        """Return whether one of these questions is open."""
        return self.session.question is not None and self.session.question.topic in topics

    def clinics_of(self, specialty: str) -> tuple[str, ...]:
        """Return ids of all clinics of a specialty (Rule 10), in the registry's order."""
        return tuple(clinic.id for clinic in self.clinics if clinic.specialty == specialty)

    def specialty_of(self, clinic_id: str) -> str | None:
        """Return the code of a clinic's specialty."""
        return next((clinic.specialty for clinic in self.clinics if clinic.id == clinic_id), None)

    def specialty_called(self, text: str) -> str | None:
        """Return the code of a specialty of the clinics, in any case of letters."""
        return next((one.specialty for one in self.clinics if one.specialty.casefold() == text.casefold()), None)

    def of_specialties(self, codes: Iterable[str]) -> turn.Filter:
        """Return the openings of one of these specialties, which all clinics of it have (Rule 10)."""
        return turn.any_of(turn.OfSpecialty(code, frozenset(self.clinics_of(code))) for code in codes)

    def doctor_called(self, name: str) -> NamedDoctor | None:
        """Return the doctor of exactly this name."""
        return next((doctor for doctor in doctors_of(self.clinics) if doctor.name == name), None)

    def slot_in(self, known: Mapping[str, str], prefix: str = "") -> turn.Appointment | None:
        """Return the slot that a question's `known` names in full; `prefix` is that of its date and time."""
        doctor, slot = self.doctor_called(known.get("doctor", "")), on_the_table.moment_noted(known, prefix).slot
        return None if doctor is None or slot is None else turn.Appointment(doctor.clinic, doctor.name, *slot)

    @property
    def chosen(self) -> tuple[int, ...]:
        """The rows chosen from what the open question showed; there "a segunda" is no Monday."""
        numbers = self.said.pointer.numbers or self.said.pointer.perhaps
        return tuple(number for number in numbers if 0 < number <= len(self.question.choices))

    @property
    def specialties_talked_of(self) -> tuple[str, ...]:
        """The specialties that the turns before were about; of a card, and not of what comes after it."""
        if "specialty" in self.known and not (self.question.waiting and self.proposed is not None):
            return tuple(self.known["specialty"].split())
        doctor = self.doctor_called(self.known.get("doctor", ""))
        clinics = self.known.get("clinics", "").split() if self.proposed is None else [self.proposed.clinic]
        clinics = clinics or [one.clinic for one in self.session.offers or filter(None, [doctor])]
        return tuple(dict.fromkeys(filter(None, map(self.specialty_of, clinics))))

    @property
    def doctors(self) -> tuple[NamedDoctor, ...]:
        """The doctors that are meant: those named, narrowed by what else was named or shown."""
        meant = self.said.doctors.found
        if len(meant) <= len(self.said.doctors.spans):
            return meant
        of_table = (*self.session.offers, *self.session.appointments, self.proposed)
        shown, wanted = {one.doctor for one in of_table if one}, self.said.wishes.alone[0].wish.filter
        if self.said.pointer.other:  # "e a outra Marina?"
            meant = tuple(doctor for doctor in meant if doctor.name not in shown) or meant
        narrowings = (
            {doctor for doctor in meant if turn.verdict(wanted, doctor.clinic, doctor.name) is not False},
            {doctor for doctor in meant if doctor.clinic in self.said.clinics},
            {doctor for doctor in meant if doctor.specialty in self.said.specialties},
            {doctor for doctor in meant if doctor.name in {one.doctor for one in self.session.appointments}},
            {doctor for doctor in meant if doctor.name in shown},
            {doctor for doctor in meant if doctor.specialty in self.specialties_talked_of},
        )
        for fitting in narrowings:
            if len(meant) > len(self.said.doctors.spans):
                meant = tuple(doctor for doctor in meant if doctor in fitting) or meant
        return meant

    @property
    def doctor(self) -> NamedDoctor | None:
        """The doctor that is meant, when it is one."""
        return self.doctors[0] if len(self.doctors) == 1 else None

    @property
    def slot(self) -> tuple[date, time] | None:
        """The day and time that were named, when both are certain."""
        return self.said.moments[0].slot if len(self.said.moments) == 1 else None

    @property
    def sides_of_one_day(self) -> tuple[turn.Condition, ...]:
        """The two or more doctors, or specialties, that are wanted on one day."""
        same_day = any((one.kind, one.axis) == (Kind.SAME, turn.Axis.DAY) for one in self.said.wishes.tokens)
        if not (same_day or self.says("patterns", "one_half")):
            return on_the_table.sides_before(self.session, self.said)
        doctors = dict.fromkeys(doctor.name for doctor in self.doctors)
        sides: list[turn.Condition] = [turn.WithDoctors(frozenset({name})) for name in doctors]
        if len(sides) < 2:
            sides = [turn.OfSpecialty(code, frozenset(self.clinics_of(code))) for code in self.said.specialties]
        return tuple(sides) if len(sides) > 1 else ()

    @property
    def in_question(self) -> turn.Appointment | None:
        """The appointment that an open change is about, unless it was cancelled since."""
        appointment = self.slot_in(self.known, "original_")
        receipts = self.session.receipts
        given_back = [one.appointment if one.kind is turn.ReceiptKind.CANCELLED else one.original for one in receipts]
        return None if appointment in given_back else appointment

    @property
    def awaits_answer(self) -> bool:
        """Whether a question is open that nothing written since has settled."""
        question = self.session.question
        if question is None or (question.topic is turn.Topic.ASK_NEW_TIME and self.in_question is None):
            return False
        held = {(one.doctor, one.date.isoformat(), f"{one.time:%H:%M}") for one in self.session.appointments}
        return tuple(self.known.get(name, "") for name in ("doctor", "date", "time")) not in held

    @property
    def left_open(self) -> turn.Question | None:
        """The open question that nothing asked aside replaces: of a visit, a day, numbered choices or other clinics."""
        changes = self.question.action in {turn.MOVE, turn.CANCEL} or self.is_asked(turn.Topic.ASK_CHANGE)
        stays = changes or "days" in self.known or on_the_table.shown_last(self.session) is on_the_table.Shown.CHOICES
        codes = () if self.said.specialties else {*map(self.specialty_of, self.said.clinics)}
        others = codes and not codes & {*self.specialties_talked_of} and (self.session.proposal or self.session.offers)
        stays = bool(others) or (stays and self.session.proposal is None)
        return self.session.question if stays and self.awaits_answer else None

    @property
    def anchor(self) -> tuple[date, time] | None:
        """What "uma hora mais cedo" is relative to: the slot proposed or shown first, the only visit or the last."""
        proposal, own, offers = self.session.proposal, self.session.appointments, self.session.offers
        write = proposal.plan.steps[0].call if proposal is not None else on_the_table.just_cancelled(self.session)
        if isinstance(write, turn.Book | turn.Cancel | turn.Appointment):
            return write.date, write.time
        if (shown := on_the_table.only_shown(self.session)) is not None and not self.said.specialties:
            return shown.date, shown.time
        if self.said.shift is not None and abs(self.said.shift.days) == 7 and offers and not own:
            return min((one.date, one.time) for one in offers)
        means_last = len(own) == 1 or (own and on_the_table.told_receipt(self.session))
        return (own[-1].date, own[-1].time) if means_last else None

    @property
    def wish(self) -> turn.Wish:
        """The openings that suit; an amount of time counts from the anchor, and a part of a name means one doctor."""
        meant, others = {doctor.name for doctor in self.doctors}, self.said.pointer.other_doctor and self.said.moments

        def meaning(condition: turn.Condition) -> turn.Filter:
            if isinstance(condition, turn.WithDoctors) and condition.names & meant:
                return turn.WithDoctors(condition.names & meant)
            return turn.ANY_OPENING if others and isinstance(condition, turn.Beside) else condition

        wanted = [request.wish.replaced(meaning) for request in self.requests]
        # Several requests are looked up together; each row of the list answers one of them.
        wish = wanted[0] if len(wanted) == 1 else turn.Wish.of_either(wanted)
        slot = on_the_table.in_hand(self.session) if self.said.pointer.other_doctor else None
        shown = {one.doctor for one in ([slot] if slot is not None else self.session.offers)}
        if self.said.pointer.other_doctor and len(shown) == 1 and (self.proposed or not self.session.appointments):
            wish = wish.and_also(turn.Not(turn.WithDoctors(frozenset(shown))))
        if (shift := self.said.shift) is None or (anchor := self.anchor) is None:
            return wish
        # "No dia seguinte" names a day only as an amount of time from the anchor, and "that's tomorrow" its own.
        days_named = [one for one in self.said.moments if one.days or {*one.dates} - {anchor[0]}]
        counted = all(shift.start <= one.start and one.end <= shift.end for one in days_named)
        span, there = shift.span(*anchor), shift.moved(*anchor)
        if span is None or there is None or (turn.Axis.DAY in self.said.wishes.named and not counted):
            return wish
        rest = wish.lifted(turn.OnDates, *(() if shift.whole_week else (turn.OnWeekdays,)))
        return on_the_table.moved(self.session, self.said, shift, rest.and_also(turn.OnDates((span,))), there)

    @property
    def beside(self) -> turn.Appointment | None:
        """What something else is wanted beside: the row, visit or proposal that is named, else the last visit."""
        relation, session = self.said.relation, self.session
        own = () if (held := session.appointments) and self.sides_of_one_day else held
        last = own[-1] if own else None
        if relation is None:
            only = on_the_table.only_shown(session)
            return only.slot if only is not None else last
        if relation.row is not None:
            return next((offer.slot for offer in session.offers if offer.number == relation.row), None)
        if relation.own:
            named = [one for one in own if self.specialty_of(one.clinic) in relation.specialties]
            named += [one for one in own if relation.name in words(one.doctor)]
            return named[-1] if named else last
        return self.proposed or on_the_table.named_above(session) or last

    def in_order(self, wish: turn.Wish) -> turn.Wish:
        """Return a wish for those of its openings that are before or after what they are wanted beside."""
        relation = self.said.relation
        if relation is None or relation.later is None or (beside := self.beside) is None:
            return wish
        rest = wish.lifted(turn.Beside)
        return beyond_standing(rest.and_also(turn.Beside(beside.begin, later=relation.later)), self.said.wishes.named)

    @property
    def wanted_before(self) -> turn.Wish | None:
        """What was wanted before and goes on being wanted; None where something else is begun."""
        question, said, points = self.session.question, self.said, self.said.pointer
        if on_the_table.wants_another_visit(said, self.specialties_talked_of):
            return None
        begins = not said.wishes.corrects and any(turn.specialties_named(one.wish.widest) for one in said.wishes.alone)
        begins = begins or not {*self.complained_of} <= {*self.specialties_talked_of}  # "and the knee guy, too"
        if question is None or (points.all and not (points.both or question.waiting)) or not self.awaits_answer:
            return None if begins else self._proposed
        of_queue = [one for one in question.waiting if {*said.specialties} & turn.specialties_named(one.filter)]
        if len(of_queue) == 1:
            return of_queue[0]  # "primeiro a de orto", of several that are looked for
        if question.waiting and self.session.proposal is not None and not begins:
            return self._proposed  # what is said is of the card, and not of what comes after it
        asks = said.cues.intents or points.choosing or said.wishes.is_relative or turn.Axis.DAY in said.wishes.named
        lists = question.topic in {turn.Topic.ASK_WHICH_OFFER, turn.Topic.ASK_NEW_TIME}
        ailing = {*said.complaints, *said.body} - {*said.specialties, *self.specialties_talked_of}  # no reason told
        if (ailing and question.topic is not turn.Topic.ASK_SPECIALTY) or (lists and begins and asks):
            return None
        narrows = said.wishes.named or points.latest or points.earliest
        had = on_the_table.wish_had(self.session, said) if narrows else question.wish
        return had or self._proposed or turn.ANYTHING

    @property
    def complained_of(self) -> tuple[str, ...]:
        """The specialties that complaints or parts of the body are usually seen in, where none is named."""
        if self.said.specialties or self.said.doctors.found:
            return ()
        return self.said.complaints or self.said.body[: None if self.says("requests", "and_another") else 1]

    @property
    def proposed(self) -> turn.Appointment | None:
        """The slot of a booking that is proposed, where it is one."""
        return on_the_table.proposed_slot(self.session)

    @property
    def _proposed(self) -> turn.Wish | None:
        code = None if self.proposed is None else self.specialty_of(self.proposed.clinic)
        if code is None:
            return None
        alike = self.said.shift is not None
        wish = on_the_table.instead_of_proposed(self.session, self.of_specialties([code]), alike=alike)
        if wish is None or code in (self.said.specialties or [code]):
            return wish
        return turn.Wish(turn.without(wish.filter, frozenset({turn.Axis.TIME})))  # "e um dermato no mesmo dia"

    def is_past(self, day: date, at: time) -> bool:
        """Return whether a slot has already begun."""
        return datetime.combine(day, at) <= self.now or self.has_come_round(day)

    def has_come_round(self, day: date) -> bool:
        """Return whether a day without a year is next year's only because this year's has just passed."""
        return day - self.now.date() > _SOON and str(day.year) not in self.said.text.folded

    def at_every_moment(self, offers: Iterable[turn.Offer]) -> tuple[turn.Offer, ...]:
        """Return the openings that are what the utterance alone says of days and times."""
        when, moments = turn.without(self.said.wishes.alone[0].wish.widest, PLACES), self.said.moments
        suiting = (one for one in offers if turn.fits(when, one))
        return tuple(one for one in suiting if all(moment.matches(one.date, one.time) for moment in moments))
