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
from orchestrator.agents import CLINIC_SERVICE, Agent, Registry
from orchestrator.research.graph.population import Population, conditions_of, read_population
from orchestrator.stages import Router, TurnScope
from orchestrator.turn import LIST_PATIENTS, Directory, Dispatch, Language, Step, StepResult, ToolCall

SMALLEST = 3
"""The smallest number of patients, other than none, that may be published."""


@dataclass(frozen=True, slots=True)
class Count:
    """The count of one specialty."""

    specialty: str  # its code in the registry, such as "Cardiology"
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
    total: int | None  # all patients together; None: withheld
    asked: int
    answered: int


Feasibility = Callable[[str, Language], FeasibilityTable]
"""Return how many patients of each specialty belong to a population, given in the person's words."""

FeasibilityOfTurn = Callable[[TurnScope], Feasibility]
"""Bind the counting to one turn."""


def published(parts: Iterable[int]) -> int | None:
    """Return the sum of some counts, or None if one is small; no question splits a group, no two share a patient."""
    counts = tuple(parts)
    return None if any(0 < count < SMALLEST for count in counts) else sum(counts)


_Groups = Mapping[frozenset[str], int]
"""How many patients of one clinic have exactly these conditions; no population divides such a group."""


@dataclass(frozen=True, slots=True)
class MeshFeasibility:
    """The `Feasibility` of a registry's clinics in one turn.

    list_patients takes an operator's token, so with a patient's no clinic gives a count.
    """

    router: Router
    registry: Registry
    directory: Directory
    dispatch: Dispatch  # the turn, speaker and role of the calls

    def counts(self, population: str, language: Language) -> FeasibilityTable:
        """Return how many patients of each specialty belong to a population.

        Without a known condition no clinic is asked. One that refuses or is late counts as one that did not answer.
        """
        wanted = read_population(population, language)
        if not wanted.conditions:
            return FeasibilityTable((), wanted.unchecked, (), None, 0, 0)
        clinics = [
            agent for agent in self.registry.values() if agent.service == CLINIC_SERVICE and agent.takes(LIST_PATIENTS)
        ]
        steps = [Step(number, clinic.id, ToolCall(LIST_PATIENTS)) for number, clinic in enumerate(clinics, 1)]
        results = self.router.dispatch(steps, self.dispatch)
        names = {clinic.specialty: clinic.specialty_name(Language.PT) for clinic in self.directory.clinics()}
        return _table(wanted, clinics, [_groups(result) for result in results], names)


def _groups(result: StepResult) -> _Groups | None:
    match result.response:
        case pb.ListPatientsResponse(patients=patients):
            known = {recorded: conditions_of(recorded) for recorded in {patient.condition for patient in patients}}
            by_id = {patient.patient_id: known[patient.condition] for patient in patients}
            return Counter(by_id.values())
        case _:
            return None


def _table(
    wanted: Population, clinics: Sequence[Agent], groups: Sequence[_Groups | None], names: Mapping[str, str]
) -> FeasibilityTable:
    by_specialty: dict[str, list[_Groups | None]] = {}
    for clinic, of_clinic in zip(clinics, groups, strict=True):
        by_specialty.setdefault(clinic.specialty, []).append(of_clinic)
    counts: list[Count] = []
    for specialty, asked in by_specialty.items():
        some = [of_clinic for of_clinic in asked if of_clinic is not None]
        counts.append(Count(specialty, len(asked), len(some), _patients(some, wanted), names.get(specialty, "")))
    answered = [of_clinic for of_clinic in groups if of_clinic is not None]
    return FeasibilityTable(
        conditions=wanted.conditions,
        unchecked=wanted.unchecked,
        counts=tuple(counts),
        total=_patients(answered, wanted),
        asked=len(clinics),
        answered=len(answered),
    )


def _patients(answered: Sequence[_Groups], wanted: Population) -> int | None:
    # None if that is unknown or may not be published.
    if not answered:
        return None
    parts = [
        patients
        for of_clinic in answered
        for conditions, patients in of_clinic.items()
        if not conditions.isdisjoint(wanted.conditions)
    ]
    return published(parts)
