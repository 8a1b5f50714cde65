package study

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"fdem/examples/cases"
)

// cluster is a Slurm of one node on this machine, its files in a folder of its
// own and its ports on the loopback.
type cluster struct {
	dir string
	t   *testing.T
}

// startCluster starts munged, slurmctld and slurmd, and points Slurm's programs
// at them. It skips the test where they are missing or do not start.
func startCluster(t *testing.T) *cluster {
	for _, program := range []string{"munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("Slurm is not installed here: %v", err)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("a Slurm of one's own starts as root only")
	}
	dir, err := os.MkdirTemp("", "slurm") // short: a socket's path has a limit
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{dir, t}
	t.Cleanup(func() { os.RemoveAll(dir) })
	key := make([]byte, 1024)
	if _, err := rand.Read(key); err != nil {
		t.Fatal(err)
	}
	c.put("munge.key", key, 0o600)
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	ports := freePorts(t, 2)
	c.put("slurm.conf", fmt.Appendf(nil, `ClusterName=fdem
SlurmctldHost=%[1]s(127.0.0.1)
SlurmUser=root
SlurmctldPort=%[3]d
SlurmdPort=%[4]d
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=%[2]s/munge.socket,cred_expire=10
StateSaveLocation=%[2]s/state
SlurmdSpoolDir=%[2]s/spool
SlurmctldPidFile=%[2]s/slurmctld.pid
SlurmdPidFile=%[2]s/slurmd.pid
SlurmctldLogFile=%[2]s/slurmctld.log
SlurmdLogFile=%[2]s/slurmd.log
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0,default_queue_depth=100
SchedulerType=sched/builtin
SlurmdParameters=config_overrides
ReturnToService=2
JobRequeue=1
KillWait=10
MpiDefault=pmix
MinJobAge=300
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=%[5]d State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`, host, dir, ports[0], ports[1], max(2, runtime.NumCPU())), 0o644)
	for _, sub := range []string{"state", "spool"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	os.Setenv("SLURM_CONF", filepath.Join(dir, "slurm.conf")) // Setenv of a test would not have parallel ones below it
	t.Cleanup(func() { os.Unsetenv("SLURM_CONF") })
	at := func(name string) string { return filepath.Join(dir, name) }
	c.daemon("munged", "--foreground", "--force", "--socket", at("munge.socket"), "--key-file", at("munge.key"),
		"--pid-file", at("munged.pid"), "--log-file", at("munged.log"), "--seed-file", at("munged.seed"))
	c.wait("munged", func() bool { _, err := os.Stat(at("munge.socket")); return err == nil })
	c.daemon("slurmctld", "-D", "-f", at("slurm.conf"))
	c.daemon("slurmd", "-D", "-f", at("slurm.conf"))
	c.wait("Slurm", func() bool {
		out, err := exec.Command("sinfo", "--noheader", "--format=%T").Output()
		return err == nil && strings.TrimSpace(string(out)) == "idle"
	})
	t.Cleanup(func() { // jobs outlive the daemons
		_ = exec.Command("scancel", "--me").Run() // fails where there is no job
		for range 150 {
			if out, err := exec.Command("squeue", "--noheader").Output(); err != nil || len(bytes.TrimSpace(out)) == 0 {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Error("jobs stay in the queue")
	})
	return c
}

func (c *cluster) put(name string, data []byte, mode os.FileMode) {
	if err := os.WriteFile(filepath.Join(c.dir, name), data, mode); err != nil {
		c.t.Fatal(err)
	}
}

// daemon starts a program in the foreground and ends it with the test.
func (c *cluster) daemon(program string, args ...string) {
	cmd := exec.Command(program, args...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		c.t.Skipf("%s does not start here: %v", program, err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // of a daemon that is told to end
		close(ended)
	}()
	c.t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
		if c.t.Failed() {
			c.t.Logf("%s said:\n%s", program, said.String())
		}
	})
}

// wait waits until ready, or skips.
func (c *cluster) wait(what string, ready func() bool) {
	for range 150 {
		if ready() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	for _, name := range []string{"munged.log", "slurmctld.log", "slurmd.log"} {
		if data, err := os.ReadFile(filepath.Join(c.dir, name)); err == nil {
			c.t.Logf("%s:\n%s", name, data[max(0, len(data)-2000):])
		}
	}
	c.t.Skipf("%s does not come up here", what)
}

func freePorts(t *testing.T, n int) []int {
	t.Helper()
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Skipf("no ports on the loopback: %v", err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

const slurmDeck = `[analysis]
duration = "1 ms"
step = "1 us"
thickness = "10 mm"
gravity = [0, "-9.81 m/s2"]
[output]
fields_every = 0
history_every = "10 ms"
[[material]]
name = "steel"
young = "210 GPa"
poisson = 0.3
density = "7860 kg/m3"
[[law]]
name = "hard"
model = "linear"
k = "1e11 Pa/m"
[[rigid]]
name = "floor"
shape = "line"
from = ["-1 m", 0]
to = ["1 m", 0]
material = "steel"
[[rigid]]
name = "ball"
shape = "disc"
centre = [0, "55 mm"]
radius = "50 mm"
material = "steel"
fixed = false
[[contact]]
name = "touch"
contactor = "ball"
opposite = "floor"
law = "hard"
`

// Cases 9 and 10 are the same and long.
const slurmStudy = `deck = "ball.toml"
[[parameter]]
name = "duration"
unit = "ms"
values = [1, 2, 3, 4, 5, 6, 7, 8, %[1]d, %[1]d]
set = ["analysis.duration"]
[[collect]]
name = "height"
summary = "bodies.ball.velocity.y"
[[collect]]
name = "steps"
summary = "steps"
`

// A Slurm of one node has a study and a model on two ranks, which runs while the case that is
// queued again waits.
func TestSlurm(t *testing.T) {
	if !cases.All() || testing.Short() {
		t.Skip("starts a Slurm and builds the program twice: go test ./io/study -all -run TestSlurm")
	}
	startCluster(t)
	t.Run("sweep", sweepOnSlurm)
	t.Run("ranks", ranksOnSlurm)
}

// A study of ten cases runs as a job array. The last case is taken off its machine in the
// middle and queued again: it goes on from its checkpoint, and ends with the same bits as the
// case like it that was left alone.
func sweepOnSlurm(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "fdem")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "../../cmd/fdem").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, text := range map[string]string{"ball.toml": slurmDeck, "ten.study.toml": fmt.Sprintf(slurmStudy, 100)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sweep := exec.Command(program, "sweep", "ten.study.toml", "--engine", "slurm", "--quiet")
	sweep.Dir = dir
	var said bytes.Buffer
	sweep.Stdout, sweep.Stderr = &said, &said
	if err := sweep.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- sweep.Wait() }()

	last := filepath.Join(dir, "ten.sweep", "cases", "0010", "out", "history.csv")
	job := ""
	began := time.Now()
	for job == "" {
		if time.Since(began) > 90*time.Second {
			t.Fatalf("case 10 does not start:\n%s", said.String())
		}
		select {
		case err := <-ended:
			t.Fatalf("the study ended before case 10 ran: %v\n%s", err, said.String())
		case <-time.After(50 * time.Millisecond):
		}
		if _, err := os.Stat(last); err != nil {
			continue
		}
		time.Sleep(200 * time.Millisecond) // into the run
		number, err := os.ReadFile(filepath.Join(dir, "ten.sweep", "slurm-job"))
		if err != nil {
			t.Fatal(err)
		}
		job = strings.TrimSpace(string(number))
	}
	if out, err := exec.Command("scontrol", "requeue", job+"_10").CombinedOutput(); err != nil {
		t.Fatalf("scontrol: %v\n%s", err, out)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Fatalf("%v\n%s", err, said.String())
		}
	case <-time.After(120 * time.Second):
		out, err := exec.Command("scontrol", "show", "job").CombinedOutput()
		if kill := sweep.Process.Kill(); kill != nil {
			t.Error(kill)
		}
		t.Fatalf("the study does not end\n%s\n%v\n%s", said.String(), err, out)
	}
	s, err := New(filepath.Join(dir, "ten.study.toml"), filepath.Join(dir, "ten.sweep"))
	if err != nil {
		t.Fatal(err)
	}
	rows := s.Collect()
	for _, r := range rows {
		want := 0
		if r.Number == 10 {
			want = 1
		}
		if r.Status != Done || r.Resumed != want {
			log, err := os.ReadFile(filepath.Join(s.Dir, fmt.Sprintf("slurm-%d.log", r.Number)))
			t.Errorf("case %d is %s (%s) and was resumed %d times, want done and %d\n%s %v", r.Number, r.Status, r.Error, r.Resumed, want, log, err)
		}
	}
	if !slices.Equal(rows[8].Quantities, rows[9].Quantities) {
		t.Errorf("the case that was requeued gives %v, its twin %v", rows[9].Quantities, rows[8].Quantities)
	}
	if table, err := os.ReadFile(filepath.Join(s.Dir, "results.csv")); err != nil || bytes.Count(table, []byte("\n")) != 11 {
		t.Errorf("the table: %v\n%s", err, table)
	}
	t.Logf("ten cases in %.1f s", time.Since(began).Seconds())
}

// One model runs on two ranks by the script of the manual, on one node, with the bits of one.
func ranksOnSlurm(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"srun", "mpicc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is missing: apt install slurm-client openmpi-bin libopenmpi-dev", tool)
		}
	}
	if types, _ := exec.Command("srun", "--mpi=list").CombinedOutput(); !bytes.Contains(types, []byte("pmix")) {
		t.Skipf("this Slurm has no PMIx: %s", types)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "fdem")
	build := exec.Command("go", "build", "-tags", "mpi", "-buildvcs=false", "-ldflags=-s -w", "-o", program, "../../cmd/fdem")
	build.Env = append(os.Environ(), "CGO_ENABLED=1", "CC=mpicc")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	manual, err := os.ReadFile("../../docs/clusters.md")
	if err != nil {
		t.Fatal(err)
	}
	_, script, found := strings.Cut(string(manual), "Under Slurm:\n\n```\n")
	script, _, ended := strings.Cut(script, "```")
	if !found || !ended {
		t.Fatal("docs/clusters.md has no script for Slurm")
	}
	for _, change := range [][2]string{{"--nodes=2", "--nodes=1"}, {"--cpus-per-task=16", "--cpus-per-task=1"}, {"fdem run model.msh", program + " run ball.toml"}} {
		if !strings.Contains(script, change[0]) {
			t.Fatalf("the script of docs/clusters.md has no %q:\n%s", change[0], script)
		}
		script = strings.Replace(script, change[0], change[1], 1)
	}
	for name, text := range map[string]string{"ball.toml": slurmDeck, "job.sh": script} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	one := exec.Command(program, "run", "-q", "ball.toml", "-o", "one.out")
	job := exec.Command("sbatch", "--wait", "--output=job.log", "job.sh")
	for _, c := range []*exec.Cmd{one, job} {
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			log, _ := os.ReadFile(filepath.Join(dir, "job.log")) // none where sbatch refuses
			t.Fatalf("%v: %v\n%s%s", c.Args, err, out, log)
		}
	}
	log, err := os.ReadFile(filepath.Join(dir, "ball.out", "log.txt"))
	if err != nil || !bytes.Contains(log, []byte("2 ranks share")) {
		t.Errorf("not two ranks: %v\n%s", err, log)
	}
	var rows [2][]byte
	for i, out := range []string{"one.out", "ball.out"} {
		if rows[i], err = os.ReadFile(filepath.Join(dir, out, "history.csv")); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(rows[0], rows[1]) {
		t.Error("two ranks give another history than one")
	}
}
