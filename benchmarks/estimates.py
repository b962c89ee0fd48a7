"""Estimates for very many objects, from the rates measured in this run."""

from benchmarks.report import Report, decimal

OBJECTS = (10**9, 10**11)
MACHINES = (1, 10, 100)


def run(report: Report) -> None:
    columns = {"engine and summary": str, "ns per object": decimal}
    cases = [(n, machines) for n in OBJECTS for machines in MACHINES]
    columns |= {f"{_short(n)} on {machines}": str for n, machines in cases}
    table = report.table(
        "Estimates for 10^9 and 10^11 objects on machines like this one",
        columns,
        [
            "Not measured but extrapolated: the seconds per object above, times the number of "
            "objects, divided by the number of machines. Only summaries are transferred, so "
            "machines share nothing but files; reading them from a network instead of a local disk "
            "is not included.",
            "Profiles have the numbers of features stated above.",
        ],
    )
    for what, rate in report.rates.items():
        times = [_time(rate * n / machines) for n, machines in cases]
        table.add(what, 1e9 * rate, *times)


def _short(n: int) -> str:
    return f"10^{len(str(n)) - 1}"


def _time(seconds: float) -> str:
    """Return a time in a readable unit."""
    for name, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {name}"
    return f"{seconds:.0f} s"
