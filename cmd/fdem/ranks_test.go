//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fdem/benchmarks"
	"fdem/examples/cases"
	"fdem/examples/random"
	"fdem/io/history"
	outputs "fdem/solver/output"
	"fdem/solver/processes"
	"fdem/solver/system"
)

// withMPI builds the program with MPI, and skips the test where that cannot be.
func withMPI(t *testing.T) (fdem string) {
	t.Helper()
	return builtWith(t, "mpirun", "mpicc", "openmpi-bin libopenmpi-dev")
}

// builtWith builds the program with the MPI of a launcher and a compiler, of packages.
func builtWith(t *testing.T, launcher, compiler, packages string) (fdem string) {
	t.Helper()
	if !*everydayRanks {
		withAll(t)
	}
	for _, tool := range []string{launcher, compiler} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is missing: apt install %s", tool, packages)
		}
	}
	fdem = filepath.Join(t.TempDir(), "fdem")
	build := exec.Command("go", "build", "-tags", "mpi", "-buildvcs=false", "-ldflags=-s -w", "-o", fdem, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=1", "CC="+compiler)
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return fdem
}

// onRanks starts a command line on n ranks; kept ends it where it hangs.
func onRanks(t *testing.T, fdem string, n int, args ...string) (c *exec.Cmd, said *bytes.Buffer) {
	t.Helper()
	limit := 2 * time.Minute
	if *everydayRanks {
		limit = time.Hour
	}
	kept, cancel := context.WithTimeout(context.Background(), limit)
	t.Cleanup(cancel)
	c = exec.CommandContext(kept, "mpirun", append([]string{"--quiet", "--oversubscribe", "--bind-to", "none", "-np", strconv.Itoa(n), fdem}, args...)...)
	c.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMPI_MCA_mpi_yield_when_idle=1",                  // a rank that waits gives its core to one that computes
		"OMPI_MCA_pml=ob1", "OMPI_MCA_btl=self,vader,tcp") // no search for networks
	said = &bytes.Buffer{}
	c.Stdout, c.Stderr = said, said
	return c, said
}

// withoutAssembly adds a rank that has the portable kernel to a command line of mpirun.
func withoutAssembly(fdem string, args ...string) []string {
	return append([]string{":", "-np", "1", "env", "FDEM_KERNEL=generic", fdem}, args...)
}

func TestRanks(t *testing.T) {
	t.Parallel()
	fdem := withMPI(t)
	for _, k := range []struct {
		name string
		try  func(*testing.T, string)
	}{
		{"laws", shareLaws}, {"same bytes", sameOnRanks}, {"models drawn at random", randomOnRanks}, {"stopped and killed", stopRanks}, {"hangs", hangRanks},
		{"told", tellRanks}, {"hangs before MPI starts", hangStart}, {"contact by rank 0", ownContact},
		{"full disk", fillDisk}, {"bench", benchRanks}, {"refused", refuseRanks},
	} {
		t.Run(k.name, func(t *testing.T) { k.try(t, fdem) }) // one by one: ranks that wait take a core each
	}
}

// alikeRanks tells whether a case is left out because one in so many stands for its like: without -ranks, which
// .ci/long sets. Ranks that share cores with others wait for one another most of the time.
func alikeRanks(t *testing.T, number, in int) bool {
	return cases.LeftOut(t, number, in, *everydayRanks, *toTheEnd)
}

