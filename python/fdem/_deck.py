"""Models: decks as files or dictionaries, values to change, and what runs them."""

from __future__ import annotations

import json
import re
import tempfile
import tomllib
from pathlib import Path
from typing import Any, List, Mapping, Optional, Sequence, Tuple, Union

from ._errors import InputError
from ._program import Progress, call, watched
from ._results import Results

Value = Union[str, int, float, bool, Sequence[Any], Mapping[str, Any]]
Deck = Union[str, Path, Mapping[str, Any]]


def run(model: Deck, out: Union[str, Path, None] = None, *, until: Union[str, float, None] = None,
        threads: int = 0, set: Optional[Mapping[str, Value]] = None, progress: Progress = None,
        large: bool = False, **values: Value) -> Results:
    """Runs a model and returns its results.

    model is a deck, a mesh with its deck beside it, the folder of a model, or a dictionary as
    deck: {"analysis": {...}, "material": [{...}], ...}. Its "mesh" may be the path of a mesh, or
    a dictionary of shapes, of which the mesh is made.

    out is the results folder; results of before in it are replaced. The default is the program's
    for files, NAME.out, and a new temporary folder for dictionaries. until ends the run earlier
    or later than the deck: "50 us" or a time in seconds.

    Values of the deck change by name, run("rock.toml", young="30 GPa"), where one block has the
    key; by path with set={"material.steel.young": "200 GPa"} or material__steel__young="200 GPa".
    Numbers are in SI, texts have a unit.

    progress is a bar where a person sees it (None), never (False), on standard error (True), or
    a function of the time and the end of the run [s].

    Raises InputError for a wrong model, with its place, Failed for a run that fails, and Stopped
    for one that was stopped after a checkpoint. An interrupt stops the run with a checkpoint.
    """
    deck, folder = written(model)
    text, name = deck_of(deck)
    args = ["run", str(deck), "--json", "--force"]
    target = Path(out) if out is not None else folder / "model.out" if folder else results_of(deck)
    args += ["-o", str(target), *assignments(text, name, set, values)]
    if until is not None:
        args += ["--until", until if isinstance(until, str) else f"{until!r} s"]
    if threads:
        args += ["--threads", str(threads)]
    if large:
        args.append("--large")
    watched(args, target, progress)
    return Results(target)


def resume(results: Union[str, Path, Results], *, until: Union[str, float, None] = None,
           set: Optional[Mapping[str, Value]] = None, progress: Progress = None, **values: Value) -> Results:
    """Goes on with a run from its newest checkpoint, to the same bits, and returns its results.

    until and values are as in run; only some keys may change during a run.
    """
    path = results.path if isinstance(results, Results) else Path(results)
    copy = path / "deck.toml"
    text = copy.read_text(encoding="utf-8") if copy.exists() else ""
    args = ["resume", str(path), "--json", *assignments(text, copy, set, values)]
    if until is not None:
        args += ["--until", until if isinstance(until, str) else f"{until!r} s"]
    watched(args, path, progress)
    return Results(path)


def check(model: Deck) -> Mapping[str, Any]:
    """Reads a model without running it and returns what it holds: bodies, contacts, quality of
    the mesh, time step, estimates of time and memory, warnings. Raises InputError."""
    deck, _ = written(model)
    found: Mapping[str, Any] = json.loads(call(["check", str(deck), "--json"]))
    return found


def mesh(shapes: Union[str, Path, Mapping[str, Any]], out: Union[str, Path]) -> Path:
    """Makes a mesh of shapes, a file or a dictionary, and returns its path, out."""
    out = Path(out)
    source = shapes
    if isinstance(shapes, Mapping):
        source = out.with_suffix(".shapes.toml")
        source.write_text(toml(shapes), encoding="utf-8")
    call(["mesh", str(source), "-o", str(out), "--force"])
    return out


def written(model: Deck) -> Tuple[Path, Optional[Path]]:
    """Returns the path of a model, and for a dictionary the new folder where it is."""
    if not isinstance(model, Mapping):
        return Path(model), None
    folder = Path(tempfile.mkdtemp(prefix="fdem-"))
    deck = dict(model)
    if isinstance(deck.get("mesh"), Mapping):
        mesh(deck["mesh"], folder / "model.msh")
        deck["mesh"] = "model.msh"
    elif isinstance(deck.get("mesh"), (str, Path)):
        deck["mesh"] = str(Path(deck["mesh"]).absolute())
    path = folder / "model.toml"
    path.write_text(toml(deck), encoding="utf-8")
    return path, folder


