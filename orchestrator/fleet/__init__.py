"""The clinics on this machine as processes: finding, starting, watching and stopping them.

The fleet knows addresses, silos and log files. It knows nothing of turns, and what a clinic says about a patient never
passes through here.
"""
