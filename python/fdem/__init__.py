"""fdem: collisions, contact and fracture of bodies in the plane, from Python.

    import fdem
    results = fdem.run("model.toml", young="30 GPa")
    results.summary["bodies"][0]["velocity"]
    results.history["time"]

The program stands inside the package. Only the standard library is needed; pandas, numpy and
meshio are imported where they are asked for.
"""

from ._deck import Deck, Value, check, mesh, resume, run
from ._errors import Failed, FdemError, InputError, Stopped
from ._program import program, version
from ._results import Frame, Frames, Results
from ._sweep import Sweep, sweep

__all__ = [
    "Deck", "Failed", "FdemError", "Frame", "Frames", "InputError", "Results", "Stopped", "Sweep", "Value",
    "check", "mesh", "program", "resume", "run", "sweep", "version",
]
__version__ = "@VERSION@"
