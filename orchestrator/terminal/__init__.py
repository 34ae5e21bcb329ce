"""The terminal: questions of identity, a prompt with commands, and the drawing of replies.

It decides nothing about a turn: an utterance goes to the conversation as it was typed, and what comes back is drawn.
"""
