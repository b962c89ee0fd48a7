"""Limits that functions and the command share; nothing heavy is imported here."""

# Each alternative is made dissimilar to all before it, so that the time grows with their square.
MOST_ALTERNATIVES = 100
