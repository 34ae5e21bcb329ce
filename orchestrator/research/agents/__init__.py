"""The three agents of the desk: each reads the state and returns the fields that are its own."""
