"""Studies: one model with many values."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._deck import deck_of, path_of, toml
from ._errors import InputError
from ._program import call
from ._results import Results, read_csv

if TYPE_CHECKING:
    import pandas

Collect = Union[str, Tuple[str, str]]


def sweep(model: Union[str, Path], values: Optional[Mapping[str, Sequence[Any]]] = None, *,
          collect: Optional[Mapping[str, Collect]] = None, out: Union[str, Path, None] = None,
          samples: int = 0, seed: int = 1, until: Optional[str] = None, jobs: int = 0,
          retry: bool = False) -> "Sweep":
    """Runs a model with every combination of values, a case on each core, and collects results.

    model is a deck, or a study file (.study.toml), which has all the rest. values are lists by
    name or path of a key, as in run: {"young": ["10 GPa", "30 GPa"]}. With samples, a pair of
    numbers (from, to) is a range of which a Latin hypercube takes so many values.

    collect are values of the summary, {"speed": "bodies.striker.velocity.x"}, or of a column of
    the history, {"force": ("target-striker.normal", "max")}; the [[result]] blocks of the deck
    come by themselves.

    A study that is started again goes on where it stopped; retry also runs cases that failed.
    Raises InputError and Failed as run does; a case that fails is a row with its error.
    """
    model = Path(model)
    if values is None:
        study = model
    else:
        text, deck = deck_of(model)
        study = Path(out).with_suffix(".study.toml") if out is not None else deck.with_suffix(".study.toml")
        study.parent.mkdir(parents=True, exist_ok=True)
        study.write_text(study_text(text, deck, study, values, collect or {}, samples, seed, until), encoding="utf-8")
    folder = Path(out) if out is not None else Path(re.sub(r"(\.study)?\.toml$", "", str(study)) + ".sweep")
    args = ["sweep", str(study), "-o", str(folder), "--quiet", "--jobs", str(jobs)]
    if retry:
        args.append("--retry")
    call(args, folder)
    return Sweep(folder)


def study_text(text: str, deck: Path, study: Path, values: Mapping[str, Sequence[Any]], collect: Mapping[str, Collect],
               samples: int, seed: int, until: Optional[str]) -> str:
    """Returns the text of a study file."""
    top: Dict[str, Any] = {"deck": str(deck.absolute())}
    if until is not None:
        top["until"] = until
    if samples:
        top["sampling"] = {"latin_hypercube": samples, "seed": seed}
    parameters: List[Dict[str, Any]] = []
    for key, of in values.items():
        path = key if "." in key else path_of(text, deck, key)
        name = re.sub(r"\W+", "_", key if "__" not in key and "." not in key else path.split(".")[-1])
        if name in [p["name"] for p in parameters]:
            name = re.sub(r"\W+", "_", path)
        block: Dict[str, Any] = {"name": name, "set": [path]}
        if samples and isinstance(of, tuple) and len(of) == 2:
            block.update({"from": of[0], "to": of[1]})
        else:
            block["values"] = list(of)
        if not of:
            raise InputError(f"{key!r} has no values")
        parameters.append(block)
    top["parameter"] = parameters
    top["collect"] = [{"name": name, **({"summary": of} if isinstance(of, str) else {"history": of[0], "take": of[1]})}
                      for name, of in collect.items()]
    return toml({k: v for k, v in top.items() if v != []})


class Sweep:
    """The folder of a study: `rows` of its results, a dictionary for each case, `table` the same
    as a table of pandas, `cases` the results of each case that has some."""

    def __init__(self, path: Union[str, Path]) -> None:
        """Opens the folder of a study."""
        self.path = Path(path)

    def __repr__(self) -> str:
        return f"<fdem.Sweep {self.path}: {len(self.rows)} cases>"

    @cached_property
    def rows(self) -> List[Dict[str, Any]]:
        """The cases with their parameters, status and quantities."""
        return read_csv(self.path / "results.csv")

    @cached_property
    def table(self) -> "pandas.DataFrame":
        """The same as a table of pandas; needs pandas."""
        import pandas

        return pandas.read_csv(self.path / "results.csv")

    @property
    def cases(self) -> List[Results]:
        """The results of the cases, in their order."""
        return [Results(p.parent) for p in sorted(self.path.glob("cases/*/*/summary.json")) + sorted(self.path.glob("cases/*/summary.json"))]

    def _repr_html_(self) -> str:
        if not self.rows:
            return repr(self)
        head = "".join(f"<th>{name}</th>" for name in self.rows[0])
        body = "".join("<tr>" + "".join(f"<td>{'' if v is None else v}</td>" for v in row.values()) + "</tr>" for row in self.rows)
        return f"<table><tr>{head}</tr>{body}</table>"
