"""The public names: the one list of them, which ``__init__.py`` loads lazily."""

from . import (
    datasets as datasets,
)
from . import (
    plots as plots,
)
from . import (
    report as report,
)
from ._utils.errors import (
    EngineError as EngineError,
)
from ._utils.errors import (
    InputError as InputError,
)
from ._utils.threads import threads as threads
from .alternatives import (
    CIB as CIB,
)
from .alternatives import (
    COALA as COALA,
)
from .alternatives import (
    MAXIMUS as MAXIMUS,
)
from .alternatives import (
    COALACat as COALACat,
)
from .alternatives import (
    CondEns as CondEns,
)
from .alternatives import (
    FoundClustering as FoundClustering,
)
from .alternatives import (
    MetaClusterer as MetaClusterer,
)
from .alternatives import (
    MinCEntropy as MinCEntropy,
)
from .alternatives import (
    NaiveAlternative as NaiveAlternative,
)
from .alternatives import (
    OrthogonalAlternative as OrthogonalAlternative,
)
from .alternatives import (
    TradeoffCurve as TradeoffCurve,
)
from .alternatives import (
    cluster_again as cluster_again,
)
from .alternatives import (
    tradeoff_curve as tradeoff_curve,
)
from .comparing import (
    Comparison as Comparison,
)
from .comparing import (
    ComparisonMatrix as ComparisonMatrix,
)
from .comparing import (
    ProfileComparison as ProfileComparison,
)
from .comparing import (
    compare as compare,
)
from .comparing import (
    compare_all as compare_all,
)
from .comparing import (
    compare_profiles as compare_profiles,
)
from .consensus import (
    CSPA as CSPA,
)
from .consensus import (
    HBGF as HBGF,
)
from .consensus import (
    HGPA as HGPA,
)
from .consensus import (
    MCLA as MCLA,
)
from .consensus import (
    EvidenceAccumulation as EvidenceAccumulation,
)
from .consensus import (
    MedianPartition as MedianPartition,
)
from .consensus import (
    PhiConsensus as PhiConsensus,
)
from .consensus import (
    VotingConsensus as VotingConsensus,
)
from .consensus import (
    clustering_agreement as clustering_agreement,
)
from .consensus import (
    co_association_curve as co_association_curve,
)
from .consensus import (
    combine as combine,
)
from .consensus import (
    consensus_matrix as consensus_matrix,
)
from .consensus import (
    consensus_objective as consensus_objective,
)
from .consensus import (
    inter_cluster_similarity as inter_cluster_similarity,
)
from .consensus import (
    intra_cluster_similarity as intra_cluster_similarity,
)
from .consensus import (
    make_ensemble as make_ensemble,
)
from .consensus import (
    number_stability as number_stability,
)
from .consensus import (
    object_agreement as object_agreement,
)
from .inputs import Binning as Binning
from .measures import (
    TransportPlan as TransportPlan,
)
from .measures import (
    adco_distance as adco_distance,
)
from .measures import (
    adco_score as adco_score,
)
from .measures import (
    adjusted_rand_score as adjusted_rand_score,
)
from .measures import (
    cluster_accuracy_score as cluster_accuracy_score,
)
from .measures import (
    clustering_error as clustering_error,
)
from .measures import (
    completeness_score as completeness_score,
)
from .measures import (
    css_distance as css_distance,
)
from .measures import (
    dq_parts as dq_parts,
)
from .measures import (
    dq_score as dq_score,
)
from .measures import (
    dunn_score as dunn_score,
)
from .measures import (
    entropy_quality_score as entropy_quality_score,
)
from .measures import (
    fowlkes_mallows_score as fowlkes_mallows_score,
)
from .measures import (
    homogeneity_score as homogeneity_score,
)
from .measures import (
    irm_score as irm_score,
)
from .measures import (
    list_measures as list_measures,
)
from .measures import (
    mallows_distance as mallows_distance,
)
from .measures import (
    matching_f_score as matching_f_score,
)
from .measures import (
    mirkin_distance as mirkin_distance,
)
from .measures import (
    mutual_info_score as mutual_info_score,
)
from .measures import (
    pair_confusion_matrix as pair_confusion_matrix,
)
from .measures import (
    pair_jaccard_score as pair_jaccard_score,
)
from .measures import (
    profile_cosine_score as profile_cosine_score,
)
from .measures import (
    purity_score as purity_score,
)
from .measures import (
    quality_score as quality_score,
)
from .measures import (
    rand_score as rand_score,
)
from .measures import (
    separating_attributes as separating_attributes,
)
from .measures import (
    transport_plan as transport_plan,
)
from .measures import (
    v_measure_score as v_measure_score,
)
from .measures import (
    van_dongen_distance as van_dongen_distance,
)
from .measures import (
    variation_of_information as variation_of_information,
)
from .measures import (
    wallace_score as wallace_score,
)
from .models import CEM as CEM
from .streams import ClusteringStream as ClusteringStream
from .summaries import (
    Contingency as Contingency,
)
from .summaries import (
    DensityProfile as DensityProfile,
)
from .summaries import (
    EnsembleTable as EnsembleTable,
)
from .summaries import (
    PackedEnsemble as PackedEnsemble,
)
from .summaries import (
    SoftOverlap as SoftOverlap,
)
from .summaries import (
    pack_ensemble as pack_ensemble,
)

__version__: str
