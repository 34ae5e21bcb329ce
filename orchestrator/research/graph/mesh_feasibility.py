"""Count patients over the clinics, all asked at once; only counts that may be published leave this module.

The tool is list_patients, not query: the log keeps the number of entries in an answer, which with query would be the
count to withhold. Patient ids stay in one local mapping, so that a patient who is listed twice counts once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.agents import CLINIC_SERVICE, Agent, Registry
from orchestrator.research.graph.feasibility import Count, FeasibilityTable, published
from orchestrator.research.graph.population import Population, conditions_of, read_population
from orchestrator.stages import Router
from orchestrator.turn import LIST_PATIENTS, Dispatch, Language, Step, StepResult, ToolCall

_Groups = Mapping[frozenset[str], int]
"""How many patients of one clinic have exactly these conditions; no population divides such a group."""


class MeshFeasibility:
    """The `Feasibility` of a registry's clinics; `dispatch` makes the turn, speaker and role of each count.

    list_patients takes an operator's token, so with a patient's no clinic gives a count.
    """

    def __init__(self, router: Router, registry: Registry, dispatch: Callable[[], Dispatch]) -> None:
        self._router = router
        self._registry = registry
        self._dispatch = dispatch

    def counts(self, population: str, language: Language) -> FeasibilityTable:
        """Return how many patients of each specialty belong to a population.

        Without a known condition no clinic is asked. One that refuses or is late counts as one that did not answer.
        """
        wanted = read_population(population, language)
        if not wanted.conditions:
            return FeasibilityTable((), wanted.unchecked, (), None, 0, 0)
        clinics = [
            agent for agent in self._registry.values() if agent.service == CLINIC_SERVICE and agent.takes(LIST_PATIENTS)
        ]
        steps = [Step(number, clinic.id, ToolCall(LIST_PATIENTS)) for number, clinic in enumerate(clinics, 1)]
        results = self._router.dispatch(steps, self._dispatch())
        return _table(wanted, clinics, [_groups(result) for result in results])


def _groups(result: StepResult) -> _Groups | None:
    match result.response:
        case pb.ListPatientsResponse(patients=patients):
            known = {recorded: conditions_of(recorded) for recorded in {patient.condition for patient in patients}}
            by_id = {patient.patient_id: known[patient.condition] for patient in patients}
            return Counter(by_id.values())
        case _:
            return None


def _table(wanted: Population, clinics: Sequence[Agent], groups: Sequence[_Groups | None]) -> FeasibilityTable:
    by_specialty: dict[str, list[_Groups | None]] = {}
    for clinic, of_clinic in zip(clinics, groups, strict=True):
        by_specialty.setdefault(clinic.specialty, []).append(of_clinic)
    counts: list[Count] = []
    for specialty, asked in by_specialty.items():
        some = [of_clinic for of_clinic in asked if of_clinic is not None]
        counts.append(Count(specialty, len(asked), len(some), _patients(some, wanted)))
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
