"""Turn what a person typed into folded text with shorthand spelled out and typos corrected.

Offsets back to the original are kept. Only words that no table knows are corrected, by one or two slips.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from mesh.text_folding import fold
from orchestrator.planner.lexicon import expression, pairs, rows, sections, table, words
from orchestrator.turn import Language

MAX_CHARS = 1000  # longer utterances are read up to here: nobody books a consultation in more words
_TYPOGRAPHY = str.maketrans({"’": "'", "‘": "'", "´": "'", "`": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-"})
_WORD, _STRETCHED = re.compile(r"[a-z]+(?:'[a-z]+)*|\d+"), re.compile(r"([a-z])\1{2,}")
_PIECE, _FEWEST_SPANISH = expression("piece"), 2
_ALIKE = str.maketrans("zykw", "sicv", "h")  # letters that sound alike in names; an h is mute
_SHORTEST, _LONG, _LONGEST = 5, 9, 24


@dataclass(frozen=True, slots=True)
class Word:
    """A run of letters or of digits, with its place in `Text.folded`."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Text:
    """An utterance ready to be read."""

    original: str  # what was typed, cut at `MAX_CHARS`
    folded: str  # lower case, unaccented, shorthand spelled out, single spaces
    words: tuple[Word, ...]  # the words and numbers of `folded`, in order
    offsets: tuple[int, ...]  # for each character of `folded`, its place in `original`

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the part of `original` that `folded[start:end]` was made from."""
        if start >= end:
            return (0, 0)
        last = self.offsets[end - 1] + 1
        following = self.offsets[end] if end < len(self.offsets) else len(self.original)
        while last < following and self.original[last].isalnum():  # a corrected word may be shorter than what was typed
            last += 1
        return self.offsets[start], last

    def typed(self, start: int, end: int) -> str:
        """Return what was typed for `folded[start:end]`."""
        first, last = self.original_span(start, end)
        return self.original[first:last]

    def without(self, spans: Iterable[tuple[int, int]]) -> "Text":
        """Return the text with some stretches of `folded` blanked out, and without the words in them."""
        folded = blanked(self.folded, spans)
        words = self.words if folded == self.folded else (w for w in self.words if folded[w.start : w.end] == w.text)
        return replace(self, folded=folded, words=tuple(words))


def fold_phrase(text: str) -> str:
    """Fold a name or a table entry as `normalise` folds an utterance, without outer spaces."""
    return "".join(map(_folded_character, text)).strip()


@lru_cache(maxsize=32)  # a turn reads an utterance more than once
def normalise(utterance: str) -> Text:
    """Fold and expand an utterance; any string is fine."""
    original = utterance[:MAX_CHARS]
    characters = [_folded_character(character) for character in original]
    places = [place for place, folded in enumerate(characters) for _ in folded]
    # The labels of an index card as what they stand for, at their length: "Hora: 10" is "às 10".
    unlabelled = expression("label").sub(
        lambda match: (match.lastgroup or ",").replace("_", " ").ljust(len(match.group())), "".join(characters)
    )
    folded, offsets = _expand(unlabelled, places)
    return Text(original, folded, tuple(words_of(folded)), tuple(offsets))


def without_courtesies(utterance: str, language: Language) -> str:
    """Return what was typed, its lines parted by commas, without its courtesies; all where it is only those."""
    utterance = expression("line_end").sub(",\n", utterance)
    if language is Language.EN:
        utterance = expression("ta_thanks").sub("thanks", utterance)
    text, left = normalise(utterance), utterance
    for beside in reversed([*expression("said_beside").finditer(text.folded)]):
        start, end = text.original_span(*beside.span())
        left = f"{left[:start]} {left[end:]}"
    return left.lstrip(" ,.;!-\n") if re.search(r"\w", left) else utterance


def respell(text: Text, replacements: dict[str, str]) -> Text:
    """Replace whole words of a text and keep the offsets into the original."""
    folded, offsets = text.folded, list(text.offsets)
    for word in reversed(text.words):
        if (new := replacements.get(word.text)) is not None:
            folded = folded[: word.start] + new + folded[word.end :]
            offsets[word.start : word.end] = _stretch(offsets[word.start : word.end], len(new))
    return Text(text.original, folded, tuple(words_of(folded)), tuple(offsets)) if replacements else text


def words_of(folded: str) -> Iterator[Word]:
    """Return the words and numbers of a folded string."""
    return (Word(match.group(), match.start(), match.end()) for match in _WORD.finditer(folded))


@lru_cache(maxsize=4096)
def _folded_character(character: str) -> str:
    if unicodedata.category(character) in {"Cc", "Cf", "Zs", "Zl", "Zp"}:
        return "" if unicodedata.category(character) == "Cf" else " "
    return fold(character.translate(_TYPOGRAPHY))


def _expand(folded: str, places: list[int]) -> tuple[str, list[int]]:
    plain = _plain_words(spanish=is_spanish(folded))
    pieces: list[str] = []
    offsets: list[int] = []
    for match in _PIECE.finditer(folded):
        piece = match.group()
        if piece.isspace():
            new = " " if pieces and not pieces[-1].endswith(" ") else ""
        else:
            calm = _STRETCHED.sub(r"\1", piece)
            is_of_a_number = len(calm) == 1 and pieces[-1:] and pieces[-1].isdigit()  # "7p"
            stays = is_of_a_number or expression("dotted_meridian").match(folded, match.start())
            new = calm if stays else plain.get(calm, calm)
            if calm == "n" and _joins_in_english(folded):
                new = "and"
            if calm == "manana" and pieces[-2:] == ["a", " "]:
                new = "manha"  # "la mañana" is the morning, "mañana" tomorrow
            close = piece in ",;!?" and folded[match.end() : match.end() + 1].isalpha()  # "terça,quinta e sábado"
            if close or (piece.endswith("/") and len(piece) == 2 and new != piece):
                new += " "
        pieces.append(new)
        offsets += _stretch(places[match.start() : match.end()], len(new))
    return "".join(pieces), offsets


def is_spanish(folded: str) -> bool:
    """Return whether a folded text has several words that Spanish alone has, or one and its "la"."""
    said = {*re.findall(r"[a-z]+", folded)}
    return len(said & pairs("slang", "spanish").keys()) + ("la" in said) >= _FEWEST_SPANISH


def _joins_in_english(folded: str) -> bool:
    """Return whether an "n" joins, as in an English text, and denies nothing: "a cardio n a derm"; not "n thanks"."""
    plain = pairs("slang", "shorthand")
    said = " ".join(plain.get(one, one) for one in re.findall(r"[a-z]+", folded)).split()
    tells = sum((word in words("english")) - (word in words("portuguese")) for word in said)
    return (tells > 0 and not folded.startswith("n thank")) or expression("english_and").match(folded) is not None


@cache
def _plain_words(*, spanish: bool) -> dict[str, str]:
    """Return the words that stand for others; in a Spanish text, those that are not Spanish alone among them."""
    sections = ("shorthand", "spanish", *(["spanish_beside"] if spanish else []))
    return {word: plain for section in sections for word, plain in pairs("slang", section).items()}


def _stretch(places: list[int], length: int) -> list[int]:
    if len(places) == length or not places:
        return places
    return [places[min(i * len(places) // length, len(places) - 1)] for i in range(length)]


def blanked(folded: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return folded text with some stretches replaced by a neutral mark of the same length."""
    for start, end in spans:
        folded = folded[:start] + "_" * (end - start) + folded[end:]
    return folded


