"""The doors into other tools: flake8, and libcst's codemod runner."""
