"""What a person is shown, as blocks, and what the verifier says of it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, TypeVar

from orchestrator.turn.identity import Language
from orchestrator.turn.memory_calls import MemoryResult
from orchestrator.turn.routing import FallbackPolicy
from orchestrator.turn.topics import Topic

_T = TypeVar("_T")

_NOTHING = "—"  # in place of an empty cell, so that those after it stay under their headings


class Rule(StrEnum):
    """The rules that a reply is held to."""

    R1 = "R1"  # no dosage or treatment that the clinics' data does not hold
    R2 = "R2"  # no personal data of anyone but the person who speaks
    R3 = "R3"  # no diagnosis, no medical advice
    R4 = "R4"  # no claim of a write without this turn's receipt, nothing that matches left out
    AUDIT = "AUDIT"  # a model's audit that names no rule, or that cannot be read


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether something may be shown."""

    rule: Rule | None = None  # the rule that was broken; None when it is safe
    note: str = "OK"  # "OK", or what was found, in English and without repeating it
    audit: str = field(default="", repr=False, compare=False)  # a model's own note on it, for the log alone

    @property
    def safe(self) -> bool:
        """Whether it may be shown."""
        return self.rule is None


SAFE = Verdict()


class Part(StrEnum):
    """What is looked for among the blocks of a reply."""

    SLOTS = "slots"  # openings to choose from
    RECEIPT = "receipt"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    text: str = field(repr=False)
    private: bool = False  # it repeats what is remembered of the person; it is shown and never logged
    part: ClassVar[Part | None] = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings."""

    columns: tuple[str, ...]  # headings
    rows: tuple[tuple[str, ...], ...] = field(repr=False)  # cells, as many a row as there are headings
    # index of the row to stand out; None for none. What it stands out for is also said in words in a cell
    marked: int | None = None
    private: bool = False  # the rows are about patients, or about who speaks; they are shown and never logged
    part: Part | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """One thing with its properties: a proposal, a receipt, a record."""

    title: str
    rows: tuple[tuple[str, str], ...] = field(repr=False)  # pairs of a label and a value
    private: bool = False  # the rows are a patient's record; they are shown and never logged
    part: Part | None = None


Block = Paragraph | Table | Card


class TurnOutcome(StrEnum):
    """How a turn ended, for front ends that must tell a script."""

    OK = "ok"
    PARTIAL = "partial"  # some clinics did not answer
    ALL_DOWN = "all_down"  # no clinic that was asked answered
    CONFIRM = "confirm"  # a proposal waits for a yes
    REFUSED = "refused"  # a clinic, the verifier or the planner said no
    UNKNOWN_WRITE = "unknown_write"  # a write may or may not have been made
    CANCELLED = "cancelled"  # the person stopped the turn


@dataclass(frozen=True, slots=True)
class FallbackUse:
    """What was done with a request that no agent is for, and why none is."""

    mode: FallbackPolicy
    reason: Topic


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer to one utterance."""

    language: Language
    outcome: TurnOutcome  # how the turn ended
    blocks: tuple[Block, ...]  # what is said, in order
    memory: tuple[MemoryResult, ...] = field(default=(), repr=False)  # the blocks say it too
    wish: str = ""  # the openings that were wanted, in words; empty where none were looked for
    fallback: FallbackUse | None = None  # None: the request was some agent's, or the desk's own

    @property
    def plain(self) -> str:
        """The reply as plain text: a line a row, cells joined by " | ", blocks parted by an empty line."""
        return "\n\n".join(plain_text(block) for block in self.blocks)

    @property
    def loggable(self) -> str:
        """The plain text without the blocks that are private; it still has to be redacted."""
        return "\n\n".join(plain_text(block) for block in self.blocks if not block.private)


def plain_text(block: Block) -> str:
    """Return a block as plain text: a line a row, cells joined by " | "."""
    match block:
        case Paragraph(text):
            return text
        case Table(rows=rows):
            return "\n".join(map(_plain_row, rows))
        case Card(title=title, rows=rows):
            return "\n".join([title, *(f"  {label}: {value}" for label, value in rows)])


def _plain_row(row: Sequence[str]) -> str:
    cells = list(row)
    while cells and not cells[-1]:
        cells.pop()
    return " | ".join([cell or _NOTHING for cell in cells] if "" in cells else cells)


def markdown(block: Block) -> str:
    """Return a block as Markdown."""
    match block:
        case Paragraph(text):
            return text
        case Table(columns=columns, rows=rows):
            table = (columns, ["---"] * len(columns), *rows)
            escaped = ([cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in table)
            return "\n".join(f"| {' | '.join(row)} |" for row in escaped)
        case Card(title=title, rows=rows):
            return "\n".join([f"**{title}**", "", *(f"- {label}: {value}" for label, value in rows)])


def estimated_tokens(text: str) -> int:
    """Return the number of tokens in a text, by an estimate that is rather too high."""
    return -(-len(text.encode("utf-8", "replace")) // 3)  # bytes a token


def within_budget(entries: Iterable[_T], most: int, size: Callable[[_T], int]) -> Iterator[_T]:
    """Yield the first entries, as many as have a size of at most `most` together."""
    for entry in entries:
        most -= size(entry)
        if most < 0:
            return
        yield entry
