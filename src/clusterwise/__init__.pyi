"""The only list of the public names; ``__init__.py`` loads them on first use."""

from . import (
    datasets as datasets,
    plots as plots,
    report as report,
)
from ._utils.errors import (
    EngineError as EngineError,
    InputError as InputError,
)
from ._utils.threads import threads as threads
from .alternatives import (
    CIB as CIB,
    COALA as COALA,
    MAXIMUS as MAXIMUS,
    COALACat as COALACat,
    CondEns as CondEns,
    FoundClustering as FoundClustering,
    FoundClusterings as FoundClusterings,
    MetaClusterer as MetaClusterer,
    MinCEntropy as MinCEntropy,
    NaiveAlternative as NaiveAlternative,
    OrthogonalAlternative as OrthogonalAlternative,
    TradeoffCurve as TradeoffCurve,
    cluster_again as cluster_again,
    tradeoff_curve as tradeoff_curve,
)
from .comparing import (
    Comparison as Comparison,
    ComparisonMatrix as ComparisonMatrix,
    ProfileComparison as ProfileComparison,
    ReferenceComparison as ReferenceComparison,
    compare as compare,
    compare_all as compare_all,
    compare_profiles as compare_profiles,
    compare_to as compare_to,
    recommend as recommend,
)
from .consensus import (
    CSPA as CSPA,
    HBGF as HBGF,
    HGPA as HGPA,
    LWEA as LWEA,
    LWGP as LWGP,
    MCLA as MCLA,
    Combined as Combined,
    EvidenceAccumulation as EvidenceAccumulation,
    MedianPartition as MedianPartition,
    PhiConsensus as PhiConsensus,
    VotingConsensus as VotingConsensus,
    clustering_agreement as clustering_agreement,
    co_association_curve as co_association_curve,
    combine as combine,
    consensus_matrix as consensus_matrix,
    consensus_objective as consensus_objective,
    inter_cluster_similarity as inter_cluster_similarity,
    intra_cluster_similarity as intra_cluster_similarity,
    make_ensemble as make_ensemble,
    number_stability as number_stability,
    object_agreement as object_agreement,
    rank_clusterings as rank_clusterings,
)
from .inputs import (
    Binning as Binning,
    describe_columns as describe_columns,
)
from .measures import (
    TransportPlan as TransportPlan,
    adco_distance as adco_distance,
    adco_score as adco_score,
    adjusted as adjusted,
    adjusted_mutual_info_score as adjusted_mutual_info_score,
    adjusted_rand_score as adjusted_rand_score,
    cluster_accuracy_score as cluster_accuracy_score,
    clustering_error as clustering_error,
    completeness_score as completeness_score,
    css_distance as css_distance,
    dq_parts as dq_parts,
    dq_score as dq_score,
    dunn_score as dunn_score,
    entropy_quality_score as entropy_quality_score,
    fowlkes_mallows_score as fowlkes_mallows_score,
    homogeneity_score as homogeneity_score,
    irm_score as irm_score,
    list_measures as list_measures,
    mallows_distance as mallows_distance,
    matching_f_score as matching_f_score,
    mirkin_distance as mirkin_distance,
    mutual_info_score as mutual_info_score,
    normalized_mutual_info_score as normalized_mutual_info_score,
    pair_confusion_matrix as pair_confusion_matrix,
    pair_jaccard_score as pair_jaccard_score,
    profile_cosine_score as profile_cosine_score,
    purity_score as purity_score,
    quality_score as quality_score,
    rand_score as rand_score,
    separating_features as separating_features,
    transport_plan as transport_plan,
    v_measure_score as v_measure_score,
    van_dongen_distance as van_dongen_distance,
    variation_of_information as variation_of_information,
    wallace_score as wallace_score,
)
from .models import CEM as CEM
from .stability import (
    Assessment as Assessment,
    NumberAssessment as NumberAssessment,
    assess as assess,
)
from .streams import (
    ClusteringStream as ClusteringStream,
    WindowReport as WindowReport,
)
from .summaries import (
    Contingency as Contingency,
    DensityProfile as DensityProfile,
    EnsembleTable as EnsembleTable,
    PackedEnsemble as PackedEnsemble,
    SoftOverlap as SoftOverlap,
    pack_ensemble as pack_ensemble,
)

__version__: str
