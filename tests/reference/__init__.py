"""Naive twins of measures and kernels, as plain as their definitions."""
