"""What type checkers see of the lazily loaded public names."""

from clusterwise import datasets as datasets
from clusterwise import plots as plots
from clusterwise import report as report
from clusterwise.alternatives.again import cluster_again as cluster_again
from clusterwise.alternatives.cib import CIB as CIB
from clusterwise.alternatives.coala import COALA as COALA
from clusterwise.alternatives.coalacat import COALACat as COALACat
from clusterwise.alternatives.condens import CondEns as CondEns
from clusterwise.alternatives.found import FoundClustering as FoundClustering
from clusterwise.alternatives.maximus import MAXIMUS as MAXIMUS
from clusterwise.alternatives.metaclusterer import MetaClusterer as MetaClusterer
from clusterwise.alternatives.mincentropy import MinCEntropy as MinCEntropy
from clusterwise.alternatives.naive import NaiveAlternative as NaiveAlternative
from clusterwise.alternatives.orthogonal import OrthogonalAlternative as OrthogonalAlternative
from clusterwise.alternatives.tradeoff import TradeoffCurve as TradeoffCurve
from clusterwise.alternatives.tradeoff import tradeoff_curve as tradeoff_curve
from clusterwise.binning import Binning as Binning
from clusterwise.comparing.comparison import Comparison as Comparison
from clusterwise.comparing.comparison import compare as compare
from clusterwise.comparing.matrix import ComparisonMatrix as ComparisonMatrix
from clusterwise.comparing.matrix import compare_all as compare_all
from clusterwise.comparing.profiles import ProfileComparison as ProfileComparison
from clusterwise.comparing.profiles import compare_profiles as compare_profiles
from clusterwise.consensus.combining import combine as combine
from clusterwise.consensus.curves import co_association_curve as co_association_curve
from clusterwise.consensus.curves import number_stability as number_stability
from clusterwise.consensus.diagnostics import clustering_agreement as clustering_agreement
from clusterwise.consensus.diagnostics import object_agreement as object_agreement
from clusterwise.consensus.evidence import EvidenceAccumulation as EvidenceAccumulation
from clusterwise.consensus.hypergraph import HBGF as HBGF
from clusterwise.consensus.hypergraph import MCLA as MCLA
from clusterwise.consensus.making import make_ensemble as make_ensemble
from clusterwise.consensus.matrix import consensus_matrix as consensus_matrix
from clusterwise.consensus.median import MedianPartition as MedianPartition
from clusterwise.consensus.objective import consensus_objective as consensus_objective
from clusterwise.consensus.objective import inter_cluster_similarity as inter_cluster_similarity
from clusterwise.consensus.objective import intra_cluster_similarity as intra_cluster_similarity
from clusterwise.consensus.phi import PhiConsensus as PhiConsensus
from clusterwise.consensus.sampled import CSPA as CSPA
from clusterwise.consensus.sampled import HGPA as HGPA
from clusterwise.consensus.voting import VotingConsensus as VotingConsensus
from clusterwise.errors import EngineError as EngineError
from clusterwise.errors import InputError as InputError
from clusterwise.kernels.threads import threads as threads
from clusterwise.measures.attributes import separating_attributes as separating_attributes
from clusterwise.measures.catalogue import list_measures as list_measures
from clusterwise.measures.density import adco_distance as adco_distance
from clusterwise.measures.density import adco_score as adco_score
from clusterwise.measures.density import profile_cosine_score as profile_cosine_score
from clusterwise.measures.dq import dq_parts as dq_parts
from clusterwise.measures.dq import dq_score as dq_score
from clusterwise.measures.information import (
    adjusted_mutual_info_score as adjusted_mutual_info_score,
)
from clusterwise.measures.information import completeness_score as completeness_score
from clusterwise.measures.information import homogeneity_score as homogeneity_score
from clusterwise.measures.information import mutual_info_score as mutual_info_score
from clusterwise.measures.information import (
    normalized_mutual_info_score as normalized_mutual_info_score,
)
from clusterwise.measures.information import v_measure_score as v_measure_score
from clusterwise.measures.information import variation_of_information as variation_of_information
from clusterwise.measures.internal import dunn_score as dunn_score
from clusterwise.measures.internal import entropy_quality_score as entropy_quality_score
from clusterwise.measures.matching import cluster_accuracy_score as cluster_accuracy_score
from clusterwise.measures.matching import clustering_error as clustering_error
from clusterwise.measures.matching import irm_score as irm_score
from clusterwise.measures.matching import matching_f_score as matching_f_score
from clusterwise.measures.matching import purity_score as purity_score
from clusterwise.measures.matching import van_dongen_distance as van_dongen_distance
from clusterwise.measures.pairs import adjusted_rand_score as adjusted_rand_score
from clusterwise.measures.pairs import fowlkes_mallows_score as fowlkes_mallows_score
from clusterwise.measures.pairs import mirkin_distance as mirkin_distance
from clusterwise.measures.pairs import pair_confusion_matrix as pair_confusion_matrix
from clusterwise.measures.pairs import pair_jaccard_score as pair_jaccard_score
from clusterwise.measures.pairs import rand_score as rand_score
from clusterwise.measures.pairs import wallace_score as wallace_score
from clusterwise.measures.plans import TransportPlan as TransportPlan
from clusterwise.measures.qualities import quality_score as quality_score
from clusterwise.measures.transport import css_distance as css_distance
from clusterwise.measures.transport import mallows_distance as mallows_distance
from clusterwise.measures.transport import transport_plan as transport_plan
from clusterwise.mixtures import CEM as CEM
from clusterwise.streams import ClusteringStream as ClusteringStream
from clusterwise.summaries.contingency import Contingency as Contingency
from clusterwise.summaries.ensemble import EnsembleTable as EnsembleTable
from clusterwise.summaries.overlap import SoftOverlap as SoftOverlap
from clusterwise.summaries.packed import PackedEnsemble as PackedEnsemble
from clusterwise.summaries.packed import pack_ensemble as pack_ensemble
from clusterwise.summaries.profile import DensityProfile as DensityProfile

__version__: str
