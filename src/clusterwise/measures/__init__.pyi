from .catalogue import list_measures as list_measures
from .chance.adjusted import adjusted as adjusted
from .density import (
    adco_distance as adco_distance,
    adco_score as adco_score,
    profile_cosine_score as profile_cosine_score,
)
from .dq import (
    dq_parts as dq_parts,
    dq_score as dq_score,
)
from .information import (
    adjusted_mutual_info_score as adjusted_mutual_info_score,
    completeness_score as completeness_score,
    homogeneity_score as homogeneity_score,
    mutual_info_score as mutual_info_score,
    normalized_mutual_info_score as normalized_mutual_info_score,
    v_measure_score as v_measure_score,
    variation_of_information as variation_of_information,
)
from .internal import (
    dunn_score as dunn_score,
    entropy_quality_score as entropy_quality_score,
)
from .matching import (
    cluster_accuracy_score as cluster_accuracy_score,
    clustering_error as clustering_error,
    irm_score as irm_score,
    matching_f_score as matching_f_score,
    purity_score as purity_score,
    van_dongen_distance as van_dongen_distance,
)
from .pairs import (
    adjusted_rand_score as adjusted_rand_score,
    fowlkes_mallows_score as fowlkes_mallows_score,
    mirkin_distance as mirkin_distance,
    pair_confusion_matrix as pair_confusion_matrix,
    pair_jaccard_score as pair_jaccard_score,
    rand_score as rand_score,
    wallace_score as wallace_score,
)
from .quality import quality_score as quality_score
from .separating_features import separating_features as separating_features
from .transport import (
    css_distance as css_distance,
    mallows_distance as mallows_distance,
    transport_plan as transport_plan,
)
from .transport_plans import TransportPlan as TransportPlan
