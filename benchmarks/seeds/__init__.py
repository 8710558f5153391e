"""How often two networks that differ by their seeds only are claimed to differ."""
