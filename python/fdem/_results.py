"""Results: summary, history, events, frames, pictures."""

from __future__ import annotations

import base64
import csv
import html
import json
import re
import struct
import subprocess
import tempfile
import zlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple, Union, overload

from ._errors import FdemError
from ._program import call, program

if TYPE_CHECKING:
    import numpy
    import pandas


class Results:
    """A results folder.

    `path` is the folder. `summary` is summary.json. `history` is history.csv as a table of
    pandas, and `columns` the same as lists without pandas. `events` are the events of cracks,
    `frames` the bodies in time; other frames are frames_of("contact"), "cracks", "particles".
    """

    def __init__(self, path: Union[str, Path]) -> None:
        """Opens a results folder. Raises FdemError if it is none."""
        self.path = Path(path)
        if not (self.path / "summary.json").exists() and not (self.path / "history.csv").exists():
            raise FdemError(f"{self.path} is no results folder: it has neither summary.json nor history.csv")

    def __repr__(self) -> str:
        return f"<fdem.Results {self.path}: {self.summary.get('title', '')}, {self.summary.get('status', 'unfinished')}>"

    @cached_property
    def summary(self) -> Dict[str, Any]:
        """The end of the run, as in summary.json; empty while it runs."""
        try:
            found: Dict[str, Any] = json.loads((self.path / "summary.json").read_text(encoding="utf-8"))
            return found
        except FileNotFoundError:
            return {}

    @property
    def results(self) -> Dict[str, Any]:
        """The numbers of [[result]] blocks by name."""
        return dict(self.summary.get("results", {}))

    @cached_property
    def columns(self) -> Dict[str, List[float]]:
        """The history by the names of its columns, in SI."""
        with open(self.path / "history.csv", newline="", encoding="utf-8") as file:
            rows = csv.reader(file)
            names = [plain(cell) for cell in next(rows)]
            data = [[float(v) if v else float("nan") for v in row] for row in rows if len(row) == len(names)]
        return {name: [row[i] for row in data] for i, name in enumerate(names)}

    @cached_property
    def history(self) -> "pandas.DataFrame":
        """The history as a table of pandas, with the time [s] as index; needs pandas."""
        import pandas

        return pandas.read_csv(self.path / "history.csv", index_col="time").rename(columns=plain)

    @cached_property
    def events(self) -> List[Dict[str, Any]]:
        """The events of the run, as in events.csv: a dictionary each; none without cracks."""
        return read_csv(self.path / "events.csv")

    @cached_property
    def fragments(self) -> List[Dict[str, Any]]:
        """The fragments at the end, as in fragments.csv."""
        return read_csv(self.path / "fragments.csv")

    @property
    def frames(self) -> "Frames":
        """The bodies in time."""
        return self.frames_of("fields")

    def frames_of(self, kind: str) -> "Frames":
        """The frames of a kind: "fields", "contact", "cracks", "particles", "springs", ..."""
        return Frames(self.path, kind)

    def report(self, out: Union[str, Path]) -> Path:
        """Writes the run as one page that any browser shows, and returns its path."""
        call(["report", str(self.path), "-o", str(out)])
        return Path(out)

    def view(self) -> "subprocess.Popen[bytes]":
        """Opens the run in the browser. The page goes with the process that is returned."""
        return subprocess.Popen([str(program()), "view", str(self.path), "--open"])

    def picture(self, at: Union[str, float, None] = None, field: str = "von_mises", magnify: float = 1) -> bytes:
        """Returns a picture (PNG) of the bodies at a time, by default the one of greatest force."""
        with tempfile.TemporaryDirectory(prefix="fdem-") as folder:
            args = ["plot", str(self.path), "-o", folder, "--field", field, "--magnify", repr(magnify)]
            if at is not None:
                args += ["--at", at if isinstance(at, str) else f"{at!r} s"]
            call(args)
            return (Path(folder) / "mesh.png").read_bytes()

    def show(self, height: int = 700) -> Any:
        """Shows the page of the run in a notebook; needs IPython."""
        from IPython.display import HTML

        with tempfile.TemporaryDirectory(prefix="fdem-") as folder:
            page = self.report(Path(folder) / "report.html").read_text(encoding="utf-8")
        return HTML(f'<iframe style="width:100%;height:{height}px;border:0" srcdoc="{html.escape(page)}"></iframe>')

    def _repr_html_(self) -> str:
        """What a notebook shows: the main numbers and a picture."""
        s = self.summary
        rows = [("status", s.get("status", "unfinished")), ("time", f"{s.get('time', 0):.6g} s in {s.get('steps', 0)} steps"),
                ("size", f"{s.get('elements', 0)} triangles, {s.get('nodes', 0)} nodes"), ("results", str(self.path))]
        rows += [(name, f"{r:.6g}" if isinstance(r, float) else str(r)) for name, r in self.results.items()]
        table = "".join(f"<tr><th>{html.escape(str(a))}</th><td>{html.escape(str(b))}</td></tr>" for a, b in rows)
        try:
            image = base64.b64encode(self.picture()).decode()
            picture = f'<img alt="the bodies" style="max-width:100%" src="data:image/png;base64,{image}">'
        except (FdemError, OSError):
            picture = ""  # of a model without meshed bodies
        return f"<b>{html.escape(s.get('title', ''))}</b><table>{table}</table>{picture}"


