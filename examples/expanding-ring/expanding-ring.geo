// A ring of mean radius 215 mm and a wall of 3 mm, in rows of triangles with edges
// straight across the wall: 1 mm across, 0.8 mm along, all diagonals the same way.
DefineConstant[across = 1e-3, along = 0.8e-3];
mean = 215e-3;
wall = 3e-3;
Point(1) = {0, 0, 0};
For k In {0:1}
  r = mean + (k - 0.5)*wall;
  For i In {0:3}
    Point(10*(k + 1) + i) = {r*Cos(i*Pi/2), r*Sin(i*Pi/2), 0};
  EndFor
  For i In {0:3}
    Circle(10*(k + 1) + i) = {10*(k + 1) + i, 1, 10*(k + 1) + (i + 1)%4};
    Transfinite Curve{10*(k + 1) + i} = Round(mean*Pi/2/along) + 1;
  EndFor
EndFor
For i In {0:3}
  Line(30 + i) = {10 + i, 20 + i};
  Transfinite Curve{30 + i} = Round(wall/across) + 1;
EndFor
For i In {0:3}
  Curve Loop(i + 1) = {10 + i, 30 + (i + 1)%4, -(20 + i), -(30 + i)};
  Plane Surface(i + 1) = {i + 1};
  Transfinite Surface{i + 1} Left;
EndFor
Physical Surface("ring") = {1:4};
