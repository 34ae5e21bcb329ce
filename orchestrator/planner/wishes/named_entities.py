"""Find what an utterance names: doctors (a slip or two allowed), clinics, patient ids, and for whom else it speaks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rapidfuzz.distance import OSA

from orchestrator.planner.lexicon import expression, table, words
from orchestrator.planner.text import NAME_PARTICLES, Text, Word, fold_phrase, is_known
from orchestrator.planner.wishes.specialties import complains
from orchestrator.turn import Clinic

_TITLE = re.compile(rf"(?<![a-z])(?:{'|'.join(sorted(words('titles'), key=len, reverse=True))})(?![a-z])\.? *")
_PATIENT_ID = re.compile(r"(?<![a-z0-9])(?P<prefix>[a-z]{4})[ -]?(?P<silo>[a-z]?)(?P<digits>\d{3})(?!\d)")
_CLINIC = re.compile(r"(?<![a-z])(?:clinicas?|clinics?|unidade)(?P<mark>[ _-]+)(?P<letter>[a-z])(?![a-z0-9]|'(?!s\b))")
_LETTERS_THAT_ARE_WORDS = "aeo"
_JOINT = re.compile(r"[,;.]| (?:e|and|mas|but) ")


@dataclass(frozen=True, slots=True)
class NamedDoctor:
    """A doctor and where they work."""

    name: str
    clinic: str
    specialty: str


@dataclass(frozen=True, slots=True)
class DoctorMentions:
    """The doctors that were named."""

    # those that fit, each once, in the order of the sentence; several for an ambiguous part
    found: tuple[NamedDoctor, ...] = ()
    unknown: bool = False  # somebody was called a doctor whom no clinic has
    spans: tuple[tuple[int, int], ...] = ()  # where names stand in `Text.folded`


def doctors_of(clinics: Sequence[Clinic]) -> tuple[NamedDoctor, ...]:
    """Return all doctors of the clinics, in their order."""
    return tuple(_names_of(tuple(clinics)))


@lru_cache(maxsize=8)  # a turn asks for them some twenty times
def _names_of(clinics: tuple[Clinic, ...]) -> Mapping[NamedDoctor, tuple[str, ...]]:
    doctors = (NamedDoctor(name, clinic.id, clinic.specialty) for clinic in clinics for name in clinic.doctors)
    return {doctor: name_words(doctor.name) for doctor in doctors}


@lru_cache(maxsize=256)
def name_words(name: str) -> tuple[str, ...]:
    """Return the folded words of a doctor's name, without title and particles."""
    parts = re.findall(r"[a-z]+", fold_phrase(name))
    return tuple(part for part in parts if part not in words("titles") and part not in NAME_PARTICLES)


def find_doctors(text: Text, clinics: Sequence[Clinic], denied: Sequence[tuple[int, int]] = ()) -> DoctorMentions:
    """Return the doctors that a text names, but for those in the stretches that are `denied`."""
    doctors, runs = doctors_of(clinics), doctors_at(text, clinics)
    unknown = not runs and bool(strangers_at(text, clinics))
    wanted = [group for place, _, group in runs if not any(start <= place < end for start, end in denied)]
    clear = {doctor for group in wanted if len(group) == 1 for doctor in group}
    named = clear.union(*(group for group in wanted if not group & clear))
    agreed = dict.fromkeys(one for group in wanted for one in doctors if one in group and one in named)
    return DoctorMentions(tuple(agreed), unknown, tuple((start, end) for start, end, _ in runs))


def doctors_at(text: Text, clinics: Sequence[Clinic]) -> list[tuple[int, int, frozenset[NamedDoctor]]]:
    """Return where doctors are named, each with all whom the name fits."""
    names = _names_of(tuple(clinics))
    parts = frozenset().union(*names.values())
    titled, cities = {match.end() for match in _TITLE.finditer(text.folded)}, _cities(tuple(clinics))
    found: list[tuple[int, int, frozenset[NamedDoctor]]] = []
    at = 0
    while at < len(text.words):
        begins, is_titled = text.words[at].text.removesuffix("'s") in parts, text.words[at].start in titled
        of_a_city = begins and text.folded[: text.words[at].end].endswith(cities)  # "São Paulo" is no Dr. Paulo
        run = _run(text, at, names, titled=is_titled) if is_titled or (begins and not of_a_city) else None
        if run is None:
            at += 1
            continue
        fitting, last = run
        found.append((text.words[at].start, text.words[last].end, fitting))
        at = last + 1
    return found


@lru_cache(maxsize=8)
def _cities(clinics: tuple[Clinic, ...]) -> tuple[str, ...]:
    named = (fold_phrase(city) for one in clinics for city in one.stated("city"))
    return tuple({city for city in named if " " in city})


