"""What is read of an HTTP error holds for any error that a server may send."""

import math
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from orchestrator.journal.events import Purpose
from orchestrator.llm.language_model import ModelConfiguration, ModelRequest, Provider
from orchestrator.llm.openai.api_features import ApiFeatures, ServerRefusal

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
CONFIGURATION = ModelConfiguration(provider=Provider.OPENAI, model="m")
REQUEST = ModelRequest(Purpose.PLAN, "", "plan", schema={"type": "object"})

KEYS = st.sampled_from(["code", "param", "message", "detail", "loc", "other"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.sampled_from(["max_tokens", "temperature"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=8,
)
WAIT = st.text(max_size=20) | st.floats().map(str) | st.just("Fri, 31 Dec 9999 23:59:59 -9999")


@given(st.integers(300, 599), JSON, WAIT, WAIT)
def test_any_error_has_a_meaning(status: int, body: object, seconds: str, milliseconds: str) -> None:
    refusal = ServerRefusal.of(status, body, {"retry-after": seconds, "retry-after-ms": milliseconds}, NOW)
    error = refusal.as_error(CONFIGURATION)
    assert str(error).startswith(f"HTTP {status}: ")
    assert error.retry_after_s is None or 0 <= error.retry_after_s < math.inf


@given(JSON)
def test_any_refusals_come_to_an_end(body: object) -> None:
    refusal = ServerRefusal.of(400, body, {}, NOW)
    features: ApiFeatures | None = ApiFeatures()
    for _ in range(8):
        if features is not None:
            features = features.after(refusal, REQUEST)
    assert features is None


def test_a_date_counts_from_now() -> None:
    refusal = ServerRefusal.of(429, None, {"retry-after": "Fri, 02 Jan 2026 03:04:35 GMT"}, NOW)
    assert refusal.retry_after_s == 30.0
