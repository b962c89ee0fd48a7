"""Summaries of frames of any engine: computed where the data is, only the summary leaves it."""
