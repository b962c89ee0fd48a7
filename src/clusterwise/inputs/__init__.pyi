from .binning.binning import Binning as Binning
