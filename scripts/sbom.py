"""Write the CycloneDX bill of materials of what users install: the running set, and the extras as optional components.

Versions, hashes and dependencies come from the lock files, licences from the installed packages.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.contrib.this.builders import this_component
from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

from scripts.licences import licence_of
from scripts.locked import EXTRAS, PROJECT, LockedPackage, locked_packages

SCHEMA = SchemaVersion.V1_6


def bill_of_materials() -> Bom:
    """Return the bill of materials."""
    required = {(package.name, package.version) for package in locked_packages("run")}
    packages = {
        (package.name, package.version): package for lock in (*EXTRAS, "run") for package in locked_packages(lock)
    }
    product = Component(
        name=PROJECT["name"],
        version=PROJECT["version"],
        type=ComponentType.APPLICATION,
        bom_ref=PROJECT["name"],
        licenses=[LicenseFactory().make_from_string(PROJECT["license"])],
    )
    components = {
        key: _component(package, ComponentScope.REQUIRED if key in required else ComponentScope.OPTIONAL)
        for key, package in packages.items()
    }
    bom = Bom(components=components.values())
    bom.metadata.component = product
    bom.metadata.tools.components.add(this_component())
    _join(bom, product, components)
    return bom


def write(bom: Bom) -> str:
    """Return a bill of materials as JSON."""
    return make_outputter(bom, OutputFormat.JSON, SCHEMA).output_as_string(indent=2)


def _component(package: LockedPackage, scope: ComponentScope) -> Component:
    url = PackageURL("pypi", name=package.name, version=package.version)
    files = ExternalReference(
        type=ExternalReferenceType.DISTRIBUTION,
        url=XsUri(url.to_string()),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=content) for content in package.hashes],
    )
    return Component(
        name=package.name,
        version=package.version,
        type=ComponentType.LIBRARY,
        scope=scope,
        purl=url,
        bom_ref=url.to_string(),
        licenses=[LicenseFactory().make_from_string(licence_of(package.name))],
        external_references=[files],
    )


def _join(bom: Bom, product: Component, components: Mapping[tuple[str, str], Component]) -> None:
    asked: dict[str, set[Component]] = {}
    for lock in (*EXTRAS, "run"):
        for package in locked_packages(lock):
            for asker in package.wanted_by:
                asked.setdefault(asker, set()).add(components[package.name, package.version])
    bom.register_dependency(product, asked.get(product.name, ()))
    for component in components.values():
        bom.register_dependency(component, asked.get(component.name, ()))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(write(bill_of_materials()) + "\n", "utf-8")
