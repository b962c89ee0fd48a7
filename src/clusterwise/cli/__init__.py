"""The command ``clusterwise``: one package per verb."""


def main() -> int:
    """Run the command with the arguments of the process, and return the exit status."""
    try:
        from clusterwise.cli.app import run
    except KeyboardInterrupt:  # while still loading
        return 130
    return run()
