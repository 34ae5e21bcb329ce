"""A session rebuilt from a conversation that is only given as text, and the plan for its next utterance.

It serves `clinic-mesh plan`. A live conversation keeps its session as values and never comes here.
"""
