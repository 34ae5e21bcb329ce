"""Whatever a language model plans, audits and writes: it tells no lie, writes nothing unasked, learns of nobody.

Hundreds of hostile turns, generated from a grammar and by breaking good answers, against real clinics and a model's
server that keeps every byte; every seed is fixed.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from orchestrator.journal.pipeline_log import PipelineLog
from tests.scenarios.hostile_audits import hostile_audits
from tests.scenarios.hostile_case import Case, HostileModel, Request
from tests.scenarios.hostile_fuzz import by_chance, fuzzed, mixed
from tests.scenarios.hostile_memories import FORGETTING, STATED, hostile_memories, pointing_at
from tests.scenarios.hostile_plans import hostile_plans
from tests.scenarios.hostile_reasons import hostile_reasons
from tests.scenarios.hostile_requests import FOR_ANOTHER_EN, LISTINGS, OF_STAFF, REFUSED, TYPED, WRITES
from tests.scenarios.hostile_stage import KNOWN, SPEAKER, Stage, open_stage
from tests.scenarios.hostile_texts import hostile_texts
from tests.scenarios.hostile_world import World
from tests.support.form import some_of

WORLD = World(SPEAKER)

PLANS = list(hostile_plans(random.Random(1)))
TEXTS = list(hostile_texts(random.Random(2), 420))
AUDITS = list(hostile_audits(random.Random(3)))
MIXED = list(mixed(random.Random(4), 100))
FUZZED = list(fuzzed(random.Random(5), 240))
CHANCE = list(by_chance(random.Random(7), 420))
MEMORIES = list(hostile_memories())
REASONS = list(hostile_reasons(random.Random(6), 120))

HONEST = (*LISTINGS, FOR_ANOTHER_EN, *WRITES, *REFUSED, *OF_STAFF)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with open_stage(tmp_path_factory.mktemp("clinics")) as running:
        yield running


def faults(stage: Stage, cases: Iterable[Case]) -> list[str]:
    return [
        f"{case.name}: {fault}"
        for case in cases
        for played in stage.play(case)
        for fault in dict.fromkeys(WORLD.faults(case, played))
    ]


def test_there_are_enough_hostile_turns_and_no_two_alike() -> None:
    cases = [*PLANS, *TEXTS, *AUDITS, *MIXED, *FUZZED, *CHANCE, *REASONS, *MEMORIES]
    assert len({case.name for case in cases}) == len(cases)
    assert sum(1 + len(case.then) for case in cases) >= 2000
    assert len(PLANS) >= 400
    assert len(AUDITS) >= 90


@pytest.mark.long(but=8)
@pytest.mark.parametrize("request_", HONEST, ids=lambda one: f"{one.scene.name}: {one.utterance[:40]}")
def test_the_same_turn_with_an_honest_model_does_what_was_asked_for(stage: Stage, request_: Request) -> None:
    (played,) = stage.play(Case("honest", request_, HostileModel()))
    assert played.changes == request_.permits
    assert not list(WORLD.faults(Case("honest", request_, HostileModel()), played))


@pytest.mark.long
def test_a_hostile_plan_writes_and_shows_nothing_but_what_was_asked_for(stage: Stage) -> None:
    agreed = stage.agreed
    assert faults(stage, some_of(PLANS)) == []
    assert stage.agreed > agreed, "nothing that a hostile model planned was ever proposed: these turns show little"


def test_no_text_of_a_model_is_shown_whatever_member_it_stands_in(stage: Stage) -> None:
    assert faults(stage, some_of(TEXTS)) == []


def test_a_hostile_audit_clears_nothing_and_hides_no_receipt(stage: Stage) -> None:
    assert faults(stage, some_of(AUDITS)) == []


def test_a_model_that_is_hostile_throughout_gets_nowhere(stage: Stage) -> None:
    assert faults(stage, some_of(MIXED)) == []


def test_steps_by_chance_do_no_harm(stage: Stage) -> None:
    assert faults(stage, some_of(CHANCE)) == []


def test_a_broken_answer_does_no_harm(stage: Stage) -> None:
    assert faults(stage, some_of(FUZZED)) == []


def test_untrue_reasons_are_not_told(stage: Stage) -> None:
    assert faults(stage, some_of(REASONS)) == []


def test_nothing_is_remembered_that_nobody_said_and_nothing_forgotten_that_nobody_wanted_forgotten(
    stage: Stage,
) -> None:
    assert len(MEMORIES) >= 140
    assert faults(stage, some_of(MEMORIES)) == []


@pytest.mark.parametrize("request_", STATED, ids=lambda one: one.utterance[:40])
def test_what_a_model_points_at_rightly_is_remembered(stage: Stage, request_: Request) -> None:
    (played,) = stage.play(Case("points", request_, pointing_at(request_.states)))
    assert len(played.remembered) == len(request_.states)
    assert all(any(content in stated for stated in request_.states) for content in played.remembered)


@pytest.mark.parametrize("request_", FORGETTING, ids=lambda one: one.utterance)
def test_a_wish_to_forget_is_done_whatever_a_model_makes_of_it(stage: Stage, request_: Request) -> None:
    (played,) = stage.play(Case("forgets", request_, HostileModel()))
    assert played.forgotten == {KNOWN}


def test_no_byte_that_the_models_server_received_tells_who_speaks(stage: Stage) -> None:
    stage.play_honestly(HONEST)
    received = stage.server.received.lower()
    assert len(stage.server.requests) > len(HONEST)
    assert [text for text in (*SPEAKER.name.split(), *TYPED) for form in spelled(text) if form in received] == []


def test_what_hostile_turns_leave_in_the_log_tells_of_nobody(stage: Stage, tmp_path: Path) -> None:
    stage.play_honestly(HONEST)
    log = PipelineLog(tmp_path, SPEAKER)
    for event in stage.events:
        log(event)
    (file,) = tmp_path.iterdir()
    lines = file.read_text("utf-8").splitlines()
    assert len(lines) >= len(HONEST)
    assert [leak for line in lines for leak in WORLD.leaks(line)] == []


def spelled(text: str) -> set[bytes]:
    """The ways in which a text may stand in a request: as UTF-8, escaped by JSON once and twice, as bare digits."""
    once = json.dumps(text)[1:-1]
    digits = re.sub(r"\D", "", text)
    forms = {text, once, json.dumps(once)[1:-1], digits if len(digits) > 9 else text}
    return {form.lower().encode() for form in forms}
