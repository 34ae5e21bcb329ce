"""The commands that lead to a turn: openings, booking by number, moving or giving back what was booked, memory.

A number goes to the conversation as a plan. Words for a new time answer the question when. Nothing is written here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mesh.text_folding import fold
from orchestrator import turn
from orchestrator.console import path_of
from orchestrator.terminal.slash_commands import Action, ClinicView, SaveCalendar, Say, Show, show_text

_TELLING = 5  # letters that a specialty is known by


def book(view: ClinicView, argument: str) -> Action:
    """Propose to book an opening of the last list."""
    printed = view.session.printed
    if not printed:
        return show_text(view.texts.text("terminal.no_slots"))
    offer = next((offer for offer in printed if str(offer.number) == argument), None)
    if offer is None:
        return _which_number(view, "/book", printed[-1].number, "/slots")
    return Say(view.texts.text("terminal.say_book", **_words(offer, view)), _plan_of([turn.booking_step(offer)], view))


def offers(view: ClinicView) -> Mapping[str, str]:
    """Return the openings that were shown, by number."""
    return {str(offer.number): _line(offer, view) for offer in view.session.printed}


def cancel(view: ClinicView, argument: str) -> Action:
    """Propose to give an appointment back."""
    found = _held(view, "/cancel", argument)
    if not isinstance(found, turn.Appointment):
        return found
    said = view.texts.text("terminal.say_cancel", **_words(found, view))
    return Say(said, _plan_of([turn.cancelling_step(found)], view))


def reschedule(view: ClinicView, argument: str) -> Action:
    """Ask for another time of an appointment: the one that is named, else which there are."""
    number, _, when = argument.partition(" ")
    found = _held(view, "/reschedule", number)
    if not isinstance(found, turn.Appointment):
        return found
    known = {"doctor": found.doctor, "original_date": found.date.isoformat(), "original_time": turn.clock(found.time)}
    question = turn.Question(turn.Topic.ASK_NEW_TIME, turn.MOVE, known)
    if wanted := when.strip():
        return Say(wanted, question=question)
    openings = _plan_of([turn.listing_step(found.clinic, found.doctor)], view)
    return Say(view.texts.text("terminal.say_move", **_words(found, view)), replace(openings, question=question))


def calendar(view: ClinicView, argument: str) -> Action:
    """Write all appointments as a calendar, or the one of a number; a name of the file may follow."""
    number, _, name = argument.partition(" ")
    only = _held(view, "/calendar", number) if number.isdecimal() else None
    if not isinstance(only, turn.Appointment | None):
        return only
    file = argument if only is None else name.strip()
    return SaveCalendar(path_of(file or view.texts.text("calendar.file")), only)


def held(view: ClinicView) -> Mapping[str, str]:
    """Return the appointments that are known, by number."""
    return {str(number): _line(one, view) for number, one in enumerate(view.session.appointments, 1)}


def _held(view: ClinicView, command: str, number: str) -> turn.Appointment | Action:
    texts, own = view.texts, view.session.appointments
    if not own:
        return show_text(texts.text("terminal.nothing_held"))
    # What looks like a digit in another script is no number here.
    place = int(number) if number.isascii() and number.isdigit() else 0
    return own[place - 1] if 0 < place <= len(own) else _which_number(view, command, len(own), "/bookings")


def _which_number(view: ClinicView, command: str, last: int, shown_by: str) -> Action:
    return show_text(view.texts.counted("terminal.which_number", last, command=command, list=shown_by))


def retry(view: ClinicView, argument: str) -> Action:
    """Ask the clinics that did not answer in the last turn again, or one of them."""
    texts = view.texts
    if view.session.proposal is not None and view.session.proposal.attempted:
        return show_text(texts.text("terminal.retry_unsettled"))
    plan = view.trace.unanswered
    if plan is None:
        return show_text(texts.text("terminal.nothing_to_retry"))
    silent = tuple(dict.fromkeys(step.clinic for step in plan.steps))
    wanted = [clinic for clinic in silent if argument.lower() in {"", clinic, view.clinic_name(clinic).lower()}]
    if not wanted:
        return show_text(texts.text("terminal.retry_whom", clinics=", ".join(silent)))
    steps = tuple(step for step in plan.steps if step.clinic in wanted)
    names = ", ".join(map(view.clinic_name, wanted))
    return Say(texts.text("terminal.say_retry", clinics=names), replace(plan, steps=steps))


def silent_clinics(view: ClinicView) -> Mapping[str, str]:
    """Return the names of the clinics that did not answer in the last turn, by id."""
    plan = view.trace.unanswered
    return {step.clinic: view.clinic_name(step.clinic) for step in (plan.steps if plan is not None else ())}


def _plan_of(steps: Sequence[turn.Step], view: ClinicView) -> turn.Plan:
    specialties = {one.id: one.specialty for one in view.clinics}
    return turn.Plan(
        turn.PlanKind.STEPS,
        view.session.spoken_language,
        steps=tuple(replace(step, step_id=number) for number, step in enumerate(steps, 1)),
        reasoning=("Chosen by a command.",),
        classification=turn.classification_of(steps, specialties.get),
    )


def _words(slot: turn.Offer | turn.Appointment, view: ClinicView) -> dict[str, str]:
    day = view.texts.text("terminal.day", day=slot.date.day, month=slot.date.month, year=slot.date.year)
    return {"doctor": slot.doctor, "day": day, "time": turn.clock(slot.time)}


def _line(slot: turn.Offer | turn.Appointment, view: ClinicView) -> str:
    return f"{view.texts.moment(slot.date, slot.time)} · {slot.doctor} · {view.clinic_name(slot.clinic)}"


def slots(view: ClinicView, argument: str) -> Action:
    """Show all openings of the last list, numbered anew, or ask for those of a specialty."""
    texts = view.texts
    if argument:
        # "cardio", "Cardiologista" and "cardiology" begin alike.
        typed = {fold(word)[:_TELLING] for word in argument.split()}
        names = ((one.specialty, one.specialty_name(language)) for one in view.clinics for language in turn.Language)
        codes = [*dict.fromkeys(code for code, name in names if fold(name)[:_TELLING] in typed)]
        if not codes:
            return show_text(texts.text("terminal.slots_usage", specialties=", ".join(specialties(view))))
        return Say(texts.text("terminal.ask_slots", specialty=argument), _plan_of_openings(codes, view))
    offers = tuple(replace(offer, number=number) for number, offer in enumerate(view.session.offers, 1))
    if not offers:
        return show_text(texts.text("terminal.no_slots"))
    rows = tuple(
        (str(one.number), texts.long_date(one.date), turn.clock(one.time), one.doctor, view.clinic_name(one.clinic))
        for one in offers
    )
    table = turn.Table(texts.lines("terminal.slots_columns"), rows)
    return Show((table,), replace(view.session, offers=offers, printed_before=view.session.known_openings))


def specialties(view: ClinicView) -> Mapping[str, str]:
    """Return the specialties that there are, as people write them; they need no explanation."""
    return dict.fromkeys((one.specialty_name(view.session.spoken_language).lower() for one in view.clinics), "")


def _plan_of_openings(codes: Sequence[str], view: ClinicView) -> turn.Plan:
    clinics = {code: [one.id for one in view.clinics if one.specialty == code] for code in codes}
    wish = turn.Wish(turn.any_of(turn.OfSpecialty(code, frozenset(ids)) for code, ids in clinics.items()))
    plan = _plan_of([turn.listing_step(clinic) for ids in clinics.values() for clinic in ids], view)
    question = turn.Question(turn.Topic.ASK_WHICH_OFFER, turn.BOOK, {"specialty": " ".join(codes)}, wish)
    return replace(plan, wish=wish, question=question)


def memory(view: ClinicView, argument: str) -> Action:
    """Ask the conversation, which alone knows what is remembered."""
    texts, noted = view.texts, view.services.noted
    if noted is None or view.session.operator is not None:
        return show_text(texts.text("terminal.memory_off" if noted is None else "terminal.memory_serving"))
    verb, _, content = argument.partition(" ")
    if verb.lower() == "add" and content.strip():
        call = noted(content.strip(), view.session.spoken_language)
        return Say(call.content, _plan_of_memory(call, view))
    match argument.lower().split():
        case []:
            return Say(texts.text("terminal.ask_memories"), _plan_of_memory(turn.ListMemories(), view))
        case ["clear"]:
            return Say(texts.text("terminal.forget_all_memories"), _plan_of_memory(turn.ForgetAllMemories(), view))
        case ["forget", number] if number.isdecimal():
            listed = view.session.memories[: int(number)]
            is_listed = 0 < int(number) == len(listed)
            forget = turn.ForgetMemory(listed[-1].content) if is_listed else turn.ListMemories()
            return Say(texts.text("terminal.forget_memory", number=number), _plan_of_memory(forget, view))
        case _:
            return show_text(texts.text("terminal.memory_usage"))


def _plan_of_memory(call: turn.MemoryCall, view: ClinicView) -> turn.Plan:
    proposal = view.session.proposal
    return turn.Plan(
        turn.PlanKind.SMALLTALK,
        view.session.spoken_language,
        topic=turn.Topic.WHAT_ELSE,
        keeps_proposal=proposal is not None and not proposal.attempted,
        question=view.session.question,
        reasoning=("A command about what is remembered of who speaks.",),
        classification=turn.Classification(turn.Topic.WHAT_ELSE),
        memory=(call,),
    )
