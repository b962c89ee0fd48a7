"""Measures: pure functions of summaries, one file per family."""
