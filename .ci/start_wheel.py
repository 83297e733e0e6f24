"""Start an installed acp-tui with its demo agent on a pseudo-terminal, see it greet, leave it with Ctrl+Q."""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

GREETING = b"Demo agent"
DEADLINE = 60.0


def main(program: str) -> int:
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", ACP_TUI_STATE_DIR="state", ACP_TUI_CONFIG_DIR="config")
        os.execv(program, [program, "demo"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    shown, asked, end = b"", False, time.monotonic() + DEADLINE
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                data = os.read(terminal, 65536)
            except OSError:
                data = b""
            if not data:
                break
            shown += data
        if not asked and GREETING in shown and b"ready" in shown:
            asked = True
            os.write(terminal, b"\x11")
    else:
        os.kill(pid, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if not asked or status:
        print(
            f"{program} demo did not start and end well (greeted: {asked}, status {status})", file=sys.stderr
        )
        print(shown[-2000:].decode("utf-8", "replace"), file=sys.stderr)
        return 1
    print(f"{program} demo started, greeted and ended with status 0")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
