"""Study: how often clusters of noise are called stable, and planted clusters are recovered."""
