"""scikit-learn's own checks, for every estimator."""

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

import clusterwise as cw

ESTIMATORS = [
    cw.CEM(),
    cw.CIB(),
    cw.CIB(relation="rows"),
    cw.COALA(),
    cw.COALA(prototypes=8, random_state=0),
    cw.COALACat(),
    cw.CondEns(),
    cw.MAXIMUS(),
    cw.MetaClusterer(),
    cw.MinCEntropy(),
    cw.NaiveAlternative(),
    cw.OrthogonalAlternative(),
]
_OTHER_WORDS = "refused, in other words than scikit-learn's"
EXPECTED_FAILURES = {
    "CIB(relation='rows')": {
        "check_clustering": "its numbers may be negative, frequencies are not"
    },
    "COALACat()": {
        "check_clustering": "measurements have hardly a value in common, so blobs are not seen",
        "check_complex_data": _OTHER_WORDS,
        "check_estimators_empty_data_messages": _OTHER_WORDS,
    },
    "MAXIMUS()": {
        "check_clustering": "k-means finds the blobs first, so the alternative is not them"
    },
}


def checks():
    for estimator in ESTIMATORS:
        reasons = EXPECTED_FAILURES.get(str(estimator), {})
        for fresh, check in estimator_checks_generator(estimator):
            name = getattr(check, "func", check).__name__
            # Other arrays than NumPy's are not supported, and that check only skips.
            if name == "check_array_api_input":
                continue
            marks = [pytest.mark.xfail(reason=reasons[name])] if name in reasons else []
            yield pytest.param(fresh, check, marks=marks, id=f"{estimator}-{name}")


@pytest.mark.parametrize(("estimator", "check"), list(checks()))
def test_scikit_learn_checks(estimator, check):
    check(estimator)
