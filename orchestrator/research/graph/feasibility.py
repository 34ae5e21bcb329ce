"""Count the patients of each specialty for a population, over all clinics; only what may be published leaves here.

A cell below three that is not zero is withheld, as federated research does at each site (DataSHIELD's `nfilter.tab`).
A sum is published only if each of its parts could be, where the parts are the finest groups that a question can tell
apart: no table then reveals a small cell, alone or with others, across sessions and people.

The tool is list_patients, not query: the log keeps the number of entries in an answer, which with query would be the
count to withhold. Patient ids stay in one local mapping, so that a patient who is listed twice counts once.

Conditions are read in both languages, because clinics record them in Portuguese. One wrong letter in the name of a
condition is forgiven; two are not, since hypotension is two away from hypertension.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from rapidfuzz.distance import OSA

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.agents import Registry
from orchestrator.planner.lexicon import phrases, sections
from orchestrator.planner.text import fold_phrase, is_known, normalise, respell, words_of
from orchestrator.research.rules import LEXICON
from orchestrator.stages import Router
from orchestrator.turn import LIST_PATIENTS, SERVICE, Directory, Language, Step, StepResult, ToolCall, TurnScope

_SHORTEST = 7
"""Letters from which on a word is looked at for a slip; shorter ones are a letter away from too many others."""

_JOINED = re.compile(r"[\s,/]*(?:\b(?:e|ou|nem|and|or|nor)\b)?[\s,/]*")
_EITHER = re.compile(r"\s*[,/]\s*|.*\b(?:ou|nem|or|nor)\b.*")

_OTHER_CONDITION = "other_condition"  # one that no clinic here records
_COMBINATION = "combination"  # several conditions at once: a record holds one
_EXCLUSION = "exclusion"  # those without a condition

SMALLEST = 3  # the smallest number of patients, other than none, that may be published
_Groups = Mapping[frozenset[str], int]  # how many of a clinic have exactly these conditions: never divided


@dataclass(frozen=True, slots=True)
class Population:
    """The conditions and criteria of a description."""

    # Codes of the known conditions that are named, in the lexicon's order; a patient with any of them belongs to it
    conditions: tuple[str, ...]
    # Codes of the criteria that no clinic can be asked for, in the order of `criteria.txt`: age, sex, time and others
    unchecked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Mention:
    """A phrase of the lexicon in a folded text; `code` is a condition's or a criterion's."""

    start: int
    end: int
    code: str


def read_population(text: str, language: Language) -> Population:
    """Return the population that any text describes."""
    said = normalise(text)
    folded = respell(said, {word.text: better for word in said.words if (better := _corrected(word.text))}).folded
    mentions = _longest([*_mentions(folded, _conditions()), *_mentions(folded, _criteria(language))])
    named = [mention for mention in mentions if mention.code in (*_conditions(), _OTHER_CONDITION)]
    excluded = _excluded(folded, named, language)
    wanted = [mention for mention in named if mention not in excluded]
    codes = {mention.code for mention in wanted}
    # "Dermatitis except contact dermatitis" leaves two of three; "with acne and without" is still about acne.
    codes = codes - {mention.code for mention in excluded} or codes
    unchecked = {mention.code for mention in mentions if mention not in named} | (codes & {_OTHER_CONDITION})
    if excluded:
        unchecked.add(_EXCLUSION)
    # Two conditions follow each other with more than a comma and no "or" between them.
    if any(
        first.code != second.code
        and first.end <= second.start
        and not _EITHER.fullmatch(folded, first.end, second.start)
        for first, second in pairwise(mention for mention in wanted if mention.code in _conditions())
    ):
        unchecked.add(_COMBINATION)
    conditions = tuple(code for code in _conditions() if code in codes)
    criteria = (*_criteria(language), _COMBINATION, _EXCLUSION)
    return Population(conditions, tuple(code for code in criteria if code in unchecked))


def conditions_of(recorded: str) -> frozenset[str]:
    """Return the codes of a condition as a clinic records it; empty for an unknown one."""
    return frozenset(mention.code for mention in _longest(list(_mentions(fold_phrase(recorded), _conditions()))))


def condition_name(code: str, language: Language) -> str:
    """Return the name of a condition, as within a sentence; raise `KeyError` for an unknown code."""
    portuguese, english, *_ = sections("conditions", LEXICON)[code]
    return portuguese if language is Language.PT else english


@cache
def _conditions() -> dict[str, re.Pattern[str]]:
    return {code: phrases(map(fold_phrase, table)) for code, table in sections("conditions", LEXICON).items()}


@cache
def _criteria(language: Language) -> dict[str, re.Pattern[str]]:
    # Without the exclusion, whose words need a condition.
    named = ((name.split("."), table) for name, table in sections("criteria", LEXICON).items())
    return {code: phrases(table) for (of, code), table in named if of == language and code != _EXCLUSION}


def _mentions(folded: str, tables: dict[str, re.Pattern[str]]) -> Iterator[_Mention]:
    for code, pattern in tables.items():
        yield from (_Mention(match.start(), match.end(), code) for match in pattern.finditer(folded))


def _longest(mentions: Sequence[_Mention]) -> list[_Mention]:
    places = {(one.start, one.end) for one in mentions}
    whole = (
        one
        for one in mentions
        if not any(start <= one.start and one.end <= end for start, end in places - {(one.start, one.end)})
    )
    return sorted(whole, key=lambda one: (one.start, one.end))


def _excluded(folded: str, named: Sequence[_Mention], language: Language) -> list[_Mention]:
    # Mentions right after a "without", or joined to one that is.
    without = phrases(sections("criteria", LEXICON)[f"{language}.{_EXCLUSION}"])
    ends = [match.end() for match in without.finditer(folded)]
    excluded: list[_Mention] = []
    for mention in named:
        follows = any(end <= mention.start and not folded[end : mention.start].strip(" -") for end in ends)
        shares = any(_JOINED.fullmatch(folded, one.end, mention.start) for one in excluded if one.end <= mention.start)
        twin = any((one.start, one.end) == (mention.start, mention.end) for one in excluded)
        if follows or shares or twin:
            excluded.append(mention)
    return excluded


@cache
def _vocabulary() -> frozenset[str]:
    rows = (fold_phrase(row) for table in sections("conditions", LEXICON).values() for row in table)
    return frozenset(word.text for row in rows for word in words_of(row) if len(word.text) >= _SHORTEST)


def _corrected(word: str) -> str | None:
    # The only word that is one letter away; None for a right or short word.
    if len(word) < _SHORTEST or word in _vocabulary() or is_known(word):
        return None
    near = [other for other in _vocabulary() if other[0] == word[0] and OSA.distance(word, other, score_cutoff=1) == 1]
    return near[0] if len(near) == 1 else None


@dataclass(frozen=True, slots=True)
class Count:
    """The count of one specialty, or of all."""

    specialty: str  # its code in the registry, such as "Cardiology"; empty for all
    clinics: int  # how many of its clinics were asked
    answered: int  # how many of them answered
    patients: int | None  # how many patients match in the clinics that answered; None: withheld
    portuguese: str = field(default="", compare=False)  # the specialty's name in Portuguese; empty where nobody said


@dataclass(frozen=True, slots=True)
class FeasibilityTable:
    """The counts for one population; everything in it may be published."""

    population: Population  # without a condition nothing was counted
    counts: tuple[Count, ...]  # one entry for each specialty, in the registry's order
    total: Count  # all patients together


Feasibility = Callable[[TurnScope, str, Language], FeasibilityTable]
"""Return how many patients of each specialty belong to a population, given in the person's words, within a turn."""


