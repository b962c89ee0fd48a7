"""How scaling features before the search changes which hidden clusterings are found."""
