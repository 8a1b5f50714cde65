"""Prints what VTK's own readers find in the files named on the command line."""
import json
import os
import sys
import xml.etree.ElementTree as ET

import vtkmodules.vtkCommonDataModel  # noqa: F401, the classes of what is read
from vtkmodules.vtkIOHDF import vtkHDFReader
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader, vtkXMLPUnstructuredGridReader, vtkXMLUnstructuredGridReader


def arrays(data):
    out = {}
    for i in range(data.GetNumberOfArrays()):
        a = data.GetArray(i)
        out[a.GetName()] = [a.GetValue(k) for k in range(a.GetNumberOfValues())]
    return out


def read(path):
    if path.endswith(".pvd"):
        return [[float(d.get("timestep")), d.get("file")] for d in ET.parse(path).getroot().iter("DataSet")]
    kinds = {".vtu": vtkXMLUnstructuredGridReader, ".pvtu": vtkXMLPUnstructuredGridReader, ".vtkhdf": vtkHDFReader}
    reader = kinds.get(os.path.splitext(path)[1], vtkXMLPolyDataReader)()
    errors = []
    reader.AddObserver("ErrorEvent", lambda *a: errors.append("error"))
    reader.SetFileName(path)
    reader.Update()
    g = reader.GetOutput()
    if errors:
        raise SystemExit("VTK cannot read " + path)
    return {
        "points": [list(g.GetPoint(i)) for i in range(g.GetNumberOfPoints())],
        "cells": [[g.GetCell(i).GetPointId(k) for k in range(g.GetCell(i).GetNumberOfPoints())] for i in range(g.GetNumberOfCells())],
        "types": [g.GetCellType(i) for i in range(g.GetNumberOfCells())],
        "point_data": arrays(g.GetPointData()),
        "cell_data": arrays(g.GetCellData()),
        "field_data": arrays(g.GetFieldData()),
    }


print(json.dumps([read(p) for p in sys.argv[1:]]))
