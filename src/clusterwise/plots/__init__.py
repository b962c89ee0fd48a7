"""Pictures of clusterings, as displays in scikit-learn's manner (the extra ``plots``).

Names are loaded when they are first used, so that one picture does not bring in all of them.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "AgreementDisplay": "agreement",
    "ClusteringMapDisplay": "mapping",
    "CoAssociationDisplay": "curves",
    "ConsensusDisplay": "consensus",
    "ContingencyDisplay": "contingency",
    "DendrogramDisplay": "dendrogram",
    "FlowDisplay": "flow",
    "ProfileDisplay": "profiles",
    "ScatterPairDisplay": "scatter",
    "SimilarityDisplay": "similarity",
    "StabilityDisplay": "curves",
    "TimelineDisplay": "timeline",
    "TradeoffDisplay": "tradeoff",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
