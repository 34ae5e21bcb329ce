"""Answer how long a visit takes, how long it is until those that are held or proposed, and what lies between them."""

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from operator import attrgetter

from orchestrator import turn
from orchestrator.planner.dialogue.appointments_held import appointment_meant, asked_about
from orchestrator.planner.dialogue.on_the_table import in_hand
from orchestrator.planner.dialogue.plan_builders import choice, say
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.lexicon import pattern
from orchestrator.texts import Texts, texts_in


def visit_times(here: Situation) -> turn.Plan | None:
    """Answer a question about the times of visits."""
    asked = pattern("patterns", "asks_of_times").search(here.said.text.folded)
    if asked is None or asked["length"] is not None:
        return _length(here) if asked is not None else None
    slot, held = in_hand(here.session), here.session.appointments
    visits = [slot] if slot is not None and asked["until"] else [one for one in (*held, slot) if one is not None]
    visits.sort(key=attrgetter("begin"))
    if asked["until"] and slot is None:
        visits = [*asked_about(here)[1]]
    if len(visits) < (1 if asked["until"] else 2):
        return None
    texts = texts_in(here.language)
    told = [
        texts.text("planner.until", visit=choice(one, here.language), left=_time(here.now, one.begin, texts))
        for one in visits
    ]
    for one, after in pairwise(visits):
        end = one.begin + timedelta(minutes=one.duration_min or turn.USUAL_MIN)
        told.append(texts.text("planner.between", time=_time(end, after.begin, texts)))
    why = "It is asked how long it is until visits, or between them, or which comes first."
    return replace(say(here, turn.Topic.TIME_LEFT, why), facts={"times": "; ".join(told)})


def _time(start: datetime, end: datetime, texts: Texts) -> str:
    """Return how long it is from one moment to another: in hours up to two days, then in days."""
    minutes = int((end - start).total_seconds()) // 60
    if minutes >= 2 * 24 * 60:
        return texts.text("planner.days", count=(end.date() - start.date()).days)
    hours, rest = divmod(max(minutes, 0), 60)
    return f"{hours} h {rest} min" if hours and rest else f"{hours} h" if hours else f"{rest} min"


def _length(here: Situation) -> turn.Plan | None:
    """Answer how long the visit takes that is meant: what is proposed or listed, else an appointment."""
    listed = [one.slot for one in here.session.offers if here.proposed in {None, one.slot}]
    held = None if listed and not here.said.pointer.mine else appointment_meant(here)
    visits = listed if held is None else [held]
    lengths = sorted({one.duration_min for one in visits} - {0})
    if not lengths:
        asks = here.proposed is not None or here.says("requests", "a_visit")
        return say(here, turn.Topic.LENGTH_BY_SLOT, "How long a visit takes; none is talked of.") if asks else None
    texts, codes = texts_in(here.language), dict.fromkeys(here.specialty_of(one.clinic) for one in visits)
    names = [one.specialty_name(here.language) for code in codes for one in here.clinics if one.specialty == code]
    visit = choice(visits[0], here.language) if len(visits) == 1 else texts.all_of(dict.fromkeys(names))
    facts = {"visit": visit, "minutes": texts.one_of(map(str, lengths))}
    return replace(say(here, turn.Topic.VISIT_LENGTH, "It is asked how long a visit takes."), facts=facts)
