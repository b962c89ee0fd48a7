"""Small tools that every layer uses; nothing here knows what a clustering is."""
