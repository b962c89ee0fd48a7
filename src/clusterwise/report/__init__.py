"""Reports: a result as one file of HTML, to read, print and send (the extra ``report``)."""

from clusterwise.report.writing import write_report

__all__ = ["write_report"]
