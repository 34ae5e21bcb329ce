"""Read an utterance into typed values; each module blanks out what it has read. Nothing is decided here."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from operator import or_

from orchestrator.planner import wishes
from orchestrator.planner.calendar import Moment, Reference, Shift, find_shift, read_moments
from orchestrator.planner.lexicon import each_match, expression, said_in, table, words
from orchestrator.planner.text import Text, blanked, calendar_language, correct, guess_language, is_known, normalise
from orchestrator.planner.understanding.cues import Cues, Intent, Pointer, find_cues, find_pointer, with_days
from orchestrator.planner.understanding.danger import Danger, find_danger
from orchestrator.planner.wishes import BODY, COMPLAINTS, DoctorMentions, ForWhom, Kind, Relation, Wishes
from orchestrator.turn import Axis, Clinic, Filter, Language, Topic, doctors_named

# Beside these, what one has is what one has booked; alone it may be an illness.
_OF_A_VISIT = frozenset({Axis.DAY, Axis.TIME, Axis.MOMENT, Axis.DOCTOR, Axis.CLINIC})
_CLAUSE = r"(?! (?:que|de|to)\b)(?:[^,;!?.]|(?:(?<=\bdr)|(?<=\bdra))\.)*"
_ASKED, _WHOLE = re.compile(rf"{_CLAUSE}(?:, \w+)?\?"), re.compile(rf"{_CLAUSE}[.!? ]*$")
_NAMING_OWN = ("missing", "dropping")  # what somebody cannot keep is named, and not refused: "drop the Friday one"
OF_RECORDS = frozenset({Intent.PATIENTS, Intent.QUERY, Intent.RECORD})  # what is asked about patients
_OF_A_KIND = expression("two_of_a_kind")
_TWO = {False: (_OF_A_KIND,), True: (_OF_A_KIND, expression("both_of_two"))}
_JOINT = re.compile(r"[,;.]? (?:(?:e|and) )?(?:e|and|then|depois|ai|plus|mais|also|tambem) |(?<!dr)(?<!dra)[,;.] ")


@dataclass(frozen=True, slots=True)
class Understanding:
    """What an utterance says."""

    text: Text  # the utterance, normalised, its typos corrected
    language: Language  # the language it is written in
    danger: Danger  # what it tells of danger
    refusal: Topic | None  # what makes it no business of a clinic desk
    cues: Cues  # what it asks for
    specialties: tuple[str, ...]  # codes of our specialties that it names, in order
    complaints: tuple[str, ...]  # codes of the specialties its complaints are usually seen in
    body: tuple[str, ...]  # codes of the specialties that see a part of the body it names
    other_specialty: bool  # it names a specialty or service that nobody here has
    doctors: DoctorMentions  # the doctors that it names
    clinics: tuple[str, ...]  # ids of the clinics that it names
    unknown_clinic: bool  # it names a clinic that does not exist
    patients: tuple[tuple[str, str], ...]  # patient ids, each with its specialty's code
    moments: tuple[Moment, ...]  # the days and times that it speaks of; those that it denies are in `wishes`
    shift: Shift | None  # the amount of time that an appointment is to be moved by
    pointer: Pointer  # what it points at
    is_bare: bool  # names, times and a few little words are all there is
    wishes: Wishes  # what it wants, clause by clause
    for_whom: ForWhom | None  # for whom else than the speaker it is wanted
    relation: Relation | None  # what it is wanted on the day of, before or after

    @property
    def may_be_emergency(self) -> bool:
        """Whether it tells of a sign that alone may be anything."""
        return self.danger.caution is Topic.POSSIBLE_EMERGENCY

    @property
    def puts_right(self) -> bool:
        """Whether what was just said or booked is put right: "na verdade", "how about"."""
        return self.pointer.correcting or any(one.kind is Kind.CORRECTING for one in self.wishes.tokens)


@dataclass(frozen=True, slots=True)
class Background:
    """What an utterance is said beside."""

    anchored: bool = False  # an appointment or a proposal, which "uma hora mais cedo" is relative to
    holding: bool = False  # appointments, or a conversation of them, and no complaint: what one has is booked
    choosing: bool = False  # openings on the screen, among which "na sexta tenho algo" rules out a day
    several: bool = False  # two or more requests that are talked of, so that "as duas" is no hour
    beside: date | None = None  # the day on the table
    first_listed: date | None = None  # of the openings on the screen
    served: frozenset[str] = frozenset()  # words of the name of whom an operator serves: "pra Maria", "ela quer"


NO_BACKGROUND = Background()


def understand(
    utterance: str, language: Language, clinics: Sequence[Clinic], now: datetime, background: Background = NO_BACKGROUND
) -> Understanding:
    """Read any text; `language` is for utterances that do not tell, `now` is in America/Sao_Paulo."""
    names = frozenset(word for doctor in wishes.doctors_of(clinics) for word in wishes.name_words(doctor.name))
    text = _corrected(normalise(utterance), names, clinics)
    places = [place[:2] for place in wishes.named_by_clinics(text, clinics)]
    spoken = guess_language(text.without(places), language, names, first=not background.holding)
    reference = Reference(now, calendar_language(text, spoken), background.beside, background.first_listed)
    reasons = [(one.start, one.end) for one in wishes.bounds_in(text, reference, clinics)]
    relation = wishes.find_relation(blanked(text.folded, reasons), clinics)
    text = text if relation is None else text.without([(relation.start, relation.end)])
    whom = wishes.find_for_whom(text.without([*reasons, *places]), names, clinics)  # "the phone for Perdizes"
    for_whom = None if whom and background.served and background.served >= {*wishes.name_words(whom.who)} else whom
    own = text if for_whom is None else text.without([(for_whom.start, for_whom.end)])
    text = own if for_whom and for_whom.apart else text
    own_visit = said_in(wishes.naming_visits(text.folded, clinics), "references", ("mine",))
    asks_of_own = bool(own_visit) or expression("whole_question").match(text.folded) is not None
    held_then = _held_then(text.folded, of_own=asks_of_own, whole=not background.choosing)
    hours_away = _hours_away(own.folded, moved_by := find_shift(own.folded), background)
    both = [one.span() for kind in _TWO[background.several or asks_of_own] for one in kind.finditer(text.folded)]
    aside = [*held_then, *hours_away, *both, *_no_times(own.folded, clinics, background)]
    wanted = _without_strangers(own.without(aside), reference, clinics)
    denied = () if any(table("requests", one).search(text.folded) for one in _NAMING_OWN) else wanted.denied
    nameless = text.without([*(doctors := wishes.find_doctors(text, clinics, denied)).spans, *reasons])
    cues = find_cues(nameless.folded)
    week_after = background.choosing and moved_by is not None and abs(moved_by.days) == 7  # "and the week after?"
    shift = moved_by if Intent.MOVE in cues.intents or background.anchored or week_after else None
    datable = nameless.without([*(hours_away if shift is None else [(shift.start, shift.end)]), *denied, *both])
    moments = read_moments(datable, now, reference.language, background.beside, moving=Intent.MOVE in cues.intents)
    timeless = datable.without((moment.start, moment.end) for moment in moments)
    called = ((start, end) for start, end, _ in wishes.specialties_at(timeless.folded, clinics))
    literal = table("specialties", "idioms").sub("_", nameless.folded)
    complaints, body = (wishes.find_specialties(literal, clinics, kind) for kind in (COMPLAINTS, BODY))
    pointer = with_days(find_pointer(timeless.folded, text.folded), nameless.folded)
    of_a_visit = background.holding or not _OF_A_VISIT.isdisjoint(wanted.named)
    mine = pointer.mine or asks_of_own or (bool(held_then) and of_a_visit and not (complaints or body))
    clinic_ids, unknown_clinic = wishes.find_clinics(text, clinics)
    return Understanding(
        text=text,
        language=spoken,
        danger=find_danger(normalise(utterance.replace(",\n", " "))),  # heard across lines
        refusal=refusal(text.folded, names_person=names_somebody(text, [*doctors.spans, *places])),
        cues=cues,
        specialties=_specialties(nameless.folded, wanted, clinics, told=complaints or body or doctors.found),
        complaints=complaints,
        body=body,
        other_specialty=wishes.names_other_specialty(nameless.folded, clinics),
        doctors=doctors,
        clinics=clinic_ids,
        unknown_clinic=unknown_clinic,
        patients=wishes.find_patient_ids(text.folded, clinics),
        moments=moments,
        shift=shift,
        pointer=replace(pointer, mine=mine),
        wishes=replace(wanted, unread=(*wanted.unread, *(own.typed(*span) for span in hours_away[: shift is None]))),
        for_whom=for_whom,
        relation=relation,
        is_bare=all(word.text in words("bare") or word.text.isdigit() for word in timeless.without(called).words),
    )


def _corrected(plain: Text, names: frozenset[str], clinics: Sequence[Clinic]) -> Text:
    """Return a text without typos, questions that only make sure ("sexta 25 né? serve"), and what asks for nothing."""
    text = correct(plain, names, wishes.specialty_vocabulary(tuple(clinics)), wishes.place_vocabulary(tuple(clinics)))
    empty = ("made_sure", "said_aside") if "?" in text.folded else ("said_aside",)
    return text.without(one.span() for name in empty for one in expression(name).finditer(text.folded))


def _hours_away(folded: str, moved_by: Shift | None, background: Background) -> list[tuple[int, int]]:
    if moved_by is not None and moved_by.minutes:
        return [(moved_by.start, moved_by.end)]  # unread where nothing is moved: "e cardio 3 horas depois"
    return [match.span() for match in expression("gap" if background.anchored else "apart").finditer(folded)]


def _no_times(folded: str, clinics: Sequence[Clinic], background: Background) -> Iterator[tuple[int, int]]:
    """Yield what names no time that is wanted, as when something hurts: "o joelho incha toda noite"."""
    for clause in re.finditer(r"[^,.;:!?]+", folded):
        times = [*expression("symptom_time").finditer(folded, *clause.span())]
        if times and wishes.complains(wishes.naming_visits(clause.group(), clinics), clinics):
            yield from (match.span() for match in times)
    if background.choosing:  # "the later one" is the last row, and no later hour than was wanted
        yield from (match.span() for match in expression("furthest_row").finditer(folded))
    yield from (match.span() for match in expression("row_of_day").finditer(folded))  # "Monday's one"


def _held_then(folded: str, *, of_own: bool, whole: bool) -> list[tuple[int, int]]:
    """Return where it is asked what one has; in a statement ("na sexta tenho algo") that keeps one from coming."""
    having = expression("having") if of_own else table("references", "held_then")
    alone = whole and not table("references", "choosing").search(folded)
    asked = of_own or alone or table("requests", "question").search(folded) is not None
    ends = (_ASKED, _WHOLE) if asked else (_ASKED,)
    return [one.span() for one in having.finditer(folded) if any(end.match(folded, one.end()) for end in ends)]


def _without_strangers(text: Text, reference: Reference, clinics: Sequence[Clinic]) -> Wishes:
    """Return what is wanted of the doctors there are; the names of others were not understood."""
    strangers = wishes.strangers_at(text, clinics)
    wanted = Wishes.scanned(text.without([_with_joint(text.folded, *one) for one in strangers]), reference, clinics)
    return replace(wanted, unread=(*(text.typed(*span) for span in strangers), *wanted.unread))


def _with_joint(folded: str, start: int, end: int) -> tuple[int, int]:
    """Return a name's place with the word that joins it to another name: "ou o Dr. Paulo" goes whole."""
    before = re.search(r"\b(?:ou|or|e|and) +(?:(?:com|with) +)?(?:[oa] +)?$", folded[:start])
    after = re.compile(r" *\b(?:ou|or|e|and)\b").match(folded, end)
    return (before.start(), end) if before else (start, after.end() if after else end)


