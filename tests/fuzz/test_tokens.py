"""Whatever stands in the authorization header: who brings no good token is refused as such, and told nothing of it."""

from __future__ import annotations

import string

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jwt.utils import base64url_decode, base64url_encode

from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from generated.mesh.v1.tool_service_pb2 import CallRequest, CallResponse
from generated.mesh.v1.tool_service_pb2_grpc import ToolServiceStub
from orchestrator.security.token_keys import KeyFolder
from tests.fuzz.strangers import DEADLINE_S, MARKS, check_body, check_status, fixed
from tests.support.tokens import key_id_of, payload_of, raw_token, token_for

HEADER_TEXT = string.ascii_letters + string.digits + string.punctuation + " "
CLAIMS = ("iss", "aud", "sub", "salt", "role", "scope", "iat", "exp", "nbf")
LARGEST_METADATA = 6_000
"""Characters that certainly reach the clinic; gRPC takes about 8 KiB of metadata."""

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(MARKS),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=6), parts, max_size=3),
    max_leaves=6,
)


def refusals(channel: grpc.Channel, header: str, key: str = "authorization") -> set[str]:
    """Return the reasons that both doors give; an empty one where they let the caller in."""
    metadata = ((key, header),)
    call = CallRequest(jsonrpc="2.0", method="tools/call")
    call.id.string_value, call.params.name = "1", "list_available_slots"
    answer: CallResponse = ToolServiceStub(channel).Call(call, timeout=DEADLINE_S, metadata=metadata)
    reasons = {check_body(answer)}
    said = answer.error.message
    try:
        request = pb.ListAvailableSlotsRequest()
        ClinicServiceStub(channel).ListAvailableSlots(request, timeout=DEADLINE_S, metadata=metadata)
    except grpc.RpcError as error:
        reasons.add(check_status(error))
        said += str(error.details())
    else:
        reasons.add("")
    assert not [part for part in header.split() for piece in part.split(".") if len(piece) > 12 and piece in said]
    return reasons


@fixed(150)
@given(
    st.text(HEADER_TEXT, max_size=60) | st.integers(1, LARGEST_METADATA).map(lambda size: "x" * size),
    st.sampled_from(["", "Bearer ", "bearer  ", "BEARER ", "Basic "]),
)
def test_any_text_is_no_token(guarded_clinic: grpc.Channel, text: str, scheme: str) -> None:
    assert refusals(guarded_clinic, f"{scheme}{text}") == {"UNAUTHENTICATED"}


@fixed(250)
@given(st.data())
def test_a_token_that_was_changed_is_none(guarded_clinic: grpc.Channel, keys: KeyFolder, data: st.DataObject) -> None:
    token = token_for(keys)
    start = data.draw(st.integers(0, len(token) - 1))
    length = data.draw(st.sampled_from([0, 1, 1, 1, 5, 100]))
    letters = st.text(string.ascii_letters + string.digits + "-_.=", max_size=4)
    changed = token[:start] + data.draw(letters) + token[start + length :]
    # Base64 has several texts for one signature; what it says is the same then, and so is who signed it.
    if meaning_of(changed) != meaning_of(token):
        assert refusals(guarded_clinic, f"Bearer {changed}") == {"UNAUTHENTICATED"}


def meaning_of(token: str) -> tuple[str, bytes]:
    """Return what is signed, and the signature."""
    signed, _, signature = token.rpartition(".")
    try:
        return signed, base64url_decode(signature)
    except ValueError:
        return signed, b""


@fixed(200)
@given(header=JSON, payload=JSON, is_known=st.booleans(), is_signed=st.booleans())
def test_any_json_in_the_form_of_a_token_is_none(
    guarded_clinic: grpc.Channel, keys: KeyFolder, header: object, payload: object, is_known: bool, is_signed: bool
) -> None:
    key = keys.private_key("orchestrator")
    named = {"alg": "EdDSA", "typ": "JWT", "kid": key_id_of(key)} if is_known else {}
    other = header if isinstance(header, dict) else {"kid": header}
    token = raw_token({**named, **other} if is_known else other, payload, key if is_signed else None)
    assert refusals(guarded_clinic, f"Bearer {token}") == {"UNAUTHENTICATED"}


@fixed(200)
@given(name=st.sampled_from(CLAIMS), value=JSON)
def test_a_signature_helps_no_claim_that_is_not_what_it_must_be(
    guarded_clinic: grpc.Channel, keys: KeyFolder, name: str, value: object
) -> None:
    key = keys.private_key("orchestrator")
    claims = {**payload_of(token_for(keys)), name: value}
    token = raw_token({"alg": "EdDSA", "typ": "JWT", "kid": key_id_of(key)}, claims, key)
    is_no_scope = name == "scope" and isinstance(value, str) and not value.split()
    assert refusals(guarded_clinic, f"Bearer {token}") == {"PERMISSION_DENIED" if is_no_scope else "UNAUTHENTICATED"}


@pytest.mark.parametrize("depth", [10, 900, 1000, 1100, 1400])
@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_a_token_may_be_nested_as_it_likes(guarded_clinic: grpc.Channel, depth: int, opening: str) -> None:
    deep = base64url_encode((opening * depth).encode()).decode()[:LARGEST_METADATA]
    assert refusals(guarded_clinic, f"Bearer {deep}.e30.AA") == {"UNAUTHENTICATED"}


@pytest.mark.parametrize(
    "change", [{"kid": "9" * 400}, {"kid": 10**300}, {"alg": "none"}, {"b64": False}, {"crit": ["x"]}]
)
def test_a_header_cannot_choose_how_it_is_checked(
    guarded_clinic: grpc.Channel, keys: KeyFolder, change: dict[str, object]
) -> None:
    key = keys.private_key("orchestrator")
    header = {"alg": "EdDSA", "typ": "JWT", "kid": key_id_of(key), **change}
    assert refusals(guarded_clinic, f"Bearer {raw_token(header, payload_of(token_for(keys)), key)}") == {
        "UNAUTHENTICATED"
    }


def test_more_metadata_than_grpc_takes_is_refused_by_it(guarded_clinic: grpc.Channel) -> None:
    with pytest.raises(grpc.RpcError) as refused:
        ClinicServiceStub(guarded_clinic).ListAvailableSlots(
            pb.ListAvailableSlotsRequest(), timeout=DEADLINE_S, metadata=(("authorization", f"Bearer {'x' * 60_000}"),)
        )
    assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


def test_a_good_token_is_let_in_here(guarded_clinic: grpc.Channel, keys: KeyFolder) -> None:
    assert refusals(guarded_clinic, f"Bearer {token_for(keys)}") == {""}
    assert refusals(guarded_clinic, token_for(keys), key="x-authorization") == {"UNAUTHENTICATED"}
