// Package expression compiles arithmetic expressions of named numbers, such as "-2e3 *
// min(t/0.01, 1)", and evaluates them with the same bits on every machine. The grammar is
// that of the library expr, limited to arithmetic: numbers, names, + - * / % ^,
// comparisons, and, or, not, condition ? value : other, and Functions. Every number is a
// float64. There are no clock, texts, lists, loops or state.
package expression

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"fdem/materials/elementary"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
)

// Limits of an expression, so that reading it ends.
const (
	longest  = 10_000 // bytes
	deepest  = 100    // depth of brackets, or signs in a row
	maxTerms = 1000   // numbers, names, operators and functions
)

// Expression is a compiled expression.
type Expression struct {
	Text  string
	value number
}

// Value evaluates the expression for the values of its names, in the order given to
// Compile. A root of a negative number is NaN, and a division by zero is infinite or
// NaN.
func (e *Expression) Value(args []float64) float64 { return e.value(args) }

// Compile compiles an expression of names. It fails for a text that is not an expression
// or that is true or false instead of a number, for unknown names and functions, and for
// an expression that is too long or too deep. The message does not repeat the text.
func Compile(text string, names []string) (*Expression, error) {
	if err := bounded(text); err != nil {
		return nil, err
	}
	tree, err := parser.Parse(wholes.ReplaceAllString(text, "${1}${2}.0${3}"))
	if err != nil {
		return nil, misread(text, err)
	}
	c := compiler{names: names}
	v, err := c.number(tree.Node)
	if err != nil {
		return nil, err
	}
	return &Expression{text, v}, nil
}

// wholes finds whole numbers with more digits than the parser allows.
var wholes = regexp.MustCompile(`(^|[^0-9A-Za-z_.])([0-9]{16,})($|[^0-9A-Za-z_.])`)

// misread returns an error of the parser in plain words.
func misread(text string, err error) error {
	said, _, _ := strings.Cut(err.Error(), "\n")
	if i := strings.LastIndex(said, " ("); i > 0 { // the position within the text
		said = said[:i]
	}
	switch {
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("it is empty")
	case strings.Contains(said, "value out of range"):
		return fmt.Errorf("it contains too large a number")
	case said == "unexpected token EOF", strings.HasPrefix(said, "unexpected end of expression"):
		return fmt.Errorf("it ends too early")
	}
	return fmt.Errorf("%s", said)
}

