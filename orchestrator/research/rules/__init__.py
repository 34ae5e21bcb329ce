"""What makes a question testable, as rules over text: docs/research.md says them in words.

Nothing here knows the agents, the graph or a model; any text may be read, and none raises.
"""
