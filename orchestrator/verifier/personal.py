"""R2: no personal data of anyone but the person who speaks (blueprint 2.3.2).

Patient ids, doctors' names and the speaker's own data are no secret; an operator may see a full record.
"""

import re

from orchestrator import turn
from orchestrator.privacy import PersonalKind, Redactor
from orchestrator.verifier.literals import dates_in, folded, name_words
from orchestrator.verifier.review import DataReview, ReplyReview

_OF_DATA = Redactor(kinds=frozenset(PersonalKind) - {PersonalKind.ADDRESS})  # a clinic tells where it is
_MARKS = frozenset(PersonalKind) - {PersonalKind.NAME, PersonalKind.PERSON, PersonalKind.BIRTH}
_NUMBERS = Redactor(kinds=_MARKS)
_BIRTH = re.compile(r"\b(?:nascid[oa]|nascimento|nasceu|born|birth ?date|date of birth)\b")


def foreign_record(review: DataReview) -> str | None:
    """Return a note when the data holds a record or an appointment of somebody whom the speaker may not see."""
    if not all(map(review.may_see, review.answers.evidence.records)):
        return "the record of another person"
    speaker = review.session.identity
    foreign = (
        person.digits != speaker.digits if person.cpf else name_words(person.name) != name_words(speaker.name)
        for person in review.answers.evidence.people
    )
    return "personal data of another person" if any(foreign) else None


def foreign_text(review: DataReview) -> str | None:
    """Return a note when running text of the data identifies somebody who is neither the speaker nor a doctor."""
    doctors = {name_words(slot.doctor) for slot in review.answers.evidence.placed}
    public = doctors | {name_words(review.session.identity.name)}
    for text in review.answers.evidence.texts:
        for found in _OF_DATA.find(text):
            words = name_words(text[found.start : found.end])
            if found.kind is PersonalKind.PERSON and not any(map(words.issubset, public)):
                return "the name of another person"
            if found.kind is not PersonalKind.PERSON and found.digits != review.session.identity.digits:
                return "a number or date that identifies another person"
    return None


def foreign_mark(review: ReplyReview) -> str | None:
    """Return a note when a reply holds a number, code or address that is neither the speaker's nor theirs to see."""
    visible = _visible(review)
    numbers = {review.session.identity.digits, *(found.digits for found in _NUMBERS.find(visible))}
    for found in review.personal:
        text = folded(review.text[found.start : found.end])
        if found.digits not in numbers if found.digits else found.kind in _MARKS and text not in folded(visible):
            return "a number, e-mail or address that is not the speaker's"
    return None


def foreign_birth_date(review: ReplyReview) -> str | None:
    """Return a note when a reply tells a date of birth that is not the speaker's to see."""
    lines = zip(review.lines, review.named, strict=True)
    births = [birth for plain, line in lines if _BIRTH.search(plain) for birth in line.dates]
    if not births:
        return None
    known = {reading for birth in dates_in(folded(_visible(review))) for reading in birth.readings}
    foreign = any(known.isdisjoint(birth.readings) for birth in births)
    return "a birth date that is not the speaker's" if foreign else None


def foreign_name(review: ReplyReview) -> str | None:
    """Return a note when a reply names a person who is neither the speaker nor a doctor nor one they may see."""
    hidden = [record for record in review.answers.evidence.records if not review.may_see(record)]
    if any(record.name and folded(record.name) in review.plain for record in hidden):
        return "the name of another person"
    named = (review.text[one.start : one.end] for one in review.personal if one.kind is PersonalKind.PERSON)
    people = [words for words in map(name_words, named) if words]
    if not people:
        return None
    conditions = turn.conditions_of(review.plan.filter_told)
    facts = [one for one in conditions if isinstance(one, turn.ClinicFact) and one.clinics]  # "Santana", as clinics say
    public = {
        name_words(review.session.identity.name),
        *review.grounds.doctors,
        *(name_words(text) for record in review.visible_records for text in (record.name, record.address)),
        *map(name_words, review.answers.stated),
        *(name_words(fact.said) for fact in facts),
    }
    return None if all(any(words <= known for known in public) for words in people) else "the name of another person"


def _visible(review: ReplyReview) -> str:
    own = (text for one in review.visible_records for text in (one.cpf, one.phone, one.address, one.birth_date))
    return "\n".join((*own, *review.answers.stated))
