package ranks

import "slices"

// Each returns the value of every process, by rank.
func Each(v int64) []int64 {
	all := make([]int64, Size)
	all[Rank] = v
	Gather(all, NewLayout[int64](slices.Repeat([]int{1}, Size)))
	return all
}

// First gives every process the list of the first.
func First[T any](list []T) []T {
	n := int(Each(int64(len(list)))[0])
	if Rank > 0 {
		list = slices.Grow(list[:0], n)[:n]
	}
	counts := make([]int, Size)
	counts[0] = n
	Gather(list, NewLayout[T](counts))
	return list
}

// Join returns the lists of all processes, one after the other.
func Join(list []int32) []int32 {
	counts, before, sum := make([]int, Size), 0, 0
	for i, n := range Each(int64(len(list))) {
		counts[i] = int(n)
		if i < Rank {
			before += int(n)
		}
		sum += int(n)
	}
	all := make([]int32, sum)
	copy(all[before:], list)
	Gather(all, NewLayout[int32](counts))
	return all
}
