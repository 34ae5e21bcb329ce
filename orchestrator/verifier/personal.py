"""R2: no personal data of anyone but the person who speaks.

Three things are nobody's secret (blueprint 2.3.2): anonymous patient ids, the names of doctors, and the speaker's own
name and CPF. An operator may also see the full record that a clinic returned. Names that stand in no data are
recognised by their given name or by the label before them; a bare surname is not taken for a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files

from orchestrator.privacy import PersonalKind, Redactor
from orchestrator.verifier.evidence import JsonObject, PatientRecord, objects, strings, text_at
from orchestrator.verifier.folding import folded
from orchestrator.verifier.literals import dates_in, name_words
from orchestrator.verifier.review import DataReview, ReplyReview, digits_of

_REDACTOR = Redactor()

_GIVEN_NAMES = frozenset(
    name
    for line in files("orchestrator.verifier").joinpath("given_names.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
    for name in line.split()
)

_IDENTIFYING = ("patient_name", "cpf", "birth_date", "address", "phone", "email")

_WORD = r"[A-ZÀ-ÖØ-Þ][\w'’-]+"
_NAME = rf"{_WORD}(?:[^\S\n]+(?:(?:d[aeo]s?|e)[^\S\n]+)?{_WORD})+"
_PERSON = re.compile(rf"(?P<title>\b[Dd]ra?\.?\s+|\b(?:[Dd]outora?|[Dd]octor)\s+)?(?<!\w)(?P<name>{_NAME})")
_LABELLED = re.compile(
    rf"\b(?:[Pp]aciente|[Pp]atient|[Nn]ome|[Nn]ame|[Tt]itular|[Hh]older|[Ss]ra?\.?|[Mm]rs?\.?|[Mm]s\.?)"
    rf"\s*(?::|é|is)?\s+(?P<name>{_NAME})"
)
_PLACE = re.compile(r"^(?:Cl[ií]nicas?|Clinics?|Hospital|Rua|Avenida|Av|Pra[cç]a|Travessa|Alameda|Santa|Santo|São)\b")
_ADDRESS = re.compile(
    r"\b(?:rua|avenida|av\.|travessa|alameda|praca|rodovia|estrada)\s(?:\w+\.?\s){1,5}?[\w.]+,?\s(?:n[o.º]*\s?)?\d+"
    r"|\b\d{5}-\d{3}\b(?!\d)|\b\d{1,5}\s\w+\s(?:street|avenue|road)\b"
)
_BIRTH = re.compile(r"\b(?:nascid[oa]|nascimento|nasceu|born|birth\s?date|date of birth)\b")


def foreign_record(review: DataReview) -> str | None:
    """Return a note when the data holds personal data of somebody the speaker may not see."""
    for result in review.evidence.results:
        record = result.get("patient") if isinstance(result, dict) else None
        for body in objects(result):
            if body is record:
                if not all(map(review.may_see, review.evidence.records)):
                    return "the record of another person"
            elif _is_foreign(body, review):
                return "personal data of another person"
        if record is None and any(_is_foreign_text(text, review) for text in strings(result)):
            return "a CPF, phone or e-mail that is not the speaker's"
    return None


def _is_foreign(body: JsonObject, review: DataReview) -> bool:
    identifying = any(text_at(body, name) for name in _IDENTIFYING)
    if text_at(body, "patient_id") and text_at(body, "name"):
        identifying = True
    if not identifying:
        return False
    if text_at(body, "cpf"):
        return digits_of(text_at(body, "cpf")) != review.own_cpf
    return name_words(text_at(body, "patient_name")) != name_words(review.session.identity.name)


def _is_foreign_text(text: str, review: DataReview) -> bool:
    return any(found.digits != review.own_cpf for found in _REDACTOR.find(text))


def foreign_number(review: ReplyReview) -> str | None:
    """Return a note when a reply holds a CPF, phone, e-mail, address or birth date that is not the speaker's to see."""
    seen = list(_visible_texts(review))
    numbers = {review.own_cpf, *(found.digits for text in seen for found in _REDACTOR.find(text))}
    mails = folded("\n".join(seen))
    for found in _REDACTOR.find(review.text):
        if found.kind is PersonalKind.EMAIL:
            if folded(review.text[found.start : found.end]) not in mails:
                return "an e-mail that is not the speaker's"
        elif found.digits not in numbers:
            return f"a {'CPF' if found.kind is PersonalKind.CPF else 'phone'} that is not the speaker's"
    plain = folded(review.text)
    if any(address[0] not in mails for address in _ADDRESS.finditer(plain)):
        return "an address that is not the speaker's"
    births = {mention.readings for text in seen for mention in dates_in(folded(text))}
    for line in plain.split("\n"):
        if _BIRTH.search(line) and any(not _known(mention.readings, births) for mention in dates_in(line)):
            return "a birth date that is not the speaker's"
    return None


def _known(
    readings: frozenset[tuple[int | None, int | None, int]],
    known: set[frozenset[tuple[int | None, int | None, int]]],
) -> bool:
    return any(readings & other for other in known)


def foreign_name(review: ReplyReview) -> str | None:
    """Return a note when a reply names a person who is neither the speaker nor a doctor nor one they may see."""
    plain = folded(review.text)
    for record in review.evidence.records:
        if not review.may_see(record) and any(folded(value) in plain for value in _secrets(record)):
            return "personal data of another person"
    public = [name_words(text) for text in _public_names(review)]
    for name in _people(review.text):
        words = name_words(name)
        if not any(words <= known for known in public):
            return "the name of another person"
    return None


def _people(text: str) -> Iterator[str]:
    for match in _LABELLED.finditer(text):
        yield match["name"]
    for match in _PERSON.finditer(text):
        name = match["name"]
        words = re.findall(_WORD, name)
        given = next((position for position, word in enumerate(words[:-1]) if folded(word) in _GIVEN_NAMES), None)
        if match["title"] is None and given is not None and not _PLACE.match(name):
            yield " ".join(words[given:])


def _public_names(review: ReplyReview) -> Iterator[str]:
    yield review.session.identity.name
    for opening in review.evidence.openings:
        yield opening.doctor
    for offer in review.session.offers:
        yield offer.doctor
    for receipt in (*review.session.receipts, *review.receipts):
        yield receipt.appointment.doctor
    for step in review.steps:
        yield step.parameters.get("doctor", "")
    yield from review.plan.choices
    for record in review.evidence.records:
        if review.may_see(record):
            yield record.name
            yield record.address


def _secrets(record: PatientRecord) -> Iterator[str]:
    yield from filter(None, (record.name, record.cpf, record.address, record.phone))


def _visible_texts(review: ReplyReview) -> Iterator[str]:
    for record in review.evidence.records:
        if review.may_see(record):
            yield from (record.cpf, record.phone, record.address, record.birth_date)
