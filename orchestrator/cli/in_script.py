"""A conversation without a terminal: the text of `ask`, or the lines of standard input."""

from __future__ import annotations

import sys
from contextlib import ExitStack

from orchestrator.agents import Registry
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.exit_code import ExitCode
from orchestrator.cli.script import ClinicScript, ScriptStreams, standard_input
from orchestrator.composition import ConversationOptions, connect_fleet, memory_of, open_conversation
from orchestrator.console import Progress
from orchestrator.fleet import Fleet
from orchestrator.journal import EventChannel, PipelineLog
from orchestrator.llm import throttle_of_people
from orchestrator.privacy import Redactor
from orchestrator.security import issuer_of
from orchestrator.settings import Settings, SettingsError
from orchestrator.turn import Identity, ProposalIdError, Session, parse_proposal_id


def converse(
    arguments: Arguments, settings: Settings, registry: Registry, fleet: Fleet, identity: Identity
) -> ExitCode:
    """Take a turn for each line and return the most serious exit code.

    Raises:
        CredentialError: The role's key cannot be used.
        FleetError: The clinics do not come up.
        SettingsError: --confirm stands before what is no id of a proposal.
    """
    confirmation = _confirmation(arguments)
    if arguments.starts_clinics:
        fleet.await_health()
    with ExitStack() as parts:
        events = EventChannel()
        connection = parts.enter_context(connect_fleet(registry, fleet, events))
        names = {clinic.id: clinic.name for clinic in connection.directory.clinics()}
        progress = Progress(names, lambda line: print(line, file=sys.stderr, flush=True))
        events.subscribe(progress)
        if not arguments.is_incognito:
            events.subscribe(PipelineLog(settings.log_dir, Redactor(identity)))
        conversation = parts.enter_context(
            open_conversation(
                connection,
                settings.clock,
                events,
                ConversationOptions(
                    consent_given=arguments.consent_given,
                    proposal_key=_proposal_key(settings, fleet),
                    model=settings.llm,
                    throttle=throttle_of_people(),
                    data_dir=None if arguments.is_incognito else settings.data_dir,
                    memory=parts.enter_context(memory_of(settings)),
                ),
            )
        )
        session = Session(identity, role=settings.role, confirmation=confirmation)
        lines = (arguments.text,) if arguments.command == "ask" and arguments.text != "-" else standard_input()
        streams = ScriptStreams(progress, sys.stdout, sys.stderr, as_records=arguments.output == "jsonl")
        return ClinicScript(streams, conversation, session).run(lines)


def _confirmation(arguments: Arguments) -> str | None:
    try:
        return None if arguments.confirmed is None else parse_proposal_id(arguments.confirmed)
    except ProposalIdError as error:
        raise SettingsError(f"--confirm: {error}") from None


def _proposal_key(settings: Settings, fleet: Fleet) -> bytes | None:
    # A secret of the key that signs who is calling makes an id of this run good in the next one.
    keys = fleet.protection.keys
    return None if keys is None else keys.derived(issuer_of(settings.role), "proposal ids")
