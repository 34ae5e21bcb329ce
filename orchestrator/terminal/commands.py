"""The slash commands: one table, from a name to what it does.

A command is a function of the scene and its argument; it returns an action and does nothing itself. A line that begins
with a slash is never sent to the conversation as it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from difflib import get_close_matches

from orchestrator.language import Language
from orchestrator.reply import Block, Paragraph, Table
from orchestrator.session import Session
from orchestrator.terminal.privacy_commands import CLEAR, LogOut, OpenHistory, who
from orchestrator.terminal.privacy_texts import PRIVACY_TEXTS
from orchestrator.terminal.scene import Scene
from orchestrator.terminal.texts import TEXTS


@dataclass(frozen=True, slots=True)
class Show:
    """Draw these blocks."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Say:
    """Send this to the conversation, as if it had been typed."""

    utterance: str


@dataclass(frozen=True, slots=True)
class Change:
    """Go on with this session, and draw these blocks."""

    session: Session
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Reload:
    """Read the registry of the agents again."""


@dataclass(frozen=True, slots=True)
class Research:
    """Open the research desk, and come back."""


@dataclass(frozen=True, slots=True)
class Leave:
    """End the terminal."""


Action = Show | Say | Change | OpenHistory | LogOut | Reload | Research | Leave


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command.

    Attributes:
        run: What it does with the scene and the text behind its name.
        arguments: The texts that may stand behind its name, for completion and help.
    """

    run: Callable[[Scene, str], Action]
    arguments: Callable[[Scene], tuple[str, ...]] = lambda _: ()


def run_command(line: str, scene: Scene) -> Action:
    """Return what a line that begins with a slash asks for; an unknown command gives a hint.

    Args:
        line: The line, clean.
        scene: The moment.
    """
    name, _, argument = line.partition(" ")
    command = COMMANDS.get(name.lower())
    return _unknown(name, scene) if command is None else command.run(scene, argument.strip())


def _unknown(name: str, scene: Scene) -> Action:
    texts = TEXTS[scene.language]
    near = get_close_matches(name.lower(), COMMANDS, n=1, cutoff=0.5)
    hint = (
        texts.nearest_command.format(near=near[0])
        if near
        else texts.known_commands.format(commands=", ".join(COMMANDS))
    )
    # The name is not repeated whole: it may be a sentence that begins with a slash by mistake.
    return _text(f"{texts.unknown_command.format(command=name[:20])} {hint}")


def _help(scene: Scene, _: str) -> Action:
    texts = TEXTS[scene.language]
    rows = tuple((usage(name, scene), texts.summaries[name]) for name in COMMANDS)
    examples = "\n".join([texts.help_title, *(f"  {example}" for example in texts.help_examples)])
    return Show((Paragraph(examples), Table(texts.help_columns, rows)))


def usage(name: str, scene: Scene) -> str:
    """Return a command's name with what may stand behind it: "/lang [pt|en|auto]"."""
    arguments = COMMANDS[name].arguments(scene)
    return f"{name} [{'|'.join(arguments)}]" if arguments else name


def _clinics(scene: Scene, _: str) -> Action:
    texts = TEXTS[scene.language]
    rows = tuple(
        (
            station.clinic.name,
            texts.specialties.get(station.clinic.specialty, station.clinic.specialty),
            station.address,
            texts.up if station.is_up else texts.down,
            ", ".join(station.clinic.doctors) or "—",
        )
        for station in scene.stations
    )
    return Show((Table(texts.clinics_columns, rows),))


def _slots(scene: Scene, argument: str) -> Action:
    texts = TEXTS[scene.language]
    if argument:
        return Say(texts.ask_slots.format(specialty=argument))
    rows = tuple(
        (
            str(offer.number),
            _day(offer.date, scene),
            f"{offer.time:%H:%M}",
            offer.doctor,
            scene.clinic_name(offer.clinic),
        )
        for offer in scene.session.offers
    )
    return Show((Table(texts.slots_columns, rows),)) if rows else _text(texts.no_slots)


def _slot_arguments(scene: Scene) -> tuple[str, ...]:
    names = TEXTS[scene.language].specialties
    return tuple(names.get(code, code).lower() for code in scene.specialties)


def _bookings(scene: Scene, _: str) -> Action:
    texts = TEXTS[scene.language]
    rows = tuple(
        (
            texts.receipts[receipt.kind.value],
            _day(receipt.appointment.date, scene),
            f"{receipt.appointment.time:%H:%M}",
            receipt.appointment.doctor,
            scene.clinic_name(receipt.appointment.clinic),
        )
        for receipt in scene.session.receipts
    )
    return Show((Table(texts.bookings_columns, rows),)) if rows else _text(texts.no_bookings)


def _memory(scene: Scene, argument: str) -> Action:
    """Asks the conversation, which alone knows what is remembered."""
    texts = TEXTS[scene.language]
    if not scene.remembers:
        return _text(texts.memory_off)
    match argument.lower().split():
        case []:
            return Say(texts.ask_memories)
        case ["clear"]:
            return Say(texts.forget_all_memories)
        case ["forget", number] if number.isdecimal():
            return Say(texts.forget_memory.format(number=number))
        case _:
            return _text(texts.memory_usage)


def _why(scene: Scene, _: str) -> Action:
    return Show(scene.trace) if scene.trace else _text(TEXTS[scene.language].no_turn)


def _lang(scene: Scene, argument: str) -> Action:
    choice = argument.lower()
    session = scene.session
    if choice == _FOLLOW:
        return Change(replace(session, pinned_language=None), _text(TEXTS[scene.language].lang_auto).blocks)
    if choice in set(Language):
        language = Language(choice)
        pinned = replace(session, pinned_language=language, language=language)
        return Change(pinned, _text(TEXTS[language].lang_set).blocks)
    return _text(TEXTS[scene.language].lang_usage)


def _whoami(scene: Scene, _: str) -> Action:
    return Show((who(scene),))


def _history(scene: Scene, argument: str) -> Action:
    if argument.lower() in {"", CLEAR}:
        return OpenHistory(clears=bool(argument))
    return _text(PRIVACY_TEXTS[scene.language].history_usage)


def _logout(_: Scene, __: str) -> Action:
    return LogOut()


def _reload(_: Scene, __: str) -> Action:
    return Reload()


def _research(_: Scene, __: str) -> Action:
    return Research()


def _quit(_: Scene, __: str) -> Action:
    return Leave()


def _text(text: str) -> Show:
    return Show((Paragraph(text),))


def _day(day: date, scene: Scene) -> str:
    return f"{day:%d/%m/%Y}" if scene.language is Language.PT else day.isoformat()


_FOLLOW = "auto"

COMMANDS: Mapping[str, Command] = {
    "/help": Command(_help),
    "/clinics": Command(_clinics),
    "/slots": Command(_slots, _slot_arguments),
    "/bookings": Command(_bookings),
    "/memory": Command(_memory, lambda _: ("forget", "clear")),
    "/why": Command(_why),
    "/lang": Command(_lang, lambda _: (*Language, _FOLLOW)),
    "/whoami": Command(_whoami),
    "/history": Command(_history, lambda _: (CLEAR,)),
    "/logout": Command(_logout),
    "/reload": Command(_reload),
    "/research": Command(_research),
    "/quit": Command(_quit),
}
"""All commands by name, in the order of /help."""
