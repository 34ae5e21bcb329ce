"""The gate: what passes untouched, what is left out, and what becomes of a plan that nothing is left of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from orchestrator.agents.gate import check_plan
from orchestrator.agents.registry import ConflictPolicy, LiveRegistry, Registry, RoutingRules
from orchestrator.agents.registry_file import read_registry
from orchestrator.turn.identity import Language
from orchestrator.turn.plan import Classification, Plan, PlanKind, Question, Subtask, Topic
from tests.support.steps import step_of

REGISTRY = read_registry(8001)
LIST, BOOK, CANCEL, QUERY = "list_available_slots", "book_appointment", "cancel_appointment", "query"


def plan_of(*calls: tuple[str, str], confidence: float = 1.0, domains: tuple[str, ...] = ()) -> Plan:
    """A plan; without domains, one that is classified as what it does."""
    steps = tuple(step_of(number, clinic, action) for number, (clinic, action) in enumerate(calls, 1))
    about = Classification(calls[0][1], domains, (), confidence) if domains else None
    return Plan(PlanKind.STEPS, Language.PT, steps, classification=about, question=Question(Topic.ASK_WHICH_OFFER))


def without(intent: str, *agents: str) -> Registry:
    """The product's registry, in which some agents may not be called for something."""
    changed = {
        agent.id: replace(agent, intents=tuple(one for one in agent.intents or () if one != intent))
        if agent.id in agents
        else agent
        for agent in REGISTRY.values()
    }
    return Registry(changed)


def calls(plan: Plan) -> list[tuple[int, str, str]]:
    return [(step.step_id, step.clinic, step.action) for step in plan.steps]


CARDIOLOGY = plan_of(("clinic_a", LIST), ("clinic_c", LIST), domains=("Cardiology",))


def test_a_plan_all_of_whose_steps_pass_is_the_very_same() -> None:
    allowed, decision = check_plan(REGISTRY, CARDIOLOGY, "cardiologista", "t-1")
    assert allowed is CARDIOLOGY
    assert decision.chosen == ("clinic_a", "clinic_c")
    (task,) = decision.tasks
    assert (task.intent, task.domains, task.trace_id) == (LIST, ("Cardiology",), "t-1")
    assert [(one.agent, one.score) for one in decision.candidates[:3]] == [
        ("clinic_a", 0.8),
        ("clinic_c", 0.8),
        ("clinic_b", 0.5),
    ]


def test_several_specialties_are_subtasks_each_with_its_two_clinics() -> None:
    plan = plan_of(*((clinic, LIST) for clinic in REGISTRY))
    allowed, decision = check_plan(REGISTRY, plan, "todas", "t-1")
    assert allowed is plan
    assert [(task.domains, tuple(task.inputs)) for task in decision.tasks] == [
        (("Cardiology",), ("clinic_a", "clinic_c")),
        (("Dermatology",), ("clinic_b", "clinic_f")),
        (("Orthopedics",), ("clinic_d", "clinic_e")),
    ]


def test_a_read_at_an_agent_that_may_not_be_called_for_it_is_left_out_and_noted() -> None:
    allowed, decision = check_plan(without(LIST, "clinic_a"), CARDIOLOGY, "cardiologista", "t-1")
    assert calls(allowed) == [(1, "clinic_c", LIST)]
    assert allowed.reasoning == ("clinic_a was left out: the registry does not give it this.",)
    assert allowed.question == CARDIOLOGY.question
    assert decision.chosen == ("clinic_c",)


def test_an_agent_that_the_registry_does_not_know_is_never_called() -> None:
    plan = plan_of(("clinic_z", LIST), ("clinic_c", LIST))
    allowed, _ = check_plan(REGISTRY, plan, "cardiologista", "t-1")
    assert calls(allowed) == [(1, "clinic_c", LIST)]


def test_a_tool_that_the_registry_gives_to_nobody_is_never_called() -> None:
    allowed, decision = check_plan(REGISTRY, plan_of(("clinic_a", "delete_everything")), "apaga", "t-1")
    assert (allowed.kind, allowed.topic, allowed.steps) == (PlanKind.OUT_OF_SCOPE, Topic.UNSUPPORTED, ())
    assert decision.chosen == ()


def test_a_plan_that_nothing_is_left_of_is_not_supported_and_asks_nothing() -> None:
    allowed, decision = check_plan(without(LIST, "clinic_a", "clinic_c"), CARDIOLOGY, "cardiologista", "t-1")
    assert (allowed.kind, allowed.topic, allowed.steps) == (PlanKind.OUT_OF_SCOPE, Topic.UNSUPPORTED, ())
    assert allowed.question is None
    assert allowed.classification == CARDIOLOGY.classification
    assert (decision.tasks, len(decision.candidates)) == ((), 6)


