"""Print a token for a clinic, or make certificates for development."""

import time

from mesh.tokens import claims_for, sign
from orchestrator.agents import Registry
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.exit_code import ExitCode
from orchestrator.cli.speaker import given_identity, identity_of
from orchestrator.security import KeyFolder, issuer_of
from orchestrator.settings import Settings, SettingsError


def run(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    """Run one of the commands and return its exit code."""
    return _token(arguments, settings, registry) if arguments.command == "token" else _certs(settings, registry)


def _token(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    if arguments.clinic and arguments.clinic not in registry.with_services:
        raise SettingsError(f"there is no such agent; known are {', '.join(registry.with_services)}")
    audience = arguments.clinic or arguments.audience
    identity = identity_of(given_identity(settings, arguments.identity_file, arguments.identity_fd))
    issuer = issuer_of(settings.role)
    keys = KeyFolder(settings.keys_dir)
    keys.prepare()
    try:
        claims = claims_for(identity.cpf, issuer=issuer, audience=audience, now=time.time(), ttl_s=arguments.ttl_s)
    except ValueError as error:
        raise SettingsError(f"--ttl: {error}") from error
    print(sign(keys.private_key(issuer), claims))
    return ExitCode.OK


def _certs(settings: Settings, registry: Registry) -> ExitCode:
    from orchestrator.security.certificates import make_certificates  # noqa: PLC0415 - the other needs no X.509

    folder = settings.tls_dir or settings.data_dir / "tls"
    made = make_certificates(folder, registry.with_services)
    for path in made:
        print(path)
    if not made:
        print(f"{folder}: all certificates are there already, none was replaced")
    if settings.tls_dir is None:
        print(f"set CLINIC_MESH_TLS_DIR={folder} to use them")
    return ExitCode.OK
