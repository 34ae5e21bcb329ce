"""Plans that call no clinic; each rule returns None where it does not apply."""

import re
from dataclasses import replace

from orchestrator.planner.dialogue.acts import done_here, leaves_alone, lets_go, tells_habit, warned
from orchestrator.planner.dialogue.asked_again import put_again
from orchestrator.planner.dialogue.clinic_questions import clinic_question
from orchestrator.planner.dialogue.on_the_table import lists_openings, noted, told_receipt, wants_another_visit
from orchestrator.planner.dialogue.plan_builders import ask, named_in, put_off, say, talk_of
from orchestrator.planner.dialogue.several_bookings import specialties_left
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.lexicon import expression, table, words
from orchestrator.planner.text import blanked, fold_phrase, is_known, is_spanish
from orchestrator.planner.understanding import Intent, answer, is_closing, is_only
from orchestrator.planner.wishes import Kind
from orchestrator.turn import BOOK, CANCEL, LIST, MOVE, AskedFact, Axis, Plan, PlanKind, Question, ReceiptKind, Topic

_ASIDES = frozenset(map(Topic, words("asides", "topics")))
_BESIDE = _ASIDES | {*map(Topic, words("asked_beside", "topics"))}
_SHORTEST_QUESTION = 3


def emergency(here: Situation) -> Plan | None:
    """Answer a sign that cannot wait, before anything else."""
    topic = here.said.danger.emergency
    if topic is None:
        return None
    codes = here.said.specialties or dict.fromkeys(one.specialty for one in here.doctors)
    # What is wanted besides can be gone on with; what is talked of stays: a hurting arm asks for no orthopedist then.
    known = here.awaits_answer or here.session.proposal
    wanted = Question(Topic.OFFER_SPECIALTY, LIST, talk_of(codes), here.wish) if codes and not known else None
    topic = Topic.SELF_HARM_OF_ANOTHER if topic is Topic.SELF_HARM and here.says("patterns", "of_another") else topic
    return replace(say(here, topic, "A sign that cannot wait.", question=wanted), caution=here.said.danger.caution)


def refusal(here: Situation) -> Plan | None:
    """Refuse what a clinic desk must not answer, and no complaint told while booking; staff may open a record."""
    said = here.said
    of_record = said.patients and here.says("safety", "record_fields") and not here.says("requests", "own_record")
    topic = said.refusal or (Topic.OTHER_PERSON if of_record else None)
    books = Intent.BOOK in said.cues.intents or said.pointer.choosing
    told = books and (said.specialties or said.doctors.found) and "?" not in said.text.folded
    of_visit = topic is Topic.DIAGNOSIS and (told or said.pointer.mine)
    of_visit |= topic is Topic.DOSAGE and Axis.INSURANCE in said.wishes.named and not here.says("safety", "drugs")
    if topic is None or of_visit or (topic is not Topic.INSTRUCTIONS and here.is_operator and said.patients):
        return None
    plan = say(here, topic, "Not for a clinic's front desk to answer or hand out.")
    perhaps_booked = here.says("references", "held_then")  # "o que eu tenho?"
    return replace(plan, about_own=perhaps_booked and not (here.session.knows_own or here.is_operator))


def cautioned(here: Situation, plan: Plan) -> Plan:
    """Return the plan with what a sign of danger calls for said first."""
    caution = here.said.danger.caution
    if caution is None and (told := warned(here)) is not None and not is_closing(here.said.text.folded):
        caution = told  # "já já passa, marca aí": what could not wait a moment ago still cannot
    silent = plan.kind in {PlanKind.SMALLTALK, PlanKind.EMERGENCY} or plan.topic is caution
    return plan if silent else replace(plan, caution=caution)


