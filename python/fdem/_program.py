"""The program inside the package, and how it is called."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Callable, Optional, Sequence, Union

from . import _errors


def program() -> Path:
    """Returns the path of the program: that of the environment's FDEM, else the one inside the
    package, else the one that the system finds. Raises FdemError if there is none."""
    named = os.environ.get("FDEM")
    if named:
        return Path(named)
    inside = Path(__file__).parent / "bin" / ("fdem.exe" if os.name == "nt" else "fdem")
    if inside.exists():
        return _executable(inside)
    found = shutil.which("fdem")
    if found is None:
        raise _errors.FdemError("there is no program fdem: install a wheel for this platform, or set FDEM to its path")
    return Path(found)


def _executable(path: Path) -> Path:
    """Makes a program executable that was unpacked without its mode, in place or as a copy."""
    if os.access(path, os.X_OK):
        return path
    try:
        path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        return path
    except OSError:
        copy = Path(tempfile.mkdtemp(prefix="fdem-")) / path.name
        shutil.copyfile(path, copy)
        copy.chmod(0o755)
        return copy


def version() -> str:
    """Returns the version of the program, such as "fdem 1.0.0 (go1.26.0, linux/amd64)"."""
    return call(["version"]).strip()


def call(args: Sequence[str], path: Optional[Path] = None, cwd: Optional[Path] = None) -> str:
    """Runs the program and returns its standard output. Raises the exception for its status."""
    done = subprocess.run([str(program()), *args], capture_output=True, text=True, encoding="utf-8", cwd=cwd,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise _errors.of(done.returncode, done.stderr, path)
    return done.stdout


Progress = Union[bool, None, Callable[[float, float], None]]


def watched(args: Sequence[str], out: Path, progress: Progress) -> str:
    """Runs a simulation with its results in out, shows its progress, and returns the summary as
    JSON. Ctrl-C, and the interrupt of a notebook, stop it after a checkpoint."""
    show = _display(progress)
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said, tempfile.TemporaryFile("w+", encoding="utf-8") as written:
        apart = {"start_new_session": True} if os.name == "posix" else {}
        run = subprocess.Popen([str(program()), *args, "--tied", "--patient"], stdin=subprocess.PIPE,
                               stdout=written, stderr=said, **apart)  # type: ignore[call-overload]
        try:
            _wait(run, out, show)
        except BaseException:
            assert run.stdin is not None
            run.stdin.close()  # which stops it with a checkpoint
            with contextlib.suppress(subprocess.TimeoutExpired):
                run.wait(60)
            raise
        finally:
            if show is not None:
                show(-1, -1)
            if run.stdin is not None and not run.stdin.closed:
                run.stdin.close()
        for file in (said, written):
            file.seek(0)
        text = said.read()
        for line in text.splitlines():
            if line.startswith("warning:"):
                print(line, file=sys.stderr)
        if run.returncode != 0:
            raise _errors.of(run.returncode, text, out)
        return written.read()


def _wait(run: "subprocess.Popen[bytes]", out: Path, show: Optional[Callable[[float, float], None]]) -> None:
    """Waits for a run and shows its progress."""
    shown, pause = -1.0, 0.02
    while True:
        try:
            run.wait(pause)
            return
        except subprocess.TimeoutExpired:
            pause = min(2 * pause, 0.3)
        if show is None:
            continue
        end, now = _duration(out), _time(out)
        if end > 0 and now > shown:
            shown = now
            show(now, end)


def _duration(out: Path) -> float:
    """Returns the time at which a run ends [s], 0 while it is not known."""
    try:
        text = (out / "log.txt").read_text(encoding="utf-8")
    except OSError:
        return 0
    found = re.findall(r"; ([0-9.e+-]+) s in ", text)
    return float(found[-1]) if found else 0


def _time(out: Path) -> float:
    """Returns the time of the last row of the history [s], -1 while there is none."""
    try:
        with open(out / "history.csv", "rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - 8192))
            lines = file.read().split(b"\n")
        return float(lines[-2].split(b",")[0])
    except (OSError, IndexError, ValueError):
        return -1


def _display(progress: Progress) -> Optional[Callable[[float, float], None]]:
    """Returns the function that shows time and end of a run, and that ends the display for
    negative ones. True is a bar on standard error, None a bar where a person sees it."""
    if progress is not None and not isinstance(progress, bool):
        told = progress
        return lambda now, end: None if end < 0 else told(now, end)
    notebook = "ipykernel" in sys.modules
    if progress is None:
        progress = notebook or sys.stderr.isatty()
    if not progress:
        return None
    began = time.monotonic()
    lock, drawn = threading.Lock(), [False]

    def bar(now: float, end: float) -> None:
        with lock:
            if end < 0:
                if drawn[0]:
                    print("\r" + 60 * " " + "\r", end="", file=sys.stderr, flush=True)
                return
            share = min(max(now / end, 0), 1)
            full = round(24 * share)
            left = (time.monotonic() - began) * (1 - share) / share if share > 0 else float("nan")
            print(f"\r[{'#' * full}{'.' * (24 - full)}] {100 * share:3.0f} %  {left:6.0f} s left", end="", file=sys.stderr, flush=True)
            drawn[0] = True

    return bar
