"""For whom something is wanted: the speaker, or somebody else ("pra minha mãe", "my wife needs", "pro Alberto")."""

import re
from dataclasses import dataclass

from orchestrator.planner.lexicon import pattern, table, words
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
    for way in ("for_own_relative", "for_a_relative", "relative_needs"):
        if match := pattern("patterns", way).search(folded):
            start, end = match.span("who")
            return ForWhom(text.typed(start, end), start, end, with_speaker=together is not None)
    if together is not None:
        other = re.sub(r"(?i) (?:and i|e eu)$", "", text.typed(*together.span()))
        return ForWhom(other, *together.span(), with_speaker=True)
    for match in pattern("patterns", "for_name").finditer(folded):
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
