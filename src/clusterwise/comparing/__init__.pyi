from .compare import compare as compare
from .compare_all import (
    ComparisonMatrix as ComparisonMatrix,
    compare_all as compare_all,
)
from .compare_profiles import (
    ProfileComparison as ProfileComparison,
    compare_profiles as compare_profiles,
)
from .comparison_result import Comparison as Comparison
from .recommend import recommend as recommend
