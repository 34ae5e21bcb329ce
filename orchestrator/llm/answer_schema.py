"""The JSON Schema of the form of an answer, in what a server's strict mode takes anywhere."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from orchestrator.llm.language_model import JsonSchema

if TYPE_CHECKING:  # a prompt without a model does not load it
    from pydantic import BaseModel

_OF_VALIDATION = frozenset(
    {"title", "description", "default", "minItems", "maxItems", "minLength", "maxLength", "format", "discriminator"}
)
"""What validation knows and strict mode does not take; a property may have such a name."""


@cache
def strict_schema(form: type[BaseModel]) -> JsonSchema:
    """Return the schema of a form, in which every member is required; what is used once is defined where it is used."""
    schema = form.model_json_schema()
    definitions = schema.pop("$defs", {})
    uses = Counter(re.findall(r'"#/\$defs/(\w+)"', json.dumps([schema, definitions])))
    shared = {name: _strict(part, definitions, uses) for name, part in definitions.items() if uses[name] > 1}
    return _strict(schema, definitions, uses) | ({"$defs": shared} if shared else {})  # type: ignore[no-any-return]


def _strict(part: Any, definitions: Mapping[str, Any], uses: Mapping[str, int]) -> Any:  # noqa: ANN401 - JSON
    if isinstance(part, list):
        return [_strict(one, definitions, uses) for one in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        return _strict(definitions[name], definitions, uses) if uses[name] == 1 else {"$ref": part["$ref"]}
    plain = {
        name: _strict(value, definitions, uses)
        for name, value in part.items()
        if name not in _OF_VALIDATION or isinstance(value, dict)
    }
    if all(one.keys() == {"type"} for one in plain.get("anyOf", [{}])):
        plain["type"] = [one["type"] for one in plain.pop("anyOf")]
    if "const" in plain:
        plain["enum"] = [plain.pop("const")]
    if "properties" in plain:
        plain |= {"required": list(plain["properties"]), "additionalProperties": False}
    return plain