// A run has the same bytes on any number of ranks and workers: of ten models one in three on one
// number of ranks, or with -ranks all on five, of which one rank has no assembly.
func sameOnRanks(t *testing.T, fdem string) {
	for i, k := range []struct {
		model, until string
		ranks        int
	}{
		{"elastic-collision/elastic-collision.msh", "4 us", 2},
		{"spall-bar/spall-bar.msh", "30 us", 3},
		{"disc-in-hollow/hollow.toml", "5 ms", 2},
		{"beam-impact/beam-impact.msh", "20 us", 3},
		{"kalthoff/kalthoff.msh", "3 us", 2},
		{"friction-drive/friction-drive.msh", "20 us", 4},
		{"hydraulic-fracture/hydraulic-fracture.msh", "10 us", 2},
		{"uniaxial-compression/uniaxial-compression.msh", "20 us", 3},
		{"rockfall-breaking/rockfall-breaking.msh", "0.2 ms", 8},
		{"sphere-chain/sphere-chain.toml", "20 us", 2},
	} {
		if alikeRanks(t, i, 3) {
			continue
		}
		dir := t.TempDir()
		args := func(out string, threads int) []string {
			return []string{"run", "-q", filepath.Join("../../examples", k.model), "--until", k.until, "--threads", strconv.Itoa(threads), "-o", filepath.Join(dir, out)}
		}
		succeed(t, args("one", 1)...)
		ranks := []int{k.ranks}
		if *everydayRanks {
			ranks = []int{1, 2, 3, 4, 8}
		}
		for _, n := range ranks {
			out := strconv.Itoa(n)
			c, said := onRanks(t, fdem, n, args(out, 1+n%2)...)
			if *everydayRanks && n > 1 { // the last has the portable kernel
				c, said = onRanks(t, fdem, n-1, args(out, 1+n%2)...)
				c.Args = append(c.Args, withoutAssembly(fdem, args(out, 1)...)...)
			}
			if c.Run() != nil {
				t.Fatalf("%s on %d ranks: %s", k.model, n, said)
			}
			sameResults(t, filepath.Join(dir, out), filepath.Join(dir, "one"))
		}
	}
}

