from .assess import assess as assess
from .assessment import Assessment as Assessment
from .number_assessment import NumberAssessment as NumberAssessment
