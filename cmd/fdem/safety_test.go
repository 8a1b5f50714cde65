package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// goodmanBray is the toppling slope of Goodman and Bray (1976) of 16 blocks, of which the limit of
// friction is 0.7855.
func goodmanBray(friction float64) string {
	var b strings.Builder
	b.WriteString("[analysis]\nintegrator = \"impulses\"\nduration = \"12 s\"\nuntil = \"rest\"\ngravity = [-5, -8.660254037844387]\n[analysis.impulses]\ntolerance = 1e-4\n")
	box := func(name string, x, y, width, height, density float64) {
		fmt.Fprintf(&b, "[[rigid]]\nname = %q\nshape = \"box\"\ncentre = [%g, %g]\nwidth = %g\nheight = %g\n", name, x, y, width, height)
		if density > 0 {
			fmt.Fprintf(&b, "density = %g\n", density)
		}
	}
	box("ground", -30, -10, 60, 20, 0)
	heights := []float64{4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 33.8, 27.6, 21.4, 15.2, 9, 2.8}
	for i := range heights {
		top := float64(i + 1)
		box(fmt.Sprintf("step%d", i+1), 10*float64(i)+5, top/2-10, 10, 20+top, 0)
	}
	for i, h := range heights {
		box(fmt.Sprintf("block%d", i+1), 10*float64(i)+5, float64(i+1)+h/2, 10, h, 2500)
	}
	fmt.Fprintf(&b, "[[contact]]\ncontactor = \"all\"\nopposite = \"all\"\nfriction = %g\n", friction)
	return b.String()
}

// The factor of safety of Goodman and Bray's slope is found within 2 %, and both ends of the bracket
// are results that can be looked at.
func TestSafetyOfTopplingBlocks(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "slope.toml")
	if err := os.WriteFile(path, []byte(goodmanBray(1)), 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, errs := command("safety", path, "--from", "1", "--to", "1.5")
	if status != exitDone || !strings.Contains(out, "factor of safety 1.2") || !strings.Contains(errs, `reduced: contact "all"`) {
		t.Fatalf("%d: %s%s", status, out, errs)
	}
	var found safetyFound
	data, err := os.ReadFile(filepath.Join(dir, "slope.safety", "safety.json"))
	if err == nil {
		err = json.Unmarshal(data, &found)
	}
	if err != nil {
		t.Fatal(err)
	}
	if f := found.Factor * 0.7855; f < 0.98 || f > 1.02 || found.Stands >= found.Fails {
		t.Errorf("factor %g, %g of theory, between %g and %g", found.Factor, f, found.Stands, found.Fails)
	}
	for _, name := range []string{"standing/history.csv", "failing/history.csv", "failing/plots/mesh.png", "tries.csv"} {
		if _, err := os.Stat(filepath.Join(dir, "slope.safety", name)); err != nil {
			t.Error(err)
		}
	}
	if deck, err := os.ReadFile(filepath.Join(dir, "slope.safety", "failing", "deck.toml")); err != nil || !strings.Contains(string(deck), fmt.Sprintf("friction = %v\n", 1/found.Fails)) {
		t.Errorf("the deck of the failing run has another friction: %v", err)
	}
	if status, _, errs := command("safety", path); status != exitUsage || !strings.Contains(errs, "give --force") {
		t.Errorf("%d: %s", status, errs)
	}
	for _, c := range []struct{ args, says string }{
		{"--from 1 --to 1.1 --force", "does not fail up to the factor 1.1"},
		{"--from 1.5 --to 2 --force", "fails with the factor 1.5 already"},
	} {
		if status, _, errs := command(append([]string{"safety", path}, strings.Fields(c.args)...)...); status != exitFailed || !strings.Contains(errs, c.says) {
			t.Errorf("%s: %d: %s", c.args, status, errs)
		}
	}
}

// Mistakes are told before anything runs or is written.
func TestSafetyOfNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "slope.toml")
	moving := strings.Replace(goodmanBray(1), "until = \"rest\"\n", "", 1)
	for _, c := range []struct{ deck, args, says string }{
		{goodmanBray(1), "--tolerance 0", "--tolerance must lie between"},
		{goodmanBray(1), "--from 2 --to 1", "--to must be above --from"},
		{goodmanBray(1), "--from -1", "--from must lie between"},
		{goodmanBray(1), "--keep wall", `--keep: the deck has no material, joint, fracture or contact "wall"`},
		{goodmanBray(1), "--keep contact", "nothing in it can fail"},
		{goodmanBray(0), "", "nothing in it can fail"},
		{moving, "", `needs until = "rest"`},
		{goodmanBray(1), "-o .", "is not of fdem safety"},
		{goodmanBray(-1), "", "must not be negative"},
	} {
		if err := os.WriteFile(path, []byte(c.deck), 0o644); err != nil {
			t.Fatal(err)
		}
		args := append([]string{"safety", path}, strings.Fields(strings.Replace(c.args, "-o .", "-o "+dir, 1))...)
		if status, _, errs := command(args...); status != exitUsage || !strings.Contains(errs, c.says) {
			t.Errorf("%q: %d: %s", c.args, status, errs)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%d files are left: %v", len(entries), err)
	}
}
