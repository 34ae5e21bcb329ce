"""Build a conversation and the stages of its turns, which are loaded when a conversation is opened."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from mesh.clock import Clock
from orchestrator import llm
from orchestrator.composition.connection import Connection, open_router
from orchestrator.composition.memory import LazyMemory
from orchestrator.journal import EventChannel
from orchestrator.settings import Settings
from orchestrator.stages import Router, Stages, StagesOfTurn, TurnRules, TurnTaker
from orchestrator.texts import texts_in
from orchestrator.turn import Directory, Language, Paragraph, Reply, Role, TurnOutcome, TurnScope

if TYPE_CHECKING:
    from orchestrator.memory import MemoryKeeper
    from orchestrator.planner.model import PlannerPrompts


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationOptions(TurnRules):
    """What a conversation does and keeps."""

    keeps_agendas: bool = False  # who speaks is an operator
    model: llm.ModelConfiguration | None = None  # plans, audits and writes; None: the offline engine does it all
    throttle: llm.Throttle = field(default_factory=dict)  # how often one person may call the model
    data_dir: Path | None = None  # where requests that no agent serves are recorded; None: nowhere
    memory: "MemoryKeeper | None" = None  # remembers what patients say of themselves; None: nothing is remembered


_DEFAULT = ConversationOptions()


@contextmanager
def open_conversation(
    connection: Connection, clock: Clock, events: EventChannel, options: ConversationOptions = _DEFAULT
) -> Iterator[TurnTaker]:
    """Yield a conversation with the clinics of a connection; `clock` says what "tomorrow" is relative to."""
    from orchestrator.conversation import Conversation  # noqa: PLC0415 - behind the first prompt
    from orchestrator.fallback import Fallback  # noqa: PLC0415 - as above

    rules = replace(options, clock=clock)
    with ExitStack() as parts:
        router = parts.enter_context(open_router(connection, events, clock))
        stages = parts.enter_context(open_stages(router, connection.directory, events, options.model, options.throttle))
        conversation = Conversation(
            lambda scope: replace(stages(scope), memory=options.memory),
            connection.directory,
            events,
            rules,
            registry=connection.registry,
            fallback=Fallback(connection.registry, events, options.data_dir),
        )
        if not options.keeps_agendas:
            yield conversation
            return
        from orchestrator.front_desk import FrontDesk  # noqa: PLC0415 - for operators only

        yield FrontDesk(conversation, connection.registry, router, connection.directory, events, rules)


@contextmanager
def conversation_of(
    settings: Settings,
    connection: Connection,
    events: EventChannel,
    options: ConversationOptions = _DEFAULT,
    *,
    is_incognito: bool,
) -> Iterator[TurnTaker]:
    """Yield a person's conversation as the settings say; an incognito one records no requests."""
    with LazyMemory(settings, settings.role) if settings.memory else nullcontext() as memory:
        options = replace(
            options,
            keeps_agendas=settings.role is Role.OPERATOR,
            travel_min=settings.travel_min,
            model=settings.llm,
            throttle=llm.throttle_of_people(),
            data_dir=None if is_incognito else settings.data_dir,
            memory=memory,
        )
        with open_conversation(connection, settings.clock, events, options) as conversation:
            yield conversation


@contextmanager
def open_stages(
    router: Router,
    directory: Directory,
    events: EventChannel,
    model: llm.ModelConfiguration | None,
    throttle: llm.Throttle = llm.UNTHROTTLED,
) -> Iterator[StagesOfTurn]:
    """Yield the stages of each turn: a model, if any, chooses steps and audits; code checks it and stands in for it."""
    from orchestrator.responder import TemplateResponder  # noqa: PLC0415 - behind the first prompt
    from orchestrator.verifier import AuditingVerifier, RuleVerifier  # noqa: PLC0415 - as above

    templates = TemplateResponder()
    if model is None:
        from orchestrator.planner import OfflinePlanner  # noqa: PLC0415 - as above

        offline = Stages(OfflinePlanner(), router, RuleVerifier(), templates)
        yield lambda _: offline
        return
    from orchestrator.fallback import ModelAnswerer  # noqa: PLC0415 - as above
    from orchestrator.planner.model import ModelPlanner  # noqa: PLC0415 - loads what a model is asked for

    (prompts, audit, answerer), circuit = usable_prompts(), llm.CircuitBreaker()
    always = model.reply is llm.ReplyRequests.ALWAYS
    with open_model(model) as opened:

        def stages_of(scope: TurnScope) -> Stages:
            line = llm.TurnAsker(opened, circuit, events, scope, throttle)
            return Stages(
                planner := ModelPlanner(line, prompts, model),
                router,
                auditor := AuditingVerifier(line, audit, directory.clinics(), always=always),
                templates,
                planner.choose,
                ModelAnswerer(line, answerer, auditor),
            )

        yield stages_of


def usable_prompts() -> "tuple[PlannerPrompts, llm.PromptTemplate, llm.PromptTemplate]":
    """Return the prompts to plan, audit and answer; raise PromptError where one is missing or wrongly filled."""
    from orchestrator.fallback import ANSWER_PLACEHOLDERS  # noqa: PLC0415 - behind the first prompt
    from orchestrator.planner.model import PlannerPrompts  # noqa: PLC0415 - loads what a model is asked for
    from orchestrator.verifier import AUDIT_PLACEHOLDERS  # noqa: PLC0415 - behind the first prompt

    audit = llm.read_prompt("verifier", AUDIT_PLACEHOLDERS)
    return PlannerPrompts.read(), audit, llm.read_prompt("fallback_answer", ANSWER_PLACEHOLDERS)


def danger_answer(said: str, language: Language) -> Reply | None:
    """Return what a sign of danger calls for, which needs nobody's name; None where nothing tells of one."""
    from orchestrator.planner.text import guess_language, normalise  # noqa: PLC0415 - behind the first prompt
    from orchestrator.planner.understanding import find_danger  # noqa: PLC0415 - as above

    text = normalise(said)
    danger = find_danger(text)
    topic = danger.emergency or danger.caution
    if topic is None:
        return None
    spoken = guess_language(text, language)
    return Reply(spoken, TurnOutcome.OK, (Paragraph(texts_in(spoken).table("responder.topics")[topic]),))


def open_model(configuration: llm.ModelConfiguration) -> AbstractContextManager[llm.LanguageModel]:
    """Return a language model that is open in a `with` block."""
    from orchestrator.llm.openai import OpenAIModel  # noqa: PLC0415 - loads the model's SDK

    return OpenAIModel(configuration)
