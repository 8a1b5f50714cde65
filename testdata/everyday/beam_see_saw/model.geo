h = 0.05;
Point(1) = {-0.5, 0, 0, h};
Point(2) = {0, 0, 0, h};
Point(3) = {0.5, 0, 0, h};
Line(1) = {1, 2};
Line(2) = {2, 3};
Physical Curve("plank") = {1, 2};
Physical Point("pivot") = {2};
