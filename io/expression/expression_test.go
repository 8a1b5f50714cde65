package expression_test

import (
	"math"
	"strings"
	"testing"

	"fdem/io/expression"
)

func TestValues(t *testing.T) {
	for text, want := range map[string]float64{
		"1/2":                          0.5,
		"7 % 4":                        3,
		"2**63":                        math.Exp2(63),
		"2^-1":                         0.5,
		"-2^2":                         -4,
		"9223372036854775807 + 1":      math.Exp2(63),
		"123456789012345678901234":     123456789012345678901234,
		"-2e3 * min(t/0.01, 1)":        -1000,
		"t < 0.01 ? 3 : 4":             3,
		"t < 0.01 and x > 1 ? 3: 4":    3,
		"!(t < 0.01) || x == 7 ? 3: 4": 4,
		"max(1, x, 2, t)":              2,
		"sin(pi/2) + cos(0)":           2,
		"atan2(1, 1)*4 - pi":           0,
		"hypot(3, 4) + abs(-1)":        6,
		"log10(1000)":                  3,
		"round(1.5) + floor(-0.5)":     1,
		"sqrt(x)/0":                    math.Inf(1),
		"x - -x":                       4,
	} {
		e, err := expression.Compile(text, []string{"t", "x"})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := e.Value([]float64{0.005, 2}); math.Abs(got-want) > 1e-12*math.Abs(want) && got != want {
			t.Errorf("%q is %g, want %g", text, got, want)
		}
	}
}

// Text that is not arithmetic is refused, with the reason.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "it is empty",
		"1 +":                           "it ends too early",
		"t > 1":                         "t > 1 is true or false",
		"t ? 1 : 2":                     "a condition must be a comparison",
		"foo * 2":                       "there is no foo; there are t, pi, sin",
		"now().Unix()":                  "",
		"now()":                         "there is no now;",
		`len("abc")`:                    "there is no len;",
		`"abc"`:                         "it contains a text",
		"[1, 2][0]":                     "",
		"{a: 1}":                        "it contains a list",
		"1..5":                          "there is no operator ..",
		"reduce(1..9, #acc + #, 0)":     "there is no reduce;",
		"map([1], # * 2)[0]":            "",
		"sum(1..1000000000)":            "there is no sum;",
		"let a = 1; a + t":              "a single expression",
		"t; 1":                          "a single expression",
		"t in [1, 2] ? 1 : 2":           "there is no operator in",
		"nil ?? 1":                      "there is no operator ??",
		"sin":                           "sin is a function",
		"sin()":                         "sin needs one number, got 0",
		"sin(1, 2)":                     "sin needs one number, got 2",
		"min(1)":                        "at least two numbers",
		"t(1)":                          "takes no brackets",
		"env":                           "",
		"$env":                          "",
		"t.x":                           "",
		"t | sin":                       "",
		`date("2020-01-01").Year()`:     "",
		"1e999":                         "too large a number",
		strings.Repeat("(", 101):        "brackets",
		strings.Repeat("-", 101):        "signs",
		strings.Repeat("t+", 600) + "t": "at most 1000",
		strings.Repeat(" ", 10_001):     "too long",
	} {
		e, err := expression.Compile(text, []string{"t"})
		if err == nil {
			t.Errorf("%.40q is taken, %g", text, e.Value([]float64{1}))
		} else if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, text := range []string{"-2e3 * min(t/0.01, 1)", "t < 1 ? x : y", "a.b(1)", "1..2", "#", "`a`", "let a=1;a", "0x1F", "1_000", "if t < 1 {2} else {3}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := expression.Compile(text, []string{"t", "x", "y"})
		if err == nil {
			e.Value([]float64{1, 2, 3})
			e.Value([]float64{math.NaN(), 0, math.Inf(-1)})
		}
	})
}
