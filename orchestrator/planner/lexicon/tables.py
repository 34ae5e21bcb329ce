"""Read the lexicon: text files of word tables, and the small pattern language of their phrases.

A section begins with `[name]`; lines from `#` are comments. Rows are parted by a semicolon or a new line; an indented
line continues the row before. `{name}` in a row stands for any row of that section of the same file. Entries are
written as `fold_phrase` leaves text: lower case, without accents.

A phrase is folded words. `*` ends a stem ("cancel*"), `_` is any one word, `#` any number, `...` up to four words,
`(a|b)` are alternatives and `(a )?` is optional. Between two words may stand punctuation, but no end of a sentence.
What phrases cannot say are regular expressions: "calendar_forms.txt" holds them, and the folder "patterns/", whose
files are read as one. In these, `<file.section>` is any phrase of a table, within a word or not;
`<file.section >` parts its words by one blank each; `<!(a|b)(|,) >` stands behind none of "a ", "a, ", "b ", "b, ".
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache, partial
from importlib import resources
from itertools import product

from orchestrator.planner.lexicon.compiled_patterns import ANYTHING, COSTS, compiled, needed

_REFERENCE = re.compile(r"\{([a-z_]+)\}")
_GAP = r"[^a-z0-9.!?;]+"
_TOKEN = re.compile(r"\.\.\.\s*|[a-z0-9'@]+\*?|_|#|\(|\)[?*]?|\||\s+")
_PIECES = {"_": r"[a-z0-9']+", "#": r"\d[\dh:]*", "(": "(?:", ")": ")", ")?": ")?", ")*": ")*", "|": "|"}
_TABLE = re.compile(r"<(?P<file>[a-z_]+)\.(?P<section>\w[\w. ]*?)(?P<blank> ?)>")
_BEHIND_NONE = re.compile(r"<!([^<>]+)>")


@cache
def sections(file: str, package: str = __package__) -> Mapping[str, tuple[str, ...]]:
    """Return all sections of a file (named without ".txt") by name; raise KeyError for an unknown reference."""
    found: dict[str, list[str]] = {}
    section = ""
    for line in _lines(file, package):
        if line.startswith("["):
            section = line.strip("[]")
            found[section] = []
        else:
            found[section] += line.split("; ")

    def written_out(row: str) -> str:
        return _REFERENCE.sub(lambda name: f"({'|'.join(map(written_out, found[name[1]]))})", row)

    return {name: tuple(map(written_out, table)) for name, table in found.items()}


def rows(file: str, section: str) -> tuple[str, ...]:
    """Return the rows of one section; KeyError when there is none."""
    return sections(file)[section]


@cache
def words(section: str, file: str = "words") -> frozenset[str]:
    """Return the single words of a section; KeyError when there is none."""
    return frozenset(word for row in rows(file, section) for word in row.split())


@cache
def pairs(file: str, section: str) -> Mapping[str, str]:
    """Return the rows of a section of "word = meaning", in its order."""
    return dict(row.split(" = ") for row in rows(file, section))


@cache
def numbers(file: str, section: str) -> Mapping[str, int]:
    """Return the rows of a section of "word = number", in its order."""
    return {word: int(number) for word, number in pairs(file, section).items()}


@cache
def spelled_numbers() -> Mapping[str, int]:
    """Return the cardinal numbers of both languages by their words."""
    return {**numbers("calendar", "pt numbers"), **numbers("calendar", "en numbers")}


def _lines(file: str, package: str) -> list[str]:
    folder = resources.files(package).joinpath(file)
    files = folder.iterdir() if folder.is_dir() else [resources.files(package).joinpath(f"{file}.txt")]
    text = "\n".join(one.read_text("utf-8") for one in files)
    joined = re.sub(r"\n +", "", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    return [line.strip() for line in joined.splitlines() if line.strip()]


@cache
def table(file: str, section: str, gap: str = _GAP) -> re.Pattern[str]:
    """Return the pattern of a section; raise KeyError when there is none, ValueError when a row is no phrase."""
    return phrases(rows(file, section), gap)


@cache
def pattern(file: str, section: str) -> re.Pattern[str]:
    """Return the pattern that finds any row of a section of regular expressions; KeyError when there is none."""
    return compiled("|".join(_expressions(file, section)))


expression = partial(pattern, "patterns")  # return the pattern of a section of "patterns/"


@cache
def patterns(file: str, section: str) -> tuple[re.Pattern[str], ...]:
    """Return the pattern of each row of a section of regular expressions; KeyError when there is none."""
    return tuple(map(compiled, _expressions(file, section)))


@lru_cache(maxsize=256)
def pieces_in(text: str) -> frozenset[str]:
    """Return the pieces of a text of which a pattern may need one, and the empty one."""
    return ANYTHING.union([text[n : n + size] for size in COSTS for n in range(len(text) - size + 1)])


class Sieve:
    """Patterns with the pieces that they need: only those are tried on a text that holds one of theirs."""

    def __init__(self, tried: Iterable[tuple[str, re.Pattern[str]]]) -> None:
        self._tried = tuple(tried)
        self._places = defaultdict[str, set[int]](set)
        for place, (_, one) in enumerate(self._tried):
            for piece in needed(one.pattern):
                self._places[piece].add(place)

    def tries(self, folded: str) -> Iterator[tuple[str, re.Pattern[str]]]:
        """Yield the patterns that a text may hold, with their names and in order."""
        held = self._places.keys() & pieces_in(folded)
        return map(self._tried.__getitem__, sorted(set[int]().union(*map(self._places.__getitem__, held))))


@cache
def sieve(names: tuple[str, ...]) -> Sieve:
    """Return the patterns of some sections of "patterns/", each by its name."""
    return Sieve((name, expression(name)) for name in names)


@cache
def _rows_of(file: str, names: tuple[str, ...]) -> Sieve:
    def ways(name: str) -> Iterable[re.Pattern[str]]:
        return patterns(file, name) if file == "patterns" else (phrases((row,)) for row in rows(file, name))

    return Sieve((name, way) for name in names for way in ways(name))


def said_in(folded: str, file: str, names: tuple[str, ...]) -> frozenset[str]:
    """Return those of some sections of which a folded text says a row, wherever in it."""
    found = set[str]()
    for name, row in _rows_of(file, names).tries(folded):
        if name not in found and row.search(folded):
            found.add(name)
    return frozenset(found)


def each_match(section: str, folded: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a section of "patterns/" whose rows share names of groups, row by row."""
    for _, row in _rows_of("patterns", (section,)).tries(folded):
        yield from row.finditer(folded)