def read_csv(path: Path) -> List[Dict[str, Any]]:
    """Reads a table with a header: numbers where they are some."""
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return [{key: number(value) for key, value in row.items()} for row in csv.DictReader(file)]


def number(text: Optional[str]) -> Any:
    """Returns a text as a number if it is one."""
    if not text:
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return plain(text)


def plain(cell: str) -> str:
    """Returns a name without the apostrophe that keeps a spreadsheet from running it."""
    return cell[1:] if re.match(r"'+[=+\-@\t\r]", cell) else cell


class Frames(Sequence):  # type: ignore[type-arg]
    """The frames of a run, which are read when they are asked for: frames[-1], len(frames)."""

    def __init__(self, folder: Path, kind: str) -> None:
        """Reads which frames a run has. Raises FdemError if it has none of this kind."""
        self.kind = kind
        collection = folder / f"{kind}.pvd"
        if not collection.exists():
            kinds = sorted(p.stem for p in folder.glob("*.pvd"))
            raise FdemError(f"{folder} has no frames of {kind!r}: it has {', '.join(kinds) or 'none'}")
        found = re.findall(r'<DataSet\s[^>]*?timestep="([^"]*)"[^>]*?file="([^"]*)"', collection.read_text(encoding="utf-8"))
        self.times = [float(time) for time, _ in found]
        self._files = [folder / file for _, file in found]

    def __len__(self) -> int:
        return len(self._files)

    @overload
    def __getitem__(self, index: int) -> "Frame": ...
    @overload
    def __getitem__(self, index: slice) -> List["Frame"]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union["Frame", List["Frame"]]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return Frame(self._files[index], self.times[index])

    def __iter__(self) -> Iterator["Frame"]:
        return (self[i] for i in range(len(self)))

    def at(self, time: float) -> "Frame":
        """Returns the frame nearest to a time [s]."""
        return self[min(range(len(self)), key=lambda i: abs(self.times[i] - time))]


