"""Compare clusterings, find alternatives to one you have, combine many into one.

Names are loaded when they are first used: ``import clusterwise`` itself brings in
no numba, scikit-learn, dataframe or plotting library.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "measures.pairs": (
        "adjusted_rand_score",
        "fowlkes_mallows_score",
        "mirkin_distance",
        "pair_confusion_matrix",
        "pair_jaccard_score",
        "rand_score",
        "wallace_score",
    ),
    "measures.information": (
        "adjusted_mutual_info_score",
        "completeness_score",
        "homogeneity_score",
        "mutual_info_score",
        "normalized_mutual_info_score",
        "v_measure_score",
        "variation_of_information",
    ),
    "measures.matching": (
        "cluster_accuracy_score",
        "clustering_error",
        "irm_score",
        "matching_f_score",
        "purity_score",
        "van_dongen_distance",
    ),
    "measures.transport": ("css_distance", "mallows_distance", "transport_plan"),
    "measures.plans": ("TransportPlan",),
    "measures.density": ("adco_distance", "adco_score", "profile_cosine_score"),
    "measures.attributes": ("separating_attributes",),
    "measures.internal": ("dunn_score", "entropy_quality_score"),
    "measures.qualities": ("quality_score",),
    "measures.dq": ("dq_parts", "dq_score"),
    "measures.catalogue": ("list_measures",),
    "comparing.comparison": ("Comparison", "compare"),
    "comparing.matrix": ("ComparisonMatrix", "compare_all"),
    "comparing.profiles": ("ProfileComparison", "compare_profiles"),
    "streams": ("ClusteringStream",),
    "alternatives.again": ("cluster_again",),
    "alternatives.cib": ("CIB",),
    "alternatives.coala": ("COALA",),
    "alternatives.coalacat": ("COALACat",),
    "alternatives.condens": ("CondEns",),
    "alternatives.found": ("FoundClustering",),
    "alternatives.maximus": ("MAXIMUS",),
    "alternatives.metaclusterer": ("MetaClusterer",),
    "alternatives.mincentropy": ("MinCEntropy",),
    "alternatives.naive": ("NaiveAlternative",),
    "alternatives.orthogonal": ("OrthogonalAlternative",),
    "alternatives.tradeoff": ("TradeoffCurve", "tradeoff_curve"),
    "consensus.combining": ("combine",),
    "consensus.diagnostics": ("clustering_agreement", "object_agreement"),
    "consensus.matrix": ("consensus_matrix",),
    "consensus.curves": ("co_association_curve", "number_stability"),
    "consensus.evidence": ("EvidenceAccumulation",),
    "consensus.hypergraph": ("HBGF", "MCLA"),
    "consensus.making": ("make_ensemble",),
    "consensus.median": ("MedianPartition",),
    "consensus.objective": (
        "consensus_objective",
        "inter_cluster_similarity",
        "intra_cluster_similarity",
    ),
    "consensus.phi": ("PhiConsensus",),
    "consensus.sampled": ("CSPA", "HGPA"),
    "consensus.voting": ("VotingConsensus",),
    "summaries.ensemble": ("EnsembleTable",),
    "summaries.packed": ("PackedEnsemble", "pack_ensemble"),
    "summaries.contingency": ("Contingency",),
    "summaries.overlap": ("SoftOverlap",),
    "summaries.profile": ("DensityProfile",),
    "mixtures": ("CEM",),
    "binning": ("Binning",),
    "kernels.threads": ("threads",),
    "errors": ("EngineError", "InputError"),
}
_MODULES = ("datasets", "plots", "report")
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["__version__", *sorted(_HOME_OF)]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"clusterwise.{name}")
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'clusterwise' has no attribute {name!r}")
    value = getattr(import_module(f"clusterwise.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, *__all__})
