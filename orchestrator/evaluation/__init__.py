"""The evaluation protocol of blueprint section 5: queries in, figures with confidence intervals out.

It drives the whole pipeline from outside and reads its log; no stage of a turn knows that it is measured.
"""
