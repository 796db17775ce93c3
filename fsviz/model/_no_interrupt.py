"""Imported first by the fork server: control-C means nothing to its children.

They are a terminal's too, and it reaches them before they can say so themselves.
"""

import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)