def parted(said: Understanding) -> tuple[str, str] | None:
    """Return what is said of a change and of a booking, where one sentence asks for both, whichever comes first."""
    text = said.text
    writes, scraps = {Intent.MOVE, Intent.CANCEL}, table("requests", "scrapping").search
    changes = not writes.isdisjoint(said.cues.intents) or scraps(text.folded)
    if said.cues.hypothetical or said.refusal is not None or not changes:
        return None
    moves = Intent.MOVE in said.cues.intents  # "change it, I prefer Ricardo" is one wish
    for joint in _JOINT.finditer(text.folded):
        cut = text.offsets[joint.start()]
        halves = text.folded[: joint.start()], text.folded[joint.end() :]
        gives = [bool(scraps(half)) or not writes.isdisjoint(find_cues(half).intents) for half in halves]
        booking = halves[gives.index(False)] if any(gives) and not all(gives) else ""
        if find_cues(booking).books or (not moves and expression("wants_a_visit").match(booking)):
            parts = text.original[:cut], text.original[cut:]
            return parts if gives[0] else parts[::-1]
    return None


def asked_apart(said: Understanding) -> Iterator[tuple[str, str]]:
    """Yield the ways to read a sentence as two requests: records and openings, or a doctor and a specialty."""
    text = said.text
    if said.cues.hypothetical or said.cues.denies or said.cues.states or said.refusal is not None:
        return
    ids = [patient_id.casefold() for patient_id, _ in said.patients]
    for joint in _JOINT.finditer(text.folded):
        cut, end = text.original_span(*joint.span())
        halves = text.folded[: joint.start()], text.folded[joint.end() :]
        heard = [(half, find_cues(half).intents) for half in halves]
        asks = [bool(intents) or find_pointer(half).choosing for half, intents in heard]
        records = [any(one in half for one in ids) or not OF_RECORDS.isdisjoint(intents) for half, intents in heard]
        both_ask = all(map(or_, asks, records))
        named = said.doctors.found or find_pointer(halves[0]).taking  # "pega o das 8 e mais um ortopedista"
        of_a_doctor = named and not any(records) and (both_ask or any(map(str.isalpha, joint[0])))
        if "é" not in text.original[cut:end].split() and (of_a_doctor or (both_ask and any(records) != all(records))):
            yield text.original[:cut], text.original[end:]


