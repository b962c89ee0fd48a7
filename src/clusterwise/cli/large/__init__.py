"""Files larger than memory: Parquet, which DuckDB counts on disk."""
