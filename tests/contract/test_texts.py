"""The catalogues and the code agree: both languages say the same, and every text is used with all that it needs."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from orchestrator.console.desk_commands import DESK_COMMANDS
from orchestrator.journal import ModelFailure, Purpose
from orchestrator.research.rules import Aspect, Element, ScreeningRefusal
from orchestrator.responder import Label
from orchestrator.settings import HistoryKind
from orchestrator.terminal.clinic_commands import COMMANDS
from orchestrator.texts import TextKeyError, Texts, texts_in
from orchestrator.turn import AskedFact, Language, MemoryKind, ReceiptKind, Role, Rule, StepStatus, Topic

ORCHESTRATOR = Path(__file__).parents[2] / "orchestrator"
PLURAL = {"one", "many"}
ACCESSORS = {"text", "counted", "lines", "table"}
HOLE = "\0"

TABLES: Mapping[str, Iterable[str]] = {
    "research.aspects": Aspect,
    "research.terminal.summaries": DESK_COMMANDS,
    "research.gaps": Element,
    "research.refusals": ScreeningRefusal,
    "responder.blocked": Rule,
    "responder.consent.receipts": ReceiptKind,
    "responder.consent.after_receipt": ReceiptKind,
    "responder.facts.labels": AskedFact,
    "responder.labels": Label,
    "responder.memory.kinds": MemoryKind,
    "responder.topics": Topic,
    "terminal.commands": COMMANDS,
    "terminal.model.at_work": Purpose,
    "terminal.model.calls": Purpose,
    "terminal.model.failures": ModelFailure,
    "terminal.privacy.histories": HistoryKind,
    "terminal.privacy.roles": Role,
    "terminal.turn.answered": StepStatus,
}
"""The tables whose keys are all members of an enum, or all commands."""


def catalogue(language: Language) -> Mapping[str, object]:
    return tomllib.loads((ORCHESTRATOR / "texts" / f"{language}.toml").read_text(encoding="utf-8"))


def entries(node: object, prefix: str = "") -> Iterator[tuple[str, str | list[str] | Mapping[str, str]]]:
    """Yield each key with its text, its list of texts, or its plural."""
    if isinstance(node, dict) and set(node) != PLURAL:
        for name, inner in node.items():
            yield from entries(inner, f"{prefix}.{name}" if prefix else name)
    else:
        assert isinstance(node, str | list | dict), f"{prefix} is neither a text, a list nor a plural"
        yield prefix, node


OWN_FORM = {"names.date"}
"""Texts whose placeholders are each language's own: it names a month, or numbers it."""


def placeholders(entry: str | list[str] | Mapping[str, str]) -> set[str]:
    texts = [entry] if isinstance(entry, str) else entry.values() if isinstance(entry, dict) else entry
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name is not None}


@cache
def reading(key: str, *, is_table: bool) -> re.Pattern[str]:
    """Return what all keys are like that are read by a key with holes; of a table, all that is in it."""
    pattern = re.escape(key).replace(re.escape(HOLE), "[^.]+")
    return re.compile(pattern + (r"(\..+)?" if is_table else ""))


@cache
def trees() -> Mapping[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(ORCHESTRATOR.rglob("*.py"))}


@dataclass(frozen=True, slots=True)
class Use:
    """A place in the code that reads the catalogue.

    Attributes:
        place: The module and the line.
        accessor: The method that is called.
        key: The key; a hole of an f-string is `HOLE`.
        values: The names of the values; None where `**` passes more of them.
    """

    place: str
    accessor: str
    key: str
    values: frozenset[str] | None

    def matches(self, key: str) -> bool:
        """Return whether the key, or the table that it is in, is the one that is read."""
        is_table = self.accessor == "table"
        if HOLE not in self.key and not is_table:
            return key == self.key
        return reading(self.key, is_table=is_table).fullmatch(key) is not None


def literal_keys(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(key)):
            yield key
        case ast.JoinedStr(values=parts):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else HOLE for part in parts)
        case ast.IfExp(body=body, orelse=otherwise):
            yield from literal_keys(body)
            yield from literal_keys(otherwise)
        case _:
            pass


def uses() -> Iterator[Use]:
    for path, tree in trees().items():
        source = path.read_text(encoding="utf-8")
        if not re.search(r"orchestrator\.texts|\.texts\b|class Texts|FleetError\(", source):
            continue
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Attribute(attr=accessor), args=[first, *_], keywords=keywords) if (
                    accessor in ACCESSORS
                ):
                    names = frozenset(keyword.arg for keyword in keywords if keyword.arg is not None)
                    values = None if len(names) < len(keywords) else names
                    for key in literal_keys(first):
                        yield Use(f"{path.relative_to(ORCHESTRATOR)}:{node.lineno}", accessor, key, values)
                case ast.Call(
                    func=ast.Name("FleetError") | ast.Attribute(attr="FleetError"), args=[trouble], keywords=keywords
                ):
                    names = frozenset(keyword.arg for keyword in keywords if keyword.arg is not None)
                    values = None if len(names) < len(keywords) else names
                    for key in literal_keys(trouble):
                        place = f"{path.relative_to(ORCHESTRATOR)}:{node.lineno}"
                        yield Use(place, "text", f"fleet.trouble.{key}", values)
                case _:
                    pass