def languages_told(here: Situation, plan: Plan) -> Plan:
    """Return the plan with the languages of the desk told, to somebody who writes Spanish for the first time."""
    if plan.note is not None or plan.kind is PlanKind.EMERGENCY or not is_spanish(fold_phrase(here.said.text.original)):
        return plan
    known = any(is_spanish(fold_phrase(said.utterance)) for said in here.session.history)
    return plan if known else replace(plan, note=Topic.LANGUAGES)


def denied(here: Situation) -> Plan | None:
    """Answer a denied write ("não quero cancelar"): nothing is written, whatever else the sentence mentions."""
    # "Nunca marquei. tem a Couto dia 25?", "não é remarcar, é nova! Dr. Ricardo dia 23 às 8"
    asks = here.said.pointer.choosing or "?" in here.said.text.folded or here.slot is not None
    asks = bool(here.said.specialties or (asks and here.said.doctors.found))  # "não muda, prefiro a Isadora"
    # "Não cancela a consulta com o Ricardo dia 21": what is named is what stays.
    asks = (asks and not here.says("patterns", "denied_alone")) or here.said.pointer.mine
    if asks or not here.said.cues.denied or tells_habit(here):
        return None
    return ask(here, Topic.NOTHING_DONE, "A change was denied, not asked for.")


def question(here: Situation) -> Plan | None:
    """Answer questions about the service (how, what if, how much), which no clinic's tool knows."""
    cues, folded = here.said.cues, here.said.text.folded
    asks = cues.question or cues.hypothetical or cues.clinic_matter or "?" in folded
    gives_up = here.proposed is not None and Intent.CANCEL in cues.intents and not asks
    if here.said.patients or gives_up:  # "é longe demais, cancela essa"
        return None
    looks = cues.books or here.said.pointer.choosing or not here.said.wishes.is_certain
    wants = looks and (here.said.specialties or here.said.doctors.found)
    moves, only_they = Intent.MOVE in cues.intents, here.says("patterns", "asks_clinic")  # "who is better?"
    strange = cues.off_topic and not (cues.health or only_they or here.says("requests", "missing_it"))  # "traffic"
    elsewhere = (moves and here.said.shift) or strange or (cues.missing and here.said.wishes.is_relative)
    told_alone = asks or not (here.said.wishes.named or here.said.pointer.numbers)
    company = told_alone and not moves and here.says("wishes", "company")  # "bring my appointment forward" moves it
    going_on = (here.session.proposal or here.session.offers or here.session.appointments) and not looks
    tells = going_on and not here.said.wishes.named and here.says("patterns", "tells_doctor")
    matter = cues.clinic_matter or company or tells or only_they
    who = cues.chat is Topic.WHO_ANSWERS and not (here.said.wishes.named - {Axis.GENDER} or here.said.moments)
    axes = here.said.wishes.named | here.requests[0].freed if matter else frozenset[Axis]()
    stated = {*cues.clinic_facts} - {AskedFact.BRING} or axes & {Axis.PRICE, Axis.INSURANCE, Axis.LANGUAGE}
    done = Topic.DONE_HERE if done_here(here) else None
    elsewhere = elsewhere or bool(done or (Intent.OPENINGS in cues.intents and here.said.moments))  # "what's on Monday"
    ill = here.said.for_whom and here.said.complaints  # "my daughter has a rash, do you see kids?"
    if matter and not (elsewhere or stated or ill or who) and (cues.hypothetical or only_they or not wants):
        known = named_in(here) or (talk_of({one.specialty for one in here.doctors}) if here.doctors else {})
        about = here.left_open or (Question(Topic.ASK_WHICH_OFFER, LIST, known, here.wish) if known else None)
        return say(here, Topic.CLINIC_MATTERS, "Only the clinic's own desk can tell of these.", question=about)
    undone = (one for one in (Topic.WAITING_LIST, Topic.CALENDAR) if here.says("requests", one))
    if (topic := cues.chat if who else next(undone, done)) is not None:
        return say(here, topic, "It is asked whether the desk itself does something.")
    if (told := clinic_question(here)) is not None:
        return told
    books_how = here.said.for_whom or (wants and here.says("patterns", "how_to_book"))
    if cues.hypothetical and not (books_how or specialties_left(here)):  # "até quando vai a agenda?"
        return replace(say(here, Topic.HOW_IT_WORKS, "It is asked how something works."), kind=PlanKind.CLARIFY)
    return None


