"""What people say about themselves, remembered so that nobody is asked twice; where and how it is kept.

Nothing of clinic answers, of other people or about health is remembered.
"""
