"""Read a model's steps against the conversation: numbers, ids, names and quotes that are known; faults for others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import time

from orchestrator import turn
from orchestrator.llm import TOKEN
from orchestrator.planner.dialogue import Situation, slot_named
from orchestrator.planner.model import turn_form
from orchestrator.planner.model.scopes import SaidBefore, ScopeError, clinic_called, read_condition, read_scope

MAX_CHANGES = 4
_QUESTIONS = 4  # that one reply answers


@dataclass
class Chosen:
    """What a model's steps come to, while they are read one after the other."""

    read: list[turn.OpeningScope] = field(default_factory=list)
    shown: list[turn.OpeningScope] = field(default_factory=list)
    questions: list[turn.OpeningQuestion] = field(default_factory=list)
    courtesies: list[turn.Courtesy] = field(default_factory=list)
    topics: list[turn.Topic] = field(default_factory=list)
    records: list[turn.Step] = field(default_factory=list)
    memory: list[turn_form.MemoryForm] = field(default_factory=list)
    asked: turn.FactQuestion | None = None
    own: turn.OpeningScope | None = None  # which of the person's appointments are shown
    choice: turn.Choice | None = None
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what the plan makes of them, in English and without values
    is_used: bool = True  # whether the plan is made from them and is not the grammar's


def chosen_steps(steps: Sequence[turn_form.StepForm], here: Situation) -> Chosen:
    """Return what some steps come to; those that mean nothing, or that nobody wants, are faults."""
    chosen, said = Chosen(), SaidBefore.of(here)
    for number, step in enumerate(steps, 1):
        try:
            _read_step(step, chosen, here, said)
        except ScopeError as error:
            chosen.faults.append(f"step {number}: {error}")
    return chosen


def _read_step(step: turn_form.StepForm, chosen: Chosen, here: Situation, said: SaidBefore) -> None:
    match step:
        case turn_form.ReadForm(filters=filters):
            chosen.read += [read_scope(one, here, said) for one in filters]
        case turn_form.ShowForm(do="show", scope=scope):
            chosen.shown.append(_scope(scope, here, said))
        case turn_form.RecordsForm():
            chosen.records += _records(step, here)
        case turn_form.RememberForm() | turn_form.ForgetForm():
            chosen.memory.append(step)
        case turn_form.SayForm() | turn_form.AnswerForm():
            _say(step, chosen)
        case turn_form.OwnForm(scope=scope):
            chosen.own = read_scope(scope, here, said)
        case turn_form.AboutForm():
            chosen.asked = _about(step, chosen.asked, here)
        case turn_form.ProposeForm():
            if chosen.choice is not None:
                raise ScopeError("propose once, with all changes")
            chosen.choice = _choice(step, here, said)
        case _:
            chosen.questions += [_question(step, here, said)][: _QUESTIONS - len(chosen.questions)]


def _say(step: turn_form.SaidForm, chosen: Chosen) -> None:
    if isinstance(step, turn_form.SayForm):
        chosen.courtesies.append(step.what)
    elif step.topic in turn_form.TOPICS:
        chosen.topics.append(step.topic)
    else:
        raise ScopeError("no topic that a model may choose")


def _about(step: turn_form.AboutForm, before: turn.FactQuestion | None, here: Situation) -> turn.FactQuestion:
    """Return what is asked of clinics: of those named, else of those talked of, else of all."""
    talked_of = {clinic for code in here.specialties_talked_of for clinic in here.clinics_of(code)}
    named = [clinic_called(one, here) for one in step.clinics] or talked_of or {one.id for one in here.clinics}
    asked = before or turn.FactQuestion((), ())
    facts, clinics = dict.fromkeys((*asked.facts, *step.facts)), {*asked.clinics, *named}
    wanted = (token.wanted for token in here.said.wishes.tokens if isinstance(token.wanted, turn.ClinicFact))
    return turn.FactQuestion(
        tuple(facts),
        tuple(one.id for one in here.clinics if one.id in clinics),
        tuple(one for one in wanted if turn.FACT_OF[one.axis] in facts),
    )


def _scope(form: turn_form.ScopeForm, here: Situation, said: SaidBefore) -> turn.OpeningScope:
    scope = read_scope(form, here, said)
    if scope.among_shown and not here.session.printed:
        raise ScopeError("no list is on the screen")
    return scope


