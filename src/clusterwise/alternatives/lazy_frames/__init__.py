"""Alternatives of lazy frames: a search in a sample, and rules that label all objects."""
