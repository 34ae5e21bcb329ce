"""Count the patients of each specialty for a population, over all clinics; only what may be published leaves here.

A cell below three that is not zero is withheld, as federated research does at each site (DataSHIELD's `nfilter.tab`).
A sum is published only if each of its parts could be, where the parts are the finest groups that a question can tell
apart: no table then reveals a small cell, alone or with others, across sessions and people.

The tool is list_patients, not query: the log keeps the number of entries in an answer, which with query would be the
count to withhold. Patient ids stay in one local mapping, so that a patient who is listed twice counts once.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.agents import Registry
from orchestrator.research.graph.population import Population, conditions_of, read_population
from orchestrator.stages import Router
from orchestrator.turn import LIST_PATIENTS, SERVICE, Directory, Language, Step, StepResult, ToolCall, TurnScope

SMALLEST = 3  # the smallest number of patients, other than none, that may be published
_Groups = Mapping[frozenset[str], int]  # how many of a clinic have exactly these conditions: never divided


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

    # Codes of the conditions that were counted; empty: the text names none that is known, so nothing was counted
    conditions: tuple[str, ...]
    unchecked: tuple[str, ...]  # codes of the criteria that no clinic can be asked for: age, sex, time and others
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
        return FeasibilityTable((), wanted.unchecked, (), Count("", 0, 0, None))
    clinics = [
        agent for agent in registry.values() if agent.service == SERVICE.full_name and agent.takes(LIST_PATIENTS)
    ]
    steps = [Step(number, clinic.id, ToolCall(LIST_PATIENTS)) for number, clinic in enumerate(clinics, 1)]
    # It takes an operator's token: with a patient's scope no clinic gives a count, as if it had not answered.
    results = router.dispatch(steps, scope)
    names = {clinic.specialty: clinic.specialty_name(Language.PT) for clinic in directory.clinics()}
    asked = [(clinic.specialty, _groups(result)) for clinic, result in zip(clinics, results, strict=True)]
    counts = tuple(
        _count(specialty, [groups for of, groups in asked if of == specialty], wanted, names.get(specialty, ""))
        for specialty in dict.fromkeys(specialty for specialty, _ in asked)
    )
    total = _count("", [groups for _, groups in asked], wanted)
    return FeasibilityTable(wanted.conditions, wanted.unchecked, counts, total)


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
