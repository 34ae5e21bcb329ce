"""Read what is done with what is on the table from the whole sentence: it is let go, put off, or help comes first.

The act that is said last counts: "esquece, quero quinta" asks, "queria quinta, mas esquece" lets go.
"""

import re
from dataclasses import replace

from orchestrator.planner.dialogue.on_the_table import just_booked
from orchestrator.planner.dialogue.plan_builders import say
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.lexicon import pattern, table
from orchestrator.planner.text import normalise
from orchestrator.planner.understanding import Intent, answer, find_danger, is_only, settled
from orchestrator.planner.wishes import find_specialties
from orchestrator.turn import CANCEL, Axis, Plan, Question, Topic, looked_for

_WARNED_FOR = 3  # replies in a row that repeat a warning
_ASKING = (("references", "choosing"), *(("requests", act) for act in ("move", "cancel", "book", "openings")))


def lets_go(here: Situation) -> re.Match[str] | None:
    """Return the last words with which something is let go or put off."""
    *_, last = (None, *pattern("patterns", "lets_go").finditer(here.said.text.folded))
    return last


def gives_back(here: Situation) -> bool:
    """Return whether "drop it" is said of an appointment: one just shown or made, or one that cannot be kept."""
    own = here.session.appointments or here.said.cues.missing
    if here.session.proposal is not None or not own or not here.says("requests", "scrapping"):
        return False
    shown = here.said.cues.missing or here.is_asked(Topic.MY_APPOINTMENTS, Topic.ASK_CHANGE)
    return shown or just_booked(here.session)


def let_go(here: Situation) -> Plan | None:
    """Let go of the proposal, the list or the question, where nothing is asked for behind it."""
    said, words = here.said, lets_go(here)
    if words is None or answer(said.text.original) is False:  # a plain no is about what was asked
        return None
    kept = ("as_it_was",) if "kept_doctor" in here.known else ()  # "leave it then", of what was proposed before
    cannot_come = said.cues.missing and here.session.appointments and here.session.proposal is None
    names_one = Intent.CANCEL in said.cues.intents and (said.specialties or said.doctors.found)  # "... o outro deixa"
    if names_one or cannot_come or gives_back(here) or is_only(said.text.folded, "hesitations", *kept):
        return None
    behind = said.text.folded[words.end() :]
    wants = "?" in behind or any(table(*section).search(behind) for section in _ASKING)
    starts = (*(one.start for one in said.moments), *(start for start, _ in said.doctors.spans), 0)
    if wants or max(starts) >= words.end() or find_specialties(behind, here.clinics):
        return None
    still = _another_time(here, Topic.ASK_WHICH_OFFER, Topic.ASK_ANOTHER_TIME)
    plan = say(here, Topic.LET_GO, "What is on the table is let go, or put off.")
    return replace(plan, question=looked_for(here.session.proposal) or still)


def done_here(here: Situation) -> bool:
    """Return whether it is asked if this desk books, moves or cancels: "dá pra remarcar por aqui?"."""
    said, folded = here.said, here.said.text.folded
    if not (said.cues.hypothetical or said.cues.intents) or said.moments or said.specialties or said.doctors.found:
        return False
    asks = "?" in folded or said.cues.hypothetical or pattern("patterns", "asks_whether").match(folded)
    through = not said.pointer.mine and here.says("requests", "through_here") and here.says("requests", "write_stems")
    return bool(asks and through)


def tells_habit(here: Situation) -> bool:
    """Return whether a denied booking tells what suits: "never book me before 11", where none is made or proposed."""
    denial = table("requests", "negated").search(here.said.text.folded)
    held, named = here.session.proposal or here.session.appointments, here.said.wishes.named
    suits = not held and named and named <= {Axis.DAY, Axis.TIME}
    return bool(suits and denial and re.search(r"\b(?:marc|marqu|agend|book|sched)", denial.group()))


def only_a_reason(here: Situation) -> bool:
    """Return whether what no clinic does is why something on the table is chosen: "the later one, traffic is bad"."""
    apart = pattern("patterns", "off_topic_clause").sub(lambda one: "_" * len(one[0]), here.said.text.folded)
    points = here.said.pointer.latest or here.said.pointer.earliest or here.said.pointer.numbers
    wants = points or any(one.wanted and apart[one.start] != "_" for one in here.said.wishes.tokens)
    return bool(wants and apart.strip("_") and (here.session.offers or here.session.proposal))


def helped(folded: str) -> bool:
    """Return whether help is on its way, or they go to it; "I am not going to the hospital" says neither."""
    denied = table("smalltalk", "no_courtesies").search(folded)
    return denied is None and table("danger_words", "called_help").search(folded) is not None


def warned(here: Situation) -> Topic | None:
    """Return the emergency that the replies right before warned of, where no help is on its way; less once it came."""
    for last in reversed(here.session.history[-_WARNED_FOR:]):
        if "192" not in last.reply or helped(normalise(last.utterance).folded):
            return None
        if (told := find_danger(normalise(last.utterance)).emergency) is not None:
            folded = here.said.text.folded
            return (Topic.POSSIBLE_EMERGENCY if settled(folded) else None) if helped(folded) else told
    return None


def after_warning(here: Situation) -> Plan | None:
    """Acknowledge that help comes first; until then say again what cannot wait, unless a visit is asked for."""
    said = here.said
    if not here.session.history or "192" not in here.session.history[-1].reply or settled(said.text.folded):
        return None
    if helped(said.text.folded) and "?" not in said.text.folded and (lets_go(here) or not said.cues.books):
        plan = say(here, Topic.HELP_COMES, "Help is on its way, or they go to it; nothing else is asked.")
        return replace(plan, question=None)
    points = said.pointer.numbers or said.pointer.earliest
    named = said.specialties or said.doctors.found or points or (said.is_bare and said.moments)
    asks = named or said.cues.intents or said.cues.chat or said.refusal or answer(said.text.original) is not None
    again = None if asks or here.says("references", "still_wanted") or lets_go(here) else warned(here)
    return say(here, again, "What could not wait a moment ago still cannot.") if again else None


def declined(here: Situation) -> Plan | None:
    """Answer a plain no, to a question or to nothing in particular."""
    # "Keep it" is about what there is, also where it was asked what to do with it.
    nothing = here.session.question is None or here.is_asked(Topic.ASK_CHANGE)
    action = CANCEL if nothing else here.question.action
    if answer(here.said.text.original, action) is not False or not here.said.text.original.strip():
        return None
    still_wanted = _another_time(here, Topic.ASK_WHICH_OFFER)  # "não. e dia 28?"
    return replace(say(here, Topic.NOTHING_DONE, "A plain no: nothing was changed."), question=still_wanted)


def none_suits(here: Situation) -> Plan | None:
    """Ask which day or time would suit when none of the openings does, or to what a card is to be moved."""
    moves = here.proposed is not None and Intent.MOVE in here.said.cues.intents and here.said.shift is None
    if not (moves or (here.said.pointer.none and here.session.offers)) or here.said.moments:
        return None
    moved = here.session.question if here.is_asked(Topic.ASK_NEW_TIME) else None  # which goes on being a move
    question = moved or _another_time(here, *Topic)
    return say(here, Topic.ASK_ANOTHER_TIME, "None of the openings suits.", question=question)


def _another_time(here: Situation, *topics: Topic) -> Question | None:
    """Return the open question, where it is one of these, as the one for another time."""
    asked = here.session.question is not None and here.is_asked(*topics)
    return replace(here.question, topic=Topic.ASK_ANOTHER_TIME) if asked else None
