// A block of 2.4 by 0.6 m with the joints of running bond: nine that go through and
// 115 that end on them, 331 curves in all.
//   gmsh -2 -format msh41 -o examples/joint-network/joint-network.msh examples/joint-network/joint-network.geo
SetFactory("OpenCASCADE");
long = 2.4; high = 0.6; courses = 10; brick = 0.2; size = 0.06;
course = high/courses;
Rectangle(1) = {0, 0, 0, long, high};
n = 100;
For j In {1 : courses - 1}
  Point(n) = {0, j*course, 0}; Point(n + 1) = {long, j*course, 0};
  Line(n) = {n, n + 1};
  n += 2;
EndFor
For j In {0 : courses - 1}
  half = 0.5*(j % 2);
  For i In {1 : Round(long/brick) - 1 + (j % 2)}
    x = (i - half)*brick;
    Point(n) = {x, j*course, 0}; Point(n + 1) = {x, (j + 1)*course, 0};
    Line(n) = {n, n + 1};
    n += 2;
  EndFor
EndFor
all() = Curve{:};
joints() = {};
For k In {0 : #all() - 1}
  If (all(k) >= 100)
    joints() += all(k);
  EndIf
EndFor
BooleanFragments{ Surface{1}; Delete; }{ Curve{joints()}; Delete; }
e = 1e-6;
bottom() = Curve In BoundingBox{-e, -e, -e, long + e, e, e};
top() = Curve In BoundingBox{-e, high - e, -e, long + e, high + e, e};
left() = Curve In BoundingBox{-e, -e, -e, e, high + e, e};
right() = Curve In BoundingBox{long - e, -e, -e, long + e, high + e, e};
inner() = Curve{:};
inner() -= bottom(); inner() -= top(); inner() -= left(); inner() -= right();
Printf("%g joints", #inner());
Physical Surface("rock") = Surface{:};
Physical Curve("joints") = inner();
Physical Curve("bottom") = bottom();
Physical Curve("top") = top();
Mesh.MeshSizeMax = size; Mesh.MeshSizeMin = size;
