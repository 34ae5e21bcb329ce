"""What comes of the clinics' lists: counts by specialty, and the same ones whatever a small cell holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.errors import DomainError
from orchestrator.agents.registry import Agent, Registry
from orchestrator.research.graph.feasibility import Count, FeasibilityTable, Population, count_patients
from orchestrator.turn.clinic import Clinic
from orchestrator.turn.identity import Identity, Language, Role
from orchestrator.turn.plan import Step
from orchestrator.turn.routing import StepResult, StepStatus, TurnScope
from tests.support.form import examples

CARLOS = Identity.of("Carlos Teste", "123.456.789-00")
SPECIALTIES = {"clinic_a": "Cardiology", "clinic_b": "Dermatology", "clinic_f": "Dermatology"}
CONDITIONS = ("Acne grau II", "Melanoma", "Vitiligo")

Sizes = Mapping[tuple[str, str], int]
"""How many patients a clinic has with a condition."""


class ListedPatients:
    """A router whose clinics have these patients; clinics without any entry do not answer."""

    def __init__(self, patients: Mapping[str, Sequence[tuple[str, str]]]) -> None:
        self._patients = patients
        self.asked: list[Step] = []

    def dispatch(self, steps: Sequence[Step], _dispatch: TurnScope) -> tuple[StepResult, ...]:
        self.asked += steps
        return tuple(map(self._result, steps))

    def _result(self, step: Step) -> StepResult:
        if step.clinic not in self._patients:
            return StepResult(step, StepStatus.UNREACHED, error=DomainError("TIMED_OUT", "late"))
        listed = [pb.PatientSummary(patient_id=id_, condition=has) for id_, has in self._patients[step.clinic]]
        return StepResult(step, StepStatus.DONE, response=pb.ListPatientsResponse(patients=listed))


class NobodyKnown:
    """A directory of clinics that have not said what their specialties are called."""

    def clinics(self) -> tuple[Clinic, ...]:
        return ()


def feasibility(router: ListedPatients, agents: Sequence[Agent] = ()) -> Callable[[str, Language], FeasibilityTable]:
    agents = agents or [Agent(clinic, specialty, "nowhere:1") for clinic, specialty in SPECIALTIES.items()]
    dispatch = TurnScope(CARLOS, Role.OPERATOR)
    return partial(count_patients, router, Registry({agent.id: agent for agent in agents}), NobodyKnown(), dispatch)


def listed(sizes: Sizes, answering: Sequence[str] = tuple(SPECIALTIES)) -> ListedPatients:
    patients: dict[str, list[tuple[str, str]]] = {clinic: [] for clinic in answering}
    for (clinic, condition), size in sizes.items():
        if clinic in patients:
            patients[clinic] += [(f"{condition}-{number}", condition) for number in range(size)]
    return ListedPatients(patients)


def counted(sizes: Sizes, text: str, answering: Sequence[str] = tuple(SPECIALTIES)) -> FeasibilityTable:
    return feasibility(listed(sizes, answering))(text, Language.PT)


def test_patients_are_counted_by_specialty_over_its_clinics() -> None:
    table = counted({("clinic_b", "Vitiligo"): 4, ("clinic_f", "Vitiligo"): 3, ("clinic_f", "Melanoma"): 9}, "vitiligo")
    assert table == FeasibilityTable(
        population=Population(("vitiligo",), ()),
        counts=(Count("Cardiology", 1, 1, 0), Count("Dermatology", 2, 2, 7)),
        total=Count("", 3, 3, 7),
    )


def test_a_description_without_a_known_condition_asks_nobody() -> None:
    router = listed({})
    table = feasibility(router)("adultos que faltam a consultas", Language.PT)
    assert table == FeasibilityTable(Population((), ("age", "adherence")), (), Count("", 0, 0, None))
    assert router.asked == []


def test_a_patient_who_is_listed_twice_counts_once() -> None:
    router = ListedPatients({"clinic_b": [("DERM-001", "Vitiligo")] * 3 + [("DERM-002", "Vitiligo")]})
    (_, dermatology) = feasibility(router)("vitiligo", Language.PT).counts
    assert dermatology.patients is None


def test_one_id_in_two_clinics_is_two_patients() -> None:
    table = counted({("clinic_b", "Vitiligo"): 3, ("clinic_f", "Vitiligo"): 3}, "vitiligo")
    assert table.total.patients == 6


def test_a_patient_with_two_of_the_conditions_counts_once_and_both_conditions_are_looked_at() -> None:
    router = ListedPatients({"clinic_b": [(f"DERM-{number}", "Vitiligo e rosácea") for number in range(4)]})
    for text in ("vitiligo", "rosácea", "vitiligo ou rosácea"):
        assert feasibility(router)(text, Language.PT).total.patients == 4


def test_who_would_be_told_by_the_overlap_of_two_conditions_is_withheld() -> None:
    both = [("DERM-0", "Vitiligo e rosácea")]
    only = [(f"DERM-{number}", "Vitiligo") for number in range(1, 5)]
    router = ListedPatients({"clinic_b": both + only})
    assert feasibility(router)("vitiligo", Language.PT).total.patients is None


def test_a_clinic_that_does_not_answer_is_no_clinic_without_patients() -> None:
    table = counted({("clinic_b", "Vitiligo"): 4, ("clinic_f", "Vitiligo"): 3}, "vitiligo", ["clinic_b"])
    assert table.counts == (Count("Cardiology", 1, 0, None), Count("Dermatology", 2, 1, 4))
    assert (table.total.patients, table.total.clinics, table.total.answered) == (4, 3, 1)


def test_where_nobody_answers_nothing_is_counted() -> None:
    table = counted({}, "vitiligo", [])
    assert {count.patients for count in table.counts} == {None}
    assert (table.total.patients, table.total.answered) == (None, 0)


def test_only_clinics_that_may_be_asked_for_their_patients_are_asked() -> None:
    agents = [
        Agent("clinic_b", "Dermatology", "nowhere:1", intents=("list_patients",)),
        Agent("clinic_f", "Dermatology", "nowhere:1", intents=("list_available_slots",)),
        Agent("library", "Books", "nowhere:1", service="library.v1.LibraryService"),
    ]
    router = listed({})
    table = feasibility(router, agents)("vitiligo", Language.PT)
    assert [(step.clinic, step.action) for step in router.asked] == [("clinic_b", "list_patients")]
    assert [count.specialty for count in table.counts] == ["Dermatology"]


def subsets(of: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return chain.from_iterable(combinations(of, size) for size in range(1, len(of) + 1))


def transcript(sizes: Sizes) -> list[FeasibilityTable]:
    """Return the answers to every question, whichever clinics answer it."""
    return [
        counted(sizes, " ou ".join(conditions), answering)
        for conditions in subsets(CONDITIONS)
        for answering in subsets(tuple(SPECIALTIES))
    ]


CELLS = [(clinic, condition) for clinic in SPECIALTIES for condition in CONDITIONS]


@settings(max_examples=examples(20), deadline=None)
@given(st.fixed_dictionaries({cell: st.integers(0, 5) for cell in CELLS}))
def test_no_sequence_of_questions_tells_a_cell_of_one_from_a_cell_of_two(sizes: Sizes) -> None:
    swapped = {cell: {1: 2, 2: 1}.get(size, size) for cell, size in sizes.items()}
    assert transcript(sizes) == transcript(swapped)


@settings(max_examples=examples(20), deadline=None)
@given(st.fixed_dictionaries({cell: st.integers(0, 5) for cell in CELLS}))
def test_a_count_is_right_where_no_cell_of_it_is_small(sizes: Sizes) -> None:
    large = {cell: size if size not in {1, 2} else 0 for cell, size in sizes.items()}
    assert counted(large, "acne, melanoma ou vitiligo").total.patients == sum(large.values())
