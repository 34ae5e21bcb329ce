"""From what a turn is about to the agents that may be asked: classification, scores, the gate before every call."""
