"""The command line: ``python -m separa`` and the command ``separa`` are the same program as the one built from Rust."""

from __future__ import annotations

import signal
import sys

from ._separa import command_line


def main() -> int:
    """Runs the command that was typed; returns its exit code."""
    # Ctrl-C is the program's own: the best so far is written.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command_line(["separa", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
