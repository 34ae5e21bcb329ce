"""The planner with a language model: it chooses a turn's steps, and code decides (blueprint 2.3.1).

Emergencies, refusals and a yes or no to what is on the table are the grammar's alone. Where the plan waits for the
clinics' verified answers, the model chooses the steps of the reply from them (blueprint 2.3.3).
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from orchestrator import turn
from orchestrator.llm import Asker, ModelConfiguration, ModelError, PlannerVariant, Pseudonyms, ReplyRequests, exposed
from orchestrator.planner.about_self import may_remember, own_words, say_much_the_same, tells_of_health
from orchestrator.planner.dialogue import Situation
from orchestrator.planner.dialogue import asides as talk
from orchestrator.planner.dialogue.plan_builders import classified
from orchestrator.planner.lexicon import table
from orchestrator.planner.model import planner_prompt
from orchestrator.planner.model.chosen_steps import Chosen, chosen_steps
from orchestrator.planner.model.step_plans import plan_of, wants_change
from orchestrator.planner.model.turn_form import ForgetForm, MemoryForm, RememberForm
from orchestrator.planner.model.turn_reading import ModelTurn, UnreadableError, read_turn
from orchestrator.planner.offline import OfflinePlanner, situation_of
from orchestrator.planner.text import fold_phrase, normalise
from orchestrator.privacy import BUT_OTHER_NAMES, Redactor
from orchestrator.responder import refusals_of, snapshot_of
from orchestrator.turn import MAX_CONTENT, MIN_CONTENT, ForgetAllMemories, ForgetMemory, MemoryCall, SaveMemory

MAX_CALLS = 3  # of memory in a turn; nobody says more of themselves in one utterance
_TOO_MANY = f"Memory calls beyond the first {MAX_CALLS} were left out."


class ModelPlanner(OfflinePlanner):
    """The planner that asks a model, and its `ReplyChooser`; the grammar stands in where it is of no use."""

    def __init__(self, asker: Asker, prompts: planner_prompt.PlannerPrompts, configuration: ModelConfiguration) -> None:
        self._asker = asker
        self._prompts = prompts
        self._history_tokens = configuration.history_tokens
        self._cot = configuration.planner is PlannerVariant.COT
        self._always = configuration.reply is ReplyRequests.ALWAYS

    def plan(self, utterance: str, session: turn.Session, clinics: Sequence[turn.Clinic], now: datetime) -> turn.Plan:
        """Return what to do about an utterance; for any text and any answer of a model, without raising.

        `Plan.proposed` holds the plan's steps, the length alone of an unreadable text, or None for no answer.
        """
        here = situation_of(utterance, session, clinics, now)
        offline = self.decide(here)
        final = offline.kind in turn.URGENT and offline.topic is not turn.Topic.OPERATORS_ONLY
        if offline.about_own or final or offline.topic is turn.Topic.NO_CLINIC_FITS:
            return offline
        pseudonyms = Pseudonyms.of(session, clinics)
        told = planner_prompt.turn_told(utterance, here, pseudonyms, self._history_tokens)
        told |= planner_prompt.memories_told(here, pseudonyms)
        try:
            text = self._asker.ask(planner_prompt.plan_request(self._prompts, here, told, cot=self._cot))
        except ModelError:
            return offline
        try:
            answered = read_turn(text, here.clinics)
        except UnreadableError as error:
            raw = turn.Step(1, "", turn.ToolCall("raw_response", {"characters": str(len(text))}))
            # What the words hold still stands, but what a model would have made of them is not known.
            heard = offline.classification or turn.Classification(turn.UNKNOWN)
            parts = heard.subtasks or tuple(turn.subtask_of(heard.intent, domain) for domain in heard.domains)
            given = turn.GivenClassification(turn.UNKNOWN, (), (), None)
            unsure = replace(heard, intent=turn.UNKNOWN, subtasks=parts, given=given)
            proposed = turn.Proposed((raw,), used=False, notes=(str(error),))
            return replace(offline, proposed=proposed, classification=unsure)
        return self._made(answered, here, offline)

    def choose(
        self,
        plan: turn.Plan,
        answers: turn.Answers,
        session: turn.Session,
        clinics: Sequence[turn.Clinic],
        now: datetime,
    ) -> turn.ReplySteps | None:
        """Return the steps of the reply; None for the template's answer alone."""
        reply = plan.reply or turn.ReplySteps(shown=(turn.OpeningScope(plan.wish.filter),), today=now.date())
        snapshot = snapshot_of(answers.results, plan, session, clinics)
        refused = (*reply.refused, *(one.reason for one in refusals_of(reply.questions, snapshot)))
        if not (self._always or reply.awaits or refused):
            return plan.reply
        here = situation_of(answers.utterance, session, clinics, now)
        pseudonyms = Pseudonyms.of(session, clinics)
        told = planner_prompt.turn_told(answers.utterance, here, pseudonyms, self._history_tokens)
        told |= {"read": planner_prompt.read_told(snapshot.openings, session), "refused": list(refused)}
        if self._always:
            told |= exposed(answers, pseudonyms)
        try:
            answered = read_turn(self._asker.ask(planner_prompt.reply_request(self._prompts, here, told)), clinics)
        except (ModelError, UnreadableError):
            return plan.reply
        chosen = chosen_steps(answered.steps, here)
        may_propose = plan.asks_first or wants_change(here, plan)
        return replace(
            reply,
            courtesies=tuple(chosen.courtesies) or reply.courtesies,
            topics=tuple(chosen.topics) or reply.topics,
            questions=tuple(chosen.questions) or reply.questions,
            shown=tuple(chosen.shown) or reply.shown,
            choice=chosen.choice if may_propose and chosen.choice is not None else reply.choice,
            awaits=False,
        )

    @staticmethod
    def _made(answered: ModelTurn, here: Situation, offline: turn.Plan) -> turn.Plan:
        chosen = chosen_steps(answered.steps, here)
        memory, memory_notes = memory_of(chosen.memory if may_remember(here) else (), offline.memory, here)
        plan = plan_of(chosen, here, offline, remembers=bool(memory))
        if answered.given:
            plan = _literal(plan, chosen, answered.given, here, offline)
        plan = _to_be_mended(plan, (*answered.faults, *chosen.faults), awaits=answered.more)
        notes = (*answered.faults, *chosen.notes, *memory_notes)
        given = answered.given or (plan.steps if chosen.is_used else ())
        proposed = turn.Proposed(given, used=chosen.is_used, notes=notes, reasoning=answered.reasoning)
        stated = _classification(answered.classification if chosen.is_used else None, plan, offline, here)
        return replace(
            talk.cautioned(here, plan),
            proposed=proposed,
            classification=replace(stated, given=answered.classification),
            memory=memory,
            reminders=offline.reminders,
            asked=chosen.asked or offline.asked,
            insured=offline.insured,
        )


