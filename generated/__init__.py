"""Python code of the contract, written by protos/generate.py: edit the contract, not this."""
