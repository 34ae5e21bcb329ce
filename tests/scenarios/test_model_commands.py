"""The commands with a language model, as a person runs them: a scripted model over HTTP, real processes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from orchestrator.cli.exit_code import ExitCode
from orchestrator.evaluation.suite import Suite
from tests.support.chat_server import ChatServer, Fault, chat_server
from tests.support.home import ROOT, Home
from tests.support.played_model import Call, PlayedModel

QUERIES = Path(__file__).parents[1] / "test_queries.json"
PERSON = {"CLINIC_MESH_NAME": "Carlos Teste", "CLINIC_MESH_CPF": "529.982.247-25"}
PICKED = 12
"""Queries of the suite that are run: each takes a few calls of the model."""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    person = Home(tmp_path / "home")
    yield person
    person.close()


def settings(server: ChatServer) -> Mapping[str, str]:
    return {
        "CLINIC_MESH_LLM": "openai",
        "CLINIC_MESH_LLM_MODEL": "played",
        "CLINIC_MESH_LLM_PRICES": "2.5,10",
        "OPENAI_BASE_URL": server.base_url,
    }


def some_queries(folder: Path) -> tuple[Path, Suite]:
    """Write a suite of a few queries whose every turn has steps, and return its file and what it holds."""
    whole = json.loads(QUERIES.read_text("utf-8"))
    asked = [
        query
        for query in whole["queries"]
        if all(turn.get("steps") and not turn.get("blocked") for turn in query["turns"])
        and not query.get("role")
        and all(step.get("status", "done") == "done" for turn in query["turns"] for step in turn["steps"])
    ]
    longest_first = sorted(asked, key=lambda query: -len(query["turns"]))
    file = folder / "suite.json"
    file.write_text(json.dumps({**whole, "queries": longest_first[:PICKED]}), "utf-8")
    return file, Suite.read(file)


def plans_of(suite: Suite) -> Mapping[str, list[Call]]:
    return {
        turn.say: [(step.clinic, step.action, dict(step.parameters)) for step in turn.steps]
        for query in suite.queries
        for turn in query.turns
    }


@pytest.mark.long
@pytest.mark.parametrize("planner", ["llm", "cot"])
def test_an_evaluation_measures_the_model_beside_the_system(home: Home, planner: str) -> None:
    file, suite = some_queries(home.folder)
    forgetful = {utterance: calls[:1] for utterance, calls in plans_of(suite).items()}
    reasons = ["Uma clínica basta."] if planner == "cot" else None
    with chat_server(PlayedModel(forgetful, reasons)) as server:
        ended = home.call(
            "eval",
            *("--planner", planner, "--suite", str(file), "--report", str(home.folder / "out")),
            environment=settings(server),
        )
        assert ended.returncode == ExitCode.OK, ended.stderr
        assert b"Carlos Exemplo" not in server.received
        assert b"529.982" not in server.received
        calls = len(server.requests)
    record: dict[str, Any] = json.loads((home.folder / "out" / "evaluation.json").read_text("utf-8"))
    assert record["planner"] == planner
    assert record["blueprint"]["mcra"]["value"] == 1
    assert record["model"]["model_mcra"]["value"] == 0
    assert record["blueprint"]["tsr"]["value"] == 1
    assert record["strict"]["success"]["value"] == 1
    assert record["stray_writes"] == 0
    assert record["model_use"]["calls"] == calls
    assert record["model_use"]["cost_usd"] > 0
    assert "MCRA of the model alone" in ended.stdout


def test_a_planner_that_is_not_configured_says_what_to_set(home: Home) -> None:
    for command in (("eval",), ("plan", "--input", "-")):
        ended = home.call(*command, "--planner", "cot")
        assert ended.returncode == ExitCode.USAGE
        assert "set CLINIC_MESH_LLM to azure or openai" in ended.stderr


@pytest.mark.long
def test_the_local_planner_asks_no_model_though_one_is_configured(home: Home) -> None:
    case = json.dumps({"id": 1, "utterance": "quero um cardiologista"})
    with chat_server([]) as server:
        ended = home.call("plan", "--input", "-", lines=case, environment=settings(server))
    assert [step["clinic"] for step in json.loads(ended.stdout)["steps"]] == ["clinic_a", "clinic_c"]


@pytest.mark.long
def test_cases_can_be_planned_with_a_model(home: Home) -> None:
    case = json.dumps({"id": 1, "utterance": "meu coração bate esquisito quando subo escada"})
    played = PlayedModel({json.loads(case)["utterance"]: [("clinic_a", "list_available_slots", {})]})
    with chat_server(played) as server:
        ended = home.call("plan", "--input", "-", "--planner", "llm", lines=case, environment=settings(server))
    assert ended.returncode == ExitCode.OK, ended.stderr
    assert [step["clinic"] for step in json.loads(ended.stdout)["steps"]] == ["clinic_a", "clinic_c"]


def test_a_script_is_told_in_one_line_that_the_model_is_left_alone_and_gets_its_answers(served_home: Home) -> None:
    with chat_server(lambda _: Fault(503, headers={"Retry-After": "120"})) as server:
        ended = served_home.call(
            lines="quero um cardiologista\nquero um dermatologista\n", environment={**PERSON, **settings(server)}
        )
        assert len(server.requests) == 1
    assert ended.returncode == ExitCode.OK, ended.stderr
    assert ended.stdout.count("Encontrei") == 2
    assert ended.stderr.count("Modelo de linguagem indisponível (falha no servidor)") == 1


@pytest.mark.parametrize(("reply", "purposes"), [("needed", ["plan"]), ("always", ["plan", "audit", "write"])])
def test_the_log_counts_calls_tokens_and_costs_and_holds_no_prompt(
    served_home: Home, reply: str, purposes: list[str]
) -> None:
    utterance = "quero um cardiologista, meu CPF é 529.982.247-25"
    played = PlayedModel({"quero um cardiologista, meu CPF é [CPF-1]": [("clinic_a", "list_available_slots", {})]})
    with chat_server(played) as server:
        asked_for = {"CLINIC_MESH_LLM_REPLY": reply}
        ended = served_home.call("ask", utterance, environment={**PERSON, **settings(server), **asked_for})
    assert ended.returncode == ExitCode.OK, ended.stderr
    (log,) = (served_home.data / "logs").glob("pipeline_*.jsonl")
    line = json.loads(log.read_text("utf-8"))
    assert [call["purpose"] for call in line["model_calls"]] == purposes
    assert all(call["prompt_tokens"] == 11 and call["cost_usd"] > 0 for call in line["model_calls"])
    assert line["plan"]["proposed"]["used"]
    logged = "".join(text for _, text in served_home.files())
    assert "CPF é" not in logged
    assert "529.982" not in logged
    assert "52998224725" not in logged
    assert "You run the front desk" not in logged


@pytest.mark.long
@pytest.mark.parametrize(("old", "new"), [("$clinics", ""), ("$today", "$today, $tomorrow")])
def test_a_prompt_with_a_missing_or_unknown_placeholder_is_an_error_at_start(
    served_home: Home, old: str, new: str
) -> None:
    # Found first: where the command is run.
    prompts = Path(shutil.copytree(ROOT / "prompts", served_home.folder / "prompts"))
    planner = prompts / "planner.txt"
    planner.write_text(planner.read_text("utf-8").replace(old, new), "utf-8")
    with chat_server([]) as server:
        ended = served_home.run("ask", "oi", environment={**PERSON, **settings(server)}, is_cold=True)
    assert ended.returncode == ExitCode.USAGE
    assert "planner.txt" in ended.stderr
    assert "placeholder $clinics is missing" in ended.stderr or "$tomorrow is not among" in ended.stderr
    assert served_home.run("ask", "oi", environment=PERSON).returncode == ExitCode.OK
