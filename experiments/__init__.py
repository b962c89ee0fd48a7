"""The papers' experiments: each module runs ours and prints it beside the published values."""
