"""Answer what is said of a proposal that waits for a yes: correct it, show it again, go on with it."""

import re
from collections.abc import Iterator
from dataclasses import replace

from orchestrator import turn
from orchestrator.planner.dialogue.booking import asks_openings, offers_meant, picked, take_one
from orchestrator.planner.dialogue.on_the_table import only_shown
from orchestrator.planner.dialogue.plan_builders import call
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.lexicon import pattern, table
from orchestrator.planner.text import correct, normalise
from orchestrator.planner.understanding import Intent, answer, facts_in, is_only
from orchestrator.planner.wishes import Kind

_JOINT = re.compile(
    r"\s*[,.;!]+\s*(?:(?:e|and|n|&) (?!n[aã]o))?(?:(?:ent[aã]o|then|depois|da[ií]|a[ií]|now|agora) )?"
    r"|\s+(?:(?=(?:e|and) )|(?:n|&) (?=(?:then|also|now|what|how|show|find|tell)))",
    re.IGNORECASE,
)


def with_asked(plan: turn.Plan, utterance: str) -> turn.Plan:
    """Return an agreed plan with what is asked of its clinics behind the yes, not what was checked before."""
    if plan.note in {turn.Topic.AS_SHOWN, turn.Topic.NOT_AS_SHOWN}:
        plan = replace(plan, note=None, asked=None)
    facts, clinics = asked_behind_yes(utterance), dict.fromkeys(step.clinic for step in plan.steps)
    return replace(plan, asked=turn.FactQuestion(facts, tuple(clinics))) if facts else plan


def asked_behind_yes(utterance: str, action: str | None = None) -> tuple[turn.AskedFact, ...]:
    """Return what is asked of a clinic behind a plain yes, and nothing besides: "sim, e onde fica?".

    "Ok, onde fica?" may only have been heard, and whether an insurance is accepted may decide: neither is a yes.
    """
    for _, behind in parts_of_yes(utterance, action):
        asked = correct(normalise(behind)).folded
        facts, small = facts_in(asked), table("clinic_facts", "elliptic")
        for fact in facts:
            asked = table("clinic_facts", fact).sub(" ", asked)
        rest = re.findall(r"[a-z0-9]+", asked)
        plain = all(small.fullmatch(word) for word in rest) and not {"mas", "but", "so"} & {*rest}
        if facts and turn.AskedFact.INSURANCE not in facts and plain:
            return facts
    return ()


def action_of(proposal: turn.Proposal) -> str | None:
    """Return the action that a yes to a proposal may name, where its writes are one."""
    actions = {step.action for step in proposal.plan.steps}
    return turn.MOVE if actions == {turn.BOOK, turn.CANCEL} else actions.pop() if len(actions) == 1 else None


def parts_of_yes(utterance: str, action: str | None, *, several: bool = False) -> Iterator[tuple[str, str]]:
    """Yield a plain yes and what stands behind it, the longest yes first; one that may only have been heard is none."""
    for joint in reversed([*_JOINT.finditer(utterance)]):
        yes, behind = utterance[: joint.start()], utterance[joint.end() :]
        weak = table("clinic_facts", "weak_yes").fullmatch(correct(normalise(yes)).folded)
        if behind and not weak and answer(yes, action, several=several) is True:
            yield yes, behind


def correct_proposal(here: Situation) -> turn.Plan | None:
    """Propose the booking again with what was said changed ("não, melhor 10:30")."""
    proposal, said, pointer = here.session.proposal, here.said, here.said.pointer
    if proposal is None or len(proposal.plan.steps) != 1:
        return None
    changes = said.moments or said.doctors.found
    points = pointer.numbers or pointer.beside or (not said.wishes.is_relative and (pointer.earliest or pointer.latest))
    of_list = any(offer.slot == here.proposed for offer in here.session.offers)
    if (pointer.either and not changes) or _asks_whether(here):
        return proposal.plan
    if pointer.other_doctor or said.shift or not (changes or (points and of_list)):
        return None  # "troca o médico mas deixa a sexta"
    proposed = proposal.plan.steps[0].call
    moves_another = Intent.MOVE in said.cues.intents and here.session.appointments
    elsewhere = said.specialties or asks_openings(here) or any(not moment.exists for moment in said.moments)
    if not isinstance(proposed, turn.Book) or moves_another or Intent.CANCEL in said.cues.intents or elsewhere:
        return None
    # "Anything next week, after 2?" looks for others, though one of the list may fit.
    seeks = "?" in said.text.folded and not any(one.dates or one.times for one in said.moments)
    if changes and (seeks or any(token.kind is Kind.FREEING for token in said.wishes.tokens)):
        return None
    return (changes and take_one(here, _corrected(here, proposed))) or picked(here)