// bounded returns an error for an expression that is too deep for the parser, which is
// recursive in brackets and signs.
func bounded(text string) error {
	if len(text) > longest {
		return fmt.Errorf("an expression of %d letters is too long, at most %d", len(text), longest)
	}
	for _, comment := range [...]string{"//", "/*"} {
		if strings.Contains(text, comment) {
			return fmt.Errorf("%q begins a comment, and an expression has no comments; for whole parts use floor(a/b)", comment)
		}
	}
	depth, row := 0, 0
	for _, r := range text {
		switch {
		case strings.ContainsRune("([{?", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth--
		}
		switch {
		case strings.ContainsRune("+-!^*", r):
			row++
		case !strings.ContainsRune(" \t\n", r):
			row = 0
		}
		if depth > deepest {
			return fmt.Errorf("an expression may have at most %d nested brackets", deepest)
		}
		if row > deepest {
			return fmt.Errorf("an expression may have at most %d signs in a row", deepest)
		}
	}
	return nil
}

// Functions returns the functions that an expression may call, for messages and
// manual.
func Functions() []string {
	out := make([]string, len(functions))
	for i, f := range functions {
		out[i] = f.name
	}
	return out
}

// function is a function of one number, of two, or of two or more, taken pair by pair.
type function struct {
	name string
	one  func(a float64) float64
	two  func(a, b float64) float64
	more bool
}

var functions = []function{
	{name: "sin", one: elementary.Sin}, {name: "cos", one: elementary.Cos}, {name: "tan", one: elementary.Tan},
	{name: "asin", one: elementary.Asin}, {name: "acos", one: elementary.Acos},
	{name: "atan", one: func(a float64) float64 { return elementary.Atan2(a, 1) }}, {name: "atan2", two: elementary.Atan2},
	{name: "exp", one: elementary.Exp}, {name: "log", one: elementary.Log},
	{name: "log10", one: func(a float64) float64 { return elementary.Log(a) / math.Ln10 }},
	{name: "sqrt", one: math.Sqrt}, {name: "pow", two: elementary.Pow}, {name: "hypot", two: elementary.Hypot},
	{name: "abs", one: math.Abs}, {name: "floor", one: math.Floor}, {name: "ceil", one: math.Ceil}, {name: "round", one: math.Round},
	{name: "min", two: math.Min, more: true}, {name: "max", two: math.Max, more: true},
}

// number and truth are compiled parts of an expression. They must not change
// args.
type (
	number func(args []float64) float64
	truth  func(args []float64) bool
)

// compiler makes closures of the nodes of a parsed expression.
type compiler struct {
	names []string
	nodes int
}

func (c *compiler) count() error {
	if c.nodes++; c.nodes > maxTerms {
		return fmt.Errorf("an expression may have at most %d numbers, names, operators and functions", maxTerms)
	}
	return nil
}

// number compiles a node that must be a number.
func (c *compiler) number(n ast.Node) (number, error) {
	if err := c.count(); err != nil {
		return nil, err
	}
	switch n := n.(type) {
	case *ast.IntegerNode:
		v := float64(n.Value)
		return func([]float64) float64 { return v }, nil
	case *ast.FloatNode:
		v := n.Value
		return func([]float64) float64 { return v }, nil
	case *ast.IdentifierNode:
		return c.name(n.Value)
	case *ast.UnaryNode:
		if n.Operator == "-" || n.Operator == "+" {
			v, err := c.number(n.Node)
			if err != nil || n.Operator == "+" {
				return v, err
			}
			return func(args []float64) float64 { return -v(args) }, nil
		}
	case *ast.BinaryNode:
		if f := arithmetic(n.Operator); f != nil {
			return c.binary(n, f)
		}
	case *ast.ConditionalNode:
		return c.choice(n)
	case *ast.BuiltinNode:
		return c.call(n.Name, n.Arguments)
	case *ast.CallNode:
		if f, ok := n.Callee.(*ast.IdentifierNode); ok {
			return c.call(f.Value, n.Arguments)
		}
	}
	if logical(n) {
		return nil, fmt.Errorf("%s is true or false, not a number: write condition ? value : other", n)
	}
	return nil, refuseUnknown(n)
}

// name compiles the value of a name.
func (c *compiler) name(name string) (number, error) {
	if k := slices.Index(c.names, name); k >= 0 {
		return func(args []float64) float64 { return args[k] }, nil
	}
	if name == "pi" {
		return func([]float64) float64 { return math.Pi }, nil
	}
	for _, f := range functions {
		if f.name == name {
			return nil, fmt.Errorf("%s is a function: write %s(...)", name, name)
		}
	}
	return nil, c.unknown(name)
}

// unknown returns an error that lists the known names.
func (c *compiler) unknown(name string) error {
	const few = 12
	there := slices.Concat(c.names[:min(few, len(c.names))], []string{"pi"}, Functions())
	return fmt.Errorf("there is no %s; there are %s", name, strings.Join(there, ", "))
}

// arithmetic returns the function of an operator between numbers, nil for others.
func arithmetic(operator string) func(a, b float64) float64 {
	switch operator {
	case "+":
		return func(a, b float64) float64 { return a + b }
	case "-":
		return func(a, b float64) float64 { return a - b }
	case "*":
		return func(a, b float64) float64 { return a * b }
	case "/":
		return func(a, b float64) float64 { return a / b }
	case "%":
		return math.Mod
	case "^", "**":
		return elementary.Pow
	}
	return nil
}

func (c *compiler) binary(n *ast.BinaryNode, f func(a, b float64) float64) (number, error) {
	a, err := c.number(n.Left)
	if err != nil {
		return nil, err
	}
	b, err := c.number(n.Right)
	if err != nil {
		return nil, err
	}
	return func(args []float64) float64 { return f(a(args), b(args)) }, nil
}

func (c *compiler) choice(n *ast.ConditionalNode) (number, error) {
	yes, err := c.truth(n.Cond)
	if err != nil {
		return nil, err
	}
	a, err := c.number(n.Exp1)
	if err != nil {
		return nil, err
	}
	b, err := c.number(n.Exp2)
	if err != nil {
		return nil, err
	}
	return func(args []float64) float64 {
		if yes(args) {
			return a(args)
		}
		return b(args)
	}, nil
}

func (c *compiler) call(name string, arguments []ast.Node) (number, error) {
	i := slices.IndexFunc(functions, func(f function) bool { return f.name == name })
	if i < 0 {
		if slices.Contains(c.names, name) || name == "pi" {
			return nil, fmt.Errorf("%s is a number and takes no brackets: write * between them", name)
		}
		return nil, fmt.Errorf("there is no %s; there are %s", name, strings.Join(Functions(), ", "))
	}
	f := functions[i]
	switch n := len(arguments); {
	case f.more && n < 2:
		return nil, fmt.Errorf("%s needs at least two numbers, got %d", name, n)
	case f.one != nil && n != 1:
		return nil, fmt.Errorf("%s needs one number, got %d", name, n)
	case f.two != nil && !f.more && n != 2:
		return nil, fmt.Errorf("%s needs two numbers, got %d", name, n)
	}
	a, err := c.number(arguments[0])
	if err != nil {
		return nil, err
	}
	if f.one != nil {
		return func(args []float64) float64 { return f.one(a(args)) }, nil
	}
	for _, argument := range arguments[1:] {
		b, err := c.number(argument)
		if err != nil {
			return nil, err
		}
		before := a
		a = func(args []float64) float64 { return f.two(before(args), b(args)) }
	}
	return a, nil
}

// truth compiles a node that must be true or false.
func (c *compiler) truth(n ast.Node) (truth, error) {
	if err := c.count(); err != nil {
		return nil, err
	}
	switch n := n.(type) {
	case *ast.BoolNode:
		v := n.Value
		return func([]float64) bool { return v }, nil
	case *ast.UnaryNode:
		if n.Operator == "!" || n.Operator == "not" {
			v, err := c.truth(n.Node)
			return func(args []float64) bool { return !v(args) }, err
		}
	case *ast.BinaryNode:
		if f := comparison(n.Operator); f != nil {
			a, err := c.number(n.Left)
			if err != nil {
				return nil, err
			}
			b, err := c.number(n.Right)
			return func(args []float64) bool { return f(a(args), b(args)) }, err
		}
		if n.Operator == "and" || n.Operator == "&&" || n.Operator == "or" || n.Operator == "||" {
			return c.both(n)
		}
	}
	if !logical(n) {
		if err := refuseUnknown(n); err != errNumber {
			return nil, err
		}
		return nil, fmt.Errorf("a condition must be a comparison: write a < b")
	}
	return nil, refuseUnknown(n)
}

func (c *compiler) both(n *ast.BinaryNode) (truth, error) {
	a, err := c.truth(n.Left)
	if err != nil {
		return nil, err
	}
	b, err := c.truth(n.Right)
	if n.Operator == "and" || n.Operator == "&&" {
		return func(args []float64) bool { return a(args) && b(args) }, err
	}
	return func(args []float64) bool { return a(args) || b(args) }, err
}

// comparison returns the function of an operator that compares, nil for others.
func comparison(operator string) func(a, b float64) bool {
	switch operator {
	case "<":
		return func(a, b float64) bool { return a < b }
	case "<=":
		return func(a, b float64) bool { return a <= b }
	case ">":
		return func(a, b float64) bool { return a > b }
	case ">=":
		return func(a, b float64) bool { return a >= b }
	case "==":
		return func(a, b float64) bool { return a == b }
	case "!=":
		return func(a, b float64) bool { return a != b }
	}
	return nil
}

// logical tells whether a node is true or false.
func logical(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BoolNode:
		return true
	case *ast.UnaryNode:
		return n.Operator == "!" || n.Operator == "not"
	case *ast.BinaryNode:
		return comparison(n.Operator) != nil || slices.Contains([]string{"and", "&&", "or", "||"}, n.Operator)
	}
	return false
}

var errNumber = fmt.Errorf("it is a number")

// refuseUnknown returns an error for parts of the grammar that an expression of
// numbers must not have.
func refuseUnknown(n ast.Node) error {
	switch n := n.(type) {
	case *ast.StringNode, *ast.BytesNode:
		return fmt.Errorf("it contains a text, %s: an expression has only numbers", n.String())
	case *ast.ArrayNode, *ast.MapNode, *ast.SliceNode, *ast.PairNode:
		return fmt.Errorf("it contains a list: an expression has only numbers")
	case *ast.MemberNode, *ast.ChainNode:
		return fmt.Errorf("there is no %s", n.String())
	case *ast.BinaryNode:
		if arithmetic(n.Operator) == nil && !logical(n) {
			return fmt.Errorf("there is no operator %s; there are + - * / %% ^ < <= > >= == != and or not", n.Operator)
		}
	case *ast.NilNode:
		return fmt.Errorf("there is no nil: an expression has only numbers")
	case *ast.SequenceNode, *ast.VariableDeclaratorNode, *ast.PredicateNode, *ast.PointerNode:
		return fmt.Errorf("it must be a single expression, without let, ; and #")
	}
	return errNumber
}
