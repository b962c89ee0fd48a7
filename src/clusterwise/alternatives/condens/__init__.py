"""CondEns: ensembles of clusterings made inside each given cluster."""