def published(parts: Iterable[int]) -> int | None:
    """Return the sum of some counts, or None if one is small; no question splits a group, no two share a patient."""
    counts = tuple(parts)
    return None if any(0 < count < SMALLEST for count in counts) else sum(counts)


def count_patients(
    router: Router, registry: Registry, directory: Directory, scope: TurnScope, population: str, language: Language
) -> FeasibilityTable:
    """Return how many patients of each specialty belong to a population, by the clinics of a registry."""
    wanted = read_population(population, language)
    if not wanted.conditions:
        return FeasibilityTable(wanted, (), Count("", 0, 0, None))
    known = (agent for agent in registry.values() if agent.service == SERVICE.full_name)
    clinics = [agent for agent in known if agent.takes(LIST_PATIENTS)]
    steps = [Step(number, clinic.id, ToolCall(LIST_PATIENTS)) for number, clinic in enumerate(clinics, 1)]
    # It takes an operator's token: with a patient's scope no clinic gives a count, as if it had not answered.
    results = router.dispatch(steps, scope)
    names = {clinic.specialty: clinic.specialty_name(Language.PT) for clinic in directory.clinics()}
    asked = [(clinic.specialty, _groups(result)) for clinic, result in zip(clinics, results, strict=True)]
    counts = tuple(
        _count(specialty, [groups for of, groups in asked if of == specialty], wanted, names.get(specialty, ""))
        for specialty in dict.fromkeys(specialty for specialty, _ in asked)
    )
    return FeasibilityTable(wanted, counts, _count("", [groups for _, groups in asked], wanted))


def _groups(result: StepResult) -> _Groups | None:
    if not isinstance(result.response, pb.ListPatientsResponse):
        return None
    patients = result.response.patients
    known = {recorded: conditions_of(recorded) for recorded in {patient.condition for patient in patients}}
    return Counter({patient.patient_id: known[patient.condition] for patient in patients}.values())


def _count(specialty: str, asked: Sequence[_Groups | None], wanted: Population, portuguese: str = "") -> Count:
    answered = [groups for groups in asked if groups is not None]
    parts = (
        patients
        for groups in answered
        for conditions, patients in groups.items()
        if not conditions.isdisjoint(wanted.conditions)
    )
    return Count(specialty, len(asked), len(answered), published(parts) if answered else None, portuguese)
