"""scikit-learn's own checks, for every estimator."""

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

import clusterwise as cw

ESTIMATORS = [cw.CEM(), cw.COALA(), cw.COALACat(), cw.NaiveAlternative()]
EXPECTED_FAILURES: dict[str, dict[str, str]] = {}


def checks():
    for estimator in ESTIMATORS:
        expected = EXPECTED_FAILURES.get(type(estimator).__name__, {})
        found = estimator_checks_generator(
            estimator, mark="xfail", expected_failed_checks=expected, xfail_strict=True
        )
        for made in found:
            check = made.values[1] if hasattr(made, "values") else made[1]
            name = getattr(check, "func", check).__name__
            # Other arrays than NumPy's are not supported, and that check only skips.
            if name == "check_array_api_input":
                continue
            marks = getattr(made, "marks", ())
            yield pytest.param(
                estimator, check, marks=marks, id=f"{type(estimator).__name__}-{name}"
            )


@pytest.mark.parametrize(("estimator", "check"), list(checks()))
def test_scikit_learn_checks(estimator, check):
    check(estimator)
