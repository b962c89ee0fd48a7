from .agreement import AgreementDisplay as AgreementDisplay
from .clustering_map import ClusteringMapDisplay as ClusteringMapDisplay
from .consensus import ConsensusDisplay as ConsensusDisplay
from .contingency import ContingencyDisplay as ContingencyDisplay
from .curves import (
    CoAssociationDisplay as CoAssociationDisplay,
    StabilityDisplay as StabilityDisplay,
)
from .dendrogram import DendrogramDisplay as DendrogramDisplay
from .flow import FlowDisplay as FlowDisplay
from .profiles import ProfileDisplay as ProfileDisplay
from .reference import ReferenceDisplay as ReferenceDisplay
from .scatter import ScatterPairDisplay as ScatterPairDisplay
from .similarity import SimilarityDisplay as SimilarityDisplay
from .timeline import TimelineDisplay as TimelineDisplay
from .tradeoff import TradeoffDisplay as TradeoffDisplay
