"""Shared settings of the test run."""

import os

from hypothesis import HealthCheck, settings

# Compiling a kernel in the middle of an example is not a slow example.
settings.register_profile(
    "default", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=100
)
settings.register_profile("thorough", parent=settings.get_profile("default"), max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
