"""A patient at the desk: reads question, card or rows on the screen, and says the next thing on the way to a goal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from bench.patients.patient_goals import ASPECTS, PatientGoal, PatientTask
from bench.patients.patient_voice import Voice
from orchestrator.turn import Appointment, Offer, Session, Topic

_BEYOND = 47  # a row that no list has, and no day of a month
_WEARY = 4  # attempts after which a patient no longer picks a row that is not taken


@dataclass(frozen=True, slots=True)
class AgendaChange:
    """What is done to a person's appointments, or would be."""

    taken: frozenset[Appointment] = frozenset()
    given_back: frozenset[Appointment] = frozenset()


def card_of(session: Session) -> AgendaChange | None:
    """Return what the desk asks to confirm."""
    if session.proposal is None:
        return None
    steps = session.proposal.plan.steps
    taken = frozenset(step.taken for step in steps if step.taken is not None)
    return AgendaChange(taken, frozenset(step.given_back for step in steps if step.given_back is not None))


class Patient:
    """One conversation's patient; a careless one says all at once, and yes to any card."""

    def __init__(self, goal: PatientGoal, chance: Random) -> None:
        self.tasks = list(goal.tasks)  # what is not done yet, in order
        self.patience = chance.randrange(8, 15) * len(goal.tasks)  # turns before leaving
        self.agrees = False  # whether the last utterance was a yes to the card on the screen
        self.is_aside = False  # whether the last utterance had nothing to do with the goal
        self._chance = chance
        self._voice = Voice(goal.language, chance)
        self._careless = chance.random() < 0.25
        self._says_all = self._careless or chance.random() < 0.6
        self._asides = chance.choice((0, 0, 1, 2))
        self._begun = False
        self._unsaid: list[str] = []
        self._picked: frozenset[Appointment] | None = None
        self._repeats = 0  # how often in a row what was said did not help

    def accepts(self, change: AgendaChange) -> bool:
        """Return whether a change is what this patient wants now."""
        task = self.tasks[0] if self.tasks else None
        if task is None or task.errand in {"give_up", "ask"}:
            return False
        given_back = frozenset[Appointment]() if task.held is None else frozenset({task.held})
        if task.errand == "cancel" or change.given_back != given_back or len(change.taken) != 1:
            return change == AgendaChange(given_back=given_back)
        wanted = any(one.errand == task.errand and any(map(one.suits, change.taken)) for one in self.tasks)
        return wanted and (self._picked is None or change.taken <= self._picked)

    def finish(self, change: AgendaChange) -> None:
        """Go on to the next task; the one that the change has done is over."""
        self._begun = [one.errand for one in self.tasks] == ["book", "book"]  # both were asked for
        over = next((one for one in self.tasks if any(map(one.suits, change.taken))), self.tasks[0])
        self.tasks.remove(over)
        self._picked, self._unsaid = None, []

    def speak(self, session: Session, topic: Topic | None) -> str:
        """Return what this patient says to a screen; `topic` is what was asked or said there, None beside a list."""
        self.agrees = self.is_aside = False
        task, card = self.tasks[0], card_of(session)
        if not self._begun:
            self._begun = True
            return self._opening(task)
        self._repeats = self._repeats + 1 if topic is not None else 0
        if self._asides and self._chance.random() < 0.2:
            return self._aside(task, session)
        suiting = [one for one in session.printed if task.suits(one.slot)]
        if task.later is not None and (card is not None or suiting):
            return self._change_of_mind(task, task.later)
        if task.errand == "give_up" and (card is not None or session.printed):
            self.tasks.remove(task)
            return self._say("give_up", task)
        if card is not None:
            return self._of_card(task, card, session.printed)
        answer = None if topic is None else self._answer(task, topic, session)
        return answer or self._of_list(task, session, suiting) or self._in_full(task)

    def _say(self, key: str, task: PatientTask, row: Offer | None = None, number: int = 0, **facts: str) -> str:
        voice, held = self._voice, task.held
        said = [name for name in task.aspects if name not in self._unsaid]
        known = {old: "" if held is None else voice.say(old, voice.facts(held)) for old in ("old", "old_full")}
        known["aspects"] = voice.aspects(said, task.like, bare=held is not None)
        known["specialty"] = voice.say(task.specialty, {})
        slot = voice.facts(task.like, number) if row is None else voice.facts(row.slot, row.number)
        return voice.say(key, slot | known | facts)

    def _opening(self, task: PatientTask) -> str:
        self._unsaid = [] if self._says_all else list(task.aspects[1:])
        together = [one for one in self.tasks if one.errand == "book"]
        if len(together) > 1:
            self._unsaid, voice = [], self._voice
            parts = (f"{voice.say(one.specialty, {})} {voice.aspects(one.aspects, one.like)}" for one in together)
            first, second = map(str.strip, parts)
            return self._say("both", task, first=first, second=second)
        if task.errand != "ask" and not self._careless and self._chance.random() < 0.2:
            self._unsaid = list(task.aspects)
            return self._say(f"{task.errand}_vague", task)
        return self._say(task.errand if task.errand != "give_up" else "book", task)

    def _aside(self, task: PatientTask, session: Session) -> str:
        """Return a question or a slip that leads nowhere: a bare yes to several rows, a row that the list has not."""
        self._asides -= 1
        self.is_aside = True
        slips = card_of(session) is None and len(session.printed) > 1 and self._chance.random() < 0.3
        key = self._chance.choice(("only", "number", "none")) if slips else "side"
        return self._say(key, task, number=_BEYOND)

    def _change_of_mind(self, task: PatientTask, later: Appointment) -> str:
        (changed,) = task.differs_in(later)
        self.tasks[0] = replace(task, like=later, later=None)
        self._picked = None
        return self._aspect("change", self.tasks[0], changed)

    def _aspect(self, key: str, task: PatientTask, name: str) -> str:
        self._unsaid = [one for one in self._unsaid if one != name]
        return self._say(key, task, aspect=self._voice.aspect(name, task.like))

    def _of_card(self, task: PatientTask, card: AgendaChange, printed: Sequence[Offer]) -> str:
        if self.accepts(card) or (self._careless and task.errand != "give_up"):
            self.agrees = True
            return self._say("yes_change" if card.given_back else "yes", task)
        if task.held is not None and card.given_back != {task.held}:
            return self._say("objection", task, x=self._in_full(task))
        other = [one.slot for one in printed if one.slot not in card.taken]
        if len(printed) == 2 and len(other) == 1 and task.suits(other[0]):
            self._picked = frozenset(other)
            return self._say("other", task)
        wrong = [name for slot in card.taken for name in task.differs_in(slot)]
        if wrong:
            return self._aspect("correct", task, wrong[0])
        # Something else was picked.
        slot = next(iter(self._picked or ()), task.like)
        return self._say("correct", task, aspect=self._voice.aspects(("doctor", "date", "hour"), slot))

    def _answer(self, task: PatientTask, topic: Topic, session: Session) -> str | None:
        """Return an answer to the question on the screen; None where the list is what counts."""
        key = self._voice.key_of(topic)
        if key is None or (task.held is None and topic not in {Topic.ASK_SPECIALTY, Topic.ASK_WHICH_DOCTOR}):
            return None
        choices = session.question.choices if session.question is not None else ()
        wanted = (task.held or task.like).doctor
        rows = [row for row, text in enumerate(choices, 1) if wanted in text]
        self._unsaid = [] if topic is Topic.ASK_NEW_TIME else self._unsaid
        if len(rows) == 1 and self._chance.random() < 0.6:
            return self._say("number", task, number=rows[0])
        return self._say(key.format(errand=task.errand), task)

    def _of_list(self, task: PatientTask, session: Session, suiting: Sequence[Offer]) -> str | None:
        printed = session.printed
        if task.errand in {"cancel", "ask"} or not any(one.clinic in task.clinics for one in printed):
            return None
        if suiting and self._repeats < _WEARY:
            return self._pick(task, suiting, printed)
        if not self._unsaid:
            return self._say("more", task) if len(printed) < len(session.offers) else None
        if self._chance.random() < 0.15:
            later = min(one.time for one in printed) < task.like.time
            return self._say(self._chance.choice(("none", "later" if later else "earlier", "another_day")), task)
        name = self._unsaid[0]
        follows_up = name == "weekday" and self._chance.random() < 0.3
        return self._aspect("and_weekday" if follows_up else "narrow", task, name)

    def _pick(self, task: PatientTask, suiting: Sequence[Offer], printed: Sequence[Offer]) -> str:
        """Return words that mean one of the rows that suit, or any of them where all rows do."""
        row = self._chance.choice(suiting)

        def alone(*names: str) -> bool:
            return sum(all(ASPECTS[it](row.slot) == ASPECTS[it](one.slot) for it in names) for one in printed) == 1

        ways = {name: alone(name) for name in ("hour", "weekday", "doctor")}
        ways |= {"number": True, "only": len(printed) == 1, "weekday_hour": alone("weekday", "hour")}
        ways |= {"ordinal": row.number <= 6, "any": len(suiting) == len(printed) > 1}
        ways["earliest"] = row == min(printed, key=lambda one: (one.date, one.time))
        key = self._chance.choice([way for way, fits in ways.items() if fits]) if self._repeats < 2 else "number"
        self._picked = frozenset(one.slot for one in suiting) if key == "any" else frozenset({row.slot})
        said = self._say(key, task, row)
        return self._say("so", task, x=said) if self._chance.random() < 0.12 else said

    def _in_full(self, task: PatientTask) -> str:
        self._unsaid, self._picked = [], None
        return self._say("book" if task.errand == "give_up" else task.errand, task)
