// Half of Kalthoff and Winkler's plate: 100 by 100 mm, cut 50 mm deep 25 mm from the
// axis. The cut closes from 1 mm at its mouth to a point, so that its sides do not meet.
DefineConstant[edge = 0.8e-3];
mouth = 1e-3;
Point(1) = {0, 0, 0, edge};
Point(2) = {0.1, 0, 0, edge};
Point(3) = {0.1, 0.1, 0, edge};
Point(4) = {0, 0.1, 0, edge};
Point(5) = {0, 0.025 + mouth/2, 0, edge};
Point(6) = {0.05, 0.025, 0, edge};
Point(7) = {0, 0.025 - mouth/2, 0, edge};
For i In {1:6}
  Line(i) = {i, i + 1};
EndFor
Line(7) = {7, 1};
Curve Loop(1) = {1:7};
Plane Surface(1) = {1};
Physical Surface("plate") = {1};
Physical Curve("axis") = {1};
Physical Curve("struck") = {7};
Mesh.Algorithm = 5;  // Delaunay: no rows that would lead a crack
