// A disc with a hole, 20 mm inside and 50 mm outside.
a = 0.02; b = 0.05; n = 16; m = 12;
Point(1) = {0, 0, 0};
Point(2) = {a, 0, 0}; Point(3) = {0, a, 0}; Point(4) = {-a, 0, 0}; Point(5) = {0, -a, 0};
Point(6) = {b, 0, 0}; Point(7) = {0, b, 0}; Point(8) = {-b, 0, 0}; Point(9) = {0, -b, 0};
For i In {0:3}
  Circle(1 + i) = {2 + i, 1, 2 + (i + 1) % 4};
  Circle(5 + i) = {6 + i, 1, 6 + (i + 1) % 4};
  Line(9 + i) = {2 + i, 6 + i};
EndFor
For i In {0:3}
  Curve Loop(1 + i) = {9 + i, 5 + i, -(9 + (i + 1) % 4), -(1 + i)};
  Plane Surface(1 + i) = {1 + i};
  Transfinite Curve {1 + i, 5 + i} = n + 1;
  Transfinite Curve {9 + i} = m + 1;
  Transfinite Surface {1 + i} Alternate;
EndFor
Physical Curve("shaft") = {1:4};
Physical Curve("rim") = {5:8};
Physical Point("mark") = {6};
Physical Surface("disc") = {1:4};
