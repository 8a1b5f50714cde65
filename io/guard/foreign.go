package guard

import (
	"bytes"
	"regexp"
	"strconv"
)

// foreign are the kinds of files that users take for another: how each begins, and what it
// is, with what helps.
var foreign = []struct{ begins, is string }{
	{"\x1f\x8b", "compressed by gzip: unpack it with gunzip"},
	{"PK\x03\x04", "a zip archive, or a document that is one, such as of a spreadsheet: unpack it, or save it as text"},
	{"BZh", "compressed by bzip2: unpack it with bunzip2"},
	{"\xfd7zXZ\x00", "compressed by xz: unpack it with unxz"},
	{"\x28\xb5\x2f\xfd", "compressed by zstd: unpack it with unzstd"},
	{"7z\xbc\xaf\x27\x1c", "a 7-Zip archive: unpack it"},
	{"Rar!", "a RAR archive: unpack it"},
	{"version https://git-lfs", "a pointer of Git LFS, not the file itself: git lfs pull fetches it"},
	{"\xff\xfe", "in UTF-16: save it in UTF-8"},
	{"\xfe\xff", "in UTF-16: save it in UTF-8"},
	{"%PDF", "a PDF document"},
	{"\x89PNG", "a picture (PNG)"},
	{"\xff\xd8\xff", "a picture (JPEG)"},
	{"\x89HDF", "in HDF5, such as a mesh of Salome (.med) or CGNS"},
	{"CDF\x01", "in NetCDF, such as a mesh of Exodus"},
	{"CDF\x02", "in NetCDF, such as a mesh of Exodus"},
	{"SQLite format 3", "a database of SQLite, such as a GeoPackage (.gpkg): export its layer as GeoJSON or CSV"},
	{"\x00\x00\x27\x0a", "an ESRI shapefile (.shp): export its layer as GeoJSON or CSV, in QGIS by Save Features As"},
	{"AutoCAD Binary DXF", "a binary DXF: save it as DXF in ASCII"},
	{"AC10", "an AutoCAD drawing (.dwg): save it as DXF in ASCII"},
	{"{\\rtf", "a document in RTF: save it as plain text"},
	{"\xd0\xcf\x11\xe0", "a document of Microsoft Office, of before 2007: save it as text"},
	{"solid ", "a surface in STL"},
	{"# vtk DataFile", "in VTK's legacy format"},
	{"-----BEGIN", "a key or a certificate"},
	{"ply\n", "a surface in PLY"},
	{"ISO-10303", "a geometry in STEP: mesh it in Gmsh"},
	{"(0 \"", "a mesh of Fluent, which is named .msh, too: meshio convert writes it as a .msh of Gmsh"},
	{"(2 2)", "a mesh of Fluent, which is named .msh, too: meshio convert writes it as a .msh of Gmsh"},
	{"BEGIN BULK", "a deck of Nastran (.bdf): Gmsh opens its mesh and exports .msh"},
	{"SOL ", "a deck of Nastran (.bdf): Gmsh opens its mesh and exports .msh"},
	{"NDIME", "a mesh of SU2: Gmsh opens it and exports .msh"},
	{"MeshVersionFormatted", "a mesh in the format of MEDIT (.mesh): Gmsh opens it and exports .msh"},
}

// geometry is a line of a .geo of Gmsh.
var geometry = regexp.MustCompile(`(?m)^\s*(?:(?:Point|Line|Circle|Physical \w+|Rectangle|Disk)\s*\([^)]*\)\s*=\s*\{|SetFactory\s*\()`)

// markup are tags that begin files in XML and HTML, in lower case.
var markup = []struct{ begins, is string }{
	{"<!doctype html", "a page of HTML, such as a download that failed"},
	{"<html", "a page of HTML, such as a download that failed"},
	{"<vtkfile", "a file of VTK in XML"},
	{"<kml", "in KML: export it as GeoJSON or CSV"},
	{"<gml", "in GML: export it as GeoJSON or CSV"},
	{"<svg", "a picture (SVG)"},
	{"<dolfin", "a mesh of FEniCS in XML"},
	{"<xdmf", "in XDMF"},
}

// Foreign says what the contents of a file are that is none that fdem reads, "" where they
// may be one. It is the end of a sentence that begins with "the file is".
func Foreign(data []byte) string {
	for _, f := range foreign {
		if bytes.HasPrefix(data, []byte(f.begins)) {
			return f.is
		}
	}
	head := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(data[:min(len(data), headSize)], []byte("\ufeff"))))
	if bytes.HasPrefix(head, []byte("<")) {
		for _, m := range markup {
			if bytes.Contains(head, []byte(m.begins)) {
				return m.is
			}
		}
		return "in XML"
	}
	if geometry.Match(data[:min(len(data), headSize)]) {
		return "a geometry of Gmsh (.geo), not its mesh: gmsh -2 makes one of it"
	}
	if isUCD(head) {
		return "in AVS UCD, which is named .inp, too: it is no input file of Abaqus; Gmsh or meshio write it as .msh"
	}
	for _, n := range head[:min(len(head), 64)] {
		if n == 0 && !bytes.HasPrefix(head, []byte("$meshformat")) {
			return "binary, of a kind that is not known"
		}
	}
	return ""
}

// isUCD tells whether data begin, after comments, with the five numbers of an AVS UCD file
// and a node.
func isUCD(head []byte) bool {
	rows := 0
	for line := range bytes.Lines(head) {
		fields := bytes.Fields(line)
		if len(fields) == 0 || fields[0][0] == '#' {
			continue
		}
		want := 5
		if rows == 1 {
			want = 4
		}
		if len(fields) != want {
			return false
		}
		for k, f := range fields {
			_, err := strconv.ParseFloat(string(f), 64)
			if _, whole := strconv.Atoi(string(f)); err != nil || whole != nil && (rows == 0 || k == 0) {
				return false
			}
		}
		if rows++; rows == 2 {
			return true
		}
	}
	return false
}
