// Command build makes the manual: the pages of docs in HTML. It makes the deck reference,
// the catalogue of contact laws and the verification from the program itself. The pages
// need no network.
//
//	go run ./docs/build                 # docs/html/index.html
//
//	go run ./docs/build -o DIR -verify=false
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	docs := flag.String("docs", "docs", "folder of the source pages")
	out := flag.String("o", "", "folder to write (default: html in the folder of the pages)")
	verify := flag.Bool("verify", true, "compute the verification page, which takes the most time")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "build takes no argument, got %q\n", flag.Args())
		os.Exit(2)
	}
	if *out == "" {
		*out = filepath.Join(*docs, "html")
	}
	if err := build(*docs, *out, *verify); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(filepath.Join(*out, "index.html"))
}
