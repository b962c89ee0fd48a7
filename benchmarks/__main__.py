"""The command: run sections, print tables and optionally write them to files."""

import sys
from argparse import ArgumentParser, Namespace
from importlib import import_module
from pathlib import Path

from benchmarks.measuring import CALLS_A_TURN, SLOW_CALL, TURN_SECONDS
from benchmarks.report import Printer, Report, machine

SECTIONS = (
    "adjusted_rand",
    "adjusted_mutual_info",
    "accuracy",
    "everything",
    "density_profile",
    "frames",
    "duckdb_files",
    "again_frames",
    "clusters",
    "estimates",
    "transport",
    "alternatives",
    "again",
    "maximus",
    "family",
    "significance",
    "ensembles",
    "consensus",
    "stability",
    "memory",
    "startup",
)
INTERRUPTED = 130


def main() -> int:
    options = _options()
    report, printer = Report(quick=options.quick), Printer()
    printer.line("# clusterwise and its peers\n")
    printer.line(machine() + ".")
    printer.line(
        f"Best of up to {report.pace.rounds} rounds in one process, after a warm-up; a round is up "
        f"to {CALLS_A_TURN} consecutive calls within {TURN_SECONDS} s. A function stops once its "
        f"best times add up to {report.pace.seconds} s, after at least three rounds or a call of "
        f"more than {SLOW_CALL} s. Ours uses the stated number of threads; peers run with their "
        f"defaults."
    )
    status = 0
    try:
        for name in options.only or SECTIONS:
            section = import_module(f"benchmarks.{name}")
            with report.progress(name):
                section.run(report)
            _print_new(report, printer)
    except KeyboardInterrupt:
        printer.line("\nInterrupted; the results so far:")
        status = INTERRUPTED
    finally:
        _finish(report, printer, options)
    return status


def _print_new(report: Report, printer: Printer) -> None:
    for table in report.tables[printer.printed :]:
        printer.table(table)


def _finish(report: Report, printer: Printer, options: Namespace) -> None:
    """Print the remaining tables and write the files."""
    _print_new(report, printer)
    if report.targets:
        printer.table(report.targets_table())
    if options.markdown:
        printer.write_markdown(options.markdown)
    if options.json:
        report.write_json(options.json)


def _options() -> Namespace:
    parser = ArgumentParser("python -m benchmarks", description=__doc__)
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="up to 10^6 objects, under a minute")
    size.add_argument("--full", action="store_true", help="everything (the default)")
    parser.add_argument(
        "--only", action="append", choices=SECTIONS, help="this section (may be repeated)"
    )
    parser.add_argument(
        "--markdown", type=Path, metavar="FILE", help="also write the output to this file"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the values to this file")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
