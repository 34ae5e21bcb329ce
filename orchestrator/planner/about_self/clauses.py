"""Cut an utterance into clauses that can hold one statement each, read the habits in them, and quote them."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache

from orchestrator import turn
from orchestrator.planner import wishes as room
from orchestrator.planner.calendar import read_moments
from orchestrator.planner.lexicon import expression, pairs, phrases, rows, table, words
from orchestrator.planner.text import Text, blanked, fold_phrase, normalise, words_of
from orchestrator.turn import DateRange, Language, TimeRange

MIN_SHARE = 0.6  # of those content words of a model that the person said must stand in neighbouring clauses
_THOUSANDS = re.compile(r"(?<=\d)[.,](?=\d{3}(?!\d))")
SAME_SHARE = 0.7  # above this share of common content words, two statements of one utterance are one
_SENTENCE_END = re.compile(r"(?<!\bdr)(?<!\bdra)[.!?;]+(?=\s|$)")
_SAYS = re.compile(r"[a-z0-9]")
_PREFIX = 4  # letters that two forms of a word share ("trabalho", "trabalha"); of shorter words all but the last
_FEWEST_LETTERS = 3  # shorter words are function words, whatever they say
_WEEK = 7  # days
_RUN, _WORD = re.compile(r"[^\s,.;:!?]+"), re.compile(r"[A-Za-zÀ-ÿ]+")
_TITLE = re.compile(r"\b(?P<short>dra?)\b\.?(?= [A-ZÀ-Ý])|\bdoctor(?= [A-ZÀ-Ý])")
_CRASIS = re.compile(r"\bas (?=\d|segundas|terças|quartas|quintas|sextas)")
_AT_PART = re.compile(r"(?<!\bda )\ba (?=tarde\b|noite\b)")


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a text that can hold one statement, by its place in the folded text."""

    start: int  # where it begins
    end: int
    folded: str
    asked: bool  # it ends with a question mark
    link: str  # the word or sign that parts it from the clause before

    @property
    def own_span(self) -> tuple[int, int]:
        """Where it stands in the folded text without lead and courtesies."""
        return self.start + self.lead, self.start + _end_without_courtesies(self.folded, self.lead)

    @property
    def joint(self) -> str | None:
        """What it is to the clause before: a "reason", a "consequence", an "addition", or none of these."""
        return pairs("own_words", "links").get(self.link)

    def when(self, text: Text, now: datetime, language: Language) -> str:
        """Return its words that say when something holds, as they were typed, and none of the others."""
        rest, joins = read_habit(self.folded, now, language, always=True).rest, words("when_joins", "own_words")
        found = [(one, "_" in rest[one.start() : one.end()]) for one in re.finditer(r"\S+", self.folded)]
        found = [(one, tells) for one, tells in found if tells or one[0] in joins]
        told = [at for at, (_, tells) in enumerate(found) if tells] or [0]
        first = told[0] - bool(found and found[told[0] - 1][0].end() + 1 == found[told[0]][0].start())  # "as tercas"
        ends = ((self.start + one.start(), self.start + one.end()) for one, _ in found[first : told[-1] + 1])
        return " ".join(text.typed(*span).rstrip(".;:!") for span in ends).strip(" ,")

    @property
    def lead(self) -> int:
        """Where it begins behind its lead."""
        match = expression("leads").match(self.folded)
        return match.end() if match else 0

    @property
    def reasoned(self) -> str:
        """The clause up to a reason that it ends with, without courtesies."""
        reason = table("memories", "reasons").search(self.folded, self.lead)
        return self.folded[: _end_without_courtesies(self.folded[: reason.start() if reason else None])]

    @property
    def goes_on(self) -> bool:
        """Whether it says more of the statement before it: why, or a remark that asks nothing."""
        folded = re.sub(r"^(?:que|who|which) ", "", self.folded)
        if self.joint == "addition" and table("memories", "refusal").match(folded):
            return not self.asked
        told = ("health_words", "passing", "street", "never", "only", "prefer")
        others = any(table("own_words", name).search(folded) for name in ("requests", "passing", "others_do"))
        if self.asked or others or any(table("memories", name).search(folded) for name in told):
            return False
        is_remark = table("own_words", "first_person").search(folded) or table("memories", "remarks").match(self.folded)
        return self.joint == "reason" or (self.joint is not None and is_remark is not None)

    def named(self, text: Text, clinics: Sequence[turn.Clinic]) -> tuple[list[turn.Filter], list[tuple[int, int]]]:
        """Return the doctors and the clinics of it, as conditions, and where it names them, by their place too."""
        inside = range(self.start, self.end)
        doctors = [found for found in room.doctors_at(text, clinics) if found[0] in inside]
        named = [(*one[:2], {one[2]}) for one in room.clinics_at(text, clinics) if one[0] in inside]
        for begin, end, fact in room.named_by_clinics(text, clinics) if not named else ():
            known = room.resolved(fact, text.folded[begin:end], clinics).clinics
            named += [(begin, end, {*known})] if known and fact.axis is turn.Axis.PLACE and begin in inside else []
        found: list[turn.Filter] = [turn.AtClinics(frozenset().union(*(ids for _, _, ids in named)))] if named else []
        if doctors and all(len(group) == 1 for _, _, group in doctors):
            found.append(turn.WithDoctors(frozenset(one.name for _, _, group in doctors for one in group)))
        return found, [(start - self.start, end - self.start) for start, end, _ in (*doctors, *named)]


