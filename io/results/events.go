package results

import (
	"math"
	"strconv"

	"fdem/fem/fracture"
	"fdem/io/seismicity"
	"fdem/solver"
	"fdem/solver/cracks"
	"fdem/solver/quantity"
)

// The lists beside the frames of cracks: edges that opened, edges that broke, and acoustic
// events, each of several edges that broke together.
const (
	insertionsName = "insertions.csv"
	eventsName     = "events.csv"
	clustersName   = "clusters.csv"
)

// list is a file of a table.
type list struct {
	name string
	data []byte
}

// EventSummary is the acoustic emission of a run.
type EventSummary struct {
	Breakages int      `json:"breakages"`
	Clusters  int      `json:"clusters"`
	Kinetic   float64  `json:"kinetic_released"`             // by all breakages [J]
	Magnitude *float64 `json:"greatest_magnitude,omitempty"` // of an event
	// Of the magnitudes of the events; nil if there are too few.
	B            *float64 `json:"b_value,omitempty"`
	BError       *float64 `json:"b_value_error,omitempty"`
	Completeness *float64 `json:"completeness_magnitude,omitempty"`
}

// eventSummary returns the summary, nil if nothing can break.
func (r *Writer) eventSummary() *EventSummary {
	if r.solver.Cracks() == nil {
		return nil
	}
	breakages, clusters := r.solver.Clusters()
	sum := &EventSummary{Breakages: len(breakages), Clusters: len(clusters)}
	var magnitudes []float64
	greatest := math.Inf(-1)
	for i := range clusters {
		sum.Kinetic += clusters[i].Kinetic
		if m := clusters[i].Moment.Magnitude(); !math.IsNaN(m) {
			magnitudes, greatest = append(magnitudes, m), max(greatest, m)
		}
	}
	sum.Kinetic = number(sum.Kinetic)
	if len(magnitudes) > 0 {
		sum.Magnitude = &greatest
	}
	if d, ok := seismicity.Fit(magnitudes); ok {
		sum.B, sum.BError, sum.Completeness = &d.B, &d.Error, &d.Completeness
	}
	return sum
}

// column is a column of a list.
type column[T any] struct {
	of    *quantity.Quantity
	value func(*T) float64
}

func of(name string) *quantity.Quantity { return quantity.Must(quantity.Event, name) }

var ofInsertions = []column[fracture.Insertion]{
	{of("time"), func(e *fracture.Insertion) float64 { return e.InsertedAt }},
	{of("x"), func(e *fracture.Insertion) float64 { return e.Position.X }},
	{of("y"), func(e *fracture.Insertion) float64 { return e.Position.Y }},
	{of("energy"), func(e *fracture.Insertion) float64 { return e.Energy }},
	{of("mode"), func(e *fracture.Insertion) float64 { return e.Mode }},
	{of("length"), func(e *fracture.Insertion) float64 { return e.Length }},
	{of("broken_at"), func(e *fracture.Insertion) float64 { return e.BrokenAt }},
}

var ofEvents = append([]column[cracks.Breakage]{
	{of("time"), func(e *cracks.Breakage) float64 { return e.Time }},
	{of("x"), func(e *cracks.Breakage) float64 { return e.Position.X }},
	{of("y"), func(e *cracks.Breakage) float64 { return e.Position.Y }},
	{of("energy"), func(e *cracks.Breakage) float64 { return e.Energy }},
	{of("mode"), func(e *cracks.Breakage) float64 { return e.Mode }},
	{of("length"), func(e *cracks.Breakage) float64 { return e.Length }},
	{of("inserted_at"), func(e *cracks.Breakage) float64 { return e.InsertedAt }},
	{of("kinetic"), func(e *cracks.Breakage) float64 { return e.Kinetic }},
	{of("cluster"), func(e *cracks.Breakage) float64 { return float64(e.Cluster) }},
}, moments(func(e *cracks.Breakage) *cracks.Moment { return &e.Moment })...)

var ofClusters = append([]column[cracks.Cluster]{
	{of("time"), func(e *cracks.Cluster) float64 { return e.Time }},
	{of("x"), func(e *cracks.Cluster) float64 { return e.Position.X }},
	{of("y"), func(e *cracks.Cluster) float64 { return e.Position.Y }},
	{of("energy"), func(e *cracks.Cluster) float64 { return e.Energy }},
	{of("mode"), func(e *cracks.Cluster) float64 { return e.Mode }},
	{of("length"), func(e *cracks.Cluster) float64 { return e.Length }},
	{of("duration"), func(e *cracks.Cluster) float64 { return e.Duration }},
	{of("kinetic"), func(e *cracks.Cluster) float64 { return e.Kinetic }},
	{of("edges"), func(e *cracks.Cluster) float64 { return float64(e.Edges) }},
}, moments(func(e *cracks.Cluster) *cracks.Moment { return &e.Moment })...)

// moments are the columns of a moment tensor.
func moments[T any](m func(*T) *cracks.Moment) []column[T] {
	return []column[T]{
		{of("mxx"), func(e *T) float64 { return m(e).XX }},
		{of("myy"), func(e *T) float64 { return m(e).YY }},
		{of("mxy"), func(e *T) float64 { return m(e).XY }},
		{of("mzz"), func(e *T) float64 { return m(e).ZZ }},
		{of("moment"), func(e *T) float64 { return m(e).Scalar() }},
		{of("magnitude"), func(e *T) float64 { return m(e).Magnitude() }},
	}
}

// eventLists makes the lists of this instant.
func eventLists(s *solver.Solver) []list {
	breakages, clusters := s.Clusters()
	return []list{
		{insertionsName, tableOf(ofInsertions, s.Cracks().Insertions())},
		{eventsName, tableOf(ofEvents, breakages)},
		{clustersName, tableOf(ofClusters, clusters)},
	}
}

// tableOf returns rows as CSV, with NaN for missing numbers.
func tableOf[T any](columns []column[T], rows []T) (out []byte) {
	for k, c := range columns {
		if k > 0 {
			out = append(out, ',')
		}
		out = append(out, c.of.Name...)
	}
	out = append(out, '\n')
	for i := range rows {
		for k, c := range columns {
			if k > 0 {
				out = append(out, ',')
			}
			out = strconv.AppendFloat(out, c.value(&rows[i]), 'g', -1, 64)
		}
		out = append(out, '\n')
	}
	return out
}
