"""The exceptions: what was wrong, and where."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Optional


class FdemError(Exception):
    """The program has refused something or has failed. `message` is what it said first."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InputError(FdemError):
    """A model, a value or an argument is wrong; nothing was written.

    `file`, `line` and `column` (from 1) say where, and `source` is the line itself; they are
    None where the mistake is not in a file.
    """

    def __init__(self, message: str, file: Optional[Path] = None, line: Optional[int] = None,
                 column: Optional[int] = None, source: Optional[str] = None) -> None:
        super().__init__(message)
        self.file, self.line, self.column, self.source = file, line, column, source

    def __str__(self) -> str:
        if self.file is None:
            return self.message
        text = f"{self.file}:{self.line}:{self.column}: {self.message}"
        if self.source is not None:
            text += f"\n{self.source}\n{' ' * ((self.column or 1) - 1)}^"
        return text


class Failed(FdemError):
    """A run has failed: unstable, an element inverted, the disk full.

    `path` is its results folder, None where there is none.
    """

    def __init__(self, message: str, path: Optional[Path] = None) -> None:
        super().__init__(message)
        self.path = path


class Stopped(FdemError):
    """A run was stopped after a checkpoint, from which fdem.resume(path) goes on."""

    def __init__(self, message: str, path: Optional[Path] = None) -> None:
        super().__init__(message)
        self.path = path


_place = re.compile(r"^(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): (?P<message>.*)$", re.DOTALL)


def of(status: int, text: str, path: Optional[Path] = None) -> FdemError:
    """Returns the exception for an exit status and what the program wrote to standard error."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith("fdem: ")), None)
    message = lines[first][len("fdem: "):] if first is not None else text.strip() or f"exit status {status}"
    if status == 75:
        return Stopped(message, path)
    if status != 2:
        if first is None:
            message = next((line for line in lines if line.startswith("failed")), message)
        return Failed(message, path)
    found = _place.match(message)
    if not found:
        return InputError(message)
    source = lines[first + 1] if first is not None and first + 1 < len(lines) else None
    return InputError(found["message"], Path(found["file"]), int(found["line"]), int(found["column"]), source)