def test_half_of_a_change_is_no_change() -> None:
    exchange = plan_of(("clinic_c", BOOK), ("clinic_a", CANCEL))
    linked = replace(exchange, steps=(exchange.steps[0], replace(exchange.steps[1], after=1)))
    allowed, decision = check_plan(without(CANCEL, "clinic_a"), linked, "troca", "t-1")
    assert (allowed.kind, allowed.steps, decision.chosen) == (PlanKind.OUT_OF_SCOPE, (), ())


def test_a_request_that_is_too_long_for_the_agents_reaches_none() -> None:
    short = Registry({agent.id: replace(agent, max_tokens=5) for agent in REGISTRY.values()})
    assert check_plan(short, CARDIOLOGY, "oi", "t-1")[0] is CARDIOLOGY
    assert check_plan(short, CARDIOLOGY, "quero um cardiologista " * 5, "t-1")[0].kind is PlanKind.OUT_OF_SCOPE


@pytest.mark.parametrize(("confidence", "passes"), [(1.0, True), (0.65, True), (0.64, False), (0.0, False)])
def test_what_is_too_uncertain_reaches_nobody(confidence: float, *, passes: bool) -> None:
    plan = plan_of(("clinic_a", LIST), ("clinic_c", LIST), confidence=confidence, domains=("Cardiology",))
    allowed, decision = check_plan(REGISTRY, plan, "coração", "t-1")
    assert (allowed is plan) == passes
    assert (decision.chosen == ()) == (not passes)
    if not passes:
        assert (allowed.kind, allowed.topic) == (PlanKind.OUT_OF_SCOPE, Topic.UNSUPPORTED)


@pytest.mark.parametrize(
    "plan",
    [
        Plan(
            PlanKind.CLARIFY,
            Language.PT,
            topic=Topic.ASK_REQUEST,
            classification=Classification("unknown", (), (), 0.3),
        ),
        Plan(PlanKind.EMERGENCY, Language.PT, topic=Topic.MEDICAL_EMERGENCY),
        Plan(PlanKind.REFUSE, Language.PT, topic=Topic.DOSAGE),
        Plan(PlanKind.OUT_OF_SCOPE, Language.PT, topic=Topic.OFF_TOPIC),
    ],
)
def test_what_calls_nobody_passes_as_it_is(plan: Plan) -> None:
    allowed, decision = check_plan(REGISTRY, plan, "oi", "t-1")
    assert allowed is plan
    assert (decision.candidates, decision.tasks) == ((), ())


def test_different_intents_are_split_or_it_is_asked_which_comes_first() -> None:
    plan = plan_of(("clinic_a", LIST), ("clinic_b", QUERY))
    allowed, decision = check_plan(REGISTRY, plan, "horários e asma", "t-1")
    assert allowed is plan
    assert [(task.intent, task.domains) for task in decision.tasks] == [
        (LIST, ("Cardiology",)),
        (QUERY, ("Dermatology",)),
    ]
    asking = Registry(dict(REGISTRY), RoutingRules(auto_split_if_conflict=False))
    asked, decision = check_plan(asking, plan, "horários e asma", "t-1")
    assert (asked.kind, asked.topic, asked.steps) == (PlanKind.CLARIFY, Topic.ASK_WHICH_FIRST, ())
    assert decision.tasks == ()


def test_one_intent_or_steps_that_wait_for_each_other_are_one_thing() -> None:
    asking = Registry(dict(REGISTRY), RoutingRules(auto_split_if_conflict=False))
    assert check_plan(asking, CARDIOLOGY, "cardiologista", "t-1")[0] is CARDIOLOGY
    exchange = plan_of(("clinic_c", BOOK), ("clinic_a", CANCEL))
    linked = replace(exchange, steps=(exchange.steps[0], replace(exchange.steps[1], after=1)))
    assert check_plan(asking, linked, "troca", "t-1")[0] is linked
    assert check_plan(asking, exchange, "marca e cancela", "t-1")[0].topic is Topic.ASK_WHICH_FIRST


def test_an_agent_with_several_domains_is_asked_as_what_the_turn_is_about() -> None:
    agents = dict(REGISTRY) | {"clinic_b": replace(REGISTRY["clinic_b"], other_domains=("Cardiology",))}
    plan = plan_of(("clinic_a", LIST), ("clinic_b", LIST), domains=("Cardiology",))
    allowed, decision = check_plan(Registry(agents), plan, "cardiologista", "t-1")
    assert allowed is plan
    assert [(task.domains, tuple(task.inputs)) for task in decision.tasks] == [
        (("Cardiology",), ("clinic_a", "clinic_b"))
    ]


