"""The development CA and its certificates; loads cryptography's X.509, so only `certs` opens this room."""

from orchestrator.security.authority.certificates import CertificateError, make_certificates
