package main

import (
	"bytes"
	"os"
	"testing"
)

// The measurement in this folder is what the program writes.
func TestMeasurement(t *testing.T) {
	want, err := os.ReadFile("press.csv")
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := write(&got); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Error("press.csv is out of date: go run ./examples/law-fit > examples/law-fit/press.csv")
	}
}
