"""MedianPartition: the partition with the smallest total distance to an ensemble."""