class Frame:
    """One frame, as arrays of numpy: `time` [s], `points` (n, 3) where they were at the start,
    `cells` as pairs of kind and nodes, `point_data` and `cell_data` by name, in SI. A name in
    brackets is either of them: frame["displacement"]."""

    def __init__(self, path: Path, time: float) -> None:
        self.path, self.time = path, time

    @cached_property
    def _arrays(self) -> Dict[Tuple[str, str], "numpy.ndarray[Any, Any]"]:
        return read_vtk(self.path)

    def _part(self, section: str) -> Dict[str, "numpy.ndarray[Any, Any]"]:
        return {name: array for (of, name), array in self._arrays.items() if of == section}

    @property
    def points(self) -> "numpy.ndarray[Any, Any]":
        """Positions at the start (n, 3) [m]."""
        return self._arrays["Points", "Points"]

    @property
    def point_data(self) -> Dict[str, "numpy.ndarray[Any, Any]"]:
        """Arrays over the points by name."""
        return self._part("PointData")

    @property
    def cell_data(self) -> Dict[str, "numpy.ndarray[Any, Any]"]:
        """Arrays over the cells by name, in the order of `cells`."""
        return self._part("CellData")

    def __getitem__(self, name: str) -> "numpy.ndarray[Any, Any]":
        for part in (self.point_data, self.cell_data):
            if name in part:
                return part[name]
        names = sorted([*self.point_data, *self.cell_data])
        raise KeyError(f"{name!r}: the frame has {', '.join(names)}")

    @cached_property
    def cells(self) -> List[Tuple[str, "numpy.ndarray[Any, Any]"]]:
        """Pairs of kind ("triangle", "line", "vertex") and nodes (m, k), in the file's order."""
        import numpy

        out: List[Tuple[str, numpy.ndarray[Any, Any]]] = []
        for section in ("Cells", "Verts", "Lines", "Strips", "Polys"):
            if (section, "offsets") not in self._arrays:
                continue
            nodes, ends = self._arrays[section, "connectivity"], self._arrays[section, "offsets"]
            sizes = numpy.diff(ends, prepend=0)
            first = 0
            while first < len(sizes):
                same = numpy.flatnonzero(sizes[first:] != sizes[first])
                last = first + (int(same[0]) if len(same) else len(sizes) - first)
                size = int(sizes[first])
                begin = int(ends[first]) - size
                kind = {1: "vertex", 2: "line", 3: "triangle", 4: "quad"}.get(size, "polygon")
                out.append((kind, nodes[begin:int(ends[last - 1])].reshape(-1, size)))
                first = last
        return out

    @property
    def triangles(self) -> "numpy.ndarray[Any, Any]":
        """The triangles (m, 3)."""
        import numpy

        found = [nodes for kind, nodes in self.cells if kind == "triangle"]
        return numpy.concatenate(found) if found else numpy.empty((0, 3), dtype=int)

    @property
    def moved(self) -> "numpy.ndarray[Any, Any]":
        """Positions at the time of the frame (n, 3) [m]."""
        if "displacement" not in self.point_data:
            return self.points
        moved: "numpy.ndarray[Any, Any]" = self.points + self.point_data["displacement"]
        return moved

    def meshio(self) -> Any:
        """Returns the frame as a Mesh of meshio, which writes many formats; needs meshio."""
        import meshio

        ends: List[int] = []
        for _, nodes in self.cells:
            ends.append((ends[-1] if ends else 0) + len(nodes))
        split = {name: [array[end - len(nodes):end] for end, (_, nodes) in zip(ends, self.cells)]
                 for name, array in self.cell_data.items()}
        return meshio.Mesh(self.points, self.cells, point_data=self.point_data, cell_data=split)


_array = re.compile(rb"<DataArray ([^>]*?)/>|<(PointData|CellData|FieldData|Points|Cells|Verts|Lines|Strips|Polys)[ >]")


def read_vtk(path: Path) -> Dict[Tuple[str, str], "numpy.ndarray[Any, Any]"]:
    """Reads the arrays of a .vtu or .vtp file as fdem writes them, appended and raw, by section
    and name."""
    import numpy

    data = path.read_bytes()
    head, _, rest = data.partition(b"<AppendedData")
    at = len(head) + len(b"<AppendedData") + rest.index(b"_") + 1
    packed, out, section = b"compressor=" in head, {}, ""
    for found in _array.finditer(head):
        if found[2]:
            section = found[2].decode()
            continue
        of = dict(re.findall(r'(\w+)="([^"]*)"', found[1].decode()))
        raw = _unpacked(data, at + int(of["offset"]), packed)
        array = numpy.frombuffer(raw, dtype=numpy.dtype(of["type"].lower()).newbyteorder("<"))
        components = int(of.get("NumberOfComponents", "1"))
        out[section, of["Name"]] = array.reshape(-1, components) if components > 1 else array
    return out


def _unpacked(data: bytes, at: int, packed: bool) -> bytes:
    """Returns the bytes of an array that begins at an offset."""
    (first,) = struct.unpack_from("<Q", data, at)
    if not packed:
        return data[at + 8:at + 8 + first]
    sizes = struct.unpack_from(f"<{first}Q", data, at + 24)
    at += 24 + 8 * first
    out = []
    for size in sizes:
        out.append(zlib.decompress(data[at:at + size]))
        at += size
    return b"".join(out)
