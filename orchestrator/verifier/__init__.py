"""Holds what clinics return and what is said about it to the rules R1 to R4, as code (blueprint 2.3.2)."""
