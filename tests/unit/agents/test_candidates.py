"""The scores of agents, in a table: intent, domains, constraints, threshold, top-k, groups, ties."""

from __future__ import annotations

from dataclasses import replace

import pytest

from orchestrator.agents.gate import route, score_agents
from orchestrator.agents.registry import Agent, ConflictPolicy, Registry, RoutingRules
from orchestrator.agents.registry_file import read_registry
from orchestrator.turn.plan import Classification
from orchestrator.turn.routing import Candidate

CLINICS = read_registry(8001)

# Agents of another kind of mesh, which overlap: who reviews code, who finds documents, who explains bills.
REVIEW = Agent("review", "python", "h:1", ("code_review", "cluster_review"), ("cluster", "traffic"), max_tokens=8000)
FINDER = Agent("finder", "docs", "h:2", ("find",), ("handbook",))
BILLING = Agent("billing", "cloud", "h:3", ("cost_analysis",), ("cluster",))
OFFICE = Registry({agent.id: agent for agent in (REVIEW, FINDER, BILLING)})

GOLDEN: list[tuple[str, Registry, Classification, int, list[tuple[str, float]]]] = [
    # the product's clinics: Rule 10 asks both of a specialty
    (
        "cardiology",
        CLINICS,
        Classification("list_available_slots", ("Cardiology",)),
        9,
        [("clinic_a", 0.8), ("clinic_c", 0.8)],
    ),
    ("dermatology", CLINICS, Classification("query", ("Dermatology",)), 9, [("clinic_b", 0.8), ("clinic_f", 0.8)]),
    (
        "orthopedics",
        CLINICS,
        Classification("get_patient", ("Orthopedics",)),
        9,
        [("clinic_d", 0.8), ("clinic_e", 0.8)],
    ),
    (
        "case does not count",
        CLINICS,
        Classification("query", ("cardiology",)),
        9,
        [("clinic_a", 0.8), ("clinic_c", 0.8)],
    ),
    (
        "two specialties are two groups",
        CLINICS,
        Classification("query", ("Dermatology", "Cardiology")),
        9,
        [("clinic_a", 0.8), ("clinic_b", 0.8), ("clinic_c", 0.8), ("clinic_f", 0.8)],
    ),
    (
        "of three specialties the first two groups",
        CLINICS,
        Classification("query", ("Orthopedics", "Dermatology", "Cardiology")),
        9,
        [("clinic_a", 0.8), ("clinic_b", 0.8), ("clinic_c", 0.8), ("clinic_f", 0.8)],
    ),
    ("no domain", CLINICS, Classification("list_available_slots"), 9, []),
    ("another specialty", CLINICS, Classification("list_available_slots", ("Pediatrics",)), 9, []),
    ("no such intent", CLINICS, Classification("order_pizza", ("Cardiology",)), 9, []),
    ("unknown", CLINICS, Classification("unknown", ("Cardiology",)), 9, []),
    (
        "as long as may be",
        CLINICS,
        Classification("query", ("Cardiology",)),
        8000,
        [("clinic_a", 0.8), ("clinic_c", 0.8)],
    ),
    ("too long", CLINICS, Classification("query", ("Cardiology",)), 8001, []),
    # overlapping agents
    ("intent and one domain", OFFICE, Classification("find", ("docs",)), 9, [("finder", 0.8)]),
    ("intent and two domains", OFFICE, Classification("find", ("docs", "handbook")), 9, [("finder", 1.1)]),
    ("a domain named twice counts once", OFFICE, Classification("find", ("docs", "docs")), 9, [("finder", 0.8)]),
    (
        "three domains count as two",
        OFFICE,
        Classification("code_review", ("python", "cluster", "traffic")),
        9,
        [("review", 1.1)],
    ),
    ("a domain of two agents", OFFICE, Classification("cost_analysis", ("cluster",)), 9, [("billing", 0.8)]),
    ("domains without the intent", OFFICE, Classification("find", ("python", "cluster")), 9, []),
    (
        "too long, but very fitting",
        OFFICE,
        Classification("code_review", ("python", "cluster")),
        9000,
        [("review", 0.9)],
    ),
    ("too long and fitting once", OFFICE, Classification("code_review", ("python",)), 9000, []),
]


