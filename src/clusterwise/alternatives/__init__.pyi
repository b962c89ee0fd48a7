from .cib.cib import CIB as CIB
from .cluster_again import cluster_again as cluster_again
from .coala.coala import COALA as COALA
from .coala.coalacat import COALACat as COALACat
from .condens.condens import CondEns as CondEns
from .found_clustering import FoundClustering as FoundClustering
from .maximus.maximus import MAXIMUS as MAXIMUS
from .metaclusterer import MetaClusterer as MetaClusterer
from .mincentropy.mincentropy import MinCEntropy as MinCEntropy
from .naive import NaiveAlternative as NaiveAlternative
from .orthogonal import OrthogonalAlternative as OrthogonalAlternative
from .results import FoundClusterings as FoundClusterings
from .tradeoff import (
    TradeoffCurve as TradeoffCurve,
    tradeoff_curve as tradeoff_curve,
)
