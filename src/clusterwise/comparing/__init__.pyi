from .compare import compare as compare
from .compare_all import (
    ComparisonMatrix as ComparisonMatrix,
    compare_all as compare_all,
)
from .compare_profiles import (
    ProfileComparison as ProfileComparison,
    compare_profiles as compare_profiles,
)
from .compare_to import compare_to as compare_to
from .comparison_result import Comparison as Comparison
from .recommend import recommend as recommend
from .reference_result import ReferenceComparison as ReferenceComparison
