from .catalogue import list_measures as list_measures
from .density import (
    adco_distance as adco_distance,
)
from .density import (
    adco_score as adco_score,
)
from .density import (
    profile_cosine_score as profile_cosine_score,
)
from .dq import (
    dq_parts as dq_parts,
)
from .dq import (
    dq_score as dq_score,
)
from .information import (
    completeness_score as completeness_score,
)
from .information import (
    homogeneity_score as homogeneity_score,
)
from .information import (
    mutual_info_score as mutual_info_score,
)
from .information import (
    v_measure_score as v_measure_score,
)
from .information import (
    variation_of_information as variation_of_information,
)
from .internal import (
    dunn_score as dunn_score,
)
from .internal import (
    entropy_quality_score as entropy_quality_score,
)
from .matching import (
    cluster_accuracy_score as cluster_accuracy_score,
)
from .matching import (
    clustering_error as clustering_error,
)
from .matching import (
    irm_score as irm_score,
)
from .matching import (
    matching_f_score as matching_f_score,
)
from .matching import (
    purity_score as purity_score,
)
from .matching import (
    van_dongen_distance as van_dongen_distance,
)
from .pairs import (
    adjusted_rand_score as adjusted_rand_score,
)
from .pairs import (
    fowlkes_mallows_score as fowlkes_mallows_score,
)
from .pairs import (
    mirkin_distance as mirkin_distance,
)
from .pairs import (
    pair_confusion_matrix as pair_confusion_matrix,
)
from .pairs import (
    pair_jaccard_score as pair_jaccard_score,
)
from .pairs import (
    rand_score as rand_score,
)
from .pairs import (
    wallace_score as wallace_score,
)
from .quality import quality_score as quality_score
from .separating_features import separating_attributes as separating_attributes
from .transport import (
    css_distance as css_distance,
)
from .transport import (
    mallows_distance as mallows_distance,
)
from .transport import (
    transport_plan as transport_plan,
)
from .transport_plan import TransportPlan as TransportPlan
