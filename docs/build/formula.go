package main

import (
	"fmt"
	"regexp"
	"strings"
)

// The registry has formulas as a terminal can show them: 4/3 E* sqrt(R) / d^(3/2). texOf
// converts them to TeX. Factors side by side are a product. A fraction has above the
// stroke all factors back to the last fraction or sign, and below it the factors that
// follow without a space. Words stay words.

// symbols are the names of more than one letter, with their TeX.
var symbols = map[string]string{
	"E*": "E^{*}", "pmax": `p_{\max}`, "Kp": "K_p", "v0": "v_0", "c1": "c_1", "c2": "c_2", "k1": "k_1", "k2": "k_2",
	"eta1": `\eta_1`, "eta2": `\eta_2`, "dt": `\,\mathrm{d}t`, "dz": `\,\mathrm{d}z`,
	"radius": `\mathrm{radius}`, "modulus": `\mathrm{modulus}`, "mass": `\mathrm{mass}`, "stiffness": `\mathrm{stiffness}`, "exponent": `\mathrm{exponent}`,
}

func init() {
	for _, g := range strings.Fields("alpha beta chi delta epsilon eta mu nu omega phi pi psi sigma theta xi") {
		symbols[g] = `\` + g
	}
}

// signs are operators, and signs that separate clauses.
var signs = map[string]string{
	"+": "+", "-": "-", "=": "=", "<": "<", ">": ">", "<=": `\le`, ">=": `\ge`, ",": `,\quad`, ";": `;\quad`, ":": `:\quad`,
}

// tokens matches the tokens of a formula: numbers, names with an index, words, signs.
var tokens = regexp.MustCompile(`^(?:\d+(?:\.\d+)?|[A-Za-z]+_[A-Za-z0-9]+(?:,max)?|E\*|[A-Za-z]+[0-9]?(?:'s\b)?|<=|>=|[-+=<>,;:/^()|])`)

// token is a token of a formula; joined means that no space is before it.
type token struct {
	text   string
	joined bool
}

func cut(formula string) ([]token, error) {
	var out []token
	for joined := true; formula != ""; {
		if rest := strings.TrimLeft(formula, " "); rest != formula {
			formula, joined = rest, false
			continue
		}
		m := tokens.FindString(formula)
		if m == "" {
			return nil, fmt.Errorf("formula: %q is not a token of a formula", formula)
		}
		out = append(out, token{m, joined})
		formula, joined = formula[len(m):], true
	}
	return out, nil
}

// setter reads tokens and writes TeX.
type setter struct {
	tokens []token
	at     int
	open   bool // a bracket was not closed
}

func texOf(formula string) (string, error) {
	p, err := cut(formula)
	if err != nil {
		return "", err
	}
	s := setter{tokens: p}
	out := s.sequence("")
	if s.at < len(p) {
		return "", fmt.Errorf("formula: %q closes no bracket", p[s.at].text)
	}
	if s.open {
		return "", fmt.Errorf("formula: %s: a bracket is not closed", formula)
	}
	return out, nil
}

func (s *setter) peek() string {
	if s.at < len(s.tokens) {
		return s.tokens[s.at].text
	}
	return ""
}

// factor is a factor of a product; bare is the contents of its round brackets.
type factor struct{ tex, bare string }

func (f factor) plain() string {
	if f.bare != "" {
		return f.bare
	}
	return f.tex
}

// sequence reads up to the end: a closing bracket or bar.
func (s *setter) sequence(end string) string {
	var out strings.Builder
	var product []factor
	first := 0 // of the factors above a stroke
	flush := func() {
		for _, f := range product {
			out.WriteString(f.tex + " ")
		}
		product, first = nil, 0
	}
	for s.at < len(s.tokens) {
		t := s.peek()
		switch sign, ok := signs[t]; {
		case t == ")" || t == end && end != "":
			flush()
			return strings.TrimSpace(out.String())
		case t == "/" && len(product) > first:
			s.at++
			above := product[first:]
			top := above[0].plain()
			if len(above) > 1 {
				top = ""
				for _, f := range above {
					top += f.tex + " "
				}
			}
			product = append(product[:first], factor{tex: `\frac{` + strings.TrimSpace(top) + "}{" + s.tight() + "}"})
			first = len(product)
		case ok:
			s.at++
			flush()
			out.WriteString(sign + " ")
		case s.word():
			flush()
			words := ""
			for s.at < len(s.tokens) && s.word() {
				words += " " + s.peek()
				s.at++
			}
			out.WriteString(`\text{` + words + ` } `)
		default:
			product = append(product, s.factor())
		}
	}
	flush()
	return strings.TrimSpace(out.String())
}

// word tells whether the next token is part of a sentence: letters that are no
// symbol, function or variable.
func (s *setter) word() bool {
	t := s.peek()
	if _, known := symbols[t]; known || len(t) < 2 || t[0] < 'A' || strings.Contains(t, "_") || functions[t] || t == "integral" {
		return t == "a" && s.at+1 < len(s.tokens) && !s.tokens[s.at+1].joined && (&setter{tokens: s.tokens, at: s.at + 1}).word()
	}
	return true
}

var functions = map[string]bool{"exp": true, "ln": true, "cos": true, "sqrt": true}

// tight reads factors without a space between them, a denominator.
func (s *setter) tight() string {
	f := s.factor()
	if s.at >= len(s.tokens) || !s.tokens[s.at].joined || !s.startsFactor() {
		return f.plain()
	}
	out := f.tex
	for s.at < len(s.tokens) && s.tokens[s.at].joined && s.startsFactor() {
		out += " " + s.factor().tex
	}
	return out
}

func (s *setter) startsFactor() bool {
	t := s.peek()
	_, sign := signs[t]
	return t != "" && !sign && t != "/" && t != ")" && t != "^" && t != "|"
}

// factor reads one factor with its power.
func (s *setter) factor() factor {
	t := s.peek()
	s.at++
	var f factor
	switch {
	case t == "(":
		inner := s.sequence(")")
		s.open = s.open || s.peek() != ")"
		s.at++
		f = factor{`\left(` + inner + `\right)`, inner}
		if s.peek() == "+" && s.tokens[s.at].joined && (s.at+1 == len(s.tokens) || s.tokens[s.at+1].text == "," || s.tokens[s.at+1].text == ")") {
			s.at++
			f = factor{tex: f.tex + "_{+}"}
		}
	case t == "|":
		inner := s.sequence("|")
		s.open = s.open || s.peek() != "|"
		s.at++
		f = factor{tex: `\left|` + inner + `\right|`}
	case t == "sqrt":
		f = factor{tex: `\sqrt{` + s.factor().plain() + "}"}
	case functions[t]:
		f = factor{tex: `\` + t + s.power()}
		f.tex += " " + s.factor().tex
	case t == "integral":
		if s.peek() == "of" {
			s.at++
		}
		f = factor{tex: `\int`}
	default:
		f = factor{tex: name(t)}
	}
	if p := s.power(); p != "" {
		if strings.HasSuffix(f.tex, "^{*}") {
			return factor{tex: strings.TrimSuffix(f.tex, "}") + p[len("^{"):]}
		}
		return factor{tex: f.tex + p}
	}
	return f
}

// power reads an exponent, if there is one.
func (s *setter) power() string {
	if s.peek() != "^" {
		return ""
	}
	s.at++
	minus := ""
	if s.peek() == "-" {
		s.at++
		minus = "-"
	}
	if s.peek() == "(" {
		return "^{" + minus + strings.ReplaceAll(s.factor().plain(), `\frac`, `\tfrac`) + "}"
	}
	t := s.peek()
	s.at++
	return "^{" + minus + name(t) + "}"
}

// name writes a number or a variable with its index.
func name(t string) string {
	if tex, ok := symbols[t]; ok {
		return tex
	}
	letter, index, ok := strings.Cut(t, "_")
	if !ok {
		return t
	}
	if len(index) > 1 || strings.ContainsAny(index, "0123456789") {
		index = `\mathrm{` + index + "}"
	}
	return name(letter) + "_{" + index + "}"
}