def unknown_name(here: Situation) -> Plan | None:
    """Answer a clinic or doctor that does not exist."""
    if here.said.unknown_clinic and not here.said.clinics:
        return say(here, Topic.UNKNOWN_CLINIC, "No clinic of the registry has that name.")
    return say(here, Topic.UNKNOWN_DOCTOR, "No clinic has the doctor.") if here.said.doctors.unknown else None


def other_specialty(here: Situation) -> Plan | None:
    """Answer a specialty that no clinic has."""
    if not here.said.other_specialty or here.said.specialties or here.said.doctors.found:
        return None
    offered = here.session.question or Question(Topic.ASK_SPECIALTY, LIST, {}, here.wish)
    return say(here, Topic.OTHER_SPECIALTY, "The specialty or service is none of ours.", question=offered)


def off_topic(here: Situation) -> Plan | None:
    """Answer something that no clinic does."""
    said = here.said
    aside = [match.span() for match in table("smalltalk", "off_topic").finditer(said.text.folded)]  # "que calor hoje"
    apart = [one for one in said.moments if not any(a <= one.start and one.end <= b for a, b in aside)]
    serves = said.cues.health or said.specialties or said.doctors.found or said.complaints or said.body
    of_table = (apart or Axis.PLACE in said.wishes.named) and (here.session.offers or here.session.proposal)
    explains = said.wishes.refused or said.wishes.is_relative or of_table
    if serves or explains or not said.cues.off_topic or _only_a_reason(here):
        return None
    return say(here, Topic.OFF_TOPIC, "Nothing that a clinic does.")


def _only_a_reason(here: Situation) -> bool:
    """Return whether what no clinic does is why something on the table is chosen: "the later one, traffic is bad"."""
    apart = expression("off_topic_clause").sub(lambda one: "_" * len(one[0]), here.said.text.folded)
    points = here.said.pointer.latest or here.said.pointer.earliest or here.said.pointer.numbers
    wants = points or any(one.wanted and apart[one.start] != "_" for one in here.said.wishes.tokens)
    return bool(wants and apart.strip("_") and (here.session.offers or here.session.proposal))


def foreign(here: Situation) -> Plan | None:
    """Answer what is to be booked, moved or cancelled and is no visit: "cancela minha netflix"."""
    said = here.said
    named = said.specialties and (not said.body or here.says("patterns", "specialty_word"))  # but "corte de cabelo"
    if said.cues.health or named or said.doctors.found or said.patients or not here.says("patterns", "foreign"):
        return None
    reasons = [(one.start, one.end) for one in said.wishes.tokens if one.kind in {Kind.BOUND, Kind.NOT}]
    told = reasons and not expression("foreign").search(blanked(said.text.folded, reasons))
    return None if told else say(here, Topic.OFF_TOPIC, "What is to be changed is nothing that a clinic has.")


def help_wanted(here: Situation) -> Plan | None:
    """Say what can be asked; not for "me ajuda a marcar" or "meu joelho dói, me ajuda"."""
    said = here.said
    wants = said.cues.books or said.specialties or said.doctors.found or said.moments or said.complaints or said.body
    asks = said.cues.chat is Topic.HELP and not wants
    return say(here, Topic.HELP, "It is asked what can be asked.") if asks else None