// So do models drawn at random, whose contact, cracks, laws, drives and excavations meet in any way: three
// of them, or with -ranks 200.
func randomOnRanks(t *testing.T, fdem string) {
	models, compared := uint64(3), 0
	if *everydayRanks {
		models = 200
	}
	for seed := uint64(1); compared < int(models); seed++ {
		m, dir := random.Draw(seed), t.TempDir()
		deck, one, many := filepath.Join(dir, "model.toml"), filepath.Join(dir, "one"), filepath.Join(dir, "many")
		for path, text := range map[string]string{deck: m.DeckText(), filepath.Join(dir, "model.shapes.toml"): m.ShapesText()} {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if status, _, _ := command("mesh", filepath.Join(dir, "model.shapes.toml")); status != exitDone {
			continue
		}
		status, _, _ := command("run", "-q", deck, "--threads", "1", "-o", one)
		if status == exitUsage {
			continue
		}
		c, said := onRanks(t, fdem, 2+int(seed%3), "run", "-q", deck, "--threads", "1", "-o", many)
		err := c.Run()
		if got := c.ProcessState.ExitCode(); got == exitUsage && strings.Contains(said.String(), "one rank") {
			continue
		} else if got != status {
			t.Errorf("seed %d: exit status %d on one rank, %v on several: %s", seed, status, err, said)
			continue
		}
		compared++
		sameResults(t, many, one)
		if t.Failed() {
			t.Fatalf("seed %d on %d ranks:\n%s", seed, 2+int(seed%3), m)
		}
	}
}

// With MPICH, beside Open MPI or not, a run has the same bytes.
func TestMPICH(t *testing.T) {
	t.Parallel()
	fdem := builtWith(t, "mpiexec.mpich", "mpicc.mpich", "mpich libmpich-dev")
	dir := t.TempDir()
	args := func(out string) []string {
		return []string{"run", "-q", "../../examples/spall-bar/spall-bar.msh", "--until", "30 us", "--threads", "1", "-o", filepath.Join(dir, out)}
	}
	succeed(t, args("one")...)
	c := exec.Command("mpiexec.mpich", append([]string{"-n", "3", fdem}, args("three")...)...)
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	log, err := os.ReadFile(filepath.Join(dir, "three", "log.txt"))
	if err != nil || !strings.Contains(string(log), "3 ranks share the triangles") {
		t.Errorf("%v: %s", err, log)
	}
	sameResults(t, filepath.Join(dir, "three"), filepath.Join(dir, "one"))
}

// Where rank 0 computes the contact for all, and the shares of triangles change on the way, a
// run has the same bytes, on ranks of another kernel and number of workers, too, and with
// damping.
func ownContact(t *testing.T, fdem string) {
	dir := t.TempDir()
	args := func(out, until string, threads int) []string {
		damping := "{}"
		if strings.HasPrefix(out, "damped") {
			damping = "{ mass = 2e3, stiffness = '2 ns', local = 0.1 }"
		}
		return []string{"run", "-q", "../../examples/elastic-collision/elastic-collision.msh", "--set", "analysis.damping=" + damping, "--set", "output.checkpoint_every='5 us'", "--set", "analysis.duration='" + until + "'", "--threads", strconv.Itoa(threads), "-o", filepath.Join(dir, out)}
	}
	for i, share := range []string{"0.45", "0.02"} {
		one := []string{"one", "damped"}[i]
		succeed(t, args(one, "40 us", 1)...)
		n, out := 2+i, one+", share "+share
		c, said := onRanks(t, fdem, n, args(out, "40 us", 1+i)...)
		c.Env = append(c.Env, processes.ShareVariable+"="+share)
		if i == 0 { // rank 1 has the portable kernel
			c.Args = append(c.Args, withoutAssembly(fdem, args(out, "40 us", 1)...)...)
		}
		if err := c.Run(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		log, err := os.ReadFile(filepath.Join(dir, out, "log.txt"))
		if n := strings.Count(string(log), "rank 0 computes the contact for all ranks"); err != nil || n != 1 {
			t.Errorf("the log says %d times that rank 0 computes the contact: %v %s", n, err, log)
		}
		sameResults(t, filepath.Join(dir, out), filepath.Join(dir, one))
	}
}

// Bodies with laws, one of which breaks, one with a law beside one without, where rank 0 computes
// the contact, and one whose shares change on the way have the same bytes on any number of ranks,
// and go on so on another.
func shareLaws(t *testing.T, fdem string) {
	const probes = `
[output]
checkpoint_every = "2.5 us"
[[probe]]
name = "greatest"
on = "plate"
quantity = "von_mises"
take = "max"
[[probe]]
name = "under"
element_near = ["0 mm", "2 mm"]
quantity = "plastic_strain"
`
	const breaks = `
[[fracture]]
in = ["plate"]
tensile_strength = "200 MPa"
cohesion = "200 MPa"
energy_tension = "3 kJ/m2"
energy_shear = "3 kJ/m2"
`
	source, _ := unpacked(t, filepath.Join(everyday, "bullet_copper_aluminium"))
	deck := filepath.Join(source, "model.toml")
	text, err := os.ReadFile(deck)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("thickness ="), []byte("damping = { stiffness = '1 ns' }\nthickness ="), 1)
	plain := bytes.Replace(text, []byte("law = \"j2\"\nyield_stress = \"250 MPa\"\nhardening = \"500 MPa\"\n"), nil, 1)
	bar := filepath.Join(t.TempDir(), "bar")
	succeed(t, "new", bar, "--template", "taylor-bar")
	bar = filepath.Join(bar, "bar.toml")
	soft, err := os.ReadFile(bar)
	if err != nil {
		t.Fatal(err)
	}
	soft = bytes.Replace(soft, []byte("400 MPa"), []byte("40 MPa"), 1) // flows all over
	models := []struct{ deck, text, until, end string }{
		{deck, string(text) + probes + breaks, "3 us", "4.5 us"},
		{deck, string(plain) + probes, "2.5 us", "3 us"},
		{bar, string(soft), "3 us", "3.5 us"},
	}
	if *everydayRanks {
		models[0].until, models[0].end = "5 us", "7.5 us"
		models[1].until, models[1].end = "5 us", "7 us"
		models[2].until, models[2].end = "7 us", "8 us"
	}
	for i, k := range models {
		if err := os.WriteFile(k.deck, []byte(k.text), 0o644); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		args := func(out, until string) []string {
			return []string{"run", "-q", k.deck, "--until", until, "--threads", "1", "-o", filepath.Join(dir, out)}
		}
		onto := func(out string) []string {
			return []string{"resume", "-q", filepath.Join(dir, out), "--until", k.end, "--threads", "1"}
		}
		succeed(t, args("one", k.until)...)
		succeed(t, onto("one")...)
		h, err := history.Read(filepath.Join(dir, "one", "history.csv"))
		if err != nil {
			t.Fatal(err)
		}
		if broken, ok := h.Column("cracks.broken"); ok != (i == 0) || ok && broken[len(broken)-1] == 0 {
			t.Errorf("model %d: %v m are broken", i, broken)
		}
		if flows, _ := h.Column("under.plastic_strain"); i < 2 && (len(flows) == 0 || flows[len(flows)-1] == 0) {
			t.Errorf("model %d: plastic strains %v", i, flows)
		}
		ranks := []int{2 + i}
		if *everydayRanks {
			ranks = []int{2, 3, 4, 8}
		}
		for _, n := range ranks {
			out := strconv.Itoa(n)
			for more, args := range [][]string{args(out, k.until), onto(out)} {
				c, said := onRanks(t, fdem, n+more, args...)
				c.Env = append(c.Env, processes.ShareVariable+"=0.3")
				if c.Run() != nil {
					t.Fatalf("model %d on %d ranks: %s", i, n+more, said)
				}
			}
			sameResults(t, filepath.Join(dir, out), filepath.Join(dir, "one"))
			log, err := os.ReadFile(filepath.Join(dir, out, "log.txt"))
			if of := " ranks share the triangles and exchange the forces on "; err != nil || strings.Count(string(log), of) != 2 || strings.Contains(string(log), "because of") || strings.Contains(string(log), "rank 0 computes") != (i == 1) {
				t.Errorf("model %d on %d ranks: %v %s", i, n, err, log)
			}
		}
	}
}

// All ranks obey, in the same step, a signal that one rank receives. A run on three ranks that
// SIGTERM stops is resumed on two with the same bytes, and so is one of which a rank is killed, on
// four, or with -ranks on one, too.
func stopRanks(t *testing.T, fdem string) {
	dir := t.TempDir()
	deck := strings.Replace(small, "[output]", "step = \"20 ps\"\n[output]\ncheckpoint_every = \"10 ns\"", 1)
	path := filepath.Join(model(t, deck, smallMesh), "small.toml")
	until := []string{"--until", "200 ns", "--threads", "1", "-q"}
	succeed(t, append([]string{"run", path, "-o", filepath.Join(dir, "one")}, until...)...)
	for i, k := range []struct {
		signal syscall.Signal
		ranks  int // that go on
	}{{syscall.SIGTERM, 2}, {syscall.SIGKILL, 1}, {syscall.SIGKILL, 4}} {
		if alikeRanks(t, i, 2) {
			continue
		}
		signal, out := k.signal, filepath.Join(dir, k.signal.String()+strconv.Itoa(k.ranks))
		c, said := onRanks(t, fdem, 3, append([]string{"run", path, "-o", out}, until...)...)
		c.Env = append(c.Env, processes.ShareVariable+"=0.3")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		wait(t, "a checkpoint", func() bool { return len(list0(out)) > 0 })
		began := time.Now()
		victim, err := os.FindProcess(lastChild(t, c.Process.Pid))
		if err == nil {
			err = victim.Signal(signal)
		}
		if err != nil {
			t.Fatal(err)
		}
		err = c.Wait()
		if took := time.Since(began); err == nil || took > hanging {
			t.Errorf("%s: ended after %v with %v: %s", signal, took, err, said)
		}
		if c, said := onRanks(t, fdem, k.ranks, "resume", out, "-q", "--threads", "1"); c.Run() != nil {
			t.Fatalf("%s: resumed: %s", signal, said)
		}
		sameResults(t, out, filepath.Join(dir, "one"))
	}
}

// hanging is a time after which ranks that should have ended hang, however busy the machine is. They
// would wait for one that has ended for ever.
const hanging = 3 * time.Minute

// If rank 0 cannot write, all ranks end with one message, and the run resumes from the last
// checkpoint with the same bytes.
func fillDisk(t *testing.T, fdem string) {
	dir := t.TempDir()
	deck := strings.Replace(small, "[output]\nhistory_every = \"0.2 us\"", "step = \"20 ps\"\n[output]\nhistory_every = \"1 ns\"\ncheckpoint_every = \"10 ns\"", 1)
	path, out := filepath.Join(model(t, deck, smallMesh), "small.toml"), filepath.Join(dir, "three")
	args := []string{"run", path, "--until", "150 ns", "--threads", "1", "-q", "-o"}
	succeed(t, append(args[:len(args):len(args)], filepath.Join(dir, "one"))...)
	c, said := onRanks(t, fdem, 3, append(args, out)...)
	c.Args = slices.Insert(c.Args, slices.Index(c.Args, fdem), "sh", "-c", "ulimit -f 40; exec \"$@\"", "sh") // no file above 20 or 40 kB
	began := time.Now()
	err := c.Run()
	if took := time.Since(began); err == nil || took > hanging || strings.Count(said.String(), "cannot be written") != 1 || strings.Contains(said.String(), "rank 1") {
		t.Errorf("ended after %v with %v: %s", took, err, said)
	}
	if c, said := onRanks(t, fdem, 2, "resume", out, "-q", "--threads", "1"); c.Run() != nil {
		t.Fatalf("resumed: %s", said)
	}
	sameResults(t, out, filepath.Join(dir, "one"))
}

// fdem bench --ranks measures both scenes on every number of ranks that divides those that there
// are, and counts the bytes that check --ranks predicts, with a few more in some steps.
func benchRanks(t *testing.T, fdem string) {
	c, said := onRanks(t, fdem, 2, "bench", "--ranks", "--triangles", "20000", "--for", "1ms", "--json")
	c.Stderr = io.Discard
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	var all []benchmarks.RankFigures
	if err := json.Unmarshal(said.Bytes(), &all); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	for i, f := range all {
		if f.Scene != benchmarks.RankScenes[i/2] || f.Ranks != 1+i%2 || f.Fastest <= 0 || f.Steps != 100 {
			t.Errorf("line %d: %+v", i, f)
		}
		if touches := f.Scene != benchmarks.RankScenes[0]; touches != (f.Touching > 1000) || f.Contact <= 0 || f.Contact >= 1 {
			t.Errorf("%g contact nodes are near, contact takes %g of a step: %+v", f.Touching, f.Contact, f)
		}
		if reported := float64(f.Exchanged); f.Ranks == 2 && (reported == 0 || f.Counted < reported || f.Counted > 1.2*reported+8*f.Touching || f.Exchange <= 0) {
			t.Errorf("%d bytes a step are predicted, %.0f counted: %+v", f.Exchanged, f.Counted, f)
		}
	}
	if len(all) != 4 {
		t.Errorf("%d figures", len(all))
	}
	if text, err := exec.Command(fdem, "bench", "--ranks", "--triangles", "2000", "--for", "1ms").CombinedOutput(); err != nil {
		t.Errorf("without mpirun: %v: %s", err, text)
	}
}

// Check predicts how many bytes ranks exchange in a step, within a tenth: for a model whose rows
// often need all nodes, of one with damping, of one that breaks, and of bodies with laws.
func tellRanks(t *testing.T, fdem string) {
	number := func(text, pattern string) float64 {
		m := regexp.MustCompile(pattern).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("no %q in %s", pattern, text)
		}
		v, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	bullet, _ := unpacked(t, filepath.Join(everyday, "bullet_copper_aluminium"))
	for _, k := range []struct{ model, duration string }{
		{"../../examples/elastic-collision/elastic-collision.msh", "8 us"},
		{"../../examples/friction-drive/friction-drive.msh", "100 us"},
		{"../../examples/spall-bar/spall-bar.msh", "20 us"},
		{filepath.Join(bullet, "model.toml"), "40 us"},
	} {
		args := []string{k.model, "--set", "analysis.duration=" + k.duration}
		status, reported, stderr := command(append([]string{"check", "--ranks", "2"}, args...)...)
		if status != exitDone {
			t.Fatalf("%s: %s", k.model, stderr)
		}
		c, said := onRanks(t, fdem, 2, append([]string{"run", "--profile", "--threads", "1", "-o", filepath.Join(t.TempDir(), "out")}, args...)...)
		if err := c.Run(); err != nil {
			t.Fatalf("%s: %v: %s", k.model, err, said)
		}
		want, got := number(reported, `on average (\S+) bytes a step`), number(said.String(), `count: (\S+) bytes a step that ranks give one another`)
		if got < 0.9*want || got > 1.1*want {
			t.Errorf("%s: %g bytes a step are predicted, %g exchanged", k.model, want, got)
		}
	}
}

// A rank that hangs is named by another one, and all end.
func hangRanks(t *testing.T, fdem string) {
	deck := strings.Replace(small, "[output]", "step = \"20 ps\"\n[output]\ncheckpoint_every = \"10 ns\"", 1)
	out := filepath.Join(t.TempDir(), "out")
	c, said := onRanks(t, fdem, 2, "run", filepath.Join(model(t, deck, smallMesh), "small.toml"), "-q", "--threads", "1", "--until", "1 s", "--hung", "3s", "--large", "-o", out)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	wait(t, "a checkpoint", func() bool { return len(list0(out)) > 0 })
	pid := lastChild(t, c.Process.Pid)
	environment, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
	if err == nil {
		err = syscall.Kill(pid, syscall.SIGSTOP)
	}
	if err != nil {
		t.Fatal(err)
	}
	rank, other := "0", "1"
	if strings.Contains(string(environment), "OMPI_COMM_WORLD_RANK=1") {
		rank, other = other, rank
	}
	want := "rank " + other + ": no step was done for 3s: rank " + rank + " does not answer: it is stopped, or its machine cannot be reached; continue from the last checkpoint with fdem resume"
	if err := c.Wait(); err == nil || strings.Count(said.String(), want) != 1 {
		t.Errorf("want %q, got %v: %s", want, err, said)
	}
}

// A rank that is stopped before MPI has started is named by the first that waits for it, which
// ends all.
func hangStart(t *testing.T, fdem string) {
	c, said := onRanks(t, fdem, 1, "run", "nothing.toml", "--hung", "3s")
	for i, arg := range c.Args {
		if arg == fdem { // rank 0, which another command line stops before it begins
			stops := append([]string{"sh", "-c", "kill -STOP $$; exec \"$@\"", "sh"}, c.Args[i:]...)
			rest := append([]string{":", "-np", "2"}, c.Args[i:]...)
			c.Args = append(append(c.Args[:i:i], stops...), rest...)
			break
		}
	}
	began := time.Now()
	err := c.Run()
	if want := "rank 1: MPI has not started for 3s: rank 0 is stopped; no step was done"; err == nil || strings.Count(said.String(), want) != 1 || strings.Count(said.String(), "no step was done") != 1 {
		t.Errorf("want %q, got %v: %s", want, err, said)
	}
	if took := time.Since(began); took > hanging {
		t.Errorf("it ended after %v", took)
	}
}

// Stopped processes of a launcher are found from the system, and --hung is found in a command line
// that has not been parsed yet.
func TestMissingRanks(t *testing.T) {
	proc := t.TempDir()
	for _, p := range []struct{ pid, stat, environment string }{
		{"11", "11 (a) b) T 7 0", "A=b\x00OMPI_COMM_WORLD_RANK=0\x00"},
		{"12", "12 (fdem) S 7 0", "OMPI_COMM_WORLD_RANK=1\x00C=d"},
		{"13", "13 (fdem) T 7 0", "PMI_RANK=2"},
		{"14", "14 (fdem) T 8 0", "PMI_RANK=3"}, // of another launcher
		{"15", "15 (fdem) T 7 0", "PATH=4"},     // is no rank
	} {
		dir := filepath.Join(proc, p.pid)
		for name, text := range map[string]string{"stat": p.stat, "environ": p.environment} {
			if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	states := rankStates(proc, 7)
	if text, first := missingRanks(states, 1, 4); len(states) != 3 || text != "ranks 0, 2 are stopped" || first != 1 {
		t.Errorf("%v: %q by rank %d", states, text, first)
	}
	if text, first := missingRanks(nil, 3, 4); text != "not all of the 4 ranks have started, and none on this machine is stopped" || first != 3 {
		t.Errorf("%q by rank %d", text, first)
	}
	for want, args := range map[time.Duration][]string{
		time.Hour: {"run", "a.toml", "--hung", "1h"}, time.Second: {"run", "--hung=1s", "a"},
		longHung: {"run", "--hung", "soon", "--hungry=1s"},
	} {
		if got := hungOf(args); got != want {
			t.Errorf("%v: %v, want %v", args, got, want)
		}
	}
}

// The progress line of several ranks gives the time of waiting and exchange.
func TestRanksWait(t *testing.T) {
	p := outputs.Profile{Phases: []system.Timing{{Name: "triangles", Seconds: 6}, {Name: "waiting", Seconds: 3}, {Name: "exchange", Seconds: 1}}}
	if got := waits(p) + waits(outputs.Profile{}); got != "  waiting 30 %, exchange 10 %" {
		t.Errorf("%q", got)
	}
}

// The rank that delays the others is found by the number of collective calls that each rank has
// begun.
func TestLateRanks(t *testing.T) {
	for _, k := range []struct {
		calls []int64
		want  string
		first int
	}{
		{[]int64{7, 7, -1}, "rank 2 does not answer", 0},
		{[]int64{-1, 7, -1, 7}, "ranks 0, 2 do not answer", 1},
		{[]int64{7, 6, 7}, "rank 1 is behind", 0},
		{[]int64{6, 6, 7}, "ranks 0, 1 are behind", 0},
		{[]int64{7, 7}, "all ranks wait", 0},
	} {
		if text, first := lateRanks(k.calls); !strings.HasPrefix(text, k.want) || first != k.first {
			t.Errorf("%v: %q by rank %d, want %q by rank %d", k.calls, text, first, k.want, k.first)
		}
	}
}

// lastChild returns the process that another has started last.
func lastChild(t *testing.T, of int) (child int) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stats {
		text, _ := os.ReadFile(path)                  // it may have ended
		_, rest, _ := strings.Cut(string(text), ") ") // behind its name
		if f := strings.Fields(rest); len(f) > 1 && f[1] == strconv.Itoa(of) {
			n, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			if err != nil {
				t.Fatal(err)
			}
			child = max(child, n)
		}
	}
	return child
}

// A model that ranks cannot share is refused once, by name, and so is bad input.
func refuseRanks(t *testing.T, fdem string) {
	for want, args := range map[string][]string{
		"fdem bench runs on one rank: start it without mpirun":                                        {"bench", "--quick"},
		"fdem sweep runs on one rank: start it without mpirun":                                        {"sweep", "study.toml"},
		"there is no deck nothing.toml":                                                               {"run", "nothing.toml"},
		`beam-on-flat.toml:7:8: [analysis] type = "static" runs on one rank; start it without mpirun`: {"run", "../../examples/beam-on-flat/beam-on-flat.toml"},
	} {
		c, said := onRanks(t, fdem, 2, args...)
		err := c.Run()
		if text := said.String(); err == nil || c.ProcessState.ExitCode() != exitUsage || strings.Count(text, want) != 1 {
			t.Errorf("%s: exit status %d: %s", args, c.ProcessState.ExitCode(), text)
		}
	}
}

var everydayRanks = flag.Bool("ranks", false, "runs TestEverydayRanks, and TestRanks on 1, 2, 3, 4 and 8 ranks, of which one has no assembly, and bodies with laws for longer")

// Everyday models have the same bytes on three ranks, but for static analyses, which are
// refused.
func TestEverydayRanks(t *testing.T) {
	if !*everydayRanks {
		t.Skip("takes an hour: -ranks runs it")
	}
	fdem := withMPI(t)
	paths, err := filepath.Glob(filepath.Join(everyday, "*", "expect.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d models, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			dir, _ := unpacked(t, filepath.Dir(path))
			deck, one, three := filepath.Join(dir, "model.toml"), filepath.Join(dir, "one.out"), filepath.Join(dir, "three.out")
			status, _, _ := command("run", "-q", deck, "--threads", "1", "-o", one)
			c, said := onRanks(t, fdem, 3, "run", "-q", deck, "--threads", "1", "-o", three)
			err := c.Run()
			if text := said.String(); strings.Contains(text, "runs on one rank") && c.ProcessState.ExitCode() == exitUsage {
				t.Skip("is static")
			}
			if status != c.ProcessState.ExitCode() {
				t.Fatalf("exit status %d on one rank, %v on three: %s", status, err, said)
			}
			if status == exitDone {
				sameResults(t, three, one)
			}
		})
	}
}