def clauses_of(said: Understanding) -> Iterator[tuple[str, list[Filter]]]:
    """Yield the clauses of an utterance, each with the conditions in it."""
    for one in expression("clause").finditer(blanked(said.text.folded, said.doctors.spans)):
        inside = (token.wanted for token in said.wishes.tokens if token.start in range(*one.span()))
        yield one[0], [wanted for wanted in inside if wanted is not None]


def asks_for_openings(clause: str, *, of_somebody: bool = True) -> bool:
    """Return whether a folded clause asks for openings, or wants some `of_somebody` that it names."""
    cues = find_cues(clause)
    asks = expression("asks_when").search(clause) is not None or Intent.OPENINGS in cues.intents
    return asks or (of_somebody and (cues.books or find_pointer(clause).choosing))


def _specialties(folded: str, wanted: Wishes, clinics: Sequence[Clinic], *, told: Sequence[object]) -> tuple[str, ...]:
    """Return the specialties that are named, or those of doctors who are refused where nothing else is told."""
    if (found := wishes.find_specialties(folded, clinics)) or told:
        return found
    named = {name for request in wanted.alone for name in doctors_named(request.wish.filter)}
    return tuple(dict.fromkeys(doctor.specialty for doctor in wishes.doctors_of(clinics) if doctor.name in named))


