"""The parts that displays are drawn from: orders, places, texts, bands, strips."""
