"""What a scripted model server may reply, and how the good answers look on the wire.

Nothing is sent from here.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Body = dict[str, Any]
"""A Chat Completions request or response, as JSON holds it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A completion.

    Attributes:
        text: The text.
        chunks: The text as a stream brings it; empty: the text's words.
        refusal: What a model says instead of the text; None: it does not decline.
        finish_reason: Why it ended; None: it never says.
        usage: Prompt and completion tokens; None: it does not say.
        ignores_stream: A plain answer to a request for a stream.
        breaks_off: The connection closes before the end.
        held_until: The last piece is sent when this is set.
        extra: Stream chunks of other shapes that come first.
    """

    text: str = "ok"
    chunks: Sequence[str] = ()
    refusal: str | None = None
    finish_reason: str | None = "stop"
    usage: tuple[int, int] | None = (11, 7)
    ignores_stream: bool = False
    breaks_off: bool = False
    held_until: threading.Event | None = None
    extra: Sequence[Body] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """An HTTP error.

    Attributes:
        status: The status code.
        error: What stands under "error".
        headers: Headers, such as Retry-After.
        body: The whole body in place of one with `error`.
        breaks_off: The connection closes in the middle of the body.
    """

    status: int
    error: Mapping[str, object] = field(default_factory=lambda: {"message": "something is wrong"})
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    breaks_off: bool = False


@dataclass(frozen=True, slots=True)
class Garbage:
    """Status 200 and any bytes, said to be of a media type and in an encoding."""

    body: bytes
    content_type: str = "application/json"
    encoding: str = "identity"


@dataclass(frozen=True, slots=True)
class Silence:
    """No answer ever; `ChatServer.hung_up` is set when the client gives up."""


@dataclass(frozen=True, slots=True)
class Drip:
    """A stream that goes on, a word every few milliseconds, until the client gives up; then `hung_up` is set."""


@dataclass(frozen=True, slots=True)
class HangUp:
    """The connection closes without an answer."""


Reply = str | Answer | Fault | Garbage | Silence | Drip | HangUp
Script = Sequence[Reply] | Callable[[Body], Reply]


def completion(answer: Answer) -> Body:
    message = {"role": "assistant", "content": None if answer.refusal else answer.text, "refusal": answer.refusal}
    choice = {"index": 0, "message": message, "finish_reason": answer.finish_reason}
    return {"id": "c-1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]} | _usage(answer)


def chunks(answer: Answer, *, with_usage: bool) -> Iterator[Body]:
    common = {"id": "c-1", "object": "chat.completion.chunk", "created": 0, "model": "m"}

    def chunk(delta: Mapping[str, object], finish_reason: str | None = None) -> Body:
        return {**common, "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}

    yield chunk({"role": "assistant", "content": ""})
    if answer.refusal:
        yield chunk({"refusal": answer.refusal})
    else:
        for piece in answer.chunks or re.findall(r"\S*\s*", answer.text):
            if piece:
                yield chunk({"content": piece})
    if answer.finish_reason:
        yield chunk({}, answer.finish_reason)
    if with_usage:
        yield {**common, "choices": []} | _usage(answer)


def _usage(answer: Answer) -> Body:
    if answer.usage is None:
        return {}
    prompt, completion = answer.usage
    return {"usage": {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}}
