"""R2: no personal data of anyone but the person who speaks (blueprint 2.3.2).

Patient ids, doctors' names and the speaker's own data are no secret; an operator may see a full record.
"""

import re
from collections.abc import Iterator

from orchestrator.privacy import PersonalKind, Redactor
from orchestrator.turn import NamedPerson
from orchestrator.verifier.literals import dates_in, folded, name_words, words_of
from orchestrator.verifier.review import DataReview, ReplyReview, digits_of

_NUMBERS = Redactor(addresses=False)

GIVEN_NAMES = frozenset(words_of("given_names.txt"))

_WORD = r"[A-ZÀ-ÖØ-Þ][^\W\d_]+(?:['’-][^\W\d_]+)*"
_NAME = rf"(?<!\w){_WORD}(?:[^\S\n]+(?:(?:d[aeo]s?|e)[^\S\n]+)?{_WORD})+(?![\w-])"
_PERSON = re.compile(
    rf"(?<!\w)(?=[DdA-ZÀ-ÖØ-Þ])(?P<title>\b[Dd]ra?\.?\s+|\b(?:[Dd]outora?|[Dd]octor)\s+)?(?P<name>{_NAME})"
)
_LABELLED = re.compile(
    r"(?:\b(?:[Pp]aciente|[Pp]atient|[Nn]ome|[Nn]ame|[Tt]itular|[Hh]older)(?:\s*:|\s+é|\s+is)"
    rf"|\b(?:[Ss]ra?|[Mm]rs?|[Mm]s)\.)\s*(?P<name>{_NAME})"
)
_PLACE = re.compile(r"(?:Cl[ií]nicas?|Clinics?|Hospital|Rua|Avenida|Av|Pra[cç]a|Travessa|Alameda|Santa|Santo|São)\b")

_BIRTH = re.compile(r"\b(?:nascid[oa]|nascimento|nasceu|born|birth ?date|date of birth)\b")


def foreign_record(review: DataReview) -> str | None:
    """Return a note when the data holds a record or an appointment of somebody whom the speaker may not see."""
    if not all(map(review.may_see, review.evidence.records)):
        return "the record of another person"
    foreign = any(_is_foreign(person, review) for person in review.evidence.people)
    return "personal data of another person" if foreign else None


def foreign_text(review: DataReview) -> str | None:
    """Return a note when running text of the data holds a CPF, phone or e-mail that is not the speaker's."""
    foreign = any(found.digits != review.own_cpf for text in review.evidence.texts for found in _NUMBERS.find(text))
    return "a CPF, phone or e-mail that is not the speaker's" if foreign else None


def _is_foreign(person: NamedPerson, review: DataReview) -> bool:
    if person.cpf:
        return digits_of(person.cpf) != review.own_cpf
    return name_words(person.name) != name_words(review.session.identity.name)


def foreign_number(review: ReplyReview) -> str | None:
    """Return a note when a reply holds a CPF, phone or e-mail that is neither the speaker's nor theirs to see."""
    visible = _visible(review)
    numbers = {review.own_cpf, *(found.digits for found in _NUMBERS.find(visible))}
    for found in review.personal:
        if found.kind is PersonalKind.ADDRESS:
            continue
        if found.kind is PersonalKind.EMAIL:
            if review.text[found.start : found.end].casefold() not in visible.casefold():
                return "an e-mail that is not the speaker's"
        elif found.digits not in numbers:
            return "a CPF or phone that is not the speaker's"
    return None


def foreign_address(review: ReplyReview) -> str | None:
    """Return a note when a reply holds a postal address or code that is not the speaker's to see."""
    found = [review.text[one.start : one.end] for one in review.personal if one.kind is PersonalKind.ADDRESS]
    if not found:
        return None
    visible = folded(_visible(review))
    return None if all(folded(address) in visible for address in found) else "an address that is not the speaker's"


def foreign_birth_date(review: ReplyReview) -> str | None:
    """Return a note when a reply tells a date of birth that is not the speaker's to see."""
    births = [
        line.dates
        for plain, line in zip(review.lines, review.named, strict=True)
        if _BIRTH.search(plain) and line.dates
    ]
    if not births:
        return None
    known = {reading for birth in dates_in(folded(_visible(review))) for reading in birth.readings}
    foreign = any(known.isdisjoint(birth.readings) for dates in births for birth in dates)
    return "a birth date that is not the speaker's" if foreign else None


def foreign_name(review: ReplyReview) -> str | None:
    """Return a note when a reply names a person who is neither the speaker nor a doctor nor one they may see."""
    hidden = [record for record in review.evidence.records if not review.may_see(record)]
    if any(record.name and folded(record.name) in review.plain for record in hidden):
        return "the name of another person"
    people = [name_words(name) for name in people_in(review.text)]
    if not people:
        return None
    public = {
        name_words(review.session.identity.name),
        *review.grounds.doctors,
        *(name_words(text) for record in review.visible_records for text in (record.name, record.address)),
        *map(name_words, review.stated),
    }
    return None if all(any(words <= known for known in public) for words in people) else "the name of another person"


def people_in(text: str) -> Iterator[str]:
    """Yield the names of people in a text, doctors with their title left out."""
    for match in _LABELLED.finditer(text):
        if not _PLACE.match(match["name"]):
            yield match["name"]
    for match in _PERSON.finditer(text):
        words = re.findall(_WORD, match["name"])
        given = next((position for position, word in enumerate(words[:-1]) if folded(word) in GIVEN_NAMES), None)
        if match["title"] is None and given is not None and not _PLACE.match(match["name"]):
            # One more word makes it a person; what follows may be the next word of a heading.
            yield " ".join(words[given : given + 2])


def _visible(review: ReplyReview) -> str:
    records = review.visible_records
    own = (text for one in records for text in (one.cpf, one.phone, one.address, one.birth_date))
    return "\n".join((*own, *review.stated))
