"""Plan to show openings; every clinic of a specialty is asked (blueprint, Rule 10), a doctor's clinic alone."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from orchestrator import turn
from orchestrator.planner.dialogue import on_the_table, references, several_bookings
from orchestrator.planner.dialogue.booking import narrows
from orchestrator.planner.dialogue.clinic_questions import not_stated, of_anybody
from orchestrator.planner.dialogue.on_the_table import lists_openings, noted
from orchestrator.planner.dialogue.plan_builders import answered_above, ask_question, call, named_in, say, talk_of
from orchestrator.planner.dialogue.situation import NAMED_PLACES, Situation
from orchestrator.planner.lexicon import expression, words
from orchestrator.planner.understanding import Intent, answer, clauses_of, is_only
from orchestrator.planner.wishes import Kind, complains, doctors_of, with_lowest_price
from orchestrator.texts import texts_in

_CARRYING = frozenset(map(turn.Topic, words("carrying", "topics")))


def more_openings(here: Situation) -> turn.Plan | None:
    """Go on with a list that was printed in part: the next openings ("mais"), or all of them ("todos")."""
    session = here.session
    if not session.offers:
        return None
    whole, more = (is_only(here.said.text.folded, way) for way in ("whole_list", "more_of_list"))
    if not (whole or more) or (len(session.printed) == len(session.offers) and answer(here.said.text.original)):
        return None  # "go on" takes what there is
    if len(session.printed) == len(session.offers):
        return say(here, turn.Topic.ALL_SHOWN, "All openings were shown.") if not whole else None
    plan = _same_list(here, "More of the list is wanted.")
    printed = session.printed[-1].number if session.printed else 0
    return replace(plan, whole=True) if whole else replace(plan, printed=printed)


def shown_again(here: Situation) -> turn.Plan | None:
    """Show once more what is on the table, where its hour, doctor or place is asked for ("com quem é?")."""
    said, proposal = here.said.text, here.session.proposal
    if not (proposal or lists_openings(here.session)):
        return None
    one = proposal or on_the_table.only_shown(here.session)
    asks = one and expression("asks_of_slot").search(said.original.casefold())
    of_booked = here.says("references", "name_of_doctor") and here.session.appointments
    keeps_hour = here.said.pointer.same_time and here.is_asked(turn.Topic.ASK_NEW_TIME)
    if of_booked or keeps_hour or not (asks or is_only(said.folded, "of_the_table")):
        return None
    return _same_list(here, "It is asked about what is on the table.") if proposal is None else proposal.plan


def _same_list(here: Situation, why: str) -> turn.Plan:
    offers = here.session.offers
    doctors = {one.clinic: {other.doctor for other in offers if other.clinic == one.clinic} for one in offers}
    steps = [turn.listing_step(clinic, *(names if len(names) == 1 else ())) for clinic, names in doctors.items()]
    return call(here, steps, why, question=here.session.question, wish=here.question.wish)


def other_openings(here: Situation) -> turn.Plan | None:
    """Show what lies outside the filter of a list, where it is asked whether the list is all there is."""
    asks = "?" in here.said.text.folded and here.session.offers and here.session.question is not None
    codes = here.specialties_talked_of if asks and not (here.said.wishes.named or here.said.wishes.is_relative) else ()
    if not codes or not here.says("requests", "is_that_all") or answer(here.said.text.original) is not None:
        return None  # "só essa? ok"
    return _listed(here, turn.Wish(here.of_specialties(codes)), talk_of(codes))


def list_before(here: Situation) -> turn.Plan | None:
    """Go back to the list before, show it with this one, or take the filters away: "volta pra lista de antes"."""
    wish = on_the_table.wish_taken_back(here.session, here.said.text.folded, NAMED_PLACES | {turn.Axis.PLACE})
    if wish is None or here.said.moments or not here.said.wishes.named <= {turn.Axis.PLACE, turn.Axis.CLINIC}:
        return None
    return _listed(here, _about(here, wish, here.specialties_talked_of), talk_of(here.specialties_talked_of))


def for_the_speaker(here: Situation) -> turn.Plan | None:
    """List again what was asked for somebody else, once it is said to be for the speaker."""
    said, question = here.said, here.question
    of_another = said.specialties or here.complained_of  # "e pra mim quero ver a pele"
    if question.for_whom is None or of_another or not here.says("wishes", "for_me"):
        return None
    only_her = said.wishes.named <= {turn.Axis.DOCTOR} and not said.doctors.found  # "forget her, it's for me"
    wish = question.wish if only_her or here.wanted_before is None else here.wish
    return _listed(here, _about(here, wish, here.specialties_talked_of), question.known)


def no_such_day(here: Situation) -> turn.Plan | None:
    """Answer a day that no calendar has, and keep the rest of what was said for the next turn."""
    if all(moment.exists for moment in here.said.moments):
        return None
    known = named_in(here) or here.known
    question = turn.Question(turn.Topic.ASK_WHICH_OFFER, turn.BOOK, {**known, "days": ""}, here.wish) if known else None
    return say(here, turn.Topic.NO_SUCH_DAY, "The day that was named is in no calendar.", question=question)


def which_day(here: Situation) -> turn.Plan | None:
    """Ask which day is meant when a weekday and a date do not fit each other ("terça, dia 25")."""
    if (moment := next((one for one in here.said.moments if one.conflict), None)) is None:
        return None
    texts = texts_in(here.language)
    days = texts.one_of(texts.long_date(day) for day in sorted(moment.dates)[:3])
    wish = _about(here, here.wish.lifted(turn.OnDates, turn.OnWeekdays), here.said.specialties)
    known = {**(named_in(here) or here.known), "days": " ".join(map(str, sorted(moment.dates)[:3]))}
    question = turn.Question(turn.Topic.ASK_WHICH_OFFER, turn.BOOK, known, wish)
    why = "The weekday that was named is not that of the date."
    return replace(say(here, turn.Topic.ASK_WHICH_DAY, why, question=question), facts={"days": days})


def which_doctor(here: Situation) -> turn.Plan | None:
    """Ask which doctor is meant when a name fits several."""
    doctors, codes = here.doctors, here.said.specialties
    if doctors and codes and not any(one.specialty in codes for one in doctors):
        # "Dermatologista com o Dr. Ricardo", who is a cardiologist: both are offered.
        either = [*doctors, *(one for one in doctors_of(here.clinics) if one.specialty in codes)]
        rest = here.wish.lifted(turn.WithDoctors, turn.OfSpecialty)
        question = turn.Question(turn.Topic.ASK_WHICH_DOCTOR, turn.LIST, {}, rest, tuple(one.name for one in either))
        return ask_question(here, question, "The doctor that was named is of another specialty.")
    on_list = here.said.moments and {one.name for one in doctors} <= {one.doctor for one in here.session.offers}
    if on_list or len(doctors) <= len(here.said.doctors.spans):
        return None  # "a Marina na quinta" may be only one of them
    action, known = turn.BOOK if Intent.BOOK in here.said.cues.intents else turn.LIST, noted(*here.slot or (None, None))
    question = turn.Question(turn.Topic.ASK_WHICH_DOCTOR, action, known, here.wish, tuple(one.name for one in doctors))
    return ask_question(here, question, "The name fits several doctors.")


def who_attends(here: Situation) -> turn.Plan | None:
    """Offer all doctors to choose from when it is asked who they are."""
    said = here.said
    named = said.clinics or said.doctors.found or said.moments or said.pointer.earliest or said.pointer.latest
    of_codes = said.specialties and not (said.cues.question and here.says("requests", "doctors_of"))
    if named or of_codes or not here.says("requests", "who_attends") or said.wishes.is_relative:
        return None
    wanted, codes = here.requests[0].wish.filter, said.specialties or said.complaints or said.body
    doctors = [one for one in doctors_of(here.clinics) if not codes or one.specialty in codes]
    doctors = [one for one in doctors if turn.verdict(wanted, one.clinic, one.name) is not False]
    near = here.known.get("clinics", "").split() or {one.clinic for one in here.session.offers}
    names = tuple(one.name for one in [one for one in doctors if one.clinic in near] or doctors)
    question = turn.Question(turn.Topic.ASK_WHICH_DOCTOR, turn.LIST, {}, here.wish, names)
    return ask_question(here, question, "It is asked who the doctors are.")


def list_openings(here: Situation) -> turn.Plan | None:
    """List the openings of the doctors, specialties or clinics that were named."""
    said, question = here.said, here.question
    wish = here.wish
    if here.doctors:
        codes = (said.complaints or said.body) if turn.Axis.GENDER in said.wishes.named and not said.specialties else ()
        wish = wish.and_also(here.of_specialties(codes)) if codes else wish  # "my knee: Rezende, or a woman"
        return _listed(here, wish, named_in(here) if here.doctor is not None else {})
    is_open, both = said.pointer.either or said.pointer.all, said.pointer.both  # "as duas" is no hour of two doctors
    if (is_open or both) and here.is_asked(turn.Topic.ASK_WHICH_DOCTOR):
        of_them = turn.WithDoctors(frozenset(question.choices))
        return _listed(here, (question.wish if both else wish).and_also(of_them), {})
    answered = said.body if here.is_asked(turn.Topic.ASK_SPECIALTY) and not said.complaints else ()
    if is_open and not (answered or said.specialties) and here.is_asked(turn.Topic.ASK_SPECIALTY):  # it is of no day
        wish, answered = question.wish, tuple(dict.fromkeys(one.specialty for one in here.clinics))
    if specialties := said.specialties or answered or several_bookings.specialties_left(here):
        compared = (here.session.offers or here.session.proposal) and turn.Axis.PRICE in said.wishes.named
        if compared and {*specialties} <= {*here.specialties_talked_of}:
            wish = of_anybody(here, wish)
        return _listed(here, _about(here, wish, specialties), talk_of(specialties))
    return _listed(here, wish, {}) if said.clinics and not said.other_specialty else None


def for_complaint(here: Situation) -> turn.Plan | None:
    """List the openings that are asked for with a complaint ("my knee hurts, anything on Friday?"), and say of what."""
    codes, said = here.complained_of, here.said
    wants = said.cues.books or not {Intent.BOOK, Intent.OPENINGS}.isdisjoint(said.cues.intents)
    wants = wants or said.pointer.earliest or said.pointer.latest or here.says("patterns", "asks_when")
    wants = wants or here.is_asked(turn.Topic.ASK_SPECIALTY)  # a visit was asked for before
    clauses = list(clauses_of(said))
    asking = [one for one, wishes in clauses if wishes and not expression("tells_when").search(one)]
    apart = len(clauses) > 1 and not all(complains(one, here.clinics) for one in asking)  # "heart checkup, Saturdays"
    asks = "?" in said.text.folded or said.pointer.choosing or here.is_asked(turn.Topic.OFFER_SPECIALTY)
    limits = bool({turn.Axis.PRICE, turn.Axis.INSURANCE} & said.wishes.named)  # "my knee aches, I have Amil"
    asks = asks or limits or here.says("patterns", "asks_whether") or here.says("patterns", "to_be_seen")
    chosen = asks and {*codes} < {*here.known.get("specialty", "").split()}  # of the two that were offered
    if not codes or not (wants or apart or chosen or (asks and said.wishes.named)) or said.cues.denied:
        return None
    plan = _listed(here, _about(here, here.wish, codes), talk_of(codes))
    return plan and replace(plan, note=turn.Topic.USUALLY_SEEN, facts={**plan.facts, **talk_of(codes)})


def continue_openings(here: Situation) -> turn.Plan | None:
    """List openings of what was talked about: a yes to an offered specialty, another day, the earliest."""
    said, listing = here.said, here.is_asked(turn.Topic.ASK_WHICH_OFFER)
    about = said.wishes.named or said.wishes.turns_from_doctor or here.requests[0].freed or said.relation
    moved = said.wishes.is_relative and here.wish != (here.wanted_before or turn.ANYTHING)  # "tem mais tarde?"
    when = about or said.moments or said.shift or said.pointer.earliest or said.pointer.latest or moved
    asks = when or Intent.OPENINGS in said.cues.intents or (listing and said.pointer.all and not said.pointer.both)
    asks = asks or (said.cues.books and listing and not (here.session.offers or here.session.proposal))  # "então marca"
    offered = here.is_asked(turn.Topic.OFFER_SPECIALTY) or (here.question.waiting and not lists_openings(here.session))
    wants = said.cues.wonders or said.pointer.choosing or Intent.BOOK in said.cues.intents
    nods = said.is_bare and bool(said.text.words) and said.cues.chat is None
    agreed = answer(said.text.original)
    agrees = offered and agreed is not False and not said.pointer.none and (wants or nods or agreed)
    if not asks and not agrees:
        return None
    known = here.known if here.proposed is None else {}  # what would do instead of a card says with whom
    doctor, specialties, wish = here.doctor_called(known.get("doctor", "")), here.specialties_talked_of, here.wish
    refused = doctor is not None and turn.verdict(here.wish.filter, doctor.clinic, doctor.name) is False  # their place
    if turn.Axis.PRICE in said.wishes.named and said.wishes.named.isdisjoint(NAMED_PLACES):  # "tem mais barato?"
        wish, doctor = of_anybody(here, wish), None
    elif here.says("clinic_facts", "anybody") and turn.Axis.CLINIC not in said.wishes.named:  # of whatever clinic
        wish = turn.Wish(turn.without(wish.filter, frozenset({turn.Axis.CLINIC})))
    if doctor is None or refused or turn.Axis.DOCTOR in turn.axes_of(wish.filter) | here.requests[0].freed:
        return _listed(here, _about(here, wish, specialties), talk_of(specialties))
    return _listed(here, wish.and_also(turn.WithDoctors(frozenset({doctor.name}))), {"doctor": doctor.name})


def ask_specialty(here: Situation) -> turn.Plan | None:
    """Ask for the specialty of an appointment that names none, and no doctor."""
    said, wanted = here.said, {Intent.BOOK, Intent.OPENINGS} & set(here.said.cues.intents)
    listing = here.is_asked(turn.Topic.ASK_WHICH_OFFER, turn.Topic.ASK_ANOTHER_TIME) and here.session.offers
    if listing or not (wanted or said.moments or said.wishes.named or said.pointer.earliest):
        return None
    another = here.says("requests", "and_another") or said.pointer.other or said.for_whom
    if here.proposed and here.session.proposal and not (another or said.wishes.named):
        return here.session.proposal.plan  # "okay, let's get it booked" is said of the card
    asked = turn.Question(turn.Topic.ASK_SPECIALTY, turn.LIST, _wants_nearest(here), _from_today(here, here.wish))
    told = any(one.kind is Kind.BOUND and one.wanted not in {None, turn.ANY_OPENING} for one in said.wishes.tokens)
    goes_on = here.session.question or (said.wishes.named == {turn.Axis.PLACE} and not said.text.words[3:])
    asks = (wanted and here.says("patterns", "asks_for_visit")) if told else wanted or goes_on
    tells = told or (turn.axes_of(here.wish.filter) and not any(one.dates or one.days for one in said.moments))
    if tells and not (asks or "?" in said.text.folded):
        return replace(say(here, turn.Topic.HABIT_NOTED, "Somebody tells what suits.", question=asked), wish=here.wish)
    return ask_question(here, asked, "An appointment is wanted; with which specialty was not said.")


def _about(here: Situation, wish: turn.Wish, specialties: Sequence[str]) -> turn.Wish:
    axes = {one.axis for one in turn.conditions_of(wish.widest, denied=False)}
    return wish.and_also(here.of_specialties(specialties)) if specialties and NAMED_PLACES.isdisjoint(axes) else wish


def _listed(here: Situation, wish: turn.Wish, known: Mapping[str, str]) -> turn.Plan | None:
    priced = on_the_table.priced(here.session, here.said, here.clinics)
    wish = with_lowest_price(wish, priced, compared=references.compares(here))
    steps = _steps(here, wish)
    if not steps and turn.Axis.SPECIALTY in here.said.wishes.named and here.said.clinics:
        # "Does clinic C have dermatologists?" It does not, others do.
        wish = turn.Wish(turn.without(wish.filter, frozenset({turn.Axis.CLINIC})))
        steps = _steps(here, wish)
    if not steps:
        return not_stated(here, wish)
    spans = turn.spans_of(turn.all_of(turn.conditions_of(wish.widest, denied=False)))
    past = [one for one in spans if one.last < here.now.date() or here.has_come_round(one.first)]
    over = bool(spans) and len(past) == len(spans)
    tells = here.said.complaints or here.said.may_be_emergency or any(span.first < span.last for span in spans)
    if past and not over:
        # "Caí ontem, tem alguém hoje?": one day is looked for, the other is told.
        ahead = tuple(one for one in spans if one not in past)
        wish = wish.replaced(lambda one: turn.OnDates(ahead) if isinstance(one, turn.OnDates) else one)
    elif over and tells:  # "senti uma dor ontem", "tive um infarto no ano passado": when it hurt, not when it suits
        wish = wish.lifted(turn.OnDates)
    elif over:
        known = {**known, "days": ""}
        question = turn.Question(turn.Topic.ASK_WHICH_OFFER, turn.BOOK, known, _from_today(here, wish))
        return say(here, turn.Topic.MOMENT_IN_PAST, "The day that was named is over.", question=question)
    # What is asked for in full, or corrects what is proposed, is proposed where one opening fits, and not listed first.
    nearest, answered = _wants_nearest(here), answered_above(here, wish, takes=narrows(here))
    known = {**known, **nearest}
    known |= (("latest", one.order) for one in (answered.questions if answered else ()) if isinstance(one, turn.Best))
    known |= {"same_day": "yes"} if here.sides_of_one_day else {}
    # What the openings on the screen were looked for by is gone back to, once others take their place.
    shown = on_the_table.list_wish(here.session) if here.session.offers else None
    before = here.question.earlier if shown == wish else shown or None
    question = turn.Question(turn.Topic.ASK_WHICH_OFFER, turn.BOOK, known, wish, earlier=before)
    plan = call(here, steps, "Openings are asked of every clinic.", question=question, wish=wish)
    whole = here.said.pointer.all and not here.said.pointer.both
    chosen_from = wish if answered and answered.choice else turn.ANYTHING
    return replace(plan, nearest=bool(nearest), whole=whole, reply=answered, chosen_from=chosen_from)


def _from_today(here: Situation, wish: turn.Wish) -> turn.Wish:
    """Return a wish without days where one is over: "eu marquei ontem" asks for no opening of yesterday."""
    over = any(one.last < here.now.date() or here.has_come_round(one.first) for one in turn.spans_of(wish.filter))
    return turn.Wish(turn.without(wish.filter, frozenset({turn.Axis.DAY}))) if over else wish


def _wants_nearest(here: Situation) -> dict[str, str]:
    said, carried = here.said, "nearest" in here.known and not (here.said.pointer.latest or here.said.pointer.all)
    carried = carried and bool(here.is_asked(*_CARRYING) or (here.wanted_before and not said.specialties))
    first = said.pointer.earliest or (said.pointer.numbers == (1,) and said.doctors.found and not here.session.offers)
    return {"nearest": "yes"} if first or carried else {}


def _steps(here: Situation, wish: turn.Wish) -> list[turn.Step]:
    wanted = wish.widest
    axes = {one.axis for one in turn.conditions_of(wanted, denied=False)}
    if NAMED_PLACES.isdisjoint(axes):
        return []
    anybody, steps = turn.without(wanted, frozenset({turn.Axis.DOCTOR, turn.Axis.GENDER})), list[turn.Step]()
    codes, named = here.said.specialties, [doctor.name for doctor in here.said.doctors.found]
    for clinic in sorted(here.clinics, key=lambda one: [one.specialty == code for code in codes], reverse=True):
        if turn.Axis.DOCTOR in axes:
            fitting = [doctor for doctor in clinic.doctors if turn.verdict(wanted, clinic.id, doctor) is not False]
            steps += [turn.listing_step(clinic.id, doctor) for doctor in fitting]
        elif turn.verdict(anybody, clinic.id, "") is not False:
            steps.append(turn.listing_step(clinic.id))
    return sorted(steps, key=lambda step: named.index(step.doctor) if step.doctor in named else 0)
