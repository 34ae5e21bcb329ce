"""What only a model's text is held to: its own words must be borne out to the letter."""
