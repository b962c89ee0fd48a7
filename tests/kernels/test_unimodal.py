"""Unimodal densities against isotonic regressions; also run with NUMBA_DISABLE_JIT=1."""

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from clusterwise.kernels.unimodal import fit_unimodal
from reference.unimodal import largest_likelihood, unimodal_by_definition

WIDTHS = st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=12)


def fit(widths):
    """The heights of intervals of equal probability, and their frequencies."""
    widths = np.array(widths)
    frequencies = 1.0 / (widths.size * widths)
    heights = np.empty(widths.size)
    fit_unimodal(frequencies, widths, heights)
    return frequencies, widths, heights


@given(WIDTHS)
@example([1.0])
@example([1.0, 1.0, 1.0])
@example([1.0, 5.0, 1.0, 5.0, 1.0])
@example([646.5, 0.0625, 656.75, 952.1593245701359, 0.0625])
def test_heights_equal_those_of_isotonic_regressions(widths):
    frequencies, widths, heights = fit(widths)
    expected = unimodal_by_definition(frequencies, widths)
    likelihood = np.log(expected).sum()
    assert np.log(heights).sum() == pytest.approx(likelihood, abs=1e-9)
    # Several modes may be equally likely.
    if heights.argmax() == expected.argmax():
        np.testing.assert_allclose(heights, expected, rtol=1e-9)


@given(WIDTHS)
def test_it_is_a_unimodal_density(widths):
    _, widths, heights = fit(widths)
    assert heights @ widths == pytest.approx(1.0)
    assert (heights > 0).all()
    steps = np.sign(np.diff(heights))
    mode = int(heights.argmax())
    assert (steps[:mode] >= 0).all()
    assert (steps[mode:] <= 0).all()


@given(WIDTHS)
def test_no_unimodal_density_is_more_likely(widths):
    frequencies, widths, heights = fit(widths)
    expected = largest_likelihood(frequencies, widths)
    assert np.log(heights).sum() == pytest.approx(expected, abs=1e-9)


@given(st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=12))
def test_frequencies_that_are_unimodal_stay_as_they_are(values):
    # The widths decrease to the mode and increase after it.
    widths = np.concatenate([np.sort(values)[::-1], np.sort(values)])
    frequencies, _, heights = fit(widths)
    np.testing.assert_allclose(heights, frequencies)


def test_two_modes_become_one():
    """Of two heights with a gap between them, one side is averaged with the gap."""
    widths = np.array([1.0, 10.0, 2.0])
    _, _, heights = fit(widths)
    np.testing.assert_allclose(heights, [1 / 3, 2 / 36, 2 / 36])