def kept_open(here: Situation, plan: Plan) -> Plan:
    """Return the plan with the open proposal kept where it only answers something aside, or its end told."""
    proposal, tells = here.session.proposal, here.said.wishes.only_tells  # "I've got yoga at 8 that day", of one at 10
    open_beside = plan.topic in _ASIDES and not (tells and plan.topic is Topic.ASK_REQUEST)
    if proposal is None or proposal.attempted or (plan.topic not in _BESIDE and plan.kind is not PlanKind.STEPS):
        return plan
    if not (open_beside or plan.writes or lets_go(here)) and leaves_alone(here, proposal.plan.steps):
        return proposal.plan if here.said.wishes.named or tells else replace(not_understood(here), keeps_proposal=True)
    if plan.kind is not PlanKind.STEPS and not open_beside:
        return plan
    # "Não marca ainda, quanto custa?"
    if plan.kind is not PlanKind.STEPS:
        if not (plan.memory or plan.topic in {Topic.NO_HURRY, Topic.NO_APPOINTMENTS}) and lets_go(here):
            return replace(plan, note=plan.note or Topic.NOTHING_BOOKED, question=None)
        first = re.split(r"[,.;!?]", here.said.text.original)[0]
        refused = plan.asked is not None and answer(first, proposal.plan.steps[0].action) is False
        return replace(plan, note=Topic.NOTHING_BOOKED) if refused else replace(plan, keeps_proposal=True)
    proposed, codes = ({here.specialty_of(step.clinic) for step in one.steps} for one in (proposal.plan, plan))
    turns_away = proposed.isdisjoint(codes) and not plan.note and not plan.writes  # "agora o orto", too soon
    waits = here.question.known.get("specialty", "").split() if here.question.waiting else []
    another = {*waits} == codes or (not waits and wants_another_visit(here.said, here.specialties_talked_of))
    if turns_away and another and not (plan.asks_first or lets_go(here)):
        plan, turns_away = put_off(here, proposal.plan), False
    slot, question = here.proposed, plan.question
    if slot is not None and question is not None and not plan.writes:  # what a "deixa assim" goes back to
        kept = {"kept_doctor": slot.doctor, **noted(slot.date, slot.time, "kept_")}
        plan = replace(plan, question=replace(question, known={**question.known, **kept}))
    return replace(plan, note=Topic.NOTHING_BOOKED) if turns_away else plan


def courtesy(here: Situation) -> Plan | None:
    """Answer greetings, thanks, goodbyes and calls for help when nothing else is wanted ("oi, quero marcar")."""
    cues = here.said.cues
    asks_more = cues.books or (Intent.BOOK in cues.intents and cues.chat in {Topic.GREETING, Topic.HELP})
    says_hour = any(one.times for one in here.said.moments)  # "sexta às 10 tá ótimo"
    asks = says_hour or "?" in here.said.text.folded or Intent.OPENINGS in cues.intents
    praises = cues.chat is Topic.THANKS and not here.says("smalltalk", "gratitude")  # "perfeito, quinta de manhã"
    goes_on = cues.chat is Topic.GREETING or (cues.chat is Topic.THANKS and asks)
    names_day = (here.said.moments and goes_on) or (praises and here.said.wishes.named)
    taken = cues.chat is Topic.THANKS and here.said.pointer.taking  # "great stuff, confirm", and "deixa como está"
    denies = (taken or cues.chat is Topic.GREETING) and answer(here.said.text.original) is taken
    if cues.chat is None or asks_more or names_day or denies or (cues.question and cues.chat is Topic.THANKS):
        return None
    return say(here, cues.chat, "A courtesy, or a question about this service.")


def until_then(here: Situation) -> Plan | None:
    """Answer leave that is taken until the visit just booked; behind a list, "até segunda" is said of openings."""
    session, closings = here.session, ("until_then", "yes", "closings", "farewells", "thanks", "greetings")
    booked = told_receipt(session) or (session.receipts and not session.offers)
    leaves = booked and here.says("smalltalk", "until_then") and is_only(here.said.text.folded, *closings)
    return say(here, Topic.FAREWELL, "Somebody takes leave until the visit.") if leaves else None


