"""Plan what to remember, show and forget of who speaks, and read notes again; nothing beside an emergency."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from mesh.clock import ZONE
from orchestrator import turn
from orchestrator.planner.about_self.clauses import clauses, is_idle, spelled_out
from orchestrator.planner.about_self.self_statements import WHEN, WORKDAYS_OFF, SelfStatement, find_statements
from orchestrator.planner.calendar import Reference, read_moments
from orchestrator.planner.dialogue import Situation, say
from orchestrator.planner.dialogue.written_out import note_moved, of_notes, put_right, subjects_of, without_reason
from orchestrator.planner.lexicon import expression, pairs, table
from orchestrator.planner.text import Text, blanked, fold_phrase, guess_language, normalise
from orchestrator.planner.wishes import Kind, Wishes, bounds_in, doctors_of

_MOST_SAVED = 4  # statements of one utterance that are saved
_AT_A_LOSS = frozenset({turn.Topic.ASK_REQUEST, turn.Topic.OFF_TOPIC, turn.Topic.HELP, turn.Topic.NOTHING_DONE})
"""What is said where a statement about health, to which nobody has an answer, was not understood."""
_UNASKED = frozenset({turn.Topic.HABIT_NOTED, turn.Topic.ASK_SPECIALTY, turn.Topic.ASK_PATIENT_ID})
_EVERY_WEEK = frozenset({"spared", "daily", "weekly", "sabbath", "habits", "never", "barred", "ride"})
_LONGEST_WISH = 200


def command(here: Situation) -> turn.Plan | None:
    """Plan a wish about memory, or about the language of the answers: to see, to forget, to note nothing more."""
    said, remembers = here.said, here.session.remembers
    if not table("memories", "marks_of_wishes").search(said.text.folded):
        return None
    spoken = expression("language_wish").match(said.text.folded)
    if spoken is not None and not (said.specialties or said.complaints or said.body):
        answer = say(here, turn.Topic.LANGUAGE_KEPT, "A language is wished for.")
        return replace(answer, language=turn.Language(spoken.lastgroup or ""))
    busy = said.specialties or said.doctors.found
    if remembers and not (busy or said.wishes.named) and (told := expression("opts_out").search(said.text.folded)):
        return say(here, turn.Topic.WHAT_ELSE if told["again"] else turn.Topic.NOTHING_NOTED, "What may be noted.")
    call = wish_of(said.text, here.session) if remembers or not (busy or here.session.offers) else None
    right = put_right(said.text, here.session) if call is None else None
    stated = find_statements(normalise(right[1]), here.now, said.language, here.clinics, standing=True) if right else ()
    changed = right and _changed(*right, stated[0].expires_on if stated else right[0].expires_on)
    calls = [call] if call else changed or _taken_back(here)
    if not calls:
        health = remembers and not here.said.danger.emergency and expression("forgets_health").search(said.text.folded)
        return say(here, turn.Topic.NO_HEALTH_MEMORY, "What is to be forgotten is never kept.") if health else None
    if not remembers:
        asks = isinstance(call, turn.ListMemories) and not here.is_operator
        return say(here, turn.Topic.NOTHING_KEPT, "It is asked what is kept of who speaks.") if asks else None
    answer = say(here, turn.Topic.WHAT_ELSE, "A wish about what is remembered of who speaks.")
    beside = isinstance(call, turn.ListMemories) and expression("asked_beside").search(said.text.folded)
    return replace(answer, memory=(*calls,), note=turn.Topic(beside.lastgroup or "") if beside else None)


def with_memory(here: Situation, plan: turn.Plan) -> turn.Plan:
    """Return the plan with what is to be remembered of the utterance."""
    silent = plan.kind in turn.URGENT or plan.caution is not None or plan.memory
    said, going_on = here.said, here.session.offers or here.session.proposal or here.session.question
    names = going_on or said.specialties or said.complaints or said.doctors.found or said.for_whom
    bound = any(one.kind is Kind.BOUND for one in said.wishes.tokens)  # "my son is at school till 5"
    nothing_asked = plan.topic in {*_AT_A_LOSS, *_UNASKED, None}
    if nothing_asked and not (silent or names or bound) and here.says("patterns", "tells_of_others"):
        return say(here, turn.Topic.NO_MEMORY_OF_OTHERS, "Somebody tells of another person, and asks for nothing.")
    if plan.topic in {*_AT_A_LOSS, *_UNASKED} and not said.cues.intents and here.says("patterns", "changing_times"):
        return say(here, turn.Topic.TIMES_CHANGE, "Somebody tells of times that go by turns.")
    lost = plan.topic is turn.Topic.ASK_SPECIALTY and not (going_on or said.cues.intents)
    lost = lost and not turn.axes_of(here.wish.filter) & WHEN and here.says("patterns", "only_states")
    untold = replace(plan, note=turn.Topic.STATEMENT_LOST) if lost else plan
    if not here.session.remembers or silent:
        return untold
    only_now = plan.kind is turn.PlanKind.STEPS  # "não quero ir na Clínica A" is a condition of what is asked for
    stated = [one for one in _worth_saving(here, plan) if not (only_now and one.picks and one.dislikes)]
    if not stated:
        expected = plan.topic in _AT_A_LOSS or here.says("memories", "to_be_remembered")
        ill = expected and tells_of_health(said.text)
        health = say(here, turn.Topic.NO_HEALTH_MEMORY, "Health is told; that is not remembered.") if ill else untold
        return replace(health, keeps_proposal=plan.keeps_proposal)
    told = ((one, one.words or spelled_out(said.text, *one.span, said.language, said.doctors.spans)) for one in stated)
    saves = [turn.SaveMemory(one.kind, said, "", one.expires_on) for one, said in told if len(said) >= turn.MIN_CONTENT]
    rest = blanked(said.text.folded, (one.clause for one in stated))
    wished = any(rest[one.start : one.end].strip() for one in said.wishes.tokens if one.wanted)
    unasked = plan.topic in {turn.Topic.HABIT_NOTED, turn.Topic.ASK_REQUEST} or lost
    asks = "?" in said.text.folded or here.said.cues.intents or here.says("own_words", "requests")
    idle = is_idle(expression("addressed").sub("", rest)) or (unasked and not wished)
    idle |= plan.topic in _AT_A_LOSS and not asks  # "moro em Santo André, pertinho da estação"
    aside = plan.kind is not turn.PlanKind.STEPS or here.says("memories", "to_be_remembered")
    card = here.proposed if here.session.proposal and idle and aside else None
    beside = card is not None and all(turn.fits(one.suits, card) for one in stated)
    if not beside and (not idle or _goes_on(here, plan)):
        if here.is_operator:  # who may be typing what somebody else says
            return plan
    else:
        plan = replace(say(here, turn.Topic.WHAT_ELSE, "Somebody tells of themselves."), keeps_proposal=beside)
        if any(one.tells_when and turn.axes_of(one.suits) & WHEN for one in stated):
            suits = turn.all_of(one.suits for one in stated if one.tells_when)
            plan = replace(plan, note=turn.Topic.UNDERSTOOD, wish=turn.Wish(suits))
    return replace(plan, memory=(*_replaced(here, saves), *saves[:_MOST_SAVED]))


def _replaced(here: Situation, saves: Sequence[turn.SaveMemory]) -> list[turn.ForgetMemory]:
    """Return what forgets memories in whose place another comes: nobody has two homes, or prefers both sides."""
    contents = [] if here.says("patterns", "adds_a_note") else [normalise(one.content).folded for one in saves]
    moved = note_moved(here.said.text.folded, here.session.recalled) if contents else None
    about = subjects_of(" ".join(contents) if here.says("patterns", "puts_right") and not moved else "")
    only_one = expression("only_one").search
    new = {match.lastgroup: {*match[0].split()} for one in contents if (match := only_one(one))}
    told = [(one.content, normalise(one.content).folded) for one in here.session.recalled]
    old = [(said, match) for said, folded in told if (match := only_one(folded)) and match.lastgroup in new]
    gone = [said for said, match in old if not new[match.lastgroup] <= {*match[0].split()}]
    gone += [said for said, folded in told if (about & subjects_of(folded) or said == moved) and said not in gone]
    return [turn.ForgetMemory(said) for said in gone]


def may_remember(here: Situation) -> bool:
    """Return whether a model may have something remembered of the turn: never for staff, who mostly speak of others."""
    return here.session.remembers and not here.is_operator


def _worth_saving(here: Situation, plan: turn.Plan) -> list[SelfStatement]:
    texts = (*(normalise(one.utterance) for one in here.session.history), here.said.text)
    opted = [wish for text in texts if (wish := expression("opts_out").search(text.folded))]
    if (opted and not opted[-1]["again"]) or here.says("patterns", "of_one_day") or here.says("patterns", "not_told"):
        return []
    session, standing = here.session, plan.topic in _UNASKED and here.says("memories", "for_good")
    found = find_statements(here.said.text, here.now, here.said.language, here.clinics, standing=standing)
    asks = plan.kind is turn.PlanKind.STEPS or plan.topic is turn.Topic.ASK_SPECIALTY or "?" in here.said.text.folded
    if not asks:  # "fisio" and "a gente" are no request, nor is "não posso sair" a farewell
        reference = Reference(here.now, here.said.language)
        found = (*_with_times(here.said.text, reference, here.clinics, found, noted=False),)
    told = here.says("memories", "to_be_remembered") or here.says("patterns", "puts_right")
    passing = [one for one in found if not one.habitual]
    picks = [one for one in found if one.picks or (one in passing and one.kind is turn.MemoryKind.PREFERENCE)]
    of_list = picks if session.offers or session.question is not None else []
    of_visit = passing if session.proposal is not None or session.appointments else []
    return [one for one in found if told or one not in (*of_list, *of_visit)]


def _with_times(
    text: Text, reference: Reference, clinics: Sequence[turn.Clinic], found: Sequence[SelfStatement], *, noted: bool
) -> Sequence[SelfStatement]:
    """Return statements, with the one that clauses only make together, or a note: "at school till 12, only then"."""
    wishes, bounds = Wishes.scanned(text, reference, clinics), bounds_in(text, reference, clinics)
    told = [one for one in wishes.tokens if one.wanted and turn.axes_of(one.wanted) <= WHEN]
    kept = [one.clause for one in found]
    left = [one for one in told if not any(first <= one.start <= one.end <= last for first, last in kept)]
    left += [one for one in wishes.tokens if one.kind is Kind.ALSO] or [one for one in bounds if noted]
    suits, kinds = wishes.alone[0].wish.filter, frozenset(one.text for one in bounds if one.wanted)
    ever = expression("told_for_good").search(text.folded) is not None
    lasts = _lasts(suits, kinds, reference.today, settled=noted or ever, stated=bool(found) or ever)
    of_times = frozenset() < turn.axes_of(suits) <= WHEN and suits != WORKDAYS_OFF and not wishes.alone[1:]
    apart = expression("no_note" if kinds else "no_bare_note").search(text.folded)
    if not (left and lasts and of_times) or apart:
        return found
    told, spans = [*told, *bounds], turn.spans_of(suits)
    parts = [one for one in clauses(text.folded) if any(each.start < one.end and one.start < each.end for each in told)]
    span, until = (parts[0].own_span[0], parts[-1].own_span[1]), max((one.last for one in spans), default=None)
    kind = turn.MemoryKind.AVAILABILITY if until else turn.MemoryKind.RESTRICTION
    whole = SelfStatement(span, (parts[0].start, parts[-1].end), kind, suits=suits, expires_on=until)
    return [*(one for one in found if not turn.axes_of(one.suits) & WHEN), whole]


def _lasts(suits: turn.Filter, kinds: frozenset[str], today: date, *, settled: bool, stated: bool) -> bool:
    """Return whether times hold for good or to a last day: for every week, told why, or where more is `stated`."""
    once = any(isinstance(one, turn.OnWeekdays) and one.coming for one in turn.conditions_of(suits))
    if once and not (settled or kinds & _EVERY_WEEK):
        return False
    if spans := turn.spans_of(suits):
        ends = all(today < one.last < date.max for one in spans)
        return bool(kinds) and ends and any(one.first < one.last for one in spans)
    return bool(kinds) or (stated and any(isinstance(one, turn.Not) for one in turn.conjuncts(suits)))


def _goes_on(here: Situation, plan: turn.Plan) -> bool:
    again = plan.topic is not None and here.is_asked(plan.topic) and plan.kind is turn.PlanKind.CLARIFY
    changes = plan.topic is turn.Topic.ASK_CHANGE and bool(here.session.appointments)
    return (plan.kind is turn.PlanKind.STEPS and bool(here.session.offers or here.session.proposal)) or again or changes


def tells_of_health(text: Text) -> bool:
    """Return whether a clause states a condition or a treatment of the speaker."""
    own = (one for one in clauses(text.folded) if not (one.asked or table("memories", "others").search(one.folded)))
    return any(table("memories", "health").match(one.folded, one.lead) for one in own)


def wish_of(text: Text, session: turn.Session) -> turn.MemoryCall | None:
    """Return the memory call that an utterance wishes for; None when it is no such wish."""
    words = " ".join(re.sub(r"[^a-z0-9' ]+", " ", expression("before_wish").sub("", text.folded)).split())
    if len(words) > _LONGEST_WISH or not table("memories", "marks_of_wishes").search(text.folded):
        return None
    listed, something_open = session.memories, session.proposal is not None or bool(session.appointments)
    wish = expression("memory_wish").fullmatch(words)
    match wish.lastgroup if wish else None:
        case "number":
            row = int(words.split()[-1])
            return turn.ForgetMemory(listed[row - 1].content) if 0 < row <= len(listed) else turn.ListMemories()
        case "all" | "all_bare" as kind if kind == "all" or not something_open:
            return turn.ForgetAllMemories()
        case "asks" | "asks_again" as kind if kind == "asks" or _talked_of(session):
            return turn.ListMemories()
        case "last" | "last_bare" | "last_why" as kind if (before := _talked_of(session)) or kind == "last":
            shown = len(listed) == 1 and isinstance(before, turn.ListMemories)
            return turn.ForgetMemory(listed[0].content if shown else "")
        case _:
            named = expression("forgets_named").match(text.folded)
            about = subjects_of(named["what"] if named else "")
            alike = {one.content: len(about & subjects_of(normalise(one.content).folded)) for one in session.recalled}
            meant = [said for said, shared in alike.items() if shared == max(alike.values()) > 0]
            said = meant[0] if len(meant) == 1 else text.typed(*named.span("what")).strip(" .,;:!?") if named else ""
            return turn.ForgetMemory(said) if named else None


def _talked_of(session: turn.Session) -> turn.MemoryCall | None:
    """Return what was asked of the memory in the turn before, where few words may go on with it, or was noted then."""
    for one in session.history[-1:]:
        text = normalise(one.utterance)
        noted = (one.private and not session.offers) or expression("forgets_health").search(text.folded)
        wish = wish_of(text, replace(session, history=session.history[:-1]))
        return wish or (turn.RecallMemories(one.utterance) if noted else None)
    return None


def _taken_back(here: Situation) -> list[turn.MemoryCall]:
    """Return what forgets the memory whose subject is taken back, or shows all where several may be meant, or none."""
    session, recalled = here.session, here.session.recalled
    busy = session.offers or session.proposal or session.appointments or here.said.specialties or here.said.refusal
    match = expression("takes_back").search(here.said.text.folded) if recalled or not busy else None
    about = subjects_of(match[match.lastgroup or 0] if match else "")
    subjects = {one.content: subjects_of(normalise(one.content).folded) for one in recalled}
    most = max((len(about & of) for of in subjects.values()), default=0)
    doctors = " ".join(fold_phrase(one.name.split()[-1]) for one in doctors_of(here.clinics))
    apart = subjects_of(doctors) | {*pairs("memories", "weekdays")}
    meant = {said: of for said, of in subjects.items() if len(about & of) == most > 0}
    kinds = {"treat": turn.MemoryKind.RESTRICTION, "trip": turn.MemoryKind.AVAILABILITY}  # whose notes may not name it
    if not meant and match and match.lastgroup in {"it", *kinds}:
        meant = {one.content: about for one in recalled if one.kind is kinds.get(match.lastgroup or "", one.kind)}
    # Where some days or doctors stay as they were, people have to say what is left.
    whole = [said for said, of in meant.items() if not (about & apart and (of - about) & apart)]
    if not len(meant) == len(whole) == 1:
        return [turn.ListMemories()] if meant or (match and not busy and match.lastgroup in {"thing", "named"}) else []
    note = next(one for one in recalled if one.content == whole[0])
    moments = read_moments(here.said.text, here.now, here.said.language) if match and match.lastgroup == "it" else ()
    ends = [day for one in moments for day in (*one.dates, *(span.first - timedelta(days=1) for span in one.days))]
    ahead = [day for day in ends if day > here.now.date()]
    return _changed(note, note.content, ahead[0]) if ahead else [turn.ForgetMemory(note.content)]


def _changed(note: turn.Memory, content: str, until: date | None) -> list[turn.MemoryCall]:
    return [turn.ForgetMemory(note.content), turn.SaveMemory(note.kind, content, "", until)]


def with_notes(utterance: str, session: turn.Session, clinics: Sequence[turn.Clinic]) -> str:
    """Return an utterance with what only notes tell written as what they say: "perto de casa", "which suit me?"."""
    if (text := of_notes(normalise(utterance), session)).original != utterance:
        return text.original
    if expression("suits_by_notes").search(text.folded) is None:
        return utterance
    told = [one.said for one in reminders_of(session.recalled, clinics, session.language) if one.binding]
    return ". ".join(told if session.offers and told else [utterance, *told])


def excepted(here: Situation, reminders: Sequence[turn.SlotPreference]) -> tuple[turn.SlotPreference, ...]:
    """Return reminders without the days, or for this conversation altogether, of which an exception was told."""
    reference, widened = Reference(here.now, here.language), [*reminders]
    told = [without_reason(normalise(one.utterance), here.language) for one in here.session.history if reminders]
    for text in (one for one in (*told, here.said.text) if expression("excepted").search(one.folded)):
        wish = here.wish if text is here.said.text else Wishes.scanned(text, reference, here.clinics).alone[0].wish
        days = turn.without(wish.filter, frozenset(turn.Axis) - {turn.Axis.DAY})
        kept = [one for one in widened if not turn.axes_of(one.suits) <= WHEN]  # no day makes a doctor liked
        if days != turn.ANY_OPENING:
            freed = (replace(one, suits=turn.any_of((one.suits, days))) for one in widened if one not in kept)
            widened = [*kept, *freed]
        elif not expression("of_that_day").search(text.folded):
            widened = kept
    return (*widened,)


def reminders_of(
    memories: Sequence[turn.Memory], clinics: Sequence[turn.Clinic], language: turn.Language
) -> tuple[turn.SlotPreference, ...]:
    """Return what memories say about openings, relative to the day on which they were said."""
    found: list[turn.SlotPreference] = []
    for memory in memories:
        text, said_at = normalise(memory.content), memory.created_at.astimezone(ZONE).replace(tzinfo=None)
        reference = Reference(said_at, guess_language(text, language))
        told = find_statements(text, said_at, reference.language, clinics, standing=True)
        for one in _with_times(text, reference, clinics, told, noted=True):
            binding = one.tells_when and one.kind is not turn.MemoryKind.PREFERENCE
            if one.suits != turn.ANY_OPENING:
                found.append(turn.SlotPreference(memory.content, one.suits, binding=binding, disliked=one.dislikes))
    return tuple(found)
