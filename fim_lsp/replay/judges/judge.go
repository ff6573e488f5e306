// The judge of Go: does a text parse, as go/parser and the compiler's own parser read it? One line is answered for
// each text.
//
// A text comes as its length in bytes, a line break, and the bytes. The answer is an empty line, or the first
// fault as LINE, a tab, and what is wrong. Where only one of the two parsers finds a fault, it is said which one:
// Go's own tools differ there, and neither answer is wrong.
//
// The compiler's parser is internal to it, so this is built as if it were a part of the compiler (go build -overlay).
package main

import (
	"bufio"
	"bytes"
	"cmd/compile/internal/syntax"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"strings"
)

func main() {
	input := bufio.NewReader(os.Stdin)
	for {
		var length int
		if _, err := fmt.Fscanf(input, "%d\n", &length); err != nil {
			return
		}
		text := make([]byte, length)
		if _, err := io.ReadFull(input, text); err != nil {
			return
		}
		fmt.Println(verdict(text))
	}
}

func verdict(text []byte) string {
	ofParser, ofCompiler := parserFault(text), compilerFault(text)
	switch {
	case ofParser == "" && ofCompiler != "":
		return "0\tthe compiler alone: " + ofCompiler
	case ofParser != "" && ofCompiler == "":
		return "0\tgo/parser alone: " + ofParser
	}
	return ofParser
}

func parserFault(text []byte) string {
	_, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err == nil {
		return ""
	}
	line, message := 0, err.Error()
	if list, ok := err.(scanner.ErrorList); ok && len(list) > 0 {
		line, message = list[0].Pos.Line, list[0].Msg
	}
	return told(line, message)
}

func compilerFault(text []byte) string {
	_, err := syntax.Parse(syntax.NewFileBase(""), bytes.NewReader(text), nil, nil, 0)
	if err == nil {
		return ""
	}
	line, message := 0, err.Error()
	if fault, ok := err.(syntax.Error); ok {
		line, message = int(fault.Pos.Line()), fault.Msg
	}
	return told(line, message)
}

func told(line int, message string) string {
	return fmt.Sprintf("%d\t%s", line, strings.ReplaceAll(message, "\n", " "))
}
