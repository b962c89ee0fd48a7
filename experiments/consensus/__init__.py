"""Study: all consensus methods, on planted blobs and on the papers' data sets."""
