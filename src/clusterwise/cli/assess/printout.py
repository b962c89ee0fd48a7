"""The printout of ``assess``."""

from clusterwise.cli.csv_writing import csv_text
from clusterwise.cli.options import OutputOptions
from clusterwise.cli.output import Printout, json_text, write, write_printout
from clusterwise.stability.assessment import Assessment
from clusterwise.stability.number_assessment import NumberAssessment


def print_assessment(result: Assessment | NumberAssessment, writing: OutputOptions) -> None:
    """Print the stability of the clusters, or of the numbers of clusters."""
    if writing.output_format == "csv":
        rows = result.rows()
        lines = [tuple(row.values()) for row in rows]
        text = csv_text(tuple(rows[0]), lines, excel_safe=writing.excel_safe)
        write(text, writing.output)
    elif writing.output_format == "json":
        write(json_text({**result.to_dict(), "summary": result.sentences()}), writing.output)
    else:
        printout = Printout(result.text_tables(), result.sentences())
        write_printout(printout, writing.output_format, writing.output)
