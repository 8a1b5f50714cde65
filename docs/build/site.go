package main

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

//go:embed page.html style.css temml
var assets embed.FS

// order is the order of pages in the contents; other pages follow by name.
var order = strings.Fields(`
	index start first-models deck
	materials beams particles impulses contact stiffness laws fit
	drive springs ties bolts
	fracture fragments laboratory
	rock rockmass fluid pores heat safety
	static sweep clusters checkpoints performance
	postprocessing curves python
	theory verification peers
	newlaw newbulklaw newcohesivelaw newshape newquantity newkind program`)

// page is a page of the manual.
type page struct {
	Name, Title string
	Headings    []heading
	Body        template.HTML
	source      []byte
}

type heading struct{ ID, Text string }

// site is the manual during its build.
type site struct {
	docs, out string
	verify    bool
	pages     []*page
	md        goldmark.Markdown
	page      *template.Template
	inserts   map[string]func() (string, error) // text for <!-- insert: NAME -->
}

func build(docs, out string, verify bool) error {
	s := &site{docs: docs, out: out, verify: verify}
	s.md = goldmark.New(goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(html.WithUnsafe())) // the pages are our own, so their HTML is trusted
	s.inserts = map[string]func() (string, error){
		"deck": deckReference, "laws": s.lawCatalogue, "verification": s.verification, "commands": s.commands, "quantities": s.quantities,
	}
	var err error
	if s.page, err = template.ParseFS(assets, "page.html"); err != nil {
		return err
	}
	if err := s.read(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(out, "pictures"), 0o755); err != nil {
		return err
	}
	for _, name := range []string{"style.css", "temml/temml.min.js", "temml/Temml-Local.css", "temml/LICENSE"} {
		data, err := assets.ReadFile(name)
		if err != nil {
			return err
		}
		to := filepath.Join(out, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, 0o644)); err != nil {
			return err
		}
	}
	for _, p := range s.pages {
		if err := s.render(p); err != nil {
			return fmt.Errorf("%s.md: %w", p.Name, err)
		}
	}
	for _, p := range s.pages {
		var b bytes.Buffer
		if err := s.page.Execute(&b, map[string]any{"Page": p, "Pages": s.pages}); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, p.Name+".html"), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// commands returns the README's table of commands.
func (s *site) commands() (string, error) {
	readme, err := os.ReadFile(filepath.Join(s.docs, "..", "README.md"))
	if err != nil {
		return "", err
	}
	var broken error
	fromHere := func(link string) string { // with links as in a page of docs
		at := strings.TrimSuffix(strings.TrimPrefix(link, "]("), ")")
		if in, ok := strings.CutPrefix(at, "docs/"); ok {
			at = in
		} else if !strings.Contains(at, "://") && !strings.HasPrefix(at, "#") {
			at = "../" + at
		}
		to, err := s.link(at)
		broken = errors.Join(broken, err)
		return "](" + to + ")"
	}
	table := "| command | what it does |\n|---|---|\n"
	for line := range strings.Lines(string(readme)) {
		if strings.HasPrefix(line, "| `fdem ") {
			table += regexp.MustCompile(`\]\([^)]*\)`).ReplaceAllStringFunc(line, fromHere)
		}
	}
	if broken != nil {
		return "", fmt.Errorf("README.md: %w", broken)
	}
	var b bytes.Buffer
	err = s.md.Convert([]byte(table), &b)
	return b.String(), err
}

// read reads the pages in the order of the contents.
func (s *site) read() error {
	files, err := filepath.Glob(filepath.Join(s.docs, "*.md"))
	if err != nil {
		return err
	}
	for _, f := range files {
		source, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		s.pages = append(s.pages, &page{Name: strings.TrimSuffix(filepath.Base(f), ".md"), source: source})
	}
	rank := func(p *page) int {
		if i := slices.Index(order, p.Name); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(s.pages, func(a, b *page) int { return cmp.Compare(rank(a), rank(b)) })
	if len(s.pages) == 0 || s.pages[0].Name != "index" {
		return fmt.Errorf("there is no index.md in %s", s.docs)
	}
	return nil
}

var (
	insertion  = regexp.MustCompile(`<!-- insert: (\w+) -->`)
	mathBlock  = regexp.MustCompile(`(?s)<pre><code class="language-math">(.*?)</code></pre>`)
	mathInline = regexp.MustCompile(`\$<code>(.*?)</code>\$`)
	hidden     = regexp.MustCompile(`(?s)<!-- (?:prelude|setup|file).*?-->\n?`)
)

// render converts a page's source to its body.
func (s *site) render(p *page) error {
	root := s.md.Parser().Parse(text.NewReader(p.source))
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			words := plain(n, p.source)
			if n.Level == 1 && p.Title == "" {
				p.Title = words
			}
			if id, ok := n.AttributeString("id"); ok && n.Level == 2 {
				p.Headings = append(p.Headings, heading{string(id.([]byte)), words})
			}
		case *ast.Image:
			to, err := s.picture(string(n.Destination))
			if err != nil {
				return ast.WalkStop, err
			}
			n.Destination = []byte(to)
		case *ast.Link:
			to, err := s.link(string(n.Destination))
			if err != nil {
				return ast.WalkStop, err
			}
			n.Destination = []byte(to)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := s.md.Renderer().Render(&b, p.source, root); err != nil {
		return err
	}
	body := hidden.ReplaceAllString(b.String(), "")
	body = mathBlock.ReplaceAllString(body, `<div class="math">$1</div>`)
	body = mathInline.ReplaceAllString(body, `<span class="math">$1</span>`)
	for _, m := range insertion.FindAllStringSubmatch(body, -1) {
		make, known := s.inserts[m[1]]
		if !known {
			return fmt.Errorf("there is no text to insert for %q", m[1])
		}
		made, err := make()
		if err != nil {
			return err
		}
		body = strings.Replace(body, m[0], made, 1)
	}
	p.Body = template.HTML(body)
	return nil
}

// plain returns the text of a node without formatting.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(source))
		} else {
			b.WriteString(plain(c, source))
		}
	}
	return b.String()
}

// picture copies a picture into the manual and returns its new address.
func (s *site) picture(at string) (string, error) {
	if strings.Contains(at, "://") {
		return "", fmt.Errorf("picture %s needs a network: copy it into docs", at)
	}
	data, err := os.ReadFile(filepath.Join(s.docs, filepath.FromSlash(at)))
	if err != nil {
		return "", err
	}
	name := strings.NewReplacer("../", "", "/", "-").Replace(at)
	return "pictures/" + name, os.WriteFile(filepath.Join(s.out, "pictures", name), data, 0o644)
}

// link returns the address of a page, or of a file of the repository, as seen
// from the manual.
func (s *site) link(at string) (string, error) {
	if strings.Contains(at, "://") || strings.HasPrefix(at, "#") || strings.HasPrefix(at, "mailto:") {
		return at, nil
	}
	file, anchor, _ := strings.Cut(at, "#")
	if anchor != "" {
		anchor = "#" + anchor
	}
	for _, p := range s.pages {
		if file == p.Name+".md" {
			return p.Name + ".html" + anchor, nil
		}
	}
	target := filepath.Join(s.docs, filepath.FromSlash(file))
	if _, err := os.Stat(target); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("link to %s, which does not exist", at)
	}
	from, err := filepath.Abs(s.out)
	if err != nil {
		return "", err
	}
	if target, err = filepath.Abs(target); err != nil {
		return "", err
	}
	rel, err := filepath.Rel(from, target)
	return filepath.ToSlash(rel) + anchor, err
}