def refusal(folded: str, *, names_person: bool) -> Topic | None:
    """Return INSTRUCTIONS, OTHER_PERSON, DOSAGE or DIAGNOSIS, or None; `names_person` stands for OTHER_PERSON."""
    if table("safety", "instructions").search(folded):
        return Topic.INSTRUCTIONS
    other = table("safety", "other_person").search(folded)
    if names_person or (other and not table("safety", "has_free").search(folded)):
        return Topic.OTHER_PERSON
    if table("safety", "dosage").search(folded):
        return Topic.DOSAGE
    folded = expression("no_diagnosis").sub("_", folded)  # "what do I have to bring?", "acho que tenho um horário"
    asked = folded if "?" in folded else table("safety", "reassuring").sub("_", folded)
    return Topic.DIAGNOSIS if table("safety", "diagnosis").search(asked) else None


def names_somebody(text: Text, doctors: Sequence[tuple[int, int]]) -> bool:
    """Return whether data of a named person, other than `doctors` at these places, is asked for."""
    for owned in each_match("owned", text.folded):
        name, (start, end) = owned["name"], owned.span("name")
        known = len(name) == 1 or is_known(name) or name in words("titles") or any(s <= start < e for s, e in doctors)
        if not known and text.typed(start, end)[:1].isupper():
            return True
    return False