def _question(
    step: turn_form.ScopedForm | turn_form.TreatsForm, here: Situation, said: SaidBefore
) -> turn.OpeningQuestion:
    if isinstance(step, turn_form.TreatsForm):
        code, word = here.specialty_called(step.specialty), said.quote(step.word)
        if code is None or not word:
            raise ScopeError("treats takes a specialty of the clinics and a word that the person wrote")
        return turn.Treats(code, word)
    scope = _scope(step.scope, here, said)
    question: turn.OpeningQuestion
    match step:
        case turn_form.ShowForm():
            question = turn.Best(scope, step.order, _at(step))
        case turn_form.PickForm(opening=opening):
            question = turn.Pick(_slot(opening, here), turn.Best(scope, step.order, _at(step)))
        case turn_form.CountForm(do=do):
            question = turn.AskedOfAll(turn.OfAll(do), scope)
        case turn_form.CompareForm():
            sides = tuple(read_condition(one, here, said) for one in step.sides)
            by = None if step.by == "count" else turn.Order(step.by)
            question = turn.Compare(scope, sides, by) if step.do == "compare" else turn.DaysOfBoth(scope, sides)
        case turn_form.OpeningsForm(do="fits", openings=openings):
            question = turn.Fits(tuple(_slot(one, here) for one in openings), scope)
        case turn_form.OpeningsForm(openings=[first, second]):
            question = turn.Gap(_slot(first, here), _slot(second, here), step.at_least_days)
        case _:
            raise ScopeError("gap takes two openings")
    return question


def _at(step: turn_form.ShowForm | turn_form.PickForm | turn_form.TargetForm) -> time | None:
    if (step.order is turn.Order.NEAREST) != (step.at is not None):
        raise ScopeError("nearest takes a time, and no other order does")
    return step.at


def _records(step: turn_form.RecordsForm, here: Situation) -> Iterator[turn.Step]:
    codes = [here.specialty_of(one) for one in step.clinics]
    if not codes or None in codes:
        raise ScopeError(f"the clinics are: {', '.join(one.id for one in here.clinics)}")
    # All clinics of a specialty are asked, unless the words name some (Rule 10).
    alike = [one.id for one in here.clinics if one.specialty in codes]
    text, clinics = step.text or "", [one for one in alike if not here.said.clinics or one in here.said.clinics]
    if step.tool == turn.GET_PATIENT:
        if not all((text, here.specialty_of(one)) in here.said.patients for one in clinics):
            raise ScopeError("only an id that the person has just written may be opened, at clinics of its specialty")
        return (turn.Step(0, one, turn.ToolCall(turn.GET_PATIENT, {"patient_id": text})) for one in clinics)
    if not here.is_operator:
        raise ScopeError("only staff may list or search patients")
    if step.tool == turn.QUERY and not (text and text.isprintable() and not TOKEN.search(text)):
        raise ScopeError("query takes the words to look for")
    arguments = {"query": text} if step.tool == turn.QUERY else {}
    return (turn.Step(0, one, turn.ToolCall(step.tool, arguments)) for one in clinics)


def appointment_id(held: turn.Appointment) -> str:
    """Return what a model calls an appointment; nobody holds two at one moment in a clinic."""
    return f"{held.clinic}/{held.date.isoformat()}/{held.time:%H:%M}"


def opening_id(place: int) -> str:
    """Return what a model calls the opening of a place in `Session.known_openings`."""
    return f"s{place}"


def _slot(opening: str, here: Situation) -> turn.Appointment:
    known = {opening_id(place): slot for place, slot in enumerate(here.session.known_openings, 1)}
    if opening not in known:
        raise ScopeError("no opening of that id was shown")
    return known[opening]


def _choice(form: turn_form.ProposeForm, here: Situation, said: SaidBefore) -> turn.Choice:
    proposed = () if here.session.proposal is None else here.session.proposal.plan.steps
    named = [step.given_back for step in proposed if step.given_back is not None]
    held = {appointment_id(one): one for one in (*named, *here.session.appointments)}
    ids = [*form.cancel, *(one.appointment for one in form.move)]
    if any(one not in held for one in ids):
        raise ScopeError("no such appointment is known; ask which, or what they hold")
    if not 0 < len(form.book) + len(ids) <= MAX_CHANGES or len(set(ids)) < len(ids):
        raise ScopeError(f"propose takes 1 to {MAX_CHANGES} changes, each appointment once")
    return turn.Choice(
        tuple(held[one] for one in form.cancel),
        tuple(_target(one, here, said) for one in form.book),
        tuple(turn.Rebooking(held[one.appointment], _target(one.to, here, said)) for one in form.move),
    )


def _target(form: turn_form.TargetForm, here: Situation, said: SaidBefore) -> turn.Target:
    if form.opening is not None:
        return turn.Target(_slot(form.opening, here))
    scopes = tuple(_scope(one, here, said) for one in form.first_of)
    if not scopes:
        raise ScopeError("a change takes an opening or a scope")
    may_name_it = len(scopes) == 1 and not scopes[0].among_shown
    return turn.Target(slot_named(scopes[0].filter, here) if may_name_it else None, scopes, form.order, _at(form))
