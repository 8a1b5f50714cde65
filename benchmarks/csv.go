package benchmarks

import (
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
	for _, what := range slices.Sorted(maps.Keys(f.PileNs)) {
		rows = append(rows, []string{"pile_ns " + what, "", "1", number(f.PileNs[what])})
	}
	for _, what := range slices.Sorted(maps.Keys(f.FractureNs)) {
		rows = append(rows, []string{"fracture_ns " + what, strconv.Itoa(breakable), "1", number(f.FractureNs[what])})
	}
	for _, v := range []struct {
		name  string
		value float64
	}{
		{"plain_ns", f.PlainNs}, {"damped_step_ns", f.DampedStepNs},
		{"bytes_per_element", f.BytesPerElement}, {"contact_search_ns", f.ContactSearchNs}, {"contact_narrow_ns", f.ContactNarrowNs},
		{"law_kostek_ns", f.LawKostekNs}, {"law_linear_ns", f.LawLinearNs},
		{"sphere_falling_ns", f.SphereFallingNs}, {"sphere_settled_ns", f.SphereSettledNs}, {"sphere_contacts", f.SphereContacts},
		{"sphere_on_mesh_ns", f.SphereOnMeshNs},
		{"static_s", f.StaticS}, {"static_mb", f.StaticMB},
	} {
		rows = append(rows, []string{v.name, "", "", number(v.value)})
	}
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	return w.Error()
}

// Ascending returns the keys of m, which are numbers, in Ascending order.
func Ascending[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		return x - y
	})
	return keys
}
