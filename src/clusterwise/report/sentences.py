"""Numbers in the sentences of reports."""

from clusterwise._utils.tables import format_number, format_score


def grouped(count: float) -> str:
    """Return a count with commas between thousands."""
    return f"{int(count):,}" if float(count).is_integer() else format_number(count)


def rounded(value: float) -> str:
    """Return a value with two decimals, and never -0.00."""
    return format_score(value)