TROUBLES = f"fleet.trouble.{HOLE}"
"""Read by the error itself; what raises it names the trouble."""

USES = [use for use in uses() if "." in use.key and not use.key.startswith(HOLE) and use.key != TROUBLES]


def test_every_language_has_a_catalogue_and_there_is_no_other() -> None:
    assert {path.stem for path in (ORCHESTRATOR / "texts").glob("*.toml")} == set(Language)


def test_both_languages_have_the_same_keys_in_the_same_order() -> None:
    portuguese, english = ([key for key, _ in entries(catalogue(language))] for language in Language)
    assert portuguese == english


def test_both_languages_have_the_same_placeholders_and_lists_of_one_length() -> None:
    portuguese, english = (dict(entries(catalogue(language))) for language in Language)
    filled = [
        {key: placeholders(entry) for key, entry in texts.items() if key not in OWN_FORM}
        for texts in (portuguese, english)
    ]
    assert filled[0] == filled[1]
    lengths = [
        {key: len(entry) for key, entry in texts.items() if isinstance(entry, list)} for texts in (portuguese, english)
    ]
    assert lengths[0] == lengths[1]


def test_every_text_is_used() -> None:
    unused = [key for key, _ in entries(catalogue(Language.PT)) if not any(use.matches(key) for use in USES)]
    assert unused == []


def test_every_key_that_is_used_exists_and_is_read_as_what_it_is() -> None:
    known = dict(entries(catalogue(Language.PT)))
    kinds = {"text": str, "counted": dict, "lines": list}

    def fits(use: Use) -> bool:
        found = [entry for key, entry in known.items() if use.matches(key)]
        return bool(found) and (use.accessor == "table" or all(type(it) is kinds[use.accessor] for it in found))

    assert [f"{use.place} {use.key}" for use in USES if not fits(use)] == []


def test_every_placeholder_is_filled_in() -> None:
    known = dict(entries(catalogue(Language.PT)))
    unfilled = [
        f"{use.place} {key}"
        for use in USES
        if use.accessor in {"text", "counted"} and use.values is not None
        for key, entry in known.items()
        if use.matches(key) and placeholders(entry) - use.values - ({"count"} if use.accessor == "counted" else set())
    ]
    assert unfilled == []


def test_keys_are_literals() -> None:
    """A key that a test cannot read is a key that it cannot check."""
    unreadable = [
        f"{path.relative_to(ORCHESTRATOR)}:{node.lineno}"
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ACCESSORS
        and re.search(r"texts(_in\(.*\)|_of_locale\(\))?$", ast.unparse(node.func.value))
        and not list(literal_keys(node.args[0]))
    ]
    assert unreadable == []


@pytest.mark.parametrize(("table", "members"), TABLES.items(), ids=list(TABLES))
def test_a_table_has_an_entry_for_each_member(table: str, members: Iterable[str]) -> None:
    node: object = catalogue(Language.PT)
    for name in table.split("."):
        assert isinstance(node, dict)
        node = node[name]
    assert isinstance(node, dict)
    assert set(node) == set(members)


def test_an_unknown_key_a_wrong_kind_and_an_unfilled_placeholder_raise() -> None:
    texts = texts_in(Language.EN)
    with pytest.raises(TextKeyError, match=r"en\.toml: .*responder\.nothing"):
        texts.text("responder.nothing")
    with pytest.raises(TextKeyError):
        texts.lines("responder.conjunction")
    with pytest.raises(KeyError, match="filter"):
        texts.text("responder.listing.filtered")


def test_a_value_that_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match=r"names\.count"):
        Texts(Language.EN, {"names": {"count": 3}})


def test_one_and_many_follow_the_count() -> None:
    texts = Texts(Language.EN, {"found": {"one": "one {thing}", "many": "{count} {thing}s"}})
    assert [texts.counted("found", count, thing="slot") for count in (0, 1, 2)] == ["0 slots", "one slot", "2 slots"]


def test_names_are_written_in_the_language() -> None:
    portuguese, english = texts_in(Language.PT), texts_in(Language.EN)
    assert (portuguese.weekday(5), english.weekday(5)) == ("sábado", "Saturday")
    assert (portuguese.decimal(2.04), english.decimal(2.04)) == ("2,0", "2.0")
