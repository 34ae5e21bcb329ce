"""Plan to answer what is asked about clinics: prices, insurance, addresses and what else they state of themselves."""

import re
from collections.abc import Collection
from dataclasses import replace

from orchestrator import turn
from orchestrator.planner.dialogue.appointments_held import appointment_meant
from orchestrator.planner.dialogue.on_the_table import Shown, lists_openings, shown_last
from orchestrator.planner.dialogue.plan_builders import clinics_talked_of, named_in, say, talk_of
from orchestrator.planner.dialogue.references import answered_with, compares
from orchestrator.planner.dialogue.situation import NAMED_PLACES, Situation
from orchestrator.planner.lexicon import expression, table
from orchestrator.planner.text import blanked, fold_phrase
from orchestrator.planner.understanding import Intent, asks_for_openings, clauses_of, facts_in
from orchestrator.planner.wishes import Kind

_OF_OWN = frozenset({turn.AskedFact.PARKING, turn.AskedFact.BRING, turn.AskedFact.CHANGE_UNTIL})
_OF_A_VISIT = _OF_OWN | {turn.AskedFact.ADDRESS}  # what somebody who names no clinic asks of the next visit
_SURELY = frozenset({turn.AskedFact.PHONE, turn.AskedFact.PARKING})  # asked of a clinic, whatever else is spoken of
_FACILITIES = frozenset({turn.AskedFact.PARKING, turn.AskedFact.ACCESSIBILITY})  # wanted: "somewhere with a lift"
_MOMENTS = frozenset({turn.Axis.DAY, turn.Axis.TIME, turn.Axis.MOMENT})


def clinic_question(here: Situation) -> turn.Plan | None:
    """Answer what is asked about clinics, unless it only says which openings are looked for."""
    said, before = here.said, _asked_before(here)
    if not (facts := _asked(here) if before is None else before.facts):
        return None
    placed, cheaper = _placed(here, facts), _asks_cheaper(here)
    goes_on = before is not None or cheaper or turn.AskedFact.CHANGE_UNTIL in facts
    wanted = _wanted(here) if before is None else before.wanted
    wanted = tuple(one for one in wanted if one.axis is not turn.Axis.PLACE or not placed or cheaper)
    asks = _asks_something(here) or (said.cues.question and said.specialties)  # "how much is a skin doctor"
    elsewhere = bool(said.complaints or said.body) and not (asks or goes_on)
    elsewhere |= said.cues.off_topic and not (said.cues.health or wanted or _SURELY.intersection(facts))
    looks = not (goes_on or said.pointer.mine) and (_looks_for_openings(here) or _asks_openings_too(here))
    hypothetical = said.cues.hypothetical and turn.AskedFact.CHANGE_UNTIL not in facts
    if elsewhere or said.unknown_clinic or said.doctors.unknown or hypothetical or said.patients or looks:
        return None
    named = clinics_named(here, placed)
    of_own = said.pointer.mine or (not named and _speaks_of_own(here))
    on_table = () if named else clinics_talked_of(here)
    several = said.pointer.both or here.says("patterns", "two_of_a_kind") or here.says("clinic_facts", "which_clinic")
    if here.says("clinic_facts", "all_clinics"):
        on_table = ()
    elif len(on_table) == 1 and several:  # "pega nos dois?", of a narrowed list, or "qual clínica fica em Santos?"
        apart = turn.Axis.PLACE in said.wishes.named and not here.session.offers
        on_table = () if apart else here.clinics_of(here.specialty_of(on_table[0]) or "")
    if cheaper or any(one.axis is turn.Axis.PRICE for one in wanted):
        # "Tem mais barato?" is asked of everybody of the specialty, "is Santana cheaper?" beside the one named.
        codes_told = (*{here.specialty_of(one) for one in (named if cheaper and len(named) == 1 else on_table)},)
        named = () if cheaper and len(named) == 1 else named
        on_table = on_table if codes_told[1:] else here.clinics_of(codes_told[0] or "") if codes_told else ()
    of_visit = of_own or (not (named or on_table or wanted) and _OF_A_VISIT.issuperset(facts))
    held = appointment_meant(here) if of_visit else None
    if of_own and not (held or named or here.session.proposal) and here.session.knows_own and {*facts} <= _OF_A_VISIT:
        return None  # "where's my appointment?" of somebody who has none
    clinics = (held.clinic,) if held else named or on_table or tuple(one.id for one in here.clinics)
    asked = turn.FactQuestion(facts, clinics, wanted, held)
    came_to, by_place = answered_with(asked, here.clinics), any(one.axis is turn.Axis.PLACE for one in wanted)
    of_place = tuple(came_to) if by_place and len(came_to) == 1 and not here.session.offers else ()  # "e a de Santana?"
    of = named if said.clinics or placed or here.doctors[1:] or here.complained_of else of_place
    codes = dict.fromkeys(filter(None, map(here.specialty_of, of)))
    about = ({**talk_of(codes), "clinics": " ".join(of)} if of else {}) | named_in(here)
    wish = turn.Wish(turn.without(here.wish.filter, frozenset({turn.Axis.CLINIC, turn.Axis.DOCTOR, *turn.FACT_OF})))
    # "Vocês atendem de sábado?" goes on with a specialty, on a Saturday.
    days = _MOMENTS & said.wishes.named and here.session.question is None and here.session.proposal is None
    goal = turn.Topic.ASK_WHICH_OFFER if about else turn.Topic.ASK_SPECIALTY
    goal = here.question.topic if here.is_asked(turn.Topic.ASK_SPECIALTY, turn.Topic.OFFER_SPECIALTY) else goal
    question = here.left_open or (turn.Question(goal, turn.LIST, about, wish) if about or days else None)
    plan = say(here, turn.Topic.CLINIC_FACTS, "What clinics state of themselves is asked.", question=question)
    of_one = len({*map(here.specialty_of, clinics)}) == 1 < len(clinics) and len(clinics_talked_of(here)) != 1
    there = came_to if len(came_to) == 1 and of_one else frozenset(of)  # where is looked for what is wanted next
    if there and plan.question is not None and here.left_open is None:
        anywhere = turn.without(plan.question.wish.filter, frozenset({turn.Axis.CLINIC}))
        wish = turn.Wish(turn.all_of([anywhere, turn.AtClinics(there)]))
        plan = replace(plan, question=replace(plan.question, wish=wish))
    note = turn.Topic.NO_DISTANCES if here.says("patterns", "asks_distance") else None
    about_own = of_visit and not (here.session.knows_own or here.is_operator)
    return replace(plan, asked=asked, about_own=about_own, note=note)


