"""MinCEntropy: kernel clustering with a penalty on the given clusterings."""
