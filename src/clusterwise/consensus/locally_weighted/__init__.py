"""LWEA and LWGP: consensus with clusters weighted by their confidence."""
