// Which names of a file of Go are declared nowhere, by go/types: for a list of texts in JSON, the file and those that
// lie beside it, one line with a list: a name, and where it begins in bytes. A text comes as judge.go's do.
//
// What it imports is not looked up: what stands behind a dot is anybody's, and a package may be called as any part of its
// path.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"strings"
)

type nothing struct{}

func (nothing) Import(string) (*types.Package, error) {
	return nil, errors.New("not looked up")
}

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
		var given []string
		found := [][]any{}
		if err := json.Unmarshal(text, &given); err == nil && len(given) > 0 {
			found = undeclared(given)
		}
		line, _ := json.Marshal(found)
		fmt.Println(string(line))
	}
}

func undeclared(given []string) [][]any {
	found := [][]any{}
	files := token.NewFileSet()
	var parsed []*ast.File
	for i, text := range given {
		file, err := parser.ParseFile(files, fmt.Sprintf("%d.go", i), text, parser.SkipObjectResolution)
		if i == 0 && err != nil {
			return found
		}
		if err == nil && (len(parsed) == 0 || file.Name.Name == parsed[0].Name.Name) {
			parsed = append(parsed, file)
		}
	}
	paths := ""
	for _, one := range parsed[0].Imports {
		if one.Name != nil && one.Name.Name == "." {
			return found
		}
		paths += one.Path.Value
	}
	config := types.Config{Importer: nothing{}, Error: func(err error) {
		fault, is := err.(types.Error)
		if !is {
			return
		}
		place := files.Position(fault.Pos)
		name, isUndefined := strings.CutPrefix(fault.Msg, "undefined: ")
		isOther := strings.Contains(name, ".") || strings.Contains(paths, name)
		if isUndefined && !isOther && place.Filename == "0.go" {
			found = append(found, []any{name, place.Offset})
		}
	}}
	config.Check("p", files, parsed, nil)
	return found
}
