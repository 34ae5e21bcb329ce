"""What goes to a model, from prompt to JSON Schema of a form; and what came back: one JSON value, or plain text."""

import json
import re
import secrets
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

import prompts
from mesh.arguments import Json
from mesh.errors import UsageError
from mesh.strict_document import members_once
from orchestrator.llm.language_model import JsonSchema

_FOLDER = Path(prompts.__path__[0])

if TYPE_CHECKING:  # a prompt without a model does not load it
    from pydantic import BaseModel, JsonValue

_MAX_CHARACTERS = 200_000  # a model's longest answer is a few thousand tokens; more is no answer
_MAX_DEPTH = 64

_OPENING = re.compile(r"[\[{]")
# A string, up to the text's end when it is not closed, or a bracket. Possessive: an open string costs one pass.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)

_MEANT = re.compile(r'[\[\s]*\{\s*"')  # prose has brackets too, but not these
_THOUGHTS_END = "</think>"  # some servers leave a reasoning model's thoughts in the text, before the answer

_MARKDOWN = [
    (re.compile(pattern, re.MULTILINE), plain)
    for pattern, plain in tomllib.loads(Path(__file__).with_name("markdown.toml").read_text("utf-8"))["plain"]
]

_OF_VALIDATION = frozenset(
    {"title", "description", "default", "minItems", "maxItems", "minLength", "maxLength", "format", "discriminator"}
)  # what validation knows and strict mode does not take; a property may have such a name


class PromptError(UsageError):
    """A prompt's text and the code that fills it do not fit; the message names the file and the placeholder."""


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """A text with well-formed placeholders."""

    place: str  # its folder and file, as messages name it
    template: Template = field(repr=False)

    def fill(self, **values: str) -> str:
        """Return the text with its placeholders replaced, once; raise PromptError when names and values differ."""
        _same(self.place, self.template.get_identifiers(), values, "the values given")
        return self.template.substitute(values)


def read_prompt(name: str, placeholders: Collection[str], folder: Path | None = None) -> PromptTemplate:
    """Return a prompt of `prompts`, or of a folder, by its file name without ".txt".

    Raise PromptError unless it is UTF-8 text with exactly `placeholders`, as `$name` or `${name}`; `$$` is a dollar.
    """
    place = f"prompts: {name}.txt"
    try:
        template = Template(((folder or _FOLDER) / f"{name}.txt").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise PromptError(f"{place}: no text in UTF-8 there") from error
    if not template.is_valid():
        raise PromptError(f"{place}: a dollar that begins no placeholder; a plain one is written $$")
    _same(place, template.get_identifiers(), placeholders, "what the code fills in")
    return PromptTemplate(place, template)


def fenced(data: Json) -> str:
    """Return data as JSON between `<data-MARK>` and `</data-MARK>`, on lines of their own."""
    # With a new mark in each call and no `<` or `>`, nothing in the data closes the fence or opens another.
    mark = f"data-{secrets.token_hex(8)}"
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace").decode("utf-8")
    escaped = text.replace("<", r"\u003c").replace(">", r"\u003e")
    return f"<{mark}>\n{escaped}\n</{mark}>"


def _same(place: str, placeholders: Collection[str], names: Collection[str], what: str) -> None:
    faults = [f"the placeholder ${name} is missing" for name in sorted(set(names) - set(placeholders))]
    faults += [f"${name} is not among {what}" for name in sorted(set(placeholders) - set(names))]
    if faults:
        raise PromptError(f"{place}: {'; '.join(faults)}")


def json_in(text: str) -> "JsonValue":
    """Return a text's only JSON object or list, no name twice; raise ValueError, which does not quote the text."""
    if len(text) > _MAX_CHARACTERS:
        raise ValueError(f"more than {_MAX_CHARACTERS} characters")
    if not text.lstrip().startswith(("{", "[")):
        text = text.rpartition(_THOUGHTS_END)[2]
    found: JsonValue = None
    for span in dict.fromkeys(_spans(text)):
        value = _parsed(span)
        if value is None and _MEANT.match(span):
            raise ValueError("malformed JSON")
        if value is not None and found is not None and json.dumps(value) != json.dumps(found):
            raise ValueError("several JSON values that differ")
        found = found if value is None else value
    if found is None:
        raise ValueError("no JSON object or list")
    return found


def _spans(text: str) -> Iterator[str]:
    position = 0
    while (opening := _OPENING.search(text, position)) is not None:
        position = _end_of(text, opening.start())
        yield text[opening.start() : position]


def _end_of(text: str, start: int) -> int:
    depth = 0
    for token in _TOKEN.finditer(text, start):
        if token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth -= 1
        if depth > _MAX_DEPTH:
            raise ValueError(f"more than {_MAX_DEPTH} levels deep")
        if depth == 0:
            return token.end()
    raise ValueError("a JSON value that is not closed")


def _parsed(span: str) -> "JsonValue":
    try:
        value: JsonValue = json.loads(span, object_pairs_hook=members_once)
        # Fails at half a surrogate pair, which nothing could write, and at numbers that are none or beyond a double.
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return None
    return value


def without_markdown(text: str) -> str:
    """Return a text without markdown, control characters and characters that change the direction of writing."""
    characters = text.replace("\r\n", "\n").replace("\t", " ")
    plain = "".join(one for one in characters if one == "\n" or unicodedata.category(one)[0] != "C")
    for pattern, replacement in _MARKDOWN:
        plain = pattern.sub(replacement, plain)
    return plain.strip()


@cache
def strict_schema(form: "type[BaseModel]") -> JsonSchema:
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
