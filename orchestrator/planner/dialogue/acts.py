"""Read from the whole sentence what is done with what is on the table, most of all a proposal that waits for a yes.

It is let go, put off, corrected, shown again or gone on with, or help comes first. The act that is said last counts:
"esquece, quero quinta" asks, "queria quinta, mas esquece" lets go.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from orchestrator import turn
from orchestrator.planner.dialogue.booking import asks_openings, offers_meant, picked, take_one
from orchestrator.planner.dialogue.on_the_table import Shown, only_shown, shown_last, told_receipt
from orchestrator.planner.dialogue.plan_builders import call, say
from orchestrator.planner.dialogue.references import goes_back_to
from orchestrator.planner.dialogue.several_bookings import slot_named
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.lexicon import expression, table, words
from orchestrator.planner.text import correct, is_known, normalise
from orchestrator.planner.understanding import Intent, answer, find_danger, find_pointer, helped, is_only, settled
from orchestrator.planner.wishes import RELATIVE, Kind, find_specialties

_WARNED_FOR = 3  # replies in a row that repeat a warning
_ASKING = (("references", "choosing"), *(("requests", act) for act in ("move", "cancel", "book", "openings")))
_JOINT = expression("behind_yes")
_SAME_AGAIN = frozenset({Kind.SAME, Kind.THEN, Kind.PREFERABLY})
_LEADING = frozenset({Kind.THEN, Kind.COMMA, Kind.STOP, Kind.AND, Kind.BUT})
_ASKS_OTHERS = RELATIVE - {Kind.SAME} | {Kind.FREEING, Kind.CORRECTING, Kind.FALLBACK}
_AT_OTHERS = words("at_others", "topics")


def lets_go(here: Situation) -> re.Match[str] | None:
    """Return the last words with which something is let go or put off."""
    *_, last = (None, *expression("lets_go").finditer(here.said.text.folded))
    return last


def gives_back(here: Situation) -> bool:
    """Return whether "drop it" is said of an appointment: one just shown or made, or one that cannot be kept."""
    session, missing = here.session, here.said.cues.missing
    if session.proposal is not None or not (session.appointments or missing) or not here.says("requests", "scrapping"):
        return False
    if missing or here.is_asked(turn.Topic.MY_APPOINTMENTS, turn.Topic.ASK_CHANGE):
        return True
    aside = session.question is None or session.asked is not None  # "what do I bring?"
    told = told_receipt(session, 3 if aside and shown_last(session) is not Shown.OPENINGS else 1)
    return told and session.receipts[-1].kind is not turn.ReceiptKind.CANCELLED


def let_go(here: Situation) -> turn.Plan | None:
    """Let go of the proposal, the list or the question, where nothing is asked for behind it."""
    said, words = here.said, lets_go(here)
    if words is None or answer(said.text.original) is False:  # a plain no is about what was asked
        return None
    kept = ("as_it_was",) if "kept_doctor" in here.known else ()  # "leave it then", of what was proposed before
    cannot_come = said.cues.missing and here.session.appointments and here.session.proposal is None
    names_one = Intent.CANCEL in said.cues.intents and (said.specialties or said.doctors.found)  # "... o outro deixa"
    waits = is_only(said.text.folded, "hesitations", *kept) and not here.says("patterns", "drops_it")
    if names_one or cannot_come or gives_back(here) or waits:
        return None
    behind = said.text.folded[words.end() :]
    wants = "?" in behind or any(table(*section).search(behind) for section in _ASKING)
    wants |= behind[:1] in {",", ".", ";", "!"} and bool(find_pointer(behind).numbers)  # "não quero, o 3"
    starts = (*(one.start for one in said.wishes.tokens if one.wanted is not None), 0)
    if wants or max(starts) >= words.end() or find_specialties(behind, here.clinics):
        return None
    still = _another_time(here, turn.Topic.ASK_WHICH_OFFER, turn.Topic.ASK_ANOTHER_TIME)
    plan = say(here, turn.Topic.LET_GO, "What is on the table is let go, or put off.")
    return replace(plan, question=turn.looked_for(here.session.proposal) or still)


def leaves_alone(here: Situation, steps: Sequence[turn.Step]) -> bool:
    """Return whether what is said is no reason to take a proposal away: it is so of it, and asks for no other."""
    said, cues, pointer = here.said, here.said.cues, here.said.pointer
    puts, so = "?" in said.text.folded, said.language is turn.Language.EN and "so"  # "só à tarde", "so that's a Monday"
    limits = not puts and any(one.kind is Kind.ONLY and one.text != so for one in said.wishes.tokens)
    asks = bool({*cues.intents} - {Intent.BOOK} or cues.books or cues.missing or cues.regrets or said.shift)
    of_it = cues.off_topic or limits or (pointer.this and said.moments)  # "which friday is that, this coming one?"
    asks |= cues.wonders and not of_it and all(is_known(word.text) for word in said.text.words)
    tells = said.wishes.only_tells  # "wait, I see clients Tuesdays"
    points = any(getattr(pointer, flag) for flag in _AT_OTHERS)
    points |= not tells and here.says("patterns", "asks_of_somebody")
    points |= expression("refused_in_hand").search(said.text.folded) is not None  # what it fits tells why
    takes = pointer.this or pointer.taking or limits
    points |= (pointer.choosing and not takes) or here.says("patterns", "list_again")
    if asks or points or {one.kind for one in said.wishes.tokens} & _ASKS_OTHERS - {Kind.CORRECTING if tells else None}:
        return False
    right = limits or puts or said.wishes.refused or expression("correction").match(said.text.folded)  # where it goes
    slots = [slot for step in steps for slot in step.slots[-1 if right else 0 :]]
    days = [one.dates[-1] for one in said.moments if one.dates]
    over = all(step.taken is None for step in steps) or (days and max(days) < here.now.date())  # "yesterday"
    fits = over or any(turn.fits(one.wish.widest, slot) for one in said.wishes.alone for slot in slots)
    fits = fits and turn.Axis.PRICE not in said.wishes.named
    named = {*said.specialties, *said.complaints, *said.body, *(one.specialty for one in said.doctors.found)}
    return fits and named <= {here.specialty_of(one.clinic) for one in slots}


def done_here(here: Situation) -> bool:
    """Return whether it is asked if this desk books, moves or cancels: "dá pra remarcar por aqui?"."""
    said, folded = here.said, here.said.text.folded
    if not (said.cues.hypothetical or said.cues.intents) or said.moments or said.specialties or said.doctors.found:
        return False
    asks = "?" in folded or said.cues.hypothetical or expression("asks_whether").match(folded)
    through = not said.pointer.mine and here.says("requests", "through_here") and here.says("requests", "write_stems")
    return bool(asks and through)


def tells_habit(here: Situation) -> bool:
    """Return whether a denied booking tells what suits: "never book me before 11", where none is made or proposed."""
    denial, named = table("requests", "negated").search(here.said.text.folded), here.said.wishes.named
    held = here.session.proposal or here.session.appointments
    if held or denial is None or not named or not named <= {turn.Axis.DAY, turn.Axis.TIME}:
        return False
    return expression("books").search(denial.group()) is not None


def warned(here: Situation) -> turn.Topic | None:
    """Return the emergency that the replies right before warned of; none where help comes, less where it is over."""
    for last in takewhile(lambda one: "192" in one.reply, reversed(here.session.history[-_WARNED_FOR:])):
        before = normalise(last.utterance)
        if helped(before.folded) or (settled(before.folded, "all_clear") and not here.says("patterns", "came_back")):
            return None
        if (told := find_danger(before).emergency) is not None:
            over = "seen_to" if expression("comes_back").search(before.folded) else "all_clear"
            if told is turn.Topic.MEDICAL_EMERGENCY and settled(here.said.text.folded, over):
                return turn.Topic.POSSIBLE_EMERGENCY
            return None if helped(here.said.text.folded) else told
    return None


def after_warning(here: Situation) -> turn.Plan | None:
    """Acknowledge that help comes first; until then say again what cannot wait, unless a visit is asked for."""
    said, folded = here.said, here.said.text.folded
    if not here.session.history or "192" not in here.session.history[-1].reply or settled(folded):
        return None
    points = said.pointer.numbers or said.pointer.earliest or (said.is_bare and said.moments)
    named = said.specialties or said.doctors.found or points or (here.complained_of and said.cues.intents)
    over = settled(folded, "all_clear")
    if helped(folded) and "?" not in folded and (lets_go(here) or not (said.cues.books or named or over)):
        plan = say(here, turn.Topic.HELP_COMES, "Help is on its way, or they go to it; nothing else is asked.")
        return replace(plan, question=None)
    limits = said.wishes.named - {turn.Axis.DAY, turn.Axis.TIME} and (here.session.offers or here.session.question)
    asks = named or limits or said.cues.intents or said.cues.chat or said.refusal or (helped(folded) and not over)
    answers = answer(said.text.original) is not None or here.says("references", "still_wanted") or lets_go(here)
    again = warned(here) if not (asks or answers) or here.says("patterns", "danger_stays") else None
    return say(here, again, "What could not wait a moment ago still cannot.") if again else None


def declined(here: Situation) -> turn.Plan | None:
    """Answer a plain no, to a question or to nothing in particular."""
    # "Keep it" is about what there is, also where it was asked what to do with it.
    nothing = here.session.question is None or here.is_asked(turn.Topic.ASK_CHANGE)
    action = turn.CANCEL if nothing else here.question.action
    none = here.said.pointer.none and here.is_asked(turn.Topic.OFFER_SPECIALTY)  # "nenhum", of what was offered
    if not (none or answer(here.said.text.original, action) is False) or not here.said.text.original.strip():
        return None
    still_wanted = _another_time(here, turn.Topic.ASK_WHICH_OFFER)  # "não. e dia 28?"
    return replace(say(here, turn.Topic.NOTHING_DONE, "A plain no: nothing was changed."), question=still_wanted)


def none_suits(here: Situation) -> turn.Plan | None:
    """Ask which day or time would suit when none of the openings does, or to what a card is to be moved."""
    moves = here.proposed is not None and Intent.MOVE in here.said.cues.intents and here.said.shift is None
    named = here.said.wishes.named - {turn.Axis.SPECIALTY}
    told = named or here.said.wishes.is_relative or any(one.kind is Kind.BOUND for one in here.said.wishes.tokens)
    if not (moves or (here.said.pointer.none and here.session.offers)) or told:
        return None
    question = here.session.question if here.is_asked(turn.Topic.ASK_NEW_TIME) else _another_time(here, *turn.Topic)
    return say(here, turn.Topic.ASK_ANOTHER_TIME, "None of the openings suits.", question=question)


def _another_time(here: Situation, *topics: turn.Topic) -> turn.Question | None:
    asked = here.session.question is not None and here.is_asked(*topics)
    return replace(here.question, topic=turn.Topic.ASK_ANOTHER_TIME) if asked else None


def as_agreed(plan: turn.Plan) -> turn.Plan:
    """Return an agreed plan without what was checked before."""
    checked = plan.note in {turn.Topic.AS_SHOWN, turn.Topic.NOT_AS_SHOWN, turn.Topic.NO_APPOINTMENTS}
    return replace(plan, note=None, asked=None) if checked else plan


def action_of(proposal: turn.Proposal) -> str | None:
    """Return the action that a yes to a proposal may name, where its writes are one."""
    actions = {step.action for step in proposal.plan.steps}
    return turn.MOVE if actions == {turn.BOOK, turn.CANCEL} else actions.pop() if len(actions) == 1 else None


def parts_of_yes(utterance: str, action: str | None, *, several: bool = False) -> tuple[str, str] | None:
    """Return the longest plain yes and what stands behind it; one that may only have been heard is none."""
    weak = table("clinic_facts", "weak_yes")
    for joint in reversed([*_JOINT.finditer(utterance)]):
        halves = utterance[: joint.start()], utterance[joint.end() :]
        for yes, beside in (halves, halves[::-1]):  # what is told of oneself may stand before it
            stands = yes is halves[0] or expression("yes_of_oneself").match(normalise(beside).folded)
            agrees = stands and not weak.fullmatch(correct(normalise(yes)).folded)
            if beside and agrees and answer(yes, action, several=several) is True:
                return yes, beside
    return None


def parts_of_pick(utterance: str) -> tuple[str, str] | None:
    """Return what is taken and the question beside it: "Monday 5.30, and can I pay by card?", "how much? the first"."""
    ways = [(utterance[: one.start()], utterance[one.end() :]) for one in reversed([*_JOINT.finditer(utterance)])]
    asks = expression("pick_and_question").fullmatch
    return next((way for one in ways for way in (one, one[::-1]) if asks(normalise(" ? ".join(way)).folded)), None)


def correct_proposal(here: Situation) -> turn.Plan | None:
    """Propose the booking again with what was said changed ("não, melhor 10:30")."""
    proposal, said, pointer = here.session.proposal, here.said, here.said.pointer
    if proposal is None or len(proposal.plan.steps) != 1:
        return None
    changes = said.moments or said.doctors.found
    points = pointer.numbers or pointer.other or (not said.wishes.is_relative and (pointer.earliest or pointer.latest))
    of_list = any(offer.slot == here.proposed for offer in here.session.offers)
    rows = of_list or {*pointer.numbers} & {offer.number for offer in here.session.offers}
    alone = pointer.either or (pointer.numbers == (1,) and not of_list) or here.says("patterns", "yes_the_first")
    kinds = {one.kind for one in said.wishes.tokens}
    same = Kind.SAME in kinds <= _SAME_AGAIN  # "same hour is fine"
    first = next((one.kind for one in said.wishes.tokens if one.kind not in _LEADING), None)
    _, told = parts_of_yes(said.text.original, proposal.plan.steps[0].action) or ("", "")  # "sim, mas é longe"
    grumbles = expression("only_grumbles").match(normalise(told).folded) or here.says("patterns", "weak_then_grumbles")
    stays = grumbles or first is Kind.FALLBACK or (alone and not (changes or said.wishes.named))  # "se não der, quinta"
    if stays or (same and "?" not in said.text.folded):
        return proposal.plan
    if pointer.other_doctor or pointer.other_clinic or said.shift or not (changes or (points and rows)):
        return None  # "troca o médico mas deixa a sexta"
    proposed = proposal.plan.steps[0].call
    moves_another = Intent.MOVE in said.cues.intents and here.session.appointments
    seeks = asks_openings(here) and not pointer.numbers  # "what about the first?" names a row
    elsewhere = said.specialties or seeks or any(not moment.exists for moment in said.moments)
    if not isinstance(proposed, turn.Book) or moves_another or Intent.CANCEL in said.cues.intents or elsewhere:
        return None
    # "Anything next week, after 2?" looks for others, though one of the list may fit.
    seeks = "?" in said.text.folded and not any(one.dates or one.times for one in said.moments)
    if changes and (seeks or any(token.kind is Kind.FREEING for token in said.wishes.tokens)):
        return None
    return (changes and take_one(here, _corrected(here, proposed))) or picked(here)


def checked(here: Situation) -> turn.Plan | None:
    """Show what is proposed again, and whether it is as it is asked whether it is: "é na Vila Mariana, né?"."""
    said, proposal, slot = here.said, here.session.proposal, here.proposed
    moves = Intent.MOVE in said.cues.intents  # "troca pra clínica F, lá atende Bradesco, né?"
    if proposal is None or moves or not expression("checks").search(said.text.original.casefold()):
        return None
    told = [one.wanted for one in said.wishes.tokens if one.wanted is not None and not said.cues.clinic_matter]
    facts = {one.axis: one.clinics for one in told if isinstance(one, turn.ClinicFact)}
    priced = re.search(r"(?<![\d:])\d{3}(?![\d:])", said.text.folded)
    other = said.cues.books or said.for_whom or facts.keys() - {turn.Axis.PLACE} or None in facts.values()
    if slot is None or other or not (told or priced):
        return proposal.plan if told and not other else None  # "so Saturday is gone, right?", of a move
    prices = {one for clinic in here.clinics if clinic.id == slot.clinic for one in clinic.stated(turn.AskedFact.PRICE)}
    gone = here.says("references", "gone")  # "e a de terça sumiu, né?"
    fitting = {f"{priced[0]}00" in prices} if priced else {turn.fits(one, slot) != gone for one in told}
    note = None if len(fitting) > 1 else turn.Topic.AS_SHOWN if True in fitting else turn.Topic.NOT_AS_SHOWN
    asked = turn.AskedFact.PRICE if priced else turn.AskedFact.ADDRESS if facts else None
    return replace(proposal.plan, note=note, asked=turn.FactQuestion((asked,), (slot.clinic,)) if asked else None)


def go_on(here: Situation) -> turn.Plan | None:
    """Propose again what was proposed before something else was said, after a yes, or what was just cancelled."""
    receipts = here.session.receipts[-1:]
    undone = expression("back_as_it_was").match(here.said.text.folded) and receipts and told_receipt(here.session)
    if receipts and (here.says("references", "taking_back") or undone):
        cancelled = [turn.booking_step(one.appointment) for one in receipts if one.kind is turn.ReceiptKind.CANCELLED]
        return call(here, cancelled, "What was cancelled is wanted back.") if cancelled else None
    proposal, known = here.session.proposal, here.known
    of_list = proposal and here.said.pointer.numbers and here.proposed in [one.slot for one in here.session.offers]
    kept_open = (proposal is not None and not of_list) or "kept_doctor" in known  # "back to the first one"
    kept = here.slot_in({**known, "doctor": known["kept_doctor"]}, "kept_") if "kept_doctor" in known else None
    if (kept and goes_back_to(here, kept)) or (kept_open and is_only(here.said.text.folded, "as_it_was")):
        steps = [turn.booking_step(kept)] if kept is not None else []
        return proposal.plan if proposal is not None else call(here, steps, "What was proposed before stays.")
    asked = here.is_asked(turn.Topic.ASK_GO_ON) and here.question.action == turn.BOOK
    shown, of_move = here.session.offers, here.is_asked(turn.Topic.ASK_NEW_TIME)  # whose row is taken by the visit
    still = (asked or shown) and not (here.said.shift or of_move) and here.says("references", "still_wanted")
    only = only_shown(here.session) if still else None
    slot = here.slot_in(here.known) if asked else only and only.slot
    if slot is None and len(here.question.waiting) == 1 and not here.session.offers:
        slot = slot_named(here.question.waiting[0].widest, here)  # what comes next was named in full
    if slot is None or not (still or answer(here.said.text.original, turn.BOOK) is True):
        return None
    return call(here, [turn.booking_step(slot)], "What was proposed before is wanted after all.")


def _corrected(here: Situation, proposed: turn.Book) -> tuple[turn.Offer, ...]:
    cues, fitting = here.said.cues, here.at_every_moment(offers_meant(here))
    bounded = any(one.wanted and expression("denied").match(one.text) for one in here.said.wishes.tokens)
    if here.said.wishes.is_relative or (cues.denies and not bounded) or cues.missing or Intent.MOVE in cues.intents:
        fitting = tuple(one for one in fitting if one.slot != here.proposed)
    if here.doctor is None:
        fitting = tuple(one for one in fitting if here.specialty_of(one.clinic) in here.specialties_talked_of)
        fitting = tuple(one for one in fitting if one.doctor == proposed.doctor) or fitting
    if not any(moment.dates or moment.days for moment in here.said.moments):
        fitting = tuple(one for one in fitting if one.date == proposed.date) or fitting
    return fitting
