from .compare import (
    Comparison as Comparison,
)
from .compare import (
    compare as compare,
)
from .compare_all import (
    ComparisonMatrix as ComparisonMatrix,
)
from .compare_all import (
    compare_all as compare_all,
)
from .compare_profiles import (
    ProfileComparison as ProfileComparison,
)
from .compare_profiles import (
    compare_profiles as compare_profiles,
)
