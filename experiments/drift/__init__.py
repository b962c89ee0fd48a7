"""Study: false alarms of the test for drift, and what it finds."""
