"""Build plans: the shapes that the planning rules share, each once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from orchestrator.planner.dialogue.on_the_table import noted
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.lexicon import table
from orchestrator.texts import clock_time, texts_in
from orchestrator.turn import (
    ANYTHING,
    BOOK,
    LIST,
    MOVE,
    Appointment,
    Axis,
    Best,
    Book,
    Cancel,
    CountOpenings,
    DaysOfBoth,
    Language,
    Offer,
    OfSpecialty,
    OpeningQuestion,
    OpeningScope,
    Order,
    Plan,
    PlanKind,
    Question,
    ReplySteps,
    Step,
    Topic,
    Wish,
    any_of,
    axes_of,
    booking_step,
    cancelling_step,
    conditions_of,
    fits,
    on_coming_days,
    without,
)

_TOPICS = {
    PlanKind.REFUSE: (Topic.DIAGNOSIS, Topic.DOSAGE, Topic.OTHER_PERSON, Topic.OPERATORS_ONLY, Topic.INSTRUCTIONS),
    PlanKind.OUT_OF_SCOPE: (Topic.OTHER_SPECIALTY, Topic.OFF_TOPIC),
    PlanKind.SMALLTALK: (
        *(Topic.GREETING, Topic.THANKS, Topic.FAREWELL, Topic.NO_HURRY, Topic.HELP, Topic.HOW_IT_WORKS),
        *(Topic.NOTHING_DONE, Topic.WHAT_ELSE, Topic.NO_HEALTH_MEMORY, Topic.NOTHING_OPEN),
    ),
    PlanKind.EMERGENCY: (Topic.MEDICAL_EMERGENCY, Topic.SELF_HARM, Topic.POISONING, Topic.VIOLENCE),
}
_KINDS = {topic: kind for kind, topics in _TOPICS.items() for topic in topics}  # every other topic is a question


def say(here: Situation, topic: Topic, why: str, *, question: Question | None = None) -> Plan:
    """Return a plan that calls no clinic; `question`, or else what is open, can be gone on with afterwards."""
    return Plan(
        kind=_KINDS.get(topic, PlanKind.CLARIFY),
        language=here.language,
        topic=topic,
        question=question or _still_open(here),
        reasoning=(why,),
    )


def _still_open(here: Situation) -> Question | None:
    # Where a proposal is open, a yes proposes it again.
    proposal = here.session.proposal
    if proposal is None or proposal.attempted:
        return here.session.question
    match proposal.plan.steps:
        case (write,):
            return Question(Topic.ASK_GO_ON, write.action, write.parameters)
        case (Step(call=Book() as taking, step_id=taken), Step(call=Cancel() as giving, after=after)) if after == taken:
            known = {
                "doctor": giving.doctor,
                **noted(giving.date, giving.time, "original_"),
                "to_doctor": taking.doctor,
                **noted(taking.date, taking.time, "new_"),
            }
            return Question(Topic.ASK_GO_ON, MOVE, known)
        case _:
            return here.session.question


def ask(
    here: Situation,
    topic: Topic,
    why: str,
    *,
    action: str | None = None,
    known: Mapping[str, str] | None = None,
    choices: Sequence[str] = (),
) -> Plan:
    """Return a question that the next turn may answer, with the filter of this utterance."""
    return ask_question(here, Question(topic, action, known or {}, here.wish, tuple(choices)), why)


def ask_question(here: Situation, question: Question, why: str) -> Plan:
    """Return a question as a plan."""
    return Plan(
        kind=PlanKind.CLARIFY,
        language=here.language,
        topic=question.topic,
        facts=question.known if question.topic is Topic.OFFER_SPECIALTY else {},
        choices=question.choices,
        question=question,
        reasoning=(why,),
    )


def which_offer(here: Situation, why: str = "The reference fits no single opening.") -> Plan:
    """Return the question which of the openings on the screen is meant."""
    rows = [choice(offer, here.language) for offer in here.session.printed]
    question = here.session.question
    known, wish = (here.known, question.wish) if question is not None else ({}, ANYTHING)
    return ask_question(here, Question(Topic.ASK_WHICH_OFFER, BOOK, known, wish, tuple(rows)), why)


def call(
    here: Situation,
    steps: Iterable[Step],
    *why: str,
    question: Question | None = None,
    wish: Wish = ANYTHING,
    nearest: bool = False,
) -> Plan:
    """Return a plan of steps, numbered in their order."""
    numbered = tuple(replace(step, step_id=n) for n, step in enumerate(steps, 1))
    return Plan(
        kind=PlanKind.STEPS,
        language=here.language,
        steps=numbered,
        question=question,
        wish=wish,
        nearest=nearest,
        reasoning=why,
    )


def exchanging(held: Appointment, wanted: Appointment) -> list[Step]:
    """Return the steps that book a slot of another doctor and then cancel the appointment."""
    return [booking_step(wanted), replace(cancelling_step(held), after=1)]


def choice(slot: Offer | Appointment, language: Language) -> str:
    """Return one line for a slot among several to choose from."""
    texts = texts_in(language)
    return texts.text("planner.opening", doctor=slot.doctor, day=texts.long_date(slot.date), time=clock_time(slot.time))


def queued(here: Situation, plan: Plan) -> Plan:
    """Return the plan with the requests that wait: all that were listed together, or those that a booking leaves."""
    if len(here.requests) > 1 and plan.question is not None and any(step.action == LIST for step in plan.steps):
        waiting = tuple(request.wish for request in here.requests)
        return replace(plan, question=replace(plan.question, waiting=waiting))
    question = here.session.question
    if question is None or not question.waiting or not plan.steps:
        return plan
    if plan.steps[0].given_back is not None:
        return with_waiting(here, plan, question.waiting)
    taken = [step.taken for step in plan.steps if isinstance(step.call, Book) and step.taken is not None]
    if not taken:
        if plan.question is None or here.wanted_before is None:
            return plan
        return replace(plan, question=replace(plan.question, waiting=question.waiting))
    left = tuple(wish for wish in question.waiting if not any(fits(wish.widest, slot) for slot in taken))
    return with_waiting(here, plan, left) if left else plan


def put_off(booking: Situation, plan: Plan) -> Plan:
    """Return the plan of a change with the booking that was asked for in the same sentence waiting behind it."""
    waiting = tuple(request.wish for request in booking.requests)
    if plan.question is not None and not any(step.given_back for step in plan.steps):
        return replace(plan, question=replace(plan.question, waiting=waiting))
    return with_waiting(booking, plan, waiting) if plan.steps else plan


def with_waiting(here: Situation, plan: Plan, waiting: tuple[Wish, ...]) -> Plan:
    """Return the plan with wishes that are gone on with behind it, of its own specialty where they name none."""
    code = here.specialty_of(plan.steps[0].clinic) or ""
    own = OfSpecialty(code, frozenset(here.clinics_of(code)))
    places = {Axis.SPECIALTY, Axis.DOCTOR, Axis.CLINIC}
    waiting = tuple(one if axes_of(one.widest) & places else one.and_also(own) for one in waiting)
    codes = dict.fromkeys(
        one.code for wish in waiting for one in conditions_of(wish.widest) if isinstance(one, OfSpecialty)
    )
    known = {"specialty": " ".join(codes)} if codes else {}
    wish = Wish(any_of(one.widest for one in waiting))
    return replace(plan, question=Question(Topic.ASK_WHICH_OFFER, BOOK, known, wish, waiting=waiting))


def answered_above(here: Situation, wish: Wish) -> ReplySteps | None:
    """Return the steps of a reply that answers above a list how many there are, or when both of two doctors can."""
    questions = tuple(_questions_of_list(here, wish))
    shown = (OpeningScope(wish.filter),)
    return ReplySteps(questions=questions, shown=shown, today=here.now.date()) if questions else None


def _questions_of_list(here: Situation, wish: Wish) -> Iterator[OpeningQuestion]:
    sides = here.sides_of_one_day
    if sides and Axis.DAY not in here.said.wishes.named:
        rest = without(wish.filter, frozenset({Axis.DOCTOR, Axis.SPECIALTY, Axis.CLINIC}))
        yield DaysOfBoth(OpeningScope(rest), sides)
    if here.said.pointer.latest and not (here.said.pointer.numbers or here.said.pointer.of_day):
        yield Best(OpeningScope(on_coming_days(wish.filter)), Order.LATEST)
    if table("requests", "how_many").search(here.said.text.folded):
        yield CountOpenings(OpeningScope(on_coming_days(wish.filter)))
