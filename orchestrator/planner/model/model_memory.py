"""Decide which memory calls of a model stand beside its plan: saves in the person's own words, and no forgetting."""

from collections.abc import Iterable, Sequence

from orchestrator.planner.about_self import own_words, say_much_the_same, tells_of_health
from orchestrator.planner.dialogue import Situation
from orchestrator.planner.lexicon import table
from orchestrator.planner.model.turn_form import ForgetForm, MemoryForm, RememberForm
from orchestrator.planner.text import fold_phrase, normalise
from orchestrator.privacy import BUT_OTHER_NAMES, Redactor
from orchestrator.turn import MAX_CONTENT, MIN_CONTENT, ForgetAllMemories, ForgetMemory, MemoryCall, SaveMemory

MAX_CALLS = 3  # calls of a turn; nobody says more of themselves in one utterance
_TOO_MANY = f"Memory calls beyond the first {MAX_CALLS} were left out."


def memory_of(
    given: Sequence[MemoryForm], grammars: Sequence[MemoryCall], here: Situation
) -> tuple[tuple[MemoryCall, ...], tuple[str, ...]]:
    """Return the grammar's calls and, behind them, those of a model that stand; and notes on those that do not.

    The notes are sentences in English, without values.
    """
    command = next((one for one in grammars if not isinstance(one, SaveMemory)), None)
    calls, notes = list(grammars), dict.fromkeys([_TOO_MANY] if len(given) > MAX_CALLS else [])
    for one in given[:MAX_CALLS]:
        checked = _checked(one, command, here)
        if isinstance(checked, str):
            notes[checked] = None
        elif checked is not None and len(calls) < MAX_CALLS and not _is_known(checked, calls):
            calls.append(checked)
    return tuple(calls), tuple(notes)


def _checked(given: MemoryForm, command: MemoryCall | None, here: Situation) -> SaveMemory | str | None:
    """Return the save that stands, or why none does; None where the grammar has read the same command."""
    if isinstance(given, ForgetForm):
        is_read = isinstance(command, ForgetMemory | ForgetAllMemories)
        return None if is_read else "A memory is forgotten only where the person's words say so."
    if command is not None:
        return "A memory was left out: the message is about what is remembered already."
    if here.session.proposal is not None or here.said.may_be_emergency:
        return "A memory was left out: the person speaks of what is proposed, or of a sign that cannot wait."
    return _quoted(given, here)


def _quoted(given: RememberForm, here: Situation) -> SaveMemory | str:
    text = here.said.text
    content = own_words(given.words, text)
    if content is None or not MIN_CONTENT <= len(content) <= MAX_CONTENT:
        return "A memory was left out: the person did not say that of themselves in this message."
    reason = own_words(given.because or "", text)
    context = "" if reason is None or reason in content else reason
    kept = f"{content}. {context}"
    folded = fold_phrase(kept)
    street = table("memories", "street").search(folded)
    if street or Redactor(here.session.identity, kinds=BUT_OTHER_NAMES).find(kept):
        return "A memory was left out: it identifies somebody."
    of_health = table("memories", "health_words").search(folded) or table("safety", "drugs").search(folded)
    if of_health or tells_of_health(normalise(kept)):
        return "A memory was left out: it is about health."
    return SaveMemory(given.kind, content, context)


def _is_known(call: SaveMemory, calls: Iterable[MemoryCall]) -> bool:
    return any(isinstance(one, SaveMemory) and say_much_the_same(one.content, call.content) for one in calls)
