"""MedianPartition: the partition nearest to all clusterings of an ensemble."""