def is_idle(words: str) -> bool:
    """Return whether words around statements are only courtesies and leads."""
    return _SAYS.search(_idle().sub(" ", words)) is None


def clauses(folded: str, whole: Sequence[tuple[int, int]] = ()) -> Iterator[Clause]:
    """Cut a folded text where another statement, a request or a reason may begin, but for stretches that are whole."""
    start, link = 0, ""
    cuts = [one.span() for one in expression("cut").finditer(folded)]
    later = table("memories", "after_that").match
    cuts = [one for one in cuts if later(folded, one[1]) or not any(a < one[0] and one[1] < b for a, b in whole)]
    for end, behind in (*cuts, (len(folded), len(folded))):
        cut, words = folded[end:behind], folded[start:end].strip()
        if words:
            first = folded.index(words, start)
            yield Clause(first, first + len(words), words, "?" in cut, link)
        link, start = (cut if words else f"{link}{cut}").strip(), behind
        link = link.removeprefix(",") or link


def is_reported(folded: str) -> bool:
    """Return whether a text reports what somebody else said, or quotes."""
    others = table("memories", "said_oneself").sub(" ", folded)
    return re.search(r'"|“|”|«|»', folded) is not None or table("memories", "reported").search(others) is not None


def _end_without_courtesies(folded: str, start: int = 0) -> int:
    ending = expression("courtesies").search(folded, start)
    return len(folded[: ending.start() if ending else None].rstrip(" ,"))


def is_filler(rest: str) -> bool:
    """Return whether what is left of a clause without its statement says nothing of its own."""
    return _SAYS.search(table("memories", "fillers").sub(" ", rest)) is None


@cache
def _idle() -> re.Pattern[str]:
    courtesies = (row for section in ("greetings", "gratitude", "padding") for row in rows("smalltalk", section))
    own = (row for section in ("leads", "ending", "fillers") for row in rows("memories", section))
    return phrases((*courtesies, *own))


@dataclass(frozen=True, slots=True)
class _Run:
    start: int
    end: int  # where they end (exclusive)
    said: frozenset[str]  # the wanted words that they hold


def own_words(content: str, text: Text) -> str | None:
    """Return the person's own words for a statement of a model, which may paraphrase and adds nothing of its own."""
    told, spoken = normalise(_THOUSANDS.sub("", content)).folded, [*_content_words(text.folded)]
    wanted = frozenset(_content_words(told))
    said = frozenset(word for word in wanted if _is_among(word, spoken))
    best = max(_runs(text.folded, said), key=lambda run: len(run.said), default=None)
    numbers = {word for word in said if word.isdigit()}
    if best is None or not numbers <= best.said or len(best.said) < MIN_SHARE * len(said):
        return None
    if _is_asked_or_reported(best, text.folded):
        return None
    clause, denial = text.folded[best.start : best.end], table("own_words", "denial")
    of_another = table("own_words", "others_do").search(table("own_words", "speaker_in_reports").sub("", told))
    turns_round = bool(denial.search(told)) != bool(denial.search(clause))
    if of_another or turns_round or not wanted - said <= words("report", "own_words"):
        return None
    lead = expression("lead_of_quotation").match(text.folded, best.start, best.end)
    start = best.start if lead is None else lead.end()
    return _as_typed(text, start, best.end) if is_of_speaker(text.folded[start : best.end]) else None


def say_much_the_same(one: str, other: str) -> bool:
    """Return whether more than `SAME_SHARE` of the content words of the shorter statement are in the longer one."""
    first, second = ([*_content_words(normalise(text).folded)] for text in (one, other))
    fewer, more = sorted((first, second), key=len)
    return sum(_is_among(word, more) for word in fewer) > SAME_SHARE * len(fewer)


def _runs(folded: str, wanted: frozenset[str]) -> list[_Run]:
    runs, follows = list[_Run](), False
    for clause in clauses(folded):
        spoken = [*_content_words(clause.folded)]
        said = frozenset(word for word in wanted if _is_among(word, spoken))
        is_reason = clause.joint == "reason" or table("own_words", "reason").search(clause.folded)
        goes_on = is_reason or table("own_words", "first_person").search(clause.folded)
        if follows and said and goes_on and not _SENTENCE_END.search(folded, runs[-1].end, clause.start):
            runs[-1] = replace(runs[-1], end=clause.end, said=runs[-1].said | said)
        elif said:
            runs.append(_Run(clause.start, clause.end, said))
        follows = bool(said)
    return runs


