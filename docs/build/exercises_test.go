package main

import (
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fdem/examples/cases"
)

// What the pages on new laws, shapes, quantities and kinds add, word for word and one after the other, builds.
func TestExercises(t *testing.T) {
	t.Parallel()
	if e := exerciseOf(t, "newkind.md"); e.lines != 3 {
		t.Errorf("the page on a new kind speaks of three lines, it has %d", e.lines)
	}
	e := exerciseOf(t, "newlaw.md", "newbulklaw.md", "newcohesivelaw.md", "newshape.md", "newquantity.md", "newkind.md")
	if !cases.All() || testing.Short() {
		t.Skip("the pages go with the sources; to build the program with them: go test ./docs/build -all -run TestExercises")
	}
	program := e.program()
	newLawsAndShapes(e, program)
	newKind(e, program)
}

// newLawsAndShapes checks that the new laws pass the tests of all laws, and that the models of the pages come out as
// these say.
func newLawsAndShapes(e *exercise, program string) {
	t := e.t
	e.run(e.root, "go", "test", "-overlay", e.replaced(), "./materials/bulk", "./mesh/shapes", "./io/plan")
	e.run(e.root, "go", "test", "-overlay", e.replaced(), "-run", "TestCurve", "./materials/cohesive")
	newBits(e)

	for _, model := range []string{"foam", "bond"} {
		e.run(e.dir, program, "mesh", model+".shapes.toml")
		e.run(e.dir, program, "run", model+".toml")
	}
	x := 1.5
	if force, want := e.last("foam.out", "pull.fx"), 1e-3*0.4e6*(math.Sqrt(x)-1/(x*x))/x; math.Abs(force-want) > 1e-6*want {
		t.Errorf("the foam is pulled by %g N, want %g", force, want)
	}
	if lost := e.last("bond.out", "fracture_dissipated"); math.Abs(lost-10) > 0.01 {
		t.Errorf("the joint has taken %g J, want 10", lost)
	}
	if vx, vy, speed := e.last("bond.out", "right.vx"), e.last("bond.out", "right.vy"), e.last("bond.out", "right.speed"); math.Abs(speed-math.Hypot(vx, vy)) > 1e-12*speed || speed == 0 {
		t.Errorf("a body of %g and %g m/s has the speed %g", vx, vy, speed)
	}
	if out := e.run(e.dir, program, "law", "list"); !strings.Contains(out, "quadratic") || !strings.Contains(out, "parabola") {
		t.Errorf("the list of laws has not both new ones:\n%s", out)
	}
	e.run(e.dir, program, "mesh", "egg.shapes.toml")
	if out := e.run(e.dir, program, "info", "egg.msh"); !strings.Contains(out, "egg") || !strings.Contains(out, "shell") {
		t.Errorf("the mesh of the egg:\n%s", out)
	}
}

// newBits follows the page on contact laws where it says to add the line that TestBits prints.
func newBits(e *exercise) {
	program := filepath.Join(e.dir, "contact.test")
	e.run(e.root, "go", "test", "-c", "-overlay", e.replaced(), "-o", program, "./materials/contact")
	e.run(e.root, "cp", "-r", "materials/contact/testdata", e.dir)
	out := e.run(e.dir, "sh", "-c", program+" -test.run TestBits || true")
	line := regexp.MustCompile(`quadratic,[0-9a-f]{16}`).FindString(out)
	if line == "" {
		e.t.Fatalf("TestBits prints no line for the new law:\n%s", out)
	}
	e.write("testdata/bits.csv", e.read(filepath.Join(e.dir, "testdata/bits.csv"))+line+"\n")
	e.run(e.dir, program, "-test.run", "TestBits|TestEveryLaw|TestEvalDoesNotAllocate")
}