def _to_be_mended(plan: turn.Plan, faults: tuple[str, ...], *, awaits: bool) -> turn.Plan:
    """Return a plan of reads after which a model is told what was turned down, or goes on as it wanted."""
    reads = plan.steps and all(step.action == turn.LIST for step in plan.steps)
    if not reads or not (faults or (awaits and plan.reply is not None)):
        return plan
    reply = plan.reply or turn.ReplySteps(shown=(turn.OpeningScope(plan.wish.filter),))
    return replace(plan, reply=replace(reply, refused=faults, awaits=awaits))


def _literal(
    plan: turn.Plan, chosen: Chosen, given: Sequence[turn.Step], here: Situation, offline: turn.Plan
) -> turn.Plan:
    """Return the plan of the blueprint's form, which has no place for what suits: the grammar reads that (Rule 10)."""
    is_of_reads = all(step.action == turn.LIST for step in plan.steps)
    if not chosen.is_used or not is_of_reads or (plan.reply and plan.reply.choice):
        return plan
    specialties = {here.specialty_of(step.clinic) for step in plan.steps}
    if here.said.specialties and specialties.isdisjoint(here.said.specialties):
        chosen.is_used, chosen.notes = False, ["No step is for the specialty that the words name."]
        return offline
    own = {here.specialty_of(step.clinic) for step in offline.steps if step.action == turn.LIST}
    if own & specialties:
        plan = offline
    else:
        asked = plan.question and replace(plan.question, wish=here.wish)
        plan = replace(plan, wish=here.wish, nearest=here.said.pointer.earliest, question=asked, reply=None)
    asked_for, sent = {step.clinic for step in given}, {step.clinic for step in plan.steps}
    chosen.notes += [f"Rule 10 added {clinic}." for clinic in sorted(sent - asked_for)]
    dropped = sorted(asked_for - sent)
    chosen.notes += [f"{clinic} was dropped: not of the specialty that was named." for clinic in dropped]
    return plan


