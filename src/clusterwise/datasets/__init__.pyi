from .loading import load_dataset as load_dataset
from .planted import (
    Planted as Planted,
    make_alternatives as make_alternatives,
    make_coala_set as make_coala_set,
)
from .planted_categorical import (
    make_categorical_alternatives as make_categorical_alternatives,
    make_mixed_alternatives as make_mixed_alternatives,
)
from .toy import (
    Dataset as Dataset,
    make_ds1 as make_ds1,
    make_ds2 as make_ds2,
    relabel as relabel,
)
