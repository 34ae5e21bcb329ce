"""The manifests of deploy/, as kustomize builds them: what a schema does not hold them to."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from orchestrator.agents.registry_file import read_registry
from orchestrator.security.certificates import make_certificates
from orchestrator.security.token_keys import KeyFolder

DEPLOY = Path(__file__).parents[2] / "deploy"
OVERLAYS = ("kind", "production")
BUILDERS = (("kustomize", "build"), ("kubectl", "kustomize"))
PROBE = ("python", "-m", "clinics", "--check=localhost:8000", "--ca=/tls/ca.crt")  # as Kubernetes' own asks
PODS = {"Deployment", "StatefulSet"}

pytestmark = pytest.mark.skipif(
    not any(shutil.which(builder[0]) for builder in BUILDERS), reason="neither kustomize nor kubectl is here"
)


@cache
def built(overlay: str) -> list[dict[str, Any]]:
    command = next([*builder, str(DEPLOY / overlay)] for builder in BUILDERS if shutil.which(builder[0]))
    text = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    return [*yaml.safe_load_all(text)]


def named(overlay: str, kind: str) -> dict[str, dict[str, Any]]:
    return {each["metadata"]["name"]: each for each in built(overlay) if each["kind"] == kind}


def pods(overlay: str) -> dict[str, dict[str, Any]]:
    """Return the template of each pod, by the name of what makes it."""
    return {each["metadata"]["name"]: each["spec"]["template"] for each in built(overlay) if each["kind"] in PODS}


def selected(overlay: str, selector: Mapping[str, Any]) -> set[str]:
    """Return whose pods a selector means."""
    found = set()
    for name, template in pods(overlay).items():
        labels = template["metadata"]["labels"]
        wanted = selector.get("matchLabels", {}).items() <= labels.items()
        if wanted and all(labels.get(one["key"]) in one["values"] for one in selector.get("matchExpressions", ())):
            found.add(name)
    return found


def values(node: object) -> Iterator[tuple[str, object]]:
    """Yield all keys below a node with what they hold."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield key, value
            yield from values(value)
    elif isinstance(node, list):
        for each in node:
            yield from values(each)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_no_secret_is_in_the_files_and_every_password_and_key_comes_from_one(overlay: str) -> None:
    assert named(overlay, "Secret") == {}
    for template in pods(overlay).values():
        for container in template["spec"]["containers"]:
            for variable in container.get("env", ()):
                if re.search("PASSWORD|KEY$|TOKEN|SECRET", variable["name"]):
                    assert "secretKeyRef" in variable["valueFrom"]
    for path in DEPLOY.rglob("*"):
        if path.is_file():
            assert "PRIVATE KEY" not in path.read_text("utf-8")
            assert not re.search(r"postgres(?:ql)?://[^@\s/]*:[^@\s]*@", path.read_text("utf-8"))


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_pod_is_restricted_and_says_what_it_needs(overlay: str) -> None:
    for name, template in pods(overlay).items():
        spec = template["spec"]
        assert spec["automountServiceAccountToken"] is False, name
        assert spec["securityContext"]["runAsNonRoot"] is True, name
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, name
        for container in (*spec["containers"], *spec.get("initContainers", ())):
            own = container["securityContext"]
            assert own["allowPrivilegeEscalation"] is False, name
            assert own["capabilities"] == {"drop": ["ALL"]}, name
            assert own.get("readOnlyRootFilesystem", name == "postgresql"), name
            assert {"cpu", "memory"} <= container["resources"]["requests"].keys(), name
            assert "memory" in container["resources"]["limits"], name
            mounted = {mount["name"] for mount in container["volumeMounts"]}
            claimed = {"data"} if name == "clinic-a" else set()
            assert mounted <= {volume["name"] for volume in spec.get("volumes", ())} | claimed, name


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_services_budgets_and_policies_mean_the_pods_that_they_are_named_after(overlay: str) -> None:
    for name, service in named(overlay, "Service").items():
        assert selected(overlay, {"matchLabels": service["spec"]["selector"]}) == {name}
    for name, budget in named(overlay, "PodDisruptionBudget").items():
        assert selected(overlay, budget["spec"]["selector"]) == {name}
    policies = {name: policy["spec"] for name, policy in named(overlay, "NetworkPolicy").items()}
    for name, policy in policies.items():
        assert selected(overlay, policy["podSelector"]) == ({name} if policy["podSelector"] else pods(overlay).keys())
    assert pods(overlay).keys() <= policies.keys()


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_only_the_orchestrator_and_the_gateway_reach_a_clinic(overlay: str) -> None:
    callers = {"orchestrator", "gateway"} & pods(overlay).keys()
    clinics = {name: policy["spec"] for name, policy in named(overlay, "NetworkPolicy").items() if "clinic-" in name}
    assert clinics.keys() == {"clinic-a", "clinic-b"}
    for policy in clinics.values():
        (rule,) = policy["ingress"]
        assert policy["policyTypes"] == ["Ingress", "Egress"]
        assert rule["ports"] == [{"port": "grpc", "protocol": "TCP"}]
        (source,) = rule["from"]
        assert selected(overlay, source["podSelector"]) == callers


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_a_db_json_has_one_process_and_a_database_several(overlay: str) -> None:
    silo, replicas = named(overlay, "StatefulSet")["clinic-a"]["spec"], named(overlay, "Deployment")["clinic-b"]["spec"]
    assert silo["replicas"] == 1
    assert silo["volumeClaimTemplates"][0]["spec"]["accessModes"] == ["ReadWriteOncePod"]
    assert replicas["replicas"] > 1
    assert replicas["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}
    for template in (silo["template"], replicas["template"]):
        (container,) = template["spec"]["containers"]
        assert ("--store=$(STORE)" in container["args"]) == (template is replicas["template"])
        assert template["spec"]["terminationGracePeriodSeconds"] > 8
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            assert container[probe].keys() & {"grpc", "exec"}
        # Kubernetes' own probe shows no certificate.
        assert ("grpc" in container["readinessProbe"]) != ("--client-ca=/tls/ca.crt" in container["args"])


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_the_registry_calls_every_replica_of_the_clinics_there_are_at_their_port(overlay: str, tmp_path: Path) -> None:
    (content,) = [each["data"] for each in built(overlay) if each["metadata"]["name"].startswith("registry-")]
    (tmp_path / "agents.yaml").write_text(content["agents.yaml"], "utf-8")
    services = named(overlay, "Service")
    for agent in read_registry(8001, tmp_path / "agents.yaml").values():
        host, _, port = agent.address.removeprefix("dns:///").rpartition(":")
        assert agent.address.startswith("dns:///")
        assert services[host]["spec"]["clusterIP"] == "None"
        assert [one["port"] for one in services[host]["spec"]["ports"]] == [int(port)]
        assert pods(overlay)[host]["metadata"]["labels"]["clinic-mesh/clinic"] == agent.id


def test_the_image_is_made_of_locked_packages_and_runs_as_nobody_in_particular() -> None:
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    assert len(re.findall(r"pip install(?!.*--require-hashes)", text)) == len(re.findall("--no-deps", text)) == 1
    assert set(re.findall(r"requirements/([\w-]+)\.txt", text)) == {"run", "mcp", "postgres"}
    assert re.findall(r"^USER (\d+):\d+$", text, re.MULTILINE) == ["10001"]
    for copied in re.findall(r"^COPY ([a-z]\w+) \w+$", text, re.MULTILINE):
        assert f"!{copied}" in (DEPLOY / "Containerfile.containerignore").read_text("utf-8").splitlines()


@pytest.mark.long(but=1)
@pytest.mark.parametrize("overlay", OVERLAYS)
def test_a_clinic_starts_with_the_arguments_of_its_pod_and_its_probe_finds_it(overlay: str, tmp_path: Path) -> None:
    (container,) = pods(overlay)["clinic-a"]["spec"]["containers"]
    make_certificates(tmp_path / "made", ["clinic-a"])
    for place, name in (("tls", "clinic-a"), ("probe", "probe")):
        (tmp_path / place).mkdir()
        for kept, made in (("ca.crt", "ca.pem"), ("tls.crt", f"{name}.pem"), ("tls.key", f"{name}.key")):
            shutil.copy(tmp_path / "made" / made, tmp_path / place / kept)
    KeyFolder(tmp_path / "keys").prepare()
    shutil.move(tmp_path / "keys" / "public", tmp_path / "public")
    places = {"/keys": tmp_path / "public", "/tls": tmp_path / "tls", "/probe": tmp_path / "probe", "/data": tmp_path}

    def here(argument: str) -> str:
        option, equals, value = argument.replace("$(CLINIC)", "clinic_a").rpartition("=")
        place = next((place for place in places if value.startswith(place)), None)
        return argument if place is None else f"{option}{equals}{places[place]}{value.removeprefix(place)}"

    arguments = [here(each).replace("$(CLINIC)", "clinic_a").replace(":8000", ":0") for each in container["args"]]
    with subprocess.Popen([sys.executable, "-m", *arguments], stdout=subprocess.PIPE, text=True) as clinic:
        try:
            assert clinic.stdout is not None
            port = clinic.stdout.readline().rpartition(":")[2].strip()
            probe = container["readinessProbe"].get("exec", {"command": PROBE})["command"]
            command = [here(each).replace(":8000", f":{port}") for each in probe]
            subprocess.run([sys.executable, *command[1:]], timeout=30, check=True)
        finally:
            clinic.terminate()
    assert clinic.returncode == 0
