"""For any plan and any registry: what passes the gate, the registry gives to the agents that are called."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from orchestrator.agents.gate import check_plan, route
from orchestrator.agents.registry import Agent, ConflictPolicy, Registry, RoutingRules
from orchestrator.turn.identity import Language
from orchestrator.turn.plan import Classification, Plan, PlanKind, Step, Subtask
from orchestrator.turn.step_actions import CATALOGUE, is_write
from tests.support.steps import step_of

TOOLS = st.sampled_from([*CATALOGUE, "no_such_tool"])
DOMAINS = st.lists(st.sampled_from(["Cardiology", "Dermatology", "Orthopedics"]), min_size=1, max_size=3, unique=True)
IDS = st.sampled_from(["a", "b", "c", "d", "nobody"])


@st.composite
def registries(draw: st.DrawFn) -> Registry:
    agents = {}
    for agent_id in draw(st.lists(st.sampled_from("abcd"), unique=True)):
        first, *others = draw(DOMAINS)
        intents = tuple(draw(st.lists(st.sampled_from(list(CATALOGUE)), unique=True)))
        limit = draw(st.sampled_from([None, 1, 9000]))
        agents[agent_id] = Agent(agent_id, first, f"h:{agent_id}", intents, tuple(others), max_tokens=limit)
    rules = RoutingRules(
        draw(st.sampled_from([0.6, 0.65, 0.8, 0.9])),
        draw(st.integers(1, 3)),
        draw(st.sampled_from(ConflictPolicy)),
        auto_split_if_conflict=draw(st.booleans()),
    )
    return Registry(agents, rules)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    calls = draw(st.lists(st.tuples(IDS, TOOLS), min_size=1, max_size=6))
    steps = []
    for number, (clinic, tool) in enumerate(calls, 1):
        after = draw(st.sampled_from([None, number - 1])) if number > 1 else None
        steps.append(step_of(number, clinic, tool, after=after))
    parts = draw(st.lists(st.tuples(TOOLS, st.sampled_from(["Cardiology", "Dermatology", ""])), max_size=3))
    subtasks = tuple(Subtask("", "", *part) for part in parts)
    stated = Classification(calls[0][1], tuple(draw(DOMAINS)), subtasks, draw(st.floats(0, 1)))
    about = draw(st.sampled_from([stated, None]))
    return Plan(PlanKind.STEPS, Language.PT, tuple(steps), classification=about)


@given(registries(), plans())
def test_nothing_is_called_that_did_not_match(registry: Registry, plan: Plan) -> None:
    allowed, decision = check_plan(registry, plan, "a few words", "t-1")
    for step in allowed.steps:
        assert registry[step.clinic].takes(step.action)
        chosen = {one.agent for part in route(decision.classification, registry, tokens=4) for one in part.chosen}
        assert step.clinic in chosen
    assert {step.clinic for step in allowed.steps} == set(decision.chosen)
    assert bool(allowed.steps) == (allowed.kind is PlanKind.STEPS)


@given(registries(), plans())
def test_what_changes_something_passes_whole_or_not_at_all(registry: Registry, plan: Plan) -> None:
    allowed, _ = check_plan(registry, plan, "a few words", "t-1")
    writes = [step for step in plan.steps if is_write(step.action)]
    left = [step for step in allowed.steps if is_write(step.action)]
    assert [(step.clinic, step.action) for step in left] in ([], [(step.clinic, step.action) for step in writes])


@given(registries(), plans())
def test_what_waited_for_a_step_still_waits_for_that_step(registry: Registry, plan: Plan) -> None:
    allowed, _ = check_plan(registry, plan, "a few words", "t-1")
    before, after = ({step.step_id: step for step in one.steps} for one in (plan, allowed))

    def chain(steps: dict[int, Step], step: Step) -> list[tuple[str, str]]:
        rest = [] if step.after is None else chain(steps, steps[step.after])
        return [(step.clinic, step.action), *rest]

    chains = [chain(before, step) for step in plan.steps]
    assert all(chain(after, step) in chains for step in allowed.steps)
    assert list(after) == list(range(1, len(after) + 1))


@given(registries(), plans())
def test_the_same_plan_passes_the_same_way_and_what_has_passed_passes_again(registry: Registry, plan: Plan) -> None:
    allowed, _ = check_plan(registry, plan, "a few words", "t-1")
    assert check_plan(registry, plan, "a few words", "t-1")[0] == allowed
    assert check_plan(registry, allowed, "a few words", "t-2")[0] is allowed


def test_what_is_left_of_a_plan_is_still_about_what_the_whole_was_about() -> None:
    wide = Agent("a", "Cardiology", "h:a", ("list_available_slots",), ("Dermatology",))
    narrow = Registry({"a": wide, "d": Agent("d", "Dermatology", "h:d", ())}, RoutingRules(0.9))
    steps = tuple(step_of(number, clinic, "list_available_slots") for number, clinic in enumerate("ad", 1))
    allowed, _ = check_plan(narrow, Plan(PlanKind.STEPS, Language.PT, steps), "a few words", "t-1")
    assert [step.clinic for step in allowed.steps] == ["a"]
    assert check_plan(narrow, allowed, "a few words", "t-2")[0] is allowed
