"""Prompt texts of the package `prompts`, their placeholders checked at start, and the fence around data."""

import json
import secrets
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

import prompts
from mesh.arguments import Json
from mesh.errors import UsageError

_FOLDER = Path(prompts.__path__[0])


class PromptError(UsageError):
    """A prompt's text and the code that fills it do not fit; the message names the file and the placeholder."""

    def __init__(self, fault: str) -> None:
        super().__init__(f"prompts: {fault}")


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """A text with well-formed placeholders."""

    file: str  # names it in messages
    template: Template = field(repr=False)

    def fill(self, **values: str) -> str:
        """Return the text with its placeholders replaced, once; raise PromptError when names and values differ."""
        _same(self.file, self.template.get_identifiers(), values, "the values given")
        return self.template.substitute(values)


def read_prompt(name: str, placeholders: Collection[str], folder: Path | None = None) -> PromptTemplate:
    """Return a prompt of `prompts`, or of a folder, by its file name without ".txt".

    Raise PromptError unless it is UTF-8 text with exactly `placeholders`, as `$name` or `${name}`; `$$` is a dollar.
    """
    file = f"{name}.txt"
    try:
        template = Template(((folder or _FOLDER) / file).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise PromptError(f"{file}: no text in UTF-8 there") from error
    if not template.is_valid():
        raise PromptError(f"{file}: a dollar that begins no placeholder; a plain one is written $$")
    _same(file, template.get_identifiers(), placeholders, "what the code fills in")
    return PromptTemplate(file, template)


def fenced(data: Json) -> str:
    """Return data as JSON between `<data-MARK>` and `</data-MARK>`, on lines of their own."""
    # With a new mark in each call and no `<` or `>`, nothing in the data closes the fence or opens another.
    mark = f"data-{secrets.token_hex(8)}"
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace").decode("utf-8")
    escaped = text.replace("<", r"\u003c").replace(">", r"\u003e")
    return f"<{mark}>\n{escaped}\n</{mark}>"


def _same(file: str, placeholders: Collection[str], names: Collection[str], what: str) -> None:
    faults = [f"the placeholder ${name} is missing" for name in sorted(set(names) - set(placeholders))]
    faults += [f"${name} is not among {what}" for name in sorted(set(placeholders) - set(names))]
    if faults:
        raise PromptError(f"{file}: {'; '.join(faults)}")
