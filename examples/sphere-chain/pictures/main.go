// Command pictures draws the pictures of the example into a folder.
//
//	go run ./examples/sphere-chain/pictures examples/sphere-chain
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"fdem/examples/scenes/chart"
	spherechain "fdem/examples/sphere-chain"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pictures FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir string) error {
	var peaks, waves []chart.Curve
	for _, law := range []struct{ name, text string }{
		{"Hertz", spherechain.Hertz}, {"Tsuji, restitution 0.97", spherechain.Tsuji}, {"eq. (55), restitution 0.97", spherechain.Eq55},
	} {
		w, err := spherechain.Run(law.text)
		if err != nil {
			return err
		}
		peak, wave := chart.Curve{Name: law.name}, chart.Curve{Name: law.name}
		for i := 1; i <= 60; i++ {
			if w.Peak[i] > 0 {
				peak.X, peak.Y = append(peak.X, float64(i)), append(peak.Y, w.Peak[i])
			}
		}
		for i, t := range w.Time {
			wave.X, wave.Y = append(wave.X, 1e3*t), append(wave.Y, w.Probe[i])
		}
		peaks, waves = append(peaks, peak), append(waves, wave)
	}
	if err := chart.Draw(filepath.Join(dir, "attenuation.png"), "Greatest speed of each sphere", "sphere", "speed, m/s", false, peaks...); err != nil {
		return err
	}
	return chart.Draw(filepath.Join(dir, "wave.png"), "The wave passes sphere 30", "time, ms", "speed, m/s", false, waves...)
}
