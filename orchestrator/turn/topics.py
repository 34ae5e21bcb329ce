"""What a turn comes to, and what is said besides what clinics answer."""

from enum import StrEnum

PlanKind = StrEnum("PlanKind", "STEPS CLARIFY REFUSE OUT_OF_SCOPE SMALLTALK EMERGENCY")  # what a turn comes to
URGENT = frozenset({PlanKind.EMERGENCY, PlanKind.REFUSE})  # nothing else that was said is answered beside these


class Topic(StrEnum):
    """What is said instead of what clinics answer, or beside it; the responder has a text for each in both languages.

    A comment behind one says when, and names the `Plan.facts` and choices that go with its text.
    """

    # clarify
    ASK_REQUEST = "ask_request"  # nothing was understood
    ASK_WHICH_FIRST = "ask_which_first"  # several different things at once
    ASK_SPECIALTY = "ask_specialty"
    ASK_WHICH_DOCTOR = "ask_which_doctor"  # choices
    ASK_WHICH_OFFER = "ask_which_offer"  # a pick that fits none, or several, of the offers; choices
    ALL_SHOWN = "all_shown"  # a list has no more rows
    DONE_HERE = "done_here"  # whether this desk moves and cancels, too
    ASK_ANOTHER_TIME = "ask_another_time"  # none of the offers suits
    ASK_WHICH_APPOINTMENT = "ask_which_appointment"  # choices
    ASK_APPOINTMENT = "ask_appointment"  # which doctor, date and time: this conversation knows of none
    ASK_NEW_TIME = "ask_new_time"  # move it to when?
    ASK_CHANGE = "ask_change"  # somebody cannot come: cancel or move?
    ASK_GO_ON = "ask_go_on"  # whether to go on with what was asked for or proposed
    ASK_PATIENT_ID = "ask_patient_id"
    ASK_QUERY = "ask_query"
    VISIT_BY_VISIT = "visit_by_visit"  # several visits are chosen one after the other
    USUALLY_SEEN = "usually_seen"  # a symptom, above the openings that were asked for with it: facts specialty
    OFFER_SPECIALTY = "offer_specialty"  # a symptom: facts specialty
    UNKNOWN_CLINIC = "unknown_clinic"
    UNKNOWN_DOCTOR = "unknown_doctor"
    MOMENT_IN_PAST = "moment_in_past"
    NO_SUCH_DAY = "no_such_day"  # a day that no calendar has
    ASK_WHICH_DAY = "ask_which_day"  # a weekday that is not that of the date beside it; facts days
    MY_APPOINTMENTS = "my_appointments"  # what the person holds; choices
    NO_APPOINTMENT_THEN = "no_appointment_then"  # none of what the person holds is as was asked; choices, all of them
    ONE_BY_ONE = "one_by_one"  # several are to be moved, and each is asked about
    CHANGED_ONE_BY_ONE = "changed_one_by_one"  # of two changes the first is made, and the other is to be said again
    NO_SUCH_APPOINTMENT = "no_such_appointment"  # the one that is to be changed is none of theirs
    TIME_LEFT = "time_left"  # how long it is until visits of theirs, and between them; fact times
    VISIT_LENGTH = "visit_length"  # how long a visit of theirs takes; facts visit, minutes
    LENGTH_BY_SLOT = "length_by_slot"  # how long a visit takes, where none is talked of
    NOTHING_KEPT = "nothing_kept"  # what is kept of the person, where nothing may be
    NOTHING_NOTED = "nothing_noted"  # nothing more is noted in this conversation, as the person wished
    LANGUAGE_KEPT = "language_kept"  # every answer is in one language from now on
    NO_APPOINTMENTS = "no_appointments"  # the person holds none
    CLINIC_FACTS = "clinic_facts"  # what clinics state of themselves; `Plan.asked`
    NO_CLINIC_FITS = "no_clinic_fits"  # none states what is asked of it; `Plan.asked`
    WAITING_LIST = "waiting_list"  # to be called once something opens
    CALENDAR = "calendar"  # how appointments get into a calendar
    CLINIC_MATTERS = "clinic_matters"  # payment, papers, tests: only a clinic's own desk knows
    FOR_SOMEBODY_ELSE = "for_somebody_else"  # only who identified themselves is booked for; facts who
    # said before another answer
    LET_GO = "let_go"  # what was on the table is let go or put off
    WHY_MARKED = "why_marked"  # openings have a remark where they go against what the person told
    UNDERSTOOD = "understood"  # when something suits, as it was understood
    STATEMENT_LOST = "statement_lost"  # something was told that was not understood, and nothing is noted of it
    HABIT_NOTED = "habit_noted"  # a habit was told, and nothing is asked for yet
    TIMES_CHANGE = "times_change"  # times that go by turns were told, which nobody can work out
    AS_SHOWN = "as_shown"  # what is proposed is as it was asked whether it is
    NOT_AS_SHOWN = "not_as_shown"  # it is not
    NOTHING_BOOKED = "nothing_booked"  # what was proposed was not agreed to, and something else is looked for
    NO_DISTANCES = "no_distances"  # addresses are known, and no distances
    LANGUAGES = "languages"  # what is spoken here, to somebody who writes Spanish
    POSSIBLE_EMERGENCY = "possible_emergency"  # a symptom that may not wait
    DISTRESS = "distress"  # somebody is low: whom to talk to; alone it is an answer
    # refuse
    DIAGNOSIS = "diagnosis"
    DOSAGE = "dosage"
    OTHER_PERSON = "other_person"
    OPERATORS_ONLY = "operators_only"
    INSTRUCTIONS = "instructions"  # prompt injection, or asking for the system's own instructions
    # out_of_scope
    OTHER_SPECIALTY = "other_specialty"
    OFF_TOPIC = "off_topic"
    UNSUPPORTED = "unsupported"  # no agent of the registry is for it, or what is wanted is not certain enough
    DIRECT_ANSWER = "direct_answer"  # stands before what a language model answers instead of an agent
    NO_DIRECT_ANSWER = "no_direct_answer"  # there is no such answer
    AGENT_PROPOSED = "agent_proposed"  # what is missing has been written down
    # smalltalk
    GREETING = "greeting"
    THANKS = "thanks"
    FAREWELL = "farewell"
    NO_HURRY = "no_hurry"
    HELP_COMES = "help_comes"  # after a warning: help is on its way, or they go to it
    HELP = "help"
    HOW_IT_WORKS = "how_it_works"
    WHO_ANSWERS = "who_answers"  # whether a person or a program writes here
    NOTHING_DONE = "nothing_done"  # "não quero cancelar": nothing was changed
    WHAT_ELSE = "what_else"  # there was something to remember, show or forget, and nothing else
    NOTHING_OPEN = "nothing_open"  # a yes to nothing: what can be asked for
    NO_HEALTH_MEMORY = "no_health_memory"  # somebody told of their health, as if to be remembered
    NO_MEMORY_OF_OTHERS = "no_memory_of_others"  # somebody told of another person, and asked for nothing
    # emergency
    MEDICAL_EMERGENCY = "medical_emergency"
    SELF_HARM = "self_harm"
    SELF_HARM_OF_ANOTHER = "self_harm_of_another"  # told by somebody who is afraid for them
    POISONING = "poisoning"
    VIOLENCE = "violence"
