"""Text to what one module says: the libcst visitor and its typed records."""
