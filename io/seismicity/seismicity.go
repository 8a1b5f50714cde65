// Package seismicity has the statistics of magnitudes of acoustic emission (seismic
// events): the frequency-magnitude distribution of Gutenberg and Richter, its magnitude of
// completeness and its b-value.
package seismicity

import (
	"math"
	"slices"

	"fdem/materials/elementary"
)

// Bin is the width of the classes of magnitudes.
const Bin = 0.1

// MinEvents is the least number of events for a b-value.
const MinEvents = 10

// Distribution is log10 N = a - b M, with N the number of events of magnitude M or
// more.
type Distribution struct {
	B            float64
	Error        float64 // standard deviation of B
	A            float64
	Completeness float64 // Mc, above which the law holds
	Events       int     // of magnitude Mc or more
}

// Fit returns the distribution of magnitudes. ok is false if fewer than MinEvents are at or
// above the magnitude of completeness, or if all are in one class. Numbers that are not
// finite are left out.
//
// The magnitude of completeness is that of the fullest class, the least of several
// (maximum curvature: S. Wiemer, M. Wyss, Bull. Seismol. Soc. Am. 90 (2000) 859), and
//
//	b = log10 e/(mean M - (Mc - Bin/2)),  M >= Mc
//
// by maximum likelihood (K. Aki, Bull. Earthquake Res. Inst. 43 (1965) 237; T. Utsu,
// J. Fac. Sci. Hokkaido Univ. 3 (1966) 1, for classes). Its standard deviation is that of Y.
// Shi, B. A. Bolt, Bull. Seismol. Soc. Am. 72 (1982) 1677.
func Fit(magnitudes []float64) (d Distribution, ok bool) {
	classes := classesOf(magnitudes)
	if len(classes) == 0 {
		return d, false
	}
	fullest, most := classes[0], 0
	for i := 0; i < len(classes); {
		j := i
		for j < len(classes) && classes[j] == classes[i] {
			j++
		}
		if j-i > most {
			fullest, most = classes[i], j-i
		}
		i = j
	}
	first, _ := slices.BinarySearch(classes, fullest)
	classes = classes[first:]
	n := float64(len(classes))
	if len(classes) < MinEvents || classes[0] == classes[len(classes)-1] {
		return d, false
	}
	mean, square := 0.0, 0.0
	for _, k := range classes {
		mean += float64(k)
	}
	mean /= n
	for _, k := range classes {
		square += float64((float64(k) - mean) * (float64(k) - mean))
	}
	d.Completeness, d.Events = float64(fullest)*Bin, len(classes)
	d.B = 1 / (math.Ln10 * Bin * (mean - float64(fullest) + 0.5))
	d.Error = math.Ln10 * d.B * d.B * Bin * math.Sqrt(square/(n*(n-1)))
	d.A = elementary.Log(n)/math.Ln10 + float64(d.B*d.Completeness)
	return d, true
}

// classesOf returns the classes of magnitudes, ascending: multiples of Bin.
func classesOf(magnitudes []float64) (out []int) {
	for _, m := range magnitudes {
		if k := math.Floor(m/Bin + 0.5); !math.IsNaN(k) && math.Abs(k) < 1e9 {
			out = append(out, int(k))
		}
	}
	slices.Sort(out)
	return out
}

// Counts returns the classes from the least to the greatest, with the number of events in
// each class, and in this class or a greater one.
func Counts(magnitudes []float64) (m []float64, own, atLeast []int) {
	classes := classesOf(magnitudes)
	if len(classes) == 0 {
		return nil, nil, nil
	}
	low := classes[0]
	own = make([]int, classes[len(classes)-1]-low+1)
	for _, k := range classes {
		own[k-low]++
	}
	m, atLeast = make([]float64, len(own)), make([]int, len(own))
	sum := 0
	for i := len(own) - 1; i >= 0; i-- {
		sum += own[i]
		m[i], atLeast[i] = float64(low+i)*Bin, sum
	}
	return m, own, atLeast
}
