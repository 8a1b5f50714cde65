package view

import (
	"fmt"
	"image/color"
	"math"
	"strings"
)

// Colour maps by evenly spaced stops: viridis (matplotlib, CC0) and a
// blue-white-red whose middle is light; for cracks red, violet and blue, which the
// most used parts of these maps do not have; for fragments all hues, equally light.
var (
	sequential = []uint32{0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725}
	diverging  = []uint32{0x2a4fa8, 0x5b86d6, 0xa0bfec, 0xe6e6e6, 0xf0b296, 0xd96a55, 0xa41a2c}
	warmToCold = []uint32{0xff2d1a, 0xd02ec4, 0x2456ff}
	hues       = []uint32{0xd98880, 0xe59866, 0xf0c75e, 0xb7c76b, 0x7dbf8a, 0x73bfb8, 0x7fb3d5, 0x8e9fd6, 0xb49ac9, 0xd48fb5, 0xd98880}
)

// colourAt returns the colour of a map at u from 0 to 1; magenta for NaN.
func colourAt(stops []uint32, u float64) color.RGBA {
	if math.IsNaN(u) {
		return color.RGBA{0xff, 0, 0xff, 0xff}
	}
	u = max(0, min(1, u)) * float64(len(stops)-1)
	i := min(int(u), len(stops)-2)
	mix := func(shift uint) uint8 {
		a, b := float64(stops[i]>>shift&0xff), float64(stops[i+1]>>shift&0xff)
		return uint8(math.Round(a + float64((u-float64(i))*(b-a))))
	}
	return color.RGBA{mix(16), mix(8), mix(0), 0xff}
}

func hexMap(stops []uint32) string {
	var b strings.Builder
	for i := range 256 {
		c := colourAt(stops, float64(i)/255)
		fmt.Fprintf(&b, "%02x%02x%02x", c.R, c.G, c.B)
	}
	return b.String()
}
