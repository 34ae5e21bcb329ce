"""For whom something is wanted: the speaker, or somebody else ("pra minha mãe", "my wife needs", "pro Alberto")."""

import re
from dataclasses import dataclass
from functools import cache

from orchestrator.planner.lexicon import table, words
from orchestrator.planner.text import Text, is_known

_NAME_GOES_ON = re.compile(r" (?:d[aeo]s? |e )?(?P<part>[a-z]{2,})(?![a-z])")


@dataclass(frozen=True, slots=True)
class ForWhom:
    """Somebody else than the speaker."""

    who: str  # as typed: "minha mãe", "Alberto"; empty where only a pronoun says so
    start: int  # where it stands in `Text.folded`
    end: int
    with_speaker: bool = False  # the speaker wants it too ("pra mim e pro meu marido")


def find_for_whom(text: Text, names: frozenset[str]) -> ForWhom | None:
    """Return for whom else than the speaker something is wanted; `names` are folded words of doctors' names."""
    folded = text.folded
    together = table("wishes", "together").search(folded)
    for pattern in (_for_relative(), _for_a_relative(), _relative_needs()):
        if match := pattern.search(folded):
            start, end = match.span("who")
            return ForWhom(text.typed(start, end), start, end, with_speaker=together is not None)
    if together is not None:
        other = re.sub(r"(?i) (?:and i|e eu)$", "", text.typed(*together.span()))
        return ForWhom(other, *together.span(), with_speaker=True)
    for match in _for_name().finditer(folded):
        start, end = match.span("name")
        typed = text.typed(start, end)
        known = names | words("portuguese") | words("english")
        if typed[:1].isupper() and match["name"] not in known and not is_known(match["name"]):
            return ForWhom(typed, start, _end_of_name(text, end))
    if table("references", "name_of_doctor").search(folded):
        return None  # "what's her name?"
    pronoun = table("wishes", "third_person").search(folded)
    return ForWhom("", *pronoun.span()) if pronoun else None


def _end_of_name(text: Text, end: int) -> int:
    """Return where a name ends that goes on with capitals and particles ("Alberto Nunes da Silva")."""
    while match := _NAME_GOES_ON.match(text.folded, end):
        if not text.typed(*match.span("part"))[:1].isupper():
            break
        end = match.end()
    return end


@cache
def _relative() -> str:
    return table("wishes", "relatives", " ").pattern.replace("(?![a-z0-9'])", "(?![a-z0-9])")


@cache
def _whose() -> str:
    return rf"(?P<who>{table('wishes', 'possessive', ' ').pattern} {_relative()})"


@cache
def _for_relative() -> re.Pattern[str]:
    return re.compile(rf"{table('wishes', 'for', ' ').pattern} {_whose()}(?! (?:disse|falou|said|told))")


@cache
def _for_a_relative() -> re.Pattern[str]:
    # "Pra vovó", "para uma amiga", "for the kids": without a possessive, nothing else than "for" stands before.
    return re.compile(rf"(?<![a-z])(?:para|for) (?P<who>(?:(?:[ao]s?|um|uma|the|an?) )?{_relative()})")


@cache
def _relative_needs() -> re.Pattern[str]:
    owned = r"'s (?:next |upcoming )?(?:appointment|visit|booking|consultation)s?(?![a-z])"
    # "Minha filha de 8 anos precisa", "meu marido João precisa"; in "minha mãe disse que preciso" it is the speaker.
    speaks = table("wishes", "speaking", " ").pattern
    between = rf"(?:,? (?!{speaks})[a-z0-9]+){{0,4}}?"
    return re.compile(rf"{_whose()}(?:{owned}|{between},? {table('wishes', 'needing', ' ').pattern})")


@cache
def _for_name() -> re.Pattern[str]:
    titles = r"(?:(?:dona|seu|senhor|senhora|sr|sra|mr|mrs|ms|paciente|patient)\.? )?"
    return re.compile(
        rf"(?<![a-z])(?:para|for|em nome de|on behalf of) (?:o |a )?{titles}(?P<name>[a-z]{{3,}})(?![a-z])"
    )
