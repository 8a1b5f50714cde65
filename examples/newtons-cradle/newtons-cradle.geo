// Five discs of 20 mm in a row, a tenth of a millimetre apart, in metres.
//   gmsh -2 -o newtons-cradle.msh newtons-cradle.geo
DefineConstant[ edge = 1e-3 ];
radius = 10e-3;

For i In {0:4}
  x = 20.1e-3 * i;
  p = 10 * i;
  Point(p + 1) = {x, 0, 0, edge};
  Point(p + 2) = {x + radius, 0, 0, edge}; Point(p + 3) = {x, radius, 0, edge};
  Point(p + 4) = {x - radius, 0, 0, edge}; Point(p + 5) = {x, -radius, 0, edge};
  Circle(p + 1) = {p + 2, p + 1, p + 3}; Circle(p + 2) = {p + 3, p + 1, p + 4};
  Circle(p + 3) = {p + 4, p + 1, p + 5}; Circle(p + 4) = {p + 5, p + 1, p + 2};
  Curve Loop(i + 1) = {p + 1, p + 2, p + 3, p + 4};
  Plane Surface(i + 1) = {i + 1};
  Physical Surface(Sprintf("ball %g", i + 1)) = {i + 1};
EndFor