def _content_words(folded: str) -> Iterator[str]:
    for word in words_of(_THOUSANDS.sub("", folded)):
        if word.text.isdigit() or (len(word.text) >= _FEWEST_LETTERS and word.text not in words("small", "own_words")):
            yield pairs("own_words", "synonyms").get(word.text, word.text)


def _is_among(word: str, spoken: Sequence[str]) -> bool:
    shared = ((other, min(_PREFIX, len(word) - 1, len(other) - 1)) for other in spoken if not word.isdigit())
    return word in spoken or any(most >= _FEWEST_LETTERS and word[:most] == one[:most] for one, most in shared)


def _is_asked_or_reported(run: _Run, folded: str) -> bool:
    start = max((match.end() for match in _SENTENCE_END.finditer(folded, 0, run.start)), default=0)
    ending = _SENTENCE_END.search(folded, run.end)
    end = ending.end() if ending else len(folded)
    # "..., tem cardiologista?" asks something of its own; "..., né?" does not.
    asks_else = any(table("requests", section).search(folded[run.end : end]) for section in ("wondering", "openings"))
    sentence = folded[start:end]
    asked = "?" in sentence and not asks_else
    return asked or '"' in sentence or table("own_words", "reported").search(sentence) is not None


def is_of_speaker(statement: str) -> bool:
    """Return whether words tell of the speaker, before anybody else, and ask for nothing."""
    speaker = table("own_words", "first_person").search(statement)
    if speaker is None:
        return False
    if any(table("own_words", section).search(statement) for section in ("requests", "passing", "others_do")):
        return False
    somebody = table("own_words", "others").search(statement)
    return somebody is None or speaker.start() < somebody.start()


def _as_typed(text: Text, start: int, end: int) -> str:
    visible = (sign for sign in text.typed(start, end) if unicodedata.category(sign) != "Cf")
    plain = "".join(sign if sign.isprintable() else " " for sign in visible)
    return " ".join(plain.split()).strip(" .,;:!()-–—")


@dataclass(frozen=True, slots=True)
class Habit:
    """When something holds."""

    weekdays: frozenset[int]  # 0 is Monday
    times: tuple[TimeRange, ...]  # stretches of the day
    dates: tuple[DateRange, ...]  # stretches of days by the calendar
    once: bool  # it speaks of one day, or of one time on the clock
    rest: str  # the clause without the words that say when


def read_habit(clause: str, now: datetime, language: Language, *, always: bool) -> Habit:
    """Return when a folded clause says that something holds; `always` makes a single weekday every one."""
    found = list(_weekdays(clause, always=always))
    weekdays = frozenset(day for _, _, days in found for day in days)
    clause = blanked(clause, ((start, end) for start, end, _ in found))
    moments = read_moments(normalise(clause), now, language)
    hours = tuple(span for one in moments for span in one.hours)
    days = tuple(span for one in moments for span in one.days)
    once = any(one.dates or one.times or not one.exists for one in moments)
    return Habit(weekdays, hours, days, once, rest=blanked(clause, ((one.start, one.end) for one in moments)))


def _weekdays(clause: str, *, always: bool) -> Iterator[tuple[int, int, frozenset[int]]]:
    names = pairs("memories", "weekdays")
    for match in expression("habit").finditer(clause):
        if match["set"]:
            yield (*match.span(), frozenset(map(int, pairs("memories", "weekday_sets")[match["set"]].split())))
        elif match["last"]:
            first, last = int(names[match["first"]]), int(names[match["last"]])
            span = range(first, last + 1 if last >= first else last + _WEEK + 1)
            yield (*match.span(), frozenset(day % _WEEK for day in span))
        elif match["every"] or match["day"].endswith("s") or always:
            yield (*match.span(), frozenset({int(names[match["day"]])}))


def spelled_out(text: Text, start: int, end: int, language: Language, names: Sequence[tuple[int, int]] = ()) -> str:
    """Return a stretch of the folded text as it is remembered: the person's own words, spelled out, with `names`."""
    original = text.original.lower() if text.typed(start, end).isupper() else text.original
    for begin, close in (text.original_span(*one) for one in names):
        original = f"{original[:begin]}{original[begin:close].title()}{original[close:]}"
    typed = " ".join(replace(text, original=original).typed(start, end).split())
    typed = _TITLE.sub(lambda one: f"{one['short'].title()}." if one["short"] else one[0].title(), typed)
    if language is Language.PT:
        shorthand = pairs("slang", "shorthand")
        typed = _RUN.sub(lambda match: shorthand.get(fold_phrase(match.group()), match.group()), typed)
    spelling = pairs("spelling", language)
    spelled = _WORD.sub(lambda match: spelling.get(match.group().lower(), match.group()), typed).strip(" ,;:-–—.!")
    if language is Language.EN:
        return spelled
    accented = _AT_PART.sub("à ", _CRASIS.sub("às ", spelled))
    is_name = _TITLE.match(accented[:1].lower() + accented[1:]) or any(begin == start for begin, _ in names)
    return accented if is_name else accented[:1].lower() + accented[1:]