def deck_of(model: Path) -> Tuple[str, Path]:
    """Returns the text and the path of a model's deck; no text where there is none yet."""
    path = model
    if path.is_dir():
        own = [p for p in sorted(path.glob("*.toml")) if not re.search(r"\.(shapes|study)\.toml$", p.name)]
        named = path / (path.resolve().name + ".toml")
        path = named if named in own else own[0] if len(own) == 1 else named
    elif path.suffix != ".toml":
        path = path.with_suffix(".toml")
    try:
        return path.read_text(encoding="utf-8"), path
    except OSError:
        return "", path


def results_of(model: Path) -> Path:
    """Returns the results folder that the program takes for a model."""
    _, deck = deck_of(model)
    return deck.with_suffix(".out") if model.is_dir() or model.suffix == ".toml" else model.with_suffix(".out")


def assignments(text: str, deck: Path, by_path: Optional[Mapping[str, Value]], by_name: Mapping[str, Value]) -> List[str]:
    """Returns the arguments --set for values of a deck."""
    pairs = list((by_path or {}).items())
    pairs += [(path_of(text, deck, name), value) for name, value in by_name.items()]
    return [f"--set={path}={literal(value)}" for path, value in pairs]


def path_of(text: str, deck: Path, name: str) -> str:
    """Returns the path of a key of a deck: of the only block that has it, or in which alone it can
    stand. Two underscores are the dots of a path. Raises InputError."""
    if "__" in name:
        return name.replace("__", ".")
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return name  # the program has a better message about the deck
    found = [path for path, table in tables(values) if name in table]
    if not found:
        properties = json.loads(call(["deck", "--schema"]))["properties"]
        if name in properties and "properties" not in properties[name] and "items" not in properties[name]:
            found = [""]
        found += [b for b, s in properties.items() if name in s.get("properties", {})]
        found += [path for path, _ in tables(values) if "." in path
                  and name in properties.get(path.split(".")[0], {}).get("items", {}).get("properties", {})]
    paths = [f"{path}.{name}".lstrip(".") for path in found]
    if len(paths) == 1:
        return paths[0]
    if not paths:
        raise InputError(f"no block of {deck} can have a key {name!r}: fdem deck lists all keys")
    raise InputError(f"{name!r} may be {', '.join(paths)}: name one, set={{{paths[0]!r}: ...}}")


def tables(values: Mapping[str, Any]) -> List[Tuple[str, Mapping[str, Any]]]:
    """Returns the tables of a deck with their paths, the top first."""
    out: List[Tuple[str, Mapping[str, Any]]] = [("", {k: v for k, v in values.items() if not isinstance(v, (dict, list))})]
    for name, value in values.items():
        if isinstance(value, dict):
            out.append((name, value))
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            titles = [block.get("name") or block.get("on") or "" for block in value]
            for i, block in enumerate(value):
                title = titles[i] if isinstance(titles[i], str) and titles.count(titles[i]) == 1 else ""
                word = title or str(i + 1)
                out.append((f'{name}."{word}"' if re.search(r"[^A-Za-z0-9_-]", word) else f"{name}.{word}", block))
    return out


def literal(value: Value) -> str:
    """Returns a value as in TOML; texts as they are, since the program puts them in quotes."""
    return value if isinstance(value, str) else inline(value)


def inline(value: Any) -> str:
    """Returns a value as in TOML, in one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Path):
        return inline(str(value))
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key_text(k)} = {inline(v)}" for k, v in value.items()) + " }"
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:  # a number of numpy
        return inline(value.item())
    try:
        return "[" + ", ".join(inline(v) for v in value) + "]"
    except TypeError:
        raise InputError(f"{value!r} has no form in a deck: numbers, texts, true and false, lists and dictionaries have") from None


def key_text(key: Any) -> str:
    """Returns a key as in TOML."""
    return str(key) if re.fullmatch(r"[A-Za-z0-9_-]+", str(key)) else json.dumps(str(key), ensure_ascii=False)


def toml(values: Mapping[str, Any]) -> str:
    """Returns a dictionary as TOML: plain values first, then tables and blocks."""
    lines: List[str] = []
    blocks: List[str] = []
    for name, value in values.items():
        if isinstance(value, Mapping):
            blocks.append(f"\n[{key_text(name)}]")
            blocks += [f"{key_text(k)} = {inline(v)}" for k, v in value.items()]
        elif isinstance(value, Sequence) and not isinstance(value, str) and value and all(isinstance(v, Mapping) for v in value):
            for block in value:
                blocks.append(f"\n[[{key_text(name)}]]")
                blocks += [f"{key_text(k)} = {inline(v)}" for k, v in block.items()]
        else:
            lines.append(f"{key_text(name)} = {inline(value)}")
    return "\n".join(lines + blocks) + "\n"
