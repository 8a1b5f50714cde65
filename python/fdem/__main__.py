"""The command line of fdem: python -m fdem."""

import os
import subprocess
import sys

from ._program import program


def main() -> None:
    """Runs the program with the arguments of this process and ends with its status."""
    command = [str(program()), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(command[0], command)
    sys.exit(subprocess.call(command))


if __name__ == "__main__":
    main()
