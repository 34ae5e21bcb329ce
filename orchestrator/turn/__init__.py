"""The values that the stages of a turn exchange. This room imports no other, and hands on all that is public in it."""

from orchestrator.turn.choices import *
from orchestrator.turn.clinic import *
from orchestrator.turn.clinic_answers import *
from orchestrator.turn.identity import *
from orchestrator.turn.memory_calls import *
from orchestrator.turn.opening_filter import *
from orchestrator.turn.plan import *
from orchestrator.turn.proposals import *
from orchestrator.turn.reply import *
from orchestrator.turn.reply_steps import *
from orchestrator.turn.routing import *
from orchestrator.turn.session import *
from orchestrator.turn.step_actions import *
from orchestrator.turn.topics import *
from orchestrator.turn.wish import *