def strangers_at(text: Text, clinics: Sequence[Clinic]) -> list[tuple[int, int]]:
    """Return where somebody whom no clinic has is called a doctor, titles among them."""
    doctors = doctors_at(text, clinics)
    titles = {match.end(): match.start() for match in _TITLE.finditer(text.folded)}
    names = [word for word in text.words if word.start in titles and _is_a_name(text, word)]
    rows = [match.span("name") for match in expression("row_of_person").finditer(text.folded)]
    called = [span for span in rows if table("wishes", "first_names").fullmatch(text.folded[slice(*span)])]
    called += ((titles[word.start], word.end) for word in names)
    return [(start, end) for start, end in called if all(not a < end <= b for a, b, _ in doctors)]


def _run(
    text: Text, at: int, names: Mapping[NamedDoctor, tuple[str, ...]], *, titled: bool
) -> tuple[frozenset[NamedDoctor], int] | None:
    fitting = frozenset(names)
    last: int | None = None
    exact = False
    for place in range(at, min(at + 5, len(text.words))):
        word = text.words[place].text.removesuffix("'s")  # "Gustavo's first slot"
        if word in NAME_PARTICLES and last is not None:
            continue
        narrowed = frozenset(doctor for doctor in fitting if _has(names[doctor], word, titled or last is not None))
        between = "" if last is None else text.folded[text.words[last].end : text.words[place].start]
        apart = set(re.findall(r"[a-z]+", between)) - NAME_PARTICLES or re.search(r"[^a-z ]", between)
        if not narrowed or apart:
            break
        exact = exact or any(word in names[doctor] for doctor in narrowed)
        fitting, last = narrowed, place
    if last is None or not (titled or exact):
        return None
    first = text.words[at].text.removesuffix("'s")
    if not titled and last == at and (first in words("portuguese") or first in words("english") or len(first) < 4):
        return None
    return fitting, last


def _has(name: tuple[str, ...], word: str, tolerant: bool) -> bool:  # noqa: FBT001 (private, passed on by position)
    if word in name:
        return True
    if not tolerant or len(word) < 5 or is_known(word):
        return False
    slips = 2 if len(word) >= 8 else 1
    return any(OSA.distance(word, part, score_cutoff=slips) <= slips for part in name if len(part) >= 4)


def _is_a_name(text: Text, word: Word) -> bool:
    titled = text.folded[: word.start].rstrip(" .").rpartition(" ")[2] in {"dr", "dra", "doc"}
    usual = titled and table("wishes", "first_names").fullmatch(word.text)  # "Dr. Paulo", though São Paulo is known
    if not word.text.isalpha() or word.text in words("after_title") or (is_known(word.text) and not usual):
        return False
    return titled or text.typed(word.start, word.end)[:1].isupper()


def find_clinics(text: Text, clinics: Sequence[Clinic]) -> tuple[tuple[str, ...], bool]:
    """Return the ids of the named clinics, and whether one is named that does not exist."""
    found = {clinic_id for _, _, clinic_id in clinics_at(text, clinics)}
    known = {clinic.id for clinic in clinics}
    said = {f"clinic_{match['letter']}" for match in _CLINIC.finditer(text.folded) if _is_letter(text, match)}
    return tuple(clinic.id for clinic in clinics if clinic.id in found), not said <= known


@lru_cache(maxsize=256)
def _clinic_name(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z0-9]){re.escape(fold_phrase(name))}(?![a-z0-9])")


def clinics_at(text: Text, clinics: Sequence[Clinic]) -> Iterator[tuple[int, int, str]]:
    """Return where clinics are named, with their ids: "clínica A", and "C" in "nas clínicas A e C" or "na C"."""
    known = {clinic.id for clinic in clinics}
    names = {clinic.name: clinic.id for clinic in clinics} | {clinic.id: clinic.id for clinic in clinics}
    for name, clinic_id in names.items():
        for match in _clinic_name(name).finditer(text.folded):
            if _CLINIC.fullmatch(match.group()) is None:
                yield *match.span(), clinic_id
    matched = list(_CLINIC.finditer(text.folded))
    for match in matched:
        if _is_letter(text, match) and f"clinic_{match['letter']}" in known:
            yield *match.span(), f"clinic_{match['letter']}"
            yield from _letters_after(text, match.end(), known)
    bare = expression("bare_letter").finditer(text.folded) if matched else ()
    for match in (*expression("lone_letter").finditer(text.folded), *bare):
        shouted = match["letter"] in _LETTERS_THAT_ARE_WORDS and (text.original.isupper() or text.original.istitle())
        upper = text.typed(*match.span("letter")).isupper() and not shouted  # "ONDE FICA A CLÍNICA C?"
        is_letter = upper or expression("letter_alone").match(match.group())
        if f"clinic_{match['letter']}" in known and (is_letter or (matched and _stands_alone(text.folded, match))):
            yield *match.span("letter"), f"clinic_{match['letter']}"


