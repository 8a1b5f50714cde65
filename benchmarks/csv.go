package benchmarks

import (
	"cmp"
	"encoding/csv"
	"io"
	"maps"
	"slices"
	"strconv"
)

// WriteCSV writes one figure a row: what, triangles, workers, value; and what
// the figures are of in rows before them.
func (f *Figures) WriteCSV(out io.Writer) error {
	w := csv.NewWriter(out)
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
	rows := [][]string{
		{"figure", "triangles", "workers", "value"},
		{"processor", "", "", f.Processor},
		{"system", "", "", f.System},
		{"cores", "", "", strconv.Itoa(f.Cores)},
		{"kernel", "", "", f.Kernel},
		{"version", "", "", f.Version},
		{"commit", "", "", f.Commit},
		{"date", "", "", f.Date},
		{"remark", "", "", f.Remark},
		{"stolen", "", "", number(f.Stolen)},
	}
	byWorkers := func(name, triangles string, values map[string]float64) {
		for _, workers := range Ascending(values) {
			rows = append(rows, []string{name, triangles, workers, number(values[workers])})
		}
	}
	for _, t := range []struct {
		name   string
		values map[string]map[string]float64
	}{
		{"element_step_ns", f.ElementStepNs}, {"element_step_generic_ns", f.ElementStepGenericNs}, {"bandwidth_fraction", f.BandwidthFraction},
	} {
		for _, triangles := range Ascending(t.values) {
			byWorkers(t.name, triangles, t.values[triangles])
		}
	}
	byWorkers("beside_busy_ns", strconv.Itoa(elements), f.BesideBusyNs)
	byWorkers("step_overhead_us", "", f.StepOverheadUs)
	byWorkers("bandwidth_gbs", "", f.BandwidthGBs)
	byWorkers("fields_slowdown", strconv.Itoa(fieldsTriangles), f.FieldsSlowdown)
	byWorkers("singles_slowdown", strconv.Itoa(fieldsTriangles), f.SinglesSlowdown)
	for _, triangles := range Ascending(f.MeetingNs) {
		rows = append(rows, []string{"meeting_ns", triangles, "1", number(f.MeetingNs[triangles])})
	}
	for _, what := range slices.Sorted(maps.Keys(f.LawStepNs)) {
		rows = append(rows, []string{"law_step_ns " + what, strconv.Itoa(elements), "1", number(f.LawStepNs[what])},
			[]string{"law_bytes " + what, strconv.Itoa(elements), "", number(f.LawBytes[what])})
	}
	for _, what := range slices.Sorted(maps.Keys(f.PileNs)) {
		rows = append(rows, []string{"pile_ns " + what, "", "1", number(f.PileNs[what])})
	}
	for _, what := range slices.Sorted(maps.Keys(f.FractureNs)) {
		rows = append(rows, []string{"fracture_ns " + what, strconv.Itoa(breakable), "1", number(f.FractureNs[what])})
	}
	for _, v := range f.single() {
		rows = append(rows, []string{v.name, "", "", number(*v.value)})
	}
	return w.WriteAll(rows)
}

// Ascending returns the keys of m, which are whole numbers, in ascending order.
func Ascending[V any](m map[string]V) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}