def parting(here: Situation) -> Plan | None:
    """Answer a hesitation, thanks or a goodbye that is all there is; what is proposed stays open."""
    if is_only(here.said.text.folded, "hesitations"):
        return say(here, Topic.NO_HURRY, "Somebody takes a moment to decide.")
    takes = len(here.session.offers) == 1 and answer(here.said.text.original, BOOK) is True  # "yes, thanks, bye"
    if takes or here.said.cues.chat not in {Topic.THANKS, Topic.FAREWELL} or not is_closing(here.said.text.folded):
        return None
    return say(here, here.said.cues.chat, "Nothing else is wanted.")


def nothing_to_agree(here: Situation) -> Plan | None:
    """Answer a yes to nothing: after a receipt go on with what it offered, else say that nothing is open."""
    moves = here.question.action in {MOVE, CANCEL}  # whose question is put again
    if (here.awaits_answer and not told_receipt(here.session)) or moves or answer(here.said.text.original) is not True:
        return None
    last = next(iter(here.session.receipts[-1:]), None)
    if last is None:
        return say(here, Topic.NOTHING_OPEN, "Nothing to agree to.", question=Question(Topic.ASK_SPECIALTY, LIST))
    if last.kind is not ReceiptKind.CANCELLED:
        return say(here, Topic.THANKS, "What was done is taken note of.")
    question = Question(Topic.ASK_WHICH_OFFER, BOOK, {"doctor": last.appointment.doctor})
    return say(here, Topic.ASK_ANOTHER_TIME, "Another time was offered after the cancellation.", question=question)


def complaint(here: Situation) -> Plan | None:
    """Offer the openings of the specialty that usually sees a complaint or a part of the body: no diagnosis."""
    codes, why = here.complained_of, "Complaints of this kind are usually seen there."
    return ask(here, Topic.OFFER_SPECIALTY, why, action=LIST, known=talk_of(codes)) if codes else None


def unwell(here: Situation) -> Plan | None:
    """Ask which specialty is wanted when only an ambiguous sign was given; name who listens to somebody who is low."""
    caution = here.said.danger.caution
    if caution is None:
        return None
    if caution is Topic.DISTRESS:
        return say(here, caution, "Somebody is low; a line to talk to is named.")
    return ask(here, Topic.ASK_SPECIALTY, "Somebody is unwell; with which specialty to help was not said.", action=LIST)


def strange_question(here: Situation) -> Plan | None:
    """Answer a question about anything else when nothing is being talked of."""
    cues = here.said.cues
    talks = here.session.question is not None or here.session.offers
    if talks or not cues.question or cues.health or len(here.said.text.words) < _SHORTEST_QUESTION:
        return None
    return say(here, Topic.OFF_TOPIC, "A question in which nothing belongs to a clinic.")


def not_understood(here: Situation) -> Plan:
    """Ask about what is on the table, or else what is wanted; what is said aside asks for nothing."""
    said, on_table = here.said, here.session.proposal is not None or lists_openings(here.session)
    told = here.says("patterns", "yes_of_oneself" if told_receipt(here.session) else "yes_aside")  # "I am at the mall"
    aside = told or ("_" in said.text.folded and re.search(r"[a-z\d]", said.text.folded) is None)
    asks = bool(re.search(r"[\d?]", said.text.folded) or said.cues.intents) or said.cues.wonders or said.cues.denies
    asks = asks or bool(said.wishes.named or said.pointer.numbers) or said.pointer.choosing
    asks = asks or here.says("patterns", "bears_a_wish") or answer(said.text.original) is not None
    if aside or (on_table and not asks and all(is_known(word.text) for word in said.text.words)):
        return say(here, Topic.NO_HURRY if on_table else Topic.WHAT_ELSE, "Somebody talks, and asks for nothing.")
    again = put_again(here, "Nothing in the utterance answers what is asked.")
    return again or ask(here, Topic.ASK_REQUEST, "Nothing in the utterance was recognised.")
