// A ring of mean radius 215 mm and a wall of 3 mm, in triangles of 1 mm.
edge = 1e-3;
mean = 215e-3;
wall = 3e-3;
Point(1) = {0, 0, 0, edge};
For k In {0:1}
  r = mean + (k - 0.5)*wall;
  For i In {0:3}
    Point(10*(k + 1) + i) = {r*Cos(i*Pi/2), r*Sin(i*Pi/2), 0, edge};
  EndFor
  For i In {0:3}
    Circle(10*(k + 1) + i) = {10*(k + 1) + i, 1, 10*(k + 1) + (i + 1)%4};
  EndFor
  Curve Loop(k + 1) = {10*(k + 1):10*(k + 1) + 3};
EndFor
Plane Surface(1) = {2, 1};
Physical Surface("ring") = {1};
