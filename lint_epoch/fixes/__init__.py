"""Mends: a rule's repair becomes edits of the text, which are checked and then written.

``plan`` turns the repairs of one file into edits, ``spans`` splices them in, ``verify`` holds the result against
the original, ``writer`` puts it on the disk. No module but these builds new syntax.
"""
