//go:build !amd64

package fem

func kernels() []kernel { return []kernel{generic} }
