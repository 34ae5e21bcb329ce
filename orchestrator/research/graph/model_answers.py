"""Asks a language model on behalf of an agent, and reads an answer of a given form; nothing where there is none.

A model that fails, declines or answers in another form is not asked again: the rules have an answer of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from mesh.arguments import Json
from orchestrator.llm import Asker, JsonSchema, Message, ModelError, ModelRequest, PromptTemplate, fenced, json_in
from orchestrator.turn import Language, Purpose

PLACEHOLDERS = frozenset({"language"})
"""What each prompt of the desk leaves open."""

_MAX_TOKENS = 512


class AnswerForm(BaseModel):
    """The form of an answer; it may ask for more than its schema, which tells only what every server takes."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


_F = TypeVar("_F", bound=AnswerForm)


def object_of(**properties: JsonSchema) -> JsonSchema:
    """Return the schema of an object that has these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


TEXT: JsonSchema = {"type": "string"}


def asked(
    asker: Asker,
    purpose: Purpose,
    prompt: PromptTemplate,
    language: Language,
    data: Mapping[str, Json],
    form: type[_F],
    schema: JsonSchema,
    temperature: float = 0.0,
) -> _F | None:
    """Return a model's answer; None when there is none of that form.

    Args:
        asker: The model, for this turn.
        purpose: What it is asked for.
        prompt: What it is told, with `PLACEHOLDERS`.
        language: That it answers in.
        data: What it is asked about, without what identifies anybody.
        form: What an answer is.
        schema: What the model is told of that.
        temperature: 0.0 for the same answer each time.
    """
    request = ModelRequest(
        purpose,
        (Message("system", prompt.fill(language=language.english_name)), Message("user", fenced(dict(data)))),
        temperature,
        schema=schema,
        max_tokens=_MAX_TOKENS,
    )
    try:
        return form.model_validate(json_in(asker.ask(request)))
    except (ModelError, ValidationError, ValueError):
        return None
