"""The command ``clusterwise``: one file per verb."""


def main() -> int:
    """Run the command with the arguments of the process; the exit status."""
    from clusterwise.cli.app import run

    return run()


__all__ = ["main"]
