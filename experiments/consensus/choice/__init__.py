"""Study: what `combine("auto")` returns, on generated data that tune it and on others."""
