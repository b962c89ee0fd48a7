"""What the words for the adjusted Rand index mean when objects change clusters at random."""