def _asked_before(here: Situation) -> turn.FactQuestion | None:
    """Return what was asked of clinics right before, where others are named now and nothing else: "e pra dermato?"."""
    said, before = here.said, here.session.asked
    of_hours = before is not None and turn.AskedFact.HOURS in before.facts  # "e no domingo?"
    may_name = NAMED_PLACES | {turn.Axis.PLACE} | (_MOMENTS if of_hours else frozenset())
    named = (said.wishes.named or here.complained_of) and said.wishes.named <= may_name and not said.wishes.refused
    if before is None or before.beside or not named or said.cues.clinic_facts or here.says("requests", "who_attends"):
        return None
    there = here.says("patterns", "there") and not here.says("patterns", "asks_which")  # "and which skin one does?"
    if here.says("patterns", "asks_when") or there or here.says("patterns", "nearby"):
        return None  # "e o que tem no de 310?", "tem cardio lá?", "e o mais perto do metrô?"
    opens = expression("opens_question").match(said.text.folded)  # "does Dr. Fernando take it", "e em Santana"
    which = here.is_asked(turn.Topic.ASK_WHICH_DOCTOR, turn.Topic.ASK_WHICH_APPOINTMENT)  # which "a da F" answers
    asks = "?" in said.text.folded or said.cues.follows_up or (not which and (opens or said.cues.question))
    names = [(one.start, one.end) for one in said.wishes.tokens if one.wanted is not None]
    rest = re.findall(r"[a-z]+", blanked(said.text.folded, names))  # "tem cardio lá?" asks something else
    return before if asks and all(table("clinic_facts", "elliptic").fullmatch(word) for word in rest) else None


def _speaks_of_own(here: Situation) -> bool:
    """Return whether a row, a day or an hour is that of an appointment and of no opening on the screen."""
    said, shown = here.said, shown_last(here.session)
    if here.says("clinic_facts", "which_clinic") or turn.AskedFact.HOURS in said.cues.clinic_facts:
        return False
    asked = here.is_asked(turn.Topic.MY_APPOINTMENTS, turn.Topic.NO_APPOINTMENT_THEN)
    return asked or (shown not in {Shown.OPENINGS, Shown.PROPOSAL} and bool(_MOMENTS & said.wishes.named))


