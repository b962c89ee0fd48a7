"""COALA and COALACat: agglomeration under cannot-link constraints."""
