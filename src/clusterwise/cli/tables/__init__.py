"""Files as tables in memory: CSV, TSV, JSON Lines and Parquet."""
