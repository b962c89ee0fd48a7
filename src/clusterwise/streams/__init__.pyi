from .stream import ClusteringStream as ClusteringStream
from .window_report import WindowReport as WindowReport
