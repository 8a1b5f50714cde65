// Command pictures draws the pictures of the example into a folder.
//
//	go run ./examples/sphere-chain/pictures examples/sphere-chain
package main

import (
	"fmt"
	"os"
	"path/filepath"

	spherechain "fdem/examples/sphere-chain"
	"fdem/io/view"
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
	var peaks, waves []view.Curve
	for _, law := range []struct{ name, deck string }{
		{"Hertz", spherechain.Hertz}, {"Tsuji, restitution 0.97", spherechain.Tsuji}, {"eq. (55), restitution 0.97", spherechain.Eq55},
	} {
		w, err := spherechain.Run(law.deck)
		if err != nil {
			return err
		}
		peak, wave := view.Curve{Name: law.name}, view.Curve{Name: law.name}
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
	if err := (&view.Diagram{Title: "Greatest speed of each sphere", X: "sphere", Y: "speed, m/s", LegendLeft: false, Curves: peaks}).Save(filepath.Join(dir, "attenuation.png"), "png"); err != nil {
		return err
	}
	return (&view.Diagram{Title: "The wave passes sphere 30", X: "time, ms", Y: "speed, m/s", LegendLeft: false, Curves: waves}).Save(filepath.Join(dir, "wave.png"), "png")
}