def correct(
    text: Text, names: Collection[str] = (), right: Collection[str] = (), places: frozenset[str] = frozenset()
) -> Text:
    """Return the text with its typos corrected; words of `names`, `places` and `right` may be meant, or are right."""
    right = frozenset((*names, *right))
    replacements: dict[str, str] = {}
    for word in text.words:
        if word.text not in right and word.text not in replacements:
            better = _corrected(word.text, places)
            better = _name_meant(word.text, names) if better is None or better in right else better
            if better is not None:
                replacements[word.text] = better
    return respell(text, replacements)


def _name_meant(word: str, names: Collection[str]) -> str | None:
    """Return the one name that sounds as a word does, or that it misses or doubles a letter of: "bitencourt"."""
    other = is_known(word) or table("wishes", "first_names").fullmatch(word)
    if other or not word.isalpha() or not _SHORTEST < len(word) <= _LONGEST:
        return None
    alike = (one for one in names if len(one) > _SHORTEST and one[0] == word[0])
    near = {one for one in alike if _sound(one) == _sound(word) or _misses_a_letter(one, word)}
    return near.pop() if len(near) == 1 else None


def _misses_a_letter(one: str, other: str) -> bool:
    # Another letter in its place may be another word: "camarão" is no Camargo, Fernanda no Fernando; nor is a plural.
    if other == f"{one}s":
        return False
    swapped = sorted(one) == sorted(other) and one[-1] == other[-1]
    return (len(one) != len(other) or swapped) and OSA.distance(one, other, score_cutoff=1) <= 1