def test_a_plan_that_nobody_classified_passes_by_its_steps() -> None:
    plan = replace(CARDIOLOGY, classification=None)
    allowed, decision = check_plan(REGISTRY, plan, "cardiologista", "t-1")
    assert allowed is plan
    assert decision.classification == Classification(LIST, ("Cardiology",))


def test_what_was_removed_by_a_reload_is_no_longer_called() -> None:
    live = LiveRegistry(REGISTRY, lambda: Registry({"clinic_c": REGISTRY["clinic_c"]}))
    assert check_plan(live, CARDIOLOGY, "cardiologista", "t-1")[0] is CARDIOLOGY
    live.reload()
    assert calls(check_plan(live, CARDIOLOGY, "cardiologista", "t-2")[0]) == [(1, "clinic_c", LIST)]


def test_what_waits_for_a_step_that_is_left_out_is_left_out_and_the_rest_waits_for_the_same_as_before() -> None:
    plan = plan_of(("clinic_z", LIST), ("clinic_b", LIST), ("clinic_a", LIST), ("clinic_c", LIST))
    waiting = {2: 1, 4: 3}
    plan = replace(plan, steps=tuple(replace(step, after=waiting.get(step.step_id)) for step in plan.steps))
    allowed, decision = check_plan(REGISTRY, plan, "cardiologista", "t-1")
    assert calls(allowed) == [(1, "clinic_a", LIST), (2, "clinic_c", LIST)]
    assert [step.after for step in allowed.steps] == [None, 1]
    assert decision.chosen == ("clinic_a", "clinic_c")


@pytest.mark.parametrize(
    "about",
    [
        Classification("cost_analysis", ("azure",)),
        Classification(LIST, ("Dermatology",)),
        Classification(CANCEL, ("Cardiology",)),
        Classification(LIST, (), (Subtask("", "", LIST, "Dermatology"), Subtask("", "", QUERY, "Cardiology"))),
        Classification("unknown", ("Cardiology",)),
    ],
    ids=repr,
)
def test_steps_that_disagree_with_their_classification_are_not_sent(about: Classification) -> None:
    allowed, decision = check_plan(REGISTRY, replace(CARDIOLOGY, classification=about), "cardiologista", "t-1")
    assert (allowed.kind, allowed.topic, allowed.steps) == (PlanKind.OUT_OF_SCOPE, Topic.UNSUPPORTED, ())
    assert (decision.chosen, decision.refused) == ((), CARDIOLOGY.steps)


@pytest.mark.parametrize(("intent", "passes"), [(BOOK, True), ("reschedule_appointment", True), (CANCEL, False)])
def test_openings_are_read_for_a_booking_and_for_a_change(intent: str, *, passes: bool) -> None:
    plan = replace(CARDIOLOGY, classification=Classification(intent, ("Cardiology",)))
    assert (check_plan(REGISTRY, plan, "cardiologista", "t-1")[0] is plan) == passes


BOTH = plan_of(("clinic_a", LIST), ("clinic_b", LIST), ("clinic_c", LIST), ("clinic_f", LIST))


@pytest.mark.parametrize(("topk", "asked"), [(1, ["clinic_b"]), (2, ["clinic_a", "clinic_b", "clinic_c", "clinic_f"])])
def test_top_k_bounds_the_groups_of_a_subtask_and_asks_a_group_whole(topk: int, asked: list[str]) -> None:
    agents = dict(REGISTRY) | {"clinic_b": replace(REGISTRY["clinic_b"], other_domains=("Cardiology",))}
    allowed, _ = check_plan(Registry(agents, RoutingRules(topk=topk)), BOTH, "os dois", "t-1")
    assert [step.clinic for step in allowed.steps] == asked


@pytest.mark.parametrize(
    ("policy", "asked"),
    [(ConflictPolicy.PREFER_SPECIFIC, ["clinic_d"]), (ConflictPolicy.FIRST_LISTED, ["clinic_b", "clinic_d"])],
)
def test_of_agents_that_score_alike_the_policy_says_which_goes_first(policy: ConflictPolicy, asked: list[str]) -> None:
    agents = dict(REGISTRY)
    agents["clinic_b"] = replace(agents["clinic_b"], other_domains=("Cardiology",))
    agents["clinic_d"] = replace(agents["clinic_d"], other_domains=("Cardiology", "Dermatology"))
    rules = RoutingRules(topk=1, conflict_policy=policy)
    plan = plan_of(*((clinic, LIST) for clinic in REGISTRY))
    allowed, _ = check_plan(Registry(agents, rules), plan, "os três", "t-1")
    assert [step.clinic for step in allowed.steps] == asked
