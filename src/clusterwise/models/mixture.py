"""Gaussian mixtures fitted by classification EM."""

from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import Flag, Integer, Numbers, Real, Seed, one_of
from clusterwise._utils.parameters import RANGES, ConstrainedParameters
from clusterwise._utils.random import as_sklearn_seed
from clusterwise._utils.warnings import warn_user
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import NOT_NUMBERS, fill_masked, read_features
from clusterwise.inputs.frames import as_lazy
from clusterwise.models.kmeans import allow_equal_objects


@check_arguments
class CEM(ConstrainedParameters, GaussianMixture):  # type: ignore[misc]
    r"""Gaussian mixture fitted by classification EM, with a C-step between E and M.

    EM weights every object in every component by its responsibility. The C-step assigns each object
    to its most probable component, and the M-step estimates each component from its own objects
    only. CEM maximises the classification likelihood of the model and a partition,

    .. math:: C(\theta, z) = \frac{1}{n} \sum_i \log \pi_{z_i} f(x_i; \mu_{z_i}, \Sigma_{z_i}),

    and needs fewer iterations than EM. Where components overlap, its means lie farther apart and
    its covariances are smaller than those of EM, because the tails are assigned to the neighbour.
    With equal weights and one common spherical covariance it is k-means.

    Parameters, methods and attributes are those of :class:`sklearn.mixture.GaussianMixture`, with
    the differences below.

    Parameters
    ----------
    n_components : int
        The number of components, and the largest number of clusters.
    covariance_type : {"full", "tied", "diag", "spherical"}
        The shape of the covariances.
    tol : float
        Stop when an iteration changes the classification likelihood by less than this; with 0,
        stop when no label changes.
    reg_covar : float
        Added to the diagonal of the covariances, so that they can be inverted.
    max_iter : int
        The maximum number of iterations; a ConvergenceWarning is raised if it is reached.
    n_init : int
        The number of initialisations. The result with the largest classification likelihood is
        kept.
    init_params : {"kmeans", "k-means++", "random", "random_from_data"}
        The method of initialisation.
    weights_init, means_init, precisions_init : array-like, optional
        Initial parameters.
    random_state : int, RandomState, Generator or None
        The seed of the initialisation.
    warm_start : bool
        Start from the result of the last fit.
    verbose, verbose_interval : int
        The verbosity, and the number of iterations between messages.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The component of each object: ``predict`` of the data that the model was fitted to.
    weights_, means_, covariances_, precisions_, precisions_cholesky_ : ndarray
        The model. ``predict_proba`` gives its soft memberships.
    lower_bounds_ : list of float
        The classification likelihood per object at each iteration of the best initialisation: of
        the parameters before the M-step and the partition that they imply.
    lower_bound_ : float
        The last of them.
    converged_ : bool
        Whether the best initialisation converged before ``max_iter``.
    n_iter_ : int
        Its number of iterations.

    See Also
    --------
    sklearn.mixture.GaussianMixture : The same model, fitted by EM.

    Notes
    -----
    With ``reg_covar=0`` no iteration lowers the classification likelihood. With a larger value the
    estimated covariances are not exactly optimal, and an iteration may lower it slightly.

    A component may lose all its objects. Then it keeps its mean and covariance, and its weight
    drops to almost 0 (where the classification likelihood is largest), so that it rarely regains
    any; a ConvergenceWarning reports that there are fewer clusters than components. It is not moved
    to a distant object, because a component of a single object would never change again.

    For the same reason, check the sizes of the clusters: the likelihood of a component with no more
    objects than features is bounded by ``reg_covar`` only. A simpler ``covariance_type``, fewer
    components or a larger ``reg_covar`` help there; more initialisations do not.

    References
    ----------
    G. Celeux and G. Govaert (1992), A classification EM algorithm for clustering and two stochastic
    versions, Computational Statistics and Data Analysis 14(3), 315-332,
    https://doi.org/10.1016/0167-9473(92)90042-E

    Examples
    --------
    Two clusters, and the membership probabilities of an object between them:

    >>> import numpy as np
    >>> from clusterwise import CEM
    >>> X = np.array([[1, 2], [1, 4], [1, 0], [10, 2], [10, 4], [10, 0]])
    >>> model = CEM(n_components=2, covariance_type="tied", random_state=0).fit(X)
    >>> model.labels_.tolist() in ([0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0])
    True
    >>> model.predict_proba([[5.5, 2]]).round(3).tolist()
    [[0.5, 0.5]]
    """

    # scikit-learn's parameters, which have no annotations.
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_components": Integer(1),
        "covariance_type": one_of("full", "tied", "diag", "spherical"),
        "tol": RANGES["tol"],
        "reg_covar": Real(0),
        "max_iter": Integer(0),
        "n_init": RANGES["n_init"],
        "init_params": one_of("kmeans", "k-means++", "random", "random_from_data"),
        "weights_init": Numbers(1) | None,
        "means_init": Numbers(1) | None,
        "precisions_init": Numbers(1) | None,
        "random_state": Seed(),
        "warm_start": Flag(),
        "verbose": Integer(0) | Flag(),
        "verbose_interval": Integer(1),
    }

    tol: float
    random_state: Any
    weights_: Array
    means_: Array
    covariances_: Array
    precisions_cholesky_: Array

    def fit_predict(self, X: Any, y: Any = None) -> Array:
        """Fit the model to X and return the component of each object.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The objects.
        y : None
            Not used.

        Returns
        -------
        ndarray of shape (n_samples,)
            ``labels_``.
        """
        if as_lazy(X) is not None:
            read_features(X)  # raises: the objects must be in memory
        tol, random_state = self.tol, self.random_state
        self.random_state = as_sklearn_seed(random_state)
        if tol == 0:
            # scikit-learn stops at a change below tol; it is exactly 0 if no label changes.
            self.tol = np.finfo(float).tiny
        try:
            X = fill_masked(X)
            _require_finite_squares(X)
            with allow_equal_objects():  # of the k-means that initialises; see below
                self.labels_ = super().fit_predict(X, y)
        except np.exceptions.DTypePromotionError:
            raise InputError(NOT_NUMBERS) from None
        except (TypeError, ValueError, MemoryError):
            raise
        except Exception as error:  # types of a frame that NumPy does not have
            raise InputError(f"X cannot be read as numbers: {error}.") from None
        finally:
            self.tol, self.random_state = tol, random_state
        found = np.unique(self.labels_).size
        if found < self.n_components:
            warn_user(
                f"CEM found fewer clusters ({found}) than n_components ({self.n_components}): the "
                "other components lost all their objects; use fewer components or another "
                "random_state.",
                ConvergenceWarning,
            )
        return self.labels_

    def sample(self, n_samples: int = 1) -> tuple[Array, Array]:
        """Draw objects from the model, and return them with their components.

        Parameters
        ----------
        n_samples : int, default=1
            The number of objects.

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
            The objects.
        y : ndarray of shape (n_samples,)
            Their components.
        """
        random_state = self.random_state
        self.random_state = as_sklearn_seed(random_state)
        try:
            return super().sample(n_samples)
        finally:
            self.random_state = random_state

    # The rest overrides two private methods of scikit-learn: _m_step, which gets the logarithms of
    # the responsibilities, and _compute_lower_bound, which returns the objective.

    def _m_step(self, X: Array, log_resp: Array, **options: Any) -> None:
        n, components = log_resp.shape
        labels = log_resp.argmax(axis=1)
        sizes = np.bincount(labels, minlength=components)
        nonempty = sizes > 0
        means, roots = self.means_, self.precisions_cholesky_
        hard = np.full_like(log_resp, -np.inf)
        hard[np.arange(n), labels] = 0.0
        super()._m_step(X, hard[:, nonempty], **options)
        if nonempty.all():
            return
        # Only nonempty components were estimated; the empty ones keep their parameters.
        floor = 10 * np.finfo(log_resp.dtype).eps
        self.weights_ = np.maximum(sizes, floor, dtype=log_resp.dtype)
        self.weights_ /= self.weights_.sum()
        self.means_ = _replace(means, nonempty, self.means_)
        if self.covariance_type != "tied":
            self.covariances_ = _replace(_covariances(roots), nonempty, self.covariances_)
            self.precisions_cholesky_ = _replace(roots, nonempty, self.precisions_cholesky_)

    def _compute_lower_bound(self, log_resp: Array, log_prob_norm: float) -> float:
        return log_prob_norm + log_resp.max(axis=1).mean()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.array_api_support = False
        return tags


def _require_finite_squares(X: Any) -> None:
    """Raise an error for finite numbers so large that the sum of their squares overflows."""
    numbers = np.asarray(X)
    if numbers.dtype.kind in "iuf" and numbers.size:
        limits = np.finfo(numbers.dtype if numbers.dtype.kind == "f" else float)
        largest = max(float(numbers.max()), -float(numbers.min()))
        if np.sqrt(float(limits.max) / numbers.size) < largest < np.inf:
            raise InputError(
                f"X has a number of the size of {largest:.0e}, the square of which is too large "
                "for variances; scale X."
            )


def _replace(before: Array, nonempty: Array, estimates: Array) -> Array:
    """Return the former parameters, with the new estimates for the nonempty components."""
    parameters = np.array(before, dtype=estimates.dtype)
    parameters[nonempty] = estimates
    return parameters


def _covariances(roots: Array) -> Array:
    """Return the covariances of Cholesky factors; covariances_ may not be set yet."""
    if roots.ndim == 3:
        return np.linalg.inv(roots @ roots.transpose(0, 2, 1))
    return roots**-2.0
