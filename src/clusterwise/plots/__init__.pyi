from .agreement import AgreementDisplay as AgreementDisplay
from .cluster_bars import ClusterStabilityDisplay as ClusterStabilityDisplay
from .clustering_map import ClusteringMapDisplay as ClusteringMapDisplay
from .consensus import ConsensusDisplay as ConsensusDisplay
from .contingency import ContingencyDisplay as ContingencyDisplay
from .curves import (
    CoAssociationDisplay as CoAssociationDisplay,
    StabilityDisplay as StabilityDisplay,
)
from .dendrogram import DendrogramDisplay as DendrogramDisplay
from .flow import FlowDisplay as FlowDisplay
from .object_map import ObjectStabilityDisplay as ObjectStabilityDisplay
from .profiles import ProfileDisplay as ProfileDisplay
from .reference import ReferenceDisplay as ReferenceDisplay
from .scatter import ScatterPairDisplay as ScatterPairDisplay
from .similarity import SimilarityDisplay as SimilarityDisplay
from .stable_numbers import NumberAssessmentDisplay as NumberAssessmentDisplay
from .timeline import TimelineDisplay as TimelineDisplay
from .tradeoff import TradeoffDisplay as TradeoffDisplay