@lru_cache(maxsize=512)
def _sound(name: str) -> str:
    return re.sub(r"(.)\1", r"\1", name.replace("ph", "f").translate(_ALIKE))


@cache
def _known() -> frozenset[str]:
    lists = (words(section) for section in sections("words"))
    danger = (re.findall(r"[a-z]+(?![a-z*])", row) for table in sections("danger_words").values() for row in table)
    return frozenset(word for word in _table_words() if not word.endswith("*")).union(*lists, *danger)


@cache
def _keywords() -> frozenset[str]:
    """Return what typos are corrected towards: what a request hangs on, and what joins and denies its conditions."""
    cues = (re.findall(r"[a-z]+(?![a-z*])", row) for name in rows("wishes", "cues") for row in rows("wishes", name))
    return words("keywords").union(word for found in cues for word in found if len(word) > _SHORTEST)


@cache
def _stems() -> tuple[str, ...]:
    return tuple({word[:-1] for word in _table_words() if word.endswith("*") and len(word) > _SHORTEST})


def _table_words() -> Iterator[str]:
    files = map(sections, ("calendar", "references", "requests", "safety", "smalltalk", "specialties"))
    whole = (row for file in files for section in file.values() for row in section)
    for row in (*rows("wishes", "polite"), *rows("wishes", "relatives"), *whole):
        yield from re.findall(r"[a-z]+\*?", row)


def is_known(word: str) -> bool:
    """Return whether some table or everyday list holds a folded word, in full or by its stem."""
    return word in _known() or word.startswith(_stems())


def is_nearly_known(word: str) -> bool:
    """Return whether a word that no table knows is two slips from one that a request hangs on."""
    if not _SHORTEST <= len(word) <= _LONGEST or is_known(word) or word in words("everyday"):
        return False
    slips = 2 if len(word) > _LONG - 2 else 1
    long = (one for one in words("keywords") if len(one) > _SHORTEST)
    return process.extractOne(word, long, scorer=OSA.distance, score_cutoff=slips) is not None


def with_slip_mended(folded: str) -> str:
    """Return a whole answer of one short word without a slip of a letter: "yse", "smi"; any other as it is."""
    if not folded.isalpha() or not 2 <= len(folded) <= _SHORTEST or is_known(folded):
        return folded
    near = {one for one in words("short_answers") if OSA.distance(folded, one, score_cutoff=1) <= 1}
    alike = [one for one in near if one[0] == folded[0] or sorted(one) == sorted(folded)]
    return alike[0] if len(alike) == 1 else folded


def _corrected(word: str, places: frozenset[str]) -> str | None:
    if len(word) > _LONGEST or not word.isalpha() or is_known(word):
        return None
    doubled = (word[:at] + word[at + 1 :] for at in range(1, len(word)) if word[at] == word[at - 1])
    single = next(filter(is_known, doubled), "")  # "podee", "vagga", but "mariaa" of Vila Mariana
    if len(single) > 3 and not any(OSA.distance(word, place) == 1 for place in places):
        return single
    if len(word) < _SHORTEST:
        hinges = (one for one in words("hinges") if one[0] == word[0] and {*word} <= {*one})
        return next((one for one in hinges if OSA.distance(one, word) == 1), None)  # "meos", "hvae"
    slips = 2 if len(word) >= _LONG else 1
    first = {"k": "kc", "c": "kc"}.get(word[0], word[0])  # "desmarque" must never become "remarque"
    long = (one for one in _keywords() | places if abs(len(one) - len(word)) <= slips)
    alike = (one for one in long if one[0] in first or (one[1], one[0]) == (word[0], word[1]))
    near = process.extract(word, sorted(alike), scorer=OSA.distance, score_cutoff=slips, limit=2)
    unclear = len(near) > 1 and near[0][1] == near[1][1] and near[0][0][:4] != near[1][0][:4]
    return near[0][0] if near and not unclear else None
