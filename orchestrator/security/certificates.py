"""A certificate authority for development, and certificates of it; what is there is never replaced."""

import ipaddress
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from mesh import private_file
from mesh.errors import UsageError
from orchestrator.security.token_keys import CA, ORCHESTRATOR

_AUTHORITY = "clinic-mesh development CA"
GATEWAY = "gateway"  # what MCP clients call over HTTP
PROBE = "probe"  # what a supervisor asks for health with; a call of a tool takes a token as well
_CA_LIFE = timedelta(days=3650)
_LIFE = timedelta(days=365)
_LOCAL = (
    x509.DNSName("localhost"),
    x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
    x509.IPAddress(ipaddress.ip_address("::1")),
)
_USES = (
    *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement"),
    *("key_cert_sign", "crl_sign", "encipher_only", "decipher_only"),
)  # of a key, all that X.509 knows
_Certified = tuple[x509.Certificate, ec.EllipticCurvePrivateKey]


def make_certificates(folder: Path, clinics: Iterable[str]) -> tuple[Path, ...]:
    """Make and return the certificates that a folder lacks, the authority's and all nodes', or raise UsageError."""
    try:
        private_file.make_folder(folder)
        made: list[Path] = []
        authority: _Certified | None = None
        for name, use in (
            (CA.removesuffix(".pem"), None),
            *((name, ExtendedKeyUsageOID.SERVER_AUTH) for name in (*clinics, GATEWAY)),
            *((name, ExtendedKeyUsageOID.CLIENT_AUTH) for name in (ORCHESTRATOR, PROBE)),
        ):
            certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
            if certificate.exists() != key.exists():
                there, gone = (certificate, key) if certificate.exists() else (key, certificate)
                raise UsageError(f"{there} is there without {gone}: restore the one, or remove the other")
            if not certificate.exists():
                public, private = _certified(name, use, authority)
                private_file.create(key, private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
                private_file.create(certificate, public.public_bytes(Encoding.PEM))
                made.append(certificate)
            authority = authority or _read_authority(certificate, key)
    except OSError as error:
        raise UsageError(f"{error.filename or folder}: cannot be written ({error.strerror})") from error
    return tuple(made)


def _read_authority(certificate: Path, key: Path) -> _Certified:
    try:
        private = load_pem_private_key(key.read_bytes(), password=None)
        public = x509.load_pem_x509_certificate(certificate.read_bytes())
    except (ValueError, TypeError) as error:
        raise UsageError(f"{certificate} and {key}: not a certificate and its key in PEM form") from error
    if not isinstance(private, ec.EllipticCurvePrivateKey) or private.public_key() != public.public_key():
        raise UsageError(f"{certificate} and {key}: these do not belong together, or were not made here")
    return public, private


def _certified(name: str, use: x509.ObjectIdentifier | None, authority: _Certified | None) -> _Certified:
    """Return a new key with its certificate, by an authority and for a use; without them it is an authority itself."""
    key, is_authority = ec.generate_private_key(ec.SECP256R1()), authority is None
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, _AUTHORITY if is_authority else name)])
    begin = datetime.now(UTC) - timedelta(minutes=5)  # the clock of another machine may be a little behind
    end = begin + (_CA_LIFE if is_authority else _LIFE)
    issuer, signing_key = (subject, key) if authority is None else (authority[0].subject, authority[1])
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number()).not_valid_before(begin).not_valid_after(end)
    builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    constraints = x509.BasicConstraints(ca=is_authority, path_length=0 if is_authority else None)
    granted = {"key_cert_sign", "crl_sign"} if is_authority else {"digital_signature"}
    usage = x509.KeyUsage(**{use: use in granted for use in _USES})
    builder = builder.add_extension(constraints, critical=True).add_extension(usage, critical=True)
    if use is None:
        return builder.sign(signing_key, hashes.SHA256()), key
    names = x509.SubjectAlternativeName([x509.DNSName(name), *_LOCAL])
    identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(signing_key.public_key())
    for extension in (x509.ExtendedKeyUsage([use]), names, identifier):
        builder = builder.add_extension(extension, critical=False)
    return builder.sign(signing_key, hashes.SHA256()), key
