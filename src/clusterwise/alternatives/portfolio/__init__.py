"""The portfolio of methods that ``method="auto"`` runs, and the choice among their results."""
