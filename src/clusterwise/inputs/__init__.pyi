from .binning.binning import Binning as Binning
from .columns.describe import (
    ColumnDescriptions as ColumnDescriptions,
    describe_columns as describe_columns,
)
