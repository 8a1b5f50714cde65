"""Tests of the package as a wheel installs it: python3 package_test.py FOLDER EXAMPLE.ipynb, with
the wheel unpacked in FOLDER and nothing else installed."""

import json
import os
import signal
import subprocess
import sys
import threading
import unittest
from pathlib import Path

FOLDER, NOTEBOOK = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
sys.path.insert(0, str(FOLDER))
import fdem  # noqa: E402

BALL = {
    "title": "a ball falls", "analysis": {"duration": "10 ms", "gravity": [0, -9.81]},
    "rigid": [{"name": "floor", "shape": "line", "from": [-1, 0], "to": [1, 0]},
              {"name": "ball", "shape": "disc", "centre": [0, 0.5], "radius": "10 cm", "density": 7800.0}],
    "contact": [{"contactor": "ball", "opposite": "floor"}],
}


class Package(unittest.TestCase):
    def test_stands_alone(self) -> None:
        self.assertTrue(str(fdem.program()).startswith(str(FOLDER)))
        self.assertIn(fdem.__version__, fdem.version())
        alone = {**os.environ, "PYTHONPATH": str(FOLDER)}
        code = "import sys, fdem; print({'numpy', 'pandas', 'meshio', 'IPython'} & set(sys.modules))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=alone)
        self.assertEqual(done.stdout.strip(), "set()")
        done = subprocess.run([sys.executable, "-m", "fdem", "version"], capture_output=True, text=True, env=alone)
        self.assertEqual(done.stdout.strip(), fdem.version())

    def test_dictionary(self) -> None:
        results = fdem.run(BALL)
        self.assertEqual(results.summary["status"], "done")
        self.assertAlmostEqual(results.summary["bodies"][1]["velocity"][1], -0.0981, places=6)
        self.assertEqual(len(results.columns["time"]), len(results.columns["kinetic"]))
        self.assertEqual(results.events, [])
        half = fdem.run(BALL, until="5 ms")
        self.assertAlmostEqual(half.summary["bodies"][1]["velocity"][1], -0.04905, places=6)
        self.assertIn("a ball falls", results._repr_html_())

    def test_values(self) -> None:
        light = fdem.run(BALL, density=1000)  # by name: one block has it
        heavy = fdem.run(BALL, set={"rigid.ball.density": "2000 kg/m3"})
        path = fdem.run(BALL, rigid__ball__density=2000)
        mass = [r.summary["bodies"][1]["mass"] for r in (light, heavy, path)]
        self.assertAlmostEqual(mass[1] / mass[0], 2)
        self.assertEqual(mass[1], mass[2])
        for values, words in (({"name": "x"}, "set={"), ({"yuong": 1}, "fdem deck"), ({"density": "1 m"}, "density")):
            with self.assertRaisesRegex(fdem.InputError, words):
                fdem.run(BALL, **values)

    def test_errors_have_their_place(self) -> None:
        Path("typo.toml").write_text("[analysis]\nduration = 1\ngravitiy = [0, 1]\n", encoding="utf-8")
        with self.assertRaises(fdem.InputError) as caught:
            fdem.run("typo.toml")
        e = caught.exception
        self.assertEqual((str(e.file), e.line, e.column, e.source), ("typo.toml", 3, 1, "gravitiy = [0, 1]"))
        self.assertIn("gravity", e.message)
        self.assertFalse(Path("typo.out").exists())
        with self.assertRaises(fdem.InputError):
            fdem.run("nothing.toml")
        with self.assertRaises(fdem.FdemError):
            fdem.Results("nothing.out")

    def test_progress_and_interrupt(self) -> None:
        seen = []
        slow = {**BALL, "analysis": {"duration": "1000 s", "step": "1 us"}, "output": {"fields_every": 0, "history_every": "1 ms", "checkpoint_every": 0, "large": True}}

        def shown(now: float, end: float) -> None:
            seen.append((now, end))
            if len(seen) == 2:
                os.kill(os.getpid(), signal.SIGINT)

        limit = threading.Timer(60, lambda: os.kill(os.getpid(), signal.SIGINT))
        limit.start()
        with self.assertRaises(KeyboardInterrupt):
            fdem.run(slow, "slow.out", progress=shown)
        limit.cancel()
        self.assertGreater(len(seen), 1)
        self.assertTrue(0 <= seen[0][0] < seen[1][0] < seen[1][1] == 1000)
        self.assertTrue(list(Path("slow.out/checkpoints").glob("*.ckpt")))
        again = fdem.resume("slow.out", until=seen[1][0] + 1)
        self.assertEqual(again.summary["status"], "done")

    def test_sweep(self) -> None:
        deck = fdem.run(BALL, "ball.out").path / "deck.toml"
        Path("ball.toml").write_bytes(deck.read_bytes())
        made = fdem.sweep("ball.toml", {"density": [1000.0, 2000.0]}, collect={"v": "bodies.ball.velocity.y"}, out="balls.sweep")
        self.assertEqual([row["density"] for row in made.rows], [1000, 2000])
        self.assertEqual([row["status"] for row in made.rows], ["done", "done"])
        self.assertEqual(len(made.cases), 2)

    def test_frames(self) -> None:
        try:
            import numpy
        except ImportError:
            self.skipTest("no numpy")
        mesh = {"edge": "5 mm", "rectangle": [{"name": "block", "from": [0, 0], "to": ["20 mm", "10 mm"]}]}
        steel = {"name": "steel", "young": "210 GPa", "poisson": 0.3, "density": "7860 kg/m3"}
        for packed in (True, False):
            results = fdem.run({"mesh": mesh, "analysis": {"duration": "2 us"}, "material": [steel], "output": {"fields_compress": packed},
                                "body": [{"name": "block", "material": "steel", "velocity": [2, 0]}]})
            last = results.frames[-1]
            self.assertAlmostEqual(last.time, 2e-6)
            self.assertEqual(len(last.triangles), results.summary["elements"])
            numpy.testing.assert_allclose(last["displacement"][:, 0], 4e-6, rtol=1e-9)
            numpy.testing.assert_allclose(last.moved[:, 0] - last.points[:, 0], 4e-6, rtol=1e-6)
            corners = last.points[last.triangles]
            area = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2].sum() / 2
            self.assertAlmostEqual(area, 20e-3 * 10e-3)
            self.assertEqual(last["stress"].shape, (len(last.triangles), 6))
        with self.assertRaisesRegex(fdem.FdemError, "fields"):
            results.frames_of("cracks")
        try:
            import meshio  # noqa: F401
        except ImportError:
            return
        self.assertEqual(last.meshio().cells_dict["triangle"].shape, last.triangles.shape)

    def test_notebook(self) -> None:
        cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
        names: dict = {}
        for cell in cells:
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), str(NOTEBOOK), "exec"), names)
        self.assertIn("<img", names["results"]._repr_html_())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
