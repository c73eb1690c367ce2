"""The abstract interpreter: it runs a project's code on abstract values and writes down what happens to loaders."""
