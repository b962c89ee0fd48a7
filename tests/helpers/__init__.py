"""What several tests share: strategies, files, processes and clusters."""
