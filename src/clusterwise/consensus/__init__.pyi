from .combine import combine as combine
from .combined import Combined as Combined
from .consensus_matrix import consensus_matrix as consensus_matrix
from .diagnostics import (
    clustering_agreement as clustering_agreement,
    object_agreement as object_agreement,
)
from .evidence import EvidenceAccumulation as EvidenceAccumulation
from .graph.cspa import CSPA as CSPA
from .graph.hbgf import HBGF as HBGF
from .graph.hgpa import HGPA as HGPA
from .graph.mcla import MCLA as MCLA
from .locally_weighted.lwea import LWEA as LWEA
from .locally_weighted.lwgp import LWGP as LWGP
from .make_ensemble import make_ensemble as make_ensemble
from .median.median import MedianPartition as MedianPartition
from .phi.objective import (
    consensus_objective as consensus_objective,
    inter_cluster_similarity as inter_cluster_similarity,
    intra_cluster_similarity as intra_cluster_similarity,
)
from .phi.phi import PhiConsensus as PhiConsensus
from .ranking import rank_clusterings as rank_clusterings
from .stability import (
    co_association_curve as co_association_curve,
    number_stability as number_stability,
)
from .voting import VotingConsensus as VotingConsensus
