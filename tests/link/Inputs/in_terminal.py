"""Runs a command with a terminal as its standard error, and prints what it wrote there: in_terminal.py COMMAND [ARGUMENT ...]"""

import os
import pty
import subprocess
import sys

ours, theirs = pty.openpty()
process = subprocess.Popen(sys.argv[1:], stderr=theirs, env={**os.environ, "TERM": "xterm"})
os.close(theirs)
written = b""
while True:
    try:
        read = os.read(ours, 4096)
    except OSError:  # Linux has no other end of a terminal's text
        break
    if not read:
        break
    written += read
print(written.decode(errors="replace").replace("\r", "\n"))
sys.exit(process.wait())