def _asked(here: Situation) -> tuple[turn.AskedFact, ...]:
    if here.says("patterns", "compares_prices"):
        return (turn.AskedFact.PRICE,)
    cues = here.said.cues
    # What a doctor has open is openings, and no hours of a clinic.
    told = [one for one in cues.clinic_facts if one is not turn.AskedFact.HOURS or not here.said.doctors.found]
    told += [turn.FACT_OF[one.axis] for one in _wanted(here) if one.axis is not turn.Axis.PLACE]
    told += [turn.AskedFact.PRICE] if _asks_cheaper(here) else []
    asks = _asks_something(here) or cues.question or cues.wonders  # "moro em Santo André" asks nothing
    if asks and turn.Axis.PLACE in here.said.wishes.named and not _placed(here, told):
        leans = here.said.wishes.is_relative or here.said.relation  # "nada antes?"
        away = here.proposed is not None and not (here.doctors or turn.fits(stated(here), here.proposed))
        told += [] if leans or away else [turn.AskedFact.ADDRESS]  # "too far, what is there in Perdizes?"
    return tuple(dict.fromkeys(told))


def _asks_something(here: Situation) -> bool:
    return "?" in here.said.text.folded or here.says("patterns", "asks_whether")  # "do you take Amil"


def _asks_cheaper(here: Situation) -> bool:
    """Return whether a place or doctor is compared by its price: "would it be cheaper in Perdizes?" looks for none."""
    said = here.said
    if Intent.OPENINGS in said.cues.intents or said.pointer.taking:
        return False
    named = turn.Axis.PLACE in said.wishes.named or said.clinics or here.doctors or said.pointer.other
    asks = named and not compares(here) and here.says("patterns", "asks_cheaper")
    return bool(asks or here.says("patterns", "compares_prices"))


def _wanted(here: Situation) -> tuple[turn.ClinicFact, ...]:
    return tuple(token.wanted for token in here.said.wishes.tokens if isinstance(token.wanted, turn.ClinicFact))


def stated(here: Situation) -> turn.Filter:
    """Return what the utterance wants of what clinics state, an insurance or a place, and of who a row is with."""
    said, facts = here.said, [one for one in _wanted(here) if one.clinics and one not in here.said.wishes.refused]
    whom = [one.wanted for one in said.wishes.tokens if isinstance(one.wanted, turn.WithWoman) and said.pointer.numbers]
    return turn.all_of([*facts, *(one for one in whom if one not in said.wishes.refused)])


def _looks_for_openings(here: Situation) -> bool:
    said, wanted = here.said, _wanted(here)
    asked_of, states = {one.axis for one in wanted}, here.says("clinic_facts", "accepting")
    books = said.cues.books or (said.pointer.choosing and not states)
    places, asks_which = [one for one in wanted if one.axis is turn.Axis.PLACE], here.says("patterns", "asks_which")
    asks_when = here.says("patterns", "asks_when") or (said.pointer.earliest and not places)
    asks_openings = asks_when or Intent.OPENINGS in said.cues.intents
    compared = bool(len(places) > 1 and _placed(here, _asked(here)))
    compared = compared or (bool(places) and here.says("patterns", "of_those") and here.says("patterns", "nearby"))
    compared = asks_which and not asks_openings and compared
    if (compared or (here.session.proposal is not None and states and not asks_when)) and not said.cues.books:
        return False  # "qual é a mais barata, a de Santana ou a da Vila Mariana?"
    # "Qual desses é em Santana?": rows of the list, and not what is proposed.
    of_list = here.session.offers and here.proposed is not None and here.says("patterns", "of_those")
    pays = bool(here.requests[0].freed & {*turn.FACT_OF}) and bool(here.specialties_talked_of or said.specialties)
    pays = pays and bool(_MOMENTS & said.wishes.named or not said.cues.question)  # "pago particular, tem terça?"
    if pays or chooses_place(here) or (of_list and asked_of == {turn.Axis.PLACE}):
        return True
    whether = said.pointer.asking or asks_which or (states and here.says("patterns", "asks_whether"))
    takes = (said.pointer.taking or (said.pointer.choosing and not states)) and not whether
    anybody = here.says("clinic_facts", "anybody")
    asks = asks_openings and (asks_when or not states or (anybody and not here.known.keys() & {"clinics", "doctor"}))
    limits = {turn.FACT_OF[one.axis] for one in wanted} if anybody else set[turn.AskedFact]()
    facts = {*said.cues.clinic_facts} - {turn.AskedFact.INSURANCE} - limits
    on_table = here.session.offers or here.session.proposal or said.specialties or here.complained_of
    there = bool(on_table and places and facts and facts <= _FACILITIES and not _asks_something(here))
    narrows = shown_last(here.session) is Shown.OPENINGS and "?" not in said.text.folded
    narrows = (narrows and turn.Axis.PLACE in said.wishes.named and bool(_MOMENTS & said.wishes.named)) or there
    if narrows or ((asks or takes) and asked_of and (compares(here) or here.specialties_talked_of)):
        return True  # "na outra sexta, e perto do trem", "a mais barata tem horário quando?"
    if facts:
        wants = books or (asks_when and said.wishes.named & _MOMENTS)
        return bool(wants and (said.specialties or said.doctors.found))
    # "Do you take Amil for skin?" asks who takes it, "somebody for the skin who takes Amil" looks for openings.
    states = states or (turn.AskedFact.INSURANCE in said.cues.clinic_facts and not wanted)  # "quais os convênios?"
    asks_who = states and not anybody and (asks_which or _asks_something(here))
    if (said.doctors.found or said.clinics) and (asks_who or not said.specialties):
        return books or bool(_MOMENTS & said.wishes.named)
    only = "?" not in said.text.folded and any(one.kind is Kind.ONLY for one in said.wishes.tokens)
    offered = here.is_asked(turn.Topic.OFFER_SPECIALTY) and not _asks_something(here)  # "I can go to 350 then"
    goes_on = (offered or lists_openings(here.session)) and (only or not states)
    about = (said.specialties or here.complained_of) and not asks_who
    sought = (_MOMENTS | {turn.Axis.GENDER}) & said.wishes.named or (anybody and here.specialties_talked_of)
    return bool(about or sought or said.cues.books or goes_on)