def _expressions(file: str, section: str) -> list[str]:
    return [_TABLE.sub(_any_phrase, _BEHIND_NONE.sub(_lookbehinds, row)) for row in rows(file, section)]


def _lookbehinds(texts: re.Match[str]) -> str:
    """Return a lookbehind for each of some texts, as all that one looks for has to have one length."""
    choices = product(*(part.split("|") for part in re.split(r"[()]", texts[1])))
    return "".join(f"(?<!{''.join(text)})" for text in choices)


def _any_phrase(reference: re.Match[str]) -> str:
    alternatives = (row.partition(" = ")[0] for row in rows(reference["file"], reference["section"]))
    return f"(?:{_longest_first(alternatives, reference['blank'] or _GAP)})"


def phrases(alternatives: Iterable[str], gap: str = _GAP) -> re.Pattern[str]:
    """Return a pattern that finds any of some phrases, the longest first; raise ValueError for what is no phrase.

    `gap` is the pattern of what may stand between two words.
    """
    # Nothing begins in what is blanked out, where an engine would try all of them letter by letter.
    return compiled(rf"(?<![a-z0-9'])(?!_)(?:{_longest_first(alternatives, gap)})(?![a-z0-9'])")


def _longest_first(alternatives: Iterable[str], gap: str) -> str:
    return "|".join(_compiled(row, gap) for row in sorted(alternatives, key=len, reverse=True))


def _compiled(row: str, gap: str) -> str:
    if "".join(_TOKEN.findall(row)) != row:
        raise ValueError(f"not in the phrase language: {row!r}")
    return "".join(_piece(token, gap) for token in _TOKEN.findall(row))


def _piece(token: str, gap: str) -> str:
    if token in _PIECES:
        return _PIECES[token]
    if token.startswith("..."):
        return rf"(?:[a-z0-9']+{gap}){{0,4}}?"
    if token.isspace():
        return gap
    stem = token.removesuffix("*")
    return re.escape(stem) + ("[a-z0-9]*" if stem != token else "")
