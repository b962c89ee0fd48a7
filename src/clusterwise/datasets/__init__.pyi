from .loading import load_dataset as load_dataset
from .planted import (
    Planted as Planted,
)
from .planted import (
    make_alternatives as make_alternatives,
)
from .planted import (
    make_coala_set as make_coala_set,
)
from .planted_categorical import (
    make_categorical_alternatives as make_categorical_alternatives,
)
from .planted_categorical import (
    make_mixed_alternatives as make_mixed_alternatives,
)
from .toy import (
    Dataset as Dataset,
)
from .toy import (
    Kind as Kind,
)
from .toy import (
    Seed as Seed,
)
from .toy import (
    make_ds1 as make_ds1,
)
from .toy import (
    make_ds2 as make_ds2,
)
from .toy import (
    relabel as relabel,
)