def _classification(
    given: turn.GivenClassification | None, plan: turn.Plan, offline: turn.Plan, here: Situation
) -> turn.Classification:
    """Return what is routed: by the words, else as a model said, whose doubt counts only for what it alone proposes."""
    derived = _derived(plan, here)
    own = {(step.clinic, step.action) for step in plan.steps} - {(step.clinic, step.action) for step in offline.steps}
    is_unknown = given is not None and given.intent == turn.UNKNOWN
    if given is None or (is_unknown and not own):
        return derived
    intent = given.intent or derived.intent
    named = tuple(dict.fromkeys(filter(None, map(here.specialty_called, given.domains))))[: turn.MOST_DOMAINS]
    domains = derived.domains
    if named or plan.kind is not turn.PlanKind.STEPS:
        given_back = _given_back(plan) if intent in {turn.BOOK, turn.MOVE} else ()
        domains = tuple(dict.fromkeys((*named, *(here.specialty_of(held.clinic) or "" for held in given_back))))
    subtasks = tuple(replace(one, domain=here.specialty_called(one.domain) or "") for one in given.subtasks)
    if given.intent is None and not named:
        subtasks = subtasks or derived.subtasks
    elif len(domains) > 1 or subtasks:
        covered = {one.domain for one in subtasks}
        subtasks += tuple(turn.subtask_of(intent, one) for one in domains if not covered & {one, ""})
    confidence = derived.confidence if given.confidence is None else given.confidence
    if plan.kind is turn.PlanKind.STEPS and not own:
        confidence = max(confidence, derived.confidence)
    return turn.Classification(intent, domains, subtasks, confidence)


def _derived(plan: turn.Plan, here: Situation) -> turn.Classification:
    # Changes that are looked up first are what the reads are for.
    choice = plan.reply.choice if plan.reply is not None else None
    found = classified(here, plan)
    if choice is None or plan.writes or plan.kind is not turn.PlanKind.STEPS:
        return found
    back = (here.specialty_of(held.clinic) or "" for held in _given_back(plan))
    domains = tuple(dict.fromkeys((*found.domains, *back)))
    changes = {turn.MOVE: choice.move, turn.BOOK: choice.book, turn.CANCEL: choice.cancel}
    subtasks = tuple(turn.subtask_of(name, domain) for name, made in changes.items() if made for domain in domains)
    return replace(found, intent=subtasks[0].intent, domains=domains, subtasks=subtasks)


def _given_back(plan: turn.Plan) -> tuple[turn.Appointment, ...]:
    choice = plan.reply.choice if plan.reply is not None else None
    chosen = () if choice is None else choice.given_back
    return (*(step.given_back for step in plan.steps if step.given_back is not None), *chosen)


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
        elif checked is not None and len(calls) < MAX_CALLS:
            held = [one.content for one in calls if isinstance(one, SaveMemory)]
            calls += [] if any(say_much_the_same(one, checked.content) for one in held) else [checked]
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