def _letters_after(text: Text, at: int, known: set[str]) -> Iterator[tuple[int, int, str]]:
    while (match := expression("next_letter").match(text.folded, at)) and f"clinic_{match['letter']}" in known:
        ends = re.match(r" *($|[,.;?!]|(?:ou|or|and) )", text.folded[match.end() :]) is not None
        is_word = match["letter"] in _LETTERS_THAT_ARE_WORDS and not text.typed(*match.span("letter")).isupper()
        if is_word and not ends:
            return
        yield *match.span("letter"), f"clinic_{match['letter']}"
        at = match.end()


def _is_letter(text: Text, match: re.Match[str]) -> bool:
    # A letter that is also a word ("na clínica a tarde") counts as a capital, after an underscore, or ending a phrase.
    start, end = text.original_span(*match.span("letter"))
    of_a_place = expression("at_place").search(text.folded[: match.start()])
    ends_it = of_a_place and not expression("no_letter").match(text.folded, match.end())
    return (
        text.original[end : end + 1] == "\n"
        or match["letter"] not in ("a" if match[0].startswith("clinic ") else _LETTERS_THAT_ARE_WORDS)
        or "_" in match["mark"]
        or text.original[start].isupper()
        or _stands_alone(text.folded, match)
        or (text.original[start] == match["letter"] and bool(ends_it))
    )


def _stands_alone(folded: str, match: re.Match[str]) -> bool:
    return expression("letter_ends").match(folded, match.end()) is not None


def find_patient_ids(folded: str, clinics: Sequence[Clinic]) -> tuple[tuple[str, str], ...]:
    """Return patient ids as the clinics write them ("ORTH-D001"), each with its specialty's code."""
    codes = tuple(dict.fromkeys(clinic.specialty for clinic in clinics))
    found: dict[str, str] = {}
    for match in _PATIENT_ID.finditer(folded):
        code = next((code for code in codes if code.lower().startswith(match["prefix"])), None)
        if code is not None:
            found[f"{match['prefix']}-{match['silo']}{match['digits']}".upper()] = code
    return tuple(found.items())


@dataclass(frozen=True, slots=True)
class ForWhom:
    """Somebody else than the speaker."""

    who: str  # as typed: "minha mãe", "Alberto"; empty where only a pronoun says so
    start: int  # where it stands in `Text.folded`
    end: int
    with_speaker: bool = False  # the speaker wants it too ("pra mim e pro meu marido")
    apart: bool = False  # the speaker wants something else: `start` and `end` are those of the other person's clause


def find_for_whom(text: Text, names: frozenset[str], clinics: Sequence[Clinic]) -> ForWhom | None:
    """Return for whom else than the speaker something is wanted; `names` are folded words of doctors' names."""
    folded = text.folded
    together = expression("together").search(folded)
    for_speaker = expression("for_myself").search(folded)  # "my dad had it, so my GP wants me to see one"
    for way in () if for_speaker else ("for_own_relative", "for_a_relative", "relative_needs"):
        for match in expression(way).finditer(folded):
            aside = any(table("wishes", name).search(folded) for name in ("company", "no_visit"))
            if not aside and not expression("in_passing").search(folded, 0, match.start("who")):
                return _beside_speaker(text, *match.span("who"), together=together is not None)
    for match in expression("relative_suffers").finditer(folded):
        if not for_speaker and complains(match["what"], clinics):
            return _beside_speaker(text, *match.span("who"), together=together is not None)
    if together is not None:
        other = re.sub(r"(?i) (?:and i|e eu)$", "", text.typed(*together.span()))
        return ForWhom(other, *together.span(), with_speaker=True)
    for match in expression("for_name").finditer(folded):
        typed = text.typed(*match.span("name"))
        known = match["name"] in names | words("portuguese") | words("english") or is_known(match["name"])
        usual = table("wishes", "first_names").fullmatch(match["name"]) and match["name"] not in names
        if (typed[:1].isupper() and not known) or usual:  # "marca pro joao"
            return ForWhom(typed, match.start("name"), _end_of_name(text, match.end("name")))
    if table("references", "name_of_doctor").search(folded):
        return None  # "what's her name?"
    pronoun = table("wishes", "third_person").search(folded)
    return replace(_beside_speaker(text, *pronoun.span(), together=False), who="") if pronoun else None


def _beside_speaker(text: Text, start: int, end: int, *, together: bool) -> ForWhom:
    folded = text.folded
    begins = max((match.start() for match in _JOINT.finditer(folded, 0, start)), default=0)
    ends = next((match.start() for match in _JOINT.finditer(folded, end)), len(folded))
    rest = f"{folded[:begins]} {folded[ends:]}"
    apart = not together and bool(expression("for_oneself").search(rest) or expression("each_needs").search(folded))
    return ForWhom(text.typed(start, end), *((begins, ends) if apart else (start, end)), apart or together, apart)


def _end_of_name(text: Text, end: int) -> int:
    """Return where a name ends that goes on with capitals and particles ("Alberto Nunes da Silva")."""
    while match := expression("name_goes_on").match(text.folded, end):
        if not text.typed(*match.span("part"))[:1].isupper():
            break
        end = match.end()
    return end