def _asks_openings_too(here: Situation) -> bool:
    """Return whether a clause beside that of the question asks for openings: "cardio on Tuesday, and the price?"."""
    said, facts = here.said, {*here.said.cues.clinic_facts}
    about = said.specialties or said.doctors.found or _placed(here, facts)
    if not about or turn.AskedFact.HOURS in facts or here.says("patterns", "sets_beside"):
        return False
    clauses = list(clauses_of(said))
    for clause, conditions in clauses:
        axes = frozenset[turn.Axis]().union(*map(turn.axes_of, conditions))
        names, dated = (bool(axes & NAMED_PLACES), bool(axes & _MOMENTS) and not facts & _OF_OWN)
        told = {*facts_in(clause)} - ({turn.AskedFact.INSURANCE} if names and clauses[1:] else set())
        if not told and (dated or asks_for_openings(clause, of_somebody=names)):
            return True
    return False


def chooses_place(here: Situation) -> bool:
    """Return whether a place of the list is chosen, and why: "Santana is closer to me" takes no row of it."""
    told = turn.Axis.PLACE in here.said.wishes.named and shown_last(here.session) is Shown.OPENINGS
    return told and expression("suits_place").search(here.said.text.folded.rpartition("?")[2]) is not None


def clinics_named(here: Situation, placed: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return the clinics that are named, be it by a doctor, a specialty or a place."""
    said = here.said
    of_doctors = tuple(dict.fromkeys(doctor.clinic for doctor in here.doctors))
    codes = said.specialties or here.complained_of  # "do you take Amil for skin?"
    named = said.clinics or of_doctors or tuple(one for code in codes for one in here.clinics_of(code))
    near = placed.intersection(clinics_talked_of(here)) or placed
    named = tuple(one for one in named if one in placed) or (() if said.clinics else tuple(sorted(near))) or named
    beside = clinics_talked_of(here) if len(named) == 1 and here.says("patterns", "compared_with") else ()
    return tuple(dict.fromkeys((*beside, *named)))


def _placed(here: Situation, facts: Collection[turn.AskedFact]) -> frozenset[str]:
    """Return the clinics that a place names of which something is asked: "the phone of the one in São Caetano"."""
    if turn.Axis.PLACE not in here.said.wishes.named:
        return frozenset()
    places, near = [one for one in _wanted(here) if one.axis is turn.Axis.PLACE], expression("no_place_alone")
    named = [one for one in places if not near.search(fold_phrase(one.said))]  # and no metro near them
    there, talked = frozenset[str]().union(*(one.clinics or () for one in named or places)), clinics_talked_of(here)
    elsewhere = bool(talked and named) and there.isdisjoint(talked)  # "and the one in Perdizes", at a list of others
    beside = here.says("patterns", "sets_beside") or {*facts} - {turn.AskedFact.ADDRESS} or (facts and elsewhere)
    return there if beside else frozenset()


def not_stated(here: Situation, wish: turn.Wish) -> turn.Plan | None:
    """Say what clinics state where none of those that would fit states what is asked of it."""
    wanted, rest = _resolved(wish), turn.without(wish.widest, frozenset(turn.FACT_OF))
    clinics = [one.id for one in here.clinics if turn.fitting_doctors(rest, one)]
    if not wanted or not clinics or not turn.axes_of(rest) & NAMED_PLACES:
        return None
    codes = {here.specialty_of(one) or "" for one in clinics}
    topic = turn.Topic.OFFER_SPECIALTY if len(codes) == 1 else turn.Topic.ASK_WHICH_OFFER
    last = turn.all_of([rest, stated(here)])  # what was said last goes before what was said earlier
    goes_on = turn.Wish(last if any(turn.fitting_doctors(last, one) for one in here.clinics) else rest)
    question = turn.Question(topic, turn.LIST, talk_of(codes), goes_on)
    facts = dict.fromkeys((*here.said.cues.clinic_facts, *(turn.FACT_OF[one.axis] for one in wanted)))
    plan = say(here, turn.Topic.NO_CLINIC_FITS, "No clinic that would fit states what is asked.", question=question)
    return replace(plan, asked=turn.FactQuestion(tuple(facts), tuple(clinics), wanted))


def with_facts(here: Situation, plan: turn.Plan) -> turn.Plan:
    """Return a plan of openings, of a booking or of the question for a specialty with what was asked beside."""
    if plan.topic is turn.Topic.ASK_SPECIALTY and (wanted := _asked(here)):
        return replace(plan, asked=turn.FactQuestion(wanted, tuple(one.id for one in here.clinics), _wanted(here)))
    if any(step.action not in {turn.LIST, turn.BOOK} for step in plan.steps):
        return plan
    stated = (*_resolved(plan.wish), *(one for one in _wanted(here) if one.axis is turn.Axis.PRICE))
    told = (turn.FACT_OF[one.axis] for one in stated if one.axis in {turn.Axis.PRICE, turn.Axis.PLACE})
    aside = {turn.AskedFact.INSURANCE}  # the filter tells it
    aside |= {turn.AskedFact.BRING} if here.said.for_whom is not None else set()  # "preciso levar minha mãe"
    aside |= {turn.AskedFact.HOURS} if here.said.doctors.found else set()
    asked = (one for one in here.said.cues.clinic_facts if one not in aside)
    facts, clinics = dict.fromkeys((*asked, *told)), dict.fromkeys(step.clinic for step in plan.steps)
    return replace(plan, asked=turn.FactQuestion((*facts,), (*clinics,), beside=True)) if facts and clinics else plan


def _resolved(wish: turn.Wish) -> tuple[turn.ClinicFact, ...]:
    stated = (one for one in turn.conditions_of(wish.widest) if isinstance(one, turn.ClinicFact))
    return tuple(dict.fromkeys(one for one in stated if one.clinics is not None))


def of_anybody(here: Situation, wish: turn.Wish) -> turn.Wish:
    """Return a wish for something cheaper with anybody: first on the day on the table, then on any."""
    named, specialties = here.said.wishes.named, here.specialties_talked_of
    if named & NAMED_PLACES > {turn.Axis.SPECIALTY}:
        return wish
    rest = turn.without(wish.filter, frozenset({turn.Axis.DOCTOR, turn.Axis.CLINIC}) - named)
    left = [one for one in here.clinics if one.specialty in specialties and turn.fitting_doctors(rest, one)]
    if len(left) < 2 and turn.Axis.PLACE not in named:  # and neither cheap nor dear
        rest = turn.replaced(rest, lambda one: None if one.axis is turn.Axis.PLACE else one, denied=False)
    asked, ways = here.session.asked, (frozenset[turn.Axis](), frozenset({turn.Axis.TIME}), _MOMENTS)
    compared = asked is not None and turn.AskedFact.PRICE in asked.facts  # with whom stays: "the cheaper of the two"
    links = (turn.without(one, way - named) for one in ([wish.filter, rest] if compared else [rest]) for way in ways)
    first, *wider = dict.fromkeys(links)
    return turn.Wish(first, tuple(wider))
