"""Files larger than memory, which DuckDB reads from disk."""
