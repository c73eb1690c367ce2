"""What the exit status of ``lint-epoch`` means.

With ``--exit-zero`` it is ``CLEAN`` in place of ``FOUND``, and in place of ``FAILED`` where nothing is wrong but that
files could not be read or parsed.
"""

from __future__ import annotations

#: Nothing was found; for ``fix``: and nothing had to be changed.
CLEAN = 0
#: There are findings; for ``fix`` and with ``--diff``: or something was, or would be, changed.
FOUND = 1
#: The tool could not do its work: a wrong option or configuration, a path that is not there, a file that cannot be
#: read, parsed or written, a fault in lint-epoch itself. What was found all the same is shown.
FAILED = 2
#: The user interrupted it; what a shell shows for a process that SIGINT ended.
INTERRUPTED = 130
#: Whoever read the output went away, as ``head`` does; what a shell shows for a process that SIGPIPE ended.
BROKEN_PIPE = 141
