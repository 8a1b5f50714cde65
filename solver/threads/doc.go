// Package threads: The team of threads that share a step: chunks, helpers, pauses.
package threads
