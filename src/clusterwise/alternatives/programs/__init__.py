"""Programs that choose a target profile, and the steps from a profile to labels."""
