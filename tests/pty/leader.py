"""Makes the terminal on stdin that of a new session, then becomes the program: `leader.py COMMAND...`.

What a terminal emulator does between `fork` and `exec`; in a process of its own it needs neither.
"""

import fcntl
import os
import sys
import termios

fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
