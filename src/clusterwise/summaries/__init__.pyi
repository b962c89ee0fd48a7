from .contingency.contingency import Contingency as Contingency
from .ensemble.ensemble import EnsembleTable as EnsembleTable
from .ensemble.packed import (
    PackedEnsemble as PackedEnsemble,
    pack_ensemble as pack_ensemble,
)
from .overlap.overlap import SoftOverlap as SoftOverlap
from .profile.profile import DensityProfile as DensityProfile
