"""CIB: the conditional information bottleneck."""
