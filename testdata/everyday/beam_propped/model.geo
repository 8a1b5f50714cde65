h = 0.1;
Point(1) = {0, 0, 0, h};
Point(2) = {1, 0, 0, h};
Line(1) = {1, 2};
Physical Curve("girder") = {1};
Physical Point("root") = {1};
Physical Point("prop") = {2};
