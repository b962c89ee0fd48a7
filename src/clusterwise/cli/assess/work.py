"""Read the files of ``assess``, and assess a column of labels or k-means."""

from collections.abc import Sequence
from typing import Any

from sklearn.cluster import KMeans

from clusterwise._utils.errors import InputError
from clusterwise.cli.again.data import load_again
from clusterwise.cli.assess.options import AssessOptions
from clusterwise.cli.options import FeatureOptions, FileOptions, LabelHandling
from clusterwise.cli.output import say
from clusterwise.cli.tables.columns import label_of
from clusterwise.cli.tables.load import LoadOptions, load_one
from clusterwise.cli.tables.named_files import find_files
from clusterwise.inputs.features import Features
from clusterwise.stability.assess import assess
from clusterwise.stability.assessment import Assessment
from clusterwise.stability.number_assessment import NumberAssessment

# Starts of k-means.
_STARTS = 3


def assess_files(
    files: Sequence[str], options: AssessOptions, features: FeatureOptions, reading: FileOptions
) -> Assessment | NumberAssessment:
    """Assess the clusters of a column, or of k-means in all features."""
    n_clusters: int | list[int] | None = None
    clusterer: Any = KMeans(n_init=_STARTS)
    if options.labels is None:
        data = load_again(files, reading, (), features.feature_names, LabelHandling())
        X = data.features.named()
        numbers = options.numbers
        n_clusters = numbers[0] if len(numbers) == 1 else numbers
        if options.n_clusters is None:
            n_clusters = [number for number in numbers if number < X.n]
    else:
        loading = LoadOptions(
            (), reading.key, None, options.missing, "cluster", options.noise_label,
            features=features.feature_names,
        )  # fmt: skip
        found = find_files(files, reading.input_format)
        loaded = load_one(found, reading, options.labels, loading)
        assert loaded.features is not None
        X = loaded.features.named()
        (clusterer,) = loaded.clusterings.values()
    scale = _note_scaling(X, scale=options.scale)
    try:
        return assess(
            X,
            clusterer,
            n_clusters=n_clusters,
            resampling=options.resampling,
            n_resamples=options.resamples,
            n_null=options.null_sets,
            scale=scale,
            noise_label=label_of(options.noise_label),
            random_state=options.seed,
        )
    except InputError as error:
        message = str(error).replace("n_clusters=", "--n-clusters ")
        where = "the labels" if options.labels is None else f"--labels {options.labels}"
        raise InputError(message.replace("clusterer_or_labels", where)) from error


def _note_scaling(X: Features, *, scale: bool) -> bool:
    """Say how features are scaled, and return whether they are."""
    if any(column.kind == "nominal" for column in X.columns):
        say("categories are one-hot encoded; numeric features are scaled to standard deviation 1.")
    elif scale:
        say(
            "features are scaled to mean 0 and standard deviation 1; use --no-scale to leave them "
            "as they are."
        )
    return scale
