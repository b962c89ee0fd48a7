from .binning.binning import Binning as Binning
from .columns.describe import describe_columns as describe_columns
