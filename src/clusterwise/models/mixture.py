"""Gaussian mixtures fitted by classification EM."""

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from clusterwise._utils.random import as_sklearn_seed
from clusterwise.inputs.encoding import Array


class CEM(GaussianMixture):  # type: ignore[misc]
    r"""Gaussian mixture fitted by classification EM, a hard step between E and M.

    EM weights every object in every component by its responsibility. CEM first assigns each object
    to its most probable component, and estimates each component from its own objects alone. It
    maximises the classification likelihood, that of the model and of a partition together,

    .. math:: C(\theta, z) = \frac{1}{n} \sum_i \log \pi_{z_i} f(x_i; \mu_{z_i}, \Sigma_{z_i}),

    and it needs fewer steps than EM. Where components overlap, its means lie farther apart and its
    covariances are smaller than those of EM, because the tails are assigned to the neighbour. With
    equal weights and one common spherical covariance it would be k-means.

    Parameters, methods and features are those of :class:`sklearn.mixture.GaussianMixture`, with
    the differences below.

    Parameters
    ----------
    n_components : int
        The number of components, and the largest number of clusters.
    covariance_type : {"full", "tied", "diag", "spherical"}
        The shape of the components.
    tol : float
        Stop when a step changes the classification likelihood by less than this; 0 goes on until
        no label changes.
    reg_covar : float
        Added to the diagonal of the covariances, so that they can be inverted.
    max_iter : int
        The largest number of steps; a ConvergenceWarning says that they were not enough.
    n_init : int
        The number of starts. The one with the largest classification likelihood is kept.
    init_params : {"kmeans", "k-means++", "random", "random_from_data"}
        Where to start from.
    weights_init, means_init, precisions_init : array-like, optional
        Parameters to start from.
    random_state : int, RandomState, Generator or None
        The seed of the starts.
    warm_start : bool
        Start from the result of the last fit.
    verbose, verbose_interval : int
        How much to print, and every how many steps.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The component of each object: ``predict`` of the data that the model was fitted to.
    weights_, means_, covariances_, precisions_, precisions_cholesky_ : ndarray
        The model. ``predict_proba`` gives its soft memberships.
    lower_bounds_ : list of float
        The classification likelihood, a mean over objects, at each step of the best start: of the
        parameters before the step and the partition that they imply.
    lower_bound_ : float
        The last of them.
    converged_ : bool
        Whether the best start stopped by itself.
    n_iter_ : int
        Its number of steps.

    See Also
    --------
    sklearn.mixture.GaussianMixture : The same model, fitted by EM.

    Notes
    -----
    With ``reg_covar=0`` no step lowers the classification likelihood. With more than that the
    covariances are not quite the best ones, and a step may lose a little.

    A component may lose all its objects. Then it keeps its mean and covariance, and its weight
    drops to almost 0 (where the classification likelihood is largest), so that it seldom comes
    back; a ConvergenceWarning says that there are fewer clusters than components. It is not put on
    some far object instead, because a component of one object never lets go of it.

    For the same reason look at the sizes of the clusters: the likelihood of a component that has
    come down to no more objects than features is limited by ``reg_covar`` alone. More starts do not
    help there; a simpler ``covariance_type``, fewer components or a larger ``reg_covar`` do.

    References
    ----------
    G. Celeux and G. Govaert (1992), A classification EM algorithm for clustering and two stochastic
    versions, Computational Statistics and Data Analysis 14(3), 315-332,
    https://doi.org/10.1016/0167-9473(92)90042-E

    Examples
    --------
    Two groups, and how surely an object between them belongs to each:

    >>> import numpy as np
    >>> from clusterwise import CEM
    >>> X = np.array([[1, 2], [1, 4], [1, 0], [10, 2], [10, 4], [10, 0]])
    >>> model = CEM(n_components=2, covariance_type="tied", random_state=0).fit(X)
    >>> model.labels_.tolist() in ([0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0])
    True
    >>> model.predict_proba([[5.5, 2]]).round(3).tolist()
    [[0.5, 0.5]]
    """

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
        tol, random_state = self.tol, self.random_state
        self.random_state = as_sklearn_seed(random_state)
        if tol == 0:
            # The loop asks for a change smaller than tol, and no label changed means exactly 0.
            self.tol = np.finfo(float).tiny
        try:
            self.labels_ = super().fit_predict(X, y)
        finally:
            self.tol, self.random_state = tol, random_state
        found = np.unique(self.labels_).size
        if found < self.n_components:
            warnings.warn(
                f"CEM found fewer clusters ({found}) than n_components ({self.n_components}): the "
                "other components lost all their objects; ask for fewer, or try another start.",
                ConvergenceWarning,
                stacklevel=2,
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

    # Two private hooks of scikit-learn's loop do the rest: _m_step, called after each E-step with
    # the logarithms of the memberships, and _compute_lower_bound, which says what is maximised.

    def _m_step(self, X: Array, log_resp: Array, **options: Any) -> None:
        n, components = log_resp.shape
        labels = log_resp.argmax(axis=1)
        sizes = np.bincount(labels, minlength=components)
        alive = sizes > 0
        means, roots = self.means_, self.precisions_cholesky_
        hard = np.full_like(log_resp, -np.inf)
        hard[np.arange(n), labels] = 0.0
        super()._m_step(X, hard[:, alive], **options)
        if alive.all():
            return
        # Only nonempty components were estimated; the empty ones keep their parameters.
        floor = 10 * np.finfo(log_resp.dtype).eps
        self.weights_ = np.maximum(sizes, floor, dtype=log_resp.dtype)
        self.weights_ /= self.weights_.sum()
        self.means_ = _spread(self.means_, alive, means)
        if self.covariance_type != "tied":
            self.covariances_ = _spread(self.covariances_, alive, _covariances(roots))
            self.precisions_cholesky_ = _spread(self.precisions_cholesky_, alive, roots)

    def _compute_lower_bound(self, log_resp: Array, log_prob_norm: float) -> float:
        return log_prob_norm + log_resp.max(axis=1).mean()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.array_api_support = False
        return tags


def _spread(found: Array, alive: Array, before: Array) -> Array:
    """Return the estimates of the nonempty components, and the former ones of the others."""
    every = np.array(before, dtype=found.dtype)
    every[alive] = found
    return every


def _covariances(roots: Array) -> Array:
    """Covariances from the square roots of the precisions; covariances_ may not be set yet."""
    if roots.ndim == 3:
        return np.linalg.inv(roots @ roots.transpose(0, 2, 1))
    return roots**-2.0