def _asks_whether(here: Situation) -> bool:
    """Return whether it is only asked if what is proposed is so: "não era terça dia 22?", "is it a man or a woman?"."""
    said, slot = here.said, here.proposed
    genders = {one.wanted for one in said.wishes.tokens if isinstance(one.wanted, turn.WithWoman)}
    of_doctor = slot is not None and here.doctor is not None and here.doctor.name == slot.doctor
    if len(genders) > 1 or (genders and of_doctor and "?" in said.text.folded):
        return True
    asks = pattern("patterns", "asks_of_it").match(said.text.folded) and bool(said.moments)
    asks = asks or ("?" in said.text.folded and any(token.kind is Kind.ASKED for token in said.wishes.tokens))
    leans = said.wishes.is_relative or said.shift is not None  # "can we make it earlier?"
    if not asks or slot is None or said.doctors.found or leans:
        return False
    return all(moment.matches(slot.date, slot.time) for moment in said.moments)


def checked(here: Situation) -> turn.Plan | None:
    """Show what is proposed again, and whether it is as it is asked whether it is: "é na Vila Mariana, né?"."""
    said, proposal = here.said, here.session.proposal
    slot = here.proposed if proposal is not None else None
    if slot is None or proposal is None or not pattern("patterns", "checks").search(said.text.original.casefold()):
        return None
    told = [one.wanted for one in said.wishes.tokens if one.wanted is not None]
    facts = {one.axis: one.clinics for one in told if isinstance(one, turn.ClinicFact)}
    priced = re.search(r"(?<![\d:])\d{3}(?![\d:])", said.text.folded)
    other = said.cues.books or said.for_whom or facts.keys() - {turn.Axis.PLACE} or None in facts.values()
    if other or not (told or priced):
        return None
    prices = {one for clinic in here.clinics if clinic.id == slot.clinic for one in clinic.stated(turn.AskedFact.PRICE)}
    fitting = {f"{priced[0]}00" in prices} if priced else {turn.fits(one, slot) for one in told}
    note = None if len(fitting) > 1 else turn.Topic.AS_SHOWN if True in fitting else turn.Topic.NOT_AS_SHOWN
    asked = turn.AskedFact.PRICE if priced else turn.AskedFact.ADDRESS if facts else None
    return replace(proposal.plan, note=note, asked=turn.FactQuestion((asked,), (slot.clinic,)) if asked else None)


def go_on(here: Situation) -> turn.Plan | None:
    """Propose again what was proposed before something else was said, after a yes, or what was just cancelled."""
    receipts = here.session.receipts[-1:]
    if receipts and here.says("references", "taking_back"):
        cancelled = [turn.booking_step(one.appointment) for one in receipts if one.kind is turn.ReceiptKind.CANCELLED]
        return call(here, cancelled, "What was cancelled is wanted back.") if cancelled else None
    proposal = here.session.proposal
    back = here.doctor is not None and here.doctor.name == here.known.get("kept_doctor") and not here.said.moments
    back = back and pattern("patterns", "back_to").match(here.said.text.folded) is not None
    of_list = proposal and here.said.pointer.numbers and here.proposed in [one.slot for one in here.session.offers]
    kept_open = (proposal is not None and not of_list) or "kept_doctor" in here.known  # "back to the first one"
    if back or (kept_open and is_only(here.said.text.folded, "as_it_was")):
        kept = here.slot_in({**here.known, "doctor": here.known.get("kept_doctor", "")}, "kept_")
        steps = [turn.booking_step(kept)] if kept is not None else []
        return proposal.plan if proposal is not None else call(here, steps, "What was proposed before stays.")
    asked = here.is_asked(turn.Topic.ASK_GO_ON) and here.question.action == turn.BOOK
    still = (asked or len(here.session.offers) == 1) and here.says("references", "still_wanted")  # "still book it tho"
    only = only_shown(here.session) if still else None
    slot = here.slot_in(here.known) if asked else only and only.slot
    if slot is None or not (still or answer(here.said.text.original, turn.BOOK) is True):
        return None
    return call(here, [turn.booking_step(slot)], "What was proposed before is wanted after all.")


def _corrected(here: Situation, proposed: turn.Book) -> tuple[turn.Offer, ...]:
    cues, fitting = here.said.cues, here.at_every_moment(offers_meant(here))
    says_day = any(moment.dates or moment.days for moment in here.said.moments)
    if here.said.wishes.is_relative or cues.denies or cues.missing or Intent.MOVE in cues.intents:
        fitting = tuple(one for one in fitting if one.slot != here.proposed)
    if here.doctor is None:
        fitting = tuple(one for one in fitting if one.doctor == proposed.doctor) or fitting
    if not says_day:
        fitting = tuple(one for one in fitting if one.date == proposed.date) or fitting
    return fitting
