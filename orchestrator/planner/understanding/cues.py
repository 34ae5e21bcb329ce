"""Read an utterance's cues and references, and a plain yes or no to an open proposal.

A denied write is blanked out first; a question about how or what if ("se eu cancelar, tem multa?") is never a write.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cache, lru_cache

from orchestrator.planner.lexicon import compiled, expression, numbers, patterns, phrases, said_in, sections, table
from orchestrator.planner.text import correct, normalise, with_slip_mended
from orchestrator.turn import CANCEL, AskedFact, Topic

_COURTESIES = tuple(row.split() for row in sections("topics")["courtesies"])
# Flags of `Cues`, each with its section: what nobody asks for is none of the first ones.
_OF_WISHES = {"books": "book_verbs", "states": "stating", "wonders": "wondering", "follows_up": "following_up"}
_OF_ALL = {"denies": "not", "regrets": "regret", "clinic_matter": "clinic_matters", "health": "health"}
_ROW_OF_WEEKDAY = {"segunda": 0, "quarta": 2, "quinta": 3, "sexta": 4}
_CORRECTION = expression("correction")
_NO_APART = re.compile(r"\b(?:nao|no)(?=[,;!])")  # an answer that denies no verb behind it: "não, muda"
_THUMBS = {"👍": True, "👌": True, "✅": True, "👎": False, "❌": False}
_LONGEST_ANSWER = 60
_BETWEEN_ROWS = re.compile(r"(?!(?<=\d)[:./]\d)[^a-z0-9#]+")  # 10:30 and 1/12 are no two rows

# What is asked for; where cues of several are present, the first of these is meant.
Intent = StrEnum("Intent", "MOVE CANCEL QUERY PATIENTS RECORD BOOK OPENINGS")
_ASKED_OR_WISHED, _FACTS = (*Intent, *_OF_WISHES.values()), tuple(AskedFact)


@dataclass(frozen=True, slots=True)
class Cues:
    """The cues of an utterance."""

    intents: tuple[Intent, ...] = ()  # all that have a cue, the one that counts first
    books: bool = False  # a booking verb is among them ("marca"), not just a word about appointments
    states: bool = False  # it speaks of an appointment that exists or existed
    denies: bool = False
    wonders: bool = False  # it asks something; of openings when they are being talked of
    follows_up: bool = False  # it adds a condition to what is being talked of
    health: bool = False  # it speaks of what only a clinic has
    question: bool = False  # it is a question about anything
    missing: bool = False  # it says that one cannot come
    regrets: bool = False  # somebody has changed their mind
    denied: bool = False  # it denies a write and asks for nothing else in its place
    hypothetical: bool = False  # it asks how, or what would happen
    chat: Topic | None = None  # GREETING, THANKS, FAREWELL, HELP, HOW_IT_WORKS or WHO_ANSWERS
    clinic_facts: tuple[AskedFact, ...] = ()  # what it asks about clinics
    clinic_matter: bool = False  # payment, papers, tests
    off_topic: bool = False  # something that no clinic does
    query: int | None = None  # for QUERY, where what is looked for begins


@lru_cache(maxsize=32)  # a turn reads a clause more than once
def find_cues(folded: str) -> Cues:
    """Return the cues of a folded utterance in which names are blanked out."""
    folded = folded.replace("dr. ", "dr _")  # whose full stop ends no sentence
    asked = expression("denied_behind").sub("_", folded)
    asked = _NO_APART.sub(lambda no: "_" * len(no[0]), asked)
    wanted = _dimmed(_dimmed(asked, "references", "asked_if_done"), "requests", "negated")
    denied = table("requests", "negated").search(_NO_APART.sub("_", folded)) is not None
    # "Remarcar, quer dizer, marcar", "cancel it, no wait, don't cancel, move it": the act that is said last counts.
    slip, cancels = table("requests", "meant").search(wanted), table("requests", Intent.CANCEL)
    if denied and not slip:
        denials = (no for no in table("requests", "negated").finditer(asked) if cancels.search(asked[: no.start()]))
        slip = next((no for no in denials if cancels.search(no[0])), None)
    writes = [table("requests", write) for write in ("move", "cancel", "book")]
    names = slip and expression("visit_alone").fullmatch(wanted[slip.end() :].lstrip(", "))  # "no wait, my 9am one"
    if slip and not names and any(one.search(wanted, slip.end()) for one in (*writes, expression("wants_another"))):
        wanted = " " * slip.end() + wanted[slip.end() :]
    asks = said_in(wanted, "requests", _ASKED_OR_WISHED)
    found = tuple(intent for intent in Intent if intent in asks)
    query = table("requests", "query").search(wanted)
    speaks = said_in(expression("asks_nothing").sub("_", folded), "requests", tuple(_OF_ALL.values()))
    said = {flag: section in asks | speaks for flag, section in (_OF_WISHES | _OF_ALL).items()}
    lasting, polite = table("requests", "lasting").sub("_", folded), table("requests", "polite").sub(" ", wanted)
    said["missing"] = table("requests", "missing").search(lasting) is not None
    said["hypothetical"] = table("requests", "hypothetical").search(polite) is not None
    said["question"] = table("requests", "question").search(asked) is not None
    said["off_topic"] = table("smalltalk", "off_topic").search(folded) is not None
    denied = denied and not ({Intent.MOVE, Intent.CANCEL} & set(found) or said["books"])
    courtesies = table("smalltalk", "no_courtesies").sub("_", folded)
    chats = (Topic(topic) for topic, file, section in _COURTESIES if table(file, section).search(courtesies))
    chat, facts = next(chats, None), facts_in(folded)
    return Cues(found, denied=denied, chat=chat, query=query and query.end(), clinic_facts=facts, **said)


def facts_in(folded: str) -> tuple[AskedFact, ...]:
    """Return what a folded text asks about clinics; that one is too far asks nothing."""
    told = expression("no_fact").sub("_", expression("paying").sub("particular", folded))
    said = said_in(told, "clinic_facts", _FACTS)
    priced = table("requests", "unpriced").sub("_", told)  # "is there a fee if I don't show up" asks no price
    if AskedFact.PRICE in said and not table("clinic_facts", AskedFact.PRICE).search(priced):
        said -= {AskedFact.PRICE}
    return tuple(fact for fact in AskedFact if fact in said)


def _dimmed(folded: str, file: str, section: str) -> str:
    return table(file, section).sub(lambda match: " " * len(match.group()), folded)


@dataclass(frozen=True, slots=True)
class Pointer:
    """What an utterance points at."""

    numbers: tuple[int, ...] = ()  # numbers of list rows, as said
    earliest: bool = False  # the earliest is meant
    latest: bool = False  # the last is meant
    of_day: bool = False  # ... by its hour, whatever the day ("o mais cedo do dia")
    this: bool = False  # the only one is meant ("esse")
    choosing: bool = False  # something is wanted, not asked about
    taking: bool = False  # it is taken, so that the only opening that fits is meant
    asking: bool = False  # it is only to be known
    same_time: bool = False  # the time of day of the appointment that is moved is kept
    instead: bool = False  # something is to take the place of what there is
    none: bool = False  # nothing of what was shown suits
    other_doctor: bool = False  # anybody else of the same specialty is wanted
    other_clinic: bool = False  # another clinic of the same specialty is wanted
    correcting: bool = False  # something else than what was just said is wanted
    mine: bool = False  # what one has booked is asked for
    next_visit: bool = False  # the next of what one has booked is asked for
    row: bool = False  # the one row of a day is taken ("o de sexta")
    other: bool = False  # the one of those shown that was not taken
    either: bool = False  # no one of several is preferred
    both: bool = False  # two of two are meant, unless it is two o'clock ("as duas")
    all: bool = False  # every one is meant
    any_day: bool = False  # a day that was said before no longer counts
    perhaps: tuple[int, ...] = ()  # numbers that a weekday may stand for ("a segunda")


def find_pointer(folded: str, whole: str = "") -> Pointer:
    """Return the references of an utterance in which times and names are blanked out; of rows, those named last.

    Rows that do not suit are found in the `whole` utterance: "o primeiro é muito cedo".
    """
    corrected = max((match.end() for match in _CORRECTION.finditer(folded)), default=0)
    found = [(one.start(), _number(one["n"])) for row in patterns("patterns", "row") for one in row.finditer(folded)]
    refused = [range(*match.span()) for match in expression("refused_row").finditer(whole or folded)]
    behind_no = expression("denied_row").search
    found = [one for one in found if not (any(one[0] in span for span in refused) or behind_no(folded[: one[0]]))]
    said = [number for start, number in found if start >= corrected] or [number for _, number in found]
    pointed = said_in(folded, "references", _FLAGS)
    flags = {name: name in pointed for name in _FLAGS}
    flags["earliest"] = flags["earliest"] and _says("earliest", expression("before_moment").sub("_ ", folded))
    if flags["either"]:  # "anyone else that day?" takes nobody, nor does "tanto faz o preço"
        flags["either"] = not (flags["other_doctor"] or table("wishes", "price_open").search(folded))
    if flags["all"]:  # "tudo bem?" and "at all" mean nothing of the kind
        rest = table("references", "no_all").sub(" ", table("smalltalk", "greetings").sub(" ", folded))
        flags["all"] = _says("all", rest)
    return Pointer(numbers=tuple(dict.fromkeys(said)), perhaps=(), **flags)


def row_said(folded: str, weekdays: frozenset[int] = frozenset(), days: frozenset[int] = frozenset()) -> int | None:
    """Return the row of a list that the whole of a folded utterance names ("let us do 3", "the first one").

    "A segunda" may be a Monday of the list, whose `weekdays` count from 0; "the 21st" may be one of its `days`.
    """
    # "A segunda, não, a terceira": all of them are rows, and the last one counts.
    said = [_BETWEEN_ROWS.sub(" ", part).strip() for part in _CORRECTION.split(folded[: 2 * _LONGEST_ANSWER])]
    rows = [expression("row_alone").fullmatch(part) for part in said if not expression("sigh").fullmatch(part)]
    match = rows[-1] if rows and len(folded) <= _LONGEST_ANSWER and all(rows) else None
    if match is None or (not match["noun"] and len(rows) == 1 and _ROW_OF_WEEKDAY.get(match["n"]) in weekdays):
        return None
    is_weekday = match["n"] in _ROW_OF_WEEKDAY and not match["noun"] and match["article"] in {None, "de "}
    number = _number(match["n"])
    is_day = match["nth"] is not None and not match["noun"] and number in days and bool(number > 1 or match["article"])
    return None if is_weekday or is_day else number


def rows_said(folded: str, rows: Collection[int]) -> tuple[int, ...]:
    """Return the rows of a list that the whole of a folded utterance names: "1 e 3", "2 ou 5", "the first two"."""
    bare = _BETWEEN_ROWS.sub(" ", folded).strip()
    ways = patterns("patterns", "rows_alone") if len(bare) <= _LONGEST_ANSWER else ()
    match = next(filter(None, (one.fullmatch(bare) for one in ways)), None)
    if match is None:
        return ()
    if "rows" in match.groupdict():
        named = re.compile(rf"\b(?:{expression('row_name').pattern})\b")
        said = [_number(one.group()) for one in named.finditer(match["rows"])]
    elif match["end"].startswith(("prim", "first")):
        said = sorted(rows)[: _number(match["count"])]
    else:
        said = sorted(rows)[-_number(match["count"]) :]
    return tuple(said) if set(said) <= set(rows) else ()


_FLAGS = tuple(flag.name for flag in fields(Pointer) if flag.type is bool and flag.name != "row")
"""The flags of a `Pointer` that a section of the lexicon finds by itself."""


def with_days(pointer: Pointer, folded: str) -> Pointer:
    """Return the references with those that contain days and hours: "a segunda" may be a Monday or the second."""
    row = _says("row", folded) or expression("row_of_name").search(folded) is not None
    perhaps = tuple(_number(match["n"]) for match in expression("weekday_or_number").finditer(folded))
    both = pointer.both or expression("both_or_two").search(folded) is not None
    return replace(pointer, perhaps=perhaps, row=row, taking=pointer.taking or row, both=both)


def _says(section: str, folded: str) -> bool:
    return table("references", section).search(folded) is not None


def _number(word: str) -> int:
    return numbers("references", "ordinals").get(word) or numbers("references", "cardinals").get(word) or int(word)


def answer(utterance: str, action: str | None = None, *, several: bool = False) -> bool | None:
    """Return True or False when the whole utterance is an answer, else None; an empty one is no.

    Naming `action` consents to it and to no other tool; `several` writes can be consented to as "as duas".
    """
    bare = expression("echo").sub("", utterance).strip()
    thumb = _THUMBS.get(bare.rstrip("\ufe0f🏻🏼🏽🏾🏿"))
    if not bare or thumb is not None:
        return bool(thumb)
    folded = re.sub(r"[^a-z0-9']+", " ", correct(normalise(bare[: _LONGEST_ANSWER + 1])).folded).strip()
    folded = re.sub(r"(?<![bt])([aiomskp])\1+(?= |$)", r"\1", folded)  # "issoo", "yess"
    if not folded or len(bare) > _LONGEST_ANSWER or "?" in bare:
        return None
    whole = " ".join(_any_of(("arranged",)).sub(" ", with_slip_mended(folded)).split())  # "falei com meu chefe, sim"
    said = _any_of(("closings",)).sub(" ", whole)
    folded = " ".join(table("wishes", "for_me").sub(" ", said).split())
    agreeing = ("yes", f"yes_to_{action}", *(("yes_to_several",) if several else ()))
    agrees = is_only(folded, *agreeing) or is_only(said, *agreeing)  # "marca pra mim"
    refuses = is_only(expression("before_no").sub("", folded), "no", f"no_to_{action}")
    if refuses and not (agrees and action == CANCEL):  # of what is to be given back, "cancel it" is a yes
        return None if agrees or expression("no_or_other").search(folded) else False  # may be either
    agreed = None if expression("no_thanks").search(whole) else True  # "perfect, no thanks" may be either, too
    for answers in (("no", f"no_to_{action}"), agreeing):
        begins = _any_of(answers).match(folded)
        plainly = begins and not table("clinic_facts", "weak_yes").fullmatch(begins.group())  # "cool, see you then"
        if begins and plainly and is_only(folded[begins.end() :], "closings", "farewells", "thanks"):
            return agreed if answers is agreeing else False
    return agreed if agrees else None


def is_closing(folded: str) -> bool:
    """Return whether a folded utterance only thanks and takes leave; "ótimo" and "perfeito" are a yes first."""
    leaves = _any_of(("closings", "farewells")).search(folded) is not None
    return is_only(folded, "closings", "farewells", "thanks", "greetings") and (leaves or answer(folded) is None)


def is_only(folded: str, *names: str) -> bool:
    """Return whether the whole of a folded utterance is phrases of these sections of the small talk."""
    bare = re.sub(r"[^a-z0-9']+", " ", folded).strip()
    matches = len(bare) <= _LONGEST_ANSWER and _only(names).fullmatch(bare) is not None
    return matches and _any_of(names).search(bare) is not None


@cache
def _only(answers: tuple[str, ...]) -> re.Pattern[str]:
    return compiled(rf"(?:{_any_of((*answers, 'padding')).pattern} ?)+")


@cache
def _any_of(answers: tuple[str, ...]) -> re.Pattern[str]:
    return phrases([row for answer in answers for row in sections("smalltalk").get(answer, ())])
