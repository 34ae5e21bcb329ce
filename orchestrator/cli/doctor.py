"""Check the settings and the language model (blueprint 6, 1.5); show no value, start no clinic, make no file."""

import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from mesh.errors import UsageError
from orchestrator.agents import RegistryError, read_registry
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.exit_code import ExitCode, most_serious
from orchestrator.composition import members_of, memory_condition, open_model, usable_prompts
from orchestrator.fleet import clinic_environment, store_command
from orchestrator.journal import ModelFailure, Purpose
from orchestrator.llm import LanguageModel, ModelConfiguration, ModelError, ModelRequest, Provider, json_in
from orchestrator.memory import StoreError
from orchestrator.settings import Settings, SettingsError, read_settings, variable

_WORD = ModelRequest(Purpose.CHECK, "", "Answer with the one word: ok", max_tokens=1024)
_ANSWER = {"answer": {"type": "string", "enum": ["ok"]}}
_FORM = replace(
    _WORD,
    user='Answer with this JSON object and nothing else: {"answer": "ok"}',
    schema={"type": "object", "properties": _ANSWER, "required": ["answer"], "additionalProperties": False},
)

# Of the other failures the server is the cause.
_CODES = {
    ModelFailure.REJECTED: ExitCode.USAGE,
    ModelFailure.REFUSED: ExitCode.REFUSED,
    ModelFailure.CUT: ExitCode.REFUSED,
    ModelFailure.CANCELLED: ExitCode.INTERRUPTED,
}


@dataclass(frozen=True, slots=True)
class _Finding:
    subject: str
    text: str  # what was found; where it failed, what to do
    code: ExitCode = ExitCode.OK  # what the command ends with because of it


def run(arguments: Arguments) -> ExitCode:
    """Check everything, print a line for each check, and return the most serious exit code."""
    codes: list[ExitCode] = []
    for finding in _findings(arguments):
        mark = "ok" if finding.code is ExitCode.OK else "failed"
        print(f"{mark:7}{finding.subject}: {finding.text}", flush=True)
        codes.append(finding.code)
    return most_serious(codes)


def _findings(arguments: Arguments) -> Iterator[_Finding]:
    try:
        settings = read_settings(arguments.settings, os.environ, Path(".env"))
    except SettingsError as error:
        yield _Finding("settings", str(error), ExitCode.USAGE)
        return
    yield _Finding("settings", "every one is allowed")
    yield _checked("registry", "{} clinics", lambda: len(read_registry(settings.base_port, settings.registry)))
    yield _checked("data folder", "{}", lambda: _writable(settings.data_dir, variable("data_dir")))
    yield _checked("log folder", "{}", lambda: _writable(settings.log_dir, variable("log_dir")))
    yield from _stores(settings)
    memory = memory_condition if settings.memory else lambda _: "off; nothing that is said is noted"
    yield _checked("memory", "{}", lambda: memory(settings))
    gateway = "not installed; `make extra-mcp` installs what it takes" if find_spec("mcp") is None else "can be served"
    yield _Finding("MCP gateway", gateway)
    if settings.llm is None:
        yield _Finding("language model", "off; the offline engine plans and writes, and nothing is missing")
        return
    yield _checked("prompts", "each has its placeholders", usable_prompts)
    yield _Finding("language model", _described(settings.llm))
    with open_model(settings.llm) as model:
        word = _asked(model, "model's answer", _WORD)
        yield word
        if word.code in {ExitCode.OK, ExitCode.REFUSED}:  # else the second call would fail in the same way
            yield _asked(model, "structured output", _FORM)


def _checked(subject: str, text: str, look: Callable[[], object]) -> _Finding:
    try:
        return _Finding(subject, text.format(look()))
    except (UsageError, StoreError) as error:
        return _Finding(subject, str(error).removeprefix(f"{subject}: "), ExitCode.USAGE)


def _stores(settings: Settings) -> Iterator[_Finding]:
    """Look at the PostgreSQL servers of the clinics that are started here."""
    try:
        members = members_of(settings, read_registry(settings.base_port, settings.registry))
    except RegistryError:
        return  # its own line says so
    except SettingsError as error:
        yield _Finding("store", str(error), ExitCode.USAGE)
        return
    for member in members:
        if member.is_local and member.store is not None:
            command, environment = store_command("check", member), clinic_environment(has_store=True)
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            said = (done.stdout or done.stderr).strip().removeprefix(f"{member.id}: ")
            yield _Finding(f"store of {member.id}", said, ExitCode.REFUSED if done.returncode else ExitCode.OK)


def _writable(folder: Path, name: str) -> str:
    there = next(place for place in (folder, *folder.parents) if place.exists())
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        return "can be written" if there == folder else "will be made by the first start"
    raise SettingsError(f"{there} cannot be written; give it to this user, or set {name}")


def _described(configuration: ModelConfiguration) -> str:
    match configuration.provider:
        case Provider.AZURE:
            credential = "AZURE_OPENAI_AD_TOKEN" if configuration.azure_ad_token else "AZURE_OPENAI_API_KEY"
            used = f"AZURE_OPENAI_ENDPOINT, OPENAI_API_VERSION and {credential} are set"
        case Provider.OPENAI:
            server = "OPENAI_BASE_URL is set" if configuration.endpoint else "at OpenAI"
            used = f"{server}, OPENAI_API_KEY is {'set' if configuration.api_key else 'not set, none is sent'}"
    return f"{configuration.provider} {configuration.model}, planner {configuration.planner}; {used}"


def _asked(model: LanguageModel, subject: str, request: ModelRequest) -> _Finding:
    started = time.monotonic()
    try:
        completion = model.complete(request, threading.Event())
    except ModelError as error:
        return _Finding(subject, f"{error.failure}: {error}", _CODES.get(error.failure, ExitCode.ALL_DOWN))
    is_in_form = request.schema is None
    with suppress(ValueError):
        is_in_form = is_in_form or json_in(completion.text) == {"answer": "ok"}
    if is_in_form:
        return _Finding(subject, f"after {time.monotonic() - started:.1f} s")
    advice = "the answer is not the JSON that was asked for, so that plans would not be either; try another model"
    return _Finding(subject, advice, ExitCode.REFUSED)