@pytest.mark.parametrize(
    ("registry", "classification", "tokens", "expected"), [row[1:] for row in GOLDEN], ids=[row[0] for row in GOLDEN]
)
def test_a_classification_goes_to_the_agents_of_the_table(
    registry: Registry, classification: Classification, tokens: int, expected: list[tuple[str, float]]
) -> None:
    found = routed(classification, registry, tokens)
    assert [(one.agent, one.score) for one in found] == expected


def routed(classification: Classification, registry: Registry, tokens: int = 0) -> tuple[Candidate, ...]:
    (part,) = route(classification, registry, tokens=tokens)
    return part.chosen


def alike(agent_id: str, specialty: str, *more: str) -> Agent:
    return Agent(agent_id, specialty, f"h:{agent_id}", ("find",), more)


def registry_of(*agents: Agent, rules: RoutingRules | None = None) -> Registry:
    return Registry({agent.id: agent for agent in agents}, rules or RoutingRules())


def test_top_k_counts_groups_and_never_cuts_one() -> None:
    many = registry_of(*(alike(f"a{number}", "docs") for number in range(5)), rules=RoutingRules(topk=1))
    assert len(routed(Classification("find", ("docs",)), many)) == 5


def test_of_equal_scores_the_one_with_more_domains_in_common_goes_first() -> None:
    agents = (alike("narrow", "docs", "handbook"), alike("wide", "docs", "handbook", "wiki"))
    wanted = Classification("find", ("docs", "handbook", "wiki"))
    specific = registry_of(*agents, rules=RoutingRules(topk=1))
    assert [(one.agent, one.score) for one in score_agents(wanted, specific, tokens=0)] == [
        ("wide", 1.1),
        ("narrow", 1.1),
    ]
    assert [one.agent for one in routed(wanted, specific)] == ["wide"]
    listed = registry_of(*agents, rules=RoutingRules(topk=1, conflict_policy=ConflictPolicy.FIRST_LISTED))
    assert [one.agent for one in routed(wanted, listed)] == ["narrow"]


def test_agents_that_fit_as_different_specialties_are_different_groups() -> None:
    registry = registry_of(alike("d", "docs"), alike("w", "wiki"), rules=RoutingRules(topk=1))
    assert [one.agent for one in routed(Classification("find", ("wiki", "docs")), registry)] == ["d"]


def test_an_agent_is_grouped_by_the_domain_that_was_asked_for() -> None:
    registry = registry_of(alike("d", "docs"), alike("w", "wiki", "docs"), rules=RoutingRules(topk=1))
    found = routed(Classification("find", ("docs",)), registry)
    assert [(one.agent, one.specialty) for one in found] == [("d", "docs"), ("w", "docs")]


@pytest.mark.parametrize(("threshold", "count"), [(0.8, 2), (0.81, 0), (0.65, 2)])
def test_the_threshold_is_the_least_score_that_passes(threshold: float, count: int) -> None:
    registry = Registry(dict(CLINICS), RoutingRules(confidence_threshold=threshold))
    assert len(routed(Classification("query", ("Cardiology",)), registry)) == count


def test_no_score_suffers_from_binary_fractions() -> None:
    long = replace(REVIEW, max_tokens=1)
    (one,) = score_agents(Classification("code_review", ("python",)), Registry({"review": long}), tokens=2)
    assert one.score == 0.6


def test_every_agent_has_a_score_for_the_log_whether_chosen_or_not() -> None:
    scored = score_agents(Classification("query", ("Cardiology",)), CLINICS, tokens=0)
    assert [one.score for one in scored] == [0.8, 0.8, 0.5, 0.5, 0.5, 0.5]
