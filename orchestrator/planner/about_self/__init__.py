"""What people say about themselves: statements to remember, and wishes about memory."""

from orchestrator.planner.about_self.clauses import own_words, read_habit, say_much_the_same
from orchestrator.planner.about_self.memory_plan import may_remember, reminders_of, tells_of_health
from orchestrator.planner.about_self.self_statements import noted
