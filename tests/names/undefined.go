// The undefined names and unused variables in Go files, by go/types. Standard input has a list of texts in
// JSON; the output is a list of lists of "undefined NAME" and "unused NAME". Each text is a package of its
// own.
package main

import (
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"strings"
)

func main() {
	var given []string
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	found := make([][]string, len(given))
	files := token.NewFileSet()
	importer := importer.ForCompiler(files, "source", nil)
	for i, text := range given {
		found[i] = []string{}
		file, err := parser.ParseFile(files, "a.go", text, 0)
		if err != nil {
			panic(text + err.Error())
		}
		config := types.Config{Importer: importer, Error: func(err error) {
			message := err.(types.Error).Msg
			if name, is := strings.CutPrefix(message, "undefined: "); is && !strings.Contains(name, ".") {
				found[i] = append(found[i], "undefined "+name)
			} else if strings.Contains(message, "declared and not used") {
				words := strings.Fields(strings.Replace(message, "declared and not used", "", 1))
				found[i] = append(found[i], "unused "+words[len(words)-1])
			}
		}}
		config.Check("p", files, []*ast.File{file}, nil)
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		panic(err)
	}
}
